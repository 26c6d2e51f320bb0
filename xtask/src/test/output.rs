//! The output of a program, line by line while it runs.

use std::io::{BufRead, BufReader, IsTerminal};
use std::process::{Command, Stdio};

/// Passes both streams of a program to `line` in the order written, line by line.
pub(super) fn follow(command: &mut Command, mut line: impl FnMut(&str)) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let (reader, writer) = std::io::pipe().map_err(text)?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(text)?)
        .stderr(writer);
    let mut child = command.spawn().map_err(text)?;
    // The command holds the other end of the pipe; while it is open, reading does not end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for read in BufReader::new(reader).split(b'\n') {
        line(&String::from_utf8_lossy(&read.map_err(text)?));
    }
    let status = child.wait().map_err(text)?;
    if status.success() {
        Ok(())
    } else {
        Err(status.to_string())
    }
}
