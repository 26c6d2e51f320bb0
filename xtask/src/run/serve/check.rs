//! The step `page`: tests `cargo xtask serve`, then its page in a browser.

use super::folder;
use crate::build::npm;
use crate::support::checks::{Checks, Named};
use crate::support::process::{self, text_of};
use crate::support::style::BOLD;
use anstream::println;
use anyhow::{Context, Result, anyhow, bail};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs the step `page`.
pub(crate) fn check() -> Result<Checks> {
    let mut checks = Checks::default();
    println!("   {BOLD}cargo xtask serve{BOLD:#}");
    checks.check("it prints a working call, and ends on Ctrl-C", works());
    checks.check("a port in use is reported", reports_used_port());
    let suites: [Named<Checks>; 2] = [
        ("the page", page),
        ("the API reference at /docs", reference),
    ];
    for (name, suite) in suites {
        println!("   {BOLD}{name}{BOLD:#}");
        checks.add(name, suite());
    }
    Ok(checks)
}

/// Starts the service, runs the call that it prints, and interrupts it like a terminal.
fn works() -> Result<()> {
    let mut child = Terminated(serve("127.0.0.1:0", Stdio::inherit())?);
    let mut out = BufReader::new(child.0.stdout.take().context("no output")?).lines();
    // One more line follows the call; then the output stays open until the service ends.
    let mut lines = Vec::new();
    for line in out.by_ref().map_while(Result::ok) {
        let last = line.starts_with("curl ");
        lines.push(line);
        if last {
            break;
        }
    }
    let line = |start: &str| {
        lines
            .iter()
            .find_map(|line| line.strip_prefix(start))
            .map(ToOwned::to_owned)
            .with_context(|| format!("no line {start}"))
    };
    let api = line("api: ")?;
    let page = line("page: ")?;
    let token = line("token: ")?;
    let call = line("curl ")?;
    let answer = text_of(Command::new("sh").args(["-c", &format!("curl -sS {call}")]))?;
    if !answer.starts_with("HTTP/1.1 201") || !call.contains(&token) || !call.contains(&api) {
        bail!("unexpected answer to the call: {answer}");
    }
    let shown = text_of(Command::new("curl").args(["-sS", "-i", &page]))?;
    if !shown.starts_with("HTTP/1.1 200")
        || !shown.contains("content-security-policy: default-src 'none'")
    {
        bail!("unexpected page: {shown}");
    }
    kill_process(Pid::from_child(&child.0), Signal::INT)?;
    let status = child.0.wait()?;
    if status.success() {
        Ok(())
    } else {
        Err(anyhow!("Ctrl-C ended it with {status}"))
    }
}

fn reports_used_port() -> Result<()> {
    let holder = TcpListener::bind("127.0.0.1:0")?;
    let address = holder.local_addr()?.to_string();
    let output = serve(&address, Stdio::piped())?.wait_with_output()?;
    let error = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && error.contains(&format!("{address} is used by another program"))
    {
        Ok(())
    } else {
        Err(anyhow!("{}: {error}", output.status))
    }
}

/// The test files mostly wait, each with its own browser and gateway. More than two at once compete
/// for two processors.
const TOGETHER: &[&str] = &["--test-concurrency=2"];

/// Runs the tests of the page with the gateway and the page that `serve` has built, and with
/// `payspec`, which compares them.
fn page() -> Result<Checks> {
    let folder = payspec_support::root().join("examples/checkout");
    let program = process::executable(&process::build(&["--bin", "payspec"], &[])?, "payspec")?;
    let tests = folder.join("tests");
    in_browser(&folder, &tests, TOGETHER, &[("PAYSPEC_CLI", &program)])
}

/// Runs the tests of the gateway's page for its OpenAPI document.
fn reference() -> Result<Checks> {
    let folder = payspec_support::root().join("service/gateway/tests/docs");
    in_browser(&folder, &folder, &[], &[])
}

fn in_browser(
    folder: &Path,
    tests: &Path,
    flags: &[&str],
    more: &[(&str, &Path)],
) -> Result<Checks> {
    let program = super::gateway::build()?;
    let built = super::page::build()?;
    let variables: [(&str, &Path); 2] = [("PAYSPEC_GATEWAY", &program), ("PAYSPEC_PAGE", &built)];
    npm::node_test(
        folder,
        tests,
        |_| true,
        flags,
        &[&variables[..], more].concat(),
    )
}

fn serve(listen: &str, errors: Stdio) -> Result<Child> {
    let program = std::env::current_exe()?;
    let mut command = Command::new(program);
    // A separate database, so that the user's data is kept.
    let database = format!("sqlite:{}", folder().join("check.db").display());
    command.args([
        "serve",
        "--no-install",
        "--listen",
        listen,
        "--database",
        &database,
    ]);
    Ok(command.stdout(Stdio::piped()).stderr(errors).spawn()?)
}

/// Ends with the test. SIGTERM, unlike SIGKILL, lets it end its gateway.
struct Terminated(Child);

impl Drop for Terminated {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            let _ = kill_process(Pid::from_child(&self.0), Signal::TERM);
            let _ = self.0.wait();
        }
    }
}
