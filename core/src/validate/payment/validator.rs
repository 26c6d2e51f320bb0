//! The validator that all rules of a payment share.

use crate::json::{JsonStr, Value};
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::payment::PaymentField;
use crate::schema::request::RequestField;
use crate::types::state::State;
use crate::types::timestamp::Timestamp;
use crate::validate::request::RequestBody;
use crate::validate::validator::Validator;

/// The validator of a payment, with the values that several rules depend on.
pub(super) struct PaymentValidator<'a, 'b> {
    pub(super) v: Validator<'a, 'b>,
    pub(super) crypto: bool,
    pub(super) state: Option<State>,
    /// The request that the payment is compared with.
    pub(super) request: Option<&'b RequestBody<'a>>,
}

impl<'a> PaymentValidator<'a, '_> {
    /// Returns whether a duplicate has ended the rules of the member.
    pub(super) fn duplicate_reported(&self, member: PaymentField) -> bool {
        self.v.duplicate_reported(member)
    }

    pub(super) fn text_of(&self, member: PaymentField) -> Option<JsonStr<'a>> {
        self.v.value(member).text()
    }

    pub(super) fn request_value(&self, member: RequestField) -> Option<JsonStr<'a>> {
        self.request?.value(member).text()
    }

    /// Reports a member that differs from `asked` in the request.
    pub(super) fn must_equal_request(&mut self, member: PaymentField, asked: RequestField, answer: JsonStr<'a>) {
        if self.request_value(asked).is_some_and(|asked| asked.compare(answer).is_ne()) {
            self.v.report(Code::AnswerMismatch, member, Params::None);
        }
    }

    pub(super) fn date(&mut self, member: PaymentField) -> Option<JsonStr<'a>> {
        let text = self.v.string(member)?;
        if Timestamp::parse(&text.decoded()).is_none() {
            self.v.wrong_format(member, "date-time", Value::String(text));
            return None;
        }
        Some(text)
    }
}
