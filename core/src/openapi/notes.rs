//! The description and the format of each member of the request (§2.2).

use crate::schema::request::RequestField;

/// The format of a member's value.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// The name of the variant, as a constant.
    Variant,
    Mode,
    Subtype,
    Currency,
    Amount,
    /// Free text on one line.
    Text,
    /// Free text that may have several lines.
    LongText,
    Address,
    Switch,
    Duration,
    CardNumber,
    PhoneNumber,
    Year,
    Month,
    SecurityCode,
    /// An object with a separate component.
    Object(&'static str),
    Anything,
}

/// The documentation of a member.
pub(super) struct Note {
    pub(super) member: RequestField,
    pub(super) form: Form,
    pub(super) text: &'static str,
    pub(super) decisions: &'static [&'static str],
}

const fn note(member: RequestField, form: Form, decisions: &'static [&'static str], text: &'static str) -> Note {
    Note { member, form, text, decisions }
}

/// One note for each member, in the order of the table.
pub(super) static NOTES: [Note; RequestField::COUNT] = [
    note(RequestField::PaymentType, Form::Variant, &[], "Selects the variant of the body."),
    note(RequestField::Mode, Form::Mode, &["D5"], "The processing mode."),
    note(RequestField::Cur, Form::Currency, &["D6"], "Currency of `amount`; a fiat currency in mode `CRYPTO` too."),
    note(
        RequestField::Amount,
        Form::Amount,
        &["D6", "D14"],
        "The amount in `cur`: a decimal number greater than zero, without sign, exponent, whitespace, or leading zeros. \
         At most 18 digits on either side of the point. Fraction digits beyond the minor unit of the currency must be \
         zero: `100.00` JPY is valid, `100.50` JPY is not.",
    ),
    note(
        RequestField::Subtype,
        Form::Subtype,
        &["D17"],
        "The payment method. Only a pay-in of mode `CRYPTO` may omit it.",
    ),
    note(RequestField::MerchantId, Form::Text, &["D6", "D14"], "Identifier of the merchant."),
    note(RequestField::UserId, Form::Text, &["D6", "D14"], "Identifier of the paying user."),
    note(RequestField::UserName, Form::Text, &["D6", "D14"], "Name of the user."),
    note(
        RequestField::Callback,
        Form::Address,
        &["D6", "D11"],
        "Address for notifications about the payment: an absolute URI without user name or password, and for http and \
         https with a host. What is sent to it, and when, is not specified.",
    ),
    note(
        RequestField::RedirectUrl,
        Form::Address,
        &["D6"],
        "Address that the client is redirected to after payment: an absolute URI without user name or password, and \
         for http and https with a host.",
    ),
    note(RequestField::BankName, Form::Text, &["D6", "D14"], "Name of the bank."),
    note(
        RequestField::HostToHost,
        Form::Switch,
        &[],
        "`true` switches on host-to-host mode: card data and the result go from server to server, and the payment comes \
         with `url` null and with `info`.",
    ),
    note(
        RequestField::Description,
        Form::LongText,
        &["D6", "D14"],
        "Free text about the payment; it may have several lines.",
    ),
    note(
        RequestField::TimeToComplete,
        Form::Duration,
        &["D15"],
        "Time to complete the payment. Its unit is not specified; the service documents it.",
    ),
    note(
        RequestField::PayOutDetails,
        Form::Object("PayOutDetails"),
        &["D5"],
        "The recipient: `card_number` for subtype `bank_card`, `phone_number` for `sbp`.",
    ),
    note(RequestField::PayInDetails, Form::Object("PayInDetails"), &["D5"], "The payer's data for host-to-host mode."),
    note(RequestField::System, Form::Anything, &["D4"], "A member of the legacy API. It is ignored; omit it."),
    note(RequestField::RecipientBankName, Form::Text, &["D6", "D14"], "Name of the recipient's bank."),
    note(RequestField::RecipientFullName, Form::Text, &["D6", "D14"], "The recipient's full name."),
    note(
        RequestField::RecipientCardNumber,
        Form::CardNumber,
        &["D6"],
        "The recipient's card number: 12 to 19 digits, the last of which is the check digit (Luhn).",
    ),
    note(
        RequestField::RecipientPhoneNumber,
        Form::PhoneNumber,
        &["D6"],
        "The recipient's phone number: 7 to 15 digits as in E.164, with or without `+`.",
    ),
    note(RequestField::Card, Form::Object("Card"), &["D5"], "The payer's card."),
    note(RequestField::PayerBankName, Form::Text, &["D6", "D14"], "Name of the payer's bank."),
    note(RequestField::CardHolder, Form::Text, &["D6", "D14"], "The name on the card."),
    note(
        RequestField::CardNumber,
        Form::CardNumber,
        &["D6"],
        "The card number: 12 to 19 digits, the last of which is the check digit (Luhn). It is never sent back in full.",
    ),
    note(
        RequestField::ExpiryYear,
        Form::Year,
        &["D6", "D23"],
        "The year in which the card expires. Write all four digits; a number of two is read as 20YY.",
    ),
    note(
        RequestField::ExpiryMonth,
        Form::Month,
        &["D6", "D23"],
        "The month in which the card expires. The card is valid until that month has ended everywhere on Earth.",
    ),
    note(
        RequestField::SecurityCode,
        Form::SecurityCode,
        &["D6"],
        "The security code: 4 digits for American Express, 3 for other schemes. It is never sent back.",
    ),
];

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const _: () = {
    let mut slot = 0;
    while slot < NOTES.len() {
        assert!(NOTES[slot].member.slot() == slot, "a note is out of order");
        slot += 1;
    }
};
