//! The table of tools: name, description, schema of the arguments, and what runs.

use std::pin::Pin;

use payspec_sandbox::sandbox::Local;
use rmcp::model::{Tool as ListedTool, ToolAnnotations};
use serde_json::{Value, json};

use super::answer::{Answer, Refusal};
use super::arguments::Arguments;
use super::workbench::Workbench;
use super::{library, merchant};

type Running<'t> = Pin<Box<dyn Future<Output = Result<Answer, Refusal>> + Send + 't>>;

/// The effect of a tool.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Changes nothing.
    Reads,
    /// A repeated call has the same effect as one.
    Idempotent,
    Changes,
    /// Creates payments at another server.
    Elsewhere,
}

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    description: &'static str,
    effect: Effect,
    pub(super) schema: fn() -> Value,
    pub(super) run: for<'t> fn(&'t Workbench, Arguments) -> Running<'t>,
}

macro_rules! tools {
    ($($name:literal $effect:ident $run:path, $schema:expr, $description:expr;)*) => {
        pub(super) static TOOLS: &[Tool] = &[$(Tool {
            name: $name,
            description: $description,
            effect: Effect::$effect,
            schema: || $schema,
            run: |tools, arguments| Box::pin($run(tools, arguments)),
        }),*];
    };
}

tools! {
    "create_payment" Idempotent merchant::create,
        object(json!({
            "order": {"type": "string", "description": "The identifier of the order in the merchant's system, 1 to 255 \
                visible ASCII characters without spaces. It is sent as the idempotency key: a key belongs to an order and \
                not to a call, so every repetition for the order has the same value."},
            "request": {"type": "object", "description": "The creation request. Members: payment_type (pay_in or pay_out), \
                mode (P2P, ACQUIRING, CRYPTO), subtype (such as sbp or bank_card), cur (such as RUB), amount (a decimal \
                string such as \"100.00\"), callback (the URL for events), and others; validate reports what is wrong."},
            "scenario": {"type": "string", "enum": scenario_names(), "description": scenarios()},
        }), &["order", "request"]),
        "Creates a payment in the sandbox for an order. If the answer is lost, or its status is 500 or more, the payment \
        may exist: call again with the same order and the same request, and the payment of the order is returned with its \
        current state. A new value for the same order would pay twice.";
    "payment_status" Reads merchant::status, object(json!({"uid": uid()}), &["uid"]),
        "Returns a payment of the sandbox with its current state.";
    "answer_challenge" Changes merchant::answer_challenge,
        object(json!({
            "uid": uid(),
            "result": {"type": "string", "enum": merchant::CHALLENGE_RESULTS, "description": "passed: the payment is \
                completed. failed: it fails with authentication_failed."},
        }), &["uid", "result"]),
        "Answers as the payer at the page of the bank, for 3-D Secure: of a payment of the scenario challenge while it is \
        routed. Without an answer, the payment is canceled in time. Returns the new state.";
    "advance_clock" Changes merchant::advance,
        object(json!({"seconds": {"type": "integer", "minimum": 0, "maximum": Local::LONGEST_ADVANCE,
            "description": "The seconds; 86400 is a day."}}), &["seconds"]),
        "Stops the clock of the sandbox and moves it forward. All that is due until then happens in order, before the \
        tool returns: changes of state, and deliveries of callbacks. Returns the new time.";
    "add_fault" Changes merchant::add_fault,
        object(json!({
            "status": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The status instead of the answer."},
            "delay_ms": {"type": "integer", "minimum": 0, "maximum": 600_000, "description": "Milliseconds before the answer."},
            "drop": {"type": "boolean", "description": "Closes the connection without an answer."},
            "when": {"type": "string", "enum": ["before", "after"], "description": "before: the call is not executed. after: \
                it is executed, and only its answer is lost or replaced. The default is before."},
            "endpoint": {"type": "string", "enum": ["create", "status", "balance"], "description": "The default is all."},
            "count": {"type": "integer", "minimum": 1, "maximum": 1_000_000, "description": "How many calls; the default is 1."},
        }), &[]),
        "Makes the next calls to the sandbox fail, those of the tools and those of programs under test. One of status, \
        delay_ms, drop is required. Returns all faults.";
    "clear_faults" Idempotent merchant::clear_faults, object(json!({}), &[]), "Removes all faults of the sandbox.";
    "deliveries" Reads merchant::deliveries, object(json!({"payment": uid()}), &[]),
        "Lists the attempts to deliver callbacks, the oldest first, with their results; of one payment if it is given.";
    "sandbox" Reads merchant::overview, object(json!({}), &[]),
        "Returns the address of the sandbox, the token and the webhook secret of its merchant, the time, the faults, and \
        the last payments. Use address and token to run a program against the sandbox.";
    "validate" Reads library::validate,
        object(json!({
            "body": {"type": "string", "description": "The creation request as JSON text, which may contain any mistake."},
            "request": {"type": "object", "description": "The creation request, instead of its text."},
        }), &[]),
        "Validates a creation request without sending it. Returns whether it is valid, each violation with its path, code, \
        message, and the source of the rule in words, and a text that shows the places.";
    "explain" Reads library::explain,
        object(json!({"name": {"type": "string", "description": "A code of a violation or a problem, a decision such as D7, \
            a state, a section such as §2.2, or a status such as 422."}}), &["name"]),
        "Explains a code, a decision, or a state: its meaning, its source, the policies that change it, an invalid and a \
        valid body.";
    "redact" Reads library::redact,
        object(json!({"text": {"type": "string", "description": "A JSON body, or any text such as lines of a log."}}), &["text"]),
        "Masks card numbers and security codes, so that the text is safe to log or to show.";
    "conform" Elsewhere library::conform,
        object(json!({
            "url": {"type": "string", "description": "The base address of the implementation, before /v1. The default is the \
                sandbox."},
            "token": {"type": "string", "description": "An access token of a merchant; required with url."},
            "profile": {"type": "string", "enum": library::PROFILES, "description": "specification: the requirements of the \
                specification, which is the default. payspec: the decisions on what it leaves open too."},
        }), &[]),
        "Examines an implementation of the interface over HTTP. It creates a dozen payments or more, so use a test \
        environment. Returns the requirements that are not met, with their sections.";
}

