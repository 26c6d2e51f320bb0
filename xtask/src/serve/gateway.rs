//! The gateway as a process: built, given a token, started, told to stop.

use super::MERCHANT;
use crate::look::{FAINT, WARN};
use crate::tools::{cargo, target};
use anstream::{eprintln, println};
use payspec_tests::json::Json;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::fs::File;
use std::io::{BufRead, BufReader, Lines, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::{self, JoinHandle};

/// Of Cargo.toml.
const PROFILE: &str = "serve";
/// Set for the gateway in the environment, since it may hold a password.
const DATABASE: &str = "GATEWAY_DATABASE";

/// Builds the program, and says where it is.
pub(super) fn build() -> Result<PathBuf, String> {
    let target = target();
    println!("{FAINT}$ cargo build --package payspec-gateway --profile {PROFILE}{FAINT:#}");
    let mut cargo = cargo();
    cargo.env("CARGO_TARGET_DIR", &target);
    cargo.args(["build", "--locked", "--package", "payspec-gateway", "--bin", "gateway", "--profile", PROFILE]);
    match cargo.status() {
        Ok(status) if status.success() => Ok(target.join(PROFILE).join("gateway")),
        Ok(_) => Err("the gateway cannot be built".to_owned()),
        Err(error) => Err(format!("cargo: {error}")),
    }
}

/// A new access token; the schema is brought up to date on the way.
pub(super) fn token(program: &Path, database: &str) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(["token", "new", "--merchant", MERCHANT, "--quiet"]).env(DATABASE, database);
    let output = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        return Err(format!("no token: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A gateway that listens.
pub(super) struct Gateway {
    child: Child,
    log: PathBuf,
    /// Writes down what it logs.
    scribe: JoinHandle<()>,
    /// Passes on what ends this program.
    signals: Handle,
}

impl Gateway {
    /// Starts it and waits until it listens.
    pub(super) fn start(
        program: &Path,
        database: &str,
        listen: SocketAddr,
        page: Option<&Path>,
    ) -> Result<(Gateway, SocketAddr), String> {
        let log = super::folder().join("gateway.log");
        let mut file = File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        // From here on Ctrl-C is the gateway's: the terminal sends it to both.
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.arg("serve").args(["--listen", &listen.to_string(), "--log-format", "json", "--demo-processor"]);
        command.args(["--callback-allow", "127.0.0.0/8"]).env(DATABASE, database);
        if let Some(page) = page {
            command.arg("--page").arg(page).args(["--page-merchant", MERCHANT]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let (handle, id) = (signals.handle(), child.id());
        thread::spawn(move || {
            for _ in signals.forever() {
                // It may have ended by the terminal's signal already.
                let _ = Command::new("kill").args(["-TERM", &id.to_string()]).stderr(Stdio::null()).status();
            }
        });
        let mut lines = BufReader::new(child.stderr.take().ok_or("no logs")?).lines();
        let Some(address) = listening(&mut lines, &mut file) else {
            let _ = child.wait();
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            return Err(format!("the gateway does not start: {}", said.trim()));
        };
        let scribe = thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                write_down(&line, &mut file);
            }
        });
        Ok((Gateway { child, log, scribe, signals: handle }, address))
    }

    pub(super) fn log(&self) -> &Path {
        &self.log
    }

    /// Until it has ended: well only where it was told to.
    pub(super) fn wait(mut self) -> Result<(), String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        self.signals.close();
        let _ = self.scribe.join();
        if status.success() {
            return Ok(());
        }
        Err(format!("the gateway has ended, {status}: see {}", self.log.display()))
    }
}

/// Reads until the gateway says where it listens; nothing where it ends before.
fn listening(lines: &mut Lines<BufReader<ChildStderr>>, file: &mut File) -> Option<SocketAddr> {
    for line in lines.map_while(Result::ok) {
        write_down(&line, file);
        let Ok(entry) = Json::parse(line.as_bytes()) else { continue };
        if text(&entry, "message") == Some("listening") {
            return text(&entry, "address")?.parse().ok();
        }
    }
    None
}

/// Into the file; what needs somebody's attention is shown as well.
fn write_down(line: &str, file: &mut File) {
    let _ = writeln!(file, "{line}");
    let Ok(entry) = Json::parse(line.as_bytes()) else { return };
    if text(&entry, "level") == Some("ERROR") {
        eprintln!("{WARN}{line}{WARN:#}");
    }
}

fn text<'a>(entry: &'a Json, name: &str) -> Option<&'a str> {
    entry.get(name)?.as_str()
}
