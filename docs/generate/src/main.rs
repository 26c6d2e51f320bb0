//! Generates files from the library for `cargo xtask`, which itself does not depend on it.

mod bless;
mod common;
mod fuzz;
mod llms;
mod pages;

use payspec_tests::{flat, vector};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

const USAGE: &str = "usage: payspec-generate bless [--check] | pages | llms SUMMARY BOOK | playground-tables | samples LANGUAGE | \
                     flat-vectors | fuzz-targets | fuzz-inputs TARGET KEPT SEEDS | fuzz-keep TARGET FOLDER";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["bless"] => bless::run(true),
        ["bless", "--check"] => bless::run(false),
        ["pages"] => pages::pages().and_then(|pages| print_json(&pages)),
        ["llms", summary, book] => llms::run(summary, book),
        ["playground-tables"] => pages::tables().and_then(|text| print(text.as_bytes())),
        ["samples", language] => pages::samples(language).and_then(|samples| print_json(&samples)),
        ["flat-vectors"] => vector::load().and_then(|files| print(&flat::flattened(&files))),
        ["fuzz-targets"] => print_json(&fuzz::targets()),
        ["fuzz-inputs", target, kept, seeds] => fuzz::inputs(target, kept, seeds),
        ["fuzz-keep", target, folder] => fuzz::keep(target, folder),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            anstream::eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &[u8]) -> Result<(), String> {
    std::io::stdout()
        .write_all(text)
        .map_err(|error| error.to_string())
}

fn print_json(value: &impl Serialize) -> Result<(), String> {
    print(&serde_json::to_vec(value).map_err(|error| error.to_string())?)
}
