//! The result of a comparison of two policies, and its JSON form.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::json::writer::Writer;
use crate::report::code::Code;
use crate::types::timestamp::Timestamp;
use crate::util::string_enum::string_enum;

string_enum! {
    /// The relation between the sets of requests that two policies accept.
    PolicyRelation {
        /// Both policies accept the same requests.
        Equal = "equal",
        /// The second policy accepts every request that the first one accepts, and others.
        Wider = "wider",
        /// The first policy accepts every request that the second one accepts, and others.
        Narrower = "narrower",
        /// Each policy accepts a request that the other one rejects.
        Incomparable = "incomparable",
    }
}

string_enum! {
    /// The effect of one difference between two policies.
    PolicyChange {
        /// The second policy accepts a request that breaks a rule of the first one.
        Wider = "wider",
        /// The first policy accepts a request that breaks a rule of the second one.
        Narrower = "narrower",
        /// The difference does not decide which requests are accepted.
        Other = "other",
    }
}

/// The differences between two policies, and the relation between the requests that they accept.
///
/// ```
/// use payspec::{ComparePoliciesContext, Engine, Policy, PolicyRelation};
///
/// let mut after = Policy::default();
/// after.required.push("/merchant_id".into());
/// let context = ComparePoliciesContext::new(Policy::default(), after)?;
/// let (before, after) = (Engine::new(context.before().clone())?, Engine::new(context.after().clone())?);
/// let comparison = Engine::default().compare_policies(&context);
/// assert_eq!(comparison.relation, PolicyRelation::Narrower);
///
/// let difference = &comparison.differences[0];
/// assert_eq!(difference.path, "/required");
/// let witness = difference.witness.as_ref().expect("a body without merchant_id");
/// assert!(before.is_valid_request(witness.body.as_bytes(), witness.now));
/// assert!(!after.is_valid_request(witness.body.as_bytes(), witness.now));
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PolicyComparison {
    /// The relation of the second policy to the first one.
    pub relation: PolicyRelation,
    /// The differences, in the order of the members of a policy. A list whose items were replaced
    /// has two entries: one for the requests that it now accepts, and one for those that it now
    /// rejects.
    pub differences: Vec<PolicyDifference>,
}

/// One difference between two policies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PolicyDifference {
    /// The JSON Pointer of the setting in a policy.
    pub path: String,
    /// The effect of the difference.
    pub change: PolicyChange,
    /// A request that exactly one of the two policies accepts. It is absent if the change is
    /// `other`, or if the body would have more than 1 MiB.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub witness: Option<PolicyWitness>,
    /// The rule to which the setting belongs, if there is one. It is not part of the JSON form.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub rule: Option<Code>,
}

/// A request that exactly one of two policies accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PolicyWitness {
    /// The text of the body. It contains no data of a client; a card number in it is a test number.
    pub body: String,
    /// The time of the validation, if the difference depends on it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub now: Option<Timestamp>,
}

impl PolicyComparison {
    /// Derives the relation from the differences.
    pub(super) fn new(differences: Vec<PolicyDifference>) -> Self {
        let has = |change| differences.iter().any(|one| one.change == change);
        let relation = match (has(PolicyChange::Wider), has(PolicyChange::Narrower)) {
            (false, false) => PolicyRelation::Equal,
            (true, false) => PolicyRelation::Wider,
            (false, true) => PolicyRelation::Narrower,
            (true, true) => PolicyRelation::Incomparable,
        };
        PolicyComparison {
            relation,
            differences,
        }
    }

    /// Appends the JSON form.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("relation").string(self.relation.name());
            w.name("differences").array(|w| {
                self.differences
                    .iter()
                    .for_each(|difference| difference.write(w))
            });
        });
    }
}

impl PolicyDifference {
    fn write(&self, w: &mut Writer<'_>) {
        w.object(|w| {
            w.name("path").string(&self.path);
            w.name("change").string(self.change.name());
            let Some(witness) = &self.witness else { return };
            w.name("witness").object(|w| {
                w.name("body").string(&witness.body);
                if let Some(now) = &witness.now {
                    w.name("now").string(&now.to_string());
                }
            });
        });
    }
}
