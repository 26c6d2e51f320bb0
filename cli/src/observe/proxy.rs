//! The recording proxy, and the recording that it writes.

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::{BufWriter, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use payspec_sandbox::proxy::{self, Recorded};
use serde_json::{Map, Value, json};

use super::evidence::{ENGINE, is_secret, redacted, secrets};
use super::exchange::{Body, Endpoint, Exchange, Message};
use super::observer::Observer;
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
    /// Write the redacted exchanges of the proxy to this file, as JSON Lines
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
    Ok(proxy::run(upstream, listen, sink)?)
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
    fn new(path: &Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(|error| Failure::writing(path, &error))?;
        Ok(Recording {
            path: path.to_owned(),
            file: BufWriter::new(file),
            hasher: RandomState::new(),
        })
    }

    /// Appends an exchange of the interface. Other calls are not recorded.
    fn write(&mut self, exchange: &Exchange) -> Result<(), Failure> {
        if Endpoint::find(&exchange.url) == Endpoint::Other {
            return Ok(());
        }
        let secrets = secrets(exchange);
        let body = |body: &Body| match body.bytes() {
            Some(bytes) => Value::from(redacted(bytes, &secrets)),
            None => Value::Null,
        };
        let line = json!({
            "started": exchange.started.map(|started| Now(started).text()),
            "duration_ms": exchange.duration_ms,
            "request": {
                "method": exchange.method, "url": ENGINE.redact_text(&exchange.url),
                "headers": self.headers(&exchange.request.headers),
                "body": body(&exchange.request.body),
            },
            "response": {
                "status": exchange.status, "headers": self.headers(&exchange.response.headers),
                "body": body(&exchange.response.body),
            },
        });
        let written = writeln!(self.file, "{line}").and_then(|()| self.file.flush());
        written.map_err(|error| Failure::writing(&self.path, &error))
    }

    fn headers(&self, headers: &[(String, String)]) -> Map<String, Value> {
        let header = |(name, value): &(String, String)| {
            let value = match name.as_str() {
                "authorization" if value.starts_with("Bearer ") => {
                    format!("Bearer {}", self.name(value))
                }
                name if name.contains("idempotency") => self.key(value),
                name if is_secret(name) || name == "set-cookie" => "***".to_owned(),
                _ => ENGINE.redact_text(value),
            };
            (name.clone(), Value::from(value))
        };
        headers.iter().map(header).collect()
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
