//! A violation, or a member that a migration cannot decide, as every format prints it.

use payspec::legacy::{Change, Unresolved};
use payspec::{Allowed, Code, Currency, Engine, Location, Params, Severity, Violation};

use crate::catalog::Marks;

/// The source of what a migration leaves open.
const MIGRATION: &str = "§9.2";

/// A line of a report. Its texts contain no value of the body.
pub(super) struct Finding {
    /// The code of a rule, or `unresolved`.
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    pub(super) message: String,
    pub(super) source: &'static str,
    /// The JSON Pointer for people. A name of the client may contain a card number, which is masked
    /// here.
    pub(super) path: String,
    /// The JSON Pointer in the body as it was given.
    pointer: String,
    pub(super) replaced_by: Option<&'static str>,
    /// The accepted values, if the rule lists them.
    pub(super) accepted: Vec<String>,
    marks: Marks,
    /// The position of a syntax error.
    position: Option<(u64, u64)>,
}

/// The location of a finding in the body.
pub(super) enum FindingLocation {
    /// Line and column in a body that is not JSON.
    Syntax(u64, u64),
    /// A value or a name.
    Value(Location),
    /// The object in which a member is missing, and the member.
    Absent(Location, String),
    /// The body has no such location.
    None,
}

impl Finding {
    pub(super) fn of_violation(engine: &Engine, violation: &Violation, changes: &[Change]) -> Self {
        let code = violation.code();
        let path = violation.path();
        let position = match violation.params() {
            Params::Position { line, column } => Some((*line, *column)),
            _ => None,
        };
        let message = violation.message();
        // The position is in the body; each format shows the one in the file.
        let message = match position.and_then(|_| message.split_once(" at line ")) {
            Some((message, _)) => message.to_owned(),
            None => message,
        };
        Finding {
            code: code.name(),
            severity: violation.severity(),
            message,
            source: violation.source(),
            path: engine.redact_text(path),
            pointer: original(path, changes),
            replaced_by: match violation.params() {
                Params::ReplacedBy(replaced_by) => *replaced_by,
                _ => None,
            },
            accepted: match violation.params() {
                Params::Allowed(Allowed::Names(names)) => {
                    names.iter().map(ToString::to_string).collect()
                }
                Params::Allowed(Allowed::Texts(texts)) => texts.to_vec(),
                Params::Allowed(Allowed::Currencies(currencies)) => currencies
                    .iter()
                    .map(|currency| currency.code().to_owned())
                    .collect(),
                _ if code == Code::CurrencyUnknown => Currency::all()
                    .filter(|currency| currency.is_fiat())
                    .map(|it| it.code().to_owned())
                    .collect(),
                _ => Vec::new(),
            },
            marks: Marks::of(code),
            position,
        }
    }

    pub(super) fn of_unresolved(engine: &Engine, unresolved: &Unresolved) -> Self {
        Finding {
            code: "unresolved",
            severity: Severity::Error,
            message: unresolved.reason.to_owned(),
            source: MIGRATION,
            path: engine.redact_text(&unresolved.path),
            pointer: unresolved.path.clone(),
            replaced_by: None,
            accepted: Vec::new(),
            marks: Marks::Value,
            position: None,
        }
    }

    /// Finds the location in `body`, which is the body as given or a redacted copy of it.
    pub(super) fn location(&self, engine: &Engine, body: &[u8]) -> FindingLocation {
        if let Some((line, column)) = self.position {
            return FindingLocation::Syntax(line, column);
        }
        if self.marks == Marks::Body {
            return FindingLocation::None;
        }
        let find = |pointer: &str| engine.locate(body, pointer).ok().flatten();
        if let Some(location) = find(&self.pointer) {
            return FindingLocation::Value(location);
        }
        // The nearest object that exists.
        let mut pointer = self.pointer.as_str();
        while let Some((parent, member)) = pointer.rsplit_once('/') {
            if let Some(location) = find(parent) {
                return FindingLocation::Absent(
                    location,
                    engine.redact_text(&member.replace("~1", "/").replace("~0", "~")),
                );
            }
            pointer = parent;
        }
        FindingLocation::None
    }

    /// Returns the range of a value to mark, or that of its name.
    pub(super) fn marked(&self, location: &Location) -> std::ops::Range<usize> {
        match &location.name {
            Some(name) if self.marks == Marks::Name => name.clone(),
            _ => location.value.clone(),
        }
    }

    /// Returns the finding in one line, without its severity and code.
    pub(super) fn line(&self) -> String {
        let at = if self.path.is_empty() { "" } else { " at " };
        format!("{}{at}{} ({})", self.message, self.path, self.source)
    }

    /// Returns line and column in the body, both from 1.
    pub(super) fn line_and_column(&self, engine: &Engine, body: &[u8]) -> Option<(u64, u64)> {
        match self.location(engine, body) {
            FindingLocation::Syntax(line, column) => Some((line, column)),
            FindingLocation::Value(location) => {
                Some(line_and_column(body, self.marked(&location).start))
            }
            FindingLocation::Absent(location, _) => Some((location.line, location.column)),
            FindingLocation::None => None,
        }
    }
}

/// Returns the pointer in the body before its migration.
fn original(path: &str, changes: &[Change]) -> String {
    let renamed = changes
        .iter()
        .filter_map(|change| Some((change.from?, change.to?)));
    let below = |to: &str| {
        path.strip_prefix(to)
            .filter(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let longest = renamed
        .filter(|(_, to)| below(to).is_some())
        .max_by_key(|(_, to)| to.len());
    match longest {
        Some((from, to)) => format!("{from}{}", below(to).unwrap_or_default()),
        None => path.to_owned(),
    }
}

/// Returns line and column of an offset, both from 1. Columns count characters.
fn line_and_column(body: &[u8], offset: usize) -> (u64, u64) {
    let before = body.get(..offset).unwrap_or(body);
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let lines = memchr::memchr_iter(b'\n', before).count() as u64;
    (
        lines + 1,
        String::from_utf8_lossy(&before[start..]).chars().count() as u64 + 1,
    )
}
