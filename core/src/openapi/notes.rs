//! What a reader should know of each member of the request (§2.2), and what its value looks like.

use crate::request::{Member, SLOTS};

/// What a member's value looks like.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// The constant of the variant.
    Variant,
    Mode,
    Subtype,
    Currency,
    Amount,
    /// Free text, in one line.
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
    /// An object with a component of its own.
    Object(&'static str),
    Anything,
}

/// What a reader should know of a member.
pub(super) struct Note {
    pub(super) member: Member,
    pub(super) form: Form,
    pub(super) text: &'static str,
    pub(super) decisions: &'static [&'static str],
}

const fn note(member: Member, form: Form, decisions: &'static [&'static str], text: &'static str) -> Note {
    Note { member, form, text, decisions }
}

/// One for each member, in the order of the table.
pub(super) static NOTES: [Note; SLOTS] = [
    note(Member::PaymentType, Form::Variant, &[], "Selects the variant of the body."),
    note(Member::Mode, Form::Mode, &["D5"], "The processing mode."),
    note(Member::Cur, Form::Currency, &["D6"], "Currency of `amount`; a fiat currency in mode `CRYPTO` too."),
    note(
        Member::Amount,
        Form::Amount,
        &["D6", "D14"],
        "The amount in `cur`: a decimal number above zero, without sign, exponent, blanks or needless zeros in front. At \
         most 18 digits on either side of the point, and no finer than the smallest coin of the currency: `100.00` JPY \
         is fine, `100.50` JPY is not.",
    ),
    note(
        Member::Subtype,
        Form::Subtype,
        &["D17"],
        "The payment method. Only a pay-in of mode `CRYPTO` may leave it out.",
    ),
    note(Member::MerchantId, Form::Text, &["D6", "D14"], "Identifier of the merchant."),
    note(Member::UserId, Form::Text, &["D6", "D14"], "Identifier of the paying user."),
    note(Member::UserName, Form::Text, &["D6", "D14"], "Name of the user."),
    note(
        Member::Callback,
        Form::Address,
        &["D6", "D11"],
        "Address for notifications about the payment: an absolute URI without user name or password, and for http and \
         https with a host. What is sent to it, and when, is not specified.",
    ),
    note(
        Member::RedirectUrl,
        Form::Address,
        &["D6"],
        "Address that the client is redirected to after payment: an absolute URI without user name or password, and \
         for http and https with a host.",
    ),
    note(Member::BankName, Form::Text, &["D6", "D14"], "Name of the bank."),
    note(
        Member::HostToHost,
        Form::Switch,
        &[],
        "`true` switches on host-to-host mode: card data and the result go from server to server, and the payment comes \
         with `url` null and with `info`.",
    ),
    note(
        Member::Description,
        Form::LongText,
        &["D6", "D14"],
        "Free text about the payment; it may have several lines.",
    ),
    note(
        Member::TimeToComplete,
        Form::Duration,
        &["D15"],
        "Time to complete the payment. Its unit is not specified; the service says which one it uses.",
    ),
    note(
        Member::PayOutDetails,
        Form::Object("PayOutDetails"),
        &["D5"],
        "To whom the money goes: `card_number` for subtype `bank_card`, `phone_number` for `sbp`.",
    ),
    note(Member::PayInDetails, Form::Object("PayInDetails"), &["D5"], "The payer's data for host-to-host mode."),
    note(Member::System, Form::Anything, &["D4"], "A member of an earlier interface. It is passed over; leave it out."),
    note(Member::RecipientBankName, Form::Text, &["D6", "D14"], "Name of the recipient's bank."),
    note(Member::RecipientFullName, Form::Text, &["D6", "D14"], "The recipient's full name."),
    note(
        Member::RecipientCardNumber,
        Form::CardNumber,
        &["D6"],
        "The recipient's card number: 12 to 19 digits, the last of which is the check digit (Luhn).",
    ),
    note(
        Member::RecipientPhoneNumber,
        Form::PhoneNumber,
        &["D6"],
        "The recipient's phone number: 7 to 15 digits as in E.164, with or without `+`.",
    ),
    note(Member::Card, Form::Object("Card"), &["D5"], "The payer's card."),
    note(Member::PayerBankName, Form::Text, &["D6", "D14"], "Name of the payer's bank."),
    note(Member::CardHolder, Form::Text, &["D6", "D14"], "The name on the card."),
    note(
        Member::CardNumber,
        Form::CardNumber,
        &["D6"],
        "The card number: 12 to 19 digits, the last of which is the check digit (Luhn). It is never sent back in full.",
    ),
    note(
        Member::ExpiryYear,
        Form::Year,
        &["D6", "D23"],
        "The year in which the card expires. Write all four digits; a number of two is read as 20YY.",
    ),
    note(
        Member::ExpiryMonth,
        Form::Month,
        &["D6", "D23"],
        "The month in which the card expires. The card is good until that month has ended everywhere on Earth.",
    ),
    note(
        Member::SecurityCode,
        Form::SecurityCode,
        &["D6"],
        "The security code: 4 digits for American Express, 3 for other schemes. It is never sent back.",
    ),
];

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const _: () = {
    let mut slot = 0;
    while slot < NOTES.len() {
        assert!(NOTES[slot].member.slot() == slot, "a note stands out of order");
        slot += 1;
    }
};
