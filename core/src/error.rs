//! Errors of the caller, such as an invalid context or policy. The content of a body never causes
//! one.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::json::position::line_and_column;
use crate::json::writer::{Writer, text_by, write_integer};
use crate::util::string_enum::string_enum;

string_enum! {
    /// The kind of an error. Its name is the member `code` of the JSON form.
    #[non_exhaustive]
    ErrorKind {
        /// A required input is missing, or an argument is invalid.
        Argument = "argument",
        /// An input supplied by the caller is not UTF-8.
        Utf8 = "utf8",
        /// A context is invalid, or lacks a member that the operation requires.
        Context = "context",
        /// The policy contains an invalid setting.
        Policy = "policy",
    }
}

/// The caller passed an invalid context, policy, or argument. No response was produced.
///
/// The error contains the location and a description of what was expected, never the value.
///
/// ```
/// use payspec::{CreateContext, ErrorKind};
///
/// let error = CreateContext::from_json(br#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11"}"#).unwrap_err();
/// assert_eq!((error.kind(), error.path(), error.message()), (ErrorKind::Context, "/now", "required"));
/// assert_eq!(error.to_string(), "context error at /now: required");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error(Box<ErrorInner>);

/// The fields are boxed, because errors are rare and every `Result` with an [`Error`] reserves its
/// size.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct ErrorInner {
    #[cfg_attr(feature = "serde", serde(rename = "code"))]
    kind: ErrorKind,
    path: String,
    message: Cow<'static, str>,
}

impl Error {
    /// Creates an error of this kind at the JSON Pointer `path`. `message` describes what was
    /// expected and contains no value.
    #[cold]
    pub(crate) fn new(kind: ErrorKind, path: impl Into<String>, message: &'static str) -> Self {
        Error(Box::new(ErrorInner {
            kind,
            path: path.into(),
            message: Cow::Borrowed(message),
        }))
    }

    /// Returns an error for an input whose JSON is invalid at the byte `at`. The message contains
    /// line and column.
    #[cold]
    pub(crate) fn json_syntax(kind: ErrorKind, input: &[u8], at: usize) -> Self {
        let (line, column) = line_and_column(input, at);
        let message = text_by(|out| {
            for (words, number) in [("invalid JSON at line ", line), (", column ", column)] {
                out.extend_from_slice(words.as_bytes());
                write_integer(u64::try_from(number).unwrap_or(u64::MAX), out);
            }
        });
        let message = Cow::Owned(message);
        Error(Box::new(ErrorInner {
            kind,
            path: String::new(),
            message,
        }))
    }

    /// Returns an error for an invalid or missing argument, for bindings. `path` names the argument
    /// (`/body`); `message` describes what was expected.
    ///
    /// ```
    /// use payspec::Error;
    ///
    /// let error = Error::argument("/body", "required");
    /// assert_eq!(error.to_string(), "argument error at /body: required");
    /// ```
    pub fn argument(path: impl Into<String>, message: &'static str) -> Self {
        Error::new(ErrorKind::Argument, path, message)
    }

    /// Returns an error for an argument that is not UTF-8, for bindings.
    pub fn utf8(path: impl Into<String>) -> Self {
        Error::new(ErrorKind::Utf8, path, "expected UTF-8")
    }

    pub(crate) fn context(path: impl Into<String>, message: &'static str) -> Self {
        Error::new(ErrorKind::Context, path, message)
    }

    /// Returns the error of a value that is at the JSON Pointer `base` of the whole input.
    #[cold]
    pub(crate) fn with_base(mut self, base: &str) -> Self {
        self.0.path.insert_str(0, base);
        self
    }

    /// Returns the error of a policy as one of the context that contains it at `base`.
    #[cold]
    pub(crate) fn in_context(mut self, base: &str) -> Self {
        self.0.kind = ErrorKind::Context;
        self.with_base(base)
    }

    /// Returns the kind of error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the JSON Pointer (RFC 6901) of the invalid member; empty for the input as a whole.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Returns the message, which describes what was expected.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Appends `{"error":{"code":…,"path":…,"message":…}}`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("error").object(|w| {
                w.name("code").string(self.0.kind.name());
                w.name("path").string(&self.0.path);
                w.name("message").string(&self.0.message);
            });
        });
    }
}

impl fmt::Display for Error {
    /// Writes one line, such as `context error at /url: expected an absolute URI`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let location = if self.path().is_empty() {
            "the input"
        } else {
            self.path()
        };
        write!(
            f,
            "{} error at {}: {}",
            self.kind(),
            location.escape_debug(),
            self.message()
        )
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Error {
    /// Writes the members of `write_json`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut error = serializer.serialize_struct("Error", 1)?;
        error.serialize_field("error", &*self.0)?;
        error.end()
    }
}
