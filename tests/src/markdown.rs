//! Reads Markdown: the fenced blocks of a page.

/// Returns the texts of the fenced blocks in a language, in order. Each ends with a line break, unless it is empty.
///
/// ```
/// let page = "A\n```sh\nls\n```\n```js\n1\n```\n";
/// assert_eq!(payspec_tests::markdown::blocks(page, "sh").collect::<Vec<_>>(), ["ls\n"]);
/// ```
pub fn blocks<'p>(page: &'p str, language: &str) -> impl Iterator<Item = &'p str> + use<'p> {
    let starts: Vec<usize> =
        page.match_indices(&format!("```{language}\n")).map(|(at, fence)| at + fence.len()).collect();
    starts.into_iter().map(|start| {
        let rest = &page[start..];
        let end = if rest.starts_with("```") { Some(0) } else { rest.find("\n```").map(|at| at + 1) };
        &rest[..end.unwrap_or(rest.len())]
    })
}
