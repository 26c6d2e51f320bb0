//! `cargo xtask dist`.

use super::archive;
use super::check::{self, Packages};
use super::make::{all, folder, same, selected, tools_of};
use super::tools::TOOLS;
use crate::setup::{self, Consent};
use crate::support::process::target;
use anstream::println;
use clap::Args;
use payspec_support::root;
use std::path::PathBuf;

/// The packages to build.
#[derive(Args, Debug, Default)]
pub(crate) struct Options {
    /// The folder to write to
    #[arg(long, value_name = "D")]
    out: Option<PathBuf>,
    /// Build only these: c, python, npm, go, php, java, deb, cli, oci; with --check, run
    /// only the checks with such a word in their name
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Check the packages that are built, as the step `dist` of the tests does
    #[arg(long, conflicts_with_all = ["twice", "measure"])]
    check: bool,
    /// Measure the overhead of a call in each language with the packages that are built, and P11
    /// with the installed wheel
    #[arg(long, conflicts_with_all = ["only", "twice", "quick"])]
    measure: bool,
    /// Build or check packages without most optimizations, and no programs for the other processor,
    /// as the step `dist-quick` does
    #[arg(long)]
    quick: bool,
    /// Build again from a copy of the sources in another folder, and compare all files
    #[arg(long)]
    twice: bool,
    #[command(flatten)]
    consent: Consent,
}

impl Options {
    /// Returns the options of two builds of everything.
    pub(super) fn twice() -> Options {
        Options {
            twice: true,
            ..Options::default()
        }
    }

    /// Returns the options of a check of the built files.
    pub(super) fn checking() -> Options {
        Options {
            check: true,
            ..Options::default()
        }
    }
}

/// Builds the packages.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let out = options.out.clone().unwrap_or_else(|| folder(options.quick));
    let out = std::path::absolute(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    if options.measure {
        require(TOOLS, options.consent)?;
        return check::measure(&Packages::of(out, options.quick));
    }
    // Before tools are installed, the names are compared with those of checks and packages.
    if options.check {
        let checks = check::selected(&options.only, options.quick)?;
        require(&check::tools_of(&checks), options.consent)?;
        let (counts, problem) = check::installed(&Packages::of(out, options.quick), &checks);
        println!("tests: {} passed, {} failed", counts.passed, counts.failed);
        return problem.map_or(Ok(()), Err);
    }
    let kinds = selected(&options.only)?;
    require(&tools_of(&kinds), options.consent)?;
    all(&root(), &out, &kinds, options.quick)?;
    if options.twice {
        let copy = target().join("dist-again");
        archive::empty(&copy)?;
        archive::copy_tracked(&root(), "", &copy.join("another-place"))?;
        let again = copy.join("dist");
        all(&copy.join("another-place"), &again, &kinds, options.quick)?;
        same(&out, &again)?;
        println!("two builds in different folders have the same bytes");
    }
    Ok(())
}

/// Installs tools if permitted.
///
/// # Errors
/// Returns the tools that are still missing, or the command that failed.
pub(super) fn require(tools: &[&'static str], consent: Consent) -> Result<(), String> {
    let missing = setup::ensure(tools, consent)?;
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "missing: {}; `--yes` installs them",
            missing.join(", ")
        ))
    }
}
