//! The results of tools. Card numbers and security codes are masked in all of them.

use payspec::Engine;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use crate::failure::Failure;

/// The result of a tool.
pub(super) enum Answer {
    /// A JSON object.
    Object(Value),
    Text(String),
}

impl Answer {
    /// Returns the result of the protocol, redacted as the library redacts bodies and texts.
    pub(super) fn redacted(self, engine: &Engine) -> CallToolResult {
        match self {
            Answer::Object(value) => {
                let text = value.to_string();
                let redacted = engine
                    .redact(text.as_bytes())
                    .unwrap_or_else(|_| engine.redact_text(&text));
                match serde_json::from_str(&redacted) {
                    Ok(value) => CallToolResult::structured(value),
                    Err(_) => CallToolResult::success(vec![ContentBlock::text(redacted)]),
                }
            }
            Answer::Text(text) => {
                let text = engine.redact_text(&text);
                CallToolResult::success(vec![ContentBlock::text(text)])
            }
        }
    }
}

/// The reason why a tool has no result: one sentence without a value of the caller.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) String);

impl Refusal {
    pub(super) fn new(sentence: impl Into<String>) -> Self {
        Refusal(sentence.into())
    }
}

/// A failure of a command names options, which are arguments here.
impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let text = failure.to_string();
        Refusal(text.trim_start_matches("--").to_owned())
    }
}
