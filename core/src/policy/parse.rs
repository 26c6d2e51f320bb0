//! Parsing of the policy's JSON form. Types and names are checked here, values in `Policy::check`. An error contains the
//! JSON Pointer and what was expected there.

use alloc::string::String;
use alloc::vec::Vec;

use super::{AmountBounds, FingerprintKey, InvalidRequestStatus, KEY, NO_CURRENCY, Policy, SCHEME, Transitions};
use crate::error::{Error, ErrorKind};
use crate::input::{CURRENCY, DECIMAL, Input, InputObject, OBJECT, REPEATED, UNKNOWN};
use crate::json::{JsonStr, PathSegment, Value, items, members, object_schema};
use crate::money::{Amount, Currency, Rounding};
use crate::report::code::{Code, Severity};
use crate::types::state::State;
use crate::util::sorted_map::SortedMap;

object_schema! {
    /// Members of the policy.
    enum PolicyField;
    ROOT "" {
        Severity "severity" Object, Required "required" Array, Limits "limits" Object(LIMITS),
        Currencies "currencies" Array, Urls "urls" Object(URLS), Crypto "crypto" Object(CRYPTO),
        Idempotency "idempotency" Object(IDEMPOTENCY), InvalidRequestStatus "invalid_request_status" Integer,
        FingerprintKey "fingerprint_key" String, Transitions "transitions" Any,
    }
    LIMITS "/limits" {
        BodyBytes "body_bytes" Integer, Depth "depth" Integer, Violations "violations" Integer,
        TextChars "text_chars" Integer, DescriptionChars "description_chars" Integer, UriBytes "uri_bytes" Integer,
        Amount "amount" Object, Time "time_to_complete_payment" Object(TIME),
    }
    TIME "/limits/time_to_complete_payment" { TimeMin "min" Integer, TimeMax "max" Integer }
    URLS "/urls" { Schemes "schemes" Array }
    CRYPTO "/crypto" { Scale "scale" Integer, Rounding "rounding" String, MaxQuoteAge "max_quote_age_ms" Integer }
    IDEMPOTENCY "/idempotency" { Window "window_ms" Integer }
}

impl Policy {
    /// Reads the JSON form. All members are optional; an unknown member is an error.
    ///
    /// # Errors
    /// Returns a policy error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &T) -> Result<Policy, Error> {
        let mut policy = Policy::default();
        policy.fill(json.as_ref())?;
        Ok(policy)
    }

    /// Fills a default policy. `from_json` drops it on failure, because a drop at every early return would double the code.
    fn fill(&mut self, json: &[u8]) -> Result<(), Error> {
        let mut slots = [Value::Absent; PolicyField::COUNT];
        let input = InputObject::read(json, &ROOT, &mut slots, ErrorKind::Policy)?;
        let get = |field| input.get(field);
        use PolicyField as F;
        for object in [F::Limits, F::Urls, F::Crypto, F::Idempotency, F::Time] {
            get(object).object()?;
        }
        severities(get(F::Severity), &mut self.severity)?;
        self.required = get(F::Required).list("expected a JSON Pointer", owned)?.unwrap_or_default();
        self.numbers_of(&input)?;
        amount_bounds(get(F::Amount), &mut self.limits.amount)?;
        self.currencies = get(F::Currencies).list(CURRENCY, |code| code.with_decoded(Currency::from_code))?;
        if let Some(schemes) = get(F::Schemes).list(SCHEME, owned)? {
            self.urls.schemes = schemes;
        }
        if let Some(rounding) = get(F::Rounding).parsed(ROUNDINGS, Rounding::from_name)? {
            self.crypto.rounding = rounding;
        }
        self.fingerprint_key = get(F::FingerprintKey).parsed(KEY, FingerprintKey::of_hex)?;
        self.transitions = transitions(get(F::Transitions))?;
        self.check()
    }

    /// Reads the integers by a table, which names each of them once.
    fn numbers_of(&mut self, input: &InputObject<'_, '_, PolicyField>) -> Result<(), Error> {
        use PolicyField as F;
        let (mut scale, mut status) = (u64::from(self.crypto.scale), u64::from(self.invalid_request_status.status()));
        let limits = &mut self.limits;
        let numbers = [
            (F::BodyBytes, &mut limits.body_bytes),
            (F::Depth, &mut limits.depth),
            (F::Violations, &mut limits.violations),
            (F::TextChars, &mut limits.text_chars),
            (F::DescriptionChars, &mut limits.description_chars),
            (F::UriBytes, &mut limits.uri_bytes),
            (F::TimeMin, &mut limits.time_to_complete_payment.min),
            (F::TimeMax, &mut limits.time_to_complete_payment.max),
            (F::Scale, &mut scale),
            (F::MaxQuoteAge, &mut self.crypto.max_quote_age_ms),
            (F::Window, &mut self.idempotency.window_ms),
            (F::InvalidRequestStatus, &mut status),
        ];
        for (field, number) in numbers {
            if let Some(given) = input.get(field).integer()? {
                *number = given;
            }
        }
        self.crypto.scale = u32::try_from(scale).unwrap_or(u32::MAX);
        self.invalid_request_status = match status {
            422 => InvalidRequestStatus::UnprocessableContent,
            400 => InvalidRequestStatus::BadRequest,
            _ => return Err(input.get(F::InvalidRequestStatus).error("expected 400 or 422")),
        };
        Ok(())
    }
}

