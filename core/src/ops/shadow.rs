//! Two policies side by side: the requests that only one of them accepts.
//!
//! # The algorithm
//!
//! Most requests break no rule about which the policies differ, so both decide them in the same way.
//! To find these requests with one validation instead of two, a third policy is prepared: its
//! settings are the stricter ones of both, and each rule has the higher severity. What breaks a rule
//! under one of the two policies breaks it under this one too. If a request breaks none of the rules
//! about which the policies differ, its violations are the same under all three. Otherwise, both
//! policies validate it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::json::bit;
use crate::money::Currency;
use crate::ops::compare_policies::PolicyChange;
use crate::policy::Ruleset;
use crate::policy::settings::{AmountBounds, Limits, Policy};
use crate::report::code::{Code, Severity};
use crate::report::{Report, ReportBuilder};
use crate::types::timestamp::Timestamp;
use crate::validate::request::{RequestBody, RuleInputs, validate};

/// A policy that is evaluated beside another one.
///
/// `merchant_not_allowed` is not compared, since it depends on the credential and not on the body
/// alone.
///
/// [`Engine::shadow`](crate::Engine::shadow) creates
/// it.
///
/// ```
/// use payspec::{Code, Engine, PolicyChange};
///
/// let before = Engine::default();
/// let after = Engine::from_json(r#"{"severity":{"unknown_member":"error"}}"#)?;
/// let shadow = before.shadow(&after);
///
/// let body = br#"{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;
/// assert_eq!(shadow.compare(body, None), None);
///
/// let body = br#"{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":"990.50","x":1}"#;
/// let difference = shadow.compare(body, None).expect("only the first policy accepts it");
/// assert_eq!(difference.change, PolicyChange::Narrower);
/// assert_eq!(difference.rules, [Code::UnknownMember]);
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shadow {
    before: Ruleset,
    after: Ruleset,
    strictest: Ruleset,
    /// One bit for each rule about which the policies differ.
    differing: u64,
}

/// The difference between two policies for one request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShadowDifference {
    /// `narrower` if only the first policy accepts the request, otherwise `wider`.
    pub change: PolicyChange,
    /// The rules that the request breaks under the other policy, each once.
    pub rules: Vec<Code>,
}

impl Shadow {
    pub(crate) fn new(before: &Ruleset, after: &Ruleset) -> Self {
        Shadow {
            strictest: Ruleset::new(strictest(before, after)),
            differing: Code::ALL
                .iter()
                .filter(|code| differs(before, after, **code))
                .fold(0, |codes, code| codes | bit(code.index())),
            before: before.clone(),
            after: after.clone(),
        }
    }

    /// Returns the difference between the policies for a body, or `None` if both accept or both
    /// reject it.
    ///
    /// If the body breaks no rule about which the policies differ, this is one validation.
    pub fn compare(&self, body: &[u8], now: Option<Timestamp>) -> Option<ShadowDifference> {
        let limit = self.strictest.report_builder();
        let report = report(&self.strictest, body, now, limit);
        let mut violations = report.violations().iter();
        let decides = violations.any(|violation| self.has(violation.code()));
        if !decides && !report.is_truncated() {
            return None;
        }
        let (before, after) = (
            complete_report(&self.before, body, now),
            complete_report(&self.after, body, now),
        );
        let (change, rejecting) = match (before.is_valid(), after.is_valid()) {
            (true, false) => (PolicyChange::Narrower, &after),
            (false, true) => (PolicyChange::Wider, &before),
            _ => return None,
        };
        let mut rules = Vec::new();
        for violation in rejecting.violations() {
            let is_error = violation.severity() == Severity::Error;
            if is_error && !rules.contains(&violation.code()) {
                rules.push(violation.code());
            }
        }
        Some(ShadowDifference { change, rules })
    }

    fn has(&self, code: Code) -> bool {
        self.differing & bit(code.index()) != 0
    }
}

