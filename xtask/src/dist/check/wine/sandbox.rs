//! The sandbox of Windows: a payment is created, read, and read again after a start with the same
//! database. The sandbox conforms, and Ctrl-C ends it.

use super::Wine;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The lines that it prints when it accepts connections.
const LINES: usize = 5;
/// The longest time between Ctrl-C and the end.
const LONGEST_END: Duration = Duration::from_secs(20);
const BODY: &str =
    r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"7013"}"#;
/// The first message of a client of the Model Context Protocol.
const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"check","version":"1"}}}"#;

/// Runs the sandbox of the program in a folder, and the server for agents.
pub(super) fn run(wine: &Wine, folder: &Path) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    let sandbox = Sandbox::start(wine, folder)?;
    let created = sandbox.payment("/v1/payments/new", &["--data", BODY])?;
    let uid = created["uid"].as_str().context("a payment without a uid")?;
    let status = format!("/v1/payments/{uid}/status");
    let read = sandbox.payment(&status, &[])?;
    ensure!(read["state"] == "idle" && read["uid"] == uid, "{read}");
    counts.add(TestCounts::of_check(true));
    let page = sandbox.request("/checkout/", &[])?;
    ensure!(page.contains("<!doctype html>"), "no page:\n{page}");
    counts.add(TestCounts::of_check(true));
    let [url, token] = ["api", "token"].map(|name| sandbox.value(name));
    let conform = [
        "conform",
        "--profile",
        "payspec",
        "--url",
        url,
        "--token",
        token,
    ];
    text_of(wine.run("bin/payspec.exe", folder).args(conform))?;
    counts.add(TestCounts::of_check(true));
    sandbox.interrupt()?;
    let again = Sandbox::start(wine, folder)?;
    ensure!(
        again.payment(&status, &[])?["uid"] == uid,
        "the payment is lost"
    );
    again.interrupt()?;
    counts.add(TestCounts::of_check(true));
    counts.add(agents(wine, folder)?);
    Ok(counts)
}

/// Greets the server of `payspec mcp` through its pipes.
fn agents(wine: &Wine, folder: &Path) -> Result<TestCounts> {
    let greeting = folder.join("hello.jsonl");
    fs_err::write(&greeting, format!("{HELLO}\n"))?;
    let mut server = wine.run("bin/payspec.exe", folder);
    server.arg("mcp").stdin(std::fs::File::open(&greeting)?);
    let output = server.output()?;
    let answer: Value = serde_json::from_slice(&output.stdout)?;
    ensure!(
        output.status.success() && answer["result"]["serverInfo"].is_object(),
        "payspec mcp: {}, {answer}",
        output.status
    );
    Ok(TestCounts::of_check(true))
}

/// A running sandbox, ended with its owner.
struct Sandbox {
    child: Child,
    lines: Vec<String>,
}

impl Sandbox {
    /// Starts one at a free port with a database in the folder, and waits until it has printed its
    /// lines.
    fn start(wine: &Wine, folder: &Path) -> Result<Sandbox> {
        let mut command = wine.run("bin/payspec.exe", folder);
        command
            .args(["sandbox", "--listen", "127.0.0.1:0"])
            .args(["--database", "sqlite:sandbox.db"])
            .stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let out = child.stdout.take().map(BufReader::new);
        let lines = out.into_iter().flat_map(BufRead::lines);
        let lines: Vec<String> = lines.map_while(Result::ok).take(LINES).collect();
        let sandbox = Sandbox { child, lines };
        ensure!(sandbox.lines.len() == LINES, "the sandbox does not start");
        Ok(sandbox)
    }

    /// Returns the value of a line, such as `api`.
    fn value(&self, name: &str) -> &str {
        let mut lines = self.lines.iter().filter_map(|line| line.split_once(": "));
        lines
            .find(|(known, _)| *known == name)
            .map_or("", |(_, value)| value)
    }

    /// Requests a path with these arguments of curl.
    fn request(&self, path: &str, arguments: &[&str]) -> Result<String> {
        let mut curl = Command::new("curl");
        let token = format!("Authorization: Bearer {}", self.value("token"));
        curl.args(["--silent", "--show-error", "--fail", "--max-time", "20"])
            .args(["--header", &token])
            .args(["--header", "Content-Type: application/json"])
            .args(arguments)
            .arg(format!("{}{path}", self.value("api")));
        text_of(&mut curl)
    }

    /// Returns the payment that is the answer to a request.
    fn payment(&self, path: &str, arguments: &[&str]) -> Result<Value> {
        Ok(serde_json::from_str(&self.request(path, arguments)?)?)
    }

    /// Presses Ctrl-C, and waits for the end.
    fn interrupt(mut self) -> Result<()> {
        kill_process(Pid::from_child(&self.child), Signal::INT)?;
        let started = Instant::now();
        while started.elapsed() < LONGEST_END {
            if let Some(status) = self.child.try_wait()? {
                ensure!(status.success(), "the sandbox ended with {status}");
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        anyhow::bail!("the sandbox does not end after Ctrl-C")
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
