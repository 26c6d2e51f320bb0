//! Reads the arguments. Errors of clap repeat values, which may be passwords; these do not.

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::failure::Failure;

/// Parses the arguments and the environment, or ends the program if they request help.
pub(super) fn parse<P: Parser>() -> Result<P, Failure> {
    let error = match P::try_parse() {
        Ok(parsed) => return Ok(parsed),
        Err(error) => error,
    };
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::MissingSubcommand => error.exit(),
        kind => Err(Failure::new(describe(&error, kind))),
    }
}

/// Describes an error by names of this program alone.
fn describe(error: &clap::Error, kind: ErrorKind) -> String {
    let reason = kind.as_str().unwrap_or("the arguments cannot be read");
    // An unknown argument is a text of the user. The names of the other arguments are those of
    // clap.
    let known = match kind {
        ErrorKind::UnknownArgument => ContextKind::SuggestedArg,
        ErrorKind::InvalidSubcommand => ContextKind::SuggestedSubcommand,
        _ => ContextKind::InvalidArg,
    };
    let name = match error.get(known) {
        Some(ContextValue::String(name)) => name.clone(),
        Some(ContextValue::Strings(names)) => names.join(", "),
        _ => String::new(),
    };
    match kind {
        _ if name.is_empty() => format!("{reason}; see --help"),
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => {
            format!("{reason}; there is {name}")
        }
        _ => format!("{name}: {reason}"),
    }
}
