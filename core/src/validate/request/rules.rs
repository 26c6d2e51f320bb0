//! The rules of a request as data, and the loop that runs them. The table in `crate::report::code`
//! defines the codes.

use core::cmp::Ordering;
use core::ops::RangeInclusive;

use super::validator::{RequestKind, RequestValidator, RuleInputs, required};
use crate::card::finder::contains_pan;
use crate::card::scheme::{has_check_digit, is_number};
use crate::json::{FieldId, JsonType, Member, Members, ValueKind, bit, integer_value};
use crate::money::{Currency, compare_amounts};
use crate::report::code::Code;
use crate::report::record::Sink;
use crate::schema::request::{RequestField, variant_of};
use crate::types::month::month_number;
use crate::types::phone::is_phone;
use crate::types::text::{has_control_character, longer_than};
use crate::types::uri::UriPart;
use crate::util::text::Text;
use crate::validate::amount::validate_amount;
use crate::validate::uri::validate_uri;
use crate::validate::validator::{self, Validator};

/// A rule of a field, or several that are checked together. Its checks run if the value has the
/// type of the field.
#[derive(Clone, Copy)]
enum FieldRule {
    /// No further rule.
    Type,
    /// `unsupported_value`.
    Known,
    /// `variant_mismatch`.
    Variant,
    /// The rules of a currency.
    Currency,
    /// The rules of an amount.
    Amount,
    /// The rules of a free text, with `merchant_not_allowed` for `merchant_id`.
    Text,
    /// `variant_mismatch`, and the rules of a free text.
    VariantText,
    /// The rules of a free text for a description, which is longer and may have line breaks.
    Description,
    /// The rules of a URI.
    Uri,
    /// The same and `uri_private_host`.
    PublicUri,
    /// `integer_range`.
    Duration,
    /// `card_number_syntax` and `card_number_checksum`.
    CardNumber,
    /// `phone_number_syntax`.
    PhoneNumber,
    /// `card_without_host2host`, and `host2host_without_card` for a card without number.
    Card,
    /// The rules of `expiry_year`.
    ExpiryYear,
    /// `expiry_month_range`.
    ExpiryMonth,
    /// `security_code_syntax`.
    SecurityCode,
}