/// The message with the names of [`Rounding`].
const ROUNDINGS: &str = "expected half_even, half_up, half_down, up, or down";

fn owned(text: JsonStr<'_>) -> Option<String> {
    Some(text.to_cow().into_owned())
}

fn severities(severity: Input<'_>, severities: &mut SortedMap<Code, Severity>) -> Result<(), Error> {
    for (name, value) in severity.members()? {
        let error = |message| severity.error_below(&[PathSegment::Key(name)], message);
        let code = name.with_decoded(Code::from_name).ok_or_else(|| error("not a code of a rule"))?;
        let level = value.text().and_then(|text| text.with_decoded(Severity::from_name));
        let level = level.ok_or_else(|| error("expected error, warning, or off"))?;
        if severities.insert(code, level).is_some() {
            return Err(error(REPEATED));
        }
    }
    Ok(())
}

fn amount_bounds(amount: Input<'_>, all: &mut SortedMap<Currency, AmountBounds>) -> Result<(), Error> {
    for (name, value) in amount.members()? {
        let error = |message| amount.error_below(&[PathSegment::Key(name)], message);
        let currency = name.with_decoded(Currency::from_code).ok_or_else(|| error(NO_CURRENCY))?;
        let Value::Object(object) = value else { return Err(error(OBJECT)) };
        if all.insert(currency, bounds(amount, name, object)?).is_some() {
            return Err(error(REPEATED));
        }
    }
    Ok(())
}

fn bounds(amount: Input<'_>, currency: JsonStr<'_>, object: &str) -> Result<AmountBounds, Error> {
    let mut bounds = AmountBounds::default();
    let mut seen = (false, false);
    for (name, value) in members(object) {
        let error = |message| amount.error_below(&[PathSegment::Key(currency), PathSegment::Key(name)], message);
        let (bound, seen) = if name.is("min") {
            (&mut bounds.min, &mut seen.0)
        } else if name.is("max") {
            (&mut bounds.max, &mut seen.1)
        } else {
            return Err(error(UNKNOWN));
        };
        if core::mem::replace(seen, true) {
            return Err(error(REPEATED));
        }
        // A null counts as absent, as it does for the members of a schema.
        if !matches!(value, Value::Null) {
            let amount = value.text().and_then(|text| text.with_decoded(|text| Amount::parse(text).ok()));
            *bound = Some(amount.ok_or_else(|| error(DECIMAL))?);
        }
    }
    Ok(bounds)
}

fn transitions(transitions: Input<'_>) -> Result<Transitions, Error> {
    let array = match transitions.value() {
        Value::Absent | Value::Null => return Ok(Transitions::Open),
        Value::String(text) if text.is("open") => return Ok(Transitions::Open),
        Value::String(text) if text.is("conventional") => return Ok(Transitions::Conventional),
        Value::Array(array) => array,
        _ => return Err(transitions.error("expected open, conventional, or a list of pairs of states")),
    };
    let mut pairs = Vec::new();
    for (index, item) in items(array).enumerate() {
        let error = |segments: &[PathSegment<'_>]| transitions.error_below(segments, "expected a pair of states");
        let index = PathSegment::Index(index);
        let Value::Array(pair) = item else { return Err(error(&[index])) };
        let mut states = Vec::new();
        for (end, value) in items(pair).enumerate() {
            let state = value.text().and_then(|text| text.with_decoded(State::from_name));
            states.push(state.ok_or_else(|| error(&[index, PathSegment::Index(end)]))?);
        }
        match *states {
            [from, to] => pairs.push((from, to)),
            _ => return Err(error(&[index])),
        }
    }
    Ok(Transitions::List(pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_every_rounding() {
        let words = ROUNDINGS.split([' ', ',']).filter(|word| !["expected", "or", ""].contains(word));
        assert!(words.eq(Rounding::NAMES.iter().copied()));
    }
}
