//! `payspec policy check`: errors of a policy, settings without an effect, and modes of which it
//! accepts no body.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use payspec::{
    ComparePoliciesContext, Engine, Mode, PaymentType, Policy, PolicyChange, RULES, Severity,
};
use serde_json::Value;

use super::read::read;
use crate::failure::{Failure, Status};
use crate::output::Output;
use crate::page::Page;

/// Check a policy: errors, settings without an effect, and modes of which it accepts no body
///
/// An error ends the check. The exit status is 0 if there is nothing to report, otherwise 1.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  payspec policy check policy.json")]
pub(crate) struct Options {
    /// The policy; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// A setting, or a kind of bodies, with what is wrong.
struct Finding {
    /// The JSON Pointer of the setting; `None` for several settings together.
    path: Option<String>,
    message: String,
}

pub(super) fn run(options: &Options) -> Result<Status, Failure> {
    let (policy, text) = read(&options.file)?;
    let json: Value = serde_json::from_slice(&text)
        .map_err(|error| Failure::new(format!("{}: {error}", options.file.display())))?;
    let mut findings = modes_without_bodies(&policy, &json)?;
    for path in paths(&json) {
        findings.extend(without_effect(&policy, &json, &path)?);
    }
    let mut page = Page::new();
    for finding in &findings {
        page.title(
            finding
                .path
                .as_deref()
                .unwrap_or("several settings together"),
        );
        page.block(finding.message.as_bytes());
    }
    let mut out = Output::new();
    out.write_all(&page.bytes())?;
    out.flush()?;
    Ok(if findings.is_empty() {
        Status::Accepted
    } else {
        Status::Rejected
    })
}

fn engine(policy: Policy) -> Result<Engine, Failure> {
    Engine::new(policy).map_err(|error| Failure::new(error.to_string()))
}

/// Returns the findings about each variant and mode of which the policy accepts no body: one for
/// each setting that is the reason, or one for all if only several settings together are.
fn modes_without_bodies(policy: &Policy, json: &Value) -> Result<Vec<Finding>, Failure> {
    let checked = engine(policy.clone())?;
    let mut others = Vec::new();
    for path in paths(json) {
        let without = engine(policy_without(json, &path)?)?;
        others.push((path, without));
    }
    let mut kinds: BTreeMap<Option<&str>, Vec<String>> = BTreeMap::new();
    for payment_type in PaymentType::ALL {
        for mode in Mode::ALL {
            if checked.example_request(*payment_type, *mode).is_some() {
                continue;
            }
            let accepts = |engine: &Engine| engine.example_request(*payment_type, *mode).is_some();
            let reasons = others.iter().filter(|(_, without)| accepts(without));
            let mut reasons: Vec<_> = reasons.map(|(path, _)| Some(path.as_str())).collect();
            if reasons.is_empty() {
                reasons.push(None);
            }
            for reason in reasons {
                let kind = format!("{payment_type} {mode}");
                kinds.entry(reason).or_default().push(kind);
            }
        }
    }
    let finding = |(reason, kinds): (Option<&str>, Vec<String>)| {
        let kinds = kinds.join(", ");
        let Some(path) = reason else {
            return Finding {
                path: None,
                message: format!("no body is accepted of {kinds}"),
            };
        };
        let message = match required_member(json, path) {
            Some(member) => format!("no body can have the member {member} in {kinds}"),
            None => format!("because of this setting, no body is accepted of {kinds}"),
        };
        Finding {
            path: Some(path.to_owned()),
            message,
        }
    };
    Ok(kinds.into_iter().map(finding).collect())
}

/// Returns the required member at a path.
fn required_member<'j>(json: &'j Value, path: &str) -> Option<&'j str> {
    let is_required = path.starts_with("/required/");
    is_required.then(|| json.pointer(path)?.as_str()).flatten()
}

/// Returns the JSON Pointers of the settings in a policy: of its members that are not objects, and
/// of the required members.
fn paths(json: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    let mut objects = vec![(String::new(), json)];
    while let Some((base, object)) = objects.pop() {
        for (name, value) in object.as_object().into_iter().flatten() {
            let path = format!("{base}/{name}");
            match value {
                Value::Object(_) => objects.push((path, value)),
                Value::Array(items) if path == "/required" => {
                    paths.extend((0..items.len()).map(|index| format!("{path}/{index}")));
                }
                _ => paths.push(path),
            }
        }
    }
    paths.sort();
    paths
}

/// Returns a finding if the policy is the same without a setting, or if other settings mask it.
fn without_effect(policy: &Policy, json: &Value, path: &str) -> Result<Option<Finding>, Failure> {
    let finding = |message: String| Finding {
        path: Some(path.to_owned()),
        message,
    };
    let without = policy_without(json, path)?;
    let context = ComparePoliciesContext::new(without, policy.clone())
        .map_err(|error| Failure::new(error.to_string()))?;
    let comparison = Engine::default().compare_policies(&context);
    let Some(difference) = comparison.differences.first() else {
        let message = match path.strip_prefix("/required/") {
            Some(_) => "the member is in the list twice",
            None => "this is the default value",
        };
        return Ok(Some(finding(message.to_owned())));
    };
    let Some(rule) = difference.rule else {
        return Ok(None);
    };
    if difference.change != PolicyChange::Other || path.starts_with("/severity/") {
        return Ok(None);
    }
    let name = RULES
        .iter()
        .find(|known| known.code == rule)
        .map_or("", |known| known.name);
    Ok(match engine(policy.clone())?.severity(rule) {
        Severity::Off => Some(finding(format!("without effect: the rule {name} is off"))),
        // The setting decides which warnings are reported.
        Severity::Warning => None,
        _ => Some(finding(String::from(
            "without effect: other settings, or the rules that are always on, decide about the same requests",
        ))),
    })
}

/// Returns the policy without the setting at a path.
fn policy_without(json: &Value, path: &str) -> Result<Policy, Failure> {
    let mut json = json.clone();
    let (base, name) = path.rsplit_once('/').unwrap_or(("", path));
    match json.pointer_mut(base) {
        Some(Value::Object(members)) => {
            members.remove(name);
        }
        Some(Value::Array(items)) => {
            if let Ok(index) = name.parse::<usize>()
                && index < items.len()
            {
                items.remove(index);
            }
        }
        _ => {}
    }
    Policy::from_json(&json.to_string()).map_err(|error| Failure::new(error.to_string()))
}
