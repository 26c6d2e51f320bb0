//! A creation request that is read once: it is validated, parsed, and created from the same members.

use core::fmt;

use super::{create, fingerprint};
use crate::context::CreateContext;
use crate::model::outcome::Outcome;
use crate::model::request::CreateRequest;
use crate::money::Currency;
use crate::policy::Ruleset;
use crate::report::{InvalidBody, Report};
use crate::schema::request::RequestField;
use crate::types::fingerprint::Fingerprint;
use crate::types::payment_type::Mode;
use crate::types::timestamp::Timestamp;
use crate::validate::body::BodyError;
use crate::validate::request::{RequestBody, RuleInputs, validate};

/// A creation request that was read by [`Engine::read_request`](crate::Engine::read_request).
///
/// Any body can be read; its errors are part of the answers. `Debug` output contains no data of the
/// client.
pub struct Request<'a> {
    ruleset: &'a Ruleset,
    body: RequestBody<'a>,
    error: Option<BodyError>,
}

impl<'a> Request<'a> {
    /// Reads a body.
    pub(crate) fn read(ruleset: &'a Ruleset, bytes: &'a [u8]) -> Self {
        let mut body = RequestBody::new();
        let error = body.read(ruleset, bytes).err();
        Request {
            ruleset,
            body,
            error,
        }
    }

    /// Creates the request of a body that is larger than the policy allows, and was not read.
    pub(crate) fn unread(ruleset: &'a Ruleset) -> Self {
        Request {
            ruleset,
            body: RequestBody::new(),
            error: Some(BodyError::TooLarge(ruleset.lengths.body_bytes)),
        }
    }

    /// Returns the members of the body.
    ///
    /// # Errors
    /// Returns a report with one violation if the body is not a JSON object within the limits.
    fn body(&self) -> Result<&RequestBody<'a>, InvalidBody> {
        let Some(error) = self.error else {
            return Ok(&self.body);
        };
        let mut report = self.ruleset.report_builder();
        error.report(&mut report);
        Err(InvalidBody(report.into()))
    }

    /// Validates the request, like [`Engine::validate_request`](crate::Engine::validate_request).
    pub fn validate(&self, now: Option<Timestamp>) -> Report {
        let body = match self.body() {
            Ok(body) => body,
            Err(InvalidBody(report)) => return report,
        };
        let mut report = self.ruleset.report_builder();
        validate(self.ruleset, body, RuleInputs::at(now), &mut report);
        report.into()
    }

    /// Validates the request and returns its typed value, with the report that contains the
    /// warnings.
    ///
    /// # Errors
    /// Returns the report of a body that is not valid. A policy can accept a body from which no
    /// payment can be built; then the report has no error.
    pub fn parse(
        &self,
        now: Option<Timestamp>,
    ) -> Result<(CreateRequest<'a>, Report), InvalidBody> {
        let report = self.validate(now);
        match CreateRequest::new(&self.body) {
            Ok(request) if report.is_valid() => Ok((request, report)),
            _ => Err(InvalidBody(report)),
        }
    }

    /// Returns the currency whose price in USDT the payment needs: `cur` in mode CRYPTO.
    ///
    /// Returns `None` if the request needs no quote, or if its mode or currency is unknown.
    #[must_use]
    pub fn currency_to_quote(&self) -> Option<Currency> {
        if self.error.is_some() {
            return None;
        }
        let mode = self.body.value(RequestField::Mode).parsed(Mode::from_name);
        let currency = self.body.value(RequestField::Cur);
        currency
            .parsed(Currency::from_code)
            .filter(|currency| mode == Some(Mode::Crypto) && currency.is_fiat())
    }

    /// Computes the complete response to the request, like
    /// [`Engine::create_payment`](crate::Engine::create_payment).
    pub fn create(&self, context: &CreateContext<'_>) -> Outcome {
        create::create(self.ruleset, self.body(), context)
    }

    /// Returns the fingerprint of the request (D8).
    ///
    /// # Errors
    /// Returns a report with one violation if the body is not a JSON object within the limits.
    pub fn fingerprint(&self) -> Result<Fingerprint, InvalidBody> {
        let key = self.ruleset.policy.fingerprint_key.as_ref();
        Ok(fingerprint::compute(self.body()?, key))
    }
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Request(…)")
    }
}
