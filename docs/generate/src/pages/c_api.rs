//! The page of the C API, from the comments of the header.

use super::markdown::{code, sentence};
use crate::common::Page;
use crate::common::failed;
use payspec_tests::root;
use std::fs;

/// A documented declaration of the header.
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) comment: String,
    pub(super) text: String,
}

/// Selects the declarations of a group.
type IsMember<'f> = &'f dyn Fn(&Declaration) -> bool;

/// Returns the functions and constants of `include/payspec.h`.
pub(super) fn declarations() -> Result<Vec<Declaration>, String> {
    let mut found = Vec::new();
    for part in header()?.split("\n/**").skip(1) {
        let Some((comment, rest)) = part.split_once("*/\n") else {
            continue;
        };
        let text = rest.split("\n\n").next().unwrap_or_default().trim_end();
        let lines: Vec<&str> = comment
            .lines()
            .map(|line| line.trim().trim_start_matches('*').trim_end())
            .collect();
        let comment = lines
            .iter()
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n");
        let name = match text.strip_prefix("#define ") {
            Some(define) => define.split_whitespace().next(),
            None => text
                .split(['(', ';'])
                .next()
                .and_then(|head| head.rsplit([' ', '*']).next()),
        };
        // The members of a structure are indented.
        let structure = text
            .strip_prefix("typedef struct {")
            .map(|_| rest.split("} ").nth(1).unwrap_or_default());
        let name = structure
            .map(|rest| rest.split(';').next().unwrap_or_default())
            .or(name)
            .unwrap_or_default();
        let text = match structure {
            Some(_) => rest
                .split_inclusive(&format!("}} {name};"))
                .next()
                .unwrap_or_default()
                .to_owned(),
            None => text.to_owned(),
        };
        if !name.is_empty() {
            found.push(Declaration {
                name: name.to_owned(),
                comment: comment.trim().to_owned(),
                text,
            });
        }
    }
    Ok(found)
}

fn header() -> Result<String, String> {
    let path = root().join("include/payspec.h");
    fs::read_to_string(&path).map_err(failed(&path))
}

impl Declaration {
    /// Returns the comment as Markdown: a paragraph, a list of parameters, and a list of return
    /// values.
    pub(super) fn markdown(&self) -> String {
        let mut out = String::new();
        let mut lines = self.comment.lines().peekable();
        let mut in_list = false;
        while let Some(line) = lines.next() {
            let mut item = line.trim().to_owned();
            let is_item = item.starts_with('@');
            if is_item {
                while lines
                    .peek()
                    .is_some_and(|next| next.starts_with("  ") && !next.trim().starts_with('@'))
                {
                    item.push(' ');
                    item.push_str(lines.next().unwrap_or_default().trim());
                }
            }
            if let Some(rest) = item.strip_prefix("@param ") {
                let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
                out.push_str(&format!("- `{name}`: {}\n", text.trim()));
                in_list = true;
            } else if let Some(rest) = item.strip_prefix("@return ") {
                out.push_str("\nReturns:\n\n");
                rest.split("; PAYSPEC")
                    .enumerate()
                    .for_each(|(index, value)| {
                        let prefix = if index == 0 { "" } else { "PAYSPEC" };
                        let value = format!("{prefix}{value}");
                        match value
                            .split_once(": ")
                            .filter(|(name, _)| name.starts_with("PAYSPEC_"))
                        {
                            Some((name, text)) => out.push_str(&format!("- `{name}`: {text}\n")),
                            None => out.push_str(&format!("- {value}\n")),
                        }
                    });
                in_list = true;
            } else {
                if in_list && !item.is_empty() {
                    out.push('\n');
                    in_list = false;
                }
                out.push_str(&item);
                out.push('\n');
            }
        }
        out
    }
}

pub(super) fn page() -> Result<Page, String> {
    let header = header()?;
    let introduction = header.split("*/").next().unwrap_or_default();
    let rules = introduction
        .split("The following applies to every function below.\n")
        .nth(1)
        .unwrap_or_default();
    let mut text = "# C API\n\n`#include <payspec.h>`, and link with `pkg-config --libs payspec` or CMake's target \
                    `payspec::payspec`. This page is generated from the header. [C and C++](../start/c.md) is a first \
                    program.\n\n## Rules for every function\n\n"
        .to_owned();
    for paragraph in rules.split("\n *\n") {
        let paragraph: Vec<&str> = paragraph
            .lines()
            .map(|line| line.trim().trim_start_matches('*').trim())
            .collect();
        let paragraph = paragraph.join(" ");
        let paragraph = paragraph.trim();
        match paragraph
            .split_once(". ")
            .filter(|(topic, _)| topic.len() < 24)
        {
            Some((topic, rest)) => text.push_str(&format!("**{topic}.** {rest}\n\n")),
            None => text.push_str(&format!("{paragraph}\n\n")),
        }
    }
    let declarations = declarations()?;
    let is_operation = |name: &str| {
        name.strip_prefix("payspec_")
            .is_some_and(|name| payspec::operations::operation(name).is_some())
    };
    let groups: [(&str, IsMember<'_>); 3] = [
        ("Constants and types", &|declaration| {
            !declaration.text.contains('(') || declaration.name.starts_with("PAYSPEC")
        }),
        ("Engines, buffers, and batches", &|declaration| {
            !is_operation(&declaration.name)
        }),
        ("Operations", &|_| true),
    ];
    let mut rest: Vec<&Declaration> = declarations.iter().collect();
    for (title, is_member) in groups {
        let (members, others): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|declaration| is_member(declaration));
        rest = others;
        text.push_str(&format!("## {title}\n\n"));
        for declaration in members {
            let name = &declaration.name;
            let link = match name.strip_prefix("payspec_").filter(|_| is_operation(name)) {
                Some(operation) => {
                    format!("Example: [{operation}](operations/{operation}.md).\n\n")
                }
                None => String::new(),
            };
            text.push_str(&format!(
                "### {name}\n\n{}\n{}\n{link}",
                code("c", &declaration.text),
                sentence(declaration.markdown().trim())
            ));
            text.push('\n');
        }
    }
    Ok(Page {
        path: "reference/c-api.md".to_owned(),
        title: "C API".to_owned(),
        text,
    })
}
