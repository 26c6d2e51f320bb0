//! The commands and their options.

use clap::{Parser, Subcommand};

#[cfg(feature = "mcp")]
use crate::mcp;
use crate::output::Color;
#[cfg(feature = "service")]
use crate::service;
use crate::{
    explain, generate, migrate, observe, operate, policy, redact, shell, tables, validate,
};

/// Validate, explain, redact, migrate, and generate bodies of the payment interface
///
/// Exit status: 0 if all inputs are valid or accepted, 1 if one is not, 2 if the command line, an
/// input, or an output is at fault.
#[derive(Parser, Debug)]
#[command(name = "payspec", version, max_term_width = 100)]
#[command(
    after_help = "Examples:\n  payspec validate order.json\n  payspec explain amount_scale\n  \
    tail -f service.log | payspec redact --follow\n  payspec COMMAND --help"
)]
pub(crate) struct Cli {
    /// When to use colors
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "auto|always|never",
        help_heading = "Global options"
    )]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Validate(validate::Options),
    Explain(explain::Options),
    Redact(redact::Options),
    Migrate(migrate::Options),
    Observe(observe::Options),
    Create(Box<operate::Create>),
    Read(operate::Read),
    Advance(operate::Advance),
    Convert(operate::Convert),
    Check(validate::CheckOptions),
    Card(operate::Card),
    Call(Box<operate::Call>),
    Policy(policy::Options),
    /// List the violation codes, with severity, source, and message
    Rules(tables::Options),
    /// List what the specification leaves open, and what the library does
    Decisions(tables::Options),
    /// List the states of payments
    States(tables::Options),
    /// Print the OpenAPI document of the interface under the policy, as 3.1 or 3.0
    Openapi(tables::OpenapiOptions),
    /// Print the JSON Schema of a creation request under the policy
    Schema(tables::DocumentOptions),
    Generate(generate::Options),
    #[cfg(feature = "service")]
    Sandbox(Box<service::Sandbox>),
    #[cfg(feature = "service")]
    Conform(Box<service::Conform>),
    #[cfg(feature = "service")]
    Page(service::Page),
    #[cfg(feature = "mcp")]
    Mcp(mcp::Options),
    Completions(shell::Completions),
    Man(shell::Man),
}
