//! Compares members of requests, payments, problems, and violations with the OpenAPI document,
//! which is generated from the same tables.

use super::read::{Member, interface, names_of, union};
use super::{names, table};
use payspec::Engine;
use payspec_tests::call;
use payspec_tests::json::Json;
use std::collections::BTreeSet;

fn schema(name: &str) -> Json {
    let document = table("openapi");
    let schemas = document
        .get("components")
        .and_then(|components| components.get("schemas"));
    schemas
        .and_then(|schemas| schemas.get(name))
        .unwrap_or_else(|| panic!("no schema {name}"))
        .clone()
}

fn properties(name: &str) -> Vec<String> {
    let schema = schema(name);
    names(schema.get("properties").expect("properties"))
        .into_iter()
        .map(str::to_owned)
        .collect()
}

fn required(name: &str) -> BTreeSet<String> {
    let schema = schema(name);
    let required = schema
        .get("required")
        .map(Json::elements)
        .unwrap_or_default();
    required
        .iter()
        .filter_map(Json::as_str)
        .map(str::to_owned)
        .collect()
}

/// Returns the members of both variants of a request.
fn request_members() -> BTreeSet<String> {
    properties("PaymentCreatePayInSchema")
        .into_iter()
        .chain(properties("PaymentCreatePayOutSchema"))
        .collect()
}

/// The location of every member of §2.2.
pub(super) fn request_pointers() -> Vec<String> {
    let below = |base: &str, names: Vec<String>| {
        names
            .into_iter()
            .map(|name| format!("{base}/{name}"))
            .collect::<Vec<_>>()
    };
    [
        below("", request_members().into_iter().collect()),
        below("/pay_out_details", properties("PayOutDetails")),
        below("/pay_in_details", properties("PayInDetails")),
        below("/pay_in_details/card", properties("Card")),
    ]
    .concat()
}

#[test]
fn declares_the_members_of_requests() {
    let mut members = request_members();
    // A legacy member (D4): editors should not offer it.
    assert!(members.remove("system"));
    assert_eq!(
        names_of("CreateRequestInput")
            .into_iter()
            .map(str::to_owned)
            .collect::<BTreeSet<_>>(),
        members
    );
    assert_eq!(names_of("CardInput"), properties("Card"));
    assert_eq!(names_of("PayInDetailsInput"), properties("PayInDetails"));
    assert_eq!(names_of("PayOutDetailsInput"), properties("PayOutDetails"));
}

#[test]
fn declares_the_members_of_payments() {
    assert_eq!(names_of("Payment"), properties("Payment"));
    assert_eq!(names_of("PaymentInput"), properties("Payment"));
    let needed = union("RequiredMember")
        .into_iter()
        .chain(union("NullableMember"));
    let mut always = required("Payment");
    // §2.1 requires it, but a payment can be created without one (D28).
    assert!(always.remove("merchant_id"));
    assert_eq!(needed.map(str::to_owned).collect::<BTreeSet<_>>(), always);
    let is_nullable = |member: &&Member| member.kind.ends_with(" | null");
    let members = interface("Payment");
    let nullable: Vec<&str> = members
        .iter()
        .filter(is_nullable)
        .map(|member| member.name)
        .collect();
    assert_eq!(union("NullableMember"), nullable);
    assert!(
        members
            .iter()
            .filter(is_nullable)
            .all(|member| !member.optional),
        "a member that may be null is always present"
    );
}

/// Created payments, with and without optional members.
#[test]
fn declares_optional_members_of_new_payments() {
    let context = br#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30Z","authorization":"checked_by_caller",
        "quote":{"currency":"RUB","rate":"92.45","as_of":"2026-11-20T10:15:30Z"}}"#;
    let body = br#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"100.00"}"#;
    let answer = call::answer(
        &Engine::default(),
        "create_payment",
        &[Some(body), Some(context)],
    );
    let outcome = Json::parse(&answer.text).expect("JSON");
    let least = names(outcome.get("body").expect("a payment"));
    let needed: Vec<&str> = interface("Payment")
        .iter()
        .filter(|member| !member.optional)
        .map(|member| member.name)
        .collect();
    assert_eq!(least, needed);
}

#[test]
fn declares_the_members_of_problems_and_violations() {
    let parts = ["ProblemBase", "ExistingPayment", "BodyFindings"];
    let members = parts.map(names_of).concat();
    assert_eq!(members, properties("Problem"));
    let mut violation = properties("Violation");
    assert_eq!(violation.pop().as_deref(), Some("params"));
    assert_eq!(names_of("ViolationBase"), violation);
}

#[test]
fn declares_amounts_by_their_currency() {
    let payment = br#"{"currency":"USDT","requested_currency":"RUB","requested_amount":"1"}"#;
    let answer = call::answer(&Engine::default(), "field_currencies", &[Some(payment)]);
    let answer = Json::parse(&answer.text).expect("JSON");
    let fields = answer.get("fields").expect("its fields");
    let in_currency = |currency: &str| {
        let of = fields
            .members()
            .iter()
            .filter(|(_, code)| code.as_str() == Some(currency));
        of.map(|(name, _)| name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(union("ProcessedAmount"), in_currency("USDT"));
    assert_eq!(union("RequestedAmount"), in_currency("RUB"));
}

#[test]
fn declares_the_members_of_table_rows() {
    for (operation, interface_name) in [("decisions", "Decision"), ("states", "StateRowOf")] {
        let answer = table(operation);
        assert_eq!(names(&answer), [operation]);
        let rows = answer.get(operation).expect("rows").elements();
        assert!(
            rows.iter()
                .all(|row| names(row) == names_of(interface_name)),
            "{interface_name}"
        );
    }
}
