//! Runs cargo, compilers and other tools, and returns the folders for their output.

use crate::support::style::FAINT;
use anyhow::{Context, Result, ensure};
use cargo_metadata::{Artifact, Message};
pub(crate) use payspec_support::cargo;
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Returns the target folder. `cargo clean` removes its contents.
pub(crate) fn target() -> PathBuf {
    let folder =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    if folder.is_absolute() {
        folder
    } else {
        root().join(folder)
    }
}

/// Runs `cargo build` and returns what it has built. Errors are printed to the standard error of
/// this process.
pub(crate) fn build(arguments: &[&str], variables: &[(&str, &str)]) -> Result<Vec<Artifact>> {
    let mut cargo = cargo();
    cargo
        .args([
            "build",
            "--locked",
            "--message-format=json-render-diagnostics",
        ])
        .args(arguments);
    let printed = output(cargo.envs(variables.iter().copied()), "cargo build")?;
    let artifacts = messages(&printed)
        .into_iter()
        .filter_map(|message| match message {
            Message::CompilerArtifact(artifact) => Some(artifact),
            _ => None,
        });
    Ok(artifacts.collect())
}

/// Parses the messages of cargo.
pub(crate) fn messages(printed: &[u8]) -> Vec<Message> {
    Message::parse_stream(printed)
        .filter_map(Result::ok)
        .collect()
}

/// Returns the file with one of these endings of a library for other languages.
pub(crate) fn library(artifacts: &[Artifact], endings: &[&str]) -> Result<PathBuf> {
    let mut files = artifacts
        .iter()
        .filter(|artifact| artifact.target.is_cdylib())
        .flat_map(|artifact| &artifact.filenames);
    let found = files.find(|file| {
        file.extension()
            .is_some_and(|ending| endings.contains(&ending))
    });
    let found = found.with_context(|| format!("cargo built no {}", endings.join(" or ")))?;
    Ok(found.into())
}

/// Endings of shared libraries.
pub(crate) const SHARED: &[&str] = &["so", "dylib"];

/// Returns the program of this name that cargo has built.
pub(crate) fn executable(artifacts: &[Artifact], name: &str) -> Result<PathBuf> {
    let mut programs = artifacts
        .iter()
        .filter(|artifact| artifact.target.name == name);
    let found = programs.find_map(|artifact| artifact.executable.clone());
    Ok(found
        .with_context(|| format!("cargo has built no {name}"))?
        .into())
}

/// Builds the shared library without optimizations.
pub(crate) fn development_library() -> Result<PathBuf> {
    library(&build(&["--package", "payspec-ffi"], &[])?, SHARED)
}

/// Builds the native module of the Python package without optimizations, into the package.
pub(crate) fn development_module() -> Result<()> {
    python_module(&[])
}

/// Builds the native module of the Python package with these arguments, into the package, where
/// Python finds it.
pub(crate) fn python_module(arguments: &[&str]) -> Result<()> {
    let arguments = [&["--package", "payspec-python"], arguments].concat();
    let built = library(&build(&arguments, &[])?, SHARED)?;
    let package = root().join("bindings/python/payspec");
    // Renamed, because a running program may have loaded the previous one.
    let copied = package.join(format!("_native.{}.tmp", std::process::id()));
    fs_err::copy(built, &copied)?;
    fs_err::rename(copied, package.join("_native.abi3.so"))?;
    Ok(())
}

/// Returns the output of the compiler for these arguments.
fn rustc_facts() -> &'static str {
    static FACTS: OnceLock<String> = OnceLock::new();
    FACTS.get_or_init(|| rustc(&["-vV"]).unwrap_or_default())
}

/// Returns the output of the compiler that builds this project.
pub(crate) fn rustc(arguments: &[&str]) -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    printed_by(Path::new(&rustc), arguments)
}

/// Returns the trimmed output of a compiler; `None` if it fails or prints nothing.
pub(crate) fn printed_by(rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc)
        .args(arguments)
        .current_dir(root())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

fn fact(name: &str) -> &'static str {
    rustc_facts()
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .unwrap_or_default()
        .trim()
}

/// Returns the target triple of this machine.
pub(crate) fn host() -> &'static str {
    fact("host:")
}

/// Returns the version of the compiler: `1.95.0`.
pub(crate) fn rust_version() -> &'static str {
    fact("release:")
}

/// Returns the major version of the compiler's LLVM.
pub(crate) fn llvm_version() -> &'static str {
    fact("LLVM version:").split('.').next().unwrap_or_default()
}

/// Returns the sysroot of the compiler.
pub(crate) fn sysroot() -> Option<PathBuf> {
    rustc(&["--print", "sysroot"]).map(PathBuf::from)
}

/// Returns the environment variables with which cargo-llvm-cov finds the LLVM programs for this
/// compiler, or `None` if they are missing. There are no variables if the programs are in the
/// toolchain, or if the caller has set them.
pub(crate) fn llvm_programs() -> Option<Vec<(&'static str, PathBuf)>> {
    let in_toolchain = sysroot().map(|sysroot| {
        sysroot
            .join("lib/rustlib")
            .join(host())
            .join("bin/llvm-cov")
    });
    if in_toolchain.is_some_and(|in_toolchain| in_toolchain.is_file())
        || std::env::var_os("LLVM_COV").is_some()
    {
        return Some(Vec::new());
    }
    // Programs of the distribution, in the same version.
    let names = [("LLVM_COV", "llvm-cov"), ("LLVM_PROFDATA", "llvm-profdata")];
    let program = |(variable, name)| {
        let program = format!("{name}-{}", llvm_version());
        works(Command::new(&program).arg("--version")).then(|| (variable, PathBuf::from(program)))
    };
    names.into_iter().map(program).collect()
}

/// Returns cargo of another rustup toolchain, independent of the one that runs this program.
pub(crate) fn cargo_of(toolchain: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.arg(format!("+{toolchain}")).current_dir(root());
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(name);
    }
    cargo
}

/// Returns true if a command can be run and succeeds.
pub(crate) fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Runs a command that must succeed, with the output of this process.
pub(crate) fn run_checked(command: &mut Command, name: &str) -> Result<()> {
    let status = command.status().with_context(|| name.to_owned())?;
    ensure!(status.success(), "{name}: {status}");
    Ok(())
}

/// Runs a command that must succeed, without input, and returns its standard output.
pub(crate) fn output(command: &mut Command, name: &str) -> Result<Vec<u8>> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().with_context(|| name.to_owned())?;
    ensure!(output.status.success(), "{name}: {}", output.status);
    Ok(output.stdout)
}

/// Runs a command that must succeed, and returns both of its outputs, which an error contains.
pub(crate) fn text_of(command: &mut Command) -> Result<String> {
    let program = command.get_program().display().to_string();
    let output = command.stdin(Stdio::null()).output().context(program)?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    ensure!(output.status.success(), "{command:?}\n{text}");
    Ok(text)
}

/// Prints and runs a command in a folder, which must succeed.
pub(crate) fn run_in(folder: &Path, program: &str, arguments: &[&str]) -> Result<()> {
    anstream::println!("{FAINT}$ {program} {}{FAINT:#}", arguments.join(" "));
    run_checked(
        Command::new(program).args(arguments).current_dir(folder),
        program,
    )
}
