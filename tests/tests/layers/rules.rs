//! The rules for imports.

use super::imports::{Import, Imports};
use super::sources::{self, Sources};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The entries of `core/src` (folders, and files without their extension). An entry imports only
/// from entries before it.
const ORDER: [&str; 20] = [
    "util",
    "json",
    "types",
    "card",
    "money",
    "schema",
    "report",
    "error",
    "input",
    "policy",
    "validate",
    "page",
    "model",
    "context",
    "ops",
    "decisions",
    "engine",
    "openapi",
    "operations",
    "lib",
];

const CORE: &str = "core/src/";

/// The crates of each package. Files of one package form no cycle.
pub(crate) const PACKAGES: [&[&str]; 15] = [
    &["cli/src/main.rs"],
    &["core/src/lib.rs"],
    &["ffi/src/lib.rs"],
    &["service/gateway/src/lib.rs", "service/gateway/src/main.rs"],
    &["service/sandbox/src/lib.rs"],
    &["tests/bench/src/lib.rs", "tests/bench/src/main.rs"],
    &["tests/bulk/src/main.rs"],
    &["tests/fuzz/src/lib.rs"],
    &["tests/protocol/src/lib.rs"],
    &["tests/src/lib.rs"],
    &["tests/support/src/lib.rs"],
    &["wasm/src/lib.rs"],
    &["wasm/page/src/lib.rs"],
    &["xtask/generate/src/main.rs"],
    &["xtask/src/main.rs"],
];

/// The files of the core that import `wide`.
const VECTOR_FILES: [&str; 4] = [
    "core/src/json/scanner.rs",
    "core/src/json/schema/quoted_name.rs",
    "core/src/json/terminator.rs",
    "core/src/util/bytes.rs",
];

/// The entries that import `Engine`. The others take a `Ruleset`.
const ENGINE_ENTRIES: [&str; 3] = ["openapi", "operations", "lib"];

/// The key of each violation, and its description.
pub(crate) type Violations = BTreeMap<String, String>;

/// Checks all packages. Fails if a source file cannot be read.
pub(crate) fn check(sources: &Sources, packages: &[&[&str]]) -> Result<Violations, String> {
    let mut violations = Violations::new();
    for roots in packages {
        let (mut files, mut crates) = (Imports::new(), Imports::new());
        let mut read = BTreeSet::new();
        for root in *roots {
            let source = sources::read(sources, root)?;
            source.imports(&mut files, &mut crates);
            read.extend(source.modules.into_iter().map(|module| module.file));
            read.extend(source.test_files);
        }
        let folder = roots[0].rsplit_once('/').map_or("", |(folder, _)| folder);
        let missed: Vec<&String> = sources
            .keys()
            .filter(|file| file.starts_with(folder) && !read.contains(*file))
            .collect();
        if !missed.is_empty() {
            return Err(format!(
                "no module of {} has the files {missed:?}",
                roots[0]
            ));
        }
        for file in &read {
            order_entry(file, &mut violations);
        }
        for ((from, to), imports) in &files {
            direction(from, to, imports, &mut violations);
            engine(from, to, imports, &mut violations);
        }
        for ((from, to), imports) in &crates {
            wide(from, to, imports, &mut violations);
        }
        cycles(&files, &mut violations);
    }
    Ok(violations)
}

/// Returns the entry of `core/src` with the file.
fn entry(file: &str) -> Option<&str> {
    let entry = file.strip_prefix(CORE)?.split('/').next()?;
    Some(entry.strip_suffix(".rs").unwrap_or(entry))
}

fn rank(entry: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == entry)
}

fn order_entry(file: &str, violations: &mut Violations) {
    if let Some(entry) = entry(file).filter(|entry| rank(entry).is_none()) {
        let text = format!(
            "{CORE}{entry} is not in the order of entries\n    rule: {}",
            order()
        );
        violations.insert(format!("unordered {CORE}{entry}"), text);
    }
}

fn direction(from: &str, to: &str, imports: &[Import], violations: &mut Violations) {
    let (Some(importing), Some(imported)) = (entry(from), entry(to)) else {
        return;
    };
    if let (Some(left), Some(right)) = (rank(importing), rank(imported))
        && left < right
    {
        let rule = format!(
            "`{importing}` is before `{imported}`, so it does not import from it: {}",
            order()
        );
        violations.insert(
            format!("direction {from} -> {to}"),
            describe(from, to, imports, &rule),
        );
    }
}

fn order() -> String {
    ORDER.join(" < ")
}

fn engine(from: &str, to: &str, imports: &[Import], violations: &mut Violations) {
    let is_engine =
        entry(to) == Some("engine") && imports.iter().any(|import| import.item == "Engine");
    let is_allowed =
        entry(from).is_none_or(|entry| entry == "engine" || ENGINE_ENTRIES.contains(&entry));
    if is_engine && !is_allowed {
        let rule = format!(
            "`Engine` is imported only by {}; use `&Ruleset`",
            ENGINE_ENTRIES.join(", ")
        );
        violations.insert(
            format!("engine {from} -> {to}"),
            describe(from, to, imports, &rule),
        );
    }
}

fn wide(from: &str, to: &str, imports: &[Import], violations: &mut Violations) {
    if to == "wide" && entry(from).is_some() && !VECTOR_FILES.contains(&from) {
        let rule = format!(
            "in the core, `wide` is imported only by {}",
            VECTOR_FILES.join(", ")
        );
        violations.insert(
            format!("wide {from} -> {to}"),
            describe(from, to, imports, &rule),
        );
    }
}

fn cycles(files: &Imports, violations: &mut Violations) {
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in files.keys() {
        graph.entry(from).or_default().insert(to);
    }
    for ((from, to), imports) in files {
        // An import is part of a cycle if there is a path back.
        if let Some(path) = shortest_path(&graph, to, from) {
            let rule = format!(
                "imports between files form no cycle: {from} -> {}",
                path.join(" -> ")
            );
            violations.insert(
                format!("cycle {from} -> {to}"),
                describe(from, to, imports, &rule),
            );
        }
    }
}

fn shortest_path<'a>(
    graph: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    from: &'a str,
    to: &str,
) -> Option<Vec<&'a str>> {
    let mut previous = BTreeMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while let Some(file) = queue.pop_front() {
        if file == to {
            let mut path = vec![file];
            let mut at = file;
            while at != from {
                at = previous[at];
                path.push(at);
            }
            path.reverse();
            return Some(path);
        }
        for next in graph.get(file).into_iter().flatten() {
            if !previous.contains_key(next) {
                previous.insert(next, file);
                queue.push_back(next);
            }
        }
    }
    None
}

fn describe(from: &str, to: &str, imports: &[Import], rule: &str) -> String {
    let mut seen = BTreeSet::new();
    let lines: Vec<String> = imports
        .iter()
        .filter(|import| seen.insert((import.line, &import.path)))
        .map(|import| {
            format!(
                "{from}:{}: `{}` imports from {to}\n",
                import.line, import.path
            )
        })
        .collect();
    format!("{}    rule: {rule}", lines.concat())
}
