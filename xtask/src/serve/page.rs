//! The checkout page: examples/checkout, built for the address that the gateway serves it at.

use crate::npm;
use std::path::{Path, PathBuf};

/// Builds the package where it is older than its sources, then the page, and says where it is.
pub(super) fn build() -> Result<PathBuf, String> {
    let root = payspec_tests::root();
    npm::ready()?;
    let source = root.join("examples/checkout");
    npm::supply(&source)?;
    let built = super::folder().join("page");
    // The tools are those of wasm: nothing else is fetched.
    let tool = |path: &str| npm::text(&root.join("wasm/node_modules").join(path)).map(ToOwned::to_owned);
    let node = |arguments: &[&str]| npm::run_in(&source, "node", arguments);
    node(&[&tool("typescript/bin/tsc")?, "--project", "."])?;
    let to = npm::text(&built)?;
    let vite = tool("vite/bin/vite.js")?;
    node(&[&vite, "build", "--base=/checkout/", "--outDir", to, "--emptyOutDir", "--logLevel", "warn"])?;
    is_whole(&built)?;
    Ok(built)
}

fn is_whole(built: &Path) -> Result<(), String> {
    let index = built.join("index.html");
    index.is_file().then_some(()).ok_or_else(|| format!("{} was not built", index.display()))
}
