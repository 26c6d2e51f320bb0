//! The reports of browsers about the checkout page: what its Content-Security-Policy has blocked.
//!
//! A report may contain addresses, and parts of scripts and of the page. Anyone can send one. So a
//! line of the log has the name of the directive alone, which is one of a list.

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::client::Client;
use super::state::Shared;
use super::{answer, body};

/// The types of reports: of the Reporting API, and of `report-uri`.
const TYPES: [&str; 2] = ["application/reports+json", "application/csp-report"];
/// The largest body. Browsers cut samples of scripts to 40 characters.
const LIMIT: usize = 64 * 1024;
/// The most reports of one body that are logged.
const MOST: usize = 20;

/// The directives that a report may name.
const DIRECTIVES: [&str; 13] = [
    "base-uri",
    "connect-src",
    "default-src",
    "font-src",
    "form-action",
    "frame-ancestors",
    "img-src",
    "require-trusted-types-for",
    "script-src",
    "script-src-elem",
    "style-src",
    "style-src-elem",
    "trusted-types",
];
/// The name of all other directives, and of other kinds of reports.
const OTHER: &str = "other";

/// A report of the Reporting API.
#[derive(Deserialize)]
struct Report {
    body: Option<Violation>,
}

#[derive(Deserialize)]
struct Violation {
    #[serde(rename = "effectiveDirective")]
    directive: Option<String>,
}

/// A body for `report-uri`.
#[derive(Deserialize)]
struct LegacyReport {
    #[serde(rename = "csp-report")]
    report: LegacyViolation,
}

#[derive(Deserialize)]
struct LegacyViolation {
    #[serde(rename = "effective-directive")]
    directive: Option<String>,
    /// The former name, which some browsers send beside the other one.
    #[serde(rename = "violated-directive")]
    violated: Option<String>,
}

/// `POST /checkout/api/reports`
pub(super) async fn receive(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let Some(checkout) = &app.checkout else {
        return answer::problem(StatusCode::NOT_FOUND);
    };
    if let Some(refused) = checkout.refuse_report(&headers, client) {
        return refused;
    }
    let body = match body::read_typed(&headers, body, &TYPES, LIMIT, app.body_time()).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let Some(directives) = directives(&body) else {
        return answer::problem(StatusCode::UNPROCESSABLE_ENTITY);
    };
    for directive in directives {
        metrics::counter!("gateway_page_reports_total", "directive" => directive).increment(1);
        tracing::warn!(
            directive,
            "a browser has blocked something on the checkout page"
        );
    }
    StatusCode::NO_CONTENT.into_response()
}

/// Returns the directives of the reports of a body, by the list of known names.
fn directives(body: &[u8]) -> Option<Vec<&'static str>> {
    let named: Vec<Option<String>> = if body.trim_ascii_start().starts_with(b"[") {
        let reports: Vec<Report> = serde_json::from_slice(body).ok()?;
        reports
            .into_iter()
            .take(MOST)
            .map(|report| report.body?.directive)
            .collect()
    } else {
        let legacy: LegacyReport = serde_json::from_slice(body).ok()?;
        vec![legacy.report.directive.or(legacy.report.violated)]
    };
    Some(named.iter().map(|name| known(name.as_deref())).collect())
}

fn known(name: Option<&str>) -> &'static str {
    DIRECTIVES
        .into_iter()
        .find(|known| Some(*known) == name)
        .unwrap_or(OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_directives_are_taken_from_a_report() {
        let many = format!("[{}]", [r#"{"type":"csp-violation"}"#; 50].join(","));
        for (body, expected) in [
            (
                r#"[{"type":"csp-violation","url":"https://pay.example/","body":{"effectiveDirective":"script-src-elem","sample":"4111111111111111"}}]"#,
                Some(vec!["script-src-elem"]),
            ),
            (
                r#"[{"body":{"effectiveDirective":"4111111111111111"}},{"body":null},{}]"#,
                Some(vec![OTHER, OTHER, OTHER]),
            ),
            (
                r#"{"csp-report":{"violated-directive":"img-src","effective-directive":"img-src","blocked-uri":"inline"}}"#,
                Some(vec!["img-src"]),
            ),
            (
                r#"{"csp-report":{"violated-directive":"style-src"}}"#,
                Some(vec!["style-src"]),
            ),
            (&many, Some(vec![OTHER; MOST])),
            ("[]", Some(Vec::new())),
            ("{}", None),
            ("[1]", None),
            ("", None),
            (r#"[{"body":{"effectiveDirective":1}}]"#, None),
        ] {
            assert_eq!(directives(body.as_bytes()), expected, "{body}");
        }
    }
}
