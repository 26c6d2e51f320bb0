//! The checkout page: builds examples/checkout for its address at the gateway.

use super::folder;
use crate::build::npm;
use crate::support::files::text;
use crate::support::process::run_in;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Builds the package and the page if they are older than their sources, and returns the folder of
/// the page.
pub(super) fn build() -> Result<PathBuf> {
    let root = payspec_support::root();
    npm::ready()?;
    let source = root.join("examples/checkout");
    let built = folder().join("page");
    if is_current(&built, &source) {
        return Ok(built);
    }
    npm::copy_package(&source)?;
    // The tools are those of `wasm`; nothing else is downloaded.
    let tool = |path: &str| text(&root.join("wasm/node_modules").join(path)).map(ToOwned::to_owned);
    let node = |arguments: &[&str]| run_in(&source, "node", arguments);
    node(&[&tool("typescript/bin/tsc")?, "--project", "."])?;
    let to = text(&built)?;
    let vite = tool("vite/bin/vite.js")?;
    node(&[
        &vite,
        "build",
        "--base=/checkout/",
        "--outDir",
        to,
        "--emptyOutDir",
        "--logLevel",
        "warn",
    ])?;
    is_whole(&built)?;
    Ok(built)
}

/// Returns true if the page is newer than its sources and its package.
fn is_current(built: &Path, source: &Path) -> bool {
    let of_page = [
        "src",
        "index.html",
        "package.json",
        "tsconfig.json",
        "vite.config.js",
        "inventory.js",
    ]
    .map(|name| source.join(name));
    let sources = of_page.into_iter().chain([
        npm::package(),
        payspec_support::root().join("wasm/package-lock.json"),
    ]);
    let time = npm::changed(&built.join("index.html"));
    let mut times = sources.map(|source| npm::newest(&source));
    times.all(|source| source.is_some() && source < time)
}

fn is_whole(built: &Path) -> Result<()> {
    let index = built.join("index.html");
    index
        .is_file()
        .then_some(())
        .with_context(|| format!("{} was not built", index.display()))
}
