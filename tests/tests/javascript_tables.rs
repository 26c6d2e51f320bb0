//! Writes the tables of the npm package to `wasm/js` and `wasm/types` (`BLESS=1`), and compares them.

#[path = "javascript_tables/cards.rs"]
mod cards;
#[path = "javascript_tables/javascript.rs"]
mod javascript;
#[path = "javascript_tables/prefixes.rs"]
mod prefixes;
#[path = "javascript_tables/types.rs"]
mod types;

use payspec::{Engine, Mode, PaymentType, RULES};

const BLESS: &str = "BLESS=1 cargo test --test integration javascript_tables";

/// Compares the tables with a file in `wasm`, which `BLESS` writes before.
fn compare(file: &str, about: &str, tables: &str) {
    let path = payspec_tests::root().join("wasm").join(file);
    let text = format!("// {about}. Written by a test: {BLESS}\n{tables}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("the repository is writable");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, text, "{BLESS}");
}

#[test]
fn javascript_has_the_texts_of_the_rules() {
    let rules = RULES.iter().map(|rule| {
        let params = rule.params.join(",");
        let fields = [
            rule.name,
            rule.severity.name(),
            rule.source,
            rule.summary,
            &params,
        ];
        let line = fields.join("|");
        assert_eq!(line.split('|').count(), fields.len(), "{}", rule.name);
        line
    });
    let doc =
        "The rules: code, default severity, source, message, and the names of the parameters.";
    let table = javascript::list(doc, "RULES", rules) + &byte_order_mark() + &kinds();
    compare("js/tables.js", "The texts of reports", &table);
}

/// Returns the variants and modes of a report by their numbers, which begin at 1.
fn kinds() -> String {
    let list = |doc, name, kinds: Vec<&str>| {
        javascript::constant(doc, name, &format!("[null, \"{}\"]", kinds.join("\", \"")))
    };
    let variants = PaymentType::ALL.iter().map(|variant| variant.name());
    let modes = Mode::ALL.iter().map(|mode| mode.name());
    [
        list("The variants of requests.", "VARIANTS", variants.collect()),
        list("The modes of requests.", "MODES", modes.collect()),
    ]
    .concat()
}

/// Returns the message of a body that begins with a byte order mark, which its parameters do not
/// show.
fn byte_order_mark() -> String {
    let report = Engine::default().validate_request("\u{feff}{}".as_bytes(), None);
    let message = report.violations()[0].message();
    let message = message.replace("line 1", "line {line}");
    let message = message.replace("column 1", "column {column}");
    javascript::constant(
        "The message of `json_syntax` for a body that begins with a byte order mark.",
        "BYTE_ORDER_MARK",
        &format!("{message:?}"),
    )
}

#[test]
fn javascript_has_the_facts_about_card_numbers() {
    compare(
        "js/card_tables.js",
        "Tables of card schemes",
        &cards::tables(),
    );
}

#[test]
fn typescript_has_the_listed_values_and_the_tables() {
    compare(
        "types/tables.d.ts",
        "The listed values and the tables of the core as types",
        &types::types(),
    );
}
