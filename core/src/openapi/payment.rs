//! The schemas of the answers (§2.1, §2.3): the payment and the partner's balance.

use super::{about, is_error, kind, refer_to_schema, words};
use crate::engine::Engine;
use crate::kinds::PaymentType;
use crate::money::USDT;
use crate::payment::{ALWAYS, IN_CRYPTO, InfoKind, Member, SLOTS};
use crate::read::bit;
use crate::request;
use crate::rules::Code;
use crate::state::State;
use crate::write::Writer;

/// What a member's value looks like.
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
    /// The schema of that name.
    Component(&'static str),
}

/// What a reader should know of a member.
struct Note {
    member: Member,
    form: Form,
    text: &'static str,
    decisions: &'static [&'static str],
}

const fn note(member: Member, form: Form, decisions: &'static [&'static str], text: &'static str) -> Note {
    Note { member, form, text, decisions }
}

/// One for each member, in the order of the table.
static NOTES: [Note; SLOTS] = [
    note(Member::Uid, Form::Uuid, &[], "Identifier of the payment."),
    note(
        Member::Url,
        Form::Address,
        &["D1"],
        "Address to complete or view the payment. Null in host-to-host mode, and where there is none.",
    ),
    note(
        Member::MerchantId,
        Form::Text,
        &["D1", "D27"],
        "The merchant that the payment belongs to. Absent where neither the request nor the service names one.",
    ),
    note(Member::State, Form::Component("State"), &[], "How the payment stands."),
    note(Member::PaymentType, Form::Component("PaymentType"), &[], "Which way the money goes."),
    note(
        Member::Subtype,
        Form::Component("Subtype"),
        &["D17"],
        "The payment method. Absent where the request had none.",
    ),
    note(Member::RequestedAmount, Form::Amount, &[], "The amount that the client asked for, as the client wrote it."),
    note(Member::RequestedCurrency, Form::Fiat, &[], "The client's currency; a fiat currency in mode `CRYPTO` too."),
    note(
        Member::ClientAmount,
        Form::Amount,
        &[],
        "The amount that the client entered or was shown, in the client's currency.",
    ),
    note(
        Member::Amount,
        Form::Amount,
        &["D20", "D21"],
        "The amount that is processed. In mode `CRYPTO` it is the requested amount, converted to USDT.",
    ),
    note(Member::Currency, Form::Currency, &[], "Currency of the processed amounts. `USDT` in mode `CRYPTO`."),
    note(Member::Total, Form::Amount, &["D21"], "`gross_amount`, `fee` and `commission` together."),
    note(Member::NetProcessed, Form::Amount, &["D21"], "`gross_amount` less `fee` and `commission`."),
    note(Member::Fee, Form::Amount, &["D24"], "The service's fee."),
    note(Member::Commission, Form::Amount, &["D24"], "The payment processor's commission."),
    note(Member::GrossAmount, Form::Amount, &["D21"], "The amount before deductions."),
    note(Member::SharedCommission, Form::Amount, &["D21", "D24"], "The part of `commission` that partners share."),
    note(Member::PaidAmount, Form::Amount, &["D26"], "The amount paid out to the recipient. Zero on a new payment."),
    note(
        Member::FailBy,
        Form::Text,
        &["D3"],
        "Who is responsible for a failure; null without one. The values are not specified.",
    ),
    note(
        Member::FailCode,
        Form::Text,
        &["D13"],
        "Why the payment failed; absent without a failure. The values are not specified.",
    ),
    note(Member::Receipts, Form::Addresses, &["D1"], "Addresses of receipts. Empty on a new payment."),
    note(Member::CreatedDate, Form::Instant, &[], "When the payment was created."),
    note(Member::PaidAt, Form::Instant, &[], "When the payment was completed; null until then."),
    note(
        Member::RedirectUrl,
        Form::Address,
        &["D1", "D27"],
        "Address that the client is redirected to after payment. Absent where the request had none.",
    ),
    note(
        Member::Form,
        Form::Text,
        &["D1"],
        "The form type used for the payment, such as `acquiring.card`. Absent where there is none.",
    ),
    note(
        Member::Info,
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
        assert!(NOTES[slot].member as usize == slot, "a note stands out of order");
        slot += 1;
    }
};

/// An amount of any size, zero included.
pub(super) const AMOUNT: &str = "^(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$";

