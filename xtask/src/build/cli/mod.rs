//! `cargo xtask cli`: builds the program `payspec` as static binaries for Linux, and runs them.

use super::npm::text;
use crate::support::process;
use crate::support::style::{BOLD, FAINT};
use anstream::println;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A static binary.
struct Binary {
    target: &'static str,
    /// The variable with which cargo selects the linker.
    linker: &'static str,
    architecture: &'static str,
    /// Runs the binary on another architecture.
    emulator: &'static str,
}

/// The targets with musl, whose C library is part of the binary.
const BINARIES: [Binary; 2] = [
    Binary {
        target: "x86_64-unknown-linux-musl",
        linker: "CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER",
        architecture: "x86_64",
        emulator: "qemu-x86_64-static",
    },
    Binary {
        target: "aarch64-unknown-linux-musl",
        linker: "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER",
        architecture: "aarch64",
        emulator: "qemu-aarch64-static",
    },
];

/// The largest size of a binary in bytes.
const MOST_BYTES: u64 = 10_000_000;

/// Commands whose output must not depend on the architecture, with their exit statuses. They read generated bodies.
const COMMANDS: &[(&[&str], i32)] = &[
    (&["--version"], 0),
    (&["validate", "--jsonl", "--now", "2026-11-20T10:15:30Z"], 1),
    (&["validate", "--jsonl", "--format", "sarif", "--jobs", "2"], 1),
    (&["redact", "--report"], 0),
    (&["migrate", "requests", "--downgrade", "--check"], 1),
    (&["explain", "card_number_checksum", "--color", "always"], 0),
    (&["convert", "1500.00", "RUB", "--quote", "RUB=92.45", "--now", "2026-11-20T10:15:30Z"], 0),
    (&["openapi"], 0),
];

/// Builds the binaries into a folder below the target folder, and runs them. Prints their sizes.
pub(crate) fn run() -> Result<(), String> {
    let folder = process::target().join("cli");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut expected: Option<Vec<Vec<u8>>> = None;
    for binary in &BINARIES {
        let program = folder.join(format!("payspec-{}", binary.target));
        fs::copy(binary.build()?, &program).map_err(|error| format!("{}: {error}", program.display()))?;
        let bytes = program.metadata().map_err(|error| error.to_string())?.len();
        require_static(&program)?;
        if bytes > MOST_BYTES {
            return Err(format!("{} has {bytes} bytes, more than {MOST_BYTES}", program.display()));
        }
        let outputs = binary.outputs(&program)?;
        if expected.as_ref().is_some_and(|expected| *expected != outputs) {
            return Err(format!("{}: the output differs from that of another target", binary.target));
        }
        expected = Some(outputs);
        println!(
            "{BOLD}{}{BOLD:#}  {}.{:02} MB, static, {} commands ran{}  {FAINT}{}{FAINT:#}",
            binary.target,
            bytes / 1_000_000,
            bytes / 10_000 % 100,
            COMMANDS.len(),
            if binary.is_native() { String::new() } else { format!(" under {}", binary.emulator) },
            program.display()
        );
    }
    Ok(())
}

/// Limits of the binary with the sandbox: bytes, milliseconds until it is ready, and KiB of memory.
const MOST_SANDBOX_BYTES: u64 = 25_000_000;
const MOST_MILLIS: u128 = 300;
const MOST_KIB: u64 = 40 * 1024;
/// Lines that the sandbox prints when it accepts connections.
const LINES: usize = 5;

/// Builds the program with the sandbox and its pages as a static binary, and compares size, start, and memory with the limits.
pub(crate) fn sandbox(page: &Path) -> Result<(), String> {
    let [binary, _] = &BINARIES;
    let arguments = ["--release", "--package", "payspec-cli", "--target", binary.target];
    // SQLite and the cryptography of TLS are C, which musl-gcc compiles.
    let variables = [
        (binary.linker, "rust-lld"),
        ("CC_x86_64_unknown_linux_musl", "musl-gcc"),
        ("PAYSPEC_PAGE", text(page)?),
        // The optimization over all crates takes longest, and makes the binary smaller still.
        ("CARGO_PROFILE_RELEASE_LTO", "thin"),
        ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ];
    let program = process::executable(&process::build(&arguments, &variables)?, "payspec")?;
    require_static(&program)?;
    let bytes = program.metadata().map_err(|error| error.to_string())?.len();
    // The best of some starts: the others share the machine.
    let starts: Result<Vec<(u128, u64)>, String> = (0..5).map(|_| start(&program)).collect();
    let (millis, kib) = starts?.into_iter().min().unwrap_or_default();
    println!(
        "{BOLD}{}{BOLD:#}  {}.{:02} MB, static, ready after {millis} ms, {}.{} MB of memory",
        binary.target,
        bytes / 1_000_000,
        bytes / 10_000 % 100,
        kib * 1024 / 1_000_000,
        kib * 1024 / 100_000 % 10
    );
    let limits = [
        (bytes > MOST_SANDBOX_BYTES, "is too large"),
        (millis > MOST_MILLIS, "is ready too late"),
        (kib > MOST_KIB, "needs too much memory"),
    ];
    limits.iter().find(|(exceeded, _)| *exceeded).map_or(Ok(()), |(_, problem)| Err(format!("the binary {problem}")))
}

