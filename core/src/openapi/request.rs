//! The schemas of the creation request (§2.2): its two variants and what they hold.

use alloc::string::String;
use alloc::vec::Vec;

use super::{about, is_error, is_refused, kind, number, refer, text, words};
use crate::engine::Engine;
use crate::judge::Place;
use crate::kinds::{Mode, PaymentType, Subtype};
use crate::money::Currency;
use crate::read::{Scope, bit};
use crate::request::{BODY, Member, SLOTS, required, variant_of};
use crate::rules::{Code, Severity};
use crate::write::{Writer, write_integer};

/// What a member's value looks like.
#[derive(Clone, Copy)]
enum Form {
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
        "Address for notifications about the payment: an absolute URI with a host and without user name or password. \
         What is sent to it, and when, is not specified.",
    ),
    note(
        Member::RedirectUrl,
        Form::Address,
        &["D6"],
        "Address that the client is redirected to after payment: an absolute URI with a host and without user name or \
         password.",
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

/// The name of a variant's schema, the specification's own.
fn schema_of(variant: PaymentType) -> &'static str {
    match variant {
        PaymentType::PayIn => "PaymentCreatePayInSchema",
        PaymentType::PayOut => "PaymentCreatePayOutSchema",
    }
}

/// The schemas of the variants and of what they hold.
pub(super) fn write(engine: &Engine, w: &mut Writer<'_>) {
    for variant in PaymentType::ALL {
        write_variant(engine, w, *variant);
    }
    for note in &NOTES {
        if let (Form::Object(name), Some(scope), Some(variant)) =
            (note.form, note.member.field().scope, variant_of(note.member.slot()))
        {
            w.name(name).object(|w| {
                let needed = Needed::of(engine, variant);
                text(w, "type", "object");
                text(w, "description", note.text);
                needed.write(w, scope, None);
                properties(engine, w, scope, variant, needed);
            });
        }
    }
    let kinds = [(PaymentType::PayIn.name(), "a deposit."), (PaymentType::PayOut.name(), "a transfer out.")];
    words(w, "PaymentType", "Which way the money goes.", &[], &kinds);
    let modes = [
        (Mode::P2p.name(), "from person to person."),
        (Mode::Acquiring.name(), "card acquiring."),
        (Mode::Crypto.name(), "an amount in a fiat currency, converted to USDT."),
    ];
    words(w, "Mode", "The processing mode.", &[], &modes);
    let methods = [
        (Subtype::BankCard.name(), "a bank card."),
        (Subtype::Sbp.name(), "the faster payments system, by phone number."),
    ];
    words(w, "Subtype", "The payment method.", &[], &methods);
    w.name("Currency").object(|w| {
        text(w, "type", "string");
        w.name("enum").strings(Currency::all().filter(|currency| accepts(engine, *currency)).map(Currency::code));
        about(w, "An ISO 4217 code of a currency that the service accepts, in upper case.", &["D6"]);
    });
}

fn write_variant(engine: &Engine, w: &mut Writer<'_>, variant: PaymentType) {
    let needed = Needed::of(engine, variant);
    w.name(schema_of(variant)).object(|w| {
        let (title, purpose) = match variant {
            PaymentType::PayIn => ("Pay-in", "The body of a deposit."),
            PaymentType::PayOut => ("Pay-out", "The body of a transfer out."),
        };
        text(w, "title", title);
        let others = if is_error(engine, Code::UnknownMember) { "refused." } else { "passed over." };
        let nulls =
            " A null in a member that is not required counts as absent. Members that the interface does not have are ";
        about(w, &[purpose, nulls, others].concat(), &["D5", "D6", "D16"]);
        text(w, "type", "object");
        needed.write(w, &BODY, Some(variant));
        properties(engine, w, &BODY, variant, needed);
        if variant == PaymentType::PayIn && needed.subtype_by_mode {
            unless_crypto(w);
        }
    });
}

/// D17: subtype is required in every mode but CRYPTO.
fn unless_crypto(w: &mut Writer<'_>) {
    let (mode, subtype) = (Member::Mode.field().name, Member::Subtype.field().name);
    w.name("if").object(|w| {
        w.name("properties").object(|w| w.name(mode).object(|w| text(w, "const", Mode::Crypto.name())));
        w.name("required").strings([mode]);
    });
    w.name("else").object(|w| {
        w.name("properties").object(|w| w.name(subtype).object(|w| kind(w, "string", false)));
        w.name("required").strings([subtype]);
    });
}

/// The members that a body of one variant must have, one bit for each slot.
#[derive(Clone, Copy)]
struct Needed {
    bits: u64,
    /// Whether subtype is needed too, in every mode but CRYPTO.
    subtype_by_mode: bool,
}

