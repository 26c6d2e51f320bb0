//! The machine and the tools of a run: processor, compiler, versions of other libraries. No paths,
//! no user names.

use super::figures::Run;
use crate::support::machine::{commit, cores, processor};
use std::process::Command;

/// Other Rust libraries whose versions are in Cargo.lock.
const LIBRARIES: [&str; 4] = ["serde_json", "sonic-rs", "jsonschema", "garde"];

/// Returns names and values in the order of the table.
pub(crate) fn facts(runs: &[Run]) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    facts.extend(commit().map(|commit| ("commit".to_owned(), commit)));
    facts.extend([
        (
            "processor".to_owned(),
            format!("{}, {} cores", processor(), cores()),
        ),
        (
            "system".to_owned(),
            format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH),
        ),
        (
            "rustc".to_owned(),
            format!("{}, profile release, no target-cpu", compiler()),
        ),
    ]);
    facts.extend(
        LIBRARIES
            .iter()
            .filter_map(|library| Some(((*library).to_owned(), locked(library)?))),
    );
    facts.extend(runs.iter().flat_map(|run| run.versions.clone()));
    facts
}

/// Returns the release and the LLVM version of the compiler, which both affect the number of
/// instructions.
pub(crate) fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("-vV")
        .current_dir(payspec_support::root())
        .output();
    let text = output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    let value = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or("unknown")
            .trim()
            .to_owned()
    };
    format!("{}, LLVM {}", value("release:"), value("LLVM version:"))
}

/// Returns the version of a package in Cargo.lock.
fn locked(name: &str) -> Option<String> {
    let lock = fs_err::read_to_string(payspec_support::root().join("Cargo.lock")).ok()?;
    let (_, rest) = lock.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
    rest.split('"').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_version_of_every_library_and_the_compiler() {
        for library in LIBRARIES {
            assert!(locked(library).is_some(), "{library}");
        }
        assert!(!compiler().contains("unknown"), "{}", compiler());
    }
}
