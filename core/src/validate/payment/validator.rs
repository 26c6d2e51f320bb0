//! The validator that all rules of a payment share, and the comparison with the request that the
//! payment answers.

use crate::card::known::KnownPans;
use crate::card::text::TextMask;
use crate::json::{JsonStr, Value};
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::payment::PaymentField;
use crate::schema::request::RequestField;
use crate::types::payment_type::Mode;
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
    pub(super) fn request_value(&self, field: RequestField) -> Option<JsonStr<'a>> {
        self.request?.value(field).text()
    }

    /// Reports a member that differs from `requested` in the request.
    pub(super) fn must_equal_request(
        &mut self,
        field: PaymentField,
        requested: RequestField,
        answer: JsonStr<'a>,
    ) {
        if self
            .request_value(requested)
            .is_some_and(|requested| requested.compare(answer).is_ne())
        {
            self.mismatch(field);
        }
    }

    /// Reports a member that differs from the request. It has no further rules.
    pub(super) fn mismatch(&mut self, field: PaymentField) {
        _ = self.v.report(Code::AnswerMismatch, field, Params::None);
    }

    pub(super) fn date(&mut self, field: PaymentField) -> Option<JsonStr<'a>> {
        let text = self.v.string(field)?;
        if Timestamp::parse(&text.decoded()).is_none() {
            self.v.wrong_format(field, "date-time", Value::String(text));
            return None;
        }
        Some(text)
    }

    pub(super) fn request_is_crypto(&self) -> bool {
        self.request_value(RequestField::Mode)
            .is_some_and(|mode| mode.is(Mode::Crypto.name()))
    }

    pub(super) fn request_host2host(&self) -> Option<bool> {
        self.request
            .map(|request| matches!(request.value(RequestField::HostToHost), Value::Bool(true)))
    }

    pub(super) fn merchant_id(&mut self) {
        let Some(text) = self.v.string(PaymentField::MerchantId) else {
            return;
        };
        if !text.with_decoded(|answer| self.repeats_merchant_id(answer)) {
            self.mismatch(PaymentField::MerchantId);
        }
    }

    /// Returns whether `answer` is the value in the request, unchanged or with the card numbers of
    /// the request masked (D27).
    fn repeats_merchant_id(&self, answer: &str) -> bool {
        let Some(request) = self.request else {
            return true;
        };
        // An empty merchant_id counts as absent.
        let requested = request
            .value(RequestField::MerchantId)
            .text()
            .filter(|requested| !requested.is(""));
        let Some(requested) = requested else {
            return true;
        };
        if requested.is(answer) {
            return true;
        }
        let mut known_pans = KnownPans::default();
        request.collect_known_pans(&mut known_pans);
        requested.with_decoded(|text| {
            TextMask::known(&known_pans)
                .mask(text)
                .is_some_and(|masked| masked.as_str() == answer)
        })
    }
}
