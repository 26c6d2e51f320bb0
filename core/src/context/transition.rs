//! The context of `check_transition`: two states.

use crate::error::Error;
use crate::input::{Input, context};
use crate::types::state::State;

/// Reads the states `from` and `to`.
pub(crate) fn transition(json: &[u8]) -> Result<(State, State), Error> {
    let [from, to] = context(json, ["from", "to"])?;
    Ok((from.require(Input::state)?, to.require(Input::state)?))
}
