//! A page of the demo: heading, requests, verdicts, outcomes.

use crate::support::style::{self, BAD, BOLD, FAINT, GOOD, WARN};
use anstyle::Style;
use payspec::Engine;
use payspec_tests::call;
use payspec_tests::json::Json;
use std::fmt::Write;

/// The columns of the line under a heading.
const WIDTH: usize = 100;

/// The output of one case.
pub(crate) struct Page<'a> {
    engine: &'a Engine,
    /// The text so far, with colors.
    pub(crate) text: String,
    /// The statuses of the outcomes so far.
    pub(crate) statuses: Vec<u16>,
}

impl Page<'_> {
    /// Returns a page with a heading.
    pub(crate) fn new<'a>(
        engine: &'a Engine,
        number: usize,
        title: &str,
        notice: &str,
    ) -> Page<'a> {
        let rule = "─".repeat(WIDTH.saturating_sub(title.chars().count() + 6));
        let text =
            format!("{BOLD}{number:>2}  {title}{BOLD:#} {FAINT}{rule}{FAINT:#}\n    {notice}\n\n");
        Page {
            engine,
            text,
            statuses: Vec::new(),
        }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    /// Writes an empty line.
    pub(crate) fn gap(&mut self) {
        self.text.push('\n');
    }

    fn block(&mut self, value: &Json) {
        self.line(&style::json(value, 4));
        self.gap();
    }

    /// Returns the result of an operation as JSON.
    pub(crate) fn call(&self, operation: &str, inputs: &[&[u8]]) -> Result<Json, String> {
        let inputs: Vec<Option<&[u8]>> = inputs.iter().map(|input| Some(*input)).collect();
        let count =
            payspec::operations::operation(operation).map_or(0, |operation| operation.inputs.len());
        let inputs: Vec<_> = inputs
            .into_iter()
            .chain(std::iter::repeat(None))
            .take(count)
            .collect();
        Json::parse(&call::answer(self.engine, operation, &inputs).text)
    }

    /// Shows a body as it may be logged.
    pub(crate) fn request(
        &mut self,
        endpoint: &str,
        name: &str,
        body: &[u8],
    ) -> Result<(), String> {
        let safe = self.call("redact", &[body])?;
        self.line(&format!(
            "{BOLD}{endpoint}{BOLD:#}   {FAINT}examples/bodies/{name}.json, through redact{FAINT:#}"
        ));
        self.block(&safe);
        Ok(())
    }

    /// Validates a body and shows all violations in aligned columns.
    pub(crate) fn verdict(&mut self, body: &[u8], now: &str) -> Result<(), String> {
        let report = self.call("validate_request", &[body, now.as_bytes()])?;
        let violations = report.get("violations").unwrap_or(&Json::Null).elements();
        let valid = report.get("valid") == Some(&Json::Bool(true));
        let (style, word) = if valid {
            (GOOD, "valid")
        } else {
            (BAD, "not valid")
        };
        let kind: Vec<&str> = ["variant", "mode"]
            .iter()
            .filter_map(|name| text(&report, name))
            .collect();
        let count = match violations.len() {
            0 => String::new(),
            1 => ", 1 violation".to_owned(),
            number => format!(", {number} violations"),
        };
        self.line(&format!(
            "{style}{word}{style:#}   {FAINT}{}{count}{FAINT:#}",
            kind.join(", ")
        ));
        let width = |name| {
            violations
                .iter()
                .filter_map(|v| text(v, name))
                .map(|text| text.chars().count())
                .max()
                .unwrap_or(0)
        };
        let (paths, codes, sources) = (width("path"), width("code"), width("source"));
        for violation in violations {
            let part = |name| text(violation, name).unwrap_or_default();
            let severity = part("severity");
            let style = if severity == "error" { BAD } else { WARN };
            let (path, code, source, message) =
                (part("path"), part("code"), part("source"), part("message"));
            self.line(&format!(
                "  {style}{severity:<7}{style:#}  {path:<paths$}  {BOLD}{code:<codes$}{BOLD:#}  {FAINT}{source:<sources$}{FAINT:#}  {message}"
            ));
        }
        self.gap();
        Ok(())
    }

    /// Shows an outcome: the status and the named members of the body, or all members if none is
    /// named.
    pub(crate) fn answer(&mut self, outcome: &Json, members: &[&str]) {
        let (style, status) = self.status(outcome);
        let body = outcome.get("body").unwrap_or(&Json::Null);
        let all = body.members();
        let shown: Vec<_> = all
            .iter()
            .filter(|(name, _)| members.contains(&name.as_str()))
            .cloned()
            .collect();
        let left = all.len().saturating_sub(shown.len());
        let (shown, note) = match members.is_empty() {
            true => (body.clone(), String::new()),
            false => (
                Json::Object(shown),
                format!("   {FAINT}members not shown here: {left}{FAINT:#}"),
            ),
        };
        self.line(&format!("{style}{status}{style:#}{note}"));
        self.block(&shown);
    }

    /// Shows an outcome on one line.
    pub(crate) fn answer_in_short(&mut self, what: &str, outcome: &Json) {
        let (style, status) = self.status(outcome);
        let body = outcome.get("body").unwrap_or(&Json::Null);
        let detail = match (text(body, "code"), outcome.get("replayed")) {
            (Some(code), _) => format!(
                "{code}   {FAINT}{}{FAINT:#}",
                text(body, "detail").unwrap_or_default()
            ),
            (None, Some(Json::Bool(true))) => "replayed   the first answer again".to_owned(),
            (None, _) => format!(
                "{}   {FAINT}a new payment{FAINT:#}",
                text(body, "state").unwrap_or_default()
            ),
        };
        self.line(&format!(
            "{what:<39}  {style}{status:<23}{style:#} {detail}"
        ));
    }

    fn status(&mut self, outcome: &Json) -> (Style, String) {
        let status = match outcome.get("status") {
            Some(Json::Number(number)) => number
                .as_u64()
                .and_then(|n| u16::try_from(n).ok())
                .unwrap_or(0),
            _ => 0,
        };
        self.statuses.push(status);
        let name = match status {
            200 => "OK",
            201 => "Created",
            409 => "Conflict",
            422 => "Unprocessable Content",
            455 => "Cannot Be Processed",
            _ => "",
        };
        (
            if status < 300 { GOOD } else { BAD },
            format!("{status} {name}"),
        )
    }
}

fn text<'a>(value: &'a Json, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}
