//! The scripts that HTML names.
//!
//! The hash of the page decides whether it is as built. These scripts only describe a difference, so
//! a list of tags suffices, also of those in comments.

/// A script in HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// The address in `src`.
    At(String),
    /// A script without `src`.
    Inline,
}

/// Returns the scripts of a page.
pub(super) fn scripts(html: &str) -> Vec<Script> {
    // Lower case of ASCII has the same length, so places in both texts agree.
    let lower = html.to_ascii_lowercase();
    let starts = lower.match_indices("<script").map(|(start, _)| start);
    starts
        .map(|start| {
            let end = lower
                .get(start..)
                .and_then(|rest| rest.find('>'))
                .map_or(html.len(), |length| start + length);
            let tag = html.get(start..end).unwrap_or_default();
            source(tag).map_or(Script::Inline, |address| Script::At(address.to_owned()))
        })
        .collect()
}

/// Returns the value of `src` in a tag.
fn source(tag: &str) -> Option<&str> {
    let lower = tag.to_ascii_lowercase();
    let is_name = |start: &usize| {
        lower.get(..*start).is_some_and(|before| {
            before.ends_with([' ', '\t', '\n', '\r', '\u{c}', '/', '"', '\''])
        })
    };
    let start = lower
        .match_indices("src")
        .map(|(start, _)| start)
        .find(is_name)?;
    let value = tag.get(start..)?.get("src".len()..)?.trim_start();
    let value = value.strip_prefix('=')?.trim_start();
    let quoted = |quote| {
        value
            .strip_prefix(quote)
            .and_then(|rest| rest.split(quote).next())
    };
    quoted('"')
        .or_else(|| quoted('\''))
        .or_else(|| value.split_ascii_whitespace().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_found_in_every_notation() {
        let at = |address: &str| Script::At(address.to_owned());
        for (html, expected) in [
            ("<p>scripts</p>", vec![]),
            (
                r#"<script type="module" src="/a.js"></script>"#,
                vec![at("/a.js")],
            ),
            ("<SCRIPT SRC='/a.js'></SCRIPT>", vec![at("/a.js")]),
            ("<script\nsrc = /a.js async>", vec![at("/a.js")]),
            (r#"<script async="x"src="/a.js">"#, vec![at("/a.js")]),
            ("<script>alert(1)</script>", vec![Script::Inline]),
            (r#"<script data-src="/a.js">"#, vec![Script::Inline]),
            ("<script src", vec![Script::Inline]),
            (
                r#"<script src="/a.js"></script><script src="https://evil.example/é.js"></script>"#,
                vec![at("/a.js"), at("https://evil.example/é.js")],
            ),
        ] {
            assert_eq!(scripts(html), expected, "{html}");
        }
    }
}