/// Every schema of the answers.
pub(super) fn write(engine: &Engine, w: &mut Writer<'_>) {
    w.name("Payment").object(|w| {
        w.name("title").string("Payment");
        about(
            w,
            "A payment, as creation and the status endpoint answer it. A member that may be null is always there; any \
             other is absent where there is nothing to say.",
            &["D1", "D21"],
        );
        w.name("type").string("object");
        let always = |note: &&Note| {
            ALWAYS.contains(&note.member) && (note.member != Member::MerchantId || names_merchant(engine))
        };
        w.name("required").strings(NOTES.iter().filter(always).map(|note| note.member.name()));
        w.name("properties").object(|w| {
            for note in &NOTES {
                w.name(note.member.name()).object(|w| {
                    value(w, note);
                    about(w, note.text, note.decisions);
                });
            }
        });
        let currency = Member::Currency.name();
        w.name("if").object(|w| {
            w.name("properties").object(|w| w.name(currency).object(|w| w.name("const").string(USDT)));
            w.name("required").strings([currency]);
        });
        w.name("then").object(|w| w.name("required").strings(IN_CRYPTO.iter().map(|member| member.name())));
    });
    w.name("PaymentInfo").object(|w| {
        about(w, "What host-to-host mode tells about the means of payment. Other members may be there.", &["D2"]);
        w.name("type").string("object");
        w.name("properties").object(|w| {
            w.name("type").object(|w| {
                kind(w, "string", false);
                w.name("examples").strings(InfoKind::NAMES.iter().copied());
                about(w, "What the information is about: `card`, `sbp` or `crypto`.", &["D2"]);
            });
            w.name("card_number").object(|w| {
                kind(w, "string", false);
                w.name("examples").strings(["411111******1111"]);
                about(w, "The card number, masked. Absent where there is no card.", &["D22"]);
            });
        });
    });
    let meanings = State::ALL.iter().map(|state| (state.name(), meaning(*state)));
    words(w, "State", "How a payment stands. Which state may follow which is not specified.", &["D7", "D19"], meanings);
    w.name("Balance").object(|w| {
        w.name("title").string("Balance");
        about(w, "The partner's balance. Only `cur` is specified; other members may be there.", &["D9"]);
        w.name("type").string("object");
        w.name("required").strings(["cur"]);
        w.name("properties").object(|w| {
            w.name("cur").object(|w| {
                kind(w, "string", false);
                w.name("description").string("Currency of the balance.");
            });
        });
        w.name("additionalProperties").bool(true);
    });
}

fn meaning(state: State) -> &'static str {
    match state {
        State::Idle => "created, not yet started.",
        State::Routed => "routed, not yet processed.",
        State::Completed => "successfully completed; final.",
        State::NotFully => "partially paid; final.",
        State::Fail => "failed; final. `fail_by` and `fail_code` tell why.",
        State::Cancel => "reversed, or being reversed.",
        State::Chargeback => "disputed and charged back.",
        State::Correction => "the amount was adjusted, up or down.",
    }
}

/// Whether every accepted request names its merchant, so that every payment does.
fn names_merchant(engine: &Engine) -> bool {
    let merchant = bit(request::Member::MerchantId.slot());
    let everywhere = |variant: &PaymentType| engine.required_by_policy(Some(*variant)) & merchant != 0;
    is_error(engine, Code::Missing) && PaymentType::ALL.iter().all(everywhere)
}

fn value(w: &mut Writer<'_>, note: &Note) {
    let nullable = note.member.is_nullable();
    let formatted = |w: &mut Writer<'_>, format: &str| {
        kind(w, "string", nullable);
        w.name("format").string(format);
    };
    match note.form {
        Form::Text => kind(w, "string", nullable),
        Form::Uuid => formatted(w, "uuid"),
        Form::Address => formatted(w, "uri"),
        Form::Instant => formatted(w, "date-time"),
        Form::Amount => {
            kind(w, "string", nullable);
            w.name("pattern").string(AMOUNT);
        }
        Form::Fiat => {
            kind(w, "string", nullable);
            w.name("pattern").string("^[A-Z]{3}$");
        }
        Form::Currency => {
            kind(w, "string", nullable);
            w.name("pattern").string("^(?:[A-Z]{3}|USDT)$");
        }
        Form::Addresses => {
            w.name("type").string("array");
            w.name("items").object(|w| {
                kind(w, "string", false);
                w.name("format").string("uri");
            });
        }
        Form::Component(name) => refer_to_schema(w, name, nullable),
    }
}
