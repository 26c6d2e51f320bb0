//! The tools that call the library: validation, explanations, redaction, and conformance.

use payspec::{RULES, Timestamp};
use payspec_sandbox::conform;
use serde_json::{Value, json};

use super::answer::{Answer, Refusal};
use super::arguments::Arguments;
use super::workbench::Workbench;
use crate::catalog::source;
use crate::explain as explanations;
use crate::time::Now;
use crate::validate as reports;

/// The profiles that need no file.
pub(super) const PROFILES: [&str; 2] = ["specification", "payspec"];

type Result<T> = std::result::Result<T, Refusal>;

pub(super) async fn validate(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let body = match (arguments.text("body")?, arguments.object("request")?) {
        (Some(text), None) => text.to_owned(),
        (None, Some(request)) => request.to_string(),
        _ => return Err(Refusal::new("expected one of body, request")),
    };
    let body = body.as_bytes();
    let now: Option<Timestamp> = Now::of_clock().ok().map(|now| now.0);
    let report = tools.engine.validate_request(body, now);
    let mut json = Vec::new();
    report.write_json(&mut json);
    let mut answer: Value = serde_json::from_slice(&json).unwrap_or_default();
    for violation in answer["violations"].as_array_mut().into_iter().flatten() {
        let rule = RULES.iter().find(|rule| violation["code"] == rule.name);
        if let Some(rule) = rule {
            violation["explanation"] = json!(format!("{}.", source(rule.source)));
        }
    }
    let now = now.map(|now| now.to_string());
    let text = reports::example(&tools.engine, "validate_request", body, now.as_deref());
    answer["text"] = json!(plain(&text));
    Ok(Answer::Object(answer))
}

pub(super) async fn explain(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let page = explanations::page(&tools.engine, arguments.required_text("name")?)?;
    Ok(Answer::Text(plain(&page.bytes())))
}

/// Returns a text without colors.
fn plain(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    anstream::adapter::strip_str(&text).to_string()
}

pub(super) async fn redact(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let text = arguments.required_text("text")?;
    Ok(Answer::Text(match tools.engine.redact(text.as_bytes()) {
        Ok(redacted) => redacted,
        Err(_) => tools.engine.redact_text(text),
    }))
}

pub(super) async fn conform(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let profile = arguments
        .one_of("profile", &PROFILES)?
        .unwrap_or(PROFILES[0]);
    let (url, token) = match (arguments.text("url")?, arguments.text("token")?) {
        (Some(url), Some(token)) => (url.to_owned(), token.to_owned()),
        (Some(_), None) => return Err(Refusal::new("token: the argument is required with url")),
        (None, Some(_)) => return Err(Refusal::new("url: the argument is required with token")),
        // The merchant of the tools keeps its payments and faults to itself.
        (None, None) => (
            tools.sandbox.url().to_owned(),
            format!("{}-conform", tools.sandbox.token()),
        ),
    };
    let engine = tools.engine.clone();
    // The examination has a runtime of its own.
    let examined =
        tokio::task::spawn_blocking(move || conform::report_json(&url, &token, profile, engine));
    let failed = |_| Refusal::new("the examination ended early");
    let report = examined.await.map_err(failed)?;
    let report = report.map_err(crate::failure::Failure::from)?;
    let mut report: Value = serde_json::from_str(&report).unwrap_or_default();
    // The requirements that are met would be most of the answer.
    let checks = report["checks"].take();
    let checks = checks.as_array().into_iter().flatten();
    let failed = checks.filter(|check| check["result"] == "failed");
    report["checks"] = failed.cloned().collect();
    Ok(Answer::Object(report))
}
