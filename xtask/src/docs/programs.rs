//! Runs the short programs of README.md and of the first pages of the book.

use super::execution::{c_command, javascript_command, python_command};
use crate::support::checks::all;
use crate::support::process::text_of;
use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use payspec_support::{markdown, root};
use std::path::Path;

/// The file of a program, or the page with the program as its only block in this language; the
/// language; and the beginning of its output.
type Program = (&'static str, &'static str, &'static str);

const PROGRAMS: [Program; 8] = [
    ("README.md", "c", "{\"valid\":false"),
    ("README.md", "js", "amount_syntax"),
    ("README.md", "python", "amount_syntax"),
    (
        "docs/src/start/programs/verdict.c",
        "c",
        "1 {\"valid\":false",
    ),
    ("examples/node/validate.js", "js", "false amount_syntax"),
    (
        "examples/node/expiry.js",
        "js",
        "09 / 27\n09 / 27\n09 / 2027\n",
    ),
    (
        "examples/node/card.js",
        "js",
        "false\nnumber | the card number's check digit does not match\nexpiry | the member is required\n",
    ),
    (
        "examples/node/language.js",
        "js",
        "Diese Währung hat 3 Stellen",
    ),
];

/// Runs the programs in a folder.
pub(super) fn check(folder: &Path) -> Result<()> {
    all(PROGRAMS.map(|program| run(program, folder).context(program.0)))
}

fn run((path, language, prints): Program, folder: &Path) -> Result<()> {
    let text = fs::read_to_string(root().join(path))?;
    let text = match path.ends_with(".md") {
        true => only_block(&text, language)?,
        false => text,
    };
    let name = path.replace(['/', '.'], "_");
    let mut command = match language {
        "c" => c_command(&folder.join(format!("{name}.c")), &whole(&text))?,
        "js" => javascript_command(&folder.join(format!("{name}.mjs")), &text)?,
        _ => python_command(&folder.join(format!("{name}.py")), &text)?,
    };
    let printed = text_of(&mut command)?;
    ensure!(printed.starts_with(prints), "printed {printed:?}");
    Ok(())
}

/// Returns the only block of the page in this language.
fn only_block(page: &str, language: &str) -> Result<String> {
    let mut blocks = markdown::blocks(page, language);
    match (blocks.next(), blocks.next()) {
        (Some(block), None) => Ok(block.to_owned()),
        _ => bail!("expected one block of {language}"),
    }
}

/// Adds `main` and a body to statements in C.
fn whole(text: &str) -> String {
    if text.contains("int main") {
        return text.to_owned();
    }
    format!(
        "#include <payspec.h>\n#include <stdio.h>\n\nint main(void) {{\n    static const char body[] = \"{{}}\";\n    \
         size_t body_len = sizeof body - 1;\n{text}\n    return 0;\n}}\n"
    )
}
