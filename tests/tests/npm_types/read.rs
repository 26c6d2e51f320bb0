//! Reads the declarations of `wasm/types` as text, one on each line.

use std::fs;
use std::sync::LazyLock;

/// The concatenated files of the types.
static TYPES: LazyLock<String> = LazyLock::new(|| {
    let folder = payspec_tests::root().join("wasm/types");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("wasm/types")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths
        .iter()
        .map(|path| fs::read_to_string(path).expect("UTF-8"))
        .collect()
});

/// A member of an interface.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    /// Its comment, on one line.
    pub(crate) doc: String,
    /// True if it may be absent.
    pub(crate) optional: bool,
    /// Its type; for a method, its parameters and its result.
    pub(crate) kind: &'static str,
}

/// Returns the text between `start` and the next `end`. The declaration must occur exactly once.
fn between(start: &str, end: &str) -> &'static str {
    let mut found = TYPES.match_indices(start);
    let (at, _) = found
        .next()
        .unwrap_or_else(|| panic!("the types do not contain `{start}`"));
    assert!(found.next().is_none(), "the types have `{start}` twice");
    let rest = &TYPES[at + start.len()..];
    rest.split_once(end)
        .unwrap_or_else(|| panic!("`{start}` does not end"))
        .0
}

/// Returns the type that a name is an alias of.
pub(crate) fn alias(name: &str) -> &'static str {
    between(&format!("export type {name} ="), ";\n").trim()
}

/// Returns the literals of a union that consists only of literals.
pub(crate) fn union(name: &str) -> Vec<&'static str> {
    let parts = alias(name)
        .split('|')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let literal = |part: &'static str| {
        part.strip_prefix('"')
            .and_then(|part| part.strip_suffix('"'))
    };
    parts
        .map(|part| literal(part).unwrap_or_else(|| panic!("{part} in {name} is not a literal")))
        .collect()
}

/// Returns every literal in a text.
pub(crate) fn literals(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// Returns the members of an interface, without inherited ones.
pub(crate) fn interface(name: &str) -> Vec<Member> {
    // The name is followed by type parameters, a base or the members.
    let found = [" {", "<", " extends ", "\n  extends "]
        .into_iter()
        .filter_map(|end| {
            let start = format!("export interface {name}{end}");
            TYPES.contains(&start).then(|| between(&start, "\n}"))
        });
    let bodies: Vec<&str> = found.collect();
    assert_eq!(
        bodies.len(),
        1,
        "the types should have one interface {name}"
    );
    let (_, body) = bodies[0].split_once('\n').expect("members");
    members(
        body.split_once("> {\n")
            .filter(|(head, _)| !head.contains(':'))
            .map_or(body, |(_, members)| members),
    )
}

fn members(body: &'static str) -> Vec<Member> {
    let mut members = Vec::new();
    let mut doc = String::new();
    for line in body.lines() {
        // Lines with more indentation belong to the type of a member.
        let Some(line) = line
            .strip_prefix("  ")
            .filter(|line| !line.starts_with([' ', '}']))
        else {
            if let Some(text) = line.trim_start().strip_prefix('*') {
                doc.push_str(text.trim_end_matches('/').trim_end_matches('*').trim_end());
            }
            continue;
        };
        if let Some(comment) = line.strip_prefix("/**") {
            doc = comment.trim_end_matches("*/").trim().to_owned();
            continue;
        }
        if let Some(member) = member(line, &doc) {
            members.push(member);
        }
        doc.clear();
    }
    members
}

fn member(line: &'static str, doc: &str) -> Option<Member> {
    let line = line.strip_prefix("readonly ").unwrap_or(line);
    let end =
        line.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')?;
    let (name, rest) = line.split_at(end);
    let optional = rest.starts_with('?');
    let kind = rest.strip_prefix('?').unwrap_or(rest);
    let kind = kind
        .strip_prefix(": ")
        .unwrap_or(kind)
        .trim_end_matches(';');
    (!name.is_empty()).then(|| Member {
        name,
        doc: doc.to_owned(),
        optional,
        kind,
    })
}

/// Returns the names of an interface's members.
pub(crate) fn names_of(interface_name: &str) -> Vec<&'static str> {
    interface(interface_name)
        .iter()
        .map(|member| member.name)
        .collect()
}
