//! Checks the links of the built book.

use crate::support::checks::none;
use crate::support::files::below;
use anyhow::{Result, ensure};
use fs_err as fs;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Checks that each link to a page, a file, or a heading of the book has a target.
pub(super) fn check(book: &Path) -> Result<()> {
    let pages = pages(book)?;
    let ids: BTreeMap<&PathBuf, BTreeSet<&str>> = pages
        .iter()
        .map(|(path, text)| (path, attributes(text, "id").collect()))
        .collect();
    let mut broken = BTreeSet::new();
    for (page, text) in &pages {
        // The printed page repeats all others, and the page for missing addresses is served at any
        // address.
        if page.ends_with("print.html") || page.ends_with("404.html") {
            continue;
        }
        for link in attributes(text, "href").chain(attributes(text, "src")) {
            let link = link.replace("&amp;", "&");
            if link.contains(':') || link.starts_with("//") || link.is_empty() {
                continue;
            }
            let (path, fragment) = link.split_once('#').unwrap_or((&link, ""));
            let path = path.split('?').next().unwrap_or_default();
            let target = match path {
                "" => page.clone(),
                path => normalized(&page.parent().unwrap_or(Path::new("")).join(path)),
            };
            let target = if book.join(&target).is_dir() {
                target.join("index.html")
            } else {
                target
            };
            let exists = book.join(&target).is_file();
            // The playground reads its inputs from the fragment.
            let is_place = !fragment.is_empty() && !fragment.contains('=');
            let is_found = !is_place || ids.get(&target).is_none_or(|ids| ids.contains(fragment));
            if !exists || !is_found {
                broken.insert(format!("{}: {link}", page.display()));
            }
        }
    }
    ensure!(pages.len() > 1, "the book has no pages");
    none(broken)
}

/// Checks that no page loads scripts, styles, fonts, or images from another host.
pub(super) fn check_requests(book: &Path) -> Result<()> {
    let pages = pages(book)?;
    let mut found = BTreeSet::new();
    for (page, text) in &pages {
        let sources = attributes(text, "src").map(str::to_owned);
        let styles = tags(text).filter(|tag| tag.starts_with("link "));
        let styles = styles
            .filter_map(|tag| attribute(tag, "href"))
            .map(str::to_owned);
        found.extend(
            sources
                .chain(styles)
                .filter(|link| link.contains("//"))
                .map(|link| format!("{}: {link}", page.display())),
        );
    }
    none(found)
}

/// Returns the texts of all pages by their path in the book.
fn pages(book: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let is_page = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "html");
    let pages = below(book)?.into_iter().filter(is_page);
    let read = |file: PathBuf| Ok((file.clone(), fs::read_to_string(book.join(file))?));
    pages.map(read).collect()
}

/// Returns the values of an attribute of all tags.
fn attributes<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    tags(text).filter_map(move |tag| attribute(tag, name))
}

/// Returns the contents of the tags. Code that shows tags contains `&lt;` instead.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    // The first part is the text before the first tag.
    text.split('<')
        .skip(1)
        .filter_map(|part| part.split('>').next())
}

/// Returns the value of an attribute of a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

/// Resolves `..` without reading the file system.
fn normalized(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::attributes;

    #[test]
    fn reads_attributes_of_tags_only() {
        let text = r#"<p id="one">&lt;script src="shown.js"&gt;</p><img alt="" src="a.svg"><script async src="b.js"></script>"#;
        assert_eq!(
            attributes(text, "src").collect::<Vec<_>>(),
            ["a.svg", "b.js"]
        );
        assert_eq!(attributes(text, "id").collect::<Vec<_>>(), ["one"]);
    }
}
