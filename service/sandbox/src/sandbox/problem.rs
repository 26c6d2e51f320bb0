//! Problems of the sandbox's own interface (RFC 9457), and the reader of its small bodies.

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};
use serde_json::{Map, Value, json};

use super::scenario;

/// A body of the sandbox's interface is a few words.
const LIMIT: usize = 16 * 1024;
/// Longer names of members are cut in problems.
const LONGEST_NAME: usize = 64;

/// A problem of one member.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    /// The JSON Pointer of the member, or the name of a header or of a parameter.
    path: String,
    detail: String,
    /// The accepted values, if there is a list of them.
    known: Option<Vec<&'static str>>,
}

impl Problem {
    /// Returns the problem of a member of a body. The detail begins with the name of the member.
    pub(crate) fn member(name: &str, expected: &str) -> Self {
        let name: String = name.chars().take(LONGEST_NAME).collect();
        let path = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            path,
            detail: format!("{name}: {expected}"),
            known: None,
        }
    }

    /// Returns the problem of a whole body.
    pub(crate) fn body(status: StatusCode, detail: &str) -> Self {
        Self {
            status,
            path: String::new(),
            detail: detail.to_owned(),
            known: None,
        }
    }

    /// Returns the problem of a header, or of a parameter of the query.
    pub(crate) fn input(status: StatusCode, name: &str, expected: &str) -> Self {
        Self {
            status,
            path: name.to_owned(),
            detail: format!("{name}: {expected}"),
            known: None,
        }
    }

    pub(crate) fn with_known(mut self, known: Vec<&'static str>) -> Self {
        self.known = Some(known);
        self
    }

    /// Returns the problem of a request for a host that is not known (RFC 9110, 15.5.20).
    pub(crate) fn unknown_host() -> Self {
        let expected = "expected a host of this machine, or one of --host or --public-url";
        Self::input(StatusCode::MISDIRECTED_REQUEST, "host", expected)
    }

    pub(crate) fn foreign_page() -> Self {
        Self::body(StatusCode::FORBIDDEN, "a page of another origin")
    }

    pub(crate) fn not_found(detail: &str) -> Self {
        Self::body(StatusCode::NOT_FOUND, detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or("Error");
        let mut body = json!({
            "type": "about:blank", "title": title, "status": self.status.as_u16(), "detail": self.detail,
            "path": self.path,
        });
        if let Some(known) = self.known {
            body["known"] = json!(known);
        }
        answer(self.status, &body)
    }
}

/// Returns an answer of JSON.
pub(crate) fn answer(status: StatusCode, body: &Value) -> Response {
    raw(status, body.to_string())
}

/// Returns an answer whose text is JSON.
pub(crate) fn raw(status: StatusCode, body: impl Into<Body>) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body.into()).into_response()
}

/// The members of a body.
pub(crate) struct Members {
    members: Map<String, Value>,
    known: &'static [&'static str],
}

impl Members {
    /// Reads a JSON object with members of a list.
    pub(crate) async fn read(body: Body, known: &'static [&'static str]) -> Result<Self, Problem> {
        let limited = Limited::new(body, LIMIT).collect().await;
        let Ok(bytes) = limited.map(http_body_util::Collected::to_bytes) else {
            return Err(Problem::body(
                StatusCode::PAYLOAD_TOO_LARGE,
                "expected at most 16 KiB",
            ));
        };
        let object = || Problem::body(StatusCode::BAD_REQUEST, "expected a JSON object");
        let Ok(Value::Object(members)) = serde_json::from_slice(&bytes) else {
            return Err(object());
        };
        if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(Problem::member(
                name,
                &format!("unknown member; expected one of {}", known.join(", ")),
            ));
        }
        Ok(Self { members, known })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// Returns an integer within bounds.
    pub(crate) fn integer(
        &self,
        name: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, Problem> {
        let Some(value) = self.members.get(name) else {
            return Ok(None);
        };
        let integer = value
            .as_u64()
            .filter(|value| (least..=most).contains(value));
        let expected =
            || Problem::member(name, &format!("expected an integer from {least} to {most}"));
        integer.ok_or_else(expected).map(Some)
    }

    pub(crate) fn boolean(&self, name: &str) -> Result<Option<bool>, Problem> {
        let Some(value) = self.members.get(name) else {
            return Ok(None);
        };
        value
            .as_bool()
            .ok_or_else(|| Problem::member(name, "expected true or false"))
            .map(Some)
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, Problem> {
        let Some(value) = self.members.get(name) else {
            return Ok(None);
        };
        value
            .as_str()
            .ok_or_else(|| Problem::member(name, "expected a string"))
            .map(Some)
    }

    /// Returns the problem of a body that has none of the members it needs.
    pub(crate) fn missing(&self, names: &[&str]) -> Problem {
        debug_assert!(
            names.iter().all(|name| self.known.contains(name)),
            "listed members"
        );
        Problem::member(names[0], &format!("required: one of {}", names.join(", ")))
    }
}

/// Returns the problem of a name that no scenario has.
pub(crate) fn unknown_scenario(input: &str) -> Problem {
    let known = scenario::names();
    let expected = format!("expected one of {}", known.join(", "));
    Problem::input(StatusCode::UNPROCESSABLE_ENTITY, input, &expected).with_known(known)
}

/// Returns an answer without a body.
pub(crate) fn no_content() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
