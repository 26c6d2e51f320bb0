//! Runs the programs in each language that the pages of the operations show, and compares their
//! output with the answer.

use super::common::{output, printed, program};
use super::compiled;
use super::samples::{Snippet, package};
use crate::support::checks::{Checks, all};
use crate::support::files::{copy_folder, empty, write};
use crate::support::process::{development_library, development_module, run_checked, works};
use anyhow::{Context, Result, bail};
use fs_err as fs;
use payspec_support::root;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the programs of one language in a folder.
pub(super) type RunAll = fn(&Path) -> Result<()>;

const LANGUAGES: [(&str, RunAll); 8] = [
    ("the examples in Python print the answers", run_python),
    (
        "the examples in JavaScript print the answers",
        run_javascript,
    ),
    ("the examples in PHP print the answers", run_php),
    ("the examples in C print the answers", run_c),
    ("the examples in Rust print the answers", compiled::run_rust),
    ("the examples in Go print the answers", compiled::run_go),
    ("the examples in Java print the answers", compiled::run_java),
    ("the examples for the shell print the answers", run_shell),
];

/// Runs the first programs and the snippets of all pages.
pub(super) fn check(checks: &mut Checks, first: RunAll) {
    let folder = output().join("snippets");
    let package = folder.join("node_modules/payspec");
    let prepared = empty(&folder).and_then(|()| copy_folder(&root().join("wasm/pkg"), &package));
    checks.check("the folder of the examples", prepared);
    for (name, run) in [("the first programs run", first)]
        .into_iter()
        .chain(LANGUAGES)
    {
        checks.check(name, run(&folder));
    }
}

/// Writes each snippet to a file, runs it, and compares the output.
fn compare(
    folder: &Path,
    label: &str,
    extension: &str,
    prepare: impl Fn(&Path, String) -> Result<Command>,
) -> Result<()> {
    let snippets = Snippet::of(label)?;
    all(snippets.iter().map(|snippet| {
        let mut command = prepare(
            &folder.join(format!("{}.{extension}", snippet.name)),
            snippet.text.clone(),
        )?;
        let output = command.output()?;
        snippet.compare(
            &String::from_utf8_lossy(&output.stdout),
            &String::from_utf8_lossy(&output.stderr),
        )
    }))
}

fn run_python(folder: &Path) -> Result<()> {
    compare(folder, "Python", "py", |path, text| {
        python_command(path, &text)
    })
}

fn run_javascript(folder: &Path) -> Result<()> {
    compare(folder, "JavaScript", "mjs", |path, text| {
        javascript_command(path, &text)
    })
}

fn run_php(folder: &Path) -> Result<()> {
    if !works(Command::new("php").args(["-r", "exit(extension_loaded('ffi') ? 0 : 1);"])) {
        bail!("PHP with the extension ffi is missing");
    }
    compare(folder, "PHP", "php", |path, text| php_command(path, &text))
}

fn run_c(folder: &Path) -> Result<()> {
    compare(folder, "C", "c", |path, text| c_command(path, &text))
}

/// Returns the C library, which is built once.
fn built_library() -> Result<PathBuf> {
    development_library()
}

/// Writes a program and returns the command that runs it.
pub(super) fn python_command(path: &Path, text: &str) -> Result<Command> {
    write(path, text)?;
    let mut command = Command::new("python3");
    development_module()?;
    command.arg(path).env("PYTHONPATH", package("python"));
    Ok(command)
}

/// Like `python_command`. The folder contains the npm package.
pub(super) fn javascript_command(path: &Path, text: &str) -> Result<Command> {
    write(path, text)?;
    let mut command = Command::new("node");
    command.arg(path);
    Ok(command)
}

/// Like `python_command`. `vendor/autoload.php` beside the program loads the package, as that of
/// Composer does.
pub(super) fn php_command(path: &Path, text: &str) -> Result<Command> {
    write(path, text)?;
    let vendor = path.with_file_name("vendor");
    fs::create_dir_all(&vendor)?;
    let autoload = package("php").join("src/autoload.php");
    write(
        &vendor.join("autoload.php"),
        &format!("<?php\n\nrequire '{}';\n", autoload.display()),
    )?;
    let mut command = Command::new("php");
    command.arg(path).env("PAYSPEC_LIBRARY", built_library()?);
    // The library of a build has no folder with headers beside it.
    command.env("PAYSPEC_DECLARATIONS", root().join("include/payspec.ffi.h"));
    Ok(command)
}

/// Writes and compiles a program, and returns the command that runs it.
pub(super) fn c_command(path: &Path, text: &str) -> Result<Command> {
    write(path, text)?;
    let library = built_library()?;
    let program = path.with_extension("");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(path);
    cc.arg("-I").arg(root().join("include")).arg(&library);
    // The program loads the library by the name that an installation gives it.
    let folder = path.parent().unwrap_or(Path::new("."));
    let installed = folder.join(concat!(
        "libpayspec.so.",
        env!("CARGO_PKG_VERSION_MAJOR"),
        ".",
        env!("CARGO_PKG_VERSION_MINOR")
    ));
    if !installed.exists() {
        fs::copy(&library, &installed)?;
    }
    let mut search = OsString::from("-Wl,-rpath,");
    search.push(folder);
    run_checked(cc.arg(search), "cc")?;
    Ok(Command::new(program))
}

fn run_shell(folder: &Path) -> Result<()> {
    let program = program()?;
    let directory = program
        .parent()
        .context("payspec has no folder")?
        .to_owned();
    let old = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(directory).chain(std::env::split_paths(&old)))?;
    // The program exists and runs.
    printed(&["--version"])?;
    compare(folder, "Shell", "sh", |file, text| {
        write(file, &text)?;
        let mut command = Command::new("sh");
        command
            .arg(file)
            .env("PATH", AsRef::<OsStr>::as_ref(&path))
            .current_dir(folder);
        Ok(command)
    })
}
