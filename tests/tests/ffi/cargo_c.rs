//! Checks the settings of cargo-c in `ffi/Cargo.toml`: they are valid, and `cargo cinstall`
//! installs the same files as `cargo xtask install`. cargo-c itself is not run, because it takes
//! longer to build than all tests.

use crate::{prefix, soname};
use payspec_tests::c;
use payspec_tests::json::Json;
use payspec_tests::{cargo, root};
use std::collections::BTreeSet;
use std::fs;

/// Returns the metadata of the package `payspec-ffi`.
fn package() -> Json {
    let text =
        c::run_checked(cargo().args(["metadata", "--format-version=1", "--no-deps", "--locked"]));
    let metadata = Json::parse(text.as_bytes()).unwrap();
    let found = at(&metadata, &["packages"])
        .elements()
        .iter()
        .find(|p| text_at(p, &["name"]) == "payspec-ffi");
    found.unwrap().clone()
}

fn at<'j>(json: &'j Json, path: &[&str]) -> &'j Json {
    path.iter().fold(json, |json, name| {
        json.get(name)
            .unwrap_or_else(|| panic!("no {name} in {path:?}"))
    })
}

fn text_at<'j>(json: &'j Json, path: &[&str]) -> &'j str {
    at(json, path)
        .as_str()
        .unwrap_or_else(|| panic!("{path:?} is not a string"))
}

fn capi(path: &[&str]) -> Json {
    at(&package(), &[&["metadata", "capi"], path].concat()).clone()
}

/// Returns the value of a line `Name: value` in the installed payspec.pc.
fn installed(name: &str) -> String {
    let text = fs::read_to_string(prefix().file("lib/pkgconfig/payspec.pc")).unwrap();
    text.lines()
        .find_map(|line| line.strip_prefix(&format!("{name}: ")))
        .unwrap()
        .to_owned()
}

/// cargo-c requires the form MAJOR.MINOR.PATCH.
#[test]
fn states_the_minimum_version_of_cargo_c() {
    let version = capi(&["min_version"]);
    let parts: Vec<u32> = version
        .as_str()
        .unwrap()
        .split('.')
        .map(|part| part.parse().unwrap())
        .collect();
    assert_eq!(parts.len(), 3, "{version:?}");
}

#[test]
fn enables_the_feature_without_our_soname() {
    assert!(
        package().get("features").unwrap().get("capi").is_some(),
        "build.rs checks the feature capi"
    );
}

#[test]
fn installs_the_same_headers() {
    // They are committed in include/.
    assert_eq!(capi(&["header", "generation"]), Json::Bool(false));
    assert_eq!(capi(&["header", "subdirectory"]), Json::Bool(false));
    let assets = capi(&["install", "include", "asset"]);
    let names: BTreeSet<String> = assets
        .elements()
        .iter()
        .map(|asset| {
            assert_eq!(
                asset.members().len(),
                1,
                "{asset:?} has another destination"
            );
            let file = root().join("ffi").join(text_at(asset, &["from"]));
            assert!(file.is_file(), "{} does not exist", file.display());
            file.file_name().unwrap().to_str().unwrap().to_owned()
        })
        .collect();
    let found = fs::read_dir(prefix().file("include")).unwrap();
    assert_eq!(
        names,
        found
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    );
}

#[test]
fn writes_the_same_payspec_pc() {
    assert_eq!(capi(&["pkg_config", "filename"]).as_str(), Some("payspec"));
    assert_eq!(
        capi(&["pkg_config", "name"]).as_str(),
        Some(installed("Name").as_str())
    );
    assert_eq!(
        capi(&["pkg_config", "description"]).as_str(),
        Some(installed("Description").as_str())
    );
    // Its version is that of the package unless another one is set.
    assert_eq!(capi(&["pkg_config"]).get("version"), None);
    assert_eq!(text_at(&package(), &["version"]), installed("Version"));
}

#[test]
fn builds_the_same_library() {
    assert_eq!(capi(&["library", "name"]).as_str(), Some("payspec"));
    // The SONAME ends in 0.MINOR, from 1.0 on in MAJOR.
    let Json::Number(components) = capi(&["library", "version_suffix_components"]) else {
        panic!("version_suffix_components is not a number");
    };
    let version = capi(&["library"])
        .get("version")
        .cloned()
        .unwrap_or_else(|| package().get("version").unwrap().clone());
    let suffix: Vec<&str> = version
        .as_str()
        .unwrap()
        .split('.')
        .take(components.as_u64().unwrap().try_into().unwrap())
        .collect();
    assert_eq!(soname(), format!("libpayspec.so.{}", suffix.join(".")));
    let link = prefix().file("lib").join(soname());
    assert!(
        link.is_symlink(),
        "cargo-c would name it {}",
        link.display()
    );
}
