//! `payspec rules`, `decisions`, `states`, `openapi`, `schema`: the tables and documents of the
//! library.

use std::io::Write;

use clap::{Args, ValueEnum};
use payspec::operations::operation;
use payspec::{DECISIONS, Engine, RULES, State};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::catalog::Marks;
use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};
use crate::openapi_3_0;
use crate::output::{Output, pretty_json};
use crate::page::Page;
use crate::settings;

/// How a table is printed.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    policy: PolicyOptions,
}

/// Selects the policy of a document.
#[derive(Args, Debug)]
pub(crate) struct DocumentOptions {
    #[command(flatten)]
    policy: PolicyOptions,
}

/// Selects the policy and the version of the OpenAPI document.
#[derive(Args, Debug)]
pub(crate) struct OpenapiOptions {
    #[command(flatten)]
    policy: PolicyOptions,
    /// The version of OpenAPI; 3.0 is converted from 3.1
    #[arg(long = "as", value_name = "VERSION", default_value = "3.1")]
    version: OpenapiVersion,
}

/// A version of OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OpenapiVersion {
    #[value(name = "3.1")]
    V3_1,
    #[value(name = "3.0")]
    V3_0,
}

pub(crate) fn rules(options: &Options) -> Result<Status, Failure> {
    if options.json {
        return print(&rules_json(&options.policy.engine()?)?);
    }
    table(options, "rules", |engine, page| {
        for rule in RULES {
            let severity = engine.severity(rule.code).name();
            page.columns(
                rule.name,
                26,
                &format!("{severity:<8} {:<5} {}", rule.source, rule.summary),
            );
        }
    })
}

/// The result of the operation `rules`.
#[derive(Deserialize)]
struct Rules<'j> {
    #[serde(borrow)]
    rules: Vec<&'j RawValue>,
}

/// Returns the list of rules as JSON. To the members that the operation `rules` returns, it adds
/// `marks`, the part of the body that a report marks, and `policies`: settings that change the
/// result of the rule.
fn rules_json(engine: &Engine) -> Result<Vec<u8>, Failure> {
    let failed = |error: serde_json::Error| Failure::new(error.to_string());
    let document = document(engine, "rules")?;
    let listed: Rules<'_> = serde_json::from_slice(&document).map_err(failed)?;
    let rows = RULES.iter().zip(listed.rules).map(|(rule, listed)| {
        let members = listed.get().strip_suffix('}').unwrap_or_default();
        let marks = Marks::of(rule.code).name();
        let policies: Vec<String> = settings::of(rule)
            .map(str::to_owned)
            .chain(settings::severity(rule))
            .collect();
        format!(
            "{members},\"marks\":\"{marks}\",\"policies\":[{}]}}",
            policies.join(",")
        )
    });
    Ok(format!("{{\"rules\":[{}]}}", rows.collect::<Vec<_>>().join(",")).into_bytes())
}

pub(crate) fn decisions(options: &Options) -> Result<Status, Failure> {
    table(options, "decisions", |_, page| {
        for decision in DECISIONS {
            page.columns(
                decision.id,
                5,
                &format!("{} {}", decision.open, decision.decision),
            );
        }
    })
}

pub(crate) fn states(options: &Options) -> Result<Status, Failure> {
    table(options, "states", |_, page| {
        for state in State::ALL {
            page.columns(
                state.name(),
                14,
                &format!("{:<12}{}", state.outcome().name(), state.meaning()),
            );
        }
    })
}

fn table(
    options: &Options,
    name: &str,
    show: impl FnOnce(&Engine, &mut Page),
) -> Result<Status, Failure> {
    let engine = options.policy.engine()?;
    if options.json {
        return print(&document(&engine, name)?);
    }
    let mut page = Page::new();
    show(&engine, &mut page);
    write(&page.bytes())
}

pub(crate) fn openapi(options: &OpenapiOptions) -> Result<Status, Failure> {
    let text = document(&options.policy.engine()?, "openapi")?;
    if options.version == OpenapiVersion::V3_1 {
        return print(&text);
    }
    let failed = |error: serde_json::Error| Failure::new(error.to_string());
    let mut document: Value = serde_json::from_slice(&text).map_err(failed)?;
    openapi_3_0::convert(&mut document);
    print(document.to_string().as_bytes())
}

/// The schema of a creation request in the OpenAPI document.
const REQUEST: &str = "PaymentCreateRequest";

/// Prints the schemas of the OpenAPI document that a request needs, with references between them.
pub(crate) fn schema(options: &DocumentOptions) -> Result<Status, Failure> {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": format!("#/$defs/{REQUEST}"),
        "$defs": request_schemas(&options.policy.engine()?)?,
    });
    print(schema.to_string().as_bytes())
}

/// Returns the schemas of a creation request by name.
pub(crate) fn request_schemas(engine: &Engine) -> Result<serde_json::Map<String, Value>, Failure> {
    let document = document(engine, "openapi")?;
    let document: Value =
        serde_json::from_slice(&document).map_err(|error| Failure::new(error.to_string()))?;
    let schemas = &document["components"]["schemas"];
    let mut definitions = serde_json::Map::new();
    let mut names = vec![REQUEST.to_owned()];
    while let Some(name) = names.pop() {
        if !definitions.contains_key(&name) {
            let mut schema = schemas[&name].clone();
            move_references(&mut schema, &mut names);
            definitions.insert(name, schema);
        }
    }
    Ok(definitions)
}

/// Replaces the references between components of the document, and collects their names.
fn move_references(schema: &mut Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            // A member of OpenAPI that JSON Schema does not have.
            members.remove("discriminator");
            members
                .values_mut()
                .for_each(|value| move_references(value, names));
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| move_references(value, names)),
        Value::String(text) => {
            if let Some(name) = text.strip_prefix("#/components/schemas/") {
                names.push(name.to_owned());
                *text = format!("#/$defs/{name}");
            }
        }
        _ => {}
    }
}

fn document(engine: &Engine, name: &str) -> Result<Vec<u8>, Failure> {
    let operation = operation(name)
        .ok_or_else(|| Failure::new(format!("this program has no operation {name}")))?;
    let mut out = Vec::new();
    operation
        .call(engine, &[], Some(&mut out))
        .map_err(|error| Failure::new(error.to_string()))?;
    Ok(out)
}

fn print(json: &[u8]) -> Result<Status, Failure> {
    write(&pretty_json(json))
}

fn write(text: &[u8]) -> Result<Status, Failure> {
    let mut out = Output::new();
    out.write_all(text)?;
    out.flush()?;
    Ok(Status::Accepted)
}
