//! Checks that every command resolves the same features of dependencies, so that commands share
//! compiled crates. Differences are added to `tests/features/Cargo.toml`.

use payspec_tests::cargo;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the features of each dependency: `serde v1.0.0` and `[derive,std]`. A crate may have a
/// second set as a build dependency.
fn features(edges: &str, selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut tree = cargo();
    tree.args([
        "tree",
        "--locked",
        "--prefix=none",
        "--edges",
        edges,
        "--format={p} [{f}]",
    ])
    .args(selection);
    let output = tree.output().unwrap();
    assert!(
        output.status.success(),
        "cargo tree: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // An empty line separates the trees of members.
        let Some((package, features)) = line.split_once(" [") else {
            continue;
        };
        // Members have paths. Some names are followed by `(proc-macro)`.
        if !package.contains("(/") {
            let name = package.trim_end_matches(" (proc-macro)").to_owned();
            found
                .entry(name)
                .or_default()
                .insert(features.trim_end_matches(" (*)").to_owned());
        }
    }
    assert!(found.len() > 20, "{found:?}");
    found
}

#[test]
fn commands_share_compiled_dependencies() {
    const ALL: &str = "normal,build,dev";
    let expected = features(ALL, &[]);
    let core = features("normal,build", &["--package=payspec"]);
    let selections: [(&str, &str, &[&str]); 2] = [
        ("cargo build", "normal,build", &[]),
        (
            "cargo xtask test core",
            ALL,
            &[
                "--package=payspec",
                "--package=payspec-tests",
                "--package=payspec-features",
            ],
        ),
    ];
    for (command, edges, selection) in selections {
        for (package, sets) in features(edges, selection) {
            // A selection must share the dependencies of the core; the others are compiled by a
            // whole build.
            if selection.is_empty() || core.contains_key(&package) {
                let missing: Vec<_> = sets.difference(&expected[&package]).collect();
                assert!(
                    missing.is_empty(),
                    "{command}: {package} has {missing:?}, but tests have {:?}",
                    expected[&package]
                );
            }
        }
    }
}
