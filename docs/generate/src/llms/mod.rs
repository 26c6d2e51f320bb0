//! `llms.txt` and `llms-full.txt` of the book: a list of its pages, and all pages in one file, as
//! Markdown for language models (llmstxt.org). A long page is split into parts.

mod parts;

use crate::common::failed;
use parts::{count, headings, parts};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tiktoken_rs::CoreBPE;

/// The most tokens of `llms.txt`.
const LIST: usize = 4000;
/// The most tokens of a page.
const PAGE: usize = 6000;
/// The most characters of a description in the list.
const DESCRIPTION: usize = 70;

/// An entry of SUMMARY.md.
#[derive(Debug, PartialEq, Eq)]
enum Entry<'s> {
    Section(&'s str),
    /// Title and path.
    Page(&'s str, &'s str),
}

/// Writes both files into the folder of the built book, which contains its pages as Markdown, and
/// replaces a page that has too many tokens with its parts.
///
/// Fails if a part or the list has too many tokens.
pub(crate) fn run(summary: &str, book: &str) -> Result<(), String> {
    let summary = Path::new(summary);
    let text = fs::read_to_string(summary).map_err(failed(summary))?;
    let book = Path::new(book);
    let tokens = tiktoken_rs::o200k_base().map_err(|error| error.to_string())?;
    let (mut list, mut full) = (String::new(), String::new());
    let mut faults = Vec::new();
    for entry in entries(&text) {
        let (title, path) = match entry {
            Entry::Section(name) => {
                let _ = write!(list, "\n## {name}\n\n");
                continue;
            }
            Entry::Page(title, path) => (title, path),
        };
        let file = book.join(path);
        let page = fs::read_to_string(&file).map_err(failed(&file))?;
        let _ = write!(full, "<!-- {path} -->\n\n{}\n\n", page.trim());
        // The first page describes the book.
        if path == "index.md" {
            let _ = write!(list, "# {title}\n\n> {}\n\n", first_sentence(&page));
        } else {
            list_page(&mut list, title, path, &description(path, &page));
        }
        let parts = parts(&tokens, &page, PAGE);
        for (number, part) in (1..).zip(&parts) {
            let name = part_path(path, number);
            if number > 1 {
                let headings = shortened(&headings(part).join(", "));
                list_page(
                    &mut list,
                    &format!("{title}, part {number}"),
                    &name,
                    &headings,
                );
            }
            let text = framed(title, path, &parts, number, part);
            faults.extend(too_long(&tokens, &name, &text, PAGE));
            let file = book.join(&name);
            fs::write(&file, text).map_err(failed(&file))?;
        }
    }
    faults.extend(too_long(&tokens, "llms.txt", &list, LIST));
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    for (name, text) in [("llms.txt", list), ("llms-full.txt", full)] {
        let file = book.join(name);
        fs::write(&file, text).map_err(failed(&file))?;
    }
    Ok(())
}

fn list_page(list: &mut String, title: &str, path: &str, description: &str) {
    let _ = match description {
        "" => writeln!(list, "- [{title}]({path})"),
        _ => writeln!(list, "- [{title}]({path}): {description}"),
    };
}

/// Returns the path of a part of a page; the first one has that of the page.
fn part_path(path: &str, number: usize) -> String {
    match number {
        1 => path.to_owned(),
        _ => format!("{}-{number}.md", path.trim_end_matches(".md")),
    }
}

/// Returns a part with its title, and after the first one a list of the others.
fn framed(title: &str, path: &str, parts: &[String], number: usize, part: &str) -> String {
    if number > 1 {
        return format!("# {title}, part {number}\n\n{}\n", part.trim());
    }
    let mut text = format!("{}\n", part.trim_end());
    for (number, part) in (1..).zip(parts).skip(1) {
        let path = part_path(path, number);
        let name = path
            .rsplit_once('/')
            .map_or(path.as_str(), |(_, name)| name);
        let headings = shortened(&headings(part).join(", "));
        let _ = write!(text, "\n[Part {number}]({name}): {headings}\n");
    }
    text
}

fn too_long(tokens: &CoreBPE, name: &str, text: &str, most: usize) -> Option<String> {
    let count = count(tokens, text);
    (count > most).then(|| format!("{name}: {count} tokens, expected at most {most}"))
}

/// Returns the sections and pages of SUMMARY.md in their order.
fn entries(summary: &str) -> impl Iterator<Item = Entry<'_>> {
    summary.lines().filter_map(|line| {
        if let Some(name) = line.strip_prefix("# ") {
            return (name != "Summary").then_some(Entry::Section(name));
        }
        let (title, path) = line.trim_start_matches([' ', '-', '[']).split_once("](")?;
        Some(Entry::Page(title, path.strip_suffix(')')?))
    })
}

