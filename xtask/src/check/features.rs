//! Checks that the features of the crate `payspec` are additive: its dependents share one set of
//! features in a build, so a feature that removed or changed an item would break the others.

use crate::support::checks::none;
use anyhow::{Context, Result};
use fs_err as fs;
use payspec_support::root;
use std::collections::{BTreeMap, BTreeSet};

const MANIFEST: &str = "core/Cargo.toml";

/// A set of features that contains what its features enable.
pub(super) type Features = BTreeSet<String>;

/// Compares the items of each set of features with those of every set that has one feature more.
/// Returns the number of sets.
pub(super) fn check(items: impl Fn(&Features) -> Result<Vec<String>>) -> Result<usize> {
    let features = declared(&fs::read_to_string(root().join(MANIFEST))?)?;
    let mut items_of = BTreeMap::new();
    for set in sets(&features) {
        let found: BTreeSet<String> = items(&set)?.into_iter().collect();
        items_of.insert(set, found);
    }
    let removed = removed(&features, &items_of);
    none(removed).context("features of payspec that are not additive")?;
    Ok(items_of.len())
}

/// Returns the features of a manifest, each with itself and those that it enables.
fn declared(manifest: &str) -> Result<Vec<(String, Features)>> {
    let manifest: toml::Table = toml::from_str(manifest).context(MANIFEST)?;
    let table = manifest.get("features").and_then(toml::Value::as_table);
    let table = table.with_context(|| format!("{MANIFEST} has no features"))?;
    let enabled = |name: &String| {
        let entries = table.get(name).and_then(toml::Value::as_array);
        let entries = entries.into_iter().flatten();
        let names = entries.filter_map(toml::Value::as_str).map(str::to_owned);
        names.filter(|name| table.contains_key(name)).collect()
    };
    let names = table.keys().filter(|name| *name != "default");
    Ok(names
        .map(|name| {
            let mut features = Features::from([name.clone()]);
            loop {
                let more: Vec<String> = features
                    .iter()
                    .flat_map(|name| -> Features { enabled(name) })
                    .collect();
                let before = features.len();
                features.extend(more);
                if features.len() == before {
                    return (name.clone(), features);
                }
            }
        })
        .collect())
}

/// Returns every set of features, the empty one first.
fn sets(features: &[(String, Features)]) -> BTreeSet<Features> {
    let mut sets = BTreeSet::from([Features::new()]);
    for (_, enabled) in features {
        let larger: Vec<Features> = sets.iter().map(|set| set | enabled).collect();
        sets.extend(larger);
    }
    sets
}

/// Returns a line for each item that a set of features has, and the set with one feature more has
/// not.
fn removed(
    features: &[(String, Features)],
    items_of: &BTreeMap<Features, BTreeSet<String>>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (set, items) in items_of {
        for (name, enabled) in features {
            let Some(more_items) = items_of.get(&(set | enabled)) else {
                continue;
            };
            for item in items.difference(more_items) {
                let set: Vec<&str> = set.iter().map(String::as_str).collect();
                lines.push(format!("{name} removes from [{}]: {item}", set.join(", ")));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"
        [features]
        default = ["a"]
        a = []
        b = ["dep:other", "a", "serde/std"]
        c = ["b"]
    "#;

    fn set(names: &[&str]) -> Features {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn includes_the_features_that_a_feature_enables() {
        let features = declared(MANIFEST).unwrap();
        let expected = [
            ("a", set(&["a"])),
            ("b", set(&["a", "b"])),
            ("c", set(&["a", "b", "c"])),
        ];
        assert_eq!(
            features,
            expected.map(|(name, features)| (name.to_owned(), features))
        );
        let sets = sets(&features);
        let expected = [&[][..], &["a"], &["a", "b"], &["a", "b", "c"]];
        assert!(sets.into_iter().eq(expected.map(set)));
    }

    #[test]
    fn finds_an_item_that_two_features_remove_together() {
        let features = ["a", "b"].map(|name| (name.to_owned(), set(&[name])));
        let items = |features: &Features| match features.len() {
            2 => set(&["pub fn f(u8)"]),
            _ => set(&["pub fn f()"]),
        };
        let items_of = sets(&features)
            .into_iter()
            .map(|set| (set.clone(), items(&set)))
            .collect();
        assert_eq!(
            removed(&features, &items_of),
            [
                "b removes from [a]: pub fn f()",
                "a removes from [b]: pub fn f()"
            ]
        );
        let same = sets(&features)
            .into_iter()
            .map(|features| (features, set(&["pub fn f()"])))
            .collect();
        assert!(removed(&features, &same).is_empty());
    }
}
