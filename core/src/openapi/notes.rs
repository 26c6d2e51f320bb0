//! The description and the format of each field of the request (§2.2).

use super::note::{Note, notes};
use crate::schema::request::RequestField;

/// The format of a field's value.
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

notes! { NOTES: [RequestField, Form];
    PaymentType Variant [] "Selects the variant of the body.";
    Mode Mode ["D5"] "The processing mode.";
    Cur Currency ["D6"] "Currency of `amount`; a fiat currency in mode `CRYPTO` too.";
    Amount Amount ["D6" "D14"]
        "The amount in `cur`: a decimal number greater than zero, without sign, exponent, whitespace, or leading \
         zeros. At most 18 digits on either side of the point. Fraction digits beyond the minor unit of the currency \
         must be zero: `100.00` JPY is valid, `100.50` JPY is not.";
    Subtype Subtype ["D17"] "The payment method. Only a pay-in of mode `CRYPTO` may omit it.";
    MerchantId Text ["D6" "D14" "D28" "D30" "D31"] "Identifier of the merchant. A merchant that the credential does not allow is rejected.";
    UserId Text ["D6" "D14"] "Identifier of the paying user.";
    UserName Text ["D6" "D14"] "Name of the user.";
    Callback Address ["D6" "D11"]
        "Address for notifications about the payment: an absolute URI without user name or password, and for http and \
         https with a host. What is sent to it, and when, is not specified.";
    RedirectUrl Address ["D6"]
        "Address that the client is redirected to after payment: an absolute URI without user name or password, and \
         for http and https with a host.";
    BankName Text ["D6" "D14"] "Name of the bank.";
    HostToHost Switch []
        "`true` switches on host-to-host mode: card data and the result go from server to server, and the payment \
         comes with `url` null and with `info`.";
    Description LongText ["D6" "D14"] "Free text about the payment; it may have several lines.";
    TimeToComplete Duration ["D15"]
        "Time to complete the payment. Its unit is not specified; the service documents it.";
    PayOutDetails Object("PayOutDetails") ["D5"]
        "The recipient: `card_number` for subtype `bank_card`, `phone_number` for `sbp`.";
    PayInDetails Object("PayInDetails") ["D5"] "The payer's data for host-to-host mode.";
    System Anything ["D4"] "A member of the legacy API. It is ignored; omit it.";
    RecipientBankName Text ["D6" "D14"] "Name of the recipient's bank.";
    RecipientFullName Text ["D6" "D14"] "The recipient's full name.";
    RecipientCardNumber CardNumber ["D6"]
        "The recipient's card number: 12 to 19 digits, the last of which is the check digit (Luhn).";
    RecipientPhoneNumber PhoneNumber ["D6"]
        "The recipient's phone number: 7 to 15 digits as in E.164, with or without `+`.";
    Card Object("Card") ["D5"] "The payer's card.";
    PayerBankName Text ["D6" "D14"] "Name of the payer's bank.";
    CardHolder Text ["D6" "D14"] "The name on the card.";
    CardNumber CardNumber ["D6"]
        "The card number: 12 to 19 digits, the last of which is the check digit (Luhn). It is never sent back in \
         full.";
    ExpiryYear Year ["D6" "D23"]
        "The year in which the card expires. Write all four digits; a number of two is read as 20YY.";
    ExpiryMonth Month ["D6" "D23"]
        "The month in which the card expires. The card is valid until that month has ended everywhere on Earth.";
    SecurityCode SecurityCode ["D6"]
        "The security code: 4 digits for American Express, 3 for other schemes. It is never sent back.";
}
