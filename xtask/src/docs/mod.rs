//! `cargo xtask docs`: the book in `docs/`. `payspec-generate` writes the pages of its reference.

mod book;
mod callbacks;
mod chart;
mod commands;
pub(crate) mod comments;
mod common;
mod compiled;
mod execution;
mod links;
mod openapi;
mod picture;
mod plot;
mod programs;
mod samples;
mod spelling;
mod table;
mod theme;

use crate::setup;
use crate::support::process;
use crate::support::test_counts::TestCounts;
use anstream::println;
use clap::Args;
use payspec_support::root;
use std::path::Path;
use std::process::Command;

/// Options of `cargo xtask docs`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Write the pictures as well
    #[arg(long)]
    pictures: bool,
    #[command(flatten)]
    consent: setup::Consent,
}

/// Builds the book, and prints its address.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let missing = setup::ensure(&["mdbook", "wasm32", "rust-src", "node"], options.consent)?;
    if !missing.is_empty() {
        return Err(format!(
            "missing: {}; `cargo xtask docs --yes` installs them",
            missing.join(", ")
        ));
    }
    if options.pictures {
        picture::write()?;
    }
    let folder = book::build()?;
    links::check(&folder)?;
    println!("The book is in {}.", folder.join("index.html").display());
    Ok(())
}

/// Draws a picture after the measurement whose figures it shows.
pub(crate) fn draw(picture: &str) -> Result<(), String> {
    picture::write_one(picture)
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
    count(
        "the book builds",
        built.as_ref().map(|_| ()).map_err(Clone::clone),
    );
    if let Ok(folder) = &built {
        count("no link is broken", links::check(folder));
        count(
            "pages request nothing from other hosts",
            links::check_requests(folder),
        );
        count(
            "pages and playground work in Chromium, and axe finds nothing",
            in_browser(folder),
        );
    }
    count("no word is misspelled", spelling::check());
    count(
        "redocly finds nothing in the OpenAPI document",
        openapi::check(),
    );
    count(
        "the script of the API reference is that of its npm package",
        openapi::check_reference(),
    );
    count(
        "the pictures show the current output and figures",
        picture::check(),
    );
    count(
        "the commands of README.md and of the pages run",
        commands::check(),
    );
    count(
        "the receivers of callbacks accept the vectors",
        callbacks::check(),
    );
    let languages = execution::check(programs::check);
    for (name, result) in languages {
        count(&name, result);
    }
    (counts, (!problems.is_empty()).then(|| problems.join("\n")))
}

/// Runs the tests of the built book in Chromium.
fn in_browser(book: &Path) -> Result<(), String> {
    let mut node = Command::new("node");
    node.args([
        "--test",
        "docs/tests/book.test.mjs",
        "docs/tests/playground.test.mjs",
    ])
    .current_dir(root());
    node.env("PAYSPEC_BOOK", book)
        .env("PAYSPEC", common::program()?);
    process::run_checked(&mut node, "node --test")
}
