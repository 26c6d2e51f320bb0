//! One HTTP call, and what came back.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use reqwest::{Client, Method, StatusCode};
use serde_json::Value;

use crate::failure::Failure;
use crate::http_client::http_client;

/// The path that creates a payment.
pub(super) const CREATE: &str = "/v1/payments/new";
/// Longer answers are cut. No answer of the interface is as long.
const LONGEST: usize = 4 * 1024 * 1024;

/// The Authorization header of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Credential<'a> {
    /// That of `--token`.
    Given,
    /// None.
    Missing,
    /// This value.
    Other(&'a str),
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Call<'a> {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Vec<u8>>,
    pub(super) key: Option<String>,
    pub(super) credential: Credential<'a>,
}

impl<'a> Call<'a> {
    pub(super) fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::GET,
            path: path.into(),
            body: None,
            key: None,
            credential: Credential::Given,
        }
    }

    pub(super) fn post(path: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        Self {
            method: Method::POST,
            body: Some(body.into()),
            ..Self::get(path)
        }
    }

    pub(super) fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    pub(super) fn credential(mut self, credential: Credential<'a>) -> Self {
        self.credential = credential;
        self
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) bytes: Vec<u8>,
    /// The body; null if it is not JSON.
    pub(super) json: Value,
    pub(super) sent: Instant,
    pub(super) received: Instant,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns a member that is a string.
    pub(super) fn text(&self, member: &str) -> Option<&str> {
        self.json.get(member)?.as_str()
    }

    pub(super) fn is_success(&self) -> bool {
        StatusCode::from_u16(self.status).is_ok_and(|status| status.is_success())
    }
}

/// The implementation that is examined.
pub(super) struct Target {
    client: Client,
    url: String,
    token: String,
    key_header: String,
    /// The statuses of the calls with the token, each once.
    statuses: Mutex<BTreeSet<u16>>,
}

impl Target {
    pub(super) fn new(
        url: &str,
        token: &str,
        key_header: &str,
        timeout: Duration,
    ) -> Result<Self, Failure> {
        let client = http_client(timeout)?;
        let url = url.trim_end_matches('/').to_owned();
        Ok(Self {
            client,
            url,
            token: token.to_owned(),
            key_header: key_header.to_owned(),
            statuses: Mutex::default(),
        })
    }

    /// Returns 401 if no call with the token was accepted, or 404 if no path was found. A wrong token
    /// leads to 404 too, for paths that the interface does not have.
    pub(super) fn refusal(&self) -> Option<u16> {
        let statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        let is_refusal = |status: &u16| [401, 404].contains(status);
        statuses
            .first()
            .copied()
            .filter(|_| statuses.iter().all(is_refusal))
    }

    /// Makes a call. A call without an answer is `None`.
    pub(super) async fn call(&self, call: Call<'_>) -> Option<Answer> {
        let is_given = matches!(call.credential, Credential::Given);
        let mut request = self
            .client
            .request(call.method, format!("{}{}", self.url, call.path));
        request = match call.credential {
            Credential::Given => request.header("authorization", format!("Bearer {}", self.token)),
            Credential::Missing => request,
            Credential::Other(value) => request.header("authorization", value),
        };
        if let Some(key) = call.key {
            request = request.header(&self.key_header, key);
        }
        if let Some(body) = call.body {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        let sent = Instant::now();
        let mut response = request.send().await.ok()?;
        let status = response.status().as_u16();
        if is_given {
            let mut statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
            statuses.insert(status);
        }
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (
                    name.as_str().to_owned(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            })
            .collect();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.ok()? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > LONGEST {
                break;
            }
        }
        let json = serde_json::from_slice(&bytes).unwrap_or_default();
        Some(Answer {
            status,
            headers,
            bytes,
            json,
            sent,
            received: Instant::now(),
        })
    }
}
