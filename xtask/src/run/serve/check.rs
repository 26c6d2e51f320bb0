//! The step `page`: tests `cargo xtask serve`, then its page in a browser.

use super::folder::folder;
use crate::build::npm;
use crate::support::style::BOLD;
use crate::support::test_counts::TestCounts;
use anstream::println;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Returns the counts, and the problem if there is one.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let mut sum = TestCounts::default();
    let mut failed = Vec::new();
    println!("   {BOLD}cargo xtask serve{BOLD:#}");
    for (name, test) in [
        (
            "it prints a working call, and ends on Ctrl-C",
            works as fn() -> Result<(), String>,
        ),
        ("a port in use is reported", reports_used_port),
    ] {
        let held = test();
        sum.add(TestCounts::of_check(held.is_ok()));
        failed.extend(held.err().map(|problem| format!("{name}: {problem}")));
    }
    for (name, test) in [
        ("the page", page as fn() -> npm::CheckResult),
        ("the API reference at /docs", reference),
    ] {
        println!("   {BOLD}{name}{BOLD:#}");
        let (counts, problem) = npm::counted(test());
        sum.add(counts);
        failed.extend(problem.map(|problem| format!("{name}: {problem}")));
    }
    (sum, (!failed.is_empty()).then(|| failed.join("; ")))
}

/// Starts the service, runs the call that it prints, and interrupts it like a terminal.
fn works() -> Result<(), String> {
    let mut child = Terminated(serve("127.0.0.1:0", Stdio::inherit())?);
    let mut out = BufReader::new(child.0.stdout.take().ok_or("no output")?).lines();
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
            .ok_or(format!("no line {start}"))
    };
    let api = line("api: ")?;
    let page = line("page: ")?;
    let token = line("token: ")?;
    let call = line("curl ")?;
    let answer = printed(&run("sh", &["-c", &format!("curl -sS {call}")])?)?;
    if !answer.starts_with("HTTP/1.1 201") || !call.contains(&token) || !call.contains(&api) {
        return Err(format!("unexpected answer to the call: {answer}"));
    }
    let shown = printed(&run("curl", &["-sS", "-i", &page])?)?;
    if !shown.starts_with("HTTP/1.1 200")
        || !shown.contains("content-security-policy: default-src 'none'")
    {
        return Err(format!("unexpected page: {shown}"));
    }
    run("kill", &["-INT", &child.0.id().to_string()])?;
    let status = child.0.wait().map_err(|error| error.to_string())?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("Ctrl-C ended it with {status}"))
    }
}

fn reports_used_port() -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let holder = TcpListener::bind("127.0.0.1:0").map_err(text)?;
    let address = holder.local_addr().map_err(text)?.to_string();
    let output = serve(&address, Stdio::piped())?
        .wait_with_output()
        .map_err(text)?;
    let error = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && error.contains(&format!("{address} is used by another program"))
    {
        Ok(())
    } else {
        Err(format!("{}: {error}", output.status))
    }
}

/// The test files mostly wait, each with its own browser and gateway. More than two at once compete
/// for two processors.
const TOGETHER: &[&str] = &["--test-concurrency=2"];

/// Runs the tests of the page with the gateway and the page that `serve` has built.
fn page() -> npm::CheckResult {
    let folder = payspec_support::root().join("examples/checkout");
    in_browser(&folder, &folder.join("tests"), TOGETHER)
}

/// Runs the tests of the gateway's page for its OpenAPI document.
fn reference() -> npm::CheckResult {
    let folder = payspec_support::root().join("service/gateway/tests/docs");
    in_browser(&folder, &folder, &[])
}

fn in_browser(folder: &Path, tests: &Path, flags: &[&str]) -> npm::CheckResult {
    let program = super::gateway::build()?;
    let built = super::page::build()?;
    npm::node_test(
        folder,
        tests,
        |_| true,
        flags,
        &[("PAYSPEC_GATEWAY", &program), ("PAYSPEC_PAGE", &built)],
    )
}

fn serve(listen: &str, errors: Stdio) -> Result<Child, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
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
    command
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()
        .map_err(|error| error.to_string())
}

fn run(program: &str, arguments: &[&str]) -> Result<Output, String> {
    let output = Command::new(program).args(arguments).output();
    output.map_err(|error| format!("{program}: {error}; apt-get install {program}"))
}

fn printed(output: &Output) -> Result<String, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(text(&output.stderr))
    }
}

/// Ends with the test. SIGTERM, unlike SIGKILL, lets it end its gateway.
struct Terminated(Child);

impl Drop for Terminated {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            let _ = run("kill", &["-TERM", &self.0.id().to_string()]);
            let _ = self.0.wait();
        }
    }
}
