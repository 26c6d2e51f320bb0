//! For each field, a short value that some policies accept.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::amounts::AmountRange;
use super::draft::{Draft, EMPTY_OBJECT, Json, quoted, slots};
use super::uris;
use crate::money::Currency;
use crate::policy::{MAX_SAFE_INTEGER, Ruleset};
use crate::report::code::{Code, Severity};
use crate::schema::request::RequestField;
use crate::validate::request::accepts;

/// A value of each field that all of some policies accept.
pub(super) struct Values {
    by_slot: Vec<Option<Json>>,
    /// A currency and an amount that are accepted together.
    pub(super) money: Option<(Json, Json)>,
}

impl Values {
    /// Selects values that all of these policies accept.
    pub(super) fn new(rulesets: &[&Ruleset]) -> Self {
        let without_others = WithoutOthers::new(rulesets);
        let select = |slot| {
            let mut candidates = candidates(slot, rulesets).into_iter();
            candidates.find(|value| without_others.accept(&[(slot, value)]))
        };
        Values {
            by_slot: slots().map(select).collect(),
            money: money(rulesets, &without_others),
        }
    }

    /// Returns the value of the field in a slot, if there is one that all policies accept.
    pub(super) fn get(&self, slot: usize) -> Option<Json> {
        self.by_slot.get(slot)?.clone()
    }
}

/// Policies that accept a body without the required members, so that one member can be validated
/// alone.
struct WithoutOthers(Vec<Ruleset>);

impl WithoutOthers {
    fn new(rulesets: &[&Ruleset]) -> Self {
        let relaxed = |ruleset: &&Ruleset| {
            let mut policy = ruleset.policy.clone();
            policy.severity.insert(Code::Missing, Severity::Off);
            policy.limits.body_bytes = MAX_SAFE_INTEGER;
            Ruleset::new(policy)
        };
        WithoutOthers(rulesets.iter().map(relaxed).collect())
    }

    /// Returns whether all policies accept a body that consists of these members.
    fn accept(&self, members: &[(usize, &Json)]) -> bool {
        let mut draft = Draft::new();
        for (slot, value) in members {
            draft.set(*slot, (*value).clone());
        }
        let text = draft.text();
        self.0
            .iter()
            .all(|ruleset| accepts(ruleset, text.as_bytes(), None))
    }
}

/// Returns values of a field, one of which is valid if any value is.
fn candidates(slot: usize, rulesets: &[&Ruleset]) -> Vec<Json> {
    let pointer = RequestField::FIELDS
        .get(slot)
        .map_or("", |field| field.pointer);
    let fixed = match pointer {
        "/callback" | "/redirect_url" => return uris::valid(rulesets),
        "/time_to_complete_payment" => return durations(rulesets),
        "/pay_in_details" | "/pay_out_details" | "/pay_in_details/card" => EMPTY_OBJECT,
        "/host2host" => Cow::Borrowed("false"),
        "/pay_in_details/card/card_number" | "/pay_out_details/card_number" => {
            quoted("4111111111111111")
        }
        "/pay_in_details/card/expiry_year" => Cow::Borrowed("2099"),
        "/pay_in_details/card/expiry_month" => Cow::Borrowed("12"),
        "/pay_in_details/card/security_code" => quoted("123"),
        "/pay_out_details/phone_number" => quoted("79161234567"),
        // A text of one character is within all limits.
        _ => quoted("a"),
    };
    vec![fixed]
}

/// Returns the smallest and the largest duration that all policies accept.
fn durations(rulesets: &[&Ruleset]) -> Vec<Json> {
    let bounds = |ruleset: &&Ruleset| ruleset.policy.limits.time_to_complete_payment;
    let min = rulesets.iter().map(|ruleset| bounds(ruleset).min).max();
    let max = rulesets.iter().map(|ruleset| bounds(ruleset).max).min();
    let ends = min.into_iter().chain(max);
    ends.map(|end| Cow::Owned(end.to_string())).collect()
}

/// Selects a currency and an amount in it.
fn money(rulesets: &[&Ruleset], without_others: &WithoutOthers) -> Option<(Json, Json)> {
    let usual = ["RUB", "USD", "EUR", "JPY"].into_iter();
    let currencies = usual.filter_map(Currency::from_code).chain(Currency::all());
    for currency in currencies {
        let cur = quoted(currency.code());
        let samples = AmountRange::new(rulesets, currency).samples();
        for amount in samples.into_iter().chain([quoted("x")]) {
            let members = [
                (RequestField::Cur.slot(), &cur),
                (RequestField::Amount.slot(), &amount),
            ];
            if without_others.accept(&members) {
                return Some((cur, amount));
            }
        }
    }
    let unknown = (quoted("usd"), quoted("1"));
    let members = [
        (RequestField::Cur.slot(), &unknown.0),
        (RequestField::Amount.slot(), &unknown.1),
    ];
    without_others.accept(&members).then_some(unknown)
}
