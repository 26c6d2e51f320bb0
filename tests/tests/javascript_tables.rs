//! Writes the texts of the rules to `wasm/js/tables.js` (`BLESS=1`), and compares them.

use std::fmt::Write;
use std::{env, fs};

use payspec::RULES;

const FILE: &str = "wasm/js/tables.js";

/// One text for all rules compresses better than an array of texts. Bundlers omit it if it is
/// unused.
fn tables() -> String {
    let mut out = String::from(
        "// The texts of the rules. Written by a test: BLESS=1 cargo test --test javascript_tables\n\n\
         /** The rules: code, default severity, source, message, and the names of the parameters. */\n\
         export const RULES = /* @__PURE__ */ `",
    );
    for (index, rule) in RULES.iter().enumerate() {
        if index > 0 {
            out.push_str("~\\\n");
        }
        let (name, severity, source, params) =
            (rule.name, rule.severity, rule.source, rule.params.join(","));
        let line = format!("{name}|{severity}|{source}|{}|{params}", rule.summary);
        assert!(
            !line.contains(['\\', '`', '$', '~']),
            "{name} needs no escapes"
        );
        assert_eq!(line.split('|').count(), 5, "{name}");
        write!(out, "{line}").expect("a String");
    }
    out.push_str("`.split(\"~\");\n");
    out
}

#[test]
fn javascript_has_the_texts_of_the_rules() {
    let path = payspec_tests::root().join(FILE);
    let tables = tables();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &tables).expect("the repository is writable");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written, tables,
        "BLESS=1 cargo test --test javascript_tables"
    );
}
