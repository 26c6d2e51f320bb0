//! `cargo xtask failover`: kills, cuts off, and pauses the primary of a database under load, and
//! prints what clients saw.

use crate::setup::{self, Consent};
use crate::support::process::{cargo, run_checked, target};
use crate::support::record::Conditions;
use crate::test::executables;
use clap::Args;

/// With the package of the unified features, so that nothing is compiled again.
const TEST: [&str; 5] = [
    "test",
    "--locked",
    "--package=payspec-trials",
    "--package=payspec-features",
    "--test=failover",
];
const LONG: [&str; 5] = ["--", "--ignored", "--exact", "--nocapture", "long"];
/// The reports of both kinds of replication, which the book shows.
const REPORTS: [&str; 2] = [
    "service/trials/failover/synchronous.md",
    "service/trials/failover/asynchronous.md",
];
/// The programs of the cluster.
pub(crate) const TOOLS: [&str; 8] = [
    "cc",
    "postgresql",
    "patroni",
    "etcd",
    "haproxy",
    "iproute2",
    "util-linux",
    "permission for namespaces",
];

/// Rounds and seed.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Rounds, each with one fault
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Seed of the order and of the moments; random if it is not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Replicate asynchronously, and fail if no answered payment is lost
    #[arg(long)]
    asynchronous: bool,
    /// Write the report to service/trials/failover
    #[arg(long)]
    record: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Runs the long form of the test.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    if let Some(name) = setup::ensure(&TOOLS, options.consent)?.first() {
        return Err(format!(
            "missing: {name}; `cargo xtask doctor` shows how to install it"
        ));
    }
    executables::gateway()?;
    let mut command = cargo();
    command
        .args(TEST)
        .args(LONG)
        .env("FAILOVER_ROUNDS", options.rounds.to_string());
    command.envs(options.seed.map(|seed| ("FAILOVER_SEED", seed.to_string())));
    command.envs(
        options
            .asynchronous
            .then_some(("FAILOVER_ASYNCHRONOUS", "1")),
    );
    if !options.record {
        return run_checked(&mut command, "the cluster under faults");
    }
    let report = target().join("failover.md");
    let conditions = Conditions::read();
    run_checked(
        command.env("FAILOVER_REPORT", &report),
        "the cluster under faults",
    )?;
    let text = std::fs::read(&report).map_err(|error| format!("{}: {error}", report.display()))?;
    let [synchronous, asynchronous] = REPORTS;
    conditions.record(
        if options.asynchronous {
            asynchronous
        } else {
            synchronous
        },
        "A cluster under faults",
        &text,
    )
}

#[cfg(test)]
mod tests {
    use super::LONG;

    /// Cargo also succeeds if no test has the name.
    #[test]
    fn names_a_test_of_the_gateway() {
        let file = payspec_support::root().join("service/trials/tests/failover/main.rs");
        let name = LONG.last().unwrap();
        assert!(
            std::fs::read_to_string(file)
                .unwrap()
                .contains(&format!("\nfn {name}() {{"))
        );
    }
}
