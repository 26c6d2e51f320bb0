//! Makes one call through the table of operations, like a binding: bytes in, a number and bytes
//! out.

use crate::json::Json;
use payspec::operations::{self, Verdict};
use payspec::{Engine, Error, ErrorKind};

/// The result that a binding returns to its caller.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// 0 accepted, 1 rejected, negative: caller error.
    pub returns: i32,
    /// The JSON text, also of an error.
    pub text: Vec<u8>,
}

impl Answer {
    /// Returns path and code of each violation of a report.
    ///
    /// # Panics
    /// Panics if the text is not a report.
    pub fn violations(&self) -> Vec<(String, String)> {
        let report = Json::parse(&self.text).expect("an answer in JSON");
        let violations = report.get("violations").expect("a report").elements();
        let pair = |violation: &Json| {
            let [path, code] = ["path", "code"].map(|name| {
                let member = violation.get(name).and_then(Json::as_str);
                member.expect("a violation").to_owned()
            });
            (path, code)
        };
        violations.iter().map(pair).collect()
    }
}

impl From<Error> for Answer {
    fn from(error: Error) -> Answer {
        let mut text = Vec::new();
        error.write_json(&mut text);
        Answer {
            returns: of_error(&error),
            text,
        }
    }
}

/// Calls an operation by its name in the table.
pub fn answer(engine: &Engine, operation: &str, inputs: &[Option<&[u8]>]) -> Answer {
    // Not empty: callers reuse their buffer.
    let mut text = b"the answer of a previous call".to_vec();
    let returns = number(found(operation).call(engine, inputs, Some(&mut text)));
    Answer { returns, text }
}

/// Returns only the number: the call without a buffer.
pub fn verdict(engine: &Engine, operation: &str, inputs: &[Option<&[u8]>]) -> i32 {
    number(found(operation).call(engine, inputs, None))
}

/// Returns the engine of a policy's text, or the default engine without a text.
pub fn engine(policy: Option<&str>) -> Result<Engine, Error> {
    policy.map_or_else(|| Ok(Engine::default()), Engine::from_json)
}

fn found(operation: &str) -> &'static operations::Operation {
    operations::operation(operation).unwrap_or_else(|| panic!("{operation} is not an operation"))
}

fn number(result: Result<Verdict, Error>) -> i32 {
    result.map_or_else(|error| of_error(&error), of_verdict)
}

/// Returns the return code of a verdict of the C API.
pub fn of_verdict(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Accepted => 0,
        Verdict::Rejected => 1,
    }
}

/// Returns the return code of an error of the C API.
pub fn of_error(error: &Error) -> i32 {
    match error.kind() {
        ErrorKind::Argument => -1,
        ErrorKind::Utf8 => -2,
        ErrorKind::Context => -4,
        ErrorKind::Policy => -5,
        other => panic!("{other} has no return code"),
    }
}
