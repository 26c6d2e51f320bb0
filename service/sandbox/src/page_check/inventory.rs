//! The inventory that the build of the page writes.

use std::path::Path;

use serde::Deserialize;

use crate::failure::Failure;

/// The files of a page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Inventory {
    pub(super) page: File,
    pub(super) scripts: Vec<File>,
    pub(super) styles: Vec<File>,
}

/// A file with its hash.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The path below the address of the page.
    pub(super) path: String,
    /// `sha384-` and the hash in Base64, as in the attribute `integrity`.
    pub(super) integrity: String,
    /// The purpose of a script, for people.
    #[serde(default, rename = "purpose")]
    _purpose: Option<String>,
}

impl Inventory {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display();
        let text =
            std::fs::read(path).map_err(|error| Failure::reading(&name.to_string(), &error))?;
        let inventory: Self = serde_json::from_slice(&text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            Failure::new(format!(
                "{name}: line {line}, column {column}: not an inventory of a page"
            ))
        })?;
        match inventory.scripts.is_empty() {
            true => Err(Failure::new(format!("{name}: /scripts: expected a script"))),
            false => Ok(inventory),
        }
    }

    /// Returns the files that the page loads.
    pub(super) fn files(&self) -> impl Iterator<Item = &File> {
        self.scripts.iter().chain(&self.styles)
    }
}
