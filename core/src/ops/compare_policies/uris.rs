//! URIs of each kind that the rules distinguish.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::draft::{Json, quoted};
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};

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
    let mut uris = each(&accepted_schemes(rulesets), &VALID);
    uris.push(quoted(NO_SCHEME));
    uris
}

/// Returns URIs with credentials.
pub(super) fn with_credentials(accepting: &Ruleset) -> Vec<Json> {
    each(&accepted_schemes(&[accepting]), &CREDENTIALS)
}

/// Returns URIs with a private host.
pub(super) fn with_private_host(accepting: &Ruleset) -> Vec<Json> {
    each(&accepted_schemes(&[accepting]), &PRIVATE)
}

/// Returns URIs in a scheme that `rejecting` does not list: schemes of `accepting`, and one that is
/// in neither list.
pub(super) fn of_other_schemes(accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Json> {
    let mut schemes = selected(only_in(accepting, rejecting));
    schemes.push(unlisted_scheme(&rejecting.schemes));
    each(&schemes, &VALID)
}

/// Returns URIs in the schemes that only `accepting` lists.
pub(super) fn of_added_schemes(accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Json> {
    each(&selected(only_in(accepting, rejecting)), &VALID)
}

/// Returns the beginnings of URIs that can be continued to any length.
pub(super) fn beginnings(accepting: &Ruleset) -> Vec<String> {
    let mut beginnings = Vec::new();
    for scheme in accepted_schemes(&[accepting]) {
        for form in VALID {
            beginnings.push([&scheme, form].concat());
        }
    }
    beginnings.push(String::new());
    beginnings
}

/// Returns the schemes that a policy lists and another one does not.
pub(super) fn only_in<'p>(one: &'p Ruleset, other: &Ruleset) -> Vec<&'p str> {
    let listed = Sorted::new(other);
    let schemes = one.schemes.iter().map(String::as_str);
    schemes.filter(|scheme| !listed.contains(scheme)).collect()
}

/// The schemes of a policy, which may be many.
struct Sorted<'p>(Vec<&'p str>);

impl<'p> Sorted<'p> {
    fn new(ruleset: &'p Ruleset) -> Self {
        let mut schemes: Vec<_> = ruleset.schemes.iter().map(String::as_str).collect();
        schemes.sort_unstable();
        Sorted(schemes)
    }

    fn contains(&self, scheme: &str) -> bool {
        self.0.binary_search(&scheme).is_ok()
    }
}

/// Returns some schemes that all policies accept.
fn accepted_schemes(rulesets: &[&Ruleset]) -> Vec<String> {
    let is_strict = |ruleset: &&&Ruleset| ruleset.severity(Code::UriScheme) == Severity::Error;
    let strict = rulesets.iter().filter(is_strict);
    let lists: Vec<_> = strict.map(|ruleset| Sorted::new(ruleset)).collect();
    let mut schemes: Vec<&str> = ["https", "a"].into();
    for ruleset in rulesets {
        schemes.extend(ruleset.schemes.iter().map(String::as_str));
    }
    schemes.retain(|scheme| lists.iter().all(|list| list.contains(scheme)));
    selected(schemes)
}

/// Returns the first scheme, and the shortest ones. A URI of http or https must have a host, so that
/// of another scheme can be shorter.
fn selected(schemes: Vec<&str>) -> Vec<String> {
    let is_web = |scheme: &&&str| ["https", "http"].contains(*scheme);
    let first = schemes.first();
    let web = schemes
        .iter()
        .filter(is_web)
        .min_by_key(|scheme| scheme.len());
    let others = schemes.iter().filter(|scheme| !is_web(scheme));
    let other = others.min_by_key(|scheme| scheme.len());
    let mut selected: Vec<String> = Vec::new();
    for scheme in [first, web, other].into_iter().flatten() {
        if !selected.iter().any(|known| known == scheme) {
            selected.push((*scheme).into());
        }
    }
    selected
}

/// Returns a short scheme that is not in the list: `ftp`, or letters and a number.
fn unlisted_scheme(listed: &[String]) -> String {
    let letters = ('a'..='z').map(String::from);
    let numbered = (0..=listed.len()).map(|number| ["a", &number.to_string()].concat());
    let candidates = ["ftp".to_string()].into_iter().chain(letters);
    let mut candidates = candidates.chain(numbered);
    let mut sorted: Vec<_> = listed.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    candidates
        .find(|scheme| sorted.binary_search(&scheme.as_str()).is_err())
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