/// Returns the first sentence of a page, cut at a word. Generated pages of one rule, decision, or state
/// have names that need none.
fn description(path: &str, page: &str) -> String {
    let is_of_one = path.starts_with("reference/") && path.matches('/').count() == 2;
    match is_of_one && !path.ends_with("index.md") {
        true => String::new(),
        false => shortened(&first_sentence(page)),
    }
}

/// Returns the first sentence of a page without links.
fn first_sentence(page: &str) -> String {
    let is_text = |text: &&str| {
        let is_letter = |first: char| first.is_alphabetic() || first == '`';
        text.starts_with(is_letter) && !text.starts_with("```")
    };
    let text = page.split("\n\n").map(str::trim).find(is_text);
    let text = without_links(&text.unwrap_or_default().replace('\n', " "));
    match text.find(". ") {
        Some(end) => text[..=end].to_owned(),
        None => text,
    }
}

/// Cuts a text at a word.
fn shortened(text: &str) -> String {
    if text.chars().count() <= DESCRIPTION {
        return text.to_owned();
    }
    let cut: String = text.chars().take(DESCRIPTION).collect();
    let words = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", words.trim_end_matches([',', ';', ':']))
}

/// Replaces links with their texts.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        out.push_str(before);
        let Some((name, after)) = link.split_once("](") else {
            out.push('[');
            rest = link;
            continue;
        };
        out.push_str(name);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_summary() {
        let summary = "# Summary\n\n[payspec](index.md)\n\n# Reference\n\n- [Rules](reference/rules/index.md)\n  - [bic](reference/rules/bic.md)\n";
        let expected = [
            Entry::Page("payspec", "index.md"),
            Entry::Section("Reference"),
            Entry::Page("Rules", "reference/rules/index.md"),
            Entry::Page("bic", "reference/rules/bic.md"),
        ];
        assert_eq!(entries(summary).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn describes_a_page_by_its_first_sentence() {
        let page = "# Title\n\n<div>\n\n```sh\nls\n```\n\nThe [policy](policy.md) sets\nlimits. More follows.\n";
        assert_eq!(description("guides/x.md", page), "The policy sets limits.");
        assert_eq!(description("reference/rules/bic.md", page), "");
        assert_eq!(
            description("reference/rules/index.md", page),
            "The policy sets limits."
        );
        let long = format!("Begin {}.", "word, ".repeat(60));
        let cut = description("guides/x.md", &long);
        assert!(
            cut.ends_with("word…") && cut.chars().count() <= DESCRIPTION,
            "{cut}"
        );
    }

    #[test]
    fn writes_both_files_and_splits_long_pages() {
        let folder = std::env::temp_dir().join(format!("payspec-llms-{}", std::process::id()));
        fs::create_dir_all(folder.join("guides")).unwrap();
        let summary = folder.join("SUMMARY.md");
        fs::write(
            &summary,
            "# Summary\n\n[book](index.md)\n\n# Guides\n\n- [One](guides/one.md)\n",
        )
        .unwrap();
        fs::write(folder.join("index.md"), "# Book\n\nA book.\n").unwrap();
        fs::write(folder.join("guides/one.md"), "# One\n\nThe first guide.\n").unwrap();
        let (summary, book) = (summary.to_str().unwrap(), folder.to_str().unwrap());
        run(summary, book).unwrap();
        let list = fs::read_to_string(folder.join("llms.txt")).unwrap();
        assert_eq!(
            list,
            "# book\n\n> A book.\n\n\n## Guides\n\n- [One](guides/one.md): The first guide.\n"
        );
        let full = fs::read_to_string(folder.join("llms-full.txt")).unwrap();
        assert_eq!(
            full,
            "<!-- index.md -->\n\n# Book\n\nA book.\n\n<!-- guides/one.md -->\n\n# One\n\nThe first guide.\n\n"
        );

        let section = |name: &str| format!("## {name}\n\n{}\n\n", "word ".repeat(4000));
        let long = format!(
            "# One\n\nThe first guide.\n\n{}{}",
            section("A"),
            section("B")
        );
        fs::write(folder.join("guides/one.md"), &long).unwrap();
        run(summary, book).unwrap();
        let list = fs::read_to_string(folder.join("llms.txt")).unwrap();
        assert!(
            list.ends_with("- [One, part 2](guides/one-2.md): B\n"),
            "{list}"
        );
        let first = fs::read_to_string(folder.join("guides/one.md")).unwrap();
        assert!(first.ends_with("word\n\n[Part 2](one-2.md): B\n"));
        let second = fs::read_to_string(folder.join("guides/one-2.md")).unwrap();
        assert!(second.starts_with("# One, part 2\n\n## B\n\nword"));

        fs::write(folder.join("guides/one.md"), "word ".repeat(7000)).unwrap();
        let error = run(summary, book).unwrap_err();
        assert!(error.starts_with("guides/one.md: 700"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
