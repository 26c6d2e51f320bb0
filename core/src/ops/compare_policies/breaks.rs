//! For each rule, changes of a valid body that break this rule.
//!
//! The list for a rule is complete in this sense: if a policy without the rule accepts a body that
//! breaks it, the policy also accepts one of these changes of a small body. Each list states the
//! reason, if it is not that the changed member has no rule after the broken one.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::amounts::AmountRange;
use super::change::{Change, long_string};
use super::draft::{EMPTY_OBJECT, Json, quoted, slots};
use super::uris;
use crate::json::bit;
use crate::money::Currency;
use crate::policy::{MAX_SAFE_INTEGER, Ruleset};
use crate::report::code::Code;
use crate::schema::request::RequestField;

/// A time after the expiry of a card in `card_expired`.
const NOW: &str = "2026-01-01T00:00:00Z";

/// A text that no member with listed values or a syntax accepts.
const WRONG: &str = "\"x\"";

/// The fields with a text of one line at the top of a body.
const LINES: [RequestField; 4] = [
    RequestField::UserId,
    RequestField::MerchantId,
    RequestField::BankName,
    RequestField::UserName,
];
/// The fields with a text.
const TEXTS: [RequestField; 5] = [
    RequestField::UserId,
    RequestField::MerchantId,
    RequestField::BankName,
    RequestField::UserName,
    RequestField::Description,
];
/// The fields with a URI.
pub(super) const URIS: [RequestField; 2] = [RequestField::RedirectUrl, RequestField::Callback];

/// Card numbers in a text: an ordinary one, and the shortest of a scheme. They are test numbers of
/// Visa, Diners Club, and Maestro.
const CARD_NUMBERS: [&str; 4] = [
    "4111 1111 1111 1111",
    "4111111111111111",
    "30569309025904",
    "500000000009",
];

