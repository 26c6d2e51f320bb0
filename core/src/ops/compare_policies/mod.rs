//! `compare_policies`: whether a policy accepts more or fewer requests than another one.
//!
//! # The algorithm
//!
//! A policy accepts a request if the request breaks no rule whose severity is `error`. Each rule
//! concerns one member, or a few that belong together: currency and amount, the members of a card,
//! and the members that make the *kind* of a body (`payment_type`, `mode`, `subtype`, `host2host`,
//! and its objects). Size and depth concern the whole body. So a policy accepts the combinations of
//! members of which each part is accepted, and two policies can be compared part by part:
//!
//! 1. For each setting with different values, one direction is possible: only the policy with the
//!    looser value can accept a request that breaks the rule of the other one. A list that has lost
//!    and gained items has both directions.
//! 2. A small body of each kind is built that both policies accept, or at least the policy with the
//!    looser value. Members that a policy requires have short values that it accepts.
//! 3. In these bodies, the part that the setting concerns is replaced with each value that matters
//!    to its rule: an amount just below a minimum, a text with one character too many, a card
//!    number with a wrong check digit, and so on. These values are complete: if the looser policy
//!    accepts any value that breaks the rule of the other one, it accepts one of these (`breaks.rs`,
//!    `setting.rs`). Bounds of amounts are compared as ranges of integers (`amounts.rs`).
//! 4. Both policies validate the changed body. If the looser one accepts it, and if the other one
//!    rejects it by this rule, it is the witness, and the difference is `wider` or `narrower`.
//!    Without a witness, another setting masks the difference, which is then `other`: a limit
//!    whose rule is off, the minimum of a currency that is not accepted, and so on.
//!
//! The relation follows from the differences. A request that only the second policy accepts breaks a
//! rule of the first one. It does not break that rule in the second policy, so a setting of the rule
//! differs, and step 3 finds a request for this setting. No sampling is involved.
//!
//! A `limits.body_bytes` of less than about 1000 bytes can exclude the bodies of step 2. They are
//! short, but a still shorter body that breaks the same rule may exist. Then the difference is
//! `other`, although it decides whether that body is accepted.

mod amounts;
mod breaks;
mod change;
mod comparison;
mod draft;
mod kinds;
mod search;
mod setting;
mod uris;
mod values;

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

pub use comparison::{
    PolicyChange, PolicyComparison, PolicyDifference, PolicyRelation, PolicyWitness,
};
use search::{Found, Search};
use setting::Setting;

use crate::money::Currency;
use crate::policy::{Policy, Ruleset};
use crate::report::code::Code;
use crate::types::payment_type::{Mode, PaymentType};

/// Compares two policies.
pub(crate) fn compare(before: &Ruleset, after: &Ruleset) -> PolicyComparison {
    let mut differences = Vec::new();
    if before.policy != after.policy {
        let comparison = Comparison {
            before,
            after,
            wider: Search::new(after, before),
            narrower: Search::new(before, after),
        };
        comparison.add_all(&mut differences);
    }
    PolicyComparison::new(differences)
}

/// Returns a small body of a variant and mode that a policy accepts.
pub(crate) fn example(ruleset: &Ruleset, payment_type: PaymentType, mode: Mode) -> Option<String> {
    kinds::body_of(ruleset, payment_type, mode).map(|draft| draft.text())
}

/// A comparison of two policies in progress.
struct Comparison<'p> {
    before: &'p Ruleset,
    after: &'p Ruleset,
    /// The search for a request that only `after` accepts.
    wider: Search<'p>,
    /// The search for a request that only `before` accepts.
    narrower: Search<'p>,
}

impl Comparison<'_> {
    /// Adds all differences, in the order of the members of a policy.
    fn add_all(&self, differences: &mut Vec<PolicyDifference>) {
        let (before, after) = (&self.before.policy, &self.after.policy);
        let mut add = |setting| self.add(setting, differences);
        Code::ALL
            .iter()
            .copied()
            .map(Setting::Severity)
            .for_each(&mut add);
        [Setting::Required, Setting::BodyBytes, Setting::Depth]
            .into_iter()
            .for_each(&mut add);
        add_other(
            "/limits/violations",
            before.limits.violations == after.limits.violations,
            differences,
        );
        let mut add = |setting| self.add(setting, differences);
        [
            Setting::TextChars,
            Setting::DescriptionChars,
            Setting::UriBytes,
        ]
        .into_iter()
        .for_each(&mut add);
        for currency in Currency::all() {
            add(Setting::AmountMin(currency));
            add(Setting::AmountMax(currency));
        }
        [
            Setting::DurationMin,
            Setting::DurationMax,
            Setting::Currencies,
            Setting::Schemes,
        ]
        .into_iter()
        .for_each(&mut add);
        for (path, is_equal) in undecisive(before, after) {
            add_other(path, is_equal, differences);
        }
    }

    /// Adds the differences of a setting that decides which requests are accepted.
    fn add(&self, setting: Setting, differences: &mut Vec<PolicyDifference>) {
        if !setting.differs(self.before, self.after) {
            return;
        }
        let directions = [
            (PolicyChange::Wider, &self.wider),
            (PolicyChange::Narrower, &self.narrower),
        ];
        let known = differences.len();
        for (change, search) in directions {
            let witness = match search.find(setting) {
                Found::None => continue,
                Found::Witness(witness) => Some(witness),
                Found::TooLong => None,
            };
            differences.push(difference(setting, change, witness));
        }
        if differences.len() == known {
            differences.push(difference(setting, PolicyChange::Other, None));
        }
    }
}

fn difference(
    setting: Setting,
    change: PolicyChange,
    witness: Option<PolicyWitness>,
) -> PolicyDifference {
    PolicyDifference {
        path: setting.path(),
        change,
        witness,
        rule: Some(setting.rule()),
    }
}

/// Returns the path of each later setting that does not decide which requests are accepted, and
/// whether its values are equal.
fn undecisive(before: &Policy, after: &Policy) -> Vec<(&'static str, bool)> {
    let (one, other) = (&before.crypto, &after.crypto);
    vec![
        ("/crypto/scale", one.scale == other.scale),
        ("/crypto/rounding", one.rounding == other.rounding),
        (
            "/crypto/max_quote_age_ms",
            one.max_quote_age_ms == other.max_quote_age_ms,
        ),
        (
            "/idempotency/window_ms",
            before.idempotency == after.idempotency,
        ),
        (
            "/invalid_request_status",
            before.invalid_request_status == after.invalid_request_status,
        ),
        (
            "/fingerprint_key",
            before.fingerprint_key == after.fingerprint_key,
        ),
        ("/transitions", before.transitions == after.transitions),
    ]
}

/// Adds the difference of a setting that does not decide which requests are accepted.
fn add_other(path: &str, is_equal: bool, differences: &mut Vec<PolicyDifference>) {
    if !is_equal {
        differences.push(PolicyDifference {
            path: path.into(),
            change: PolicyChange::Other,
            witness: None,
            rule: None,
        });
    }
}
