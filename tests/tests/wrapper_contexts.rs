//! Compares the members of the context types of all wrappers with the core's tables of contexts. A
//! member that a typed context does not have cannot be set, for example the merchants that a
//! credential may act for.
//!
//! The tables and the types are read as text. Tests of the wrappers check that the values of the
//! members reach the library.

use payspec_tests::root;
use std::collections::{BTreeMap, BTreeSet};

type Names = BTreeSet<String>;

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns the members of these objects of `core/src/schema/context.rs`, by the names of the
/// objects.
fn table(objects: &[&str]) -> Names {
    let text = read("core/src/schema/context.rs");
    let mut members = Names::new();
    for object in objects {
        // The name is followed by the path of the object.
        let start = format!("\n    {object} \"");
        let (_, rest) = text.split_once(&start).expect("an object of the table");
        let (_, rest) = rest.split_once('{').expect("its members");
        let (rows, _) = rest.split_once('}').expect("the end of its members");
        members.extend(quoted(rows));
    }
    members
}

/// Returns the texts between quotes.
fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('"').skip(1).step_by(2).map(str::to_owned)
}

/// Returns the text between `start` and the next `end`. It must occur once.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let mut parts = text.split(start).skip(1);
    let part = parts.next().unwrap_or_else(|| panic!("no {start:?}"));
    assert!(parts.next().is_none(), "{start:?} is there twice");
    part.split_once(end)
        .unwrap_or_else(|| panic!("{start:?} without {end:?}"))
        .0
}

/// Returns the names that source text writes as calls of this function: `text("url", …`.
fn names_given<'t>(text: &'t str, function: &'t str) -> impl Iterator<Item = &'t str> {
    let calls = text.match_indices(function);
    let rest = calls.filter_map(|(at, call)| text[at + call.len()..].strip_prefix("(\""));
    rest.filter_map(|rest| Some(rest.split_once('"')?.0))
}

/// Returns the names of members in literals of JSON, where quotes are escaped.
fn names_in_literals(text: &str) -> impl Iterator<Item = &str> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c == '_';
    text.split("\\\"")
        .filter(move |part| !part.is_empty() && part.chars().all(is_letter))
}

/// Compares the members of types with those of the objects in the table. No type whose name ends
/// with `Context` may be missing.
fn compare(types: &BTreeMap<String, Names>, expected: &[(&str, &[&str])]) {
    for (name, objects) in expected {
        let members = types.get(*name).unwrap_or_else(|| panic!("no type {name}"));
        assert_eq!(members, &table(objects), "{name}");
    }
    let is_expected = |name: &str| expected.iter().any(|(known, _)| *known == name);
    let contexts = types.keys().filter(|name| name.ends_with("Context"));
    let unknown: Vec<&String> = contexts.filter(|name| !is_expected(name)).collect();
    assert!(unknown.is_empty(), "compare {unknown:?} with the table");
    assert!(is_expected("CreateContext"));
}

/// Returns the members in the lines of each type: its name and its lines.
fn types_of<'t>(
    types: impl Iterator<Item = (&'t str, &'t str)>,
    member: impl Fn(&str) -> Option<String>,
) -> BTreeMap<String, Names> {
    let members = |lines: &str| lines.lines().filter_map(&member).collect();
    types
        .map(|(name, lines)| (name.to_owned(), members(lines)))
        .collect()
}

#[test]
fn go() {
    let text = read("bindings/go/types.go");
    let structs = text
        .split("\ntype ")
        .filter_map(|part| part.split_once(" struct {\n"))
        .map(|(name, rest)| (name, rest.split_once("\n}").map_or(rest, |(body, _)| body)));
    let types = types_of(structs, |line| {
        let tag = line.split_once("`json:\"")?.1;
        let name = tag.split(['"', ',']).next()?;
        (name != "-").then(|| name.to_owned())
    });
    compare(
        &types,
        &[
            ("CreateContext", &["CREATE"]),
            ("ReadContext", &["READ"]),
            ("BalanceContext", &["BALANCE"]),
            ("ConvertContext", &["CONVERT"]),
            ("AdvanceContext", &["ADVANCE"]),
            ("Authorization", &["CREATE_AUTHORIZATION"]),
            ("Idempotency", &["IDEMPOTENCY_LOOKUP"]),
            ("Record", &["LOOKUP_RECORD"]),
            ("Quote", &["CREATE_QUOTE"]),
            ("Charges", &["CHARGES"]),
        ],
    );
}

/// The types of C++ write their members one after the other, so their `json` functions are read.
#[test]
fn cpp() {
    let text = read("include/payspec.hpp");
    let structs = text
        .split("\nstruct ")
        .skip(1)
        .filter_map(|part| part.split_once(" {\n"))
        .map(|(name, rest)| {
            let body = rest.split_once("\n};").map_or(rest, |(body, _)| body);
            (name.to_owned(), body)
        });
    let types = structs
        .map(|(name, body)| {
            let json = body.split_once("json() const {").expect("its JSON").1;
            let names = names_in_literals(json).chain(names_given(json, "text"));
            (name, names.map(str::to_owned).collect())
        })
        .collect();
    // The quote, the charges, the info, and the record are JSON of the caller.
    compare(
        &types,
        &[
            ("CreateContext", &["CREATE", "IDEMPOTENCY_LOOKUP"]),
            ("ReadContext", &["READ"]),
        ],
    );
}

