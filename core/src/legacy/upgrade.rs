//! upgrade_payment: a payment as the earlier interface told it, in the members of §2.1.

use super::rewrite::{ChangeKind, Rewrite, Rewritten, json};
use super::table::{Line, response_line};
use crate::kinds::{PaymentType, Subtype};
use crate::payment::PAYMENT;
use crate::read::{Stray, Text, Value};
use crate::state::{LegacyFlags, State};

/// Each boolean in its two spellings.
const FLAGS: [[&str; 2]; 3] =
    [["isCompleted", "is_completed"], ["isSucceed", "is_succeed"], ["isPartiallyCompleted", "is_partially_completed"]];

pub(crate) fn upgrade_payment(strays: &[Stray<'_>]) -> Rewritten {
    let mut rewrite = Rewrite::new(strays);
    for (name, value) in rewrite.source() {
        let earlier = name.decode();
        match response_line(name) {
            // The state, below.
            Some(Line { kind: ChangeKind::Derived, .. }) => {}
            Some(Line { .. }) if name.is("type") || name.is("method") => kind(&mut rewrite, name, value),
            Some(Line { current: Some(successor), .. }) if rewrite.given(successor).is_some() => {
                rewrite.unresolved(&earlier, "its successor is given too, and counts");
            }
            Some(Line { current: Some(successor), kind, .. }) => {
                rewrite.change(Some(&earlier), Some(successor), *kind);
                rewrite.put(*successor, json(value));
            }
            Some(line) => rewrite.change(Some(&earlier), None, line.kind),
            None if name.is("info") => info(&mut rewrite, value),
            None => rewrite.put(name.decode(), json(value)),
        }
    }
    state(&mut rewrite);
    always_there(&mut rewrite);
    rewrite.finish(&|name| PAYMENT.find_str(name).map(|(slot, _)| slot))
}

/// `type` and `method` by what they say: which of the two held which is not shown.
fn kind<'a>(rewrite: &mut Rewrite<'a>, name: Text<'a>, value: Value<'a>) {
    let word = value.text().map(Text::decode);
    let successor = match word.as_deref() {
        Some(word) if PaymentType::from_name(word).is_some() => Some("payment_type"),
        Some(word) if Subtype::from_name(word).is_some() => Some("subtype"),
        _ => None,
    };
    match successor {
        Some(successor) if rewrite.has(successor) || rewrite.given(successor).is_some() => {
            rewrite.unresolved(&name.decode(), "its successor is given too, and counts");
        }
        Some(successor) => {
            rewrite.change(Some(&name.decode()), Some(successor), ChangeKind::Renamed);
            rewrite.put(successor, json(value));
        }
        None => rewrite.unresolved(&name.decode(), "the value is neither a payment_type nor a subtype"),
    }
}

fn info<'a>(rewrite: &mut Rewrite<'a>, value: Value<'a>) {
    if matches!(value, Value::String(_)) {
        rewrite.unresolved("info", "a string; today info is an object, and what the string meant is not shown");
        rewrite.put("info", "null");
    } else {
        rewrite.put("info", json(value));
    }
}

/// One boolean, whichever spelling is there.
fn flag(rewrite: &mut Rewrite<'_>, spellings: [&'static str; 2]) -> Option<bool> {
    let mut told = None;
    for name in spellings {
        let Some(value) = rewrite.given(name) else { continue };
        match (value, told) {
            (Value::Bool(value), None) => told = Some(value),
            (Value::Bool(value), Some(other)) if value == other => {}
            (Value::Bool(_), Some(_)) => rewrite.unresolved(name, "the other spelling says otherwise, and counts"),
            _ => rewrite.unresolved(name, "not a boolean"),
        }
    }
    told
}

fn state(rewrite: &mut Rewrite<'_>) {
    let told = FLAGS.map(|spellings| flag(rewrite, spellings));
    let [completed, succeed, partially_completed] = told.map(Option::unwrap_or_default);
    let flags = LegacyFlags { completed, succeed, partially_completed };
    let any = told.iter().any(Option::is_some);
    if completed && told.get(1) == Some(&None) {
        rewrite.unresolved("isSucceed", "completed, but nothing says whether it succeeded: taken as not");
    }
    let status = rewrite.given("status");
    let word = status.and_then(Value::text).and_then(|text| State::from_name(&text.decode()));
    // A status that names a state says more than the booleans can, as long as they agree.
    let by_status = word.filter(|state| !any || state.legacy_flags() == flags);
    if let Some(state) = rewrite.given("state") {
        let known = state.text().and_then(|text| State::from_name(&text.decode()));
        for name in told_by(rewrite, true) {
            if known.is_some_and(|known| agrees(known, flags, any, word, name)) {
                rewrite.change(Some(name), None, ChangeKind::Removed);
            } else {
                rewrite.unresolved(name, "does not agree with state, which counts");
            }
        }
        return;
    }
    let state = by_status.unwrap_or_else(|| flags.state());
    rewrite.put_text("state", state.name());
    for name in told_by(rewrite, by_status.is_some()) {
        rewrite.change(Some(name), Some("state"), ChangeKind::Derived);
    }
    if status.is_some() && by_status.is_none() {
        let reason =
            if word.is_some() { "does not agree with the booleans" } else { "what the value meant is not shown" };
        rewrite.unresolved("status", reason);
    }
    if !any && status.is_none() {
        rewrite.unresolved("state", "nothing in the body tells the state: taken as idle");
    }
}

/// The earlier members that tell the state, as far as they are there.
fn told_by(rewrite: &Rewrite<'_>, status: bool) -> impl Iterator<Item = &'static str> + use<> {
    let names = FLAGS.into_iter().flatten().chain(status.then_some("status"));
    names.filter(|name| rewrite.given(name).is_some()).collect::<alloc::vec::Vec<_>>().into_iter()
}

fn agrees(known: State, flags: LegacyFlags, any: bool, word: Option<State>, name: &str) -> bool {
    if name == "status" { word == Some(known) } else { any && known.legacy_flags() == flags }
}

/// Members that a payment always has (§2.1), null where the earlier body does not tell them.
fn always_there(rewrite: &mut Rewrite<'_>) {
    for name in ["url", "client_amount", "fail_by", "paid_at", "info"] {
        if !rewrite.has(name) {
            rewrite.put(name, "null");
            rewrite.change(None, Some(name), ChangeKind::Added);
        }
    }
    for name in ["uid", "merchant_id", "amount", "currency", "created_date"] {
        if !rewrite.has(name) {
            rewrite.unresolved(name, "a payment carries it; the earlier body has none");
        }
    }
    let in_usdt = rewrite.given("cur").or(rewrite.given("currency")).and_then(Value::text);
    if in_usdt.is_some_and(|currency| currency.is(crate::money::USDT)) {
        for name in ["requested_amount", "requested_currency"] {
            if !rewrite.has(name) {
                rewrite.unresolved(name, "a payment in USDT carries it; the earlier body has none");
            }
        }
    }
}
