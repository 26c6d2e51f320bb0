//! The tables and small typed values that JavaScript receives as objects, with the members of the
//! JSON form.

use payspec::card::card_info;
use payspec::{DECISIONS, Error, Location, RULES, State};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::collections::BTreeMap;
use std::ops::Range;
use wasm_bindgen::prelude::*;

use crate::engine::{Engine, from_u32, take};
use crate::error::PayspecError;

#[wasm_bindgen]
impl Engine {
    /// Returns the policy, including default values. Its `fingerprint_key` is null.
    pub fn policy_object(&self) -> JsValue {
        object(self.engine.policy())
    }

    /// Returns the catalogue of violation codes.
    pub fn rules_object(&self) -> JsValue {
        table("rules", RULES)
    }

    /// Returns the decision register.
    pub fn decisions_object(&self) -> JsValue {
        table("decisions", DECISIONS)
    }

    /// Returns the table of states.
    pub fn states_object(&self) -> JsValue {
        let states = State::ALL.iter().map(|state| StateObject {
            state: state.name(),
            is_final: state.is_final(),
            outcome: state.outcome().name(),
            legacy: state.legacy_flags().into(),
        });
        table("states", &states.collect::<Vec<_>>())
    }

    /// Returns the facts about the card number in the input.
    ///
    /// # Errors
    /// Returns a UTF-8 error if the input is not UTF-8.
    pub fn card_info_object(&mut self, digits: u32) -> Result<JsValue, PayspecError> {
        let input = take(&mut self.input.as_slice(), from_u32(digits));
        let info = match str::from_utf8(input) {
            Ok(digits) => Ok(object(&card_info(digits))),
            Err(_) => Err(Error::utf8("/digits")),
        };
        self.clear_input(from_u32(digits));
        Ok(info?)
    }

    /// Returns the location of the value at the JSON Pointer that comes after the body.
    ///
    /// # Errors
    /// Returns a UTF-8 or context error if the pointer is invalid.
    pub fn locate_object(&mut self, body: u32, pointer: u32) -> Result<JsValue, PayspecError> {
        let mut rest = self.input.as_slice();
        let input = take(&mut rest, from_u32(body));
        let location = match str::from_utf8(take(&mut rest, from_u32(pointer))) {
            Ok(pointer) => self.engine.locate(input, pointer),
            Err(_) => Err(Error::utf8("/pointer")),
        };
        self.clear_input(from_u32(body).saturating_add(from_u32(pointer)));
        Ok(match location? {
            Some(location) => object(&LocationObject::from(location)),
            None => object(&NotFound { found: false }),
        })
    }
}

#[derive(Serialize)]
struct StateObject {
    state: &'static str,
    #[serde(rename = "final")]
    is_final: bool,
    outcome: &'static str,
    legacy: LegacyObject,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LegacyObject {
    is_completed: bool,
    is_succeed: bool,
    is_partially_completed: bool,
}

impl From<payspec::LegacyFlags> for LegacyObject {
    fn from(flags: payspec::LegacyFlags) -> LegacyObject {
        LegacyObject {
            is_completed: flags.completed,
            is_succeed: flags.succeed,
            is_partially_completed: flags.partially_completed,
        }
    }
}

#[derive(Serialize)]
struct LocationObject {
    start: usize,
    end: usize,
    line: u64,
    column: u64,
    name: Option<Range<usize>>,
}

impl From<Location> for LocationObject {
    fn from(location: Location) -> LocationObject {
        LocationObject {
            start: location.value.start,
            end: location.value.end,
            line: location.line,
            column: location.column,
            name: location.name,
        }
    }
}

#[derive(Serialize)]
struct NotFound {
    found: bool,
}

/// Returns an object whose only member is the rows of a table.
fn table<T: Serialize>(name: &'static str, rows: &[T]) -> JsValue {
    object(&BTreeMap::from([(name, rows)]))
}

/// Returns a value as an object of JavaScript, like `JSON.parse` of its JSON form.
fn object<T: Serialize>(value: &T) -> JsValue {
    // The values above contain only texts, booleans, and numbers, which JavaScript has.
    value
        .serialize(&Serializer::json_compatible())
        .unwrap_or_default()
}
