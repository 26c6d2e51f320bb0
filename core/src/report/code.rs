//! The table of rules: each violation code with its severity, source, text, and parameters.
//!
//! Validation, the `rules` operation, the documentation, and the OpenAPI description use this
//! table. To add a rule, add a line; the test vectors must then contain an example of it.

use crate::util::bug::or_bug;
use crate::util::string_enum::{impl_display_via_name, impl_from_str_via_name, string_enum};

string_enum! {
    /// The severity of a violation.
    #[non_exhaustive]
    Severity {
        /// The rule is disabled.
        Off = "off",
        /// The violation is reported, but the body stays valid.
        Warning = "warning",
        /// The body is not valid.
        Error = "error",
    }
}

impl Severity {
    /// Returns whether the remaining rules of the member are skipped. A warning stops nothing.
    #[inline]
    pub(crate) fn stops(self) -> bool {
        self == Severity::Error
    }
}

/// A rule, one line of the table.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Rule {
    /// The code.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub code: Code,
    /// The code's name in JSON.
    #[cfg_attr(feature = "serde", serde(rename = "code"))]
    pub name: &'static str,
    /// The severity, unless the policy sets another.
    pub severity: Severity,
    /// Whether the policy may set another severity.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub adjustable: bool,
    /// The section of the specification, or the decision that fills a gap in it.
    pub source: &'static str,
    /// The message in English. `{name}` is replaced with a parameter.
    pub summary: &'static str,
    /// The names of the parameters that a violation of the rule may have.
    pub params: &'static [&'static str],
}

macro_rules! rules {
    ($(
        $variant:ident $name:literal $severity:ident $fixed:ident $source:literal [$($param:literal),*]
            $text:literal $({$placeholder:ident} $($more:literal)?)*;
    )*) => {
        /// The code of a violation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Code {
            $(#[doc = concat!($text $(, "{", stringify!($placeholder), "}" $(, $more)?)*)] $variant,)*
        }

        impl Code {
            /// Every code, in the order in which the rules of one member run.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// Returns the name in JSON.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name),* }
            }

            /// Returns whether the policy may set another severity.
            pub const fn is_adjustable(self) -> bool {
                match self { $(Code::$variant => rules!(@ $fixed)),* }
            }

            /// Returns the severity, unless the policy sets another.
            pub const fn default_severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity),* }
            }
        }

        /// Every rule, in the order in which the rules of one member run.
        pub static RULES: &[Rule] = &RULE_TABLE;

        /// The rules as an array.
        pub(crate) static RULE_TABLE: [Rule; [$($name),*].len()] = [
            $(Rule {
                code: Code::$variant,
                name: $name,
                severity: Severity::$severity,
                adjustable: rules!(@ $fixed),
                source: $source,
                summary: concat!($text $(, "{", stringify!($placeholder), "}" $(, $more)?)*),
                params: &[$($param),*],
            },)*
        ];

        /// The texts of each message before, between, and after its parameters.
        static TEXTS: [&[&str]; RULE_TABLE.len()] = [$(&[$text $(, concat!($($more)?))*]),*];
    };
    (@ fixed) => { false };
    (@ free) => { true };
}

