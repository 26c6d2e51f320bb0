//! `payspec mcp`: the operations of the sandbox and of the library as tools of the Model Context
//! Protocol, for agents that write or examine an integration.

mod answer;
mod arguments;
mod library;
mod merchant;
mod server;
mod tools;
mod workbench;

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use clap::Args;
use payspec::Engine;
use payspec_sandbox::sandbox::{self, Local, LocalOptions};

use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};
use crate::output::Output;
use workbench::Workbench;

/// Offer the sandbox and the library to agents, as tools of the Model Context Protocol
///
/// The tools create and read payments of a sandbox in this process, advance its clock, cause faults,
/// list deliveries, validate and explain bodies, redact texts, and examine implementations. Card
/// numbers and security codes are masked in all results.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec mcp\n  payspec mcp --listen 127.0.0.1:8090\n  claude mcp add payspec -- payspec mcp"
)]
pub(crate) struct Options {
    /// Serve streamable HTTP at this address with the path /mcp, beside the sandbox, instead of
    /// standard input and output
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Another host at which the server is reached, such as a name of a container; may be given more
    /// than once. Other hosts than these and those of this machine are refused
    #[arg(
        long,
        env = "PAYSPEC_SANDBOX_HOST",
        value_name = "HOST",
        value_delimiter = ','
    )]
    host: Vec<String>,
    /// Repeat a run: identifiers, secrets, and times follow from this number
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// The merchant of the sandbox that the tools act for
    #[arg(long, value_name = "NAME", default_value = "default")]
    merchant: String,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let engine = options.policy.engine()?;
    let runtime = sandbox::runtime()?;
    let served = runtime.block_on(serve(options, engine));
    // A read of standard input, or a delayed answer, is not waited for.
    runtime.shutdown_background();
    served.map(|()| Status::Accepted)
}

async fn serve(options: &Options, engine: Engine) -> Result<(), Failure> {
    let settings = LocalOptions {
        listen: options.listen,
        hosts: options.host.clone(),
        seed: options.seed,
        merchant: options.merchant.clone(),
    };
    let sandbox = Arc::new(Local::start(&settings, engine.clone()).await?);
    let tools = Workbench {
        sandbox: Arc::clone(&sandbox),
        engine,
    };
    if options.listen.is_some() {
        let url = sandbox.url();
        let ready = || {
            let mut out = Output::new();
            writeln!(out, "mcp: {url}/mcp\nconsole: {url}/sandbox")?;
            out.flush()
        };
        let routes = server::over_http(tools);
        return Ok(sandbox.serve(Some(routes), ready).await?);
    }
    tokio::select! {
        served = sandbox.serve(None, || Ok(())) => Ok(served?),
        ended = server::over_pipes(tools) => ended,
    }
}
