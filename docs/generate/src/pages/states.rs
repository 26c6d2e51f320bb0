//! The pages of the states, with diagrams of the transitions.

use super::diagram;
use super::markdown::{source, table};
use crate::common::Page;
use payspec::{Engine, State};

/// The policies that the pages show.
const POLICIES: [(&str, &str); 2] = [
    ("open", "{}"),
    ("conventional", "{\"transitions\":\"conventional\"}"),
];

pub(super) fn pages() -> Vec<Page> {
    let mut pages = vec![index()];
    pages.extend(State::ALL.iter().map(|state| page(*state)));
    pages
}

fn engine(policy: &str) -> Engine {
    Engine::from_json(policy).expect("a policy of the table")
}

fn index() -> Page {
    let rows = State::ALL.iter().map(|state| {
        [
            format!("[`{0}`]({0}.md)", state.name()),
            state.outcome().name().to_owned(),
            if state.is_final() { "yes" } else { "no" }.to_owned(),
        ]
    });
    let mut text = format!(
        "# States\n\nA payment is in one of eight states (§3). The specification lists the states, but not the transitions \
         between them ([D7](../decisions/D7.md)).\n\n{}\n",
        table(["state", "outcome", "final"], rows)
    );
    text.push_str(
        "## Transitions under `conventional`\n\nThe policy `{\"transitions\": \"conventional\"}` allows these \
         transitions, and refuses all others.\n\n",
    );
    text.push_str(&diagram::graph(&engine(POLICIES[1].1)));
    for (name, policy) in POLICIES {
        text.push_str(&format!(
            "\n## All pairs under `{name}`\n\n{}",
            matrix(&engine(policy))
        ));
    }
    text.push_str(
        "\n✓ allowed, ○ unspecified (possible, but not documented), ✗ refused, = unchanged. A policy can also list the \
         allowed pairs itself: see [the policy](../policy.md).\n",
    );
    Page {
        path: "reference/states/index.md".to_owned(),
        title: "States".to_owned(),
        text,
    }
}

fn matrix(engine: &Engine) -> String {
    let mut out = "| from \\ to |".to_owned();
    State::ALL
        .iter()
        .for_each(|state| out.push_str(&format!(" `{}` |", state.name())));
    out.push_str(&format!("\n|---|{}\n", ":-:|".repeat(State::ALL.len())));
    for from in State::ALL {
        out.push_str(&format!("| `{}` |", from.name()));
        for to in State::ALL {
            let symbol = match engine.check_transition(*from, *to).verdict.name() {
                "allowed" => "✓",
                "refused" => "✗",
                "unchanged" => "=",
                _ => "○",
            };
            out.push_str(&format!(" {symbol} |"));
        }
        out.push('\n');
    }
    out
}

fn page(state: State) -> Page {
    let flags = state
        .legacy_flags()
        .members()
        .map(|([_, name], value)| format!("`{name}` {value}"));
    let facts = table(
        ["", ""],
        [
            [
                "Outcome".to_owned(),
                format!("`{}`", state.outcome().name()),
            ],
            [
                "Final".to_owned(),
                if state.is_final() { "yes" } else { "no" }.to_owned(),
            ],
            [
                "Legacy API".to_owned(),
                format!(
                    "{} ({})",
                    flags.collect::<Vec<_>>().join(", "),
                    source("D25", 1)
                ),
            ],
        ],
    );
    let mut text = format!("# {}\n\n{facts}", state.name());
    for (name, policy) in POLICIES {
        let engine = engine(policy);
        let rows = State::ALL.iter().map(|to| {
            let transition = engine.check_transition(state, *to);
            [
                format!("[`{0}`]({0}.md)", to.name()),
                transition.verdict.name().to_owned(),
                transition.reason.to_string(),
                source(transition.source, 1),
            ]
        });
        text.push_str(&format!(
            "\n## Transitions under `{name}`\n\n{}\n{}",
            diagram::of_state(&engine, state),
            table(["to", "verdict", "reason", "source"], rows)
        ));
    }
    text.push_str(
        "\n[`check_transition`](../operations/check_transition.md) evaluates a pair, and \
         [`advance_payment`](../operations/advance_payment.md) moves a payment.\n",
    );
    Page {
        path: format!("reference/states/{}.md", state.name()),
        title: state.name().to_owned(),
        text,
    }
}
