//! The settings of a policy that decide which requests are accepted.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::amounts::{AmountRange, at_least, at_most, bounds};
use super::breaks;
use super::change::{Change, LONGEST, split};
use super::draft::{EMPTY_OBJECT, nested_arrays, quoted};
use super::uris;
use crate::money::{Amount, Currency};
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::schema::request::RequestField;

/// A setting that decides which requests are accepted.
#[derive(Clone, Copy)]
pub(super) enum Setting {
    Severity(Code),
    Required,
    BodyBytes,
    Depth,
    TextChars,
    DescriptionChars,
    UriBytes,
    AmountMin(Currency),
    AmountMax(Currency),
    DurationMin,
    DurationMax,
    Currencies,
    Schemes,
}

impl Setting {
    /// Returns the JSON Pointer in a policy.
    pub(super) fn path(self) -> String {
        let amount = |currency: Currency, end| ["/limits/amount/", currency.code(), end].concat();
        match self {
            Setting::Severity(code) => return ["/severity/", code.name()].concat(),
            Setting::AmountMin(currency) => return amount(currency, "/min"),
            Setting::AmountMax(currency) => return amount(currency, "/max"),
            Setting::Required => "/required",
            Setting::BodyBytes => "/limits/body_bytes",
            Setting::Depth => "/limits/depth",
            Setting::TextChars => "/limits/text_chars",
            Setting::DescriptionChars => "/limits/description_chars",
            Setting::UriBytes => "/limits/uri_bytes",
            Setting::DurationMin => "/limits/time_to_complete_payment/min",
            Setting::DurationMax => "/limits/time_to_complete_payment/max",
            Setting::Currencies => "/currencies",
            Setting::Schemes => "/urls/schemes",
        }
        .into()
    }

    /// Returns the rule to which the setting belongs.
    pub(super) fn rule(self) -> Code {
        match self {
            Setting::Severity(code) => code,
            Setting::Required => Code::Missing,
            Setting::BodyBytes => Code::BodyTooLarge,
            Setting::Depth => Code::TooDeep,
            Setting::TextChars | Setting::DescriptionChars | Setting::UriBytes => Code::TextTooLong,
            Setting::AmountMin(_) | Setting::AmountMax(_) => Code::AmountOutOfBounds,
            Setting::DurationMin | Setting::DurationMax => Code::IntegerRange,
            Setting::Currencies => Code::CurrencyNotAllowed,
            Setting::Schemes => Code::UriScheme,
        }
    }

    /// Returns whether `one` and `other` have different values.
    pub(super) fn differs(self, one: &Ruleset, other: &Ruleset) -> bool {
        match self {
            Setting::Severity(code) => one.severity(code) != other.severity(code),
            Setting::Currencies if one.currencies.is_some() != other.currencies.is_some() => true,
            _ => self.is_looser(one, other) || self.is_looser(other, one),
        }
    }

    /// Returns whether the value of `one` permits something that the value of `other` does not
    /// permit, without regard to other settings.
    pub(super) fn is_looser(self, one: &Ruleset, other: &Ruleset) -> bool {
        let (one_limits, other_limits) = (&one.policy.limits, &other.policy.limits);
        let duration = |ruleset: &Ruleset| ruleset.policy.limits.time_to_complete_payment;
        match self {
            Setting::Severity(code) => {
                one.severity(code) != Severity::Error && other.severity(code) == Severity::Error
            }
            Setting::Required => other.required & !one.required != 0,
            Setting::BodyBytes => one_limits.body_bytes > other_limits.body_bytes,
            Setting::Depth => one_limits.depth > other_limits.depth,
            Setting::TextChars => one_limits.text_chars > other_limits.text_chars,
            Setting::DescriptionChars => {
                one_limits.description_chars > other_limits.description_chars
            }
            Setting::UriBytes => one_limits.uri_bytes > other_limits.uri_bytes,
            Setting::AmountMin(currency) => {
                let min = |ruleset| bounds(ruleset, currency).min.unwrap_or(Amount::ZERO);
                min(one) < min(other)
            }
            Setting::AmountMax(currency) => {
                let [one, other] = [one, other].map(|ruleset| bounds(ruleset, currency).max);
                other.is_some_and(|other| one.is_none_or(|one| one > other))
            }
            Setting::DurationMin => duration(one).min < duration(other).min,
            Setting::DurationMax => duration(one).max > duration(other).max,
            Setting::Currencies => {
                is_longer(one.currencies.as_deref(), other.currencies.as_deref())
            }
            Setting::Schemes => !uris::only_in(one, other).is_empty(),
        }
    }

