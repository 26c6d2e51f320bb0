//! The conversion of an outcome to a response of the crate `http`.

use alloc::vec::Vec;

use http::header::{CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Response, StatusCode};

use super::outcome::Outcome;
use crate::util::bug::or_bug;

/// The type of all bodies, also of problems: "All bodies are JSON (Content-Type:
/// application/json)" (§1).
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

impl From<Outcome> for Response<Vec<u8>> {
    /// Converts an outcome to the response to send.
    ///
    /// The headers are `Content-Type: application/json`, `Cache-Control: no-store`,
    /// `WWW-Authenticate` with a 401, and `Idempotent-Replayed: true` if the body is the stored
    /// payment of a repeated request.
    ///
    /// ```
    /// use payspec::{Outcome, Unauthorized};
    ///
    /// let response = http::Response::from(Outcome::from(Unauthorized::Missing));
    /// assert_eq!(response.status(), 401);
    /// assert_eq!(response.headers()["content-type"], "application/json");
    /// assert_eq!(response.headers()["www-authenticate"], "Bearer");
    /// ```
    fn from(outcome: Outcome) -> Self {
        let mut body = Vec::new();
        outcome.write_body(&mut body);
        let mut response = Response::new(body);
        let status = StatusCode::from_u16(outcome.status()).ok();
        *response.status_mut() = or_bug(status, StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(CACHE_CONTROL, NO_STORE);
        if let Some(challenge) = outcome.www_authenticate() {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if outcome.replayed() == Some(true) {
            headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::OutcomeBody;
    use crate::types::fingerprint::Fingerprint;

    #[test]
    fn marks_replays() {
        let stored = r#"{"uid":"7"}"#;
        for (outcome, marked) in [
            (
                Outcome::repeated(stored.into(), Fingerprint::new([b'0'; 64])),
                Some(HeaderValue::from_static("true")),
            ),
            (
                Outcome::success(201, OutcomeBody::Json(stored.into())),
                None,
            ),
        ] {
            let response = Response::from(outcome);
            assert_eq!(response.status(), StatusCode::CREATED);
            assert_eq!(response.body(), stored.as_bytes());
            assert_eq!(response.headers().get(IDEMPOTENT_REPLAYED), marked.as_ref());
        }
    }
}
