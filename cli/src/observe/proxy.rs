//! The recording proxy, and the recording that it writes.

use std::collections::hash_map::RandomState;
use std::fs::{File, OpenOptions};
use std::hash::BuildHasher;
use std::io::{BufWriter, ErrorKind, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use payspec_sandbox::proxy::{self, NotReported, Recorded};
use serde_json::{Value, json};

use super::ENDPOINTS;
use super::engine::ENGINE;
use super::exchange::{Body, Endpoint, Exchange, Message};
use super::findings::Findings;
use super::observer::{Observer, is_limit};
use super::read::plural;
use super::secrets::{HIDDEN, Secrets, is_secret};
use crate::failure::Failure;
use crate::time::Now;

// Selects the proxy. It is flattened, so it has no documentation.
#[derive(Args, Debug)]
#[group(skip)]
pub(super) struct Options {
    /// Observe the calls to the service at this address by a proxy, until it is interrupted
    #[arg(
        long,
        value_name = "URL",
        requires = "listen",
        conflicts_with = "files"
    )]
    upstream: Option<String>,
    /// The address at which the proxy listens
    #[arg(long, value_name = "ADDRESS", requires = "upstream")]
    listen: Option<SocketAddr>,
    /// Write the redacted exchanges of the proxy to this new file, as JSON Lines
    #[arg(long, value_name = "FILE", requires = "upstream")]
    record: Option<PathBuf>,
}

impl Options {
    pub(super) fn is_given(&self) -> bool {
        self.upstream.is_some()
    }
}

/// Observes the calls through the proxy until it is interrupted.
pub(super) fn run(options: &Options, observer: &mut Observer) -> Result<(), Failure> {
    let (Some(upstream), Some(listen)) = (&options.upstream, options.listen) else {
        return Ok(());
    };
    let mut recording = match &options.record {
        Some(path) => Some(Recording::new(path)?),
        None => None,
    };
    let mut number = 0_u64;
    let sink = |recorded: Recorded| {
        number += 1;
        let exchange = exchange(recorded);
        observer.observe(&format!("call {number}"), &exchange);
        match &mut recording {
            Some(recording) => recording
                .write(&exchange)
                .map_err(|error| error.to_string()),
            None => Ok(()),
        }
    };
    let NotReported {
        not_recorded,
        failed,
    } = proxy::run(upstream, listen, sink)?;
    let findings = &mut observer.findings;
    findings.all += not_recorded + failed;
    findings.not_recorded = not_recorded;
    findings.failed = failed;
    if findings.exchanges == 0 {
        if let Some(recording) = &recording {
            recording.remove();
        }
        return Err(nothing_observed(&observer.findings));
    }
    Ok(())
}

/// Returns the failure if no call was observed.
fn nothing_observed(findings: &Findings) -> Failure {
    let calls = plural(findings.all, "call");
    let reasons = [
        (findings.failed, "had no complete answer of --upstream"),
        (findings.not_recorded, "had an answer over 8 MiB"),
    ];
    let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
    let reasons: String = reasons
        .map(|(count, reason)| format!(", {count} {reason}"))
        .collect();
    Failure::new(format!(
        "none of {calls} through the proxy was observed{reasons}: {ENDPOINTS}"
    ))
}

fn exchange(recorded: Recorded) -> Exchange {
    let message = |(headers, body): (Vec<(String, String)>, Vec<u8>)| Message {
        headers,
        body: match body.is_empty() {
            true => Body::Absent,
            false => Body::Bytes(body),
        },
    };
    Exchange {
        method: recorded.method,
        url: recorded.target,
        request: message(recorded.request),
        status: recorded.status,
        response: message(recorded.response),
        started: Now::of_time(recorded.started).ok().map(|now| now.0),
        duration_ms: u64::try_from(recorded.duration.as_millis()).unwrap_or(u64::MAX),
    }
}

/// A file of redacted exchanges.
struct Recording {
    path: PathBuf,
    file: BufWriter<File>,
    /// Keys are replaced by names that follow from a random number, so that repetitions are still
    /// known.
    hasher: RandomState,
}

