//! The error of a command, and its conversions from the errors of the libraries.

use std::fmt;

/// The reason why a command has failed, for people.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Failure(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! failure_from {
    ($($error:ty)*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure(error.to_string())
            }
        })*
    };
}

failure_from! {
    payspec_gateway::storage::StorageError
    payspec_gateway::rates::RateError
    payspec_gateway::webhook::SenderError
    payspec_gateway::http::DocumentError
    payspec_gateway::secret_keys::SecretKeyError
    std::io::Error
    getrandom::Error
    metrics_exporter_prometheus::BuildError
}
