//! URIs of each kind that the rules distinguish.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::draft::{Json, quoted};
use crate::policy::Ruleset;

/// The forms of a URI without a violation, after the scheme: an ordinary one, and shorter ones.
/// Only http and https need a host.
const VALID: [&str; 4] = ["://shop.example/", "://a.bc", ":a", ":"];
/// The forms of a URI with credentials.
const CREDENTIALS: [&str; 3] = ["://user@shop.example/", "://@a.b", "://@"];
/// The forms of a URI with a private host.
const PRIVATE: [&str; 3] = ["://localhost/", "://127.1", "://0"];

/// A text without a scheme, which is not checked further.
const NO_SCHEME: &str = "x";

/// Returns URIs without a violation in a scheme of these policies, and a text that is not a URI.
pub(super) fn valid(rulesets: &[&Ruleset]) -> Vec<Json> {
    let mut uris = each(&schemes(rulesets), &VALID);
    uris.push(quoted(NO_SCHEME));
    uris
}

/// Returns URIs with credentials.
pub(super) fn with_credentials(rulesets: &[&Ruleset]) -> Vec<Json> {
    each(&schemes(rulesets), &CREDENTIALS)
}

/// Returns URIs with a private host.
pub(super) fn with_private_host(rulesets: &[&Ruleset]) -> Vec<Json> {
    each(&schemes(rulesets), &PRIVATE)
}

/// Returns URIs in a scheme that `rejecting` does not list: schemes of `accepting`, and one that is
/// in neither list.
pub(super) fn of_other_schemes(accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Json> {
    let mut schemes = only_in(accepting, rejecting);
    schemes.push(unlisted_scheme(&rejecting.schemes));
    each(&schemes, &VALID)
}

/// Returns URIs in the schemes that only `accepting` lists.
pub(super) fn of_added_schemes(accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Json> {
    each(&only_in(accepting, rejecting), &VALID)
}

/// Returns the beginnings of URIs that can be continued to any length.
pub(super) fn beginnings(rulesets: &[&Ruleset]) -> Vec<String> {
    let mut beginnings = Vec::new();
    for scheme in schemes(rulesets) {
        for form in VALID {
            beginnings.push([&scheme, form].concat());
        }
    }
    beginnings.push(String::new());
    beginnings
}

/// Returns the listed schemes of all policies without repetitions, and those of the default.
fn schemes(rulesets: &[&Ruleset]) -> Vec<String> {
    let listed = rulesets.iter().flat_map(|ruleset| ruleset.schemes.iter());
    let mut schemes: Vec<String> = Vec::new();
    for scheme in listed
        .cloned()
        .chain(["https".to_string(), "a".to_string()])
    {
        if !schemes.contains(&scheme) {
            schemes.push(scheme);
        }
    }
    schemes
}

fn only_in(accepting: &Ruleset, rejecting: &Ruleset) -> Vec<String> {
    let mut schemes = accepting.schemes.to_vec();
    schemes.retain(|scheme| !rejecting.accepts_scheme(scheme));
    schemes
}

/// Returns a short scheme that is not in the list: `ftp`, or letters and a number.
fn unlisted_scheme(listed: &[String]) -> String {
    let letters = ('a'..='z').map(String::from);
    let numbered = (0..=listed.len()).map(|number| ["a", &number.to_string()].concat());
    let mut candidates = ["ftp".to_string()]
        .into_iter()
        .chain(letters)
        .chain(numbered);
    candidates
        .find(|scheme| !listed.contains(scheme))
        .unwrap_or_default()
}

fn each(schemes: &[String], forms: &[&str]) -> Vec<Json> {
    let mut uris = Vec::new();
    for scheme in schemes {
        for form in forms {
            uris.push(quoted(&[scheme, *form].concat()));
        }
    }
    uris
}