impl Needed {
    fn of(engine: &Engine, variant: PaymentType) -> Needed {
        if !is_error(engine, Code::Missing) {
            // No payment can be made without these, whatever the policy lets pass.
            let bits = [Member::PaymentType, Member::Cur, Member::Amount];
            return Needed {
                bits: bits.iter().fold(0, |all, member| all | bit(member.slot())),
                subtype_by_mode: false,
            };
        }
        let bits = required(engine, Some(variant), Some(Mode::Crypto));
        let in_other_modes = required(engine, Some(variant), None);
        Needed { bits, subtype_by_mode: in_other_modes != bits }
    }

    /// Whether a member must be there: for itself, or for a member inside it.
    fn has(self, member: Member) -> bool {
        let inside = member.field().scope;
        self.bits & bit(member.slot()) != 0
            || NOTES.iter().any(|note| {
                let pointer = note.member.field().pointer;
                let within =
                    |scope: &Scope| pointer.strip_prefix(scope.pointer).is_some_and(|rest| rest.starts_with('/'));
                inside.is_some_and(within) && self.bits & bit(note.member.slot()) != 0
            })
    }

    /// The member `required`, where there is anything to say.
    fn write(self, w: &mut Writer<'_>, scope: &Scope, variant: Option<PaymentType>) {
        let names: Vec<&str> = notes_of(scope, variant)
            .filter(|note| self.has(note.member))
            .map(|note| note.member.field().name)
            .collect();
        if !names.is_empty() {
            w.name("required").strings(names);
        }
    }
}

/// The notes on the members of one object, less those that only the other variant has.
fn notes_of(scope: &Scope, variant: Option<PaymentType>) -> impl Iterator<Item = &'static Note> {
    let slots = scope.first..scope.first.saturating_add(scope.fields.len());
    NOTES.iter().filter(move |note| {
        let slot = note.member.slot();
        slots.contains(&slot) && (variant.is_none() || variant_of(slot).is_none_or(|only| variant == Some(only)))
    })
}

fn properties(engine: &Engine, w: &mut Writer<'_>, scope: &Scope, variant: PaymentType, needed: Needed) {
    w.name("properties").object(|w| {
        for note in notes_of(scope, Some(variant)) {
            w.name(note.member.field().name).object(|w| {
                value(engine, w, note.form, variant, !needed.has(note.member));
                describe(engine, w, note);
            });
        }
    });
}

/// What the value of a member must be. Everything here is refused by the engine too.
fn value(engine: &Engine, w: &mut Writer<'_>, form: Form, variant: PaymentType, nullable: bool) {
    let error = |code| is_error(engine, code);
    let limits = &engine.policy().limits;
    match form {
        Form::Variant => {
            kind(w, "string", false);
            text(w, "const", variant.name());
        }
        Form::Currency => refer(w, "Currency", false),
        // No payment can be made in a mode that cannot be read, whatever the policy lets pass.
        Form::Mode => refer(w, "Mode", nullable),
        Form::Subtype if error(Code::UnsupportedValue) => refer(w, "Subtype", nullable),
        Form::Subtype => kind(w, "string", nullable),
        Form::Object(component) => refer(w, component, nullable),
        Form::Amount => {
            kind(w, "string", false);
            // No payment can be made of another text, whatever the policy lets pass.
            let digits = error(Code::AmountOutOfBounds);
            text(w, "pattern", if digits { AMOUNT_OF_18_DIGITS } else { super::payment::AMOUNT });
            if error(Code::AmountNotPositive) {
                w.name("not").object(|w| text(w, "pattern", "^0(?:\\.0{1,18})?$"));
            }
        }
        Form::Text => free_text(engine, w, nullable, limits.text_chars, ONE_LINE),
        Form::LongText => free_text(engine, w, nullable, limits.description_chars, SEVERAL_LINES),
        Form::Address => address(engine, w, nullable),
        Form::Switch => {
            kind(w, "boolean", nullable);
            w.name("default").bool(false);
        }
        Form::Duration => {
            kind(w, "integer", nullable);
            if error(Code::IntegerRange) {
                let span = limits.time_to_complete_payment;
                range(w, span.min, span.max);
            }
        }
        Form::CardNumber => pattern(w, nullable, error(Code::CardNumberSyntax), "^[0-9]{12,19}$"),
        Form::PhoneNumber => pattern(w, nullable, error(Code::PhoneNumberSyntax), "^\\+?[0-9]{7,15}$"),
        Form::SecurityCode => pattern(w, nullable, error(Code::SecurityCodeSyntax), "^[0-9]{3,4}$"),
        Form::Year => {
            kind(w, "integer", nullable);
            if error(Code::ExpiryYearRange) {
                w.name("anyOf").array(|w| {
                    w.object(|w| range(w, 2000, 2099));
                    w.object(|w| range(w, 0, 99));
                });
            }
        }
        Form::Month => {
            kind(w, "integer", nullable);
            if error(Code::ExpiryMonthRange) {
                range(w, 1, 12);
            }
        }
        Form::Anything => w.name("deprecated").bool(true),
    }
}

