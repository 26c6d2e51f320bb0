//! The sandbox of a static binary: how soon it is ready, its memory, its database, and whether it
//! conforms.

use super::binary::Binary;
use crate::support::process::target;
use anyhow::{Result, anyhow};
use fs_err as fs;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Instant;

/// Limits of a binary that runs without an emulator: milliseconds until it is ready, and KiB of
/// memory.
const MOST_MILLIS: u128 = 300;
const MOST_KIB: u64 = 40 * 1024;
/// Lines that the sandbox prints when it accepts connections.
const LINES: usize = 5;
/// The best of some starts counts: others share the machine.
const STARTS: usize = 5;

/// A running sandbox, ended with its owner.
struct Sandbox {
    child: Child,
    lines: Vec<String>,
    /// Milliseconds until it accepted connections.
    ready: u128,
}

/// Runs the sandbox of a binary in memory and on SQLite. Each must pass `payspec conform`. Returns
/// the figures.
pub(super) fn check(binary: &Binary) -> Result<String> {
    let starts: Result<Vec<u128>> = (0..STARTS)
        .map(|_| Sandbox::start(binary, &[]).map(|sandbox| sandbox.ready))
        .collect();
    let millis = starts?.into_iter().min().unwrap_or_default();
    let sandbox = Sandbox::start(binary, &[])?;
    let at_start = sandbox.peak();
    let conformance = sandbox.conform(binary)?;
    let kib = sandbox.peak();
    drop(sandbox);
    on_sqlite(binary)?;
    if !binary.is_native() {
        return Ok(format!(
            "sandbox in memory and on SQLite under {}: {conformance}",
            binary.emulator()
        ));
    }
    let megabytes = |kib: u64| {
        format!(
            "{}.{} MB",
            kib * 1024 / 1_000_000,
            kib * 1024 / 100_000 % 10
        )
    };
    let figures = format!(
        "sandbox in memory and on SQLite: {conformance}, ready after {millis} ms, {} of memory, {} after conform",
        megabytes(at_start),
        megabytes(kib)
    );
    match (millis > MOST_MILLIS, kib > MOST_KIB) {
        (true, _) => Err(anyhow!("the sandbox is ready too late: {figures}")),
        (_, true) => Err(anyhow!("the sandbox needs too much memory: {figures}")),
        _ => Ok(figures),
    }
}

/// SQLite is C: writes its rows, and reads them at the next start.
fn on_sqlite(binary: &Binary) -> Result<()> {
    let file = target().join(format!("cli/sandbox-{}.db", binary.target));
    let _ = fs::remove_file(&file);
    let address = format!("sqlite:{}", file.display());
    let mut sandbox = Sandbox::start(binary, &["--database", &address])?;
    sandbox.conform(binary)?;
    sandbox.terminate()?;
    let payments = Sandbox::start(binary, &["--database", &address])?.get("/sandbox/payments");
    let _ = fs::remove_file(&file);
    match payments?.contains("\"uid\"") {
        true => Ok(()),
        false => Err(anyhow!(
            "{}: the payments are lost with the first sandbox",
            binary.target
        )),
    }
}

impl Sandbox {
    /// Starts one at a free port, and waits until it has printed its lines.
    fn start(binary: &Binary, arguments: &[&str]) -> Result<Self> {
        let started = Instant::now();
        let mut command = binary.command();
        command
            .args(["sandbox", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let out = child.stdout.take().map(BufReader::new);
        let lines = out
            .into_iter()
            .flat_map(BufRead::lines)
            .map_while(Result::ok)
            .take(LINES)
            .collect();
        let sandbox = Self {
            child,
            lines,
            ready: started.elapsed().as_millis(),
        };
        match sandbox.lines.len() {
            LINES => Ok(sandbox),
            _ => Err(anyhow!("{}: the sandbox does not start", binary.target)),
        }
    }

    /// Returns the value of a line, such as `api`.
    fn value(&self, name: &str) -> &str {
        let mut lines = self.lines.iter().filter_map(|line| line.split_once(": "));
        lines
            .find(|(known, _)| *known == name)
            .map_or("", |(_, value)| value)
    }

    /// Examines it with `payspec conform` of the same binary, and returns the last line of the
    /// report.
    fn conform(&self, binary: &Binary) -> Result<String> {
        let mut command = binary.command();
        command.args([
            "conform",
            "--profile",
            "payspec",
            "--url",
            self.value("api"),
            "--token",
            self.value("token"),
        ]);
        let output = command.stderr(Stdio::inherit()).output()?;
        let report = String::from_utf8_lossy(&output.stdout);
        match output.status.success() {
            true => Ok(report.lines().next_back().unwrap_or_default().to_owned()),
            false => Err(anyhow!(
                "{}: the sandbox does not conform:\n{report}",
                binary.target
            )),
        }
    }

    /// Returns the answer to a request for a path.
    fn get(&self, path: &str) -> std::io::Result<String> {
        let host = self.value("api").trim_start_matches("http://");
        let mut stream = TcpStream::connect(host)?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        )?;
        std::io::read_to_string(stream)
    }

    /// Returns the most memory that it has needed, in KiB.
    fn peak(&self) -> u64 {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok())
            .unwrap_or(u64::MAX)
    }

    /// Stops it like a supervisor.
    fn terminate(&mut self) -> Result<()> {
        let signaled = kill_process(Pid::from_child(&self.child), Signal::TERM);
        signaled?;
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(anyhow!("the sandbox ended with {status}"))
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
