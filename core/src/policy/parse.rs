//! Parsing of the policy's JSON form. Types and names are checked here, values in `Policy::check`. An error contains the
//! JSON Pointer and what was expected there.

use alloc::string::String;
use alloc::vec::Vec;

use super::{AmountBounds, FingerprintKey, InvalidRequestStatus, KEY, NO_CURRENCY, Policy, SCHEME, Transitions};
use crate::error::{Error, ErrorCode};
use crate::input::{CURRENCY, DECIMAL, InputObject, UNKNOWN};
use crate::json::{Field, JsonStr, JsonType, ObjectSchema, PathSegment, Value, items, members};
use crate::money::{Amount, Currency, Rounding};
use crate::report::code::{Code, Severity};
use crate::types::state::State;
use crate::util::sorted_map::SortedMap;

const SEVERITY: usize = 0;
const REQUIRED: usize = 1;
const LIMITS: usize = 2;
const CURRENCIES: usize = 3;
const URLS: usize = 4;
const CRYPTO: usize = 5;
const IDEMPOTENCY: usize = 6;
const INVALID_REQUEST_STATUS: usize = 7;
const FINGERPRINT_KEY: usize = 8;
const TRANSITIONS: usize = 9;
const BODY_BYTES: usize = 10;
const DEPTH: usize = 11;
const VIOLATIONS: usize = 12;
const TEXT_CHARS: usize = 13;
const DESCRIPTION_CHARS: usize = 14;
const URI_BYTES: usize = 15;
const AMOUNT: usize = 16;
const TIME: usize = 17;
const TIME_MIN: usize = 18;
const TIME_MAX: usize = 19;
const SCHEMES: usize = 20;
const SCALE: usize = 21;
const ROUNDING: usize = 22;
const MAX_QUOTE_AGE: usize = 23;
const WINDOW: usize = 24;
const SLOTS: usize = 25;

static ROOT: ObjectSchema = ObjectSchema::new(
    "",
    SEVERITY,
    &[
        Field::new("/severity", JsonType::Object),
        Field::new("/required", JsonType::Array),
        Field::object("/limits", &LIMIT_FIELDS),
        Field::new("/currencies", JsonType::Array),
        Field::object("/urls", &URL_FIELDS),
        Field::object("/crypto", &CRYPTO_FIELDS),
        Field::object("/idempotency", &IDEMPOTENCY_FIELDS),
        Field::new("/invalid_request_status", JsonType::Integer),
        Field::string("/fingerprint_key"),
        Field::new("/transitions", JsonType::Any),
    ],
);

static LIMIT_FIELDS: ObjectSchema = ObjectSchema::new(
    "/limits",
    BODY_BYTES,
    &[
        Field::new("/limits/body_bytes", JsonType::Integer),
        Field::new("/limits/depth", JsonType::Integer),
        Field::new("/limits/violations", JsonType::Integer),
        Field::new("/limits/text_chars", JsonType::Integer),
        Field::new("/limits/description_chars", JsonType::Integer),
        Field::new("/limits/uri_bytes", JsonType::Integer),
        Field::new("/limits/amount", JsonType::Object),
        Field::object("/limits/time_to_complete_payment", &TIME_FIELDS),
    ],
);

static TIME_FIELDS: ObjectSchema = ObjectSchema::new(
    "/limits/time_to_complete_payment",
    TIME_MIN,
    &[
        Field::new("/limits/time_to_complete_payment/min", JsonType::Integer),
        Field::new("/limits/time_to_complete_payment/max", JsonType::Integer),
    ],
);

static URL_FIELDS: ObjectSchema = ObjectSchema::new("/urls", SCHEMES, &[Field::new("/urls/schemes", JsonType::Array)]);

static CRYPTO_FIELDS: ObjectSchema = ObjectSchema::new(
    "/crypto",
    SCALE,
    &[
        Field::new("/crypto/scale", JsonType::Integer),
        Field::string("/crypto/rounding"),
        Field::new("/crypto/max_quote_age_ms", JsonType::Integer),
    ],
);

