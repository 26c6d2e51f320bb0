//! The pages of the rules: meaning, paths, an invalid body with its report, and a corrected one.
//! The examples are those of `payspec explain`.

use super::markdown::{code, sentence, source, table};
use super::rule_paths::Paths;
use crate::common::{Page, printed};
use payspec::{Code, RULES, Rule};
use payspec_tests::json::{Json, quoted};
use std::collections::BTreeSet;

pub(super) fn pages() -> Result<Vec<Page>, String> {
    let listed = listed()?;
    let mut pages = vec![index()];
    let paths = Paths::load()?;
    for (rule, listed) in RULES
        .iter()
        .zip(listed.get("rules").map_or(&[][..], Json::elements))
    {
        pages.push(page(rule, &paths, listed)?);
    }
    Ok(pages)
}

/// Returns what `payspec rules --json` lists.
fn listed() -> Result<Json, String> {
    Json::parse(printed(&["rules", "--json"])?.as_bytes())
}

/// Returns the tables that the playground reads: the rules, and the names of the members of
/// requests.
pub(crate) fn tables() -> Result<String, String> {
    let schema = Json::parse(printed(&["schema"])?.as_bytes())?;
    let definitions = schema.get("$defs").map_or(&[][..], Json::members).iter();
    let properties = definitions.filter_map(|(_, definition)| definition.get("properties"));
    let names: BTreeSet<&str> = properties
        .flat_map(Json::members)
        .map(|(name, _)| name.as_str())
        .collect();
    let names: Vec<String> = names.into_iter().map(quoted).collect();
    Ok(format!(
        "// Written by `cargo xtask docs` from `payspec rules --json` and `payspec schema`.\nconst payspecRules = {};\nconst \
         payspecMembers = [{}];\n",
        listed()?
            .get("rules")
            .map_or_else(String::new, Json::compact),
        names.join(",")
    ))
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
    Page {
        path: "reference/rules/index.md".to_owned(),
        title: "Rules".to_owned(),
        text,
    }
}

fn page(rule: &Rule, paths: &Paths, listed: &Json) -> Result<Page, String> {
    let name = rule.name;
    let parameters: Vec<String> = rule.params.iter().map(|name| format!("`{name}`")).collect();
    let (severity, settings): (Vec<&Json>, Vec<&Json>) = listed
        .get("policies")
        .map_or(&[][..], Json::elements)
        .iter()
        .partition(|policy| policy.get("severity").is_some());
    let mut change = String::new();
    if !settings.is_empty() {
        change.push_str("Set a member of the [policy](../policy.md):\n\n");
        settings
            .iter()
            .for_each(|policy| change.push_str(&format!("{}\n", code("json", &policy.flat()))));
    }
    change.push_str(match (severity.is_empty(), settings.is_empty()) {
        (true, _) => "The severity of this rule is always `error`, since the other rules depend on it.",
        (false, true) => {
            "Set its severity in the [policy](../policy.md) to `error`, `warning`, or `off`, which disables the rule:"
        }
        (false, false) => "Or set its severity to `error`, `warning`, or `off`, which disables the rule:",
    });
    severity
        .iter()
        .for_each(|policy| change.push_str(&format!("\n\n{}", code("json", &policy.flat()))));
    let explained = printed(&["explain", name])?;
    if explained.contains("\nMigrate ") {
        change.push_str(
            "\n\n[Migrate from the legacy API](../../start/migrate.md) converts bodies, with `payspec migrate`.",
        );
    }
    let mut facts = vec![
        ["Severity".to_owned(), format!("`{}`", rule.severity.name())],
        ["Paths".to_owned(), paths.of(name)?],
        ["Source".to_owned(), source(rule.source, 1)],
        [
            "Parameters".to_owned(),
            if parameters.is_empty() {
                "—".to_owned()
            } else {
                parameters.join(", ")
            },
        ],
    ];
    if let Some(condition) = condition(rule.code) {
        facts.push(["Condition".to_owned(), condition.to_owned()]);
    }
    let text = format!(
        "# {name}\n\n{meaning}\n\n{facts}\n{examples}## How to change it\n\n{change}\n",
        meaning = sentence(rule.summary),
        facts = table(["", ""], facts),
        examples = examples(&explained),
    );
    Ok(Page {
        path: format!("reference/rules/{name}.md"),
        title: name.to_owned(),
        text,
    })
}

/// Returns on which input a rule depends, other than the member.
fn condition(code: Code) -> Option<&'static str> {
    match code {
        Code::CardExpired => Some(
            "The call has a time, `now` (on the command line `--now now`). A card is valid until its month has ended \
             everywhere on Earth: until 12:00 UTC of the first day of the next month",
        ),
        Code::AmountScale => Some("`cur` is valid"),
        _ => None,
    }
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
            "An invalid body" | "Its report" | "A valid body" => {
                out.push_str(&format!("## {line}\n\n"))
            }
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
        let language = if text.starts_with('{') {
            "json"
        } else {
            "text"
        };
        out.push_str(&format!("{}\n", code(language, &text)));
    }
    block.clear();
}
