//! Writes the tables of `wasm/js/tables.js`, from which the JavaScript of `payspec/checkout` makes
//! reports, and compares them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::card::Scheme;
use crate::json::{JsonType, ValueKind};
use crate::money::Rounding;
use crate::policy::Policy;
use crate::report::code::{RULES, Severity};
use crate::schema::legacy::{self, ChangeTarget};
use crate::schema::request::{REQUEST, RequestField};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::types::state::State;
use crate::types::uri::UriPart;
use crate::util::tests::{compare, constant, list};

fn tables() -> String {
    let mut out = String::new();
    list(
        &mut out,
        "The rules by their index: code, source after `!` for a warning, message, and parameters unless they are those of the \
         message.",
        "RULES",
        RULES.iter().map(|rule| {
            let warning = if rule.severity == Severity::Warning {
                "!"
            } else {
                ""
            };
            assert_ne!(rule.severity, Severity::Off);
            let named: Vec<&str> = rule
                .summary
                .split('{')
                .skip(1)
                .filter_map(|part| part.split('}').next())
                .collect();
            let params = if named == rule.params {
                String::new()
            } else {
                format!("|{}", rule.params.join(","))
            };
            format!(
                "{}|{warning}{}|{}{params}",
                rule.name, rule.source, rule.summary
            )
        }),
    );
    out.push_str(
        "\n/** The fields by their slot. Each name ends with a character for its type, each object with a space. */\n\
         export const FIELDS = \"",
    );
    let mut parent = "";
    for field in RequestField::FIELDS {
        let object = field.pointer.strip_suffix(field.name).unwrap();
        if !parent.is_empty() && parent != object {
            out.push(' ');
        }
        parent = object;
        out.push_str(field.name);
        out.push(match field.json_type {
            JsonType::String => ' ',
            JsonType::Object => '{',
            JsonType::Boolean => '!',
            JsonType::Integer => '#',
            JsonType::Any | JsonType::Array => '*',
        });
    }
    out.push_str("\";\n");
    let changes = legacy::REQUEST
        .changes
        .iter()
        .take_while(|change| change.legacy.is_some());
    let changes = changes.map(|change| {
        let object = if change.target == ChangeTarget::Card {
            3
        } else {
            0
        };
        let current = change
            .current
            .map_or("null".into(), |name| format!("\"{name}\""));
        format!(
            "\"{object}{}\":{current}",
            change.legacy.unwrap_or_default()
        )
    });
    let changes: Vec<String> = changes.collect();
    let about =
        "The successors of the legacy members, by the index of their object and their name.";
    constant(
        &mut out,
        about,
        "LEGACY",
        &format!("{{{}}}", changes.join(",")),
    );
    list(
        &mut out,
        "The types of values.",
        "KINDS",
        ValueKind::NAMES.iter(),
    );
    list(
        &mut out,
        "The variants.",
        "VARIANTS",
        PaymentType::NAMES.iter(),
    );
    list(&mut out, "The modes.", "MODES", Mode::NAMES.iter());
    list(
        &mut out,
        "The payment methods.",
        "SUBTYPES",
        Subtype::NAMES.iter(),
    );
    list(
        &mut out,
        "The parts of a URI.",
        "URI_PARTS",
        UriPart::NAMES.iter(),
    );
    list(
        &mut out,
        "The card schemes: name, name and length of the security code, and the longest number with short groups.",
        "SCHEMES",
        Scheme::ALL.iter().map(|scheme| {
            let code = scheme.security_code();
            let is_short = |length: &u8| scheme.grouping(usize::from(*length)).len() == 2;
            let short = (0..20)
                .filter(is_short)
                .max()
                .map(|length| format!("|{length}"))
                .unwrap_or_default();
            format!("{}|{}|{}{short}", scheme.name(), code.name, code.length)
        }),
    );
    list(&mut out, "The states.", "STATES", State::NAMES.iter());
    list(
        &mut out,
        "The roundings.",
        "ROUNDINGS",
        Rounding::NAMES.iter(),
    );
    let default = Policy::default()
        .to_json()
        .replace(",\"urls\"", ",\"currencies\":null,\"urls\"");
    constant(&mut out, "The default policy.", "DEFAULTS", &default);
    let fixed = RULES
        .iter()
        .filter(|rule| !rule.adjustable)
        .map(|rule| rule.name);
    list(
        &mut out,
        "The rules whose severity cannot be set.",
        "FIXED",
        fixed,
    );
    assert_eq!(REQUEST.first, 0);
    out
}

#[test]
fn page_tables_are_those_of_the_core() {
    compare("tables.js", "Tables of the core", &tables());
}
