//! Builds the package: compiles the modules, writes their glue, and runs `build.mjs`.

use super::install;
use super::modules::{COMPILED, MODULES, Module};
use super::paths::NpmPaths;
use super::toolchain::Toolchain;
use crate::support::files::{self, text};
use crate::support::process::run_in;
use crate::support::style::FAINT;
use anstream::println;
use anyhow::Result;
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

/// Builds the package.
pub(super) fn build(paths: &NpmPaths) -> Result<()> {
    let modules = paths.modules();
    let toolchain = Toolchain::find()?;
    println!("{FAINT}{}{FAINT:#}", toolchain.about);
    for module in &MODULES {
        let compiled = toolchain.build(module, paths)?;
        let folder = modules.join(module.name);
        files::empty(&folder)?;
        let stored = folder.join(COMPILED);
        files::copy(&compiled, &stored)?;
        write_glue(module, &stored, &folder)?;
    }
    let folder = paths.root.join("wasm");
    install(&folder)?;
    run_in(&folder, "node", &["build.mjs", text(&modules)?])
}

/// Writes the input of `build.mjs`: the module and its glue.
pub(super) fn write_glue(module: &Module, compiled: &Path, folder: &Path) -> Result<()> {
    if module.has_glue {
        bind(compiled, folder)
    } else {
        // Its exports are called directly.
        files::copy(compiled, &folder.join("payspec_bg.wasm"))
    }
}

/// Writes the glue of wasm-bindgen and the module that it starts.
fn bind(compiled: &Path, folder: &Path) -> Result<()> {
    let bytes = fs_err::read(compiled)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_bytes("payspec", bytes).web(true)?;
    // The code in wasm/js loads the module.
    bindgen
        .omit_default_module_path(true)
        // A new engine starts another instance after a trap.
        .reset_state_function(true)
        .typescript(false)
        .remove_producers_section(true);
    // `build.mjs` removes the names.
    bindgen.demangle(true).generate(folder)
}
