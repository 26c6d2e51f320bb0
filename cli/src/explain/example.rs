//! The examples of rules, which the build selects from the vectors.

use payspec::Engine;
use payspec::operations::operation;
use serde_json::Value;

use crate::failure::Failure;
use crate::json_text;
use crate::page::Page;
use crate::validate;

/// A body that breaks one rule, and the same body corrected.
pub(super) struct Example {
    pub(super) code: &'static str,
    operation: &'static str,
    policy: Option<&'static str>,
    /// The second input of the operation.
    other: Option<&'static str>,
    invalid: &'static str,
    corrected: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// Longer bodies are not shown in whole.
const LONGEST: usize = 2000;

impl Example {
    pub(super) fn show(&self, page: &mut Page) -> Result<(), Failure> {
        page.line("");
        page.title("An invalid body");
        page.block(&printed(self.invalid));
        if let Some(policy) = self.policy {
            page.line("");
            page.paragraph("with the policy");
            page.block(&printed(policy));
        }
        if let Some(other) = self.other {
            page.line("");
            page.paragraph(match self.operation {
                "create_payment" => "with the context",
                "check_payment" => "as the response to the request",
                _ => "at the time",
            });
            page.block(&printed(other));
        }
        let engine = self
            .policy
            .map_or_else(|| Ok(Engine::default()), Engine::from_json);
        let engine = engine.map_err(|error| Failure::new(error.to_string()))?;
        page.line("");
        page.title("Its report");
        if self.operation == "create_payment" {
            page.block(&self.outcome(&engine)?);
        } else {
            page.block(&validate::example(
                &engine,
                self.operation,
                &printed(self.invalid),
                self.other,
            ));
        }
        if let Some(corrected) = self.corrected {
            page.line("");
            page.title("A valid body");
            page.block(&printed(corrected));
        }
        Ok(())
    }

    /// Returns the response to the request, with the violations in its problem.
    fn outcome(&self, engine: &Engine) -> Result<Vec<u8>, Failure> {
        let operation = operation(self.operation)
            .ok_or_else(|| Failure::new("the example has no operation"))?;
        let inputs = [Some(self.invalid.as_bytes()), self.other.map(str::as_bytes)];
        let mut answer = Vec::new();
        operation
            .call(engine, &inputs, Some(&mut answer))
            .map_err(|error| Failure::new(error.to_string()))?;
        let mut out = Vec::new();
        json_text::expand(&answer, &mut out);
        Ok(out)
    }
}

/// Returns JSON over several lines, and other texts unchanged.
fn printed(text: &str) -> Vec<u8> {
    if text.len() > LONGEST {
        let shown: String = text.chars().take(LONGEST / 10).collect();
        return format!("{shown}… ({} bytes)", text.len()).into_bytes();
    }
    let mut out = Vec::new();
    if serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object()) {
        json_text::expand(text.as_bytes(), &mut out);
    } else {
        out.extend_from_slice(text.as_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings;
    use payspec::RULES;

    /// A setting of a rule accepts its example, which may have a policy of its own.
    #[test]
    fn settings_accept_the_examples() {
        for rule in RULES {
            let example = EXAMPLES
                .iter()
                .find(|example| example.code == rule.name)
                .unwrap();
            let mut reports = settings::of(rule).map(|policy| {
                let engine = Engine::from_json(policy).unwrap();
                let report = engine.validate_request(example.invalid.as_bytes(), None);
                report
                    .violations()
                    .iter()
                    .any(|violation| violation.code() == rule.code)
            });
            assert!(
                settings::of(rule).count() == 0 || reports.any(|reported| !reported),
                "{}",
                rule.name
            );
        }
    }

    /// Every rule has an example, and the library still reports exactly this rule for it.
    #[test]
    fn breaks_only_its_rule() {
        for rule in RULES {
            let example = EXAMPLES.iter().find(|example| example.code == rule.name);
            let example = example.unwrap_or_else(|| panic!("{} has no example", rule.name));
            let engine = example
                .policy
                .map_or_else(Engine::default, |policy| Engine::from_json(policy).unwrap());
            let call = |body: &str| {
                let operation = operation(example.operation).unwrap();
                let mut answer = Vec::new();
                operation
                    .call(
                        &engine,
                        &[Some(body.as_bytes()), example.other.map(str::as_bytes)],
                        Some(&mut answer),
                    )
                    .unwrap();
                String::from_utf8(answer).unwrap()
            };
            let answer = call(example.invalid);
            let codes: Vec<&str> = RULES
                .iter()
                .map(|rule| rule.name)
                .filter(|name| answer.contains(&format!("\"code\":\"{name}\"")))
                .collect();
            // No payment breaks the rule on currencies alone.
            let expected = if rule.name == "field_currency" { 3 } else { 1 };
            assert!(
                codes.contains(&rule.name) && codes.len() <= expected,
                "{}: {codes:?}",
                rule.name
            );
            // An empty text looks like a missing value, so it is the example of its own rule only.
            assert_eq!(
                example.invalid.contains(":\"\""),
                rule.name == "text_empty",
                "{}",
                rule.name
            );
            if let Some(corrected) = example.corrected {
                assert!(!call(corrected).contains("\"severity\":"), "{}", rule.name);
            }
        }
    }
}
