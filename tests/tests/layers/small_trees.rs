//! Checks the rules with small trees of source files.

use super::rules::{Violations, check};
use super::sources::Sources;

/// Returns the violations of a core with the files. The names are relative to `core/src`.
fn violations(files: &[(&str, &str)]) -> Violations {
    let sources: Sources = files
        .iter()
        .map(|(name, text)| (format!("core/src/{name}"), (*text).to_owned()))
        .collect();
    check(&sources, &[&["core/src/lib.rs"]]).unwrap()
}

fn lines(files: &[(&str, &str)]) -> Vec<String> {
    violations(files).into_keys().collect()
}

#[test]
fn rejects_an_import_from_a_later_entry() {
    let files = [
        (
            "lib.rs",
            "mod json;\nmod money;\nmod types;\npub use money::Amount;",
        ),
        (
            "json.rs",
            "pub struct Reader;\n\nuse crate::money::Amount as Money;\n\npub fn read(_: Money) {}",
        ),
        (
            "money.rs",
            "use crate::json::Reader;\n\npub struct Amount(Reader);",
        ),
        (
            "types.rs",
            "pub fn f() -> crate::json::Reader { crate::json::Reader }",
        ),
    ];
    let found = violations(&files);
    let rules = [
        "cycle core/src/json.rs -> core/src/money.rs",
        "cycle core/src/money.rs -> core/src/json.rs",
        "direction core/src/json.rs -> core/src/money.rs",
    ];
    assert!(found.keys().eq(rules), "{found:#?}");
    let message = &found[rules[2]];
    assert!(
        message.starts_with(
            "core/src/json.rs:3: `crate::money::Amount` imports from core/src/money.rs\n"
        ),
        "{message}"
    );
    assert!(
        message.contains("rule: `json` is before `money`"),
        "{message}"
    );
}

#[test]
fn rejects_a_cycle_of_files() {
    let files = [
        ("lib.rs", "mod json;"),
        ("json/mod.rs", "mod lexer; mod tape; mod text;"),
        (
            "json/lexer.rs",
            "use super::text::Text; pub struct Lexer(Text);",
        ),
        ("json/text.rs", "pub struct Text(Box<super::tape::Tape>);"),
        (
            "json/tape.rs",
            "use crate::json::{lexer::Lexer}; pub struct Tape(Lexer);",
        ),
    ];
    let found = violations(&files);
    let cycle = [
        "cycle core/src/json/lexer.rs -> core/src/json/text.rs",
        "cycle core/src/json/tape.rs -> core/src/json/lexer.rs",
        "cycle core/src/json/text.rs -> core/src/json/tape.rs",
    ];
    assert!(found.keys().eq(cycle), "{found:#?}");
    let way = "core/src/json/lexer.rs -> core/src/json/text.rs -> core/src/json/tape.rs -> core/src/json/lexer.rs";
    assert!(found[cycle[0]].contains(way), "{found:#?}");
}

#[test]
fn rejects_a_cycle_of_a_module_and_its_child() {
    let child = "use super::Report; pub fn write(_: &Report) {}";
    let calls = [
        "mod writer; pub struct Report; pub fn f() { writer::write(&Report) }",
        "mod writer; use writer::write; pub struct Report; pub fn f() { write(&Report) }",
        "mod writer; pub use self::writer::write; pub struct Report; pub fn f() { write(&Report) }",
        "mod writer; pub struct Report; pub fn f() { use writer as w; w::write(&Report) }",
        "mod writer; pub use writer::*; pub struct Report; pub fn f() { write(&Report) }",
    ];
    for parent in calls {
        let found = lines(&[
            ("lib.rs", "mod report;"),
            ("report.rs", parent),
            ("report/writer.rs", child),
        ]);
        let cycle = [
            "cycle core/src/report.rs -> core/src/report/writer.rs",
            "cycle core/src/report/writer.rs -> core/src/report.rs",
        ];
        assert_eq!(found, cycle, "{parent}");
    }
    let parent = "mod writer; pub use writer::write; pub struct Report;";
    let found = lines(&[
        ("lib.rs", "mod report;"),
        ("report.rs", parent),
        ("report/writer.rs", child),
    ]);
    assert_eq!(found, [""; 0], "a re-export is not an import");
}

#[test]
fn ignores_tests_comments_and_strings() {
    let json = r##"
        //! See [`crate::money::Amount`].
        /* use crate::money::Amount; */
        pub const TEXT: &str = "crate::money::Amount";
        pub const RAW: &str = r#"use crate::money::Amount;"#;
        #[cfg(test)]
        use crate::money::Amount;
        #[cfg(all(test, feature = "std"))]
        fn helper() -> Amount { crate::money::Amount }
        pub struct Reader;
        impl Reader {
            #[cfg(test)]
            fn amount() -> Amount { crate::money::Amount }
        }
        #[cfg(test)]
        mod tests {
            use crate::money::Amount;
        }
        #[cfg(test)]
        mod outside;
    "##;
    let files = [
        ("lib.rs", "mod json; mod money;"),
        ("json.rs", json),
        ("json/outside.rs", "use crate::money::Amount; mod deeper;"),
        ("json/outside/deeper.rs", "use crate::money::Amount;"),
        (
            "money.rs",
            "use crate::json::Reader; pub struct Amount(Reader);",
        ),
    ];
    assert_eq!(lines(&files), [""; 0]);
    let release = json.replace(
        "#[cfg(test)]\n        use",
        "#[cfg(not(test))]\n        use",
    );
    assert_eq!(
        lines(&files.map(|(name, text)| (name, if text == json { &*release } else { text }))).len(),
        3
    );
}

