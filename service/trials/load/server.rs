//! The servers that are measured: each a process of its own, which ends with its owner.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use bytes::Bytes;

use crate::profile::{self, Profile};
use crate::wrk::Figures;
use crate::{MERCHANT, Result};

/// Variables and not flags: a gateway of an earlier version passes over those that it does not
/// know.
pub(crate) const SETTINGS: [(&str, &str); 9] = [
    // PostgreSQL needs a key of webhook secrets. The database ends with the measurement.
    (
        "GATEWAY_SECRET_KEYS",
        "load:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    ),
    ("GATEWAY_MERCHANT_RATE", "0"),
    ("GATEWAY_MERCHANT_STORAGE", "0"),
    ("GATEWAY_ADDRESS_RATE", "0"),
    ("GATEWAY_LISTEN", "127.0.0.1:0"),
    ("GATEWAY_ADMIN_LISTEN", "127.0.0.1:0"),
    // One line has the address. Lines of requests would measure the reader of the log.
    ("GATEWAY_LOG", "warn,gateway=info"),
    ("GATEWAY_LOG_FORMAT", "json"),
    // perf samples a protected process for root alone.
    ("PAYSPEC_TEST_READABLE_MEMORY", "1"),
];
/// Seconds.
const WARM_UP: u64 = 2;

pub(crate) struct Server {
    url: String,
    process: Child,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts this very program, as the least that a handler can be: of JSON, or with `--rows` and
    /// a database, of a row.
    pub(crate) fn own(arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        let mut process = command.args(arguments).stdout(Stdio::piped()).spawn()?;
        let url = url_in(process.stdout.take())?;
        Ok(Self { url, process })
    }

    /// Starts a gateway, and returns a token for it.
    pub(crate) fn gateway(program: &Path, database: &str) -> Result<(Self, String)> {
        let mut token = Command::new(program);
        let token = token
            .args(["token", "new", "--merchant", MERCHANT, "--quiet"])
            .env("GATEWAY_DATABASE", database)
            .envs(SETTINGS)
            .output()?;
        if !token.status.success() {
            return Err(String::from_utf8_lossy(&token.stderr).into());
        }
        let mut process = Command::new(program)
            .arg("serve")
            .env("GATEWAY_DATABASE", database)
            .envs(SETTINGS)
            .stderr(Stdio::piped())
            .spawn()?;
        let url = url_in(process.stderr.take())?;
        Ok((
            Self { url, process },
            String::from_utf8(token.stdout)?.trim().to_owned(),
        ))
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Runs a load and ignores its figures.
    pub(crate) fn warm_up(&self, run: impl Fn(&str, u64) -> Result<Figures>) -> Result<()> {
        run(&self.url, WARM_UP).map(|_| ())
    }

    /// Runs a load, and returns its figures and the server's CPU time for one request.
    pub(crate) fn measure(
        &self,
        seconds: u64,
        run: impl Fn(&str, u64) -> Result<Figures>,
    ) -> Result<(Figures, f64)> {
        let before = self.cpu()?;
        let figures = run(&self.url, seconds)?;
        let cpu = self.cpu()?.saturating_sub(before);
        let per_request = crate::micros(cpu) / figures.requests;
        Ok((figures, per_request))
    }

    /// Runs a load, and returns where the server's processor time goes.
    pub(crate) fn profile(
        &self,
        seconds: u64,
        run: impl Fn(&str, u64) -> Result<Figures>,
    ) -> Result<Profile> {
        profile::record(self.process.id(), seconds, || run(&self.url, seconds))
    }

    /// Creates a payment with a key, and returns its uid and its body.
    pub(crate) fn payment(&self, token: &str, body: &str) -> Result<(String, String)> {
        let made = Command::new("curl")
            .args([
                "-sS",
                &format!("{}/v1/payments/new", self.url),
                "-H",
                &format!("Authorization: Bearer {token}"),
            ])
            .args([
                "-H",
                "Content-Type: application/json",
                "-H",
                "Idempotency-Key: first",
                "--data-binary",
                body,
            ])
            .output()?;
        let payment: serde_json::Value = serde_json::from_slice(&made.stdout)?;
        Ok((
            payment["uid"].as_str().ok_or("no payment")?.to_owned(),
            String::from_utf8(made.stdout)?,
        ))
    }

    /// Returns the processor time that it has used.
    fn cpu(&self) -> Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        // The name in parentheses may hold anything; after it, user and system time are the 12th
        // and 13th.
        let fields: Vec<_> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let ticks = |place: usize| {
            fields
                .get(place)
                .and_then(|ticks| ticks.parse::<u64>().ok())
                .ok_or("/proc")
        };
        // Linux has 100 of them in a second.
        Ok(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
    }
}

/// `… "address":"127.0.0.1:1234" …` in the first line that has an address.
fn url_in(stream: Option<impl std::io::Read>) -> Result<String> {
    let stream = stream.ok_or("no stream")?;
    for line in BufReader::new(stream).lines() {
        let line: serde_json::Value = serde_json::from_str(&line?)?;
        if let Some(address) = line["address"].as_str() {
            return Ok(format!("http://{address}"));
        }
    }
    Err("the server has ended".into())
}

/// Serves the bare handler.
pub(crate) fn bare() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(announce(
        Router::new().route("/v1/payments/new", post(parse)),
    ))
}

/// Serves a router, whose address is the first line of the output.
pub(crate) async fn announce(router: Router) -> Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", serde_json::json!({"address": listener.local_addr()?}));
    Ok(axum::serve(listener, router).await?)
}

async fn parse(body: Bytes) -> StatusCode {
    match serde_json::from_slice::<serde_json::Value>(&body) {
        Ok(_) => StatusCode::CREATED,
        Err(_) => StatusCode::BAD_REQUEST,
    }
}
