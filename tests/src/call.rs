//! One call through the doors' table of operations, as a door makes it: bytes in, a number and bytes out.

use payspec::operations::{self, Verdict};
use payspec::{Engine, Error};

/// What a door hands to its host.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// 0 accepted, 1 rejected, negative: misuse.
    pub returns: i32,
    /// The JSON text; of an error too.
    pub text: Vec<u8>,
}

impl From<Error> for Answer {
    fn from(error: Error) -> Answer {
        let mut text = Vec::new();
        error.write_json(&mut text);
        Answer { returns: error.return_code(), text }
    }
}

/// Calls an operation. The name is one of the table.
pub fn answer(engine: &Engine, operation: &str, inputs: &[Option<&[u8]>]) -> Answer {
    // Not empty: a host keeps its buffer from call to call.
    let mut text = b"what an earlier call left".to_vec();
    let returns = number(found(operation).call(engine, inputs, Some(&mut text)));
    Answer { returns, text }
}

/// The number alone, where the host gives no buffer.
pub fn verdict(engine: &Engine, operation: &str, inputs: &[Option<&[u8]>]) -> i32 {
    number(found(operation).call(engine, inputs, None))
}

/// The engine of a policy's text; the default one where there is none.
pub fn engine(policy: Option<&str>) -> Result<Engine, Error> {
    policy.map_or_else(|| Ok(Engine::default()), Engine::from_json)
}

fn found(operation: &str) -> &'static operations::Operation {
    operations::operation(operation).unwrap_or_else(|| panic!("{operation} is no operation"))
}

fn number(result: Result<Verdict, Error>) -> i32 {
    result.map_or_else(|error| error.return_code(), Verdict::return_code)
}
