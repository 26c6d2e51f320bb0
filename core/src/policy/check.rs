//! The check of the settings, parsed or set in code.

use super::setting::NO_CURRENCY;
use super::settings::{MAX_SAFE_INTEGER, Policy, SCHEME};
use crate::error::{Error, ErrorKind};
use crate::input::{CURRENCY, OUT_OF_RANGE};
use crate::json::PathSegment;
use crate::money::MAX_CONVERTED_SCALE;
use crate::report::path_by;
use crate::schema::request::slot_at;
use crate::types::uri::is_scheme;

impl Policy {
    /// Checks what the types cannot express, in the order of the JSON form. Every policy passes
    /// this check, parsed or built in code.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.check_rules()?;
        self.check_numbers()?;
        self.check_amounts()?;
        self.check_lists()?;
        if self.crypto.scale > MAX_CONVERTED_SCALE {
            return Err(setting_error("/crypto/scale", "expected 0 to 18"));
        }
        Ok(())
    }

    fn check_rules(&self) -> Result<(), Error> {
        let mut codes = self.severity.keys();
        if let Some(code) = codes.find(|code| !code.is_adjustable()) {
            let name = PathSegment::named(code.name());
            return Err(segment_error(
                "/severity",
                name,
                "this severity cannot be set",
            ));
        }
        let mut required = self.required.iter();
        if let Some(index) = required.position(|pointer| slot_at(pointer).is_none()) {
            let expected = "expected the JSON Pointer of a member of the request";
            return Err(segment_error(
                "/required",
                PathSegment::Index(index),
                expected,
            ));
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), Error> {
        let limits = &self.limits;
        let time = limits.time_to_complete_payment;
        let numbers = [
            ("/limits/body_bytes", 1, limits.body_bytes),
            ("/limits/depth", 1, limits.depth),
            ("/limits/violations", 0, limits.violations),
            ("/limits/text_chars", 1, limits.text_chars),
            ("/limits/description_chars", 1, limits.description_chars),
            ("/limits/uri_bytes", 1, limits.uri_bytes),
            ("/limits/time_to_complete_payment/min", 0, time.min),
            ("/limits/time_to_complete_payment/max", 0, time.max),
            ("/crypto/max_quote_age_ms", 0, self.crypto.max_quote_age_ms),
            ("/idempotency/window_ms", 0, self.idempotency.window_ms),
        ];
        let outside = numbers
            .iter()
            .find(|(_, least, number)| !(*least..=MAX_SAFE_INTEGER).contains(number));
        match outside {
            None => Ok(()),
            Some((path, 0, _)) => Err(setting_error(path, OUT_OF_RANGE)),
            Some((path, ..)) => Err(setting_error(path, "expected an integer from 1 to 2^53-1")),
        }
    }

    fn check_amounts(&self) -> Result<(), Error> {
        for (currency, bounds) in &self.limits.amount {
            let error = |message| {
                let code = PathSegment::named(currency.code());
                Err(segment_error("/limits/amount", code, message))
            };
            if !currency.is_fiat() {
                return error(NO_CURRENCY);
            }
            let ends = bounds.min.zip(bounds.max);
            if ends.is_some_and(|(min, max)| min > max) {
                return error(MIN_OVER_MAX);
            }
        }
        let time = self.limits.time_to_complete_payment;
        if time.min > time.max {
            let path = "/limits/time_to_complete_payment";
            return Err(setting_error(path, MIN_OVER_MAX));
        }
        Ok(())
    }

    fn check_lists(&self) -> Result<(), Error> {
        let currencies = self.currencies.as_deref().unwrap_or_default();
        if let Some(index) = currencies.iter().position(|currency| !currency.is_fiat()) {
            return Err(segment_error(
                "/currencies",
                PathSegment::Index(index),
                CURRENCY,
            ));
        }
        // Schemes of bodies are compared in lower case.
        let is_lowercase = |scheme: &str| !scheme.bytes().any(|byte| byte.is_ascii_uppercase());
        let mut schemes = self.urls.schemes.iter();
        match schemes.position(|scheme| !is_scheme(scheme) || !is_lowercase(scheme)) {
            None => Ok(()),
            Some(index) => Err(segment_error(
                "/urls/schemes",
                PathSegment::Index(index),
                SCHEME,
            )),
        }
    }
}

const MIN_OVER_MAX: &str = "min is greater than max";

fn setting_error(path: &'static str, message: &'static str) -> Error {
    Error::new(ErrorKind::Policy, path, message)
}

fn segment_error(base: &str, segment: PathSegment<'_>, message: &'static str) -> Error {
    Error::new(ErrorKind::Policy, path_by(base, &[segment]), message)
}
