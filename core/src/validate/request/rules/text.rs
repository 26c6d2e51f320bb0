//! The rules of free texts, phone numbers, and durations.

use crate::card::text::contains_card_number;
use crate::json::integer_value;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::RequestField;
use crate::types::phone::is_phone;
use crate::types::text::{has_control_character, longer_than};
use crate::validate::request::validator::RequestValidator;
use crate::validate::validator::Flow;

/// A kind of free text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// A name or an identifier, on one line.
    Line,
    /// A description, which is longer and may have line breaks.
    Description,
}

impl RequestValidator<'_, '_, '_> {
    /// Checks a free text (`text_empty`, `text_too_long`, `text_control_character`).
    #[inline(never)]
    pub(super) fn text(&mut self, field: RequestField, text: &str, kind: TextKind) -> Flow {
        if text.is_empty() {
            // Without characters, there is nothing to check.
            _ = self.report(Code::TextEmpty, field, Params::None);
            return Flow::Break(());
        }
        let limits = &self.v.ruleset.policy.limits;
        let lengths = &self.v.ruleset.lengths;
        let (limit, most) = match kind {
            TextKind::Line => (limits.text_chars, lengths.text_chars),
            TextKind::Description => (limits.description_chars, lengths.description_chars),
        };
        if longer_than(text, most) {
            self.report(Code::TextTooLong, field, Params::Limit(limit))?;
        }
        let has_control = has_control_character(text, kind == TextKind::Description);
        self.check(!has_control, Code::TextControlCharacter, field)
    }

    /// Searches a free text for a card number (`card_number_in_text`).
    #[inline(never)]
    pub(super) fn no_card_number(&mut self, field: RequestField, text: &str) -> Flow {
        // The search is skipped if its result does not matter.
        let is_checked = self.v.is_observable(Code::CardNumberInText);
        let is_clean = !is_checked || !contains_card_number(text);
        self.check(is_clean, Code::CardNumberInText, field)
    }

    /// Checks a phone number (`phone_number_syntax`).
    pub(super) fn phone_number(&mut self, field: RequestField, text: &str) -> Flow {
        self.check(is_phone(text), Code::PhoneNumberSyntax, field)
    }

    /// Checks the time to complete the payment (`integer_range`).
    pub(super) fn duration(&mut self, field: RequestField, digits: &str) -> Flow {
        let limits = self.v.ruleset.policy.limits.time_to_complete_payment;
        let (min, max) = (limits.min, limits.max);
        if integer_value(digits).is_some_and(|number| (min..=max).contains(&number)) {
            return Flow::Continue(());
        }
        self.report(Code::IntegerRange, field, Params::Range { min, max })
    }
}

#[cfg(test)]
mod tests {
    use crate::validate::request::testing::{check, check_under};

    #[test]
    fn texts_have_characters_within_the_limits() {
        check_under(
            r#"{"limits":{"text_chars":5,"description_chars":7}}"#,
            &[
                (r#""user_id":"рубль""#, &[]),
                (r#""user_id":"рубли2""#, &["/user_id text_too_long"]),
                (r#""description":"рубли 2""#, &[]),
                (
                    r#""description":"рубли 22""#,
                    &["/description text_too_long"],
                ),
            ],
        );
        check(&[
            (r#""user_id":"""#, &["/user_id text_empty"]),
            (r#""user_id":"a\tb""#, &["/user_id text_control_character"]),
            (r#""description":"a\tb""#, &[]),
            (
                r#""description":"a\u202eb""#,
                &["/description text_control_character"],
            ),
        ]);
    }

    #[test]
    fn texts_contain_no_card_number() {
        let found: &[&str] = &["/description card_number_in_text"];
        check(&[
            (r#""description":"card 4111 1111 1111 1111""#, found),
            (r#""description":"card 4111 1111 1111 1112""#, &[]),
        ]);
    }

    #[test]
    fn phone_numbers_have_seven_to_fifteen_digits() {
        let pay_out = |number: &str| {
            alloc::format!(
                r#"{{"payment_type":"pay_out","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"1","pay_out_details":{{"phone_number":"{number}"}}}}"#
            )
        };
        let violations =
            |number| crate::validate::request::testing::violations_under("{}", &pay_out(number));
        assert!(violations("+79161234567").is_empty());
        assert!(violations("1234567").is_empty());
        for wrong in ["123456", "1234567890123456", "+7 916"] {
            let expected = ["/pay_out_details/phone_number phone_number_syntax"];
            assert_eq!(violations(wrong), expected, "{wrong}");
        }
    }

    #[test]
    fn durations_are_integers_within_the_limits() {
        let outside: &[&str] = &["/time_to_complete_payment integer_range"];
        check_under(
            r#"{"limits":{"time_to_complete_payment":{"min":2,"max":3}}}"#,
            &[
                (r#""time_to_complete_payment":1"#, outside),
                (r#""time_to_complete_payment":2"#, &[]),
                (r#""time_to_complete_payment":3"#, &[]),
                (r#""time_to_complete_payment":4"#, outside),
                (r#""time_to_complete_payment":-2"#, outside),
                (
                    r#""time_to_complete_payment":18446744073709551616"#,
                    outside,
                ),
                (
                    r#""time_to_complete_payment":2.5"#,
                    &["/time_to_complete_payment type"],
                ),
            ],
        );
    }
}