impl Recording {
    /// Creates the file, which only its owner may read. One that exists may be readable for others,
    /// and is not overwritten.
    fn new(path: &Path) -> Result<Self, Failure> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let failed = |error: std::io::Error| match error.kind() {
            ErrorKind::AlreadyExists => Failure::new(format!(
                "--record: {} exists: expected the name of a new file",
                path.display()
            )),
            _ => Failure::writing(path, &error),
        };
        let file = options.open(path).map_err(failed)?;
        Ok(Recording {
            path: path.to_owned(),
            file: BufWriter::new(file),
            hasher: RandomState::new(),
        })
    }

    /// Removes the file, which is empty without an exchange of the interface. The next proxy may then
    /// have the same option.
    fn remove(&self) {
        // A file that stays is reported by the next proxy.
        let _ = std::fs::remove_file(&self.path);
    }

    /// Appends an exchange of the interface. Other calls are not recorded.
    fn write(&mut self, exchange: &Exchange) -> Result<(), Failure> {
        if Endpoint::find(&exchange.url) == Endpoint::Other {
            return Ok(());
        }
        let line = self.line(exchange);
        let written = writeln!(self.file, "{line}").and_then(|()| self.file.flush());
        written.map_err(|error| Failure::writing(&self.path, &error))
    }

    fn line(&self, exchange: &Exchange) -> Value {
        let secrets = Secrets::new(exchange);
        let body = |body: &Body| body.bytes().map(|bytes| secrets.body(bytes));
        let headers = |message: &Message, is_kept: fn(&str) -> bool| {
            let header = |(name, value): &(String, String)| {
                let value = match is_kept(name) {
                    true => secrets.text(value),
                    false => self.header(name, value),
                };
                json!({"name": name, "value": value})
            };
            message.headers.iter().map(header).collect::<Value>()
        };
        json!({
            "started": exchange.started.map(|started| Now(started).text()),
            "duration_ms": exchange.duration_ms,
            "request": {
                "method": exchange.method, "url": secrets.text(endpoint(&exchange.url)),
                "headers": headers(&exchange.request, |name| name == "content-type"),
                "body": body(&exchange.request.body),
            },
            "response": {
                "status": exchange.status,
                "headers": headers(&exchange.response, is_read),
                "body": body(&exchange.response.body),
            },
        })
    }

    /// Returns the form of a header whose value is not kept.
    fn header(&self, name: &str, value: &str) -> String {
        match name {
            "authorization" if value.starts_with("Bearer ") => {
                format!("Bearer {}", self.name(value))
            }
            "authorization" => self.name(value),
            name if name.contains("idempotency") => self.key(value),
            _ => HIDDEN.to_owned(),
        }
    }

    /// Returns the name of a key. One that is not valid stays one that is not valid.
    fn key(&self, value: &str) -> String {
        match ENGINE.idempotency_key(value.as_bytes()) {
            Ok(key) => self.name(key.as_str()),
            Err(_) => "not a key".to_owned(),
        }
    }

    fn name(&self, secret: &str) -> String {
        format!("recorded-{:016x}", self.hasher.hash_one(secret))
    }
}

/// Returns whether a decision or the report reads a header of a response.
fn is_read(name: &str) -> bool {
    ["content-type", "www-authenticate"].contains(&name) || is_limit(name) && !is_secret(name)
}

/// Returns the path of an endpoint without the query and the base address, which may contain
/// credentials.
fn endpoint(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.rfind("/v1/").map_or(path, |start| &path[start..])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn message(headers: &[(&str, &str)], body: &str) -> Message {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Message {
            headers: headers.iter().map(owned).collect(),
            body: Body::Bytes(body.as_bytes().to_vec()),
        }
    }

    #[test]
    fn records_no_credential() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut recording = Recording::new(&path).unwrap();
        let exchange = Exchange {
            method: "POST".to_owned(),
            url: "/base-canary/v1/payments/new?access_token=query-canary".to_owned(),
            request: message(
                &[
                    ("authorization", "Basic basic-canary"),
                    ("content-type", "application/json"),
                    ("x-auth-key", "auth-canary"),
                    ("x-session", "session-canary"),
                    ("x-unknown", "unknown-canary"),
                ],
                r#"{"description":"query-canary"}"#,
            ),
            status: 429,
            response: message(
                &[
                    ("content-type", "application/problem+json"),
                    ("retry-after", "7"),
                    ("ratelimit-limit", "59"),
                    ("ratelimit-limit", "60"),
                    ("www-authenticate", "Bearer realm=\"auth-canary\""),
                    ("location", "/session-canary"),
                    ("x-echo", "response-canary"),
                ],
                r#"{"x":"auth-canary session-canary basic-canary"}"#,
            ),
            ..Exchange::default()
        };
        recording.write(&exchange).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("canary"), "{text}");
        let line: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(line["request"]["url"], "/v1/payments/new");
        let values = |part: &str| -> Vec<String> {
            let headers = line[part]["headers"].as_array().unwrap();
            let values = headers.iter().map(|header| header["value"].as_str());
            values.map(|value| value.unwrap().to_owned()).collect()
        };
        assert_eq!(
            values("request")[1..],
            ["application/json", "***", "***", "***"]
        );
        assert!(values("request")[0].starts_with("recorded-"), "{text}");
        assert_eq!(
            values("response"),
            [
                "application/problem+json",
                "7",
                "59",
                "60",
                "Bearer realm=\"***\"",
                "***",
                "***"
            ]
        );
    }

    #[test]
    fn a_recording_is_a_new_file_of_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        drop(Recording::new(&path).unwrap());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        let error = Recording::new(&path).err().unwrap().to_string();
        assert!(error.starts_with("--record: "), "{error}");
    }
}
