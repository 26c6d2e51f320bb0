//! A policy prepared for validation, which every operation below [`Engine`](crate::Engine) uses.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::Policy;
use super::view::{PolicyView, RuleSettings};
use crate::json::bit;
use crate::report::ReportBuilder;
use crate::report::code::{Code, RULES, Severity};
use crate::schema::request::slot_at;
use crate::util::debug::impl_debug_of_fields;

/// A policy, and its settings in the form that the rules use.
#[derive(Clone)]
pub(crate) struct Ruleset {
    pub(crate) policy: Policy,
    pub(crate) settings: RuleSettings,
    /// One bit for each rule that is disabled.
    off: u64,
    /// One bit for each rule of severity `error`.
    errors: u64,
    currencies: Vec<u8>,
    schemes: Vec<u8>,
    /// Wiped when it is dropped, because a bound may be a card number by mistake.
    bounds: Zeroizing<Vec<u8>>,
}

/// The greatest length of the bounds of a currency: its code, two amounts of 28 digits with `0.`,
/// and two zero bytes.
const MAX_ENTRY: usize = 65;

// The bounds may contain a card number, which the policy masks.
impl_debug_of_fields! { Ruleset { policy } }

/// Returns a limit, as far as an address space reaches.
fn size(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

impl Ruleset {
    /// Prepares a policy that has been checked.
    pub(crate) fn new(policy: Policy) -> Ruleset {
        let limits = &policy.limits;
        let time = limits.time_to_complete_payment;
        let mut settings = RuleSettings {
            body_bytes: size(limits.body_bytes),
            depth: size(limits.depth),
            text_chars: size(limits.text_chars),
            description_chars: size(limits.description_chars),
            uri_bytes: size(limits.uri_bytes),
            time_to_complete: [time.min, time.max],
            ..RuleSettings::default()
        };
        let (mut off, mut errors) = (0, 0);
        for rule in RULES {
            let set = match policy.severity.get(&rule.code).unwrap_or(&rule.severity) {
                Severity::Off => &mut off,
                Severity::Error => &mut errors,
                Severity::Warning => continue,
            };
            *set |= bit(rule.code.index());
        }
        let slots = policy
            .required
            .iter()
            .filter_map(|pointer| slot_at(pointer));
        settings.required = slots.fold(0, |bits, slot| bits | bit(slot));
        let (mut currencies, mut schemes) = (Vec::new(), Vec::new());
        for currency in policy.currencies.iter().flatten() {
            currencies.extend_from_slice(currency.code().as_bytes());
        }
        for scheme in &policy.urls.schemes {
            schemes.push(0);
            schemes.extend_from_slice(scheme.as_bytes());
        }
        // The full capacity is reserved, because a vector that grows leaves a copy.
        let mut bounds = Zeroizing::new(Vec::with_capacity(
            limits.amount.iter().len().saturating_mul(MAX_ENTRY),
        ));
        for (currency, range) in &limits.amount {
            bounds.extend_from_slice(currency.code().as_bytes());
            for bound in [range.min, range.max] {
                bound
                    .iter()
                    .for_each(|amount| amount.write_text(&mut bounds));
                bounds.push(0);
            }
        }
        Ruleset {
            policy,
            settings,
            off,
            errors,
            currencies,
            schemes,
            bounds,
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

    /// Returns the settings in the form that the rules use.
    #[inline]
    pub(crate) fn view(&self) -> PolicyView<'_, &[u8]> {
        PolicyView {
            settings: &self.settings,
            currencies: self
                .policy
                .currencies
                .is_some()
                .then_some(&*self.currencies),
            schemes: &self.schemes,
            bounds: &self.bounds,
        }
    }

    /// Returns an empty report that lists at most the number of violations that the policy allows.
    pub(crate) fn report_builder<'a>(&self) -> ReportBuilder<'a> {
        ReportBuilder::new(usize::try_from(self.policy.limits.violations).unwrap_or(usize::MAX))
    }
}
