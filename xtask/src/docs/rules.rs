//! The pages of the rules: meaning, paths, an invalid body with its report, and a corrected one. The examples are those of
//! `payspec explain`.

use super::common::{Page, printed};
use super::markdown::{code, sentence, source, table};
use super::rule_paths::Paths;
use payspec::{RULES, Rule};

pub(super) fn pages() -> Result<Vec<Page>, String> {
    let mut pages = vec![index()];
    let paths = Paths::load()?;
    for rule in RULES {
        pages.push(page(rule, &paths)?);
    }
    Ok(pages)
}

fn index() -> Page {
    let rows = RULES.iter().map(|rule| {
        [
            format!("[`{0}`]({0}.md)", rule.name),
            rule.severity.name().to_owned(),
            sentence(rule.summary),
            source(rule.source, 1).replace(" of the specification", ""),
        ]
    });
    let text = format!(
        "# Rules\n\nEach violation in a report has one of these codes. The operation \
         [`rules`](../operations/rules.md) returns the same list as JSON, and `payspec explain CODE` prints a page.\n\n{}",
        table(["code", "severity", "meaning", "source"], rows)
    );
    Page { path: "reference/rules/index.md".to_owned(), title: "Rules".to_owned(), text }
}

fn page(rule: &Rule, paths: &Paths) -> Result<Page, String> {
    let name = rule.name;
    let parameters: Vec<String> = rule.params.iter().map(|name| format!("`{name}`")).collect();
    let change = match rule.adjustable {
        true => format!(
            "Set its severity in the [policy](../policy.md). `off` disables the rule.\n\n{}",
            code("json", &format!("{{\"severity\": {{\"{name}\": \"warning\"}}}}"))
        ),
        false => "This rule is always an error, since the other rules depend on it.".to_owned(),
    };
    let text = format!(
        "# {name}\n\n{meaning}\n\n{facts}\n{examples}## How to change it\n\n{change}\n",
        meaning = sentence(rule.summary),
        facts = table(
            ["", ""],
            [
                ["Severity".to_owned(), format!("`{}`", rule.severity.name())],
                ["Paths".to_owned(), paths.of(name)?],
                ["Source".to_owned(), source(rule.source, 1)],
                ["Parameters".to_owned(), if parameters.is_empty() { "—".to_owned() } else { parameters.join(", ") }],
            ]
        ),
        examples = examples(&printed(&["explain", name])?),
    );
    Ok(Page { path: format!("reference/rules/{name}.md"), title: name.to_owned(), text })
}

/// Formats the examples that `payspec explain` prints: titles, and indented blocks.
fn examples(text: &str) -> String {
    let mut out = String::new();
    let mut block: Vec<&str> = Vec::new();
    let mut inside = false;
    for line in text.lines().chain([""]) {
        inside |= line == "An invalid body";
        if !inside {
            continue;
        }
        if let Some(indented) = line.strip_prefix("  ") {
            block.push(indented);
            continue;
        }
        if line.is_empty() && !block.is_empty() && block.first() != Some(&"{") {
            block.push("");
        }
        if !line.is_empty() || block.first() == Some(&"{") {
            flush(&mut block, &mut out);
        }
        match line {
            "" => {}
            "An invalid body" | "Its report" | "A valid body" => out.push_str(&format!("## {line}\n\n")),
            line if line.starts_with("Page ") => inside = false,
            line => out.push_str(&format!("{}:\n\n", sentence(line).trim_end_matches('.'))),
        }
    }
    flush(&mut block, &mut out);
    out
}

fn flush(block: &mut Vec<&str>, out: &mut String) {
    let text = block.join("\n");
    if !text.trim().is_empty() {
        let language = if text.starts_with('{') { "json" } else { "text" };
        out.push_str(&format!("{}\n", code(language, &text)));
    }
    block.clear();
}
