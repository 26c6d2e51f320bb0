//! The output of a program, line by line while it runs.

use anyhow::{Result, ensure};
use std::io::{BufRead, BufReader, IsTerminal};
use std::process::{Command, Stdio};

/// Passes both streams of a program to `line` in the order written, line by line.
pub(crate) fn follow(command: &mut Command, mut line: impl FnMut(&str)) -> Result<()> {
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let (reader, writer) = std::io::pipe()?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut child = command.spawn()?;
    // The command holds the other end of the pipe; while it is open, reading does not end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for read in BufReader::new(reader).split(b'\n') {
        line(&String::from_utf8_lossy(&read?));
    }
    let status = child.wait()?;
    ensure!(status.success(), "{status}");
    Ok(())
}
