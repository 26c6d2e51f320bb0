//! Converts the bodies of a block.

use payspec::legacy::MigratedBody;
use payspec::{Engine, InvalidBody};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::conversion::Conversion;
use super::round_trip;
use crate::input::Block;

/// The counts of a run, or of a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) migrated: u64,
    pub(super) rejected: u64,
    /// Bodies with an idempotency key.
    pub(super) keys: u64,
}

impl Counts {
    pub(super) fn add(&mut self, other: &Counts) {
        self.migrated += other.migrated;
        self.rejected += other.rejected;
        self.keys += other.keys;
    }
}

/// The lines for each file.
#[derive(Default)]
pub(super) struct Converted {
    pub(super) bodies: Vec<u8>,
    pub(super) rejects: Vec<u8>,
    pub(super) changes: Vec<u8>,
    pub(super) counts: Counts,
}

/// How bodies are converted.
pub(super) struct Converter<'e> {
    pub(super) engine: &'e Engine,
    pub(super) conversion: Conversion,
    pub(super) has_check: bool,
    pub(super) has_rejects: bool,
    pub(super) has_changes: bool,
}

impl Converter<'_> {
    pub(super) fn convert(&self, block: &Block, out: &mut Converted) {
        out.bodies.clear();
        out.rejects.clear();
        out.changes.clear();
        out.counts = Counts::default();
        for (line, body) in block.lines() {
            self.body(line, body, out);
        }
    }

    fn body(&self, line: u64, body: &[u8], out: &mut Converted) {
        let migrated = match self.conversion.of(self.engine, body) {
            Ok(migrated) => migrated,
            Err(InvalidBody(report)) => {
                let violations = report.violations().iter();
                let reasons =
                    violations.map(|violation| (violation.path().to_owned(), violation.message()));
                return self.reject(line, reasons.collect(), out);
            }
        };
        let unresolved = migrated.unresolved();
        if !unresolved.is_empty() {
            let reasons = unresolved
                .iter()
                .map(|unresolved| (unresolved.path.clone(), unresolved.reason.to_owned()));
            return self.reject(line, reasons.collect(), out);
        }
        if self.has_check {
            let current = if self.conversion.is_downgrade() {
                body
            } else {
                migrated.body().as_bytes()
            };
            let differences = round_trip::differences(self.engine, self.conversion, current);
            if !differences.is_empty() {
                let reason = "differs after migrating back and forth";
                return self.reject(
                    line,
                    differences
                        .into_iter()
                        .map(|path| (path, reason.to_owned()))
                        .collect(),
                    out,
                );
            }
        }
        out.bodies.extend_from_slice(migrated.body().as_bytes());
        out.bodies.push(b'\n');
        out.counts.migrated += 1;
        out.counts.keys += u64::from(migrated.idempotency_key().is_some());
        if self.has_changes {
            changes(line, &migrated, &mut out.changes);
        }
    }

    /// Lists a body that is left out. Paths may contain names of the client, in which card numbers
    /// are masked.
    fn reject(&self, line: u64, reasons: Vec<(String, String)>, out: &mut Converted) {
        out.counts.rejected += 1;
        if self.has_rejects {
            let reasons = reasons.iter().map(
                |(path, reason)| json!({"path": self.engine.redact_text(path), "reason": reason}),
            );
            put(
                &json!({"line": line, "reasons": reasons.collect::<Vec<_>>()}),
                &mut out.rejects,
            );
        }
    }
}

fn changes(line: u64, migrated: &MigratedBody, out: &mut Vec<u8>) {
    let changes = migrated.changes().iter();
    let changes = changes
        .map(|change| json!({"from": change.from, "to": change.to, "kind": change.kind.name()}));
    let mut entry = json!({"line": line, "changes": changes.collect::<Vec<_>>()});
    if let Some(key) = migrated.idempotency_key() {
        entry["idempotency_key"] = key.as_str().into();
    }
    put(&entry, out);
}

fn put(value: &serde_json::Value, out: &mut Vec<u8>) {
    // Writing a value to memory does not fail.
    let _ = serde_json::to_writer(&mut *out, value);
    out.push(b'\n');
}
