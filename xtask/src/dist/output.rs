//! Runs commands for their output.

use std::process::Command;

/// Runs a command that must succeed, and returns both of its outputs.
pub(super) fn text_of(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let text = [output.stdout, output.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{command:?}\n{text}"))
    }
}
