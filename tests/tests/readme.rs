//! Checks `README.md` and the pages of the book that are not generated: their tables contain every
//! decision and every member of a policy, and their JSON equals the inputs and outputs of the
//! library. Their Rust code runs as doctests of the core.

use payspec::{DECISIONS, Decision, Engine, ProblemCode};
use payspec_tests::call;
use payspec_tests::json::Json;
use payspec_tests::markdown;
use std::collections::BTreeSet;
use std::path::Path;

/// All members of a policy.
const POLICY_MEMBERS: [&str; 19] = [
    "severity",
    "required",
    "limits.body_bytes",
    "limits.depth",
    "limits.violations",
    "limits.text_chars",
    "limits.description_chars",
    "limits.uri_bytes",
    "limits.amount",
    "limits.time_to_complete_payment",
    "currencies",
    "urls.schemes",
    "crypto.scale",
    "crypto.rounding",
    "crypto.max_quote_age_ms",
    "idempotency.window_ms",
    "invalid_request_status",
    "fingerprint_key",
    "transitions",
];

const DECISIONS_PAGE: &str = "docs/src/reference/decisions/index.md";
const POLICY_PAGE: &str = "docs/src/reference/policy.md";
const CALLING_PAGE: &str = "docs/src/reference/calling.md";

fn page(path: &str) -> String {
    std::fs::read_to_string(payspec_tests::root().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the JSON of the fenced blocks of a page, in order.
fn json_blocks(path: &str) -> Vec<Json> {
    let text = page(path);
    markdown::blocks(&text, "json")
        .map(|block| {
            Json::parse(block.as_bytes()).unwrap_or_else(|error| panic!("{error}:\n{block}"))
        })
        .collect()
}

/// Returns the rows of its tables whose first cell is `cell`.
fn rows<'t>(text: &'t str, cell: &str) -> Vec<&'t str> {
    text.lines()
        .filter(|line| line.starts_with(&format!("| {cell} |")))
        .collect()
}

#[test]
fn shows_whole_programs() {
    let text = page("README.md");
    let hidden = text
        .lines()
        .find(|line| *line == "#" || line.starts_with("# ") && *line != "# payspec");
    assert_eq!(hidden, None, "the programs of README.md are shown whole");
}

/// The address of the book.
const BOOK: &str = "https://payspec.example/book/";

/// Registries show the page of a package: how to install it, a program, and a link to the book.
#[test]
fn pages_of_packages_have_a_program_and_links_to_the_book() {
    let languages = ["cpp", "go", "java", "php", "python"]
        .map(|language| format!("bindings/{language}/README.md"));
    for path in languages
        .iter()
        .map(String::as_str)
        .chain(["wasm/README.md", "cli/README.md"])
    {
        let text = page(path);
        assert!(
            text.contains("```") || text.contains("\n    "),
            "{path} has no program"
        );
        let linked: Vec<&str> = text
            .split(BOOK)
            .skip(1)
            .filter_map(|rest| rest.split(".html").next())
            .collect();
        assert!(!linked.is_empty(), "{path} does not link to the book");
        for name in linked {
            let source = payspec_tests::root().join(format!("docs/src/{name}.md"));
            assert!(
                source.is_file(),
                "{path} links to {name}, which is not in the book"
            );
        }
        // Relative links lead nowhere in a package.
        assert!(
            !text.contains("](../"),
            "{path} links to a file of the repository"
        );
    }
}

