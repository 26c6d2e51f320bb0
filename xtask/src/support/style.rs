//! Terminal colors, and colored JSON. Colors are omitted in a pipe and with NO_COLOR.

use anstyle::{AnsiColor, Style};
use payspec_tests::json::{Json, quoted};

/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// Secondary text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Failure.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Warnings.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
const NAME: Style = AnsiColor::Blue.on_default();
const TEXT: Style = AnsiColor::Green.on_default();
const OTHER: Style = AnsiColor::Magenta.on_default();

/// Objects and arrays up to this width stay on one line.
const SHORT: usize = 60;

/// Formats JSON with one member of an object on each line and aligned values. Short values stay on
/// one line.
pub(crate) fn json(value: &Json, indent: usize) -> String {
    let margin = " ".repeat(indent + 2);
    let (open, close, lines): (char, char, Vec<String>) = match value {
        Json::Object(members) if !is_flat(value) => {
            let names = members
                .iter()
                .filter(|(_, value)| is_flat(value))
                .map(|(name, _)| quoted(name).chars().count());
            let width = names.max().unwrap_or_default();
            let line = |(name, value): &(String, Json)| {
                let name = quoted(name);
                let gap = if is_flat(value) {
                    width.saturating_sub(name.chars().count())
                } else {
                    0
                };
                let gap = " ".repeat(gap);
                format!("{NAME}{name}{NAME:#}: {gap}{}", json(value, indent + 2))
            };
            ('{', '}', members.iter().map(line).collect())
        }
        Json::Array(elements) if !is_flat(value) => (
            '[',
            ']',
            elements
                .iter()
                .map(|element| json(element, indent + 2))
                .collect(),
        ),
        _ => return flat(value),
    };
    let lines: Vec<String> = lines
        .into_iter()
        .map(|line| format!("{margin}{line}"))
        .collect();
    format!(
        "{open}\n{}\n{}{close}",
        lines.join(",\n"),
        " ".repeat(indent)
    )
}

/// Formats JSON on one line.
pub(crate) fn flat(value: &Json) -> String {
    match value {
        Json::String(text) => format!("{TEXT}{}{TEXT:#}", quoted(text)),
        Json::Array(elements) => format!(
            "[{}]",
            elements.iter().map(flat).collect::<Vec<_>>().join(", ")
        ),
        Json::Object(members) => {
            let member = |(name, value): &(String, Json)| {
                format!("{NAME}{}{NAME:#}: {}", quoted(name), flat(value))
            };
            format!(
                "{{{}}}",
                members.iter().map(member).collect::<Vec<_>>().join(", ")
            )
        }
        _ => format!("{OTHER}{}{OTHER:#}", value.flat()),
    }
}

fn is_flat(value: &Json) -> bool {
    let is_leaf = value.members().is_empty() && value.elements().is_empty();
    is_leaf || value.flat().chars().count() <= SHORT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_values() {
        let text = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","requested_amount":"1500.00","info":{"type":"card"},"a":["0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11"]}"#;
        let shown = anstream::adapter::strip_str(&json(&Json::parse(text.as_bytes()).unwrap(), 0))
            .to_string();
        let lines = [
            "{",
            "  \"uid\":              \"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11\",",
            "  \"requested_amount\": \"1500.00\",",
            "  \"info\":             {\"type\": \"card\"},",
            "  \"a\": [",
            "    \"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11\",",
            "    \"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11\"",
            "  ]",
            "}",
        ];
        assert_eq!(shown, lines.join("\n"));
    }
}
