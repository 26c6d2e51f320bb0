//! The settings of a policy that change what a rule accepts, besides its severity.

use payspec::{Rule, Severity};

/// A setting of a rule: a policy that contains only this setting.
type Setting = (&'static str, &'static str);

/// Each rule with a policy that sets one member, and accepts more. `explain`, `rules --json`, and
/// the pages of the rules show them.
const SETTINGS: &[Setting] = &[
    ("body_too_large", r#"{"limits": {"body_bytes": 131072}}"#),
    ("too_deep", r#"{"limits": {"depth": 32}}"#),
    (
        "amount_out_of_bounds",
        r#"{"limits": {"amount": {"RUB": {"min": "1", "max": "1000000"}}}}"#,
    ),
    (
        "currency_not_allowed",
        r#"{"currencies": ["RUB", "USD", "EUR"]}"#,
    ),
    ("uri_scheme", r#"{"urls": {"schemes": ["https", "http"]}}"#),
    ("text_too_long", r#"{"limits": {"text_chars": 512}}"#),
    (
        "text_too_long",
        r#"{"limits": {"description_chars": 2048}}"#,
    ),
    ("text_too_long", r#"{"limits": {"uri_bytes": 4096}}"#),
    (
        "integer_range",
        r#"{"limits": {"time_to_complete_payment": {"min": 0, "max": 86400}}}"#,
    ),
];

/// Returns the policies that each set one member which the rule reads.
pub(crate) fn of(rule: &Rule) -> impl Iterator<Item = &'static str> + use<> {
    let name = rule.name;
    SETTINGS
        .iter()
        .filter(move |(of, _)| *of == name)
        .map(|(_, policy)| *policy)
}

/// Returns a policy with another severity of the rule, which accepts more; `None` if its severity
/// is fixed.
pub(crate) fn severity(rule: &Rule) -> Option<String> {
    let milder = if rule.severity == Severity::Error {
        Severity::Warning
    } else {
        Severity::Off
    };
    rule.adjustable.then(|| {
        format!(
            "{{\"severity\": {{\"{}\": \"{}\"}}}}",
            rule.name,
            milder.name()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use payspec::{Engine, RULES};

    /// The JSON form of a policy rejects members that it does not have.
    #[test]
    fn settings_are_members_of_the_policy() {
        for (rule, policy) in SETTINGS {
            assert!(RULES.iter().any(|known| known.name == *rule), "{rule}");
            Engine::from_json(policy).unwrap_or_else(|error| panic!("{rule}: {error}"));
        }
    }

    #[test]
    fn severities_are_not_those_of_the_rules() {
        for rule in RULES {
            let Some(policy) = severity(rule) else {
                continue;
            };
            let engine =
                Engine::from_json(&policy).unwrap_or_else(|error| panic!("{}: {error}", rule.name));
            assert_ne!(engine.severity(rule.code), rule.severity, "{policy}");
        }
    }
}
