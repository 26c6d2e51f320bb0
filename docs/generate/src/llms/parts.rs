//! Splits a long page at its headings, so that each part has a limited number of tokens.

use tiktoken_rs::CoreBPE;

/// Tokens of a part besides those of the page: its title, and the list of the other parts.
const FRAME: usize = 400;

/// Counts the tokens of a text.
pub(super) fn count(tokens: &CoreBPE, text: &str) -> usize {
    tokens.encode_ordinary(text).len()
}

/// Returns the parts of a page, each with at most as many tokens; the page itself if it has no more.
/// A code block that is longer stays whole.
pub(super) fn parts(tokens: &CoreBPE, page: &str, most: usize) -> Vec<String> {
    if count(tokens, page) <= most {
        return vec![page.to_owned()];
    }
    let most = most.saturating_sub(FRAME);
    let sections = split(page, is_heading).into_iter();
    let pieces = sections.flat_map(|section| match count(tokens, section) > most {
        true => split(section, str::is_empty),
        false => vec![section],
    });
    let mut parts: Vec<(usize, String)> = Vec::new();
    for piece in pieces {
        let tokens = count(tokens, piece);
        match parts.last_mut().filter(|(size, _)| size + tokens <= most) {
            Some((size, part)) => {
                *size += tokens;
                part.push_str(piece);
            }
            None => parts.push((tokens, piece.to_owned())),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// Splits a text before each line that begins a piece, but not within code blocks.
fn split(text: &str, begins: fn(&str) -> bool) -> Vec<&str> {
    let (mut start, mut position, mut is_code) = (0, 0, false);
    let mut pieces = Vec::new();
    for line in text.split_inclusive('\n') {
        if !is_code && begins(line.trim_end()) && position > start {
            pieces.push(&text[start..position]);
            start = position;
        }
        is_code ^= line.starts_with("```");
        position += line.len();
    }
    pieces.push(&text[start..]);
    pieces
}

fn is_heading(line: &str) -> bool {
    line.starts_with("##") && line.trim_start_matches('#').starts_with(' ')
}

/// Returns the headings of a part.
pub(super) fn headings(part: &str) -> Vec<&str> {
    let pieces = split(part, is_heading).into_iter();
    let first = pieces.filter_map(|piece| piece.lines().next());
    let headings = first.filter(|line| is_heading(line));
    headings
        .map(|line| line.trim_start_matches(['#', ' ']))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_begin_at_headings_and_are_the_page() {
        let tokens = tiktoken_rs::o200k_base().unwrap();
        let section = |name: &str| format!("## {name}\n\n{}\n\n", "word ".repeat(500));
        let code = "```c\n## not a heading\n\n```\n\n";
        let page = format!(
            "# Page\n\n{code}{}{}{}",
            section("One"),
            section("Two"),
            section("Three")
        );
        let found = parts(&tokens, &page, 1450);
        assert_eq!(found.concat(), page);
        let headings: Vec<_> = found.iter().map(|part| headings(part)).collect();
        assert_eq!(headings, [vec!["One", "Two"], vec!["Three"]]);
        assert!(
            found
                .iter()
                .all(|part| count(&tokens, part) <= 1450 - FRAME)
        );
        assert_eq!(parts(&tokens, &page, 2000), [page]);
    }

    #[test]
    fn a_long_section_is_split_at_paragraphs() {
        let tokens = tiktoken_rs::o200k_base().unwrap();
        let block = format!(
            "```ts\n{}\n\n{}\n```\n\n",
            "a ".repeat(200),
            "b ".repeat(200)
        );
        let page = format!("# Page\n\n## One\n\n{}", block.repeat(3));
        let found = parts(&tokens, &page, 1000);
        assert_eq!((found.concat(), found.len()), (page, 3));
        assert!(found.iter().all(|part| part.matches("```").count() == 2));
    }
}
