//! Names that are similar to an unknown one.

use std::cmp::Reverse;
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
        value
            .to_str()
            .map(str::to_owned)
            .ok_or_else(|| Error::raw(ErrorKind::InvalidUtf8, "a name is not UTF-8\n"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

/// The least similarity of a suggestion. With the 0.7 of clap, `https_required` is similar to
/// `transition_refused`.
const SIMILAR: f64 = 0.8;
/// The least similarity of a name that is misspelled: with less, parts of the names decide.
const MISSPELLED: f64 = 0.9;

/// Words that other interfaces use for a part of a name, with the parts that the names have here.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("currencies", &["currency"]),
    ("cvc", &["security", "code"]),
    ("cvv", &["security", "code"]),
    ("decimals", &["scale"]),
    ("duplicated", &["duplicate"]),
    ("field", &["member"]),
    ("http", &["uri", "scheme"]),
    ("https", &["uri", "scheme"]),
    ("json", &["json", "syntax"]),
    ("length", &["too", "long"]),
    ("link", &["uri"]),
    ("localhost", &["private", "host"]),
    ("luhn", &["checksum"]),
    ("max", &["bounds"]),
    ("min", &["bounds"]),
    ("negative", &["not", "positive"]),
    ("pan", &["card", "number"]),
    ("phone", &["phone", "number"]),
    ("precision", &["scale"]),
    ("required", &["missing"]),
    ("url", &["uri"]),
];

/// Parts that many names have, so that they alone are no similarity.
const COMMON: &[&str] = &[
    "code", "in", "member", "not", "number", "syntax", "text", "too",
];

/// Returns the failure for an unknown name, with the most similar known one. `list` is the command
/// that lists the names.
pub(crate) fn unknown<'n>(
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
    list: &str,
) -> Failure {
    let known: Vec<&str> = known.collect();
    let best = named(name, &known);
    // The name may be a pasted secret: it is not repeated.
    Failure::new(match best {
        Some(best) => format!("unknown {kind}: did you mean `{best}`? `{list}` lists all"),
        None => format!("unknown {kind}: `{list}` lists all"),
    })
}

/// Returns the known name that was probably meant: one that is spelled alike, or one with the same
/// parts.
fn named<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    most_similar(name, known.iter().copied(), MISSPELLED)
        .or_else(|| with_parts(name, known.iter().copied()))
}

/// Returns the most similar known name, if one is similar. Case is ignored.
pub(crate) fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    most_similar(name, known, SIMILAR)
}

fn most_similar<'n>(
    name: &str,
    known: impl Iterator<Item = &'n str>,
    least: f64,
) -> Option<&'n str> {
    let similarity =
        |known: &str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
    let best = known
        .map(|known| (similarity(known), known))
        .max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(similarity, _)| *similarity >= least)
        .map(|(_, best)| best)
}

/// Returns the known name that has the most parts of the name, in any order; of several the one
/// with the fewest other parts.
fn with_parts<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    let words = name
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let parts: Vec<&str> = words
        .flat_map(
            |word| match SYNONYMS.iter().find(|(synonym, _)| *synonym == word) {
                Some((_, parts)) => parts.to_vec(),
                None => vec![word],
            },
        )
        .collect();
    let shared = |known: &str| {
        let of_known: Vec<&str> = known.split('_').collect();
        let common = of_known.iter().filter(|part| parts.contains(part));
        let (weak, strong): (Vec<&str>, Vec<&str>) = common.partition(|part| COMMON.contains(part));
        (strong.len(), weak.len(), Reverse(of_known.len()))
    };
    // The first of several equal ones is the first of the table.
    let best = known
        .map(|known| (shared(known), known))
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|((strong, ..), _)| *strong > 0)
        .map(|(_, best)| best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use payspec::{ProblemCode, RULES};

    #[test]
    fn suggests_by_parts_and_spelling() {
        for (name, expected) in [
            ("url_https", Some("uri_scheme")),
            ("https_required", Some("uri_scheme")),
            ("invalid_url", Some("uri_syntax")),
            ("URL-Localhost", Some("uri_private_host")),
            ("amount_decimals", Some("amount_scale")),
            ("cvv_invalid", Some("security_code_syntax")),
            ("luhn", Some("card_number_checksum")),
            ("field_required", Some("missing")),
            ("card_expried", Some("card_expired")),
            ("something else", None),
            ("not_a_code", None),
            ("zzz", None),
            ("", None),
        ] {
            let known = RULES
                .iter()
                .map(|rule| rule.name)
                .chain(ProblemCode::ALL.iter().map(|code| code.name()));
            assert_eq!(named(name, &known.collect::<Vec<_>>()), expected, "{name}");
        }
    }

    /// A synonym leads to parts that names have.
    #[test]
    fn synonyms_lead_to_names() {
        for part in SYNONYMS.iter().flat_map(|(_, parts)| *parts).chain(COMMON) {
            assert!(
                RULES
                    .iter()
                    .any(|rule| rule.name.split('_').any(|known| known == *part)),
                "{part}"
            );
        }
    }
}
