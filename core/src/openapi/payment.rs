//! The members of a payment (§2.1) and its states (§3).

use super::schema_writer::{about, kind, refer, text, words};
use crate::json::writer::Writer;
use crate::schema::payment::{ALWAYS, PaymentField};
use crate::types::state::State;
use crate::util::inline_vec::InlineVec;

/// The format of a member's value.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Uuid,
    Address,
    Amount,
    Fiat,
    /// A fiat currency or USDT.
    Currency,
    Instant,
    Addresses,
    /// A reference to the schema with this name.
    Component(&'static str),
}

/// The documentation of a member.
struct Note {
    member: PaymentField,
    form: Form,
    text: &'static str,
    decisions: &'static [&'static str],
}

const fn note(member: PaymentField, form: Form, decisions: &'static [&'static str], text: &'static str) -> Note {
    Note { member, form, text, decisions }
}

/// One note for each member, in the order of the table.
static NOTES: [Note; PaymentField::COUNT] = [
    note(PaymentField::Uid, Form::Uuid, &[], "Identifier of the payment."),
    note(
        PaymentField::Url,
        Form::Address,
        &["D1"],
        "Address to complete or view the payment. Null in host-to-host mode, and if the payment has no address.",
    ),
    note(
        PaymentField::MerchantId,
        Form::Text,
        &["D27", "D28"],
        "The merchant that the payment belongs to. Absent only if neither the request nor the service has one.",
    ),
    note(PaymentField::State, Form::Component("State"), &[], "The state of the payment."),
    note(PaymentField::PaymentType, Form::Component("PaymentType"), &[], "The direction of the payment."),
    note(
        PaymentField::Subtype,
        Form::Text,
        &["D17"],
        "The payment method, such as `bank_card` or `sbp`. Absent if the request had none.",
    ),
    note(PaymentField::RequestedAmount, Form::Amount, &[], "The requested amount, as written by the client."),
    note(
        PaymentField::RequestedCurrency,
        Form::Fiat,
        &[],
        "The client's currency; a fiat currency in mode `CRYPTO` too.",
    ),
    note(
        PaymentField::ClientAmount,
        Form::Amount,
        &[],
        "The amount that the client entered or was shown, in the client's currency.",
    ),
    note(
        PaymentField::Amount,
        Form::Amount,
        &["D20", "D21"],
        "The amount that is processed. In mode `CRYPTO` it is the requested amount, converted to USDT.",
    ),
    note(PaymentField::Currency, Form::Currency, &[], "Currency of the processed amounts. `USDT` in mode `CRYPTO`."),
    note(PaymentField::Total, Form::Amount, &["D21"], "`gross_amount`, `fee` and `commission` together."),
    note(PaymentField::NetProcessed, Form::Amount, &["D21"], "`gross_amount` less `fee` and `commission`."),
    note(PaymentField::Fee, Form::Amount, &["D24"], "The service's fee."),
    note(PaymentField::Commission, Form::Amount, &["D24"], "The payment processor's commission."),
    note(PaymentField::GrossAmount, Form::Amount, &["D21"], "The amount before deductions."),
    note(
        PaymentField::SharedCommission,
        Form::Amount,
        &["D21", "D24"],
        "The part of `commission` that partners share.",
    ),
    note(
        PaymentField::PaidAmount,
        Form::Amount,
        &["D26"],
        "The amount paid out to the recipient. Zero on a new payment.",
    ),
    note(
        PaymentField::FailBy,
        Form::Text,
        &["D3"],
        "The party responsible for a failure; null if the payment has not failed. The values are not specified.",
    ),
    note(
        PaymentField::FailCode,
        Form::Text,
        &["D13"],
        "The reason for a failure; absent if the payment has not failed. The values are not specified.",
    ),
    note(PaymentField::Receipts, Form::Addresses, &["D1"], "Addresses of receipts. Empty on a new payment."),
    note(PaymentField::CreatedDate, Form::Instant, &[], "When the payment was created."),
    note(PaymentField::PaidAt, Form::Instant, &[], "When the payment was completed; null until then."),
    note(
        PaymentField::RedirectUrl,
        Form::Address,
        &["D1", "D27"],
        "Address that the client is redirected to after payment. Absent if the request had none.",
    ),
    note(
        PaymentField::Form,
        Form::Text,
        &["D1"],
        "The form type used for the payment, such as `acquiring.card`. Absent if the service has not set it.",
    ),
    note(
        PaymentField::Info,
        Form::Component("PaymentInfo"),
        &["D2"],
        "Additional information in host-to-host mode, else null.",
    ),
];

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
#[expect(clippy::as_conversions, reason = "the discriminants are the slots, by construction")]
const _: () = {
    let mut slot = 0;
    while slot < NOTES.len() {
        assert!(NOTES[slot].member as usize == slot, "a note is out of order");
        slot += 1;
    }
};

/// The pattern of an amount of any size, including zero.
pub(super) const AMOUNT: &str = "^(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$";

/// Writes the members `required` and `properties` of the schema.
pub(super) fn members(w: &mut Writer<'_>) {
    let always = |note: &&Note| ALWAYS.contains(&note.member);
    w.name("required").strings(NOTES.iter().filter(always).map(|note| note.member.name()));
    w.name("properties").object(|w| {
        for note in &NOTES {
            w.name(note.member.name()).object(|w| {
                value(w, note);
                about(w, note.text, note.decisions);
            });
        }
    });
}

/// Writes the schema of the states.
pub(super) fn state(w: &mut Writer<'_>) {
    let meanings: InlineVec<_, 8> = State::ALL.iter().map(|state| (state.name(), meaning(*state))).collect();
    let intro = "The state of a payment. The allowed transitions are not specified.";
    words(w, "State", intro, &["D7", "D19"], &meanings);
}

fn meaning(state: State) -> &'static str {
    match state {
        State::Idle => "created, not yet started.",
        State::Routed => "routed, not yet processed.",
        State::Completed => "successfully completed; final.",
        State::NotFully => "partially paid; final.",
        State::Fail => "failed; final. `fail_by` and `fail_code` contain the reason.",
        State::Cancel => "reversed, or being reversed.",
        State::Chargeback => "disputed and charged back.",
        State::Correction => "the amount was adjusted, up or down.",
    }
}

fn value(w: &mut Writer<'_>, note: &Note) {
    let nullable = note.member.is_nullable();
    let (word, constraint) = match note.form {
        Form::Text => return kind(w, "string", nullable),
        Form::Component(name) => return refer(w, name, nullable),
        Form::Addresses => {
            kind(w, "array", nullable);
            w.name("items").object(|w| {
                kind(w, "string", false);
                text(w, "format", "uri");
            });
            return;
        }
        Form::Uuid => ("format", "uuid"),
        Form::Address => ("format", "uri"),
        Form::Instant => ("format", "date-time"),
        Form::Amount => ("pattern", AMOUNT),
        Form::Fiat => ("pattern", "^[A-Z]{3}$"),
        Form::Currency => ("pattern", "^(?:[A-Z]{3}|USDT)$"),
    };
    kind(w, "string", nullable);
    text(w, word, constraint);
}
