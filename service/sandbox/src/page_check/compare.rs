//! The differences between a served page and its inventory.

use std::collections::HashSet;
use std::fmt;

use payspec_gateway::http::{HTML_HEADERS, PAGE_HEADERS};
use serde::Serialize;

use super::inventory::Inventory;
use super::served::{Served, integrity};
use super::tags::{self, Script};

/// A part of the page that is not as listed.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Difference {
    /// The header or the file.
    subject: String,
    /// The served value; null if it is missing.
    found: Option<String>,
    /// The listed value; null if it is not listed.
    expected: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, .. } = self;
        match (&self.found, &self.expected) {
            (Some(found), Some(expected)) => write!(f, "{subject}: {found}; expected {expected}"),
            (None, Some(expected)) => write!(f, "{subject}: missing; expected {expected}"),
            (Some(found), None) => write!(f, "{subject}: {found}; not in the inventory"),
            (None, None) => write!(f, "{subject}: not in the inventory"),
        }
    }
}

/// Returns all differences: of headers, of the page, of scripts that it names, and of files.
pub(super) fn differences(served: &Served, inventory: &Inventory) -> Vec<Difference> {
    let mut found = headers(&served.headers);
    let hash = integrity(&served.html);
    if hash != inventory.page.integrity {
        found.push(Difference {
            subject: "the page".to_owned(),
            found: Some(hash),
            expected: Some(inventory.page.integrity.clone()),
        });
        found.extend(scripts(served, inventory));
    }
    found.extend(files(served, inventory));
    found
}

/// Compares the headers of the page with those that the gateway sends. Others are permitted.
fn headers(served: &[(String, String)]) -> Vec<Difference> {
    let expected = PAGE_HEADERS.into_iter().chain(HTML_HEADERS);
    expected
        .filter_map(|(name, expected)| {
            let found = served.iter().find(|(known, _)| known == name);
            let found = found.map(|(_, value)| value.clone());
            (found.as_deref() != Some(expected)).then(|| Difference {
                subject: format!("header {name}"),
                found,
                expected: Some(expected.to_owned()),
            })
        })
        .collect()
}

/// Returns the scripts of a changed page that the inventory does not list.
fn scripts(served: &Served, inventory: &Inventory) -> Vec<Difference> {
    let listed: HashSet<_> = inventory
        .scripts
        .iter()
        .filter_map(|file| served.url.join(&file.path).ok())
        .collect();
    let unlisted = |subject: String| Difference {
        subject,
        found: None,
        expected: None,
    };
    tags::scripts(&String::from_utf8_lossy(&served.html))
        .into_iter()
        .filter_map(|script| match script {
            Script::Inline => Some(unlisted("a script in the page".to_owned())),
            Script::At(address) => {
                let url = served.url.join(&address).ok();
                let is_listed = url.is_some_and(|url| listed.contains(&url));
                (!is_listed).then(|| unlisted(format!("script {address}")))
            }
        })
        .collect()
}

fn files(served: &Served, inventory: &Inventory) -> Vec<Difference> {
    let pairs = inventory.files().zip(&served.files);
    pairs
        .filter_map(|(file, found)| {
            let found = match found {
                Ok(hash) if *hash == file.integrity => return None,
                Ok(hash) => hash.clone(),
                Err(status) => format!("status {status}"),
            };
            Some(Difference {
                subject: file.path.clone(),
                found: Some(found),
                expected: Some(file.integrity.clone()),
            })
        })
        .collect()
}
