//! Reads the types of the npm package, which are documented in TypeScript.

use super::common::failed;
use payspec_tests::root;
use std::fs;

/// All declarations of `wasm/types`, each with its comment.
pub(super) struct Types(String);

impl Types {
    pub(super) fn load() -> Result<Types, String> {
        let folder = root().join("wasm/types");
        let mut paths: Vec<_> = fs::read_dir(&folder)
            .map_err(failed(&folder))?
            .map(|entry| entry.map(|entry| entry.path()).map_err(failed(&folder)))
            .collect::<Result<_, _>>()?;
        // The folder of the messages declares no type of an operation.
        paths.retain(|path| path.is_file());
        paths.sort();
        let mut text = String::new();
        for path in paths {
            text.push_str(&fs::read_to_string(&path).map_err(failed(&path))?);
            text.push('\n');
        }
        Ok(Types(text))
    }

    /// Returns the declaration of this name, with its comment.
    pub(super) fn declaration(&self, name: &str) -> Result<&str, String> {
        let text = &self.0;
        let found = ["interface", "type"].iter().find_map(|keyword| {
            let head = format!("export {keyword} {name}");
            text.match_indices(&head)
                .map(|(at, _)| at)
                .find(|at| text[at + head.len()..].starts_with(|next: char| !next.is_alphanumeric() && next != '_'))
        });
        let start = found.ok_or_else(|| format!("wasm/types has no {name}"))?;
        let end = text[start..].find("\n\n").map_or(text.len(), |length| start + length);
        // The comment ends on the line before.
        let start = match text[..start].ends_with("*/\n") {
            true => text[..start].rfind("/**").unwrap_or(start),
            false => start,
        };
        Ok(&text[start..end])
    }
}