static IDEMPOTENCY_FIELDS: ObjectSchema =
    ObjectSchema::new("/idempotency", WINDOW, &[Field::new("/idempotency/window_ms", JsonType::Integer)]);

impl Policy {
    /// Reads the JSON form. All members are optional; an unknown member is an error.
    ///
    /// # Errors
    /// Returns a policy error with the JSON Pointer of the invalid member.
    pub fn from_json(json: &[u8]) -> Result<Policy, Error> {
        let mut policy = Policy::default();
        policy.fill(json)?;
        Ok(policy)
    }

    /// Fills a default policy. `from_json` drops it on failure, because a drop at every early return would double the code.
    fn fill(&mut self, json: &[u8]) -> Result<(), Error> {
        let mut slots = [Value::Absent; SLOTS];
        let input = InputObject::read(json, &ROOT, &mut slots, ErrorCode::Policy)?;
        for object in [LIMITS, URLS, CRYPTO, IDEMPOTENCY, TIME] {
            input.object(object)?;
        }
        severities(&input, &mut self.severity)?;
        required(&input, &mut self.required)?;
        self.numbers_of(&input)?;
        amount_bounds(&input, &mut self.limits.amount)?;
        self.currencies = each(&input, CURRENCIES, CURRENCY, Currency::from_code)?;
        if let Some(schemes) = each(&input, SCHEMES, SCHEME, owned)? {
            self.urls.schemes = schemes;
        }
        if let Some(rounding) = input.parsed(ROUNDING, ROUNDINGS, Rounding::from_name)? {
            self.crypto.rounding = rounding;
        }
        self.fingerprint_key = input.parsed(FINGERPRINT_KEY, KEY, FingerprintKey::of_hex)?;
        self.transitions = transitions(&input)?;
        self.check()
    }

    /// Reads the integers by a table, which names each of them once.
    fn numbers_of(&mut self, input: &InputObject<'_, '_>) -> Result<(), Error> {
        let (mut scale, mut status) = (u64::from(self.crypto.scale), u64::from(self.invalid_request_status.status()));
        let limits = &mut self.limits;
        let places = [
            (BODY_BYTES, &mut limits.body_bytes),
            (DEPTH, &mut limits.depth),
            (VIOLATIONS, &mut limits.violations),
            (TEXT_CHARS, &mut limits.text_chars),
            (DESCRIPTION_CHARS, &mut limits.description_chars),
            (URI_BYTES, &mut limits.uri_bytes),
            (TIME_MIN, &mut limits.time_to_complete_payment.min),
            (TIME_MAX, &mut limits.time_to_complete_payment.max),
            (SCALE, &mut scale),
            (MAX_QUOTE_AGE, &mut self.crypto.max_quote_age_ms),
            (WINDOW, &mut self.idempotency.window_ms),
            (INVALID_REQUEST_STATUS, &mut status),
        ];
        for (slot, place) in places {
            if let Some(number) = input.integer(slot)? {
                *place = number;
            }
        }
        self.crypto.scale = u32::try_from(scale).unwrap_or(u32::MAX);
        self.invalid_request_status = match status {
            422 => InvalidRequestStatus::UnprocessableContent,
            400 => InvalidRequestStatus::BadRequest,
            _ => return Err(input.error_at(INVALID_REQUEST_STATUS, "expected 400 or 422")),
        };
        Ok(())
    }
}

/// The message with the names of [`Rounding`].
const ROUNDINGS: &str = "expected half_even, half_up, half_down, up or down";

fn owned(text: &str) -> Option<String> {
    Some(text.into())
}

fn severities(input: &InputObject<'_, '_>, severities: &mut SortedMap<Code, Severity>) -> Result<(), Error> {
    for (name, value) in input.members(SEVERITY)? {
        let wrong = |message| input.error_below(SEVERITY, &[PathSegment::Key(name)], message);
        let code = Code::from_name(&name.decoded()).ok_or_else(|| wrong("no such code"))?;
        let severity = value.text().and_then(|text| Severity::from_name(&text.decoded()));
        let severity = severity.ok_or_else(|| wrong("expected error, warning or off"))?;
        if severities.insert(code, severity).is_some() {
            return Err(wrong("named twice"));
        }
    }
    Ok(())
}

