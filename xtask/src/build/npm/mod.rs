//! `cargo xtask npm`: the npm package, built into wasm/pkg.

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

/// What is compiled.
struct Module {
    name: &'static str,
    features: &'static [&'static str],
    /// What the compiler aims at: the large one at speed, the small one at nothing but size.
    optimise: &'static str,
    flags: &'static [&'static str],
}

const MODULES: [Module; 2] = [
    // A quarter of the usual threshold: with what is marked as worth it in line, nearly as fast, and a fifth smaller.
    Module { name: "all", features: &[], optimise: "2", flags: &["-Cllvm-args=-inline-threshold=50"] },
    Module { name: "checkout", features: &["--no-default-features"], optimise: "z", flags: &[] },
];

/// As the compiler has left a module, beside what is made of it.
const COMPILED: &str = "compiled.wasm";

/// The folders of the sources and of what is built from them.
struct NpmPaths {
    root: PathBuf,
    target: PathBuf,
}

impl NpmPaths {
    fn here() -> NpmPaths {
        NpmPaths { root: payspec_tests::root(), target: target() }
    }

    /// Both modules, each in a folder of its name, with their glue.
    fn modules(&self) -> PathBuf {
        self.target.join("npm")
    }

    fn package(&self) -> PathBuf {
        self.root.join("wasm/pkg")
    }
}

/// The folder of the package.
pub(crate) fn package() -> PathBuf {
    NpmPaths::here().package()
}

/// Builds the package. With `twice`, builds it again from a copy of the sources in another folder and compares the files.
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
fn build(place: &NpmPaths) -> Result<(), String> {
    let modules = place.modules();
    let toolchain = Toolchain::find()?;
    println!("{FAINT}{}{FAINT:#}", toolchain.about);
    for module in &MODULES {
        let compiled = toolchain.build(module, place)?;
        let folder = modules.join(module.name);
        files::cleared(&folder)?;
        let kept = folder.join(COMPILED);
        files::copy(&compiled, &kept)?;
        glue(module, &kept, &folder)?;
    }
    let folder = place.root.join("wasm");
    install(&folder)?;
    run_in(&folder, "node", &["build.mjs", text(&modules)?])
}

/// What `build.mjs` makes the package of.
fn glue(module: &Module, compiled: &Path, folder: &Path) -> Result<(), String> {
    if module.features.is_empty() {
        bind(compiled, folder)
    } else {
        // It has no wasm-bindgen in it: its glue is wasm/js/bare.js.
        files::copy(compiled, &folder.join("payspec_bg.wasm"))
    }
}

/// The tools in wasm/package-lock.json, where they are not there yet.
pub(crate) fn install(folder: &Path) -> Result<(), String> {
    let lock = folder.join("package-lock.json");
    let installed = folder.join("node_modules/.package-lock.json");
    let time = |path: &Path| path.metadata().and_then(|about| about.modified());
    match (time(&lock), time(&installed)) {
        (Ok(lock), Ok(installed)) if lock <= installed => Ok(()),
        _ => run_in(folder, "npm", &["ci", "--no-audit", "--no-fund"]),
    }
}

/// The glue that wasm-bindgen makes, and the module that goes with it.
fn bind(compiled: &Path, folder: &Path) -> Result<(), String> {
    let text = |error: anyhow::Error| format!("wasm-bindgen: {error:#}");
    let bytes = std::fs::read(compiled).map_err(|error| format!("{}: {error}", compiled.display()))?;
    let mut bindgen = Bindgen::new();
    bindgen.input_bytes("payspec", bytes).web(true).map_err(text)?;
    // The entries in wasm/js bring the module themselves.
    bindgen.omit_default_module_path(true).typescript(false).remove_producers_section(true);
    // Names stay until the size of each part has been told.
    bindgen.demangle(true).generate(folder).map_err(text)
}

/// Runs a program in a folder; its output goes where ours goes.
pub(crate) fn run_in(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    println!("{FAINT}$ {program} {}{FAINT:#}", arguments.join(" "));
    match Command::new(program).args(arguments).current_dir(folder).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program}: {status}")),
        Err(error) => Err(format!("{program}: {error}; Node.js 20 or later brings node and npm")),
    }
}

pub(crate) fn text(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("{} is no UTF-8", path.display()))
}
