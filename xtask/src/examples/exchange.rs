//! A call of a program, and its result.

use std::ffi::OsString;

/// One call of a program. Arguments and variables are bytes: a client may send any.
#[derive(Clone, Default)]
pub(crate) struct Request {
    pub(crate) body: Vec<u8>,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) variables: Vec<(String, OsString)>,
    /// Files to write, or to remove, before the call; `{files}` in an argument is their folder.
    pub(crate) files: Vec<(String, Option<String>)>,
}

/// The result of a program.
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: String,
    /// Whether the file of the record exists.
    pub(crate) stored: bool,
}
