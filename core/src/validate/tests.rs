//! Writes the tables of `wasm/js/tables.js`, from which the JavaScript of `payspec/checkout` makes reports, and compares them.

use alloc::format;
use alloc::string::String;

use crate::card::Scheme;
use crate::json::{JsonType, ValueKind};
use crate::money::Rounding;
use crate::policy::Policy;
use crate::report::code::{RULES, Severity};
use crate::schema::legacy;
use crate::schema::request::{REQUEST, RequestField};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::types::state::State;
use crate::types::uri::UriPart;
use crate::util::tests::{compare, constant, list};

fn tables() -> String {
    let mut out = String::new();
    list(
        &mut out,
        "The rules by their index: code, severity as an index, source, parameters, and message.",
        "RULES",
        RULES.iter().map(|rule| {
            let severity = [Severity::Off, Severity::Warning, Severity::Error];
            let severity = severity.iter().position(|severity| *severity == rule.severity).unwrap();
            format!("{}|{severity}|{}|{}|{}", rule.name, rule.source, rule.params.join(","), rule.summary)
        }),
    );
    let types = RequestField::FIELDS.iter().map(|field| {
        let json_type = if field.json_type == JsonType::String { "" } else { field.json_type.name() };
        format!("{}|{json_type}", field.pointer)
    });
    list(&mut out, "The fields by their slot: pointer, and JSON type unless it is string.", "FIELDS", types);
    let changes = legacy::REQUEST.changes.iter().take_while(|change| change.legacy.is_some());
    list(
        &mut out,
        "The successors of legacy members.",
        "SUCCESSORS",
        changes.map(|change| change.current.unwrap_or_default()),
    );
    list(&mut out, "The types of values.", "KINDS", ValueKind::NAMES.iter());
    list(&mut out, "The variants.", "VARIANTS", PaymentType::NAMES.iter());
    list(&mut out, "The modes.", "MODES", Mode::NAMES.iter());
    list(&mut out, "The payment methods.", "SUBTYPES", Subtype::NAMES.iter());
    list(&mut out, "The parts of a URI.", "URI_PARTS", UriPart::NAMES.iter());
    list(
        &mut out,
        "The card schemes: name, and name and length of the security code.",
        "SCHEMES",
        Scheme::ALL.iter().map(|scheme| {
            let code = scheme.security_code();
            format!("{}|{}|{}", scheme.name(), code.name, code.length)
        }),
    );
    list(&mut out, "The states.", "STATES", State::NAMES.iter());
    list(&mut out, "The roundings.", "ROUNDINGS", Rounding::NAMES.iter());
    let default = Policy::default().to_json().replace(",\"urls\"", ",\"currencies\":null,\"urls\"");
    constant(&mut out, "The default policy.", "DEFAULTS", &default);
    let fixed = RULES.iter().filter(|rule| !rule.adjustable).map(|rule| rule.name);
    list(&mut out, "The rules whose severity cannot be set.", "FIXED", fixed);
    assert_eq!(REQUEST.first, 0);
    out
}

#[test]
fn page_tables_are_those_of_the_core() {
    compare("tables.js", "Tables of the core", &tables());
}
