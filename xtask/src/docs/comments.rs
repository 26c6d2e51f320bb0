//! Checks the comments from which references are generated: with rustdoc as docs.rs runs it,
//! Doxygen for the C header, the rules of pydocstyle for the Python package, and TypeDoc for the
//! types of the npm package. Javadoc, Go, and PHP are checked with the examples, which have their
//! tools.

use super::common::{sources, write};
use crate::build::npm;
use crate::setup;
use crate::support::process::run_in;
use crate::support::process::{cargo, run_checked, target};
use anyhow::{Result, anyhow};
use payspec_support::root;
use std::process::Command;

/// Builds the documentation of all members. A warning is an error.
pub(crate) fn members() -> Result<()> {
    let mut doc = cargo();
    doc.args(["doc", "--locked", "--workspace", "--no-deps"])
        .env("RUSTDOCFLAGS", "-D warnings");
    run_checked(&mut doc, "cargo doc")
}

/// Builds the documentation of the crate with its features marked, as docs.rs does. That needs a
/// feature of the nightly compiler, which this variable allows; the folder, that of the list of
/// public items, keeps other builds from being repeated.
pub(crate) fn docs_rs() -> Result<()> {
    let mut doc = cargo();
    doc.args([
        "doc",
        "--locked",
        "--package",
        "payspec",
        "--all-features",
        "--no-deps",
    ]);
    doc.arg("--target-dir").arg(target().join("api"));
    doc.env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "-D warnings --cfg docsrs");
    run_checked(&mut doc, "cargo doc")?;
    let page = target().join("api/doc/payspec/struct.Policy.html");
    let text = fs_err::read_to_string(&page)?;
    match text.contains("Available on <strong>crate feature") {
        true => Ok(()),
        false => Err(anyhow!("{} names no feature", page.display())),
    }
}

const DOXYFILE: &str = "\
INPUT = include/payspec.h
OPTIMIZE_OUTPUT_FOR_C = YES
JAVADOC_AUTOBRIEF = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
QUIET = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
WARN_NO_PARAMDOC = YES
";

/// Reads the header with Doxygen. A function or parameter without a comment is an error.
pub(crate) fn header() -> Result<()> {
    let folder = target().join("docs/doxygen");
    fs_err::create_dir_all(&folder)?;
    let file = folder.join("Doxyfile");
    write(
        &file,
        &format!("{DOXYFILE}OUTPUT_DIRECTORY = \"{}\"\n", folder.display()),
    )?;
    run_checked(
        Command::new("doxygen").arg(&file).current_dir(root()),
        "doxygen",
    )
}

/// Checks the docstrings of the Python package. Their first line is in the third person, as in all
/// languages (D401).
pub(crate) fn python() -> Result<()> {
    let mut ruff = Command::new(setup::python());
    ruff.args([
        "-m",
        "ruff",
        "check",
        "--no-cache",
        "--isolated",
        "--select",
        "D",
        "--ignore",
        "D401",
    ]);
    ruff.args([
        "--config",
        "lint.pydocstyle.convention=\"pep257\"",
        "bindings/python/payspec",
    ])
    .current_dir(root());
    run_checked(&mut ruff, "ruff")
}

/// Checks the types of the npm package: every type and function has a comment, and links lead to an
/// item.
pub(crate) fn types() -> Result<()> {
    let folder = sources().join("tools");
    npm::install(&folder)?;
    run_in(&folder, "node_modules/.bin/typedoc", &[])
}
