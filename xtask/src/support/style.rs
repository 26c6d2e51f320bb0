//! Colours, and how JSON is shown in them. They vanish by themselves in a pipe and under NO_COLOR.

use anstyle::{AnsiColor, Style};
use payspec_tests::json::{Json, quoted};

/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// What is said beside.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Good.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Bad.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// To be noticed.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
const NAME: Style = AnsiColor::Blue.on_default();
const TEXT: Style = AnsiColor::Green.on_default();
const OTHER: Style = AnsiColor::Magenta.on_default();

/// Objects and arrays of this many columns stay on one line.
const SHORT: usize = 60;

/// The members of an object, one on each line with their values one below the other; short ones inside stay on one line.
pub(crate) fn json(value: &Json, indent: usize) -> String {
    let blanks = " ".repeat(indent + 2);
    let (open, close, lines): (char, char, Vec<String>) = match value {
        Json::Object(members) if !is_flat(value) => {
            let names =
                members.iter().filter(|(_, value)| is_flat(value)).map(|(name, _)| quoted(name).chars().count());
            let width = names.max().unwrap_or_default();
            let line = |(name, value): &(String, Json)| {
                let name = quoted(name);
                let gap = if is_flat(value) { width.saturating_sub(name.chars().count()) } else { 0 };
                let gap = " ".repeat(gap);
                format!("{NAME}{name}{NAME:#}: {gap}{}", json(value, indent + 2))
            };
            ('{', '}', members.iter().map(line).collect())
        }
        Json::Array(elements) if !is_flat(value) => {
            ('[', ']', elements.iter().map(|element| json(element, indent + 2)).collect())
        }
        _ => return flat(value),
    };
    let lines: Vec<String> = lines.into_iter().map(|line| format!("{blanks}{line}")).collect();
    format!("{open}\n{}\n{}{close}", lines.join(",\n"), " ".repeat(indent))
}

/// One line.
pub(crate) fn flat(value: &Json) -> String {
    match value {
        Json::String(text) => format!("{TEXT}{}{TEXT:#}", quoted(text)),
        Json::Array(elements) => format!("[{}]", elements.iter().map(flat).collect::<Vec<_>>().join(", ")),
        Json::Object(members) => {
            let member = |(name, value): &(String, Json)| format!("{NAME}{}{NAME:#}: {}", quoted(name), flat(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
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
    fn values_stand_one_below_the_other() {
        let text = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","requested_amount":"1500.00","info":{"type":"card"},"a":["0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11"]}"#;
        let shown = anstream::adapter::strip_str(&json(&Json::parse(text.as_bytes()).unwrap(), 0)).to_string();
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