/// Starts a sandbox, and returns the milliseconds until it is ready, and its memory in KiB.
fn start(program: &Path) -> Result<(u128, u64), String> {
    let started = Instant::now();
    let mut command = Command::new(program);
    let mut child = command
        .args(["sandbox", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let lines = child.stdout.take().map(|out| BufReader::new(out).lines().take(LINES).count());
    let millis = started.elapsed().as_millis();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let _ = child.kill();
    let _ = child.wait();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    match (lines, peak) {
        (Some(LINES), Some(kib)) => Ok((millis, kib)),
        _ => Err("the sandbox does not start".to_owned()),
    }
}

/// Installs the program with `cargo install` into a folder below the target folder, and runs it.
pub(crate) fn install() -> Result<(), String> {
    let root = process::target().join("cli/root");
    let mut cargo = process::cargo();
    // Without optimizations, which would take most of the time of this step.
    cargo.args(["install", "--locked", "--quiet", "--force", "--debug", "--path", "cli", "--root", text(&root)?]);
    process::run_checked(&mut cargo, "cargo install")?;
    let printed = process::output(Command::new(root.join("bin/payspec")).arg("--version"), "payspec")?;
    let expected = format!("payspec {}\n", env!("CARGO_PKG_VERSION"));
    if printed == expected.as_bytes() { Ok(()) } else { Err("the installed program has another version".to_owned()) }
}

impl Binary {
    fn is_native(&self) -> bool {
        self.architecture == std::env::consts::ARCH
    }

    /// Builds the program with the linker of the Rust toolchain, so that no compiler of C is needed.
    fn build(&self) -> Result<PathBuf, String> {
        // Without optional features, which may contain C.
        let arguments = ["--release", "--package", "payspec-cli", "--no-default-features", "--target", self.target];
        process::executable(&process::build(&arguments, &[(self.linker, "rust-lld")])?, "payspec")
    }

    /// Returns the outputs of the commands.
    fn outputs(&self, program: &Path) -> Result<Vec<Vec<u8>>, String> {
        let (_, bodies) = self.command(program, &["generate", "--all-rules", "--count", "3"], b"")?;
        let outputs = COMMANDS.iter().map(|(arguments, expected)| {
            let (status, output) = self.command(program, arguments, &bodies)?;
            match status {
                Some(status) if status == *expected && !output.is_empty() => Ok(output),
                status => Err(format!("{}: payspec {} ended with {status:?}", self.target, arguments.join(" "))),
            }
        });
        outputs.collect()
    }

    /// Returns the exit status and the standard output of a command.
    fn command(&self, program: &Path, arguments: &[&str], input: &[u8]) -> Result<(Option<i32>, Vec<u8>), String> {
        let mut command = match self.is_native() {
            true => Command::new(program),
            false => Command::new(self.emulator),
        };
        if !self.is_native() {
            command.arg(program);
        }
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", self.emulator))?;
        let (stdin, input) = (child.stdin.take(), input.to_vec());
        // A program that reads no input closes the pipe.
        let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        let _ = writer.join();
        Ok((output.status.code(), output.stdout))
    }
}

/// Fails if the program needs a dynamic linker.
fn require_static(program: &Path) -> Result<(), String> {
    let headers = process::output(Command::new("readelf").args(["--program-headers", text(program)?]), "readelf")?;
    let is_dynamic = String::from_utf8_lossy(&headers).contains("INTERP");
    if is_dynamic { Err(format!("{} is not static", program.display())) } else { Ok(()) }
}
