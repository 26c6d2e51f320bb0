//! Errors of the caller, such as an invalid context or policy. The content of a body never causes one.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::json::writer::Writer;
use crate::report::line_and_column;
use crate::util::string_enum::impl_display_via_name;

/// The kind of an error. The numbers of the C API are explicit and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum ErrorCode {
    /// A required input is missing, or an argument is invalid.
    Argument = -1,
    /// An input supplied by the caller is not UTF-8.
    Utf8 = -2,
    /// The library panicked, which is a bug. The binding has caught the panic.
    Panic = -3,
    /// A context is invalid, or lacks a member that the operation requires.
    Context = -4,
    /// The policy contains an invalid setting.
    Policy = -5,
}

impl ErrorCode {
    /// Returns the name in the JSON form.
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::Argument => "argument",
            ErrorCode::Utf8 => "utf8",
            ErrorCode::Panic => "panic",
            ErrorCode::Context => "context",
            ErrorCode::Policy => "policy",
        }
    }
}

/// The caller passed an invalid context, policy, or argument. No response was produced.
///
/// The error contains the location and a description of what was expected, never the value.
///
/// ```
/// use payspec::{CreateContext, ErrorCode};
///
/// let error = CreateContext::from_json(br#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11"}"#).unwrap_err();
/// assert_eq!((error.code(), error.path(), error.message()), (ErrorCode::Context, "/now", "required"));
/// assert_eq!(error.to_string(), "context error at /now: required");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error(Box<ErrorInner>);

/// The fields are boxed, because errors are rare and every `Result` with an [`Error`] reserves its size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ErrorInner {
    code: ErrorCode,
    path: String,
    expected: Cow<'static, str>,
}

impl Error {
    /// Creates an error of kind `code` at the JSON Pointer `path`. `message` describes what was expected and contains no
    /// value.
    #[cold]
    pub fn new(code: ErrorCode, path: impl Into<String>, message: &'static str) -> Self {
        Error(Box::new(ErrorInner { code, path: path.into(), expected: Cow::Borrowed(message) }))
    }

    /// Returns an error for an input whose JSON is invalid at the byte `at`. The message contains line and column.
    #[cold]
    pub(crate) fn json_syntax(code: ErrorCode, input: &[u8], at: usize) -> Self {
        let (line, column) = line_and_column(input, at);
        let expected = Cow::Owned(format!("invalid JSON at line {line}, column {column}"));
        Error(Box::new(ErrorInner { code, path: String::new(), expected }))
    }

    /// Returns an error for an invalid or missing argument, for bindings. `path` names the argument (`/body`); `message`
    /// describes what was expected.
    ///
    /// ```
    /// use payspec::Error;
    ///
    /// let error = Error::argument("/body", "required");
    /// assert_eq!(error.to_string(), "argument error at /body: required");
    /// ```
    #[cold]
    pub fn argument(path: impl Into<String>, message: &'static str) -> Self {
        Error::new(ErrorCode::Argument, path, message)
    }

    pub(crate) fn context(path: impl Into<String>, message: &'static str) -> Self {
        Error::new(ErrorCode::Context, path, message)
    }

    /// Returns the kind of error.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// Returns the return code of the C API, which is always negative.
    pub fn return_code(&self) -> i32 {
        match self.0.code {
            ErrorCode::Argument => -1,
            ErrorCode::Utf8 => -2,
            ErrorCode::Panic => -3,
            ErrorCode::Context => -4,
            ErrorCode::Policy => -5,
        }
    }

    /// Returns the JSON Pointer (RFC 6901) of the invalid member; empty for the input as a whole.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Returns the message, which describes what was expected.
    pub fn message(&self) -> &str {
        &self.0.expected
    }

    /// Appends `{"error":{"code":…,"path":…,"message":…}}`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("error").object(|w| {
                w.name("code").string(self.0.code.name());
                w.name("path").string(&self.0.path);
                w.name("message").string(&self.0.expected);
            });
        });
    }
}

impl fmt::Display for Error {
    /// Writes one line, such as `context error at /url: expected an absolute URI`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.path().is_empty() { "the input" } else { self.path() };
        write!(f, "{} error at {}: {}", self.code(), place.escape_debug(), self.message())
    }
}

impl_display_via_name! { ErrorCode }

#[cfg(feature = "serde")]
crate::json::serialize::impl_serialize_via_json! { Error }