/// Declares the rules of each field, and the function that runs them: a loop over a table or, with
/// the feature `fast`, a call for each field, which takes a third of the instructions of the loop.
macro_rules! field_rules {
    ($($(#[$doc:meta])* $field:ident $rule:ident;)+) => {
        #[cfg(not(feature = "fast"))]
        static FIELD_RULES: [(RequestField, FieldRule); RequestField::COUNT] =
            [$((RequestField::$field, FieldRule::$rule)),+];

        impl<L: Members, S: Sink> RequestValidator<'_, '_, L, S> {
            /// Runs the rules of the fields in `relevant`, in the order of §2.2.
            #[cfg(feature = "fast")]
            fn fields(&mut self, relevant: u64) {
                $(if relevant & bit(RequestField::$field.slot()) != 0 {
                    let (field, rule) = (RequestField::$field, FieldRule::$rule);
                    let is_text = field.json_type() == JsonType::String && !self.v.slots.is_duplicate(field.slot());
                    match self.v.value(field).plain().filter(|_| is_text) {
                        // The compiler selects the rules.
                        Some(text) => _ = self.apply_rule(rule, field, text),
                        None => self.field(field, rule),
                    }
                })+
            }

            /// Runs the rules of the fields in `relevant`, in the order of §2.2.
            #[cfg(not(feature = "fast"))]
            fn fields(&mut self, relevant: u64) {
                for (field, rule) in &FIELD_RULES {
                    if relevant & bit(field.slot()) != 0 {
                        self.field(*field, *rule);
                    }
                }
            }
        }
    };
}

field_rules! {
    PaymentType Known;
    Mode Known;
    Cur Currency;
    Amount Amount;
    Subtype Known;
    MerchantId Text;
    UserId Text;
    UserName VariantText;
    // Only the callback: a payer's browser may be in a private network, but the server must not be
    // directed to one.
    Callback PublicUri;
    RedirectUrl Uri;
    BankName Text;
    HostToHost Type;
    Description Description;
    TimeToComplete Duration;
    PayOutDetails Variant;
    RecipientBankName Text;
    RecipientFullName Text;
    RecipientCardNumber CardNumber;
    RecipientPhoneNumber PhoneNumber;
    PayInDetails Variant;
    Card Card;
    CardHolder Text;
    CardNumber CardNumber;
    ExpiryYear ExpiryYear;
    ExpiryMonth ExpiryMonth;
    SecurityCode SecurityCode;
    PayerBankName Text;
    System Type;
}

/// Runs every rule, in the order of the fields of §2.2, except those of unknown members.
pub(crate) fn run<'b, L: Members, S: Sink>(
    policy: validator::Policy<'b, L>,
    slots: L,
    kind: RequestKind,
    inputs: RuleInputs<'_>,
    sink: S,
) {
    let required = required(policy.settings.required, kind.variant, kind.mode);
    let relevant = slots.given() | required | kind.expected();
    let v = Validator::new(policy, slots, required, sink);
    RequestValidator { v, kind, inputs }.fields(relevant);
}

impl<L: Members, S: Sink> RequestValidator<'_, '_, L, S> {
    /// Runs the rules of a field.
    #[inline(never)]
    #[cfg_attr(optimize_attribute, optimize(speed))]
    fn field(&mut self, field: RequestField, rule: FieldRule) {
        let value = self.v.value(field);
        // The specification does not show whether the current request has `system` (D4).
        if field == RequestField::System && value.kind() != ValueKind::Nothing {
            if !self.v.stops_as_duplicate(field.slot()) {
                self.report(Code::LegacyMember, field, 0, 0);
            }
            return;
        }
        let Some(present) = self.v.present(field) else {
            return;
        };
        let Some(value) = present else {
            return self.expect(field);
        };
        let is_of_type = match value.kind() {
            ValueKind::String if field.json_type() == JsonType::String => {
                return value.string(|text| _ = self.apply_any(rule, field, text));
            }
            ValueKind::Number => {
                field.json_type() == JsonType::Integer && is_integer(value.number())
            }
            ValueKind::Object => field.json_type() == JsonType::Object,
            ValueKind::Boolean => field.json_type() == JsonType::Boolean,
            _ => false,
        };
        if is_of_type {
            _ = self.apply_any(rule, field, value.number());
        } else {
            self.v.wrong_type(field, value);
        }
    }

    /// Reports the absence of a field that identifies the recipient or the payer's card.
    fn expect(&mut self, field: RequestField) {
        if self.kind.expected() & bit(field.slot()) != 0 {
            let is_card = field == RequestField::Card;
            let code = if is_card {
                Code::HostToHostWithoutCard
            } else {
                Code::RecipientIncomplete
            };
            self.report(code, field, 0, 0);
        }
    }

    fn report(&mut self, code: Code, field: RequestField, x: usize, y: usize) -> bool {
        self.v.push(code, field.slot(), x, y)
    }

    /// Checks the rules of any field.
    #[inline(never)]
    #[cfg_attr(optimize_attribute, optimize(speed))]
    fn apply_any(&mut self, rule: FieldRule, field: RequestField, text: impl Text) -> Option<()> {
        self.apply_rule(rule, field, text)
    }

    /// Checks one rule. Returns `None` if the rules of the member end.
    #[cfg_attr(feature = "fast", inline(always))]
    fn apply_rule(&mut self, rule: FieldRule, field: RequestField, text: impl Text) -> Option<()> {
        let settings = self.v.policy.settings;
        match rule {
            FieldRule::Type => Some(()),
            FieldRule::Known => {
                let is_known = match field {
                    RequestField::PaymentType => self.kind.variant.is_some(),
                    RequestField::Mode => self.kind.mode.is_some(),
                    _ => self.kind.subtype.is_some(),
                };
                self.v.check(is_known, Code::UnsupportedValue, field)
            }
            FieldRule::Variant | FieldRule::VariantText => {
                let fits = self
                    .kind
                    .variant
                    .is_none_or(|variant| variant_of(field.slot()) == Some(variant));
                let is_duplicate = self.v.slots.is_duplicate(field.slot());
                self.v
                    .check(fits || is_duplicate, Code::VariantMismatch, field)?;
                if matches!(rule, FieldRule::VariantText) {
                    self.text(settings.text_chars, field, text)
                } else {
                    Some(())
                }
            }
            FieldRule::Currency => self.currency(field),
            FieldRule::Amount => self.amount(field, text),
            FieldRule::Text => self.text(settings.text_chars, field, text),
            FieldRule::Description => self.text(settings.description_chars, field, text),
            FieldRule::Uri => self.uri(field, text).map(drop),
            FieldRule::PublicUri => {
                let is_private = self.uri(field, text)?;
                self.v.check(!is_private, Code::UriPrivateHost, field)
            }
            FieldRule::Duration => {
                let [min, max] = settings.time_to_complete;
                let fits = (min..=max).contains(&integer_value(text));
                self.v.check(fits, Code::IntegerRange, field)
            }
            FieldRule::CardNumber => {
                let is_number = is_number(text);
                self.v.check(is_number, Code::CardNumberSyntax, field)?;
                self.v.check(
                    !is_number || has_check_digit(text),
                    Code::CardNumberChecksum,
                    field,
                )
            }
            FieldRule::PhoneNumber => self.v.check(is_phone(text), Code::PhoneNumberSyntax, field),
            FieldRule::Card => {
                let is_used = self.kind.host2host || self.kind.variant.is_none();
                self.v.check(is_used, Code::CardWithoutHostToHost, field)?;
                if !self.v.value(RequestField::CardNumber).is_present() {
                    self.expect(field);
                }
                Some(())
            }
            FieldRule::ExpiryYear => self.expiry_year(field, text),
            FieldRule::ExpiryMonth => {
                if !MONTHS.contains(&integer_value(text)) {
                    self.report(Code::ExpiryMonthRange, field, 1, 12);
                }
                Some(())
            }
            FieldRule::SecurityCode => {
                let length = self
                    .kind
                    .scheme
                    .map(|scheme| usize::from(scheme.security_code_length()));
                let (min, max) = (length.unwrap_or(3), length.unwrap_or(4));
                if !(min..=max).contains(&text.len()) || !text.all_digits(text.start(), text.end())
                {
                    self.report(Code::SecurityCodeSyntax, field, min, max);
                }
                Some(())
            }
        }
    }

    /// Checks the rules of a free text. All texts share this function.
    #[inline(never)]
    #[cfg_attr(optimize_attribute, optimize(speed))]
    fn text<T: Text>(&mut self, limit: usize, field: RequestField, text: T) -> Option<()> {
        if text.is_empty() {
            self.report(Code::TextEmpty, field, 0, 0);
            return None;
        }
        if longer_than(text, limit) && self.report(Code::TextTooLong, field, limit, 0) {
            return None;
        }
        let has_control = has_control_character(text, field == RequestField::Description);
        self.v
            .check(!has_control, Code::TextControlCharacter, field)?;
        // A page, whose texts are no slices, has no credential.
        if T::IS_SLICE && field == RequestField::MerchantId {
            let is_allowed = self
                .inputs
                .merchants
                .is_none_or(|ids| ids.iter().any(|id| text.is(id.as_bytes())));
            self.v.check(is_allowed, Code::MerchantNotAllowed, field)?;
        }
        let is_checked = self.v.sink.is_observable(Code::CardNumberInText);
        self.v.check(
            !is_checked || !contains_pan(text),
            Code::CardNumberInText,
            field,
        )
    }

    #[cfg_attr(optimize_attribute, optimize(speed))]
    fn currency(&mut self, field: RequestField) -> Option<()> {
        let currency = self.kind.currency;
        self.v
            .check(currency.is_some(), Code::CurrencyUnknown, field)?;
        if let Some(allowed) = self.v.policy.currencies {
            let (mut at, end) = (allowed.start(), allowed.end());
            while at < end && !currency.is_some_and(|currency| currency.is_at(allowed, at)) {
                at = at.wrapping_add(Currency::LETTERS);
            }
            self.v.check(at < end, Code::CurrencyNotAllowed, field)?;
        }
        self.v.check(
            currency.is_none_or(Currency::is_fiat),
            Code::CurrencyNotFiat,
            field,
        )
    }

    #[cfg_attr(optimize_attribute, optimize(speed))]
    fn amount(&mut self, field: RequestField, text: impl Text) -> Option<()> {
        let minor_unit = self.kind.currency.and_then(Currency::minor_unit);
        let unit = minor_unit
            .and_then(|unit| usize::try_from(unit).ok())
            .unwrap_or(0);
        let digits = validate_amount(text, false, minor_unit, |code| {
            self.report(
                code,
                field,
                if code == Code::AmountScale { unit } else { 0 },
                0,
            )
        })?;
        let currency = self.kind.currency?;
        // The rule reports one violation only: for the number of digits, or for the value.
        if !digits.fits_body() {
            return None;
        }
        let bounds = self.v.policy.bounds;
        let (mut at, end, mut index) = (bounds.start(), bounds.end(), 0_usize);
        while at < end {
            index = index.wrapping_add(1);
            let is_bounded = currency.is_at(bounds, at);
            let min = at.wrapping_add(Currency::LETTERS);
            let min_end = bounds.find(min, end, 0);
            let max = min_end.wrapping_add(1);
            let max_end = bounds.find(max, end, 0);
            at = max_end.wrapping_add(1);
            let is_outside = |start: usize, end: usize, side| {
                start != end && compare_amounts(text, bounds.part(start, end)) == side
            };
            if is_bounded
                && (is_outside(min, min_end, Ordering::Less)
                    || is_outside(max, max_end, Ordering::Greater))
            {
                self.report(Code::AmountOutOfBounds, field, index, 0);
            }
        }
        Some(())
    }

    /// Validates a URI. Returns whether its host is private, unless an error has ended its rules.
    #[inline(never)]
    #[cfg_attr(optimize_attribute, optimize(speed))]
    fn uri(&mut self, field: RequestField, text: impl Text) -> Option<bool> {
        let policy = self.v.policy;
        let limit = policy.settings.uri_bytes;
        validate_uri(
            text,
            limit,
            &|scheme| policy.accepts_scheme(scheme),
            &mut |code, part| {
                let x = part.map_or(limit, UriPart::index);
                self.report(code, field, x, 0)
            },
        )
    }

    fn expiry_year(&mut self, field: RequestField, digits: impl Text) -> Option<()> {
        let (year, has_two_digits) = match integer_value(digits) {
            year @ 0..=99 => (year.saturating_add(2000), true),
            year @ 2000..=2099 => (year, false),
            _ => {
                self.report(Code::ExpiryYearRange, field, 2000, 2099);
                return None;
            }
        };
        let month = integer_value(self.v.value(RequestField::ExpiryMonth).number());
        let is_expired = MONTHS.contains(&month) && self.inputs.month > month_number(year, month);
        self.v.check(!is_expired, Code::CardExpired, field)?;
        self.v
            .check(!has_two_digits, Code::ExpiryYearTwoDigits, field)
    }
}

/// Checks if a number has neither a fraction nor an exponent.
fn is_integer(number: impl Text) -> bool {
    number.skip(number.start(), number.end(), |byte| {
        !matches!(byte, b'.' | b'e' | b'E')
    }) == number.end()
}

/// The numbers of the months.
const MONTHS: RangeInclusive<u64> = 1..=12;
