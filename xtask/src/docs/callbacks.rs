//! Runs the receivers of callbacks that the book shows, with the library and without it: docs/tests
//! has their tests.

use super::common::output;
use super::execution::{javascript_command, python_command};
use crate::support::checks::all;
use crate::support::files::{copy, copy_folder, empty};
use crate::support::process::run_checked;
use anyhow::{Context, Result};
use fs_err as fs;
use payspec_support::root;
use std::path::Path;
use std::process::Command;

/// A receiver: the language, the test, the files that belong together, and how the test is started.
struct Receiver {
    language: &'static str,
    test: &'static str,
    files: &'static [&'static str],
    command: fn(&Path, &str) -> Result<Command>,
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

/// Runs the receivers of callbacks with the vectors of signatures.
pub(super) fn check() -> Result<()> {
    let folder = output().join("callbacks");
    empty(&folder)?;
    let package = folder.join("node_modules/payspec");
    copy_folder(&root().join("wasm/pkg"), &package)?;
    all(RECEIVERS.iter().map(|receiver| receiver.run(&folder)))
}

impl Receiver {
    fn run(&self, folder: &Path) -> Result<()> {
        let work = folder.join(self.language);
        for file in self.files {
            let source = root().join(file);
            let name = source.file_name().context("a file without a name")?;
            copy(&source, &work.join(name))?;
        }
        let test = root().join("docs/tests").join(self.test);
        let text = fs::read_to_string(&test)?;
        let mut command = (self.command)(&work.join(self.test), &text)?;
        run_checked(
            command.arg(&work).arg(root().join("tests/vectors")),
            self.language,
        )
    }
}