/// Every file and folder of the repository that the documentation names exists.
#[test]
fn names_existing_files() {
    let mut pages = vec!["README.md".to_owned()];
    collect_pages("docs/src", &mut pages);
    assert!(pages.len() > 20, "the book has pages");
    let mut missing = Vec::new();
    for path in &pages {
        let text = page(path);
        for word in text
            .split(|character: char| !(character.is_alphanumeric() || "/._-".contains(character)))
        {
            let word = word.trim_start_matches("./").trim_end_matches(['.', '/']);
            let is_path = [
                "examples", "bindings", "core", "service", "tests", "ffi", "xtask",
            ]
            .iter()
            .any(|folder| {
                word.strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with('/'))
            });
            if is_path && !payspec_tests::root().join(word).exists() {
                missing.push(format!("{path}: {word}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

/// The links of README.md lead to files. `cargo xtask docs` checks the links of the book.
#[test]
fn links_to_existing_files() {
    let text = page("README.md");
    let markdown = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let html = text
        .split("src=\"")
        .chain(text.split("srcset=\""))
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let links: Vec<&str> = markdown
        .chain(html.filter(|link| link.ends_with(".svg")))
        .collect();
    assert!(links.len() > 15, "{links:?}");
    let is_broken =
        |link: &&str| !link.contains("://") && !payspec_tests::root().join(link).exists();
    assert_eq!(
        links.into_iter().filter(is_broken).collect::<Vec<_>>(),
        Vec::<&str>::new()
    );
}

/// The dashboard shows the metrics that its page lists, and the gateway has each of them.
#[test]
fn shows_existing_metrics() {
    let dashboard = Json::parse(page("docs/src/guides/grafana.json").as_bytes()).unwrap();
    let targets = dashboard
        .get("panels")
        .unwrap()
        .elements()
        .iter()
        .flat_map(|panel| {
            assert!(
                panel
                    .get("title")
                    .and_then(Json::as_str)
                    .is_some_and(|title| !title.is_empty())
            );
            panel.get("targets").unwrap().elements()
        });
    let expressions: Vec<&str> = targets
        .map(|target| target.get("expr").and_then(Json::as_str).unwrap())
        .collect();
    let table = page("docs/src/guides/monitoring.md");
    let listed: BTreeSet<&str> = table
        .split("| `")
        .skip(1)
        .filter_map(|cell| cell.split('`').next())
        .collect();
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let shown: BTreeSet<&str> = expressions
        .iter()
        .flat_map(|text| text.split(|character: char| !is_part(character)))
        .filter(|word| word.starts_with("gateway_"))
        .map(|word| word.trim_end_matches("_bucket"))
        .collect();
    assert_eq!(
        shown,
        listed
            .iter()
            .copied()
            .filter(|name| name.starts_with("gateway_"))
            .collect()
    );
    let mut sources = String::new();
    read_sources(
        &payspec_tests::root().join("service/gateway/src"),
        &mut sources,
    );
    let missing: Vec<&&str> = shown
        .iter()
        .filter(|name| !sources.contains(&format!("\"{name}\"")))
        .collect();
    assert_eq!(missing, Vec::<&&str>::new());
}

fn read_sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_sources(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

fn collect_pages(folder: &str, pages: &mut Vec<String>) {
    for entry in std::fs::read_dir(payspec_tests::root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect_pages(&path, pages);
        } else if path.ends_with(".md") {
            pages.push(path);
        }
    }
}

/// Writes the rows if BLESS is set: `BLESS=1 cargo test --test integration readme`.
#[test]
fn contains_every_decision() {
    let text = page(DECISIONS_PAGE);
    let (decisions, others): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| is_decision(line));
    let expected: Vec<String> = DECISIONS.iter().map(row).collect();
    if decisions == expected {
        return;
    }
    let first = text
        .lines()
        .position(is_decision)
        .expect("the page has the table of decisions");
    if std::env::var_os("BLESS").is_some() {
        let (before, after) = others.split_at(first);
        let lines: Vec<&str> = before
            .iter()
            .copied()
            .chain(expected.iter().map(String::as_str))
            .chain(after.iter().copied())
            .collect();
        std::fs::write(
            payspec_tests::root().join(DECISIONS_PAGE),
            lines.join("\n") + "\n",
        )
        .unwrap();
        return;
    }
    let missing: Vec<&str> = expected
        .iter()
        .map(String::as_str)
        .filter(|row| !decisions.contains(row))
        .collect();
    panic!(
        "the decisions of {DECISIONS_PAGE} are not those of core/src/decisions.rs; BLESS=1 writes them. Missing rows:\n{}",
        missing.join("\n")
    );
}

fn is_decision(line: &str) -> bool {
    line.strip_prefix("| [D")
        .is_some_and(|rest| rest.starts_with(|character: char| character.is_ascii_digit()))
}

fn row(decision: &Decision) -> String {
    let Decision {
        id,
        source,
        open,
        decision,
        changed_by,
        ..
    } = decision;
    let members: Vec<String> = changed_by
        .iter()
        .map(|member| format!("`{member}`"))
        .collect();
    let changed_by = if members.is_empty() {
        "—".to_owned()
    } else {
        members.join(", ")
    };
    format!("| [{id}]({id}.md) | {source} | {open} | {decision} | {changed_by} |")
}

#[test]
fn explains_every_policy_member() {
    let text = page(POLICY_PAGE);
    let blocks = json_blocks(POLICY_PAGE);
    let policy = blocks.last().unwrap();
    // The example has every known member and no other one.
    Engine::from_json(&policy.compact()).unwrap();
    for member in POLICY_MEMBERS {
        assert_eq!(
            rows(&text, &format!("`{member}`")).len(),
            1,
            "{POLICY_PAGE} should explain {member} once"
        );
        let value = member
            .split('.')
            .try_fold(policy, |object, name| object.get(name));
        assert!(
            value.is_some(),
            "the policy in {POLICY_PAGE} does not contain {member}"
        );
    }
    for decision in DECISIONS {
        for member in decision
            .changed_by
            .iter()
            .filter(|member| !member.contains(": "))
        {
            let is_known = is_policy_member(member) || is_operation(member);
            assert!(
                is_known,
                "{} refers to {member}, which is neither a policy member nor an operation",
                decision.id
            );
        }
    }
}

fn is_policy_member(member: &str) -> bool {
    let is_severity = member
        .strip_prefix("severity.")
        .is_some_and(|code| code.parse::<payspec::Code>().is_ok());
    is_severity
        || POLICY_MEMBERS
            .iter()
            .any(|own| *own == member || own.starts_with(&format!("{member}.")))
}

fn is_operation(name: &str) -> bool {
    payspec::operations::operation(name).is_some()
}

#[test]
fn shows_the_answers_of_the_library() {
    let blocks = json_blocks(CALLING_PAGE);
    let [request, context, report, created, rejected] = blocks.as_slice() else {
        panic!("{CALLING_PAGE} has {} blocks of JSON", blocks.len());
    };
    let (request, context) = (request.compact(), context.compact());
    let in_yen = request.replace("EUR", "JPY");
    let calls = [
        ("validate_request", [Some(request.as_bytes()), None], report),
        (
            "create_payment",
            [Some(request.as_bytes()), Some(context.as_bytes())],
            created,
        ),
        (
            "create_payment",
            [Some(in_yen.as_bytes()), Some(context.as_bytes())],
            rejected,
        ),
    ];
    for (operation, inputs, shown) in calls {
        let answer = call::answer(&Engine::default(), operation, &inputs);
        assert_eq!(
            shown.compact(),
            String::from_utf8_lossy(&answer.text),
            "{CALLING_PAGE} shows another answer of {operation}"
        );
    }
}

const REJECTED_PAGE: &str = "docs/src/guides/rejected.md";

/// The guide names the code of every problem.
#[test]
fn the_guide_on_rejected_payments_has_all_problems() {
    let text = page(REJECTED_PAGE);
    for problem in ProblemCode::ALL {
        assert!(
            text.contains(&format!("`{}`", problem.name())),
            "{}",
            problem.name()
        );
    }
}

/// No severity of the rules in the table of the guide makes a payment without a valid member.
#[test]
fn no_policy_allows_what_the_guide_lists() {
    const VALID: [(&str, &str); 5] = [
        ("payment_type", "pay_in"),
        ("mode", "P2P"),
        ("subtype", "sbp"),
        ("cur", "RUB"),
        ("amount", "990.50"),
    ];
    const CONTEXT: &[u8] = br#"{"uid":"6fa459ea-ee8a-3ca4-894e-db77e160355e","now":"2026-05-15T10:00:00Z","authorization":"checked_by_caller"}"#;
    let text = page(REJECTED_PAGE);
    let mut count = 0;
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let (member, rules) = row.trim_start_matches("| `").split_once('`').expect(row);
        for rule in rules
            .split("[`")
            .skip(1)
            .filter_map(|rest| rest.split('`').next())
        {
            let members = VALID
                .iter()
                .filter(|(name, _)| rule != "missing" || *name != member);
            let members = members.map(|(name, value)| {
                format!(
                    "\"{name}\":\"{}\"",
                    if *name == member { "x" } else { value }
                )
            });
            let body = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
            for severity in ["warning", "off"] {
                let engine =
                    Engine::from_json(&format!("{{\"severity\":{{\"{rule}\":\"{severity}\"}}}}"))
                        .unwrap();
                assert!(
                    engine.validate_request(body.as_bytes(), None).is_valid(),
                    "{body}"
                );
                let answer = call::answer(
                    &engine,
                    "create_payment",
                    &[Some(body.as_bytes()), Some(CONTEXT)],
                );
                let answer = Json::parse(&answer.text).unwrap();
                let detail = answer
                    .get("body")
                    .and_then(|body| body.get("detail"))
                    .and_then(Json::as_str);
                assert_eq!(
                    detail,
                    Some(format!("A payment requires a valid /{member}.").as_str()),
                    "{rule} {severity}"
                );
            }
            count += 1;
        }
    }
    assert_eq!(count, 7, "the rows of the table");
}
