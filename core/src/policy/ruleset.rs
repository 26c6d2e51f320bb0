//! A policy prepared for validation, which every operation below [`Engine`](crate::Engine) uses.

use super::Policy;
use crate::json::bit;
use crate::report::ReportBuilder;
use crate::report::code::{COUNT, Code, RULE_TABLE, Severity};
use crate::schema::request::{slot_at, variant_of};
use crate::types::payment_type::PaymentType;
use crate::util::bug::or_bug;

/// A policy, the severity of every rule under it, and the fields that it requires.
#[derive(Clone, Debug)]
pub(crate) struct Ruleset {
    policy: Policy,
    severities: [Severity; COUNT],
    /// The fields of the request that the policy requires, one bit for each slot.
    required: u64,
}

impl Ruleset {
    /// Prepares a policy that has been checked.
    pub(crate) fn new(policy: Policy) -> Ruleset {
        let mut severities = RULE_TABLE.each_ref().map(|rule| rule.severity);
        for (code, severity) in &policy.severity {
            if let Some(entry) = severities.get_mut(code.index()) {
                *entry = *severity;
            }
        }
        let slots = policy.required.iter().filter_map(|pointer| slot_at(pointer));
        let required = slots.fold(0, |bits, slot| bits | bit(slot));
        Ruleset { policy, severities, required }
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns the severity of a rule under the policy.
    #[inline]
    pub(crate) fn severity(&self, code: Code) -> Severity {
        or_bug(self.severities.get(code.index()).copied(), Severity::Error)
    }

    /// Returns an empty report that lists at most the number of violations that the policy allows.
    pub(crate) fn report_builder<'a>(&self) -> ReportBuilder<'a> {
        ReportBuilder::new(usize::try_from(self.policy.limits.violations).unwrap_or(usize::MAX))
    }

    /// Returns the fields that the policy requires in a body of this variant, without those that only the other variant
    /// has.
    #[inline]
    pub(crate) fn required_fields(&self, variant: Option<PaymentType>) -> u64 {
        if self.required == 0 {
            return 0;
        }
        let relevant = |slot: &usize| variant_of(*slot).is_none_or(|only| variant == Some(only));
        (0..64).filter(relevant).fold(0, |bits, slot| bits | bit(slot)) & self.required
    }
}
