//! Checks the maps and tuples that repeat a table of the core: violations with their parameters,
//! problems, states.

use super::read::{alias, interface, names_of, union};
use payspec::policy::InvalidRequestStatus;
use payspec::{ProblemCode, RULES, Severity, State};

#[test]
fn declares_violations_with_their_parameters() {
    let members = interface("ViolationParams");
    let codes: Vec<&str> = members.iter().map(|member| member.name).collect();
    assert_eq!(
        codes,
        RULES.iter().map(|rule| rule.name).collect::<Vec<_>>()
    );
    for (member, rule) in members.iter().zip(RULES) {
        let forms: Vec<&str> = member
            .kind
            .split(" | ")
            .filter(|form| *form != "null")
            .collect();
        let params: Vec<&str> = forms.into_iter().flat_map(names_of).collect();
        assert_eq!(params, rule.params, "{}", rule.name);
        assert!(
            member.doc.contains(rule.source),
            "the comment of {} should contain {}",
            rule.name,
            rule.source
        );
        let warns = member.doc.contains("A warning.");
        assert_eq!(
            warns,
            rule.severity == Severity::Warning,
            "the comment of {}",
            rule.name
        );
    }
}

#[test]
fn declares_codes_that_no_policy_can_set() {
    let fixed: Vec<&str> = RULES
        .iter()
        .filter(|rule| !rule.adjustable)
        .map(|rule| rule.name)
        .collect();
    assert_eq!(union("FixedCode"), fixed);
}

#[test]
fn declares_problems_with_their_statuses() {
    let settable = [
        InvalidRequestStatus::BadRequest,
        InvalidRequestStatus::UnprocessableContent,
    ];
    let settable = settable
        .map(|status| status.status().to_string())
        .join(" | ");
    let expected: Vec<(&str, String)> = ProblemCode::ALL
        .iter()
        .map(|code| match code {
            ProblemCode::InvalidRequest => (code.name(), settable.clone()),
            _ => (code.name(), code.status().to_string()),
        })
        .collect();
    let found: Vec<(&str, String)> = interface("ProblemStatus")
        .iter()
        .map(|member| (member.name, member.kind.to_owned()))
        .collect();
    assert_eq!(found, expected);
    // The type derives a problem's URN from its code.
    for code in ProblemCode::ALL {
        assert_eq!(
            code.urn(),
            format!("urn:payspec:problem:{}", code.name().replace('_', "-"))
        );
    }
}

#[test]
fn declares_the_rows_of_states() {
    let rows = alias("StateRows")
        .lines()
        .filter(|line| line.contains("StateRowOf<"))
        .map(str::trim);
    let expected: Vec<String> = State::ALL
        .iter()
        .map(|state| {
            let flags = state.legacy_flags();
            let legacy = format!(
                "{}, {}, {}",
                flags.completed, flags.succeed, flags.partially_completed
            );
            let (name, outcome) = (state.name(), state.outcome().name());
            format!(
                "StateRowOf<{name:?}, {}, {outcome:?}, LegacyFlags<{legacy}>>,",
                state.is_final()
            )
        })
        .collect();
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    assert_eq!(
        names_of(
            "LegacyFlags<Completed extends boolean, Succeed extends boolean, Partially extends boolean>"
        ),
        ["isCompleted", "isSucceed", "isPartiallyCompleted"]
    );
}