#[inline]
fn report<'a>(
    ruleset: &Ruleset,
    bytes: &'a [u8],
    now: Option<Timestamp>,
    mut report: ReportBuilder<'a>,
) -> Report {
    let mut body = RequestBody::new();
    match body.read(ruleset, bytes) {
        Ok(()) => validate(ruleset, &body, RuleInputs::at(now), &mut report),
        Err(error) => error.report(&mut report),
    }
    report.into()
}

/// Returns the report with all violations, also beyond the policy's limit. It is kept out of the
/// common case.
#[cold]
fn complete_report(ruleset: &Ruleset, bytes: &[u8], now: Option<Timestamp>) -> Report {
    report(ruleset, bytes, now, ReportBuilder::new(usize::MAX))
}

/// Returns whether a rule can decide otherwise under the second policy.
fn differs(before: &Ruleset, after: &Ruleset, code: Code) -> bool {
    let (first, second) = (&before.policy, &after.policy);
    let has_other_settings = match code {
        Code::BodyTooLarge => first.limits.body_bytes != second.limits.body_bytes,
        Code::TooDeep => first.limits.depth != second.limits.depth,
        Code::Missing => before.required != after.required,
        Code::AmountOutOfBounds => first.limits.amount != second.limits.amount,
        Code::CurrencyNotAllowed => first.currencies != second.currencies,
        Code::UriScheme => first.urls != second.urls,
        Code::TextTooLong => {
            let lengths = |limits: &Limits| {
                (
                    limits.text_chars,
                    limits.description_chars,
                    limits.uri_bytes,
                )
            };
            lengths(&first.limits) != lengths(&second.limits)
        }
        Code::IntegerRange => {
            first.limits.time_to_complete_payment != second.limits.time_to_complete_payment
        }
        _ => false,
    };
    has_other_settings || before.severity(code) != after.severity(code)
}

/// Returns the policy with the stricter settings of two.
fn strictest(before: &Ruleset, after: &Ruleset) -> Policy {
    let (first, second) = (&before.policy, &after.policy);
    let mut policy = first.clone();
    for code in Code::ALL.iter().filter(|code| code.is_adjustable()) {
        let severity = before.severity(*code).max(after.severity(*code));
        policy.severity.insert(*code, severity);
    }
    policy.required.extend(second.required.iter().cloned());
    policy.limits = limits(&first.limits, &second.limits);
    if let Some(accepted) = &second.currencies {
        policy.currencies = Some(match policy.currencies {
            None => accepted.clone(),
            Some(mut currencies) => {
                currencies.retain(|currency| accepted.contains(currency));
                currencies
            }
        });
    }
    let accepted = &second.urls.schemes;
    policy
        .urls
        .schemes
        .retain(|scheme| accepted.contains(scheme));
    policy
}

fn limits(first: &Limits, second: &Limits) -> Limits {
    let mut limits = first.clone();
    limits.body_bytes = first.body_bytes.min(second.body_bytes);
    limits.depth = first.depth.min(second.depth);
    // A list that is cut does not show that both policies agree.
    limits.violations = first.violations.max(second.violations);
    limits.text_chars = first.text_chars.min(second.text_chars);
    limits.description_chars = first.description_chars.min(second.description_chars);
    limits.uri_bytes = first.uri_bytes.min(second.uri_bytes);
    let (time, other) = (
        &mut limits.time_to_complete_payment,
        second.time_to_complete_payment,
    );
    time.min = time.min.max(other.min);
    time.max = time.max.min(other.max);
    add_bounds(&mut limits.amount, &second.amount);
    limits
}

/// Adds bounds, of which the narrower ones of each currency remain.
fn add_bounds(
    bounds: &mut BTreeMap<Currency, AmountBounds>,
    others: &BTreeMap<Currency, AmountBounds>,
) {
    for (currency, other) in others {
        let known = bounds
            .entry(*currency)
            .or_insert(AmountBounds::new(None, None));
        // None is less than any amount, so an open end needs a case of its own above.
        known.min = known.min.max(other.min);
        known.max = match (known.max, other.max) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }
}
