//! A policy prepared for validation, which every operation below [`Engine`](crate::Engine) uses.

use alloc::string::String;
use alloc::sync::Arc;

use super::Limits;
use super::settings::Policy;
use crate::json::bit;
use crate::money::Currency;
use crate::report::ReportBuilder;
use crate::report::code::{Code, Severity};
use crate::schema::request::slot_at;
use crate::util::debug::impl_debug_of_fields;

/// A policy, and the sets and lists that the rules take from it.
#[derive(Clone)]
pub(crate) struct Ruleset {
    pub(crate) policy: Policy,
    pub(crate) lengths: Lengths,
    /// The fields that the policy requires, one bit for each slot.
    pub(crate) required: u64,
    /// The accepted schemes of URIs. Violations share the list.
    pub(crate) schemes: Arc<[String]>,
    /// The accepted currencies, if not all are accepted. Violations share the list.
    pub(crate) currencies: Option<Arc<[Currency]>>,
    /// One bit for each rule that is disabled.
    off: u64,
    /// One bit for each rule of severity `error`.
    errors: u64,
}

/// The limits of a policy that are compared with lengths.
#[derive(Clone, Copy)]
pub(crate) struct Lengths {
    /// The largest body, in bytes.
    pub(crate) body_bytes: usize,
    /// The largest number of levels of objects and arrays.
    pub(crate) depth: usize,
    /// The longest free text, in characters.
    pub(crate) text_chars: usize,
    /// The longest description, in characters.
    pub(crate) description_chars: usize,
    /// The longest URI, in bytes.
    pub(crate) uri_bytes: usize,
}

impl Lengths {
    fn new(limits: &Limits) -> Self {
        // A limit beyond the address space cannot be exceeded.
        let length = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        Lengths {
            body_bytes: length(limits.body_bytes),
            depth: length(limits.depth),
            text_chars: length(limits.text_chars),
            description_chars: length(limits.description_chars),
            uri_bytes: length(limits.uri_bytes),
        }
    }
}

// The bounds of amounts may contain a card number, which the policy masks.
impl_debug_of_fields! { Ruleset { policy } }

impl Ruleset {
    /// Prepares a policy that has been checked.
    pub(crate) fn new(policy: Policy) -> Ruleset {
        let (mut off, mut errors) = (0, 0);
        for code in Code::ALL {
            let set = policy.severity.get(code).copied();
            match set.unwrap_or(code.default_severity()) {
                Severity::Off => off |= bit(code.index()),
                Severity::Error => errors |= bit(code.index()),
                Severity::Warning => {}
            }
        }
        let required = policy.required.iter();
        let required_slots = required.filter_map(|pointer| slot_at(pointer));
        Ruleset {
            lengths: Lengths::new(&policy.limits),
            required: required_slots.fold(0, |slots, slot| slots | bit(slot)),
            schemes: policy.urls.schemes.as_slice().into(),
            currencies: policy.currencies.as_deref().map(Arc::from),
            off,
            errors,
            policy,
        }
    }

    /// Returns the severity of a rule.
    #[inline]
    pub(crate) fn severity(&self, code: Code) -> Severity {
        let rule = bit(code.index());
        if self.off & rule != 0 {
            Severity::Off
        } else if self.errors & rule != 0 {
            Severity::Error
        } else {
            Severity::Warning
        }
    }

    /// Returns whether a scheme is accepted, in any case.
    pub(crate) fn accepts_scheme(&self, scheme: &str) -> bool {
        self.schemes
            .iter()
            .any(|accepted| accepted.eq_ignore_ascii_case(scheme))
    }

    /// Returns an empty report that lists at most the number of violations that the policy allows.
    pub(crate) fn report_builder<'a>(&self) -> ReportBuilder<'a> {
        ReportBuilder::new(usize::try_from(self.policy.limits.violations).unwrap_or(usize::MAX))
    }
}
