//! `cargo xtask api`: compares the public items of the crate `payspec` with a list, so that every
//! change of the API is intended and visible, and checks that its features are additive.

use super::features::{self, Features};
use crate::support::process::{cargo, run_checked, target};
use crate::support::style::{BAD, FAINT, GOOD};
use anstream::println;
use anyhow::{Context, Result, ensure};
use fs_err as fs;
use payspec_support::root;
use std::collections::BTreeSet;

/// The list, one item per line.
const LIST: &str = "tests/data/public-api.txt";
const BLESS: &str = "cargo xtask api --bless";
/// Items of the compiler, which differ between versions.
const OF_THE_COMPILER: [&str; 3] = [
    "core::marker::Freeze",
    "core::marker::UnsafeUnpin",
    "core::marker::StructuralPartialEq",
];

/// Compares the items with the list, or updates the list.
pub(crate) fn run(bless: bool) -> Result<()> {
    if !bless {
        return check();
    }
    let found = items(None)?;
    fs::write(root().join(LIST), found.join("\n") + "\n")?;
    println!("{LIST}: {} items", found.len());
    Ok(())
}

/// Runs the step of `cargo xtask test`.
pub(crate) fn check() -> Result<()> {
    let listed = fs::read_to_string(root().join(LIST))?;
    compare(&listed, &items(None)?)
}

/// Checks that no feature removes or changes a public item.
pub(crate) fn check_features() -> Result<()> {
    let sets = features::check(|features| items(Some(features)))?;
    println!("   {FAINT}{sets} sets of features, each adds to the smaller ones{FAINT:#}");
    Ok(())
}

/// Returns the public items of the crate, with these features or with those of the default, sorted.
fn items(features: Option<&Features>) -> Result<Vec<String>> {
    let folder = target().join("api");
    let mut rustdoc = cargo();
    rustdoc
        .args([
            "rustdoc",
            "--quiet",
            "--locked",
            "--package",
            "payspec",
            "--lib",
        ])
        .arg("--target-dir")
        .arg(&folder);
    if let Some(features) = features {
        let names: Vec<&str> = features.iter().map(String::as_str).collect();
        rustdoc.args(["--no-default-features", "--features", &names.join(",")]);
    }
    rustdoc
        // The JSON output is unstable; the variable permits it on a stable compiler.
        .args([
            "--",
            "-Zunstable-options",
            "--output-format=json",
            "--cap-lints=allow",
        ])
        .env("RUSTC_BOOTSTRAP", "1");
    run_checked(&mut rustdoc, "cargo rustdoc")?;
    let api = public_api::Builder::from_rustdoc_json(folder.join("doc/payspec.json"))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .context(
            "the JSON of this rustdoc cannot be read; rust-toolchain.toml has a compiler that can",
        )?;
    let items = api.items().map(ToString::to_string);
    let is_ours = |item: &String| !OF_THE_COMPILER.iter().any(|name| item.contains(name));
    Ok(items.filter(is_ours).collect())
}

fn compare(listed: &str, found: &[String]) -> Result<()> {
    let before: BTreeSet<&str> = listed.lines().collect();
    let now: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    let (removed, added) = (before.difference(&now), now.difference(&before));
    removed
        .clone()
        .for_each(|item| println!("   {BAD}- {item}{BAD:#}"));
    added
        .clone()
        .for_each(|item| println!("   {GOOD}+ {item}{GOOD:#}"));
    ensure!(
        before == now,
        "the public items of payspec differ from {LIST}: {} removed or changed, {} new. If this is intended, run {BLESS} and \
         add a line to CHANGELOG.md; removed items are a breaking change",
        removed.count(),
        added.count()
    );
    println!(
        "   {FAINT}{} public items match {LIST}{FAINT:#}",
        found.len()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fails_on_a_difference_and_names_the_command() {
        let [one, other] = ["pub fn a()", "pub fn b()"].map(str::to_owned);
        assert!(compare("pub fn a()\n", std::slice::from_ref(&one)).is_ok());
        let error = compare("pub fn a()\n", &[other]).unwrap_err().to_string();
        assert!(
            error.contains("1 removed or changed, 1 new") && error.contains(BLESS),
            "{error}"
        );
    }
}
