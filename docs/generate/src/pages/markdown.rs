//! Writes Markdown.

use std::fmt::Write;

/// Returns a table. The cells are Markdown.
pub(super) fn table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut out = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(N));
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .map(|cell| cell.replace('|', "\\|").replace('\n', " "))
            .collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out
}

/// Returns a block of code.
pub(super) fn code(language: &str, text: &str) -> String {
    let fence = if text.contains("```") { "````" } else { "```" };
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// Returns a block of code that is collapsed.
pub(super) fn collapsed(summary: &str, language: &str, text: &str) -> String {
    format!(
        "<details>\n<summary>{summary}</summary>\n\n{}\n</details>\n",
        code(language, text)
    )
}

/// Returns blocks of code of which one is shown at a time. Without scripts, all are shown, each
/// below its label.
pub(super) fn tabs(blocks: &[(&str, &str, String)]) -> String {
    let mut out = "<div class=\"tabs\">\n\n".to_owned();
    for (label, language, text) in blocks {
        let _ = write!(
            out,
            "<div class=\"tab\" data-label=\"{label}\">\n\n{}\n</div>\n\n",
            code(language, text)
        );
    }
    out.push_str("</div>\n");
    out
}

/// Returns JSON with a line for each member, and other texts unchanged.
pub(super) fn json(text: &str) -> String {
    payspec_tests::json::Json::parse(text.as_bytes())
        .map_or_else(|_| text.to_owned(), |json| json.pretty(0))
}

/// Returns a text as a sentence: with an upper-case letter first, and a period at the end.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters
        .next()
        .map(|first| first.to_uppercase().collect())
        .unwrap_or_default();
    format!(
        "{first}{}{}",
        characters.as_str(),
        if text.ends_with('.') { "" } else { "." }
    )
}

/// Returns the link to a section of the specification or to the page of a decision, from a page
/// `depth` folders below `reference`.
pub(super) fn source(source: &str, depth: usize) -> String {
    match source
        .strip_prefix('D')
        .is_some_and(|number| number.parse::<u32>().is_ok())
    {
        true => format!("[{source}]({}decisions/{source}.md)", "../".repeat(depth)),
        false => format!("{source} of the specification"),
    }
}

/// Returns a text in which the identifiers of decisions are links.
pub(super) fn linked(text: &str, depth: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("(D") {
        let digits = rest[at + 2..]
            .chars()
            .take_while(char::is_ascii_digit)
            .count();
        let end = at + 2 + digits;
        if digits == 0 {
            out.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            continue;
        }
        out.push_str(&rest[..=at]);
        out.push_str(&source(&rest[at + 1..end], depth));
        rest = &rest[end..];
    }
    out + rest
}

/// Returns a signature on one line.
pub(super) fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("( ", "(")
        .replace(", )", ")")
        .replace(" )", ")")
}
