//! The npm package in Node.js, Deno, and Bun.

use super::installation::{Packages, counts_of, isolated, prints, program_of};
use crate::build::install::VERSION;
use crate::dist::archive::{copy, write};
use crate::support::process::target;
use crate::support::process::text_of;
use crate::support::test_counts::TestCounts;
use anyhow::Result;
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs all vectors through the installed package.
const VECTORS: &str = r#"
import { readFileSync, readdirSync } from "node:fs";
import process from "node:process";
import * as payspec from "payspec";
import { runVectors } from "./support.mjs";

const folder = process.env.PAYSPEC_VECTORS;
const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".json"));
const files = names.map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")));
const { passed, failures } = runVectors(payspec, files, "json");
for (const failure of failures.slice(0, 10)) console.log(failure);
console.log(`vectors: ${passed} passed, ${failures.length} failed`);
"#;
/// The package with Bun for this processor, and its version.
const BUN: (&str, &str) = ("@oven/bun-linux-x64", "1.4.4");

/// Installs the archive with npm; runs the program of its readme, and all vectors.
pub(super) fn node(packages: &Packages) -> Result<TestCounts> {
    let folder = installed(packages)?;
    // What is on the page of the registry is in the archive.
    program_of(
        &folder.join("node_modules/payspec/README.md"),
        "js",
        &folder.join("gateway.mjs"),
    )?;
    let run = || tool("node", &folder);
    let mut counts = prints(run().arg("gateway.mjs"), "201 false\n201 true\n")?;
    counts.add(counts_of(run().arg("vectors.mjs"))?);
    Ok(counts)
}

/// Runs the same in Deno, without the right to write files or to use the network, and in Bun.
pub(super) fn others(packages: &Packages) -> Result<TestCounts> {
    let folder = installed(packages)?;
    program_of(
        &folder.join("node_modules/payspec/README.md"),
        "js",
        &folder.join("gateway.mjs"),
    )?;
    let deno = [
        "run",
        "--no-prompt",
        "--cached-only",
        "--node-modules-dir=manual",
        "--allow-read",
        "--allow-env",
    ];
    let bun = bun()?;
    let mut counts = TestCounts::default();
    for program in ["gateway.mjs", "vectors.mjs"] {
        let (mut in_deno, mut in_bun) = (tool("deno", &folder), isolated(&bun, &folder));
        in_deno.args(deno).arg(program);
        for command in [&mut in_deno, in_bun.arg(program)] {
            counts.add(match program {
                "gateway.mjs" => prints(command, "201 false\n201 true\n")?,
                _ => counts_of(command)?,
            });
        }
    }
    Ok(counts)
}

/// Installs the archive into a new project, without a network, with the programs beside it.
pub(super) fn installed(packages: &Packages) -> Result<PathBuf> {
    let folder = packages.empty("npm")?;
    let archive = packages.file(&format!("payspec-{VERSION}.tgz"), "")?;
    write(
        &folder.join("package.json"),
        r#"{"name":"project","private":true}"#,
    )?;
    let options = [
        "install",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
    ];
    text_of(tool("npm", &folder).args(options).arg(archive))?;
    copy(
        &root().join("wasm/tests/support/vectors.mjs"),
        &folder.join("support.mjs"),
    )?;
    write(&folder.join("vectors.mjs"), VECTORS)?;
    Ok(folder)
}

/// Returns a command that finds the tools of this program, such as Node.js.
pub(super) fn tool(program: &str, folder: &Path) -> Command {
    let mut command = isolated(program, folder);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
}

/// Installs Bun from the registry of npm into the folder of its version, and returns its path.
fn bun() -> Result<PathBuf> {
    let (package, version) = BUN;
    let folder = target().join(format!("tools/bun-{version}"));
    let program = folder.join("node_modules").join(package).join("bin/bun");
    if !program.exists() {
        fs_err::create_dir_all(&folder)?;
        let options = [
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--prefix",
            ".",
        ];
        text_of(
            Command::new("npm")
                .args(options)
                .arg(format!("{package}@{version}"))
                .current_dir(&folder),
        )?;
    }
    Ok(program)
}
