//! `payspec policy`: compares and checks policies.

mod check;
mod diff;
mod read;

use clap::{Args, Subcommand};

use crate::failure::{Failure, Status};

/// Compare two policies, or check one
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Diff(diff::Options),
    Check(check::Options),
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    match &options.command {
        Command::Diff(options) => diff::run(options),
        Command::Check(options) => check::run(options),
    }
}
