//! Builds, starts, and stops the gateway as a process.

use super::folder;
use crate::support::interrupt;
use crate::support::process::{self, executable};
use crate::support::style::{FAINT, WARN};
use anstream::{eprintln, println};
use anyhow::{Context, Result, anyhow, bail};
use fs_err::os::unix::fs::OpenOptionsExt;
use fs_err::{File, OpenOptions};
use serde_json::Value;
use std::io::{BufRead, BufReader, Lines, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::{self, JoinHandle};

/// The merchant of the page and of the token.
const MERCHANT: &str = "shop-42";
/// The origin of the page's development server, whose requests the gateway accepts too.
const DEVELOPMENT: &str = "http://localhost:5173";
/// Set for the gateway in the environment, since it may hold a password.
const DATABASE: &str = "GATEWAY_DATABASE";

/// The file with the key of webhook secrets, which the gateway needs on PostgreSQL.
const KEYS: &str = "GATEWAY_SECRET_KEYS_FILE";

/// Builds the program, and returns its path. Profile and folder are those of the tests, so it is
/// often built already.
pub(super) fn build() -> Result<PathBuf> {
    println!("{FAINT}$ cargo build --bin gateway{FAINT:#}");
    executable(&process::build(&["--bin", "gateway"], &[])?, "gateway")
}

/// Returns the program with its database, and with keys if the database is a server and the
/// environment has none.
fn command(program: &Path, database: &str) -> Result<Command> {
    let mut command = Command::new(program);
    command.env(DATABASE, database);
    if database.starts_with("postgres")
        && [KEYS, "GATEWAY_SECRET_KEYS"]
            .iter()
            .all(|name| std::env::var_os(name).is_none())
    {
        command.env(KEYS, keys(program)?);
    }
    Ok(command)
}

/// Returns a file with a key, which is created if it does not exist.
fn keys(program: &Path) -> Result<PathBuf> {
    let path = folder().join("secret-keys");
    if !path.exists() {
        let output = Command::new(program)
            .args(["key", "new", "--id", "serve"])
            .output()?;
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(&output.stdout)?;
    }
    Ok(path)
}

/// Creates an access token. This also migrates the database.
pub(super) fn token(program: &Path, database: &str) -> Result<String> {
    let mut command = command(program, database)?;
    command.args(["token", "new", "--merchant", MERCHANT, "--quiet"]);
    let output = command.output()?;
    if !output.status.success() {
        bail!(
            "no token: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A gateway that accepts requests.
pub(super) struct Gateway {
    child: Child,
    log: PathBuf,
    /// Copies the log into the file.
    writer: JoinHandle<()>,
}

impl Gateway {
    /// Starts the gateway and waits until it listens.
    pub(super) fn start(
        program: &Path,
        database: &str,
        listen: SocketAddr,
        page: Option<&Path>,
    ) -> Result<(Gateway, SocketAddr)> {
        let log = folder().join("gateway.log");
        let mut file = File::create(&log)?;
        let mut command = command(program, database)?;
        command.arg("serve").args([
            "--listen",
            &listen.to_string(),
            "--admin-listen",
            "127.0.0.1:0",
            "--log-format",
            "json",
            "--simulate-acquirer",
            "--demo-rates",
        ]);
        command.args(["--callback-allow", "127.0.0.0/8"]);
        if let Some(page) = page {
            command.arg("--page").arg(page).args([
                "--page-merchant",
                MERCHANT,
                "--page-origin",
                DEVELOPMENT,
                // For demonstrations on this machine, with test cards only.
                "--docs",
            ]);
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let mut lines = BufReader::new(child.stderr.take().context("no logs")?).lines();
        let Some(address) = listening(&mut lines, &mut file) else {
            let _ = child.wait();
            let output = fs_err::read_to_string(&log).unwrap_or_default();
            bail!("the gateway does not start: {}", output.trim());
        };
        let writer = thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                write_down(&line, &mut file);
            }
        });
        // From here on, Ctrl-C is the regular end.
        interrupt::is_success();
        Ok((Gateway { child, log, writer }, address))
    }

    pub(super) fn log(&self) -> &Path {
        &self.log
    }

    /// Waits until the gateway ends. Any end except a requested one is an error.
    pub(super) fn wait(mut self) -> Result<()> {
        let status = self.child.wait()?;
        let _ = self.writer.join();
        interrupt::stop_if_interrupted();
        if status.success() {
            return Ok(());
        }
        Err(anyhow!(
            "the gateway has ended, {status}: see {}",
            self.log.display()
        ))
    }
}

/// Reads the log until the gateway listens, and returns its address; `None` if it ends earlier.
fn listening(lines: &mut Lines<BufReader<ChildStderr>>, file: &mut File) -> Option<SocketAddr> {
    for line in lines.map_while(Result::ok) {
        write_down(&line, file);
        let Ok(entry) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        if text(&entry, "message") == Some("listening") {
            return text(&entry, "address")?.parse().ok();
        }
    }
    None
}

/// Writes a line to the file, and errors also to standard error.
fn write_down(line: &str, file: &mut File) {
    let _ = writeln!(file, "{line}");
    let Ok(entry) = serde_json::from_str::<Value>(line) else {
        return;
    };
    if text(&entry, "level") == Some("ERROR") {
        eprintln!("{WARN}{line}{WARN:#}");
    }
}

fn text<'a>(entry: &'a Value, name: &str) -> Option<&'a str> {
    entry.get(name)?.as_str()
}
