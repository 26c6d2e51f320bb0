//! The fields of a payment (§2.1) and its states (§3).

use super::note::{Note, notes};
use super::schema_writer::{about, enum_schema, kind, refer, text};
use crate::json::writer::Writer;
use crate::schema::payment::{ALWAYS, PaymentField};
use crate::types::state::State;
use crate::util::inline_vec::InlineVec;

/// The format of a field's value.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Text,
    /// A text with this keyword of JSON Schema and its value.
    Constrained(&'static str, &'static str),
    Addresses,
    /// A reference to the schema with this name.
    Component(&'static str),
}

/// The pattern of an amount of any size, including zero.
pub(super) const AMOUNT: &str = "^(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$";

impl Form {
    const UUID: Form = Form::Constrained("format", "uuid");
    const ADDRESS: Form = Form::Constrained("format", "uri");
    const TIMESTAMP: Form = Form::Constrained("format", "date-time");
    const AMOUNT: Form = Form::Constrained("pattern", AMOUNT);
    const FIAT: Form = Form::Constrained("pattern", "^[A-Z]{3}$");
    /// A fiat currency or USDT.
    const CURRENCY: Form = Form::Constrained("pattern", "^(?:[A-Z]{3}|USDT)$");

    fn write(self, w: &mut Writer<'_>, nullable: bool) {
        match self {
            Form::Text => kind(w, "string", nullable),
            Form::Constrained(keyword, value) => {
                kind(w, "string", nullable);
                text(w, keyword, value);
            }
            Form::Addresses => {
                kind(w, "array", nullable);
                w.name("items").object(|w| Form::ADDRESS.write(w, false));
            }
            Form::Component(name) => refer(w, name, nullable),
        }
    }
}

notes! { NOTES: [PaymentField, Form];
    Uid UUID [] "Identifier of the payment.";
    Url ADDRESS ["D1"]
        "Address to complete or view the payment. Null in host-to-host mode, and if the payment has no address.";
    MerchantId Text ["D27" "D28"]
        "The merchant that the payment belongs to. Absent only if neither the request nor the service has one.";
    State Component("State") [] "The state of the payment.";
    PaymentType Component("PaymentType") [] "The direction of the payment.";
    Subtype Text ["D17"] "The payment method, such as `bank_card` or `sbp`. Absent if the request had none.";
    RequestedAmount AMOUNT [] "The requested amount, as written by the client.";
    RequestedCurrency FIAT [] "The client's currency; a fiat currency in mode `CRYPTO` too.";
    ClientAmount AMOUNT [] "The amount that the client entered or was shown, in the client's currency.";
    Amount AMOUNT ["D20" "D21"]
        "The amount that is processed. In mode `CRYPTO` it is the requested amount, converted to USDT.";
    Currency CURRENCY [] "Currency of the processed amounts. `USDT` in mode `CRYPTO`.";
    Total AMOUNT ["D21"] "`gross_amount`, `fee` and `commission` together.";
    NetProcessed AMOUNT ["D21"] "`gross_amount` less `fee` and `commission`.";
    Fee AMOUNT ["D24"] "The service's fee.";
    Commission AMOUNT ["D24"] "The payment processor's commission.";
    GrossAmount AMOUNT ["D21"] "The amount before deductions.";
    SharedCommission AMOUNT ["D21" "D24"] "The part of `commission` that partners share.";
    PaidAmount AMOUNT ["D26"] "The amount paid out to the recipient. Zero on a new payment.";
    FailBy Text ["D3"]
        "The party responsible for a failure; null if the payment has not failed. The values are not specified.";
    FailCode Text ["D13"]
        "The reason for a failure; absent if the payment has not failed. The values are not specified.";
    Receipts Addresses ["D1"] "Addresses of receipts. Empty on a new payment.";
    CreatedDate TIMESTAMP [] "When the payment was created.";
    PaidAt TIMESTAMP [] "When the payment was completed; null until then.";
    RedirectUrl ADDRESS ["D1" "D27"]
        "Address that the client is redirected to after payment. Absent if the request had none.";
    Form Text ["D1"]
        "The form type used for the payment, such as `acquiring.card`. Absent if the service has not set it.";
    Info Component("PaymentInfo") ["D2"] "Additional information in host-to-host mode, else null.";
}

/// Writes the members `required` and `properties` of the schema.
pub(super) fn members(w: &mut Writer<'_>) {
    let always = |note: &&Note<_, _>| ALWAYS.contains(&note.field);
    w.name("required").strings(NOTES.iter().filter(always).map(|note| note.field.name()));
    w.name("properties").object(|w| {
        for note in &NOTES {
            w.name(note.field.name()).object(|w| {
                note.form.write(w, note.field.is_nullable());
                about(w, note.text, note.decisions);
            });
        }
    });
}

/// Writes the schema of the states.
pub(super) fn state(w: &mut Writer<'_>) {
    let meanings: InlineVec<_, 8> = State::ALL.iter().map(|state| (state.name(), state.meaning())).collect();
    let intro = "The state of a payment. The allowed transitions are not specified.";
    enum_schema(w, "State", intro, &["D7", "D19"], &meanings);
}