/// Up to 18 digits on either side of the point.
const AMOUNT_OF_18_DIGITS: &str = "^(?:0|[1-9][0-9]{0,17})(?:\\.[0-9]{1,18})?$";
/// No control characters, line or paragraph separators, or bidi controls.
const ONE_LINE: &str = "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]*$";
/// The same, TAB, LF and CR allowed.
const SEVERAL_LINES: &str =
    "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]*$";

fn pattern(w: &mut Writer<'_>, nullable: bool, checked: bool, pattern: &str) {
    kind(w, "string", nullable);
    if checked {
        text(w, "pattern", pattern);
    }
}

fn range(w: &mut Writer<'_>, min: u64, max: u64) {
    number(w, "minimum", min);
    number(w, "maximum", max);
}

fn free_text(engine: &Engine, w: &mut Writer<'_>, nullable: bool, limit: u64, characters: &str) {
    kind(w, "string", nullable);
    if is_error(engine, Code::TextEmpty) {
        number(w, "minLength", 1);
    }
    if is_error(engine, Code::TextTooLong) {
        number(w, "maxLength", limit);
    }
    if is_refused(engine, Code::TextControlCharacter, &[Code::TextTooLong]) {
        text(w, "pattern", characters);
    }
}

fn address(engine: &Engine, w: &mut Writer<'_>, nullable: bool) {
    kind(w, "string", nullable);
    // The limit counts bytes, which are never fewer than the characters.
    if is_error(engine, Code::TextTooLong) {
        number(w, "maxLength", engine.policy().limits.uri_bytes);
    }
    let syntax = is_refused(engine, Code::UriSyntax, &[Code::TextTooLong, Code::UriScheme]);
    let before = [Code::TextTooLong, Code::UriSyntax];
    let scheme = syntax && is_refused(engine, Code::UriScheme, &before);
    let credentials = syntax && is_refused(engine, Code::UriCredentials, &before);
    if syntax {
        text(w, "format", "uri");
        text(w, "pattern", &address_pattern(engine, scheme, credentials));
    }
}

/// A scheme, `//`, a host and, if `credentials` are refused, no `@` before the path.
fn address_pattern(engine: &Engine, schemes: bool, credentials: bool) -> String {
    let schemes = engine.policy().urls.schemes.iter().filter(|_| schemes);
    let mut pattern = String::from("^");
    let mut before = "(?:";
    for scheme in schemes {
        pattern.push_str(before);
        before = "|";
        for character in scheme.chars() {
            if character.is_ascii_alphabetic() {
                pattern.extend(['[', character.to_ascii_uppercase(), character.to_ascii_lowercase(), ']']);
            } else {
                if matches!(character, '+' | '.') {
                    pattern.push('\\');
                }
                pattern.push(character);
            }
        }
    }
    pattern.push_str(if before == "|" { ")" } else { "[A-Za-z][A-Za-z0-9+.-]*" });
    pattern.push_str(if credentials { "://[^/?#@:][^/?#@]*(?:[/?#]|$)" } else { "://[^/?#]" });
    pattern
}

/// Whether a request in the currency can be valid: the rules of `cur`, in their order.
fn accepts(engine: &Engine, currency: Currency) -> bool {
    let listed = engine.policy().currencies.as_ref().is_none_or(|allowed| allowed.contains(&currency));
    match engine.severity(Code::CurrencyNotAllowed) {
        Severity::Error if !listed => false,
        Severity::Warning if !listed => true,
        _ => currency.is_fiat() || !is_error(engine, Code::CurrencyNotFiat),
    }
}

/// The note on a member, with what the policy adds to it.
fn describe(engine: &Engine, w: &mut Writer<'_>, note: &Note) {
    let bounds = &engine.policy().limits.amount;
    if !matches!(note.form, Form::Amount) || bounds.is_empty() {
        return about(w, note.text, note.decisions);
    }
    let mut text = Vec::from(note.text);
    text.extend_from_slice(b" Bounds, both included:");
    let mut before = b" ".as_slice();
    for (currency, bounds) in bounds {
        text.extend_from_slice(before);
        text.extend_from_slice(currency.code().as_bytes());
        for (word, bound) in [(" from ", bounds.min), (" to ", bounds.max)] {
            if let Some(bound) = bound {
                text.extend_from_slice(word.as_bytes());
                bound.write_text(&mut text);
            }
        }
        before = b", ";
    }
    text.push(b'.');
    about(w, &String::from_utf8(text).unwrap_or_default(), note.decisions);
}

/// What the description of the body says of its size.
pub(super) fn size(engine: &Engine) -> String {
    let limits = &engine.policy().limits;
    let mut text = Vec::from("The payment to create. A body has at most ");
    write_integer(limits.body_bytes.into(), &mut text);
    text.extend_from_slice(b" bytes, and its objects and arrays nest at most ");
    write_integer(limits.depth.into(), &mut text);
    text.extend_from_slice(b" levels deep (D14). A member named twice is an error (D6).");
    String::from_utf8(text).unwrap_or_default()
}
