//! `cargo xtask docs`: the book in `docs/`. `payspec-generate` writes the pages of its reference.

pub(crate) mod asyncapi;
mod book;
mod callbacks;
mod chart;
mod commands;
pub(crate) mod comments;
mod common;
mod compiled;
mod execution;
mod links;
mod llms;
mod openapi;
mod picture;
mod programs;
mod samples;
mod spelling;
mod theme;

use crate::setup;
use crate::support::checks::{Checks, Named};
use crate::support::process;
use anstream::println;
use anyhow::Result;
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
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::require("mdbook wasm32 rust-src node", options.consent)?;
    if options.pictures {
        picture::write()?;
    }
    let folder = book::build()?;
    links::check(&folder)?;
    println!("The book is in {}.", folder.join("index.html").display());
    Ok(())
}

/// Draws the pictures after a measurement whose figures they show.
pub(crate) fn draw() -> Result<()> {
    picture::write()
}

/// Runs the step `book`.
pub(crate) fn check() -> Result<Checks> {
    let mut checks = Checks::default();
    match book::build() {
        Err(error) => checks.check("the book builds", Err(error)),
        Ok(folder) => {
            checks.check("no link is broken", links::check(&folder));
            let requests = links::check_requests(&folder);
            checks.check("pages request nothing from other hosts", requests);
            let name = "pages and playground work in Chromium, and axe finds nothing";
            checks.check(name, in_browser(&folder));
        }
    }
    let others: [Named<()>; 7] = [
        ("no word is misspelled", spelling::check),
        (
            "redocly finds nothing in the OpenAPI document",
            openapi::check,
        ),
        ("the AsyncAPI document matches its schema", asyncapi::check),
        (
            "the script of the API reference is that of its npm package",
            openapi::check_reference,
        ),
        (
            "the pictures show the current output and figures",
            picture::check,
        ),
        (
            "the commands of README.md and of the pages run",
            commands::check,
        ),
        (
            "the receivers of callbacks accept the vectors",
            callbacks::check,
        ),
    ];
    for (name, check) in others {
        checks.check(name, check());
    }
    execution::check(&mut checks, programs::check);
    Ok(checks)
}

/// Runs the tests of the built book in Chromium.
fn in_browser(book: &Path) -> Result<()> {
    let mut node = Command::new("node");
    node.args([
        "--test",
        "docs/tests/book.test.mjs",
        "docs/tests/playground.test.mjs",
    ]);
    node.current_dir(root()).env("PAYSPEC_BOOK", book);
    process::run_checked(node.env("PAYSPEC", common::program()?), "node --test")
}
