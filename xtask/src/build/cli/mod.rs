//! `cargo xtask cli`: builds the program `payspec` as static binaries for Linux, and runs them.

mod binary;
mod commands;
mod sandbox;

use self::binary::Binary;
use super::cross::{Profile, built, static_programs};
use crate::run::serve;
use crate::setup::{self, Consent};
use crate::support::files::text;
use crate::support::process::{self, target};
use crate::support::style::{BOLD, FAINT};
use crate::test::tools;
use anstream::println;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of `cargo xtask cli`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    consent: Consent,
}

/// The targets with musl, whose C library is part of the binary, and their processors.
const TARGETS: [(&str, &str); 2] = [
    ("x86_64-unknown-linux-musl", "x86_64"),
    ("aarch64-unknown-linux-musl", "aarch64"),
];

/// The contents of a binary.
struct Variant {
    /// The beginning of the file's name.
    name: &'static str,
    features: &'static [&'static str],
    most_bytes: u64,
    has_sandbox: bool,
}

const VARIANTS: [Variant; 2] = [
    Variant {
        name: "payspec",
        features: &[],
        most_bytes: 25_000_000,
        has_sandbox: true,
    },
    // Without `sandbox` and `conform`.
    Variant {
        name: "payspec-small",
        features: &["--no-default-features"],
        most_bytes: 10_000_000,
        has_sandbox: false,
    },
];

/// Builds the binaries into a folder below the target folder, and runs them. Prints their sizes.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::require(tools("cli"), options.consent)?;
    check()
}

/// Builds all binaries with all optimizations, runs them, and compares their sizes with the limits.
pub(crate) fn check() -> Result<()> {
    let folder = target().join("cli");
    let page = serve::page()?;
    fs::create_dir_all(&folder)?;
    let mut expected: Option<Vec<Vec<u8>>> = None;
    let every = |variant| TARGETS.iter().map(move |target| (variant, *target));
    for (variant, (target, processor)) in VARIANTS.iter().flat_map(every) {
        let program = folder.join(format!("{}-{target}", variant.name));
        let built = build(variant, target, &page)?;
        fs::copy(built, &program)?;
        let binary = Binary {
            target,
            processor,
            program,
        };
        let bytes = binary.program.metadata()?.len();
        require_static(&binary.program)?;
        if bytes > variant.most_bytes {
            bail!(
                "{} has {bytes} bytes, more than {}",
                binary.program.display(),
                variant.most_bytes
            );
        }
        let outputs = commands::outputs(&binary)?;
        if expected
            .as_ref()
            .is_some_and(|expected| *expected != outputs)
        {
            bail!(
                "{}: the output differs from that of another binary",
                binary.program.display()
            );
        }
        expected = Some(outputs);
        println!(
            "{BOLD}{} {target}{BOLD:#}  {}.{:02} MB, static, {} commands ran{}  {FAINT}{}{FAINT:#}",
            variant.name,
            bytes / 1_000_000,
            bytes / 10_000 % 100,
            commands::COMMANDS.len(),
            if binary.is_native() {
                String::new()
            } else {
                format!(" under {}", binary.emulator())
            },
            binary.program.display()
        );
        if variant.has_sandbox {
            println!("   {}", sandbox::check(&binary)?);
        }
    }
    Ok(())
}

/// Builds a variant with the checkout page, and returns the program.
fn build(variant: &Variant, triple: &str, page: &Path) -> Result<PathBuf> {
    let profile = Profile::Release;
    let mut cargo = static_programs(
        &payspec_support::root(),
        &["payspec-cli"],
        triple,
        page,
        profile,
    )?;
    process::run_checked(cargo.args(variant.features), "cargo zigbuild")?;
    Ok(built().join(triple).join(profile.name()).join("payspec"))
}

/// Installs the program with `cargo install` into a folder below the target folder, and runs it.
pub(crate) fn install() -> Result<()> {
    let root = target().join("cli/root");
    let mut cargo = process::cargo();
    // Without optimizations, which would take most of the time of this step.
    cargo.args([
        "install",
        "--locked",
        "--quiet",
        "--force",
        "--debug",
        "--path",
        "cli",
        "--root",
        text(&root)?,
    ]);
    process::run_checked(&mut cargo, "cargo install")?;
    let printed = process::output(
        Command::new(root.join("bin/payspec")).arg("--version"),
        "payspec",
    )?;
    let expected = format!("payspec {}\n", env!("CARGO_PKG_VERSION"));
    if printed == expected.as_bytes() {
        Ok(())
    } else {
        Err(anyhow!("the installed program has another version"))
    }
}

/// Fails if the program needs a dynamic linker.
fn require_static(program: &Path) -> Result<()> {
    let headers = process::output(
        Command::new("readelf").args(["--program-headers", text(program)?]),
        "readelf",
    )?;
    let is_dynamic = String::from_utf8_lossy(&headers).contains("INTERP");
    if is_dynamic {
        Err(anyhow!("{} is not static", program.display()))
    } else {
        Ok(())
    }
}