    /// Returns changes of a valid body that `accepting` permits by this setting and that
    /// `rejecting` does not permit.
    pub(super) fn changes(self, accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Change> {
        let limits = &rejecting.policy.limits;
        match self {
            Setting::Severity(code) => breaks::changes(code, accepting, rejecting),
            Setting::Required => breaks::missing(rejecting.required & !accepting.required),
            Setting::BodyBytes => vec![Change::extend_to(limits.body_bytes.saturating_add(1))],
            Setting::Depth => too_deep(limits.depth),
            Setting::TextChars => breaks::long_lines(limits.text_chars),
            Setting::DescriptionChars => breaks::long_descriptions(limits.description_chars),
            Setting::UriBytes => breaks::long_uris(limits.uri_bytes, accepting),
            Setting::AmountMin(currency) => below_min(currency, accepting, rejecting),
            Setting::AmountMax(currency) => above_max(currency, accepting, rejecting),
            Setting::DurationMin => {
                let least = limits.time_to_complete_payment.min.saturating_sub(1);
                let most = accepting.policy.limits.time_to_complete_payment.max;
                vec![breaks::duration(least), breaks::duration(least.min(most))]
            }
            Setting::DurationMax => {
                let most = limits.time_to_complete_payment.max.saturating_add(1);
                let least = accepting.policy.limits.time_to_complete_payment.min;
                vec![breaks::duration(most), breaks::duration(most.max(least))]
            }
            Setting::Currencies => breaks::other_currencies(accepting, rejecting),
            Setting::Schemes => {
                breaks::each(&breaks::URIS, &uris::of_added_schemes(accepting, rejecting))
            }
        }
    }
}

/// Returns whether a list of currencies has one that another list does not have. Without a list, a
/// policy has all currencies, and also codes that are not.
fn is_longer(one: Option<&[Currency]>, other: Option<&[Currency]>) -> bool {
    match (one, other) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(one), Some(other)) => one.iter().any(|currency| !other.contains(currency)),
    }
}

/// Returns values that nest deeper than a limit: arrays in a member whose value is not checked, and
/// the objects of the schema.
fn too_deep(limit: u64) -> Vec<Change> {
    // The body itself is one level.
    let (levels, omitted) = split(limit);
    let arrays = || nested_arrays(levels);
    let of_arrays = [
        Change::add_unknown("x", arrays()),
        Change::set(RequestField::System, arrays()),
        Change::repeat(RequestField::Cur, arrays()),
    ];
    // Each level has two brackets.
    let omitted = omitted.saturating_mul(2);
    let mut changes: Vec<_> = of_arrays
        .into_iter()
        .map(|change| change.omitting(omitted))
        .collect();
    if limit < LONGEST {
        changes.push(Change::set(RequestField::PayOutDetails, EMPTY_OBJECT));
        changes.push(Change::set(RequestField::PayInDetails, EMPTY_OBJECT));
        changes.push(Change::set(RequestField::Card, EMPTY_OBJECT));
        changes.push(Change::default());
    }
    changes
}

/// Returns amounts below the minimum of `rejecting`.
fn below_min(currency: Currency, accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Change> {
    let Some(min) = bounds(rejecting, currency).min.map(at_least) else {
        return Vec::new();
    };
    amounts(currency, accepting, |range| {
        range.high = range.high.min(min.saturating_sub(1));
        min
    })
}

/// Returns amounts above the maximum of `rejecting`.
fn above_max(currency: Currency, accepting: &Ruleset, rejecting: &Ruleset) -> Vec<Change> {
    let Some(max) = bounds(rejecting, currency).max.map(at_most) else {
        return Vec::new();
    };
    amounts(currency, accepting, |range| {
        range.low = range.low.max(max.saturating_add(1));
        max
    })
}

/// Returns amounts of `accepting` after a restriction of their range, which returns the bound that
/// they are beyond. Amounts of whole units are first.
fn amounts(
    currency: Currency,
    accepting: &Ruleset,
    restrict: impl Fn(&mut AmountRange) -> u128,
) -> Vec<Change> {
    let mut range = AmountRange::new(&[accepting], currency);
    let boundary = restrict(&mut range);
    let mut amounts = range.in_smallest_units(currency).ends_near(boundary);
    amounts.extend(range.ends_near(boundary));
    let set = |amount| {
        Change::set(RequestField::Amount, amount).and(RequestField::Cur, quoted(currency.code()))
    };
    amounts.into_iter().map(set).collect()
}
