//! `payspec` on the command line. The rules, messages, and tables are those of the crate `payspec`.
#![forbid(unsafe_code)]

mod arguments;
mod catalog;
mod engine;
mod explain;
mod failure;
mod generate;
mod input;
mod json_text;
#[cfg(feature = "mcp")]
mod mcp;
mod migrate;
mod observe;
mod openapi_3_0;
mod operate;
mod output;
mod page;
mod pipeline;
mod policy;
mod redact;
#[cfg(feature = "service")]
mod service;
mod settings;
mod shell;
mod suggest;
mod tables;
mod time;
mod validate;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Cli, Command};
use failure::{Failure, Status};

/// Wipes all memory when it is freed: the sandbox has bodies with card data in buffers of hyper and
/// serde_json too.
#[cfg(feature = "service")]
#[global_allocator]
static WIPING: zeroizing_alloc::ZeroAlloc<std::alloc::System> =
    zeroizing_alloc::ZeroAlloc(std::alloc::System);

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(status) => status.into(),
        // The reader of the output has what it needs, as in `payspec rules | head`.
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            Status::Failed.into()
        }
    }
}

fn run(cli: Cli) -> Result<Status, Failure> {
    output::set_color(cli.color);
    match cli.command {
        Command::Validate(options) => validate::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Redact(options) => redact::run(&options),
        Command::Migrate(options) => migrate::run(&options),
        Command::Observe(options) => observe::run(&options),
        Command::Create(options) => operate::create(&options),
        Command::Read(options) => operate::read(&options),
        Command::Advance(options) => operate::advance(&options),
        Command::Convert(options) => operate::convert(&options),
        Command::Check(options) => validate::check(&options),
        Command::Card(options) => operate::card(&options),
        Command::Call(options) => operate::call(&options),
        Command::Policy(options) => policy::run(&options),
        Command::Rules(options) => tables::rules(&options),
        Command::Decisions(options) => tables::decisions(&options),
        Command::States(options) => tables::states(&options),
        Command::Openapi(options) => tables::openapi(&options),
        Command::Schema(options) => tables::schema(&options),
        Command::Generate(options) => generate::run(&options),
        #[cfg(feature = "service")]
        Command::Sandbox(options) => service::sandbox(&options),
        #[cfg(feature = "service")]
        Command::Conform(options) => service::conform(&options),
        #[cfg(feature = "service")]
        Command::Page(options) => service::page(&options),
        #[cfg(feature = "mcp")]
        Command::Mcp(options) => mcp::run(&options),
        Command::Completions(options) => shell::completions(&options, Cli::command()),
        Command::Man(options) => shell::man(&options, Cli::command()),
    }
}
