//! `cargo xtask docs`: the book in `docs/`. The pages of its reference are generated from the tables of the library, the
//! vectors, the C header, the types of the npm package, the command line, and the OpenAPI document.

mod book;
mod c_api;
mod command_line;
mod decisions;
mod diagram;
mod examples;
mod http;
mod links;
mod markdown;
mod npm_types;
mod openapi;
mod operations;
mod picture;
mod programs;
mod rules;
mod snippets;
mod spelling;
mod states;

use crate::setup;
use crate::support::process;
use crate::support::test_counts::TestCounts;
use anstream::println;
use clap::Args;
use payspec_tests::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of `cargo xtask docs`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Write the pictures of README.md as well
    #[arg(long)]
    pictures: bool,
    #[command(flatten)]
    consent: setup::Consent,
}

/// A generated page of the book.
pub(crate) struct Page {
    /// The path below `docs/src`, with the extension `.md`.
    path: String,
    title: String,
    text: String,
}

/// Builds the book, and prints its address.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let missing = setup::ensure(&["mdbook", "wasm32", "rust-src", "node"], options.consent)?;
    if !missing.is_empty() {
        return Err(format!("missing: {}; `cargo xtask docs --yes` installs them", missing.join(", ")));
    }
    if options.pictures {
        picture::write()?;
    }
    let folder = book::build()?;
    links::check(&folder)?;
    println!("The book is in {}.", folder.join("index.html").display());
    Ok(())
}

/// Runs the step `book`.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let mut counts = TestCounts::default();
    let mut problems = Vec::new();
    let mut count = |name: &str, result: Result<(), String>| {
        counts.add(TestCounts::of_check(result.is_ok()));
        match result {
            Ok(()) => println!("   ok  {name}"),
            Err(problem) => problems.push(format!("{name}: {problem}")),
        }
    };
    let built = book::build();
    count("the book builds", built.as_ref().map(|_| ()).map_err(Clone::clone));
    if let Ok(folder) = &built {
        count("no link is broken", links::check(folder));
        count("pages request nothing from other hosts", links::check_requests(folder));
        count("pages and playground work in Chromium, and axe finds nothing", in_browser(folder));
    }
    count("no word is misspelled", spelling::check());
    count("redocly and spectral find nothing in the OpenAPI document", openapi::check());
    count("the pictures of README.md show the current output", picture::check());
    for (name, result) in snippets::check() {
        count(&name, result);
    }
    (counts, (!problems.is_empty()).then(|| problems.join("\n")))
}

/// Runs the tests of the built book in Chromium.
fn in_browser(book: &Path) -> Result<(), String> {
    let mut node = Command::new("node");
    node.args(["--test", "docs/tests/book.test.mjs"]).current_dir(root()).env("PAYSPEC_BOOK", book);
    process::run_checked(&mut node, "node --test")
}

/// Returns the folder of the sources of the book.
fn sources() -> PathBuf {
    root().join("docs")
}

/// Returns the folder of the generated files.
fn output() -> PathBuf {
    process::target().join("docs")
}

/// Returns the program `payspec`.
fn program() -> Result<PathBuf, String> {
    let messages = process::build(&["--bin", "payspec"], &[])?;
    process::executable(&messages, "payspec")
}

/// Returns the output of the program `payspec`, also if it exits with 1, which means that an input is rejected.
fn printed(arguments: &[&str]) -> Result<String, String> {
    use std::sync::OnceLock;
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let program = PROGRAM.get_or_init(program).clone()?;
    let output = Command::new(program).args(arguments).current_dir(root()).env_remove("COLUMNS").output();
    let output = output.map_err(|error| format!("payspec: {error}"))?;
    match output.status.code() {
        Some(0 | 1) => {
            String::from_utf8(output.stdout).map_err(|_| "payspec printed bytes that are not UTF-8".to_owned())
        }
        _ => Err(format!("payspec {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr))),
    }
}