/// Parses each item of an array. An error contains the index of its item.
fn each<'a, T>(
    input: &InputObject<'a, '_>,
    slot: usize,
    message: &'static str,
    parse: fn(&str) -> Option<T>,
) -> Result<Option<Vec<T>>, Error> {
    let Some(array) = input.array(slot)? else { return Ok(None) };
    let mut parsed = Vec::new();
    for (place, item) in items(array).enumerate() {
        let value = item.text().and_then(|text| parse(&text.decoded()));
        parsed.push(value.ok_or_else(|| input.error_below(slot, &[PathSegment::Index(place)], message))?);
    }
    Ok(Some(parsed))
}

fn required(input: &InputObject<'_, '_>, required: &mut Vec<String>) -> Result<(), Error> {
    *required = each(input, REQUIRED, "expected a JSON Pointer", owned)?.unwrap_or_default();
    Ok(())
}

fn amount_bounds(input: &InputObject<'_, '_>, all: &mut SortedMap<Currency, AmountBounds>) -> Result<(), Error> {
    for (name, value) in input.members(AMOUNT)? {
        let wrong = |message| input.error_below(AMOUNT, &[PathSegment::Key(name)], message);
        let currency = Currency::from_code(&name.decoded()).ok_or_else(|| wrong(NO_CURRENCY))?;
        let Value::Object(object) = value else { return Err(wrong("expected an object")) };
        if all.insert(currency, bounds(input, name, object)?).is_some() {
            return Err(wrong("named twice"));
        }
    }
    Ok(())
}

fn bounds(input: &InputObject<'_, '_>, currency: JsonStr<'_>, object: &str) -> Result<AmountBounds, Error> {
    let mut bounds = AmountBounds::default();
    let mut seen = (false, false);
    for (name, value) in members(object) {
        let wrong = |message| input.error_below(AMOUNT, &[PathSegment::Key(currency), PathSegment::Key(name)], message);
        let (place, seen) = if name.is("min") {
            (&mut bounds.min, &mut seen.0)
        } else if name.is("max") {
            (&mut bounds.max, &mut seen.1)
        } else {
            return Err(wrong(UNKNOWN));
        };
        if core::mem::replace(seen, true) {
            return Err(wrong("named twice"));
        }
        // A null counts as absent, as it does for the members of a schema.
        if !matches!(value, Value::Null) {
            let amount = value.text().and_then(|text| Amount::parse(&text.decoded()).ok());
            *place = Some(amount.ok_or_else(|| wrong(DECIMAL))?);
        }
    }
    Ok(bounds)
}

fn transitions(input: &InputObject<'_, '_>) -> Result<Transitions, Error> {
    const EXPECTED: &str = "expected open, conventional or a list of pairs of states";
    let array = match input.value(TRANSITIONS) {
        Value::Absent | Value::Null => return Ok(Transitions::Open),
        Value::String(text) if text.is("open") => return Ok(Transitions::Open),
        Value::String(text) if text.is("conventional") => return Ok(Transitions::Conventional),
        Value::Array(array) => array,
        _ => return Err(input.error_at(TRANSITIONS, EXPECTED)),
    };
    let mut pairs = Vec::new();
    for (place, item) in items(array).enumerate() {
        let wrong = |segments: &[PathSegment<'_>]| {
            input.error_below(TRANSITIONS, segments, "expected a pair of names of states")
        };
        let place = PathSegment::Index(place);
        let Value::Array(pair) = item else { return Err(wrong(&[place])) };
        let mut states = Vec::new();
        for (end, value) in items(pair).enumerate() {
            let state = value.text().and_then(|text| State::from_name(&text.decoded()));
            states.push(state.ok_or_else(|| wrong(&[place, PathSegment::Index(end)]))?);
        }
        match *states {
            [from, to] => pairs.push((from, to)),
            _ => return Err(wrong(&[place])),
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
        assert!(words.eq(Rounding::ALL.map(Rounding::name)));
    }
}
