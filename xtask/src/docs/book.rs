//! Assembles the sources of the book, and builds it with mdBook.

use super::common::{Page, copy, markdown_files, output, program, sources, write};
use super::llms;
use crate::build::npm;
use crate::generate;
use crate::support::process::run_checked;
use anyhow::{Result, anyhow, bail};
use fs_err as fs;
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the book and returns its folder.
pub(super) fn build() -> Result<PathBuf> {
    let work = output().join("sources");
    let book = output().join("book");
    for folder in [&work, &book] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    copy(&sources(), &work)?;
    // Pages include programs of the repository.
    let pages = pages()?;
    for page in &pages {
        write(&work.join("src").join(&page.path), &page.text)?;
    }
    let summary = work.join("src/SUMMARY.md");
    let text = fs::read_to_string(&summary)?;
    write(&summary, &with_pages(&text, &pages)?)?;
    let root = root().display().to_string();
    includes(&work.join("src"), &root)?;
    let mut mdbook = Command::new("mdbook");
    mdbook
        .arg("build")
        .arg(&work)
        .arg("--dest-dir")
        .arg(&book)
        .env("RUST_LOG", "warn");
    run_checked(&mut mdbook, "mdbook build")?;
    llms::add(&work, &book)?;
    playground(&book)?;
    Ok(book)
}

/// Returns the generated pages.
fn pages() -> Result<Vec<Page>> {
    let program = program()?;
    generate::parsed(&["pages"], &[("PAYSPEC", program.as_os_str())])
}

/// Inserts the generated pages into the list of pages, after the index of their folder.
fn with_pages(summary: &str, pages: &[Page]) -> Result<String> {
    let mut out = String::new();
    let mut listed = 0;
    for line in summary.lines() {
        out.push_str(line);
        out.push('\n');
        let Some(path) = line
            .split_once("](")
            .and_then(|(_, path)| path.strip_suffix(')'))
        else {
            continue;
        };
        listed += usize::from(pages.iter().any(|page| page.path == path));
        let Some(folder) = path
            .strip_suffix("index.md")
            .filter(|folder| !folder.is_empty())
        else {
            continue;
        };
        let indent = line.len() - line.trim_start().len() + 2;
        for page in pages
            .iter()
            .filter(|page| page.path.starts_with(folder) && page.path != path)
        {
            out.push_str(&format!(
                "{:indent$}- [{}]({})\n",
                "", page.title, page.path
            ));
            listed += 1;
        }
    }
    // A page that is not listed would not be built.
    if listed == pages.len() {
        Ok(out)
    } else {
        Err(anyhow!(
            "SUMMARY.md lists {listed} of {} pages",
            pages.len()
        ))
    }
}

/// Makes the paths of included files absolute: `{{#include /examples/…}}` is relative to the
/// repository.
fn includes(folder: &Path, root: &str) -> Result<()> {
    for path in markdown_files(folder)? {
        let text = fs::read_to_string(&path)?;
        for file in text
            .split("{{#include /")
            .skip(1)
            .filter_map(|rest| rest.split(['}', ':']).next())
        {
            if !Path::new(root).join(file).is_file() {
                bail!("{} includes {file}, which does not exist", path.display());
            }
        }
        if text.contains("{{#include /") {
            write(
                &path,
                &text.replace("{{#include /", &format!("{{{{#include {root}/")),
            )?;
        }
    }
    Ok(())
}

/// The page of the book that leads to the playground: without a sidebar, the playground has the
/// whole window.
const TO_PLAYGROUND: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Playground</title>\n\
    <meta http-equiv=\"refresh\" content=\"0; url=playground/index.html\">\n\
    <p><a href=\"playground/index.html\">Playground</a></p>\n</html>\n";

/// Adds the playground: its page, the tables of the rules, and the npm package as a script that
/// runs without a server.
fn playground(book: &Path) -> Result<()> {
    npm::ready()?;
    let package = root().join("wasm/pkg/index.cjs");
    let folder = book.join("playground");
    copy(&sources().join("playground"), &folder)?;
    write(&book.join("playground.html"), TO_PLAYGROUND)?;
    let program = program()?;
    let tables = generate::text(&["playground-tables"], &[("PAYSPEC", program.as_os_str())])?;
    write(&folder.join("rules.js"), &String::from_utf8_lossy(&tables))?;
    let text = fs::read_to_string(&package)?;
    // Browsers load modules only from servers, so the package becomes a script. It defines
    // `payspec`.
    let script = format!(
        "var payspec = (() => {{ const module = {{ exports: {{}} }}; const exports = module.exports;\n{text}\nreturn module.exports; }})();\n"
    );
    write(&folder.join("payspec.js"), &script)
}