/// Returns changes that break a rule of `rejecting`, and that `accepting` may accept. The list is
/// empty for a rule that does not decide whether a request is valid.
pub(super) fn changes(code: Code, accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Change> {
    use RequestField as Field;
    let set = |field, value: &'static str| vec![Change::set(field, value)];
    match code {
        Code::DuplicateMember => [quoted("EUR"), Json::Borrowed("0")]
            .map(|second| Change::repeat(Field::Cur, second))
            .into(),
        Code::Missing => {
            let mut changes = vec![Change::remove(Field::Amount)];
            changes.extend(missing(u64::MAX));
            changes
        }
        // Without a listed payment_type, no rule depends on the variant.
        Code::UnsupportedValue => [Field::Mode, Field::Subtype, Field::PaymentType]
            .map(|field| Change::set(field, WRONG))
            .into(),
        Code::UnknownMember => vec![Change::add_unknown("x", "0")],
        Code::LegacyMember => set(Field::System, WRONG),
        // At depth 1, only user_name is possible.
        Code::VariantMismatch => vec![
            Change::set(Field::UserName, quoted("a")),
            Change::set(Field::PayOutDetails, EMPTY_OBJECT),
            Change::set(Field::PayInDetails, EMPTY_OBJECT),
        ],
        Code::AmountSyntax => set(Field::Amount, WRONG),
        // A currency may have no bounds, or bounds that contain zero.
        Code::AmountNotPositive => amounts("\"0\"", |_| vec![quoted("0")]),
        Code::AmountScale => amounts("\"1.001\"", |currency| {
            AmountRange::new(&[accepting], currency).finer_samples(currency)
        }),
        // The number of digits is checked without the policy's bounds.
        Code::AmountOutOfBounds => set(Field::Amount, "\"1000000000000000000\""),
        Code::CurrencyUnknown => unknown_currencies().into(),
        Code::CurrencyNotAllowed | Code::CurrencyNotFiat => other_currencies(accepting, rejecting),
        Code::UriSyntax => each(&URIS, &[Json::Borrowed(WRONG)]),
        Code::UriScheme => each(&URIS, &uris::of_other_schemes(accepting, rejecting)),
        Code::UriCredentials => each(&URIS, &uris::with_credentials(accepting)),
        // redirect_url may have a private host.
        Code::UriPrivateHost => each(&[Field::Callback], &uris::with_private_host(accepting)),
        Code::TextEmpty => each(&TEXTS, &[quoted("")]),
        Code::TextTooLong => long_texts(accepting, rejecting),
        Code::TextControlCharacter => each(&TEXTS, &[quoted("\\r"), quoted("\\u0001")]),
        Code::CardNumberSyntax => card_numbers("\"1\""),
        Code::CardNumberChecksum => card_numbers("\"4111111111111112\""),
        // A number of UnionPay.
        Code::CardNumberNoCheckDigit => card_numbers("\"6200000000000000\""),
        Code::CardExpired => vec![
            Change::set(Field::ExpiryYear, "2020")
                .and(Field::ExpiryMonth, "1")
                .at(NOW),
        ],
        Code::ExpiryMonthRange => set(Field::ExpiryMonth, "13"),
        Code::ExpiryYearRange => set(Field::ExpiryYear, "1999"),
        Code::ExpiryYearTwoDigits => set(Field::ExpiryYear, "99"),
        Code::SecurityCodeSyntax => set(Field::SecurityCode, "\"1\""),
        Code::PhoneNumberSyntax => set(Field::RecipientPhoneNumber, "\"1\""),
        Code::IntegerRange => outer_durations(rejecting),
        Code::HostToHostWithoutCard => {
            vec![
                Change::remove(Field::CardNumber),
                Change::remove(Field::Card),
            ]
        }
        Code::CardWithoutHostToHost => vec![
            Change::set(Field::Card, EMPTY_OBJECT),
            Change::remove(Field::HostToHost),
        ],
        Code::RecipientIncomplete => vec![
            Change::remove(Field::RecipientPhoneNumber),
            Change::remove(Field::RecipientCardNumber),
            Change::remove(Field::PayOutDetails),
        ],
        Code::CardNumberInText => each(&TEXTS, &CARD_NUMBERS.map(quoted)),
        // Not adjustable.
        Code::JsonSyntax | Code::BodyTooLarge | Code::TooDeep | Code::Type => Vec::new(),
        // Rules of create_payment with a list of merchants, and of payments.
        Code::MerchantNotAllowed
        | Code::FieldCurrency
        | Code::StateInconsistent
        | Code::FailureUnexplained
        | Code::UnmaskedCardNumber
        | Code::InfoType
        | Code::CurrencyWithdrawn
        | Code::AmountIdentity
        | Code::AnswerMismatch => Vec::new(),
    }
}

/// Returns the removals of the fields in these slots. A removal is a change also of a body that does
/// not have the field.
pub(super) fn missing(fields: u64) -> Vec<Change> {
    let removable = slots().filter(|slot| fields & bit(*slot) != 0);
    removable.map(Change::remove_slot).collect()
}

/// Returns the currencies, the usual ones first.
fn currencies() -> impl Iterator<Item = Currency> {
    let usual = ["RUB", "USD", "EUR", "JPY"];
    usual
        .into_iter()
        .filter_map(Currency::from_code)
        .chain(Currency::all())
}

/// Returns changes of the amount alone, then of the amount in each currency, then without a
/// currency.
fn amounts(alone: &'static str, of: impl Fn(Currency) -> Vec<Json>) -> Vec<Change> {
    let mut changes = vec![Change::set(RequestField::Amount, alone)];
    for currency in currencies() {
        for amount in of(currency) {
            changes.push(
                Change::set(RequestField::Amount, amount)
                    .and(RequestField::Cur, quoted(currency.code())),
            );
        }
    }
    for cur in ["\"usd\"", "null"] {
        let amount = Change::set(RequestField::Amount, alone);
        changes.push(amount.and(RequestField::Cur, cur));
    }
    changes
}

/// Returns changes of the currency to one that is not a currency or that `rejecting` does not
/// list, alone and with an amount that `accepting` accepts in it.
pub(super) fn other_currencies(accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Change> {
    let is_listed = |currency: &Currency| {
        let listed = rejecting.currencies.as_deref();
        currency.is_fiat() && listed.is_none_or(|listed| listed.contains(currency))
    };
    let mut changes = Vec::new();
    for currency in currencies().filter(|currency| !is_listed(currency)) {
        let change = || Change::set(RequestField::Cur, quoted(currency.code()));
        changes.push(change());
        for amount in AmountRange::new(&[accepting], currency).samples() {
            changes.push(change().and(RequestField::Amount, amount));
        }
    }
    changes.extend(unknown_currencies());
    changes
}

/// Returns changes of the currency to an unknown one, which has no smallest unit and no bounds.
fn unknown_currencies() -> [Change; 2] {
    let change = || Change::set(RequestField::Cur, quoted("usd"));
    [change(), change().and(RequestField::Amount, quoted("1"))]
}

/// Returns a change for each of these fields and values.
pub(super) fn each(fields: &[RequestField], values: &[Json]) -> Vec<Change> {
    let mut changes = Vec::new();
    for field in fields {
        for value in values {
            changes.push(Change::set(*field, value.clone()));
        }
    }
    changes
}

fn card_numbers(number: &'static str) -> Vec<Change> {
    let fields = [RequestField::CardNumber, RequestField::RecipientCardNumber];
    each(&fields, &[Json::Borrowed(number)])
}

/// Returns durations outside the bounds of a policy. A negative number is outside all bounds.
fn outer_durations(rejecting: &Ruleset) -> Vec<Change> {
    let bounds = rejecting.policy.limits.time_to_complete_payment;
    let below = bounds.min.checked_sub(1);
    let above = bounds.max.checked_add(1);
    let above = above.filter(|number| *number <= MAX_SAFE_INTEGER);
    let mut changes: Vec<_> = below.into_iter().chain(above).map(duration).collect();
    changes.push(Change::set(RequestField::TimeToComplete, "-1"));
    changes
}

pub(super) fn duration(number: u64) -> Change {
    Change::set(RequestField::TimeToComplete, number.to_string())
}

/// Returns texts over each limit of `rejecting`.
fn long_texts(accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Change> {
    let limits = &rejecting.policy.limits;
    let mut changes = long_lines(limits.text_chars);
    changes.extend(long_descriptions(limits.description_chars));
    changes.extend(long_uris(limits.uri_bytes, accepting));
    // A shorter text fits into more bodies.
    changes.sort_by_key(Change::value_length);
    changes
}

/// Returns texts over `limits.text_chars`.
pub(super) fn long_lines(limit: u64) -> Vec<Change> {
    over_limit(&LINES, limit, &[String::new()])
}

/// Returns a text over `limits.description_chars`.
pub(super) fn long_descriptions(limit: u64) -> Vec<Change> {
    over_limit(&[RequestField::Description], limit, &[String::new()])
}

/// Returns URIs over `limits.uri_bytes`.
pub(super) fn long_uris(limit: u64, accepting: &Ruleset) -> Vec<Change> {
    over_limit(&URIS, limit, &uris::beginnings(accepting))
}

/// Returns the shortest texts over a limit that have one of these beginnings. A text with a longer
/// beginning is longer.
fn over_limit(fields: &[RequestField], limit: u64, beginnings: &[String]) -> Vec<Change> {
    let length = limit.saturating_add(1);
    let mut changes = Vec::new();
    for beginning in beginnings {
        let (text, omitted) = long_string(beginning, length);
        let of_fields = each(fields, &[text]);
        changes.extend(of_fields.into_iter().map(|change| change.omitting(omitted)));
    }
    changes
}

/// Returns whether a rule depends on the variant, the mode, or the objects of a body. A change that
/// breaks another rule can be made in any body.
pub(super) fn depends_on_kind(code: Code) -> bool {
    matches!(
        code,
        Code::Missing
            | Code::UnsupportedValue
            | Code::VariantMismatch
            | Code::CardNumberSyntax
            | Code::CardNumberChecksum
            | Code::CardNumberNoCheckDigit
            | Code::CardExpired
            | Code::ExpiryMonthRange
            | Code::ExpiryYearRange
            | Code::ExpiryYearTwoDigits
            | Code::SecurityCodeSyntax
            | Code::PhoneNumberSyntax
            | Code::HostToHostWithoutCard
            | Code::CardWithoutHostToHost
            | Code::RecipientIncomplete
    )
}
