//! The files for Windows under wine: all vectors with both libraries, the command line beside that of
//! this machine, and the sandbox.

mod sandbox;

use super::formats::unpacked;
use super::installation::{Packages, counts_of, isolated, untar};
use crate::dist::archive::{files, write};
use crate::dist::platform::{OTHER_SYSTEMS, Platform, System};
use crate::generate;
use crate::setup::zig;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::{Context, Result, ensure};
use fs_err as fs;
use payspec_support::root;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The source of a library of Windows that wine lacks before its version 8.16: the random numbers of
/// Rust's hash maps.
const RANDOM: &str = "
int __stdcall SystemFunction036(void *data, unsigned long length);
__declspec(dllexport) int __stdcall ProcessPrng(void *data, unsigned long long length) {
    return SystemFunction036(data, (unsigned long)length);
}
";

/// The calls of the command line that must print the same on both systems. `bodies.jsonl` contains
/// the bodies of all vectors.
const CALLS: [&[&str]; 9] = [
    &["--version"],
    &["validate", "--jsonl", "--format", "json", "bodies.jsonl"],
    &["validate", "--jsonl", "bodies.jsonl"],
    &["validate", "missing.json"],
    &["redact", "bodies.jsonl"],
    &["openapi"],
    &["rules"],
    &["explain", "amount_scale"],
    &["generate", "--rule", "amount_scale"],
];

/// Returns the platform of the programs that wine runs on this processor.
pub(super) fn platform() -> Result<&'static Platform> {
    OTHER_SYSTEMS
        .iter()
        .find(|platform| platform.system == System::Windows && platform.processor == "x86_64")
        .context("no platform of Windows")
}

/// Runs the programs of Windows on this processor.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let platform = platform()?;
    let wine = Wine(packages.empty("wine")?);
    let mut counts = library(packages, platform, &wine)?;
    counts.add(command_line(packages, platform, &wine)?);
    Ok(counts)
}

/// Compiles tests/c/vectors.c with the archive, and runs all vectors with the DLL and with the
/// static library.
fn library(packages: &Packages, platform: &Platform, wine: &Wine) -> Result<TestCounts> {
    let folder = unpacked(packages, platform, "payspec-")?;
    random(&folder)?;
    let vectors = generate::text(&["flat-vectors"], &[])?;
    fs::write(folder.join("vectors.flat"), vectors)?;
    let mut counts = TestCounts::default();
    for (name, library) in [
        ("shared", "lib/libpayspec.dll.a"),
        (
            "static",
            "lib/libpayspec.a -lntdll -luserenv -lws2_32 -lunwind",
        ),
    ] {
        // Without debug information, zig links the same runtime as for the library.
        let arguments = format!(
            "-s -std=c11 -O1 -Iinclude -I\"$0\" \"$0/vectors.c\" {library} -o bin/{name}.exe"
        );
        compile(&arguments, &folder)?;
        let mut program = wine.run(&format!("bin/{name}.exe"), &folder);
        counts.add(counts_of(program.arg("vectors.flat"))?);
    }
    Ok(counts)
}

/// Runs the same calls with both programs, on the bodies of all vectors, compares the status and the
/// printed bytes, and runs the sandbox.
fn command_line(packages: &Packages, platform: &Platform, wine: &Wine) -> Result<TestCounts> {
    let folder = unpacked(packages, platform, "payspec-cli-")?;
    random(&folder)?;
    let native = packages.empty("native-cli")?;
    let archive = packages.file("payspec-cli-", "-x86_64-linux-musl.tar.gz")?;
    untar(&archive, &native)?;
    let bodies = bodies()?;
    let count = bodies.len();
    ensure!(count > 100, "only {count} bodies in the vectors");
    write(&folder.join("bodies.jsonl"), &(bodies.join("\n") + "\n"))?;
    let mut counts = TestCounts::default();
    for call in CALLS {
        let here = isolated(native.join("bin/payspec"), &folder)
            .args(call)
            .output()?;
        let there = wine.run("bin/payspec.exe", &folder).args(call).output()?;
        let is_same = here.status.code() == there.status.code() && here.stdout == there.stdout;
        ensure!(
            is_same && (!here.stdout.is_empty() || !there.stderr.is_empty()),
            "{call:?} on Windows: {}\n{}",
            there.status,
            String::from_utf8_lossy(&[there.stdout, there.stderr].concat())
        );
        counts.add(TestCounts::of_check(true));
    }
    counts.add(sandbox::run(wine, &folder)?);
    Ok(counts)
}

/// Returns the bodies of the vectors of `validate_request` that are one line.
fn bodies() -> Result<Vec<String>> {
    let mut bodies = Vec::new();
    for file in files(&root().join("tests/vectors/validate_request"))? {
        let document: Value = serde_json::from_str(&fs::read_to_string(file)?)?;
        let vectors = document["vectors"].as_array().into_iter().flatten();
        let inputs = vectors.filter_map(|vector| vector["inputs"][0].as_str());
        bodies.extend(
            inputs
                .filter(|body| !body.contains(['\n', '\r']))
                .map(str::to_owned),
        );
    }
    Ok(bodies)
}

/// Runs the C compiler for Windows in a folder. `$0` in the arguments is tests/c.
fn compile(arguments: &str, folder: &Path) -> Result<()> {
    let script = format!(
        "\"{}\" cc -target x86_64-windows-gnu {arguments} 2> log || (cat log; false)",
        zig()?.display()
    );
    let mut shell = isolated("sh", folder);
    shell.args(["-ec", &script]).arg(root().join("tests/c"));
    zig_cache(&mut shell);
    text_of(&mut shell).map(drop)
}

/// Sets the cache of the library's build, whose runtime takes a minute to compile.
pub(super) fn zig_cache(command: &mut Command) {
    if let Some(home) = std::env::var_os("HOME") {
        let cache = Path::new(&home).join(".cache/zig");
        command.env("ZIG_GLOBAL_CACHE_DIR", cache);
    }
}

/// The folder of wine's system, whose processes end with it, and which takes 700 MB.
pub(super) struct Wine(pub(super) PathBuf);

impl Drop for Wine {
    fn drop(&mut self) {
        let _ = self.command("wineserver", &self.0).arg("-k").status();
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Wine {
    /// Returns a command in a folder that uses this system.
    fn command(&self, program: &str, folder: &Path) -> Command {
        let mut command = isolated(program, folder);
        command
            .env("PATH", "/usr/bin:/bin:/usr/lib/wine:/usr/lib64/wine")
            .env("WINEPREFIX", &self.0)
            .env("WINEDEBUG", "-all");
        command
    }

    /// Returns the command that runs a program of Windows in a folder.
    pub(super) fn run(&self, program: &str, folder: &Path) -> Command {
        let mut command = self.command("wine64", folder);
        command.arg(program);
        command
    }
}

/// Compiles the library that wine may lack into a folder, where programs find it.
pub(super) fn random(folder: &Path) -> Result<()> {
    write(&folder.join("random.c"), RANDOM)?;
    fs::create_dir_all(folder.join("bin"))?;
    compile(
        "-s -shared -O1 random.c -ladvapi32 -o bin/bcryptprimitives.dll",
        folder,
    )
}
