//! The commands and their options.

use clap::{Parser, Subcommand};

use crate::output::Color;
use crate::{migrate, operate, redact, validate};

/// Validate, explain, redact, migrate, and generate bodies of the payment interface
///
/// Exit status: 0 if all inputs are valid or accepted, 1 if one is not, 2 if the command line, an input, or an output is at fault.
#[derive(Parser, Debug)]
#[command(name = "payspec", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// When to use colors
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "auto|always|never"
    )]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Validate(validate::Options),
    Redact(redact::Options),
    Migrate(migrate::Options),
    Create(Box<operate::Create>),
    Read(operate::Read),
    Advance(operate::Advance),
    Convert(operate::Convert),
    Check(validate::CheckOptions),
    Card(operate::Card),
    Call(Box<operate::Call>),
}
