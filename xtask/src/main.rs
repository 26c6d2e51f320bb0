//! The commands of this project. `cargo xtask` lists them.

mod bench;
mod build;
mod check;
mod dist;
mod docs;
mod examples;
mod generate;
mod run;
mod setup;
mod support;
mod test;

use anstream::eprintln;
use anyhow::Result;
use build::{cli, header, install, npm};
use check::{api, bulk, coverage, deny, fuzz, model, msrv, mutants, trials};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use run::{load, serve};
use std::process::ExitCode;
use support::style::{BAD, BOLD};

/// The commands of this project.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    disable_help_subcommand = true,
    help_template = "{usage-heading} {usage}\n{after-help}\n{options}"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Start the service with its checkout page
    ///
    /// Builds the gateway and the page, starts them at 127.0.0.1:8080 with SQLite below target, and
    /// prints the addresses, an access token and an example call. Missing tools are installed
    /// first. Ctrl-C stops the service.
    Serve(serve::Options),
    /// Run the tests
    ///
    /// Without arguments, runs the steps that a contributor needs. Missing tools are installed
    /// first. Prints the plan, a summary and, as its last line, `N passed, N failed`.
    Test(test::Options),
    /// Show the tools that the commands need, and how to install them
    Doctor,
    /// Measure requests per second of the gateway, beside those of its databases without it, with
    /// wrk and pgbench
    Load(load::Options),
    /// Write the answers of the vectors in tests/vectors that match their `returns` and `expect`
    Bless {
        /// Write nothing; fail if something would change
        #[arg(long)]
        check: bool,
    },
    /// Generate include/payspec.h and include/payspec.ffi.h from the sources in ffi
    Header {
        /// Write nothing; fail if something would change
        #[arg(long)]
        check: bool,
    },
    /// Build and install libpayspec: headers, shared and static library, pkg-config, CMake
    Install(install::Options),
    /// Build the book in docs/ as static pages, and check its links
    Docs(docs::Options),
    /// Build the command line `payspec` as static binaries for Linux, and run them
    ///
    /// For x86-64 and ARM64, each with the sandbox and its pages, and as a smaller one without
    /// `sandbox` and `conform`.
    Cli(cli::Options),
    /// Build the packages of all languages into target/dist, with checksums and bills of materials
    Dist(dist::Options),
    /// Set the version, or run all of a release that does not publish
    Release(dist::ReleaseOptions),
    /// Build the npm package into wasm/pkg
    Npm,
    /// Build and test the programs in examples/
    Examples {
        /// c, c-static, cpp, python, go, php, or java; all if none is given
        names: Vec<String>,
    },
    /// Compare the library with tests/model, an independent implementation in Python
    Model(model::Options),
    /// Run the targets of tests/fuzz under libFuzzer
    Fuzz(fuzz::Options),
    /// Mutate the core and check that the tests detect each mutant
    Mutants(mutants::Options),
    /// Measure how many lines and branches of core and ffi the tests reach
    Coverage {
        /// List the files with what is not reached, and write its lines as HTML
        #[arg(long)]
        list: bool,
    },
    /// Inject faults into a gateway under load, and print a table of their effects
    Chaos(trials::ChaosOptions),
    /// Kill, cut off, and pause the primary of a PostgreSQL cluster under load, and check that no
    /// payment is lost
    Failover(trials::FailoverOptions),
    /// Compare payspec with other libraries
    ///
    /// Measures Rust, Node.js, Python, C and the command line on one corpus: times, allocations,
    /// sizes, and which targets are met. Without options, the figures are written to
    /// tests/bench/results.json and RESULTS.md.
    Bench(bench::Options),
    /// Measure the verdict over columns: in Python, DuckDB, polars, and Spark, beside the native
    /// one
    Bulk(bulk::Options),
    /// Compare the public items of the crate payspec with tests/data/public-api.txt
    Api {
        /// Update the list
        #[arg(long)]
        bless: bool,
    },
    /// Compile the libraries with the oldest Rust that Cargo.toml states
    Msrv,
    /// Check licenses, bans, sources, and advisories of dependencies with cargo-deny
    Deny {
        /// Run `npm audit` as well
        #[arg(long)]
        npm: bool,
    },
}

/// The commands by subject, as the help text shows them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Start here", &["serve", "test", "doctor"]),
    ("Update generated files", &["bless", "header", "api"]),
    (
        "Build and install",
        &["install", "cli", "npm", "docs", "dist", "release"],
    ),
    (
        "Check and measure",
        &[
            "examples", "model", "fuzz", "mutants", "coverage", "bench", "bulk", "load", "chaos",
            "failover", "msrv", "deny",
        ],
    ),
];

fn main() -> ExitCode {
    let result = run();
    support::interrupt::stop_if_interrupted();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let message = format!("{error:#}");
            if !message.is_empty() {
                eprintln!("{BAD}error{BAD:#}: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let matches = Cli::command().after_help(commands()).get_matches();
    setup::enter()?;
    support::interrupt::install()?;
    match Cli::from_arg_matches(&matches)?.command {
        Some(command) => run_command(command),
        None => Ok(Cli::command().after_help(commands()).print_help()?),
    }
}

fn run_command(command: Command) -> Result<()> {
    match command {
        Command::Serve(options) => serve::run(&options),
        Command::Test(options) => test::run(&options),
        Command::Doctor => setup::doctor(),
        Command::Load(options) => load::run(&options),
        Command::Bless { check: true } => generate::check_answers(),
        Command::Bless { check: false } => generate::run(&["bless"]),
        Command::Header { check } => header::run(check),
        Command::Install(options) => install::run(&options),
        Command::Docs(options) => docs::run(&options),
        Command::Cli(options) => cli::run(&options),
        Command::Dist(options) => dist::run(&options),
        Command::Release(options) => dist::release(&options),
        Command::Npm => npm::run(),
        Command::Examples { names } => examples::run(&names),
        Command::Model(options) => model::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Mutants(options) => mutants::run(&options),
        Command::Coverage { list } => coverage::run(list),
        Command::Chaos(options) => trials::chaos(&options),
        Command::Failover(options) => trials::failover(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Bulk(options) => bulk::run(&options),
        Command::Api { bless } => api::run(bless),
        Command::Msrv => msrv::run(),
        Command::Deny { npm } => deny::run(npm),
    }
}

/// Returns the list of commands for the help text.
fn commands() -> String {
    let cli = Cli::command();
    let about = |name: &str| {
        cli.find_subcommand(name)
            .and_then(|command| command.get_about())
            .map(ToString::to_string)
    };
    let group = |(title, names): &(&str, &[&str])| {
        let lines = names.iter().map(|name| {
            format!(
                "  {BOLD}{name:<10}{BOLD:#} {}",
                about(name).unwrap_or_default()
            )
        });
        format!(
            "{BOLD}{title}{BOLD:#}\n{}\n",
            lines.collect::<Vec<_>>().join("\n")
        )
    };
    GROUPS.iter().map(group).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_a_consistent_command_line() {
        Cli::command().debug_assert();
    }

    #[test]
    fn lists_every_command_in_one_group() {
        let mut names: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        let cli = Cli::command();
        let mut commands: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
        names.sort_unstable();
        commands.sort_unstable();
        assert_eq!(names, commands);
    }
}
