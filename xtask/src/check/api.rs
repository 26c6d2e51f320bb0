//! `cargo xtask api`: compares the public items of the crate `payspec` with the list in the
//! repository, so that every addition, removal, and change is noticed. The step also checks that the
//! features of the crate are additive.

use super::features::{self, Features};
use crate::support::process::{cargo, run_checked, target};
use crate::support::style::{BAD, FAINT, GOOD, WARN};
use crate::support::test_counts::TestCounts;
use anstream::println;
use payspec_support::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The list: one item on each line, as formatted by rustdoc.
const LIST: &str = "tests/data/public-api.txt";
const BLESS: &str = "cargo xtask api --bless";
/// Traits that cannot be named on a stable compiler.
const OF_THE_COMPILER: [&str; 3] = [
    "core::marker::Freeze",
    "core::marker::UnsafeUnpin",
    "core::marker::StructuralPartialEq",
];

/// Compares the public items with the list, or updates the list.
pub(crate) fn run(bless: bool) -> Result<(), String> {
    if !bless {
        return compare_items();
    }
    let found = items(None)?;
    fs::write(root().join(LIST), found.join("\n") + "\n")
        .map_err(|error| format!("{LIST}: {error}"))?;
    println!("{LIST}: {} items", found.len());
    Ok(())
}

/// Runs the step of `cargo xtask test`.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let results = [compare_items(), check_features()];
    let mut counts = TestCounts::default();
    for result in &results {
        counts.add(TestCounts::of_check(result.is_ok()));
    }
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    (counts, (!errors.is_empty()).then(|| errors.join("\n")))
}

/// Checks that no feature removes or changes a public item.
fn check_features() -> Result<(), String> {
    let sets = features::check(|features| items(Some(features)))?;
    println!("   {FAINT}{sets} sets of features, each adds to the smaller ones{FAINT:#}");
    Ok(())
}

/// Compares the items, or only their names if the JSON of this compiler's rustdoc cannot be read.
fn compare_items() -> Result<(), String> {
    let listed = listed()?;
    match items(None) {
        Ok(found) => compare(&listed, &found),
        Err(problem) => {
            println!(
                "   {WARN}warning{WARN:#}  the public items were not compared, only their names: {problem}"
            );
            names(&listed)
        }
    }
}

