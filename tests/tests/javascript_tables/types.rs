//! The types of the npm package whose facts are in tables of the core.

use payspec::card::Scheme;
use payspec::policy::InvalidRequestStatus;
use payspec::{
    DECISIONS, InfoKind, Mode, PaymentType, ProblemCode, RULES, Rounding, Severity, State,
    StateOutcome, Subtype, TransitionVerdict, WebhookRejection,
};
use std::fmt::Write;

/// The forms of the parameters of violations, by the names of the parameters. The types are those of
/// `wasm/types/violations.d.ts`.
const PARAMS: [(&str, &str); 12] = [
    ("", "null"),
    ("line column", "Position"),
    ("limit", "Limit"),
    ("expected found", "Types"),
    ("allowed", "Allowed"),
    ("allowed refused", "Allowed | Refused"),
    ("replaced_by", "ReplacedBy"),
    ("minor_unit", "MinorUnit"),
    (
        "integer_digits fraction_digits min max",
        "DigitLimits | AmountLimits",
    ),
    ("min max", "Range"),
    ("reason", "UriReason"),
    ("withdrawn", "Withdrawn"),
];

/// Appends a union of literals with its comment.
fn union<'a>(
    out: &mut String,
    comment: &str,
    name: &str,
    values: impl IntoIterator<Item = &'a str>,
) {
    let values: Vec<String> = values
        .into_iter()
        .map(|value| format!("  | {value:?}"))
        .collect();
    writeln!(
        out,
        "\n/** {comment} */\nexport type {name} =\n{};",
        values.join("\n")
    )
    .expect("a String");
}

/// Returns the types whose facts are in tables of the core.
pub(super) fn types() -> String {
    let mut out = String::from(
        "\n\
         import type { LegacyFlags, StateRowOf } from \"./answers.js\";\n\
         import type {\n  Allowed,\n  AmountLimits,\n  DigitLimits,\n  Limit,\n  MinorUnit,\n  Position,\n  Range,\n  \
         Refused,\n  ReplacedBy,\n  Types,\n  UriReason,\n  Withdrawn,\n} from \"./violations.js\";\n",
    );
    let severities = [Severity::Error, Severity::Warning, Severity::Off].map(Severity::name);
    let decisions: Vec<&str> = DECISIONS.iter().map(|decision| decision.id).collect();
    let fixed = RULES.iter().filter(|rule| !rule.adjustable);
    let fixed: Vec<&str> = fixed.map(|rule| rule.name).collect();
    let unions: [(&str, &str, &[&str]); 13] = [
        (
            "The direction of a payment (§2.2 `payment_type`): a deposit, or a transfer out. It selects the variant of a request.",
            "PaymentType",
            PaymentType::NAMES,
        ),
        (
            "The processing mode (§1.2): person to person, card acquiring, or a fiat amount converted to USDT (§1.4).",
            "Mode",
            Mode::NAMES,
        ),
        (
            "The payment method (§2.2 `subtype`): a bank card, or the faster payments system by phone number.",
            "Subtype",
            Subtype::NAMES,
        ),
        (
            "The state of a payment (§3). `completed`, `not_fully` and `fail` are final.",
            "State",
            State::NAMES,
        ),
        (
            "The meaning of a state for the parties.",
            "StateOutcome",
            StateOutcome::NAMES,
        ),
        (
            "The severity of a violation. Only an `error` makes a body invalid; a rule that is `off` is disabled.",
            "Severity",
            &severities,
        ),
        ("The scheme of a card.", "CardScheme", Scheme::NAMES),
        (
            "The kind of `info` of a payment in host-to-host mode (D2).",
            "InfoKind",
            InfoKind::NAMES,
        ),
        (
            "The rounding of an amount in USDT to its scale (D20).",
            "Rounding",
            Rounding::NAMES,
        ),
        (
            "The identifier of a decision about something that the specification leaves open. `decisions()` lists them.",
            "DecisionId",
            &decisions,
        ),
        (
            "The verdict on a transition.",
            "TransitionVerdict",
            TransitionVerdict::NAMES,
        ),
        (
            "The reason why a webhook is not verified, in the order of the checks.",
            "WebhookRejection",
            WebhookRejection::NAMES,
        ),
        (
            "Codes whose severity no policy can set.",
            "FixedCode",
            &fixed,
        ),
    ];
    for (comment, name, values) in unions {
        union(&mut out, comment, name, values.iter().copied());
    }
    violations(&mut out);
    problems(&mut out);
    states(&mut out);
    out
}

/// Appends the parameters of each violation. The comment is its message with placeholders.
fn violations(out: &mut String) {
    let mut members = String::new();
    for rule in RULES {
        let names = rule.params.join(" ");
        let params = PARAMS.iter().find(|(known, _)| *known == names);
        let (_, params) = params.unwrap_or_else(|| panic!("{}: a type for {names}", rule.name));
        let warning = if rule.severity == Severity::Warning {
            " A warning."
        } else {
            ""
        };
        writeln!(
            members,
            "  /** `{}` ({}).{warning} */\n  {}: {params};",
            rule.summary, rule.source, rule.name
        )
        .expect("a String");
    }
    let comment = "Every violation code with its parameters; null if it has no parameters. The comments are the messages.";
    writeln!(
        out,
        "\n/** {comment} */\nexport interface ViolationParams {{\n{members}}}"
    )
    .expect("a String");
}

/// Appends the status of each problem.
fn problems(out: &mut String) {
    let mut members = String::new();
    for code in ProblemCode::ALL {
        let statuses = match code {
            ProblemCode::InvalidRequest => {
                let settable = [
                    InvalidRequestStatus::BadRequest,
                    InvalidRequestStatus::UnprocessableContent,
                ];
                settable
                    .map(|status| status.status().to_string())
                    .join(" | ")
            }
            _ => code.status().to_string(),
        };
        writeln!(
            members,
            "  /** {} */\n  {}: {statuses};",
            code.title(),
            code.name()
        )
        .expect("a String");
        // A type derives the URN of a problem from its code.
        let urn = format!("urn:payspec:problem:{}", code.name().replace('_', "-"));
        assert_eq!(code.urn(), urn);
    }
    let comment = "Every problem code with its status. `invalid_request_status` of the policy sets that of `invalid_request` (D12).";
    writeln!(
        out,
        "\n/** {comment} */\nexport interface ProblemStatus {{\n{members}}}"
    )
    .expect("a String");
}

/// Appends the rows of the table of states.
fn states(out: &mut String) {
    let rows = State::ALL.iter().map(|state| {
        let flags = state.legacy_flags();
        let (name, outcome) = (state.name(), state.outcome().name());
        format!(
            "  StateRowOf<{name:?}, {}, {outcome:?}, LegacyFlags<{}, {}, {}>>,\n",
            state.is_final(),
            flags.completed,
            flags.succeed,
            flags.partially_completed
        )
    });
    let rows: String = rows.collect();
    let comment = "The rows of the table of states (§3), in its order.";
    writeln!(
        out,
        "\n/** {comment} */\nexport type StateRows = readonly [\n{rows}];"
    )
    .expect("a String");
}