/// Returns the tool of a name.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Returns a tool as the protocol lists it.
pub(super) fn listed(tool: &Tool) -> ListedTool {
    let Value::Object(schema) = (tool.schema)() else {
        return ListedTool::default();
    };
    let effect = tool.effect;
    let annotations = ToolAnnotations::from_raw(
        None,
        Some(effect == Effect::Reads),
        Some(false),
        Some(matches!(effect, Effect::Reads | Effect::Idempotent)),
        Some(effect == Effect::Elsewhere),
    );
    ListedTool::new(tool.name, tool.description, schema).with_annotations(annotations)
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

fn uid() -> Value {
    json!({"type": "string", "description": "The uid of the payment."})
}

pub(super) fn scenario_names() -> Vec<&'static str> {
    Local::scenarios()
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

fn scenarios() -> String {
    let rows = Local::scenarios().into_iter();
    let rows: Vec<_> = rows
        .map(|(name, about)| format!("{name}: {about}"))
        .collect();
    format!("The states that follow the creation. {}.", rows.join(". "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_describe_each_argument() {
        for tool in TOOLS {
            let schema = (tool.schema)();
            let properties = schema["properties"].as_object().unwrap();
            for (name, property) in properties {
                let is_described = property["description"]
                    .as_str()
                    .is_some_and(|text| text.ends_with('.'));
                assert!(
                    is_described && property["type"].is_string(),
                    "{}: {name}",
                    tool.name
                );
            }
            let required = schema["required"].as_array().unwrap();
            let is_known = |name: &Value| properties.contains_key(name.as_str().unwrap());
            assert!(required.iter().all(is_known), "{}", tool.name);
            assert!(tool.description.ends_with('.'), "{}", tool.name);
        }
        assert_eq!(
            (find("create_payment").unwrap().schema)()["required"],
            json!(["order", "request"])
        );
    }
}