fn listed() -> Result<Vec<String>, String> {
    let text = fs::read_to_string(root().join(LIST))
        .map_err(|error| format!("{LIST}: {error}; {BLESS} writes it"))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Returns the current items of the crate, with these features or with those of the default.
fn items(features: Option<&Features>) -> Result<Vec<String>, String> {
    let mut rustdoc = cargo();
    rustdoc
        .args([
            "rustdoc",
            "--quiet",
            "--locked",
            "--package",
            "payspec",
            "--lib",
            "--target-dir",
        ])
        .arg(folder());
    if let Some(features) = features {
        let names: Vec<&str> = features.iter().map(String::as_str).collect();
        rustdoc
            .arg("--no-default-features")
            .args(["--features", &names.join(",")]);
    }
    // The JSON output is unstable; this variable permits it on a stable compiler.
    rustdoc
        .args([
            "--",
            "-Zunstable-options",
            "--output-format=json",
            "--cap-lints=allow",
        ])
        .env("RUSTC_BOOTSTRAP", "1");
    run_checked(&mut rustdoc, "cargo rustdoc")?;
    let api = public_api::Builder::from_rustdoc_json(folder().join("doc/payspec.json"))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build();
    let api = api.map_err(|error| format!("the JSON of this rustdoc cannot be read: {error}"))?;
    let items = api.items().map(ToString::to_string);
    Ok(items
        .filter(|item| !OF_THE_COMPILER.iter().any(|name| item.contains(name)))
        .collect())
}

/// Returns a separate target folder: the unstable option would cause all crates to be compiled
/// again.
fn folder() -> PathBuf {
    target().join("api")
}

fn compare(listed: &[String], found: &[String]) -> Result<(), String> {
    let [before, now] = [listed, found].map(|items| items.iter().collect::<BTreeSet<_>>());
    let removed: Vec<_> = before.difference(&now).collect();
    let added: Vec<_> = now.difference(&before).collect();
    for item in &removed {
        println!("   {BAD}- {item}{BAD:#}");
    }
    for item in &added {
        println!("   {GOOD}+ {item}{GOOD:#}");
    }
    if removed.is_empty() && added.is_empty() {
        println!(
            "   {FAINT}{} public items match {LIST}{FAINT:#}",
            found.len()
        );
        return Ok(());
    }
    Err(format!(
        "the public items of payspec differ from {LIST}: {} removed or changed, {} new. If this is intended, run {BLESS} and \
         add a line to CHANGELOG.md; removed items are a breaking change",
        removed.len(),
        added.len()
    ))
}

/// Compiles a crate that names every listed item of a module.
fn names(listed: &[String]) -> Result<(), String> {
    let io = |error: std::io::Error| format!("the crate of names: {error}");
    let folder = folder().join("names");
    let core = root().join("core").display().to_string();
    let lines: Vec<String> = paths(listed)
        .into_iter()
        .map(|path| format!("#[allow(unused_imports)]\nuse {path};\n"))
        .collect();
    fs::create_dir_all(folder.join("src")).map_err(io)?;
    // Each in its own scope, since two modules may have items with the same name.
    let blocks: String = lines
        .iter()
        .map(|line| format!("const _: () = {{\n{line}}};\n"))
        .collect();
    fs::write(folder.join("src/lib.rs"), blocks).map_err(io)?;
    let manifest = format!(
        "[workspace]\n[package]\nname = \"names\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n\
         payspec = {{ path = {core:?} }}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).map_err(io)?;
    // The same versions as in the workspace.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(io)?;
    let mut check = cargo();
    check
        .args(["check", "--quiet", "--offline", "--target-dir"])
        .arg(target().join("api"))
        .current_dir(&folder);
    run_checked(&mut check, "a public item is missing")?;
    println!("   {FAINT}{} public names exist{FAINT:#}", lines.len());
    Ok(())
}

/// Returns the paths of the items in modules: types, traits, functions and constants, without
/// methods and variants.
fn paths(listed: &[String]) -> Vec<&str> {
    let named = |kinds: &'static [&'static str]| {
        listed.iter().filter_map(move |line| {
            let rest = line
                .strip_prefix("#[non_exhaustive] ")
                .unwrap_or(line)
                .strip_prefix("pub ")?;
            let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
                .unwrap_or(rest.len());
            Some(rest[..end].trim_end_matches(':'))
        })
    };
    let modules: BTreeSet<&str> = named(&["mod "]).collect();
    named(&[
        "struct ",
        "enum ",
        "trait ",
        "type ",
        "fn ",
        "const fn ",
        "const ",
        "static ",
        "use ",
    ])
    .filter(|path| {
        path.rsplit_once("::")
            .is_some_and(|(module, _)| modules.contains(module))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_the_items_of_a_module() {
        let listed = lines(&[
            "pub mod payspec",
            "pub mod payspec::card",
            "#[non_exhaustive] pub enum payspec::Code",
            "pub payspec::Code::Missing",
            "pub const payspec::USDT: payspec::Currency",
            "pub const fn payspec::Amount::scale(&self) -> u32",
            "pub fn payspec::card::card_info(digits: &str) -> payspec::card::CardInfo",
            "pub struct payspec::card::CardInfo<'a>",
            "impl core::clone::Clone for payspec::Code",
        ]);
        assert_eq!(
            paths(&listed),
            [
                "payspec::Code",
                "payspec::USDT",
                "payspec::card::card_info",
                "payspec::card::CardInfo",
            ]
        );
    }

    #[test]
    fn fails_on_a_difference_and_names_the_command() {
        let (before, now) = (
            lines(&["pub fn payspec::a()"]),
            lines(&["pub fn payspec::a(u8)"]),
        );
        assert_eq!(compare(&now, &now), Ok(()));
        let error = compare(&before, &now).unwrap_err();
        assert!(
            error.contains("1 removed or changed, 1 new") && error.contains(BLESS),
            "{error}"
        );
    }
}
