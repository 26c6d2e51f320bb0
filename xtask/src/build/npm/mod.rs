//! `cargo xtask npm`: builds the npm package into wasm/pkg.

pub(crate) mod check;
mod files;
mod reproducible;
mod toolchain;

use crate::support::process::target;
use crate::support::style::{BOLD, FAINT};
use anstream::println;
pub(crate) use check::{CheckResult, changed, copy_package, counted, newest, node_test, ready};
use std::path::{Path, PathBuf};
use std::process::Command;
use toolchain::Toolchain;
use wasm_bindgen_cli_support::Bindgen;

/// A WebAssembly module of the package.
struct Module {
    name: &'static str,
    features: &'static [&'static str],
    /// The optimization level: speed for the large module, size for the small one.
    optimization: &'static str,
    flags: &'static [&'static str],
}

impl Module {
    /// Returns true for the module with wasm-bindgen, which the default features include.
    fn has_glue(&self) -> bool {
        self.features.is_empty()
    }
}

const MODULES: [Module; 2] = [
    // A quarter of the default threshold. Functions marked `#[inline]` keep it nearly as fast, and it is a fifth
    // smaller.
    Module { name: "all", features: &[], optimization: "2", flags: &["-Cllvm-args=-inline-threshold=50"] },
    Module { name: "checkout", features: &["--no-default-features"], optimization: "z", flags: &[] },
];

/// The output of the compiler, stored beside the finished module.
const COMPILED: &str = "compiled.wasm";

/// The folders of the sources and of the build output.
struct NpmPaths {
    root: PathBuf,
    target: PathBuf,
}

impl NpmPaths {
    fn here() -> NpmPaths {
        NpmPaths { root: payspec_tests::root(), target: target() }
    }

    /// Returns the folder of both modules, each in a folder of its name; that of the full one contains its glue.
    fn modules(&self) -> PathBuf {
        self.target.join("npm")
    }

    fn package(&self) -> PathBuf {
        self.root.join("wasm/pkg")
    }
}

/// Returns the folder of the package.
pub(crate) fn package() -> PathBuf {
    NpmPaths::here().package()
}

/// Builds the package. With `twice`, builds it again from a copy of the sources in another folder and compares all
/// files.
pub(crate) fn run(twice: bool) -> Result<(), String> {
    if twice {
        return reproducible::everything();
    }
    let here = NpmPaths::here();
    build(&here)?;
    println!("\n{BOLD}{}{BOLD:#}  {FAINT}npm publish {0}{FAINT:#}", here.package().display());
    Ok(())
}

/// Builds the package.
fn build(paths: &NpmPaths) -> Result<(), String> {
    let modules = paths.modules();
    let toolchain = Toolchain::find()?;
    println!("{FAINT}{}{FAINT:#}", toolchain.about);
    for module in &MODULES {
        let compiled = toolchain.build(module, paths)?;
        let folder = modules.join(module.name);
        files::cleared(&folder)?;
        let stored = folder.join(COMPILED);
        files::copy(&compiled, &stored)?;
        write_glue(module, &stored, &folder)?;
    }
    let folder = paths.root.join("wasm");
    install(&folder)?;
    run_in(&folder, "node", &["build.mjs", text(&modules)?])
}

/// Writes the input of `build.mjs`: the module and its glue.
fn write_glue(module: &Module, compiled: &Path, folder: &Path) -> Result<(), String> {
    if module.has_glue() {
        bind(compiled, folder)
    } else {
        // Its exports are called directly.
        files::copy(compiled, &folder.join("payspec_bg.wasm"))
    }
}

/// Installs the tools in wasm/package-lock.json if they are missing.
pub(crate) fn install(folder: &Path) -> Result<(), String> {
    let lock = folder.join("package-lock.json");
    let installed = folder.join("node_modules/.package-lock.json");
    let time = |path: &Path| path.metadata().and_then(|about| about.modified());
    match (time(&lock), time(&installed)) {
        (Ok(lock), Ok(installed)) if lock <= installed => Ok(()),
        _ => run_in(folder, "npm", &["ci", "--no-audit", "--no-fund"]),
    }
}

/// Writes the glue of wasm-bindgen and the module that it starts.
fn bind(compiled: &Path, folder: &Path) -> Result<(), String> {
    let text = |error: anyhow::Error| format!("wasm-bindgen: {error:#}");
    let bytes = std::fs::read(compiled).map_err(|error| format!("{}: {error}", compiled.display()))?;
    let mut bindgen = Bindgen::new();
    bindgen.input_bytes("payspec", bytes).web(true).map_err(text)?;
    // The code in wasm/js loads the module.
    bindgen.omit_default_module_path(true).typescript(false).remove_producers_section(true);
    // `build.mjs` removes the names.
    bindgen.demangle(true).generate(folder).map_err(text)
}

/// Runs a program in a folder with the output of this process.
pub(crate) fn run_in(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    println!("{FAINT}$ {program} {}{FAINT:#}", arguments.join(" "));
    match Command::new(program).args(arguments).current_dir(folder).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program}: {status}")),
        Err(error) => Err(format!("{program}: {error}; Node.js 20 or later brings node and npm")),
    }
}

pub(crate) fn text(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()))
}
