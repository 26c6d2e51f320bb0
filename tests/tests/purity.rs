//! The compiler checks purity. These tests check that the attributes for it are set, and that no
//! dependency undoes them.

use payspec_tests::{cargo, root};

/// Features that would change numbers or the order of members for every crate of a caller's
/// program.
const FORBIDDEN: [&str; 3] = ["arbitrary_precision", "serde-float", "preserve_order"];

#[test]
fn forbids_unsafe_code_and_the_standard_library() {
    let path = root().join("core/src/lib.rs");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for attribute in ["#![no_std]", "#![forbid(unsafe_code)]"] {
        assert!(
            lines.contains(&attribute),
            "core/src/lib.rs does not contain {attribute}"
        );
    }
    // The only exception is an optional feature, which is off by default.
    let is_optional = |pair: &[&str]| pair == [r#"#[cfg(feature = "std")]"#, "extern crate std;"];
    let uses = lines
        .iter()
        .filter(|line| line.ends_with("extern crate std;"));
    assert_eq!(
        uses.count(),
        lines.windows(2).filter(|pair| is_optional(pair)).count(),
        "core/src/lib.rs uses std"
    );
}

#[test]
fn rejects_features_that_change_numbers_or_order() {
    for extra in [&[][..], &["--no-default-features"], &["--all-features"]] {
        let tree = feature_tree(extra);
        assert!(tree.contains("payspec"), "the tree is empty:\n{tree}");
        for feature in FORBIDDEN {
            let line = tree
                .lines()
                .find(|line| line.contains(&format!("feature \"{feature}\"")));
            assert_eq!(line, None, "payspec {extra:?} enables {feature}");
        }
    }
}

fn feature_tree(extra: &[&str]) -> String {
    let output = cargo()
        .args(["tree", "--edges", "features", "--package", "payspec"])
        .args(extra)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "cargo tree: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}
