//! Suggestions for people: the name or the value that was probably meant.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use payspec::Engine;

use super::finding::Finding;
use crate::suggest::similar;
use crate::tables::request_schemas;

/// The shortest name or value for which a similar one is suggested.
const SHORTEST: usize = 2;

/// Finds suggestions.
#[derive(Default)]
pub(super) struct Helper {
    /// The names of the members of requests, read from the OpenAPI document when they are first
    /// needed.
    members: OnceLock<BTreeSet<String>>,
}

impl Helper {
    /// Returns the help for a finding. `marked` is the JSON of the marked name or value, with
    /// secrets masked.
    pub(super) fn help(
        &self,
        engine: &Engine,
        finding: &Finding,
        marked: Option<&str>,
    ) -> Option<String> {
        if let Some(replaced_by) = finding.replaced_by {
            return Some(format!("use `{replaced_by}`"));
        }
        let text: String = serde_json::from_str(marked?).ok()?;
        if text.len() < SHORTEST {
            return None;
        }
        let best = match finding.code {
            "unknown_member" => similar(&text, self.members(engine).iter().map(String::as_str))?,
            // The accepted values are schemes, without the rest of the URI.
            "uri_scheme" => similar(
                text.split(':').next()?,
                finding.accepted.iter().map(String::as_str),
            )?,
            _ => similar(&text, finding.accepted.iter().map(String::as_str))?,
        };
        Some(format!("did you mean `{best}`?"))
    }

    fn members(&self, engine: &Engine) -> &BTreeSet<String> {
        self.members.get_or_init(|| {
            let schemas = request_schemas(engine).unwrap_or_default();
            let members = schemas
                .values()
                .filter_map(|schema| schema.get("properties")?.as_object());
            members
                .flat_map(|members| members.keys().cloned())
                .collect()
        })
    }
}
