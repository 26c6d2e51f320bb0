//! The book for language models: its pages as Markdown beside HTML, `llms.txt`, and `llms-full.txt`.

use super::common::{copy, output};
use crate::generate;
use crate::support::files::text;
use crate::support::process::run_checked;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Replaces the outputs of `book.toml` with Markdown, which contains the included files.
const MARKDOWN: (&str, &str) = ("MDBOOK_OUTPUT", r#"{"markdown": {}}"#);

/// Adds the files to a built book, whose sources are in `work`. Fails if a page has too many tokens.
pub(super) fn add(work: &Path, book: &Path) -> Result<()> {
    let pages = output().join("markdown");
    let mut mdbook = Command::new("mdbook");
    mdbook.arg("build").arg(work).arg("--dest-dir").arg(&pages);
    mdbook.env(MARKDOWN.0, MARKDOWN.1).env("RUST_LOG", "warn");
    run_checked(&mut mdbook, "mdbook build")?;
    copy(&pages, book)?;
    let summary = work.join("src/SUMMARY.md");
    generate::run(&["llms", text(&summary)?, text(book)?])
}
