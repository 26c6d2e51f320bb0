//! The context of `check_transition`: two states.

use crate::error::{Error, ErrorKind};
use crate::input::{Input, InputObject};
use crate::json::{Value, object_schema};
use crate::types::state::State;

object_schema! {
    /// Members of the context of `check_transition`.
    enum TransitionField;
    ROOT "" { From "from" String, To "to" String }
}

/// Reads the states `from` and `to`.
pub(crate) fn transition(json: &[u8]) -> Result<(State, State), Error> {
    let mut slots = [Value::Absent; TransitionField::COUNT];
    let input = InputObject::read(json, &ROOT, &mut slots, ErrorKind::Context)?;
    let state = |field| input.get(field).require(Input::state);
    Ok((state(TransitionField::From)?, state(TransitionField::To)?))
}
