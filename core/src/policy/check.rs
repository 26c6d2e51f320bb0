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
        let at = |base, segment: PathSegment<'_>, message| {
            Err(Error::new(
                ErrorKind::Policy,
                path_by(base, &[segment]),
                message,
            ))
        };
        let error_at =
            |path: &'static str, message| Err(Error::new(ErrorKind::Policy, path, message));
        if let Some(code) = self
            .severity
            .iter()
            .map(|(code, _)| code)
            .find(|code| !code.is_adjustable())
        {
            return at(
                "/severity",
                PathSegment::named(code.name()),
                "this severity cannot be set",
            );
        }
        if let Some(index) = self
            .required
            .iter()
            .position(|pointer| slot_at(pointer).is_none())
        {
            return at(
                "/required",
                PathSegment::Index(index),
                "expected the JSON Pointer of a member of the request",
            );
        }
        let limits = &self.limits;
        let numbers = [
            ("/limits/body_bytes", 1, limits.body_bytes),
            ("/limits/depth", 1, limits.depth),
            ("/limits/violations", 0, limits.violations),
            ("/limits/text_chars", 1, limits.text_chars),
            ("/limits/description_chars", 1, limits.description_chars),
            ("/limits/uri_bytes", 1, limits.uri_bytes),
            (
                "/limits/time_to_complete_payment/min",
                0,
                limits.time_to_complete_payment.min,
            ),
            (
                "/limits/time_to_complete_payment/max",
                0,
                limits.time_to_complete_payment.max,
            ),
            ("/crypto/max_quote_age_ms", 0, self.crypto.max_quote_age_ms),
            ("/idempotency/window_ms", 0, self.idempotency.window_ms),
        ];
        for (path, least, number) in numbers {
            if !(least..=MAX_SAFE_INTEGER).contains(&number) {
                return error_at(
                    path,
                    if least == 0 {
                        OUT_OF_RANGE
                    } else {
                        "expected an integer from 1 to 2^53-1"
                    },
                );
            }
        }
        for (currency, bounds) in &limits.amount {
            let error = |message| {
                at(
                    "/limits/amount",
                    PathSegment::named(currency.code()),
                    message,
                )
            };
            if !currency.is_fiat() {
                return error(NO_CURRENCY);
            }
            if bounds
                .min
                .zip(bounds.max)
                .is_some_and(|(min, max)| min > max)
            {
                return error("min is greater than max");
            }
        }
        let time = limits.time_to_complete_payment;
        if time.min > time.max {
            return error_at(
                "/limits/time_to_complete_payment",
                "min is greater than max",
            );
        }
        let currencies = self.currencies.as_deref().unwrap_or_default();
        if let Some(index) = currencies.iter().position(|currency| !currency.is_fiat()) {
            return at("/currencies", PathSegment::Index(index), CURRENCY);
        }
        // Schemes of bodies are compared in lower case.
        let is_lowercase = |scheme: &str| !scheme.bytes().any(|byte| byte.is_ascii_uppercase());
        if let Some(index) = self
            .urls
            .schemes
            .iter()
            .position(|scheme| !is_scheme(scheme) || !is_lowercase(scheme))
        {
            return at("/urls/schemes", PathSegment::Index(index), SCHEME);
        }
        if self.crypto.scale > MAX_CONVERTED_SCALE {
            return error_at("/crypto/scale", "expected 0 to 18");
        }
        Ok(())
    }
}
