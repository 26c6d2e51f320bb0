//! The context of `check_transition`: two states.

use crate::error::{Error, ErrorCode};
use crate::input::InputObject;
use crate::json::{Field, ObjectSchema, Value};
use crate::types::state::State;

const FROM: usize = 0;
const TO: usize = 1;

static ROOT: ObjectSchema = ObjectSchema::new("", FROM, &[Field::string("/from"), Field::string("/to")]);

pub(super) const STATE: &str = "expected a state of the interface";

/// Reads the states `from` and `to`.
pub(crate) fn transition(json: &[u8]) -> Result<(State, State), Error> {
    let mut slots = [Value::Absent; 2];
    let input = InputObject::read(json, &ROOT, &mut slots, ErrorCode::Context)?;
    let state = |slot| input.require(slot, input.parsed(slot, STATE, State::from_name)?);
    Ok((state(FROM)?, state(TO)?))
}
