//! SARIF 2.1.0: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use payspec::{Engine, RULES, Severity};
use serde_json::json;

use super::finding::Finding;
use super::unit::Unit;
use crate::catalog::sentence;
use crate::input::STDIN;

/// Returns the beginning of the document, with all rules.
pub(super) fn head() -> Vec<u8> {
    let rules = RULES.iter().map(|rule| {
        json!({
            "id": rule.name,
            "shortDescription": {"text": sentence(rule.summary)},
            "help": {"text": format!("`payspec explain {}` shows an example. Source: {}.", rule.name, rule.source)},
            "defaultConfiguration": {"level": level(rule.severity)},
        })
    });
    let driver = json!({"name": "payspec", "version": env!("CARGO_PKG_VERSION"), "rules": rules.collect::<Vec<_>>()});
    let schema = "https://json.schemastore.org/sarif-2.1.0.json";
    let head = format!(
        "{{\"$schema\":\"{schema}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\
         \"columnKind\":\"unicodeCodePoints\",\"results\":["
    );
    head.into_bytes()
}
pub(super) const TAIL: &str = "\n]}]}\n";

/// Appends a result for each finding, each after a comma.
pub(super) fn write(engine: &Engine, unit: Unit<'_>, findings: &[Finding], out: &mut Vec<u8>) {
    for finding in findings {
        let region = finding.line_and_column(engine, unit.body).map_or_else(
            || json!({"startLine": unit.line_in_file(1)}),
            |(line, column)| json!({"startLine": unit.line_in_file(line), "startColumn": column}),
        );
        let result = json!({
            "ruleId": finding.code,
            "level": level(finding.severity),
            "message": {"text": finding.line()},
            "locations": [{
                "physicalLocation": {"artifactLocation": {"uri": uri(unit.name)}, "region": region},
                "logicalLocations": [{"fullyQualifiedName": finding.path, "kind": "member"}],
            }],
        });
        out.extend_from_slice(b",\n");
        // Writing to memory does not fail.
        let _ = serde_json::to_writer(&mut *out, &result);
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "none",
    }
}

/// Returns a path as a relative URI, and standard input as a name.
fn uri(name: &str) -> String {
    if name == STDIN {
        return "stdin".to_owned();
    }
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    let encode = |byte: u8| {
        if is_kept(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    name.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_paths() {
        let uris = ["a/b.json", "a b%.json", "é:1", STDIN].map(uri);
        assert_eq!(uris, ["a/b.json", "a%20b%25.json", "%C3%A9%3A1", "stdin"]);
    }
}