rules! {
    JsonSyntax "json_syntax" Error fixed "§4.1" ["line", "column"]
        "invalid JSON or UTF-8 at line " {line} ", column " {column};
    BodyTooLarge "body_too_large" Error fixed "D14" ["limit"] "the body is larger than " {limit} " bytes";
    TooDeep "too_deep" Error fixed "D14" ["limit"] "objects and arrays nest deeper than " {limit} " levels";
    DuplicateMember "duplicate_member" Error free "D6" [] "the member is repeated in its object";
    Type "type" Error fixed "§2" ["expected", "found"] "wrong JSON type: expected " {expected} ", found " {found};
    Missing "missing" Error free "D5" [] "the member is required";
    UnsupportedValue "unsupported_value" Error free "§2.2" ["allowed"] "unsupported value: expected one of " {allowed};
    UnknownMember "unknown_member" Warning free "D6" [] "not a member of the interface";
    LegacyMember "legacy_member" Warning free "§9.2" ["replaced_by"] "a member of the legacy API";
    VariantMismatch "variant_mismatch" Warning free "§2.2" [] "not used with this payment_type";
    AmountSyntax "amount_syntax" Error free "§2.2" [] "not a decimal amount such as 100.00";
    AmountNotPositive "amount_not_positive" Error free "D6" [] "the amount must be greater than zero";
    AmountScale "amount_scale" Error free "D6" ["minor_unit"] "the currency has " {minor_unit} " fraction digits";
    AmountOutOfBounds "amount_out_of_bounds" Error free "D14" ["integer_digits", "fraction_digits", "min", "max"]
        "the amount is out of bounds";
    CurrencyUnknown "currency_unknown" Error free "§2.2" [] "not an active ISO 4217 code in upper case";
    CurrencyNotAllowed "currency_not_allowed" Error free "D6" ["allowed"]
        "the currency is not accepted: expected one of " {allowed};
    CurrencyNotFiat "currency_not_fiat" Error free "§2.2" [] "not a currency";
    UriSyntax "uri_syntax" Error free "§2.2" ["reason"] "not a valid absolute URI: invalid " {reason};
    UriScheme "uri_scheme" Error free "D6" ["allowed", "refused"] "the scheme of the URI must be one of " {allowed};
    UriCredentials "uri_credentials" Error free "D6" [] "the URI must not contain a user name or password";
    UriPrivateHost "uri_private_host" Warning free "D11" [] "the host is a private address";
    TextEmpty "text_empty" Warning free "D31" [] "the text is empty and counts as absent";
    TextTooLong "text_too_long" Error free "D14" ["limit"] "longer than the limit of " {limit};
    TextControlCharacter "text_control_character" Error free "D6" [] "the text contains a control character";
    CardNumberSyntax "card_number_syntax" Error free "D6" [] "a card number has 12 to 19 digits";
    CardNumberChecksum "card_number_checksum" Error free "D6" [] "the card number's check digit does not match";
    CardNumberNoCheckDigit "card_number_no_check_digit" Warning free "D6" []
        "the card number has no check digit, as some of UnionPay";
    CardExpired "card_expired" Error free "D6" [] "the card has expired";
    ExpiryMonthRange "expiry_month_range" Error free "D6" ["min", "max"] "the month must be " {min} " to " {max};
    ExpiryYearRange "expiry_year_range" Error free "D6" ["min", "max"] "the year must be " {min} " to " {max};
    ExpiryYearTwoDigits "expiry_year_two_digits" Warning free "D23" [] "two-digit year, read as 20YY";
    SecurityCodeSyntax "security_code_syntax" Error free "D6" ["min", "max"]
        "not a security code: 3 digits, 4 for American Express";
    PhoneNumberSyntax "phone_number_syntax" Error free "D6" []
        "not a phone number of 7 to 15 digits, with or without +";
    IntegerRange "integer_range" Error free "D15" ["min", "max"] "the number must be " {min} " to " {max};
    HostToHostWithoutCard "host2host_without_card" Warning free "§1.3" []
        "host-to-host mode with a bank card requires card data";
    CardWithoutHostToHost "card_without_host2host" Warning free "§1.3" [] "card data is used in host-to-host mode only";
    RecipientIncomplete "recipient_incomplete" Warning free "§2.2" [] "required to identify the recipient";
    MerchantNotAllowed "merchant_not_allowed" Error free "D28" [] "the credential does not allow this merchant_id";
    CardNumberInText "card_number_in_text" Warning free "D6" [] "the text contains a likely card number";
    FieldCurrency "field_currency" Error free "§1.4" []
        "a payment in USDT has requested_amount and a fiat requested_currency";
    StateInconsistent "state_inconsistent" Error free "§3" []
        "contradicts the state: a completed payment has paid_at, an idle one neither paid_at nor fail_by";
    FailureUnexplained "failure_unexplained" Warning free "§7" [] "a failed payment should have fail_by and fail_code";
    UnmaskedCardNumber "unmasked_card_number" Error free "§2.1" [] "info must not contain a full card number";
    CurrencyWithdrawn "currency_withdrawn" Warning free "D34" ["withdrawn"]
        "ISO 4217 has withdrawn the currency in " {withdrawn};
    InfoType "info_type" Error free "§9.2" [] "expected an object; the legacy API had a string";
    AmountIdentity "amount_identity" Warning free "D21" [] "the amounts do not add up";
    AnswerMismatch "answer_mismatch" Error free "§2.1" [] "does not match the request";
}

/// A set of rules has 64 bits.
const _: () = assert!(RULES.len() <= 64);

impl Code {
    /// Returns the rule of the code.
    ///
    /// ```
    /// # use payspec::{Code, Severity};
    /// let rule = Code::UriPrivateHost.rule();
    /// assert_eq!((rule.name, rule.severity, rule.source), ("uri_private_host", Severity::Warning, "D11"));
    /// ```
    pub fn rule(self) -> &'static Rule {
        or_bug(RULES.get(self.index()), &RULE_TABLE[0])
    }

    /// Returns the texts of the message before, between, and after its parameters.
    pub(crate) fn texts(self) -> &'static [&'static str] {
        or_bug(TEXTS.get(self.index()).copied(), &[])
    }

    /// Returns the code with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    #[expect(
        clippy::as_conversions,
        reason = "the discriminants are the indexes in the table, by construction"
    )]
    #[inline]
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// Appends the catalogue of rules, the result of the operation `rules`.
pub(crate) fn write_rules(out: &mut alloc::vec::Vec<u8>) {
    crate::json::writer::Writer::new(out).object(|w| {
        w.name("rules").array(|w| {
            for rule in RULES {
                w.object(|w| {
                    w.name("code").string(rule.name);
                    w.name("severity").string(rule.severity.name());
                    w.name("source").string(rule.source);
                    w.name("summary").string(rule.summary);
                    w.name("params").strings(rule.params.iter().copied());
                });
            }
        });
    });
}

impl_display_via_name! { Code }
impl_from_str_via_name! { Code }

#[cfg(test)]
mod tests {
    use super::RULES;

    #[test]
    fn placeholders_are_the_first_parameters_of_their_rules() {
        for rule in RULES {
            for (placeholder, param) in rule.summary.split('{').skip(1).zip(rule.params) {
                let (name, _) = placeholder.split_once('}').expect(rule.summary);
                assert_eq!(name, *param, "{}", rule.summary);
            }
            assert!(
                rule.code.texts().len() <= rule.params.len() + 1,
                "{}",
                rule.summary
            );
        }
    }
}
