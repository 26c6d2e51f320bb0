//! The type of a generated page, and the output of the program `payspec`.

use payspec_tests::root;
use serde::Serialize;
use std::path::Path;
use std::process::Command;

/// A generated page of the book.
#[derive(Serialize)]
pub(crate) struct Page {
    /// The path below `docs/src`, with the extension `.md`.
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Returns the output of the program in the variable `PAYSPEC`, also if it exits with 1, which
/// means that an input is rejected.
pub(crate) fn printed(arguments: &[&str]) -> Result<String, String> {
    let program = std::env::var_os("PAYSPEC").ok_or("PAYSPEC is not set")?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .env_remove("COLUMNS")
        .output();
    let output = output.map_err(|error| format!("payspec: {error}"))?;
    match output.status.code() {
        Some(0 | 1) => String::from_utf8(output.stdout)
            .map_err(|_| "payspec printed bytes that are not UTF-8".to_owned()),
        _ => Err(format!(
            "payspec {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Returns a function that adds the path to an error.
pub(crate) fn failed(path: &Path) -> impl Fn(std::io::Error) -> String + use<> {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}