#[test]
fn resolves_reexports_to_the_defining_file() {
    let files = [
        ("lib.rs", "mod json; mod types; pub use types::*;"),
        (
            "types/mod.rs",
            "mod state; mod time; pub(crate) use state::State as Status; pub use self::time::*;",
        ),
        ("types/state.rs", "pub enum State { Paid }"),
        (
            "types/time.rs",
            "pub struct Timestamp; use crate::json::read;",
        ),
        (
            "json.rs",
            "use crate::types; pub fn read() { types::Status::Paid; crate::Timestamp; }",
        ),
    ];
    let expected = [
        "cycle core/src/json.rs -> core/src/types/time.rs",
        "cycle core/src/types/time.rs -> core/src/json.rs",
        "direction core/src/json.rs -> core/src/types/state.rs",
        "direction core/src/json.rs -> core/src/types/time.rs",
    ];
    assert_eq!(lines(&files), expected);
}

#[test]
fn reads_the_tokens_of_macros() {
    let expected = ["direction core/src/util.rs -> core/src/json.rs"];
    let uses = [
        "macro_rules! make { ($a:ident) => { $crate::json::Reader::$a() } }",
        "macro_rules! make { () => { use $crate::json::{other::{Thing}, Reader}; } }",
        "pub fn f() { drop(vec![(1, crate::json::Reader)]) }",
        "#[derive(crate::json::Derive)] pub struct Derived;",
        "pub fn f() { crate::json::read!() }",
        "pub fn f() { assert!(json::read!() == 1) } use crate::json;",
        "pub fn f() { read!() }",
        "use crate::json::*;",
    ];
    let json = "pub struct Reader; macro_rules! read { () => { 1 } } pub(crate) use read; mod other { pub struct Thing; }";
    for text in uses {
        assert_eq!(
            lines(&[
                ("lib.rs", "mod json; mod util;"),
                ("json.rs", json),
                ("util.rs", text)
            ]),
            expected,
            "{text}"
        );
    }
    let other = "macro_rules! make { ($json:ident, $t:ty) => { $json::Reader; <$t>::Reader; x.json::<u8>(); } }";
    assert_eq!(
        lines(&[
            ("lib.rs", "mod json; mod util;"),
            ("json.rs", json),
            ("util.rs", other)
        ]),
        [""; 0]
    );
}

#[test]
fn attributes_the_names_of_a_macro_call_to_its_file() {
    let files = [
        ("lib.rs", "#[macro_use] mod util; mod types; mod json;"),
        (
            "util.rs",
            "macro_rules! string_enum { ($name:ident) => { pub enum $name {} } }",
        ),
        ("types.rs", "string_enum! { State }"),
        ("json.rs", "use crate::types::State;"),
    ];
    assert_eq!(
        lines(&files),
        ["direction core/src/json.rs -> core/src/types.rs"]
    );
}

#[test]
fn reads_the_files_of_every_platform() {
    let list = "#[cfg_attr(wasm, path = \"util/wasm.rs\")] #[cfg_attr(not(wasm), path = \"util/native.rs\")] mod kind; \
                pub use kind::List;";
    let files = [
        ("lib.rs", "mod util; mod json;"),
        ("util.rs", list),
        ("util/native.rs", "pub struct List;"),
        ("util/wasm.rs", "use crate::json::Reader; pub struct List;"),
        ("json.rs", "pub struct Reader(crate::util::List);"),
    ];
    let expected = [
        "cycle core/src/json.rs -> core/src/util/wasm.rs",
        "cycle core/src/util/wasm.rs -> core/src/json.rs",
        "direction core/src/util/wasm.rs -> core/src/json.rs",
    ];
    assert_eq!(lines(&files), expected);
}

#[test]
fn lists_entries_without_order_and_importers_of_engine_and_wide() {
    let files = [
        (
            "lib.rs",
            "mod engine; mod judge; mod operations; mod json; pub use engine::Engine;",
        ),
        ("engine.rs", "pub struct Engine; pub fn other() {}"),
        ("judge/mod.rs", "mod inner;"),
        (
            "judge/inner.rs",
            "use crate::Engine; use wide::u8x16; pub fn f(_: Engine) {}",
        ),
        (
            "operations.rs",
            "use crate::engine::Engine; pub fn f(_: &Engine) { crate::engine::other() }",
        ),
        ("json/mod.rs", "mod scanner;"),
        ("json/scanner.rs", "pub fn f(_: ::wide::u8x16) {}"),
    ];
    let expected = [
        "engine core/src/judge/inner.rs -> core/src/engine.rs",
        "unordered core/src/judge",
        "wide core/src/judge/inner.rs -> wide",
    ];
    assert_eq!(lines(&files), expected);
}

#[test]
fn fails_if_a_file_cannot_be_read() {
    let check = |files: &[(&str, &str)]| {
        let sources = files
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect();
        check(&sources, &[&["core/src/lib.rs"]]).unwrap_err()
    };
    assert_eq!(
        check(&[("core/src/lib.rs", "mod json;")]),
        "core/src/json.rs: file not found"
    );
    assert!(check(&[("core/src/lib.rs", "\nfn ;")]).starts_with("core/src/lib.rs:2: "));
    assert!(
        check(&[("core/src/lib.rs", ""), ("core/src/json.rs", "")]).contains("core/src/json.rs")
    );
}
