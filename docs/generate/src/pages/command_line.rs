//! The page of the command line, from the help texts of the program.

use super::markdown::code;
use crate::common::{Page, printed};

pub(super) fn pages() -> Result<Vec<Page>, String> {
    let help = printed(&["--help"])?;
    let mut text = format!(
        "# Command line\n\nThe program `payspec` validates, explains, redacts, migrates, and generates bodies. \
         [Validate on the command line](../start/command-line.md) has first examples, and [The sandbox](sandbox.md) the calls of \
         `payspec sandbox`.\n\n{}\n",
        code("text", &help)
    );
    for name in commands(&help) {
        if name != "help" {
            text.push_str(&format!(
                "## payspec {name}\n\n{}\n",
                code("text", &printed(&[name, "--help"])?)
            ));
        }
    }
    Ok(vec![Page {
        path: "reference/command-line.md".to_owned(),
        title: "Command line".to_owned(),
        text,
    }])
}

/// Returns the names in the list of commands.
fn commands(help: &str) -> Vec<&str> {
    let list = help
        .split("Commands:\n")
        .nth(1)
        .and_then(|rest| rest.split("\n\n").next())
        .unwrap_or_default();
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    list.lines()
        .filter(is_name)
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}