#[test]
fn python() {
    let text = read("bindings/python/payspec/_contexts.py");
    let classes = text
        .split("\nclass ")
        .filter_map(|part| part.split_once("(TypedDict"))
        .map(|(name, rest)| {
            (
                name,
                rest.split_once("\n\n\n").map_or(rest, |(body, _)| body),
            )
        });
    let mut types = types_of(classes, |line| {
        let (name, _) = line.strip_prefix("    ")?.split_once(": ")?;
        name.chars()
            .all(|c| c.is_ascii_lowercase() || c == '_')
            .then(|| name.to_owned())
    });
    // An attribute cannot have the name `from`.
    let transition = between(&text, "TransitionContext = TypedDict(", ")\n");
    let members = quoted(transition).filter(|name| name != "TransitionContext");
    types.insert("TransitionContext".to_owned(), members.collect());
    // Its members are policies.
    types.remove("PoliciesContext").expect("the type");
    compare(
        &types,
        &[
            ("CreateContext", &["CREATE"]),
            ("ReadContext", &["READ"]),
            ("BalanceContext", &["BALANCE"]),
            ("ConvertContext", &["CONVERT"]),
            ("AdvanceContext", &["ADVANCE"]),
            ("TransitionContext", &["TRANSITION"]),
            ("KeyContext", &["IDEMPOTENCY"]),
            ("SignContext", &["SIGN_WEBHOOK"]),
            ("VerifyContext", &["VERIFY_WEBHOOK"]),
            ("HeaderAuthorization", &["CREATE_AUTHORIZATION"]),
            ("Idempotency", &["IDEMPOTENCY_LOOKUP"]),
            ("Quote", &["CREATE_QUOTE"]),
            ("Charges", &["CHARGES"]),
        ],
    );
}

#[test]
fn php() {
    let text = read("bindings/php/src/Engine.php");
    let declared = text
        .split("@phpstan-type ")
        .skip(1)
        .filter_map(|part| part.split_once(" array{"));
    let mut types: BTreeMap<String, Names> = declared
        .map(|(name, rest)| (name.to_owned(), shape(rest)))
        .collect();
    for name in ["idempotency", "charges"] {
        let nested = between(&text, &format!("{name}?: array{{"), "}");
        types.insert(name.to_owned(), shape(nested));
    }
    compare(
        &types,
        &[
            ("CreateContext", &["CREATE"]),
            ("ReadContext", &["READ"]),
            ("BalanceContext", &["BALANCE"]),
            ("ConvertContext", &["CONVERT"]),
            ("AdvanceContext", &["ADVANCE"]),
            ("KeyContext", &["IDEMPOTENCY"]),
            ("Authorization", &["CREATE_AUTHORIZATION"]),
            ("Record", &["LOOKUP_RECORD"]),
            ("Quote", &["CREATE_QUOTE"]),
            ("idempotency", &["IDEMPOTENCY_LOOKUP"]),
            ("charges", &["CHARGES"]),
        ],
    );
}

/// Returns the members of an array shape of PHPStan that starts in `text`, without nested ones.
fn shape(text: &str) -> Names {
    let mut depth = 0;
    let mut names = Names::new();
    let mut word = String::new();
    for character in text.chars() {
        match character {
            '{' | '<' => depth += 1,
            '}' if depth == 0 => break,
            '}' | '>' => depth -= 1,
            ':' if depth == 0 => drop(names.insert(std::mem::take(&mut word))),
            _ if character.is_alphanumeric() || character == '_' => {
                word.push(character);
                continue;
            }
            '?' => continue,
            _ => {}
        }
        word.clear();
    }
    names
}

/// A context of Java is built by methods, which write the names of their members.
#[test]
fn java() {
    let text = read("bindings/java/src/main/java/payspec/CreateContext.java");
    let built = names_given(&text, "with")
        .chain(names_given(&text, ".put"))
        .chain(names_in_literals(&text));
    let engine = read("bindings/java/src/main/java/payspec/Engine.java");
    let engine = engine.as_str();
    let method = |start: &str| -> Names {
        let members = between(engine, start, "\n    }\n");
        // Each member is a line: its name and its value.
        let name = |line: &str| {
            Some(
                line.trim_start()
                    .strip_prefix('"')?
                    .split_once("\",")?
                    .0
                    .to_owned(),
            )
        };
        members.lines().filter_map(name).collect()
    };
    let types = BTreeMap::from([
        (
            "CreateContext".to_owned(),
            built.map(str::to_owned).collect(),
        ),
        (
            "readPayment".to_owned(),
            method("public Outcome readPayment("),
        ),
        (
            "readBalance".to_owned(),
            method("public Outcome readBalance("),
        ),
        ("convert".to_owned(), method("public Outcome convert(")),
    ]);
    compare(
        &types,
        &[
            (
                "CreateContext",
                &["CREATE", "IDEMPOTENCY_LOOKUP", "CREATE_QUOTE", "CHARGES"],
            ),
            ("readPayment", &["READ"]),
            ("readBalance", &["BALANCE"]),
            ("convert", &["CONVERT"]),
        ],
    );
}
