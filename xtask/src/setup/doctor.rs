//! `cargo xtask doctor`: a table of the tools.

use super::{State, TOOLS, command_for};
use crate::support::style::{BAD, BOLD, FAINT, GOOD, WARN};
use crate::test;
use anstream::println;
use anyhow::{Result, anyhow};

/// Prints each tool with its version, its state, the steps that need it and a command to install
/// it. Fails if a tool of the usual tests or of `serve` is missing.
pub(crate) fn doctor() -> Result<()> {
    let rows: Vec<_> = TOOLS
        .iter()
        .map(|tool| (tool, tool.state(), test::users(&tool.name)))
        .collect();
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or_default();
    let name = width(&mut rows.iter().map(|(tool, ..)| tool.name.len()));
    let wide =
        width(&mut rows.iter().map(|(_, state, _)| version(state).len())).max("version".len());
    let users = width(&mut rows.iter().map(|(.., users)| users.join(" ").len())).min(44);
    println!(
        "{BOLD}{:<name$}  {:<wide$}  {:<7}  {:<users$}  install with{BOLD:#}",
        "tool", "version", "state", "needed by"
    );
    for (tool, state, of) in &rows {
        let (style, word) = match state {
            State::Ready(_) => (GOOD, "ready"),
            State::Old(_) => (WARN, "too old"),
            State::Missing => (BAD, "missing"),
        };
        let install = if state.is_ready() {
            String::new()
        } else {
            command_for(&tool.name)
        };
        let minimum = tool
            .minimum
            .as_ref()
            .filter(|_| !state.is_ready())
            .map(|least| format!(" {FAINT}({least} or later){FAINT:#}"));
        println!(
            "{:<name$}  {:<wide$}  {style}{word:<7}{style:#}  {FAINT}{:<users$}{FAINT:#}  {install}{}",
            tool.name,
            version(state),
            shortened(&of.join(" "), users),
            minimum.unwrap_or_default()
        );
    }
    let usual = test::usual_tools();
    let missing: Vec<_> = rows
        .iter()
        .filter(|(tool, state, _)| !state.is_ready() && usual.contains(tool.name.as_str()))
        .map(|(tool, ..)| tool.name.as_str())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(anyhow!(
        "missing for `cargo xtask serve` and `cargo xtask test`: {}; both install them",
        missing.join(", ")
    ))
}

fn version(state: &State) -> &str {
    match state {
        State::Ready(version) => version.as_deref().unwrap_or("yes"),
        State::Old(version) => version,
        State::Missing => "",
    }
}

fn shortened(text: &str, width: usize) -> String {
    if text.len() <= width {
        text.to_owned()
    } else {
        format!("{}…", &text[..width - 1])
    }
}
