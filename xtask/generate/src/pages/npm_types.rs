//! Reads the types of the npm package, which are documented in TypeScript.

use crate::common::failed;
use payspec_tests::root;
use std::fs;

/// All declarations of `wasm/types`, each with its comment.
pub(super) struct Types(String);

/// Returns the text of a file of `wasm/types`.
pub(super) fn file(name: &str) -> Result<String, String> {
    let path = root().join("wasm/types").join(name);
    fs::read_to_string(&path).map_err(failed(&path))
}

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
        let found = ["interface", "type", "declare class"]
            .iter()
            .find_map(|keyword| {
                let head = format!("export {keyword} {name}");
                text.match_indices(&head).map(|(at, _)| at).find(|at| {
                    text[at + head.len()..]
                        .starts_with(|next: char| !next.is_alphanumeric() && next != '_')
                })
            });
        let start = found.ok_or_else(|| format!("wasm/types has no {name}"))?;
        let end = text[start..]
            .find("\n\n")
            .map_or(text.len(), |length| start + length);
        // The comment ends on the line before.
        let start = match text[..start].ends_with("*/\n") {
            true => text[..start].rfind("/**").unwrap_or(start),
            false => start,
        };
        Ok(&text[start..end])
    }

    /// Returns the members of the class or interface whose declaration begins with `head`, the
    /// brace included.
    pub(super) fn body(&self, head: &str) -> Result<&str, String> {
        let (_, after) = self
            .0
            .split_once(&format!("{head}\n"))
            .ok_or_else(|| format!("wasm/types has no {head}"))?;
        Ok(after.find("\n}").map_or(after, |end| &after[..=end]))
    }

    /// Returns the names of the types that these contain, directly or not, without these.
    pub(super) fn within(&self, names: &[&str]) -> Vec<String> {
        let mut found: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut next = 0;
        while let Some(name) = found.get(next) {
            let declaration = without_comments(self.declaration(name).unwrap_or_default());
            let words = declaration
                .split(|character: char| !character.is_alphanumeric() && character != '_');
            for word in words.filter(|word| word.starts_with(char::is_uppercase)) {
                if !found.iter().any(|known| known == word) && self.declaration(word).is_ok() {
                    found.push(word.to_owned());
                }
            }
            next += 1;
        }
        found.split_off(names.len())
    }

    /// Returns the signature of a method of the engine.
    pub(super) fn method(&self, name: &str) -> Result<&str, String> {
        let mut lines = self.0.lines().map(str::trim);
        let found = lines.find(|line| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(['(', '<']))
                && line.ends_with(';')
        });
        found.ok_or_else(|| format!("wasm/types has no method {name}"))
    }
}

/// Returns declarations without their comments.
pub(super) fn without_comments(text: &str) -> String {
    let mut parts = text.split("/**");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| {
        code + part.split_once("*/").map_or("", |(_, rest)| rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_all_types_that_a_type_contains() {
        let types = Types::load().unwrap();
        let within = types.within(&["Report"]);
        for name in [
            "ReportBase",
            "Violation",
            "ViolationParams",
            "MinorUnit",
            "PaymentType",
        ] {
            assert!(
                within.iter().any(|found| found == name),
                "{name}: {within:?}"
            );
        }
        // The second word is in a comment only.
        assert!(
            !within
                .iter()
                .any(|found| found == "Report" || found == "Policy"),
            "{within:?}"
        );
        assert_eq!(types.method("states").unwrap(), "states(): States;");
    }
}
