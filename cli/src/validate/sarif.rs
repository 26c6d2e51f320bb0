//! SARIF 2.1.0: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use payspec::{Engine, Severity};
use serde_json::json;

use super::finding::Finding;
use super::formats::Unit;

pub(super) const HEAD: &str = concat!(
    r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"#,
    r#""tool":{"driver":{"name":"payspec","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""}},"columnKind":"unicodeCodePoints","results":["#
);
pub(super) const TAIL: &str = "\n]}]}\n";

/// Appends a result for each finding, each after a comma.
pub(super) fn write(engine: &Engine, unit: Unit<'_>, findings: &[Finding], out: &mut Vec<u8>) {
    for finding in findings {
        let region = finding.line_and_column(engine, unit.body).map_or_else(
            || json!({"startLine": unit.line_in_file(1)}),
            |(line, column)| json!({"startLine": unit.line_in_file(line), "startColumn": column}),
        );
        let level = if finding.severity == Severity::Error { "error" } else { "warning" };
        let result = json!({
            "ruleId": finding.code,
            "level": level,
            "message": {"text": finding.line()},
            "locations": [{
                "physicalLocation": {"artifactLocation": {"uri": unit.name}, "region": region},
                "logicalLocations": [{"fullyQualifiedName": finding.path, "kind": "member"}],
            }],
        });
        out.extend_from_slice(b",\n");
        // Writing to memory does not fail.
        let _ = serde_json::to_writer(&mut *out, &result);
    }
}
