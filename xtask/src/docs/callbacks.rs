//! Runs the receivers of callbacks that the book shows, with the library and without it: docs/tests
//! has their tests.

use super::common::{copy, failed, output, write};
use super::execution::{javascript_command, python_command};
use crate::support::process::run_checked;
use payspec_support::root;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A receiver: the language, the test, the files that belong together, and how the test is started.
struct Receiver {
    language: &'static str,
    test: &'static str,
    files: &'static [&'static str],
    command: fn(&Path, &str) -> Result<Command, String>,
}

const RECEIVERS: [Receiver; 4] = [
    Receiver {
        language: "python",
        test: "callbacks.py",
        files: &[
            "examples/sandbox/python/callback.py",
            "examples/sandbox/python/signature.py",
        ],
        command: python_command,
    },
    Receiver {
        language: "python-payspec",
        test: "callbacks.py",
        files: &[
            "examples/sandbox/python/callback.py",
            "examples/python/signature.py",
        ],
        command: python_command,
    },
    Receiver {
        language: "node",
        test: "callbacks.mjs",
        files: &[
            "examples/sandbox/node/callback.js",
            "examples/sandbox/node/signature.js",
            "examples/node/package.json",
        ],
        command: javascript_command,
    },
    Receiver {
        language: "node-payspec",
        test: "callbacks.mjs",
        files: &[
            "examples/sandbox/node/callback.js",
            "examples/node/signature.js",
            "examples/node/package.json",
        ],
        command: javascript_command,
    },
];

/// Runs the tests.
pub(super) fn check() -> Result<(), String> {
    let folder = output().join("callbacks");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed(&folder))?;
    }
    copy(
        &root().join("wasm/pkg"),
        &folder.join("node_modules/payspec"),
    )?;
    let results = RECEIVERS.iter().map(|receiver| receiver.run(&folder));
    let problems: Vec<String> = results.filter_map(Result::err).collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

impl Receiver {
    fn run(&self, folder: &Path) -> Result<(), String> {
        let work = folder.join(self.language);
        for file in self.files {
            let source = root().join(file);
            let name = source.file_name().ok_or("a file without a name")?;
            write(
                &work.join(name),
                &fs::read_to_string(&source).map_err(failed(&source))?,
            )?;
        }
        let test = root().join("docs/tests").join(self.test);
        let text = fs::read_to_string(&test).map_err(failed(&test))?;
        let mut command = (self.command)(&work.join(self.test), &text)?;
        run_checked(
            command.arg(&work).arg(root().join("tests/vectors")),
            self.language,
        )
    }
}
