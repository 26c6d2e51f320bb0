//! `cargo xtask dist`.

use super::archive;
use super::check::{self, Packages};
use super::make::{all, folder, same, selected, tools_of};
use super::platform::Extent;
use crate::setup::{self, Consent};
use crate::support::process::target;
use anstream::println;
use anyhow::{Result, ensure};
use clap::Args;
use payspec_support::root;
use std::collections::BTreeSet;
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
    #[arg(long, conflicts_with = "twice")]
    check: bool,
    /// Build or check packages for this machine without most optimizations, as the step
    /// `dist-quick` does
    #[arg(long)]
    quick: bool,
    /// Build packages for the system and the processor of this machine only
    #[arg(long, conflicts_with_all = ["check", "quick"])]
    native: bool,
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

    fn extent(&self) -> Extent {
        match (self.native, self.quick) {
            (true, _) => Extent::Native,
            (false, true) => Extent::Quick,
            (false, false) => Extent::All,
        }
    }
}

/// Builds the packages.
pub(crate) fn run(options: &Options) -> Result<()> {
    let extent = options.extent();
    let require = |tools: BTreeSet<&'static str>| setup::require_all(tools, options.consent);
    let out = options.out.clone().unwrap_or_else(|| folder(extent));
    let out = std::path::absolute(&out)?;
    // Before tools are installed, the names are compared with those of checks and packages.
    if options.check {
        let checks = check::selected(&options.only, extent)?;
        require(check::tools_of(&checks))?;
        let checks = check::installed(&Packages::of(out, extent), &checks)?;
        let counts = checks.counts;
        println!("tests: {} passed, {} failed", counts.passed, counts.failed);
        return checks.result();
    }
    ensure!(
        cfg!(target_os = "linux"),
        "packages are built on Linux, for all systems"
    );
    let kinds = selected(&options.only)?;
    require(tools_of(&kinds, extent))?;
    all(&root(), &out, &kinds, extent)?;
    if options.twice {
        let copy = target().join("dist-again");
        archive::empty(&copy)?;
        archive::copy_tracked(&root(), "", &copy.join("another-place"))?;
        let again = copy.join("dist");
        all(&copy.join("another-place"), &again, &kinds, extent)?;
        same(&out, &again)?;
        println!("two builds in different folders have the same bytes");
    }
    Ok(())
}
