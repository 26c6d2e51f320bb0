//! Runs the short programs of README.md and of the first pages of the book.

use super::execution::{c_command, javascript_command, php_command, python_command};
use crate::support::checks::all;
use anyhow::{Context, Result, anyhow};
use fs_err as fs;
use payspec_support::{markdown, root};
use std::path::Path;

/// A program, and what it prints first.
struct Program {
    /// The file, or the page with the program as its only block in this language.
    path: &'static str,
    language: &'static str,
    prints: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        path: "README.md",
        language: "c",
        prints: "{\"valid\":false",
    },
    Program {
        path: "README.md",
        language: "js",
        prints: "amount_syntax",
    },
    Program {
        path: "README.md",
        language: "python",
        prints: "amount_syntax",
    },
    Program {
        path: "docs/src/start/programs/verdict.c",
        language: "c",
        prints: "1 {\"valid\":false",
    },
    Program {
        path: "examples/node/validate.js",
        language: "js",
        prints: "false amount_syntax",
    },
    Program {
        path: "examples/node/expiry.js",
        language: "js",
        prints: "09 / 27\n09 / 27\n09 / 2027\n",
    },
    Program {
        path: "examples/node/card.js",
        language: "js",
        prints: "false\nnumber | the card number's check digit does not match\nexpiry | the member is required\n",
    },
    Program {
        path: "examples/node/language.js",
        language: "js",
        prints: "Diese Währung hat 3 Stellen",
    },
];

/// Runs the programs in a folder.
pub(super) fn check(folder: &Path) -> Result<()> {
    all(PROGRAMS
        .iter()
        .map(|program| program.run(folder).context(program.path)))
}

impl Program {
    fn run(&self, folder: &Path) -> Result<()> {
        let path = root().join(self.path);
        let text = fs::read_to_string(&path)?;
        let text = match self.path.ends_with(".md") {
            true => self.block(&text)?,
            false => text,
        };
        let name = self.path.replace(['/', '.'], "_");
        let mut command = match self.language {
            "c" => c_command(&folder.join(format!("{name}.c")), &whole(&text))?,
            "js" => javascript_command(&folder.join(format!("{name}.mjs")), &text)?,
            "python" => python_command(&folder.join(format!("{name}.py")), &text)?,
            _ => php_command(&folder.join(format!("{name}.php")), &text)?,
        };
        let output = command.output()?;
        let printed = String::from_utf8_lossy(&output.stdout);
        match printed.starts_with(self.prints) {
            true => Ok(()),
            false => Err(anyhow!(
                "printed {printed:?}, {}",
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }

    /// Returns the only block of the page in this language.
    fn block(&self, page: &str) -> Result<String> {
        let blocks: Vec<&str> = markdown::blocks(page, self.language).collect();
        match blocks.as_slice() {
            [block] => Ok((*block).to_owned()),
            _ => Err(anyhow!(
                "expected one block of {}, found {}",
                self.language,
                blocks.len()
            )),
        }
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
