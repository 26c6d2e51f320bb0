//! Reads Markdown: the fenced blocks of a page.

/// Returns the texts of the fenced blocks in a language, in order. Each ends with a line break,
/// unless it is empty.
///
/// ```
/// let page = "A\n```sh\nls\n```\n```js\n1\n```\n";
/// assert_eq!(payspec_support::markdown::blocks(page, "sh").collect::<Vec<_>>(), ["ls\n"]);
/// ```
pub fn blocks<'p>(page: &'p str, language: &str) -> impl Iterator<Item = &'p str> + use<'p> {
    let starts: Vec<usize> = page
        .match_indices(&format!("```{language}\n"))
        .map(|(at, fence)| at + fence.len())
        .collect();
    starts.into_iter().map(|start| {
        let rest = &page[start..];
        let end = if rest.starts_with("```") {
            Some(0)
        } else {
            rest.find("\n```").map(|at| at + 1)
        };
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// Returns the files that a page names to save, as name and text: the block after a sentence "Save
/// … as `NAME`:".
///
/// ```
/// let page = "Save this as `a.json`:\n\n```json\n{}\n```\nIt is `x`:\n\n```\ny\n```\n";
/// assert_eq!(payspec_support::markdown::saved(page).collect::<Vec<_>>(), [("a.json", "{}")]);
/// ```
pub fn saved(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = page
        .match_indices("`:\n\n```")
        .map(|(at, _)| page.split_at(at));
    ends.filter_map(|(before, after)| {
        let name = before.rsplit('`').next()?;
        let sentence = before.rsplit("\n\n").next()?;
        // After the end of the sentence and the line with the fence.
        let block = after.splitn(4, '\n').nth(3)?.split("\n```").next()?;
        sentence
            .to_lowercase()
            .contains("save")
            .then_some((name, block))
    })
}
