//! Names that are similar to an unknown one.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

use crate::failure::Failure;

/// An argument that names an entry of a table. The completions of a shell list the entries.
///
/// Any name is accepted: the error of clap for an unknown one would repeat it.
#[derive(Clone)]
pub(crate) struct Names(pub(crate) fn() -> Vec<&'static str>);

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        value.to_str().map(str::to_owned).ok_or_else(|| Error::raw(ErrorKind::InvalidUtf8, "a name is not UTF-8\n"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

/// The least similarity of a suggestion, as that of clap.
const SIMILAR: f64 = 0.7;

/// Returns the failure for an unknown name, with the most similar known one. `list` is the command that lists the names.
pub(crate) fn unknown<'n>(kind: &str, name: &str, known: impl Iterator<Item = &'n str>, list: &str) -> Failure {
    // The name may be a pasted secret: it is not repeated.
    Failure::new(match similar(name, known) {
        Some(best) => format!("unknown {kind}: did you mean `{best}`? `{list}` lists all"),
        None => format!("unknown {kind}: `{list}` lists all"),
    })
}

/// Returns the most similar known name, if one is similar. Case is ignored.
pub(crate) fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let similarity = |known: &str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
    let best = known.map(|known| (similarity(known), known)).max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(similarity, _)| *similarity >= SIMILAR).map(|(_, best)| best)
}
