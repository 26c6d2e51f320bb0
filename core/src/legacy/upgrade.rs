//! upgrade_payment: a payment as the earlier interface told it, in the members of §2.1.

use super::rewrite::{ChangeKind, Plan, Rewrite};
use super::table::{Line, response_line};
use crate::kinds::{PaymentType, Subtype};
use crate::list::List;
use crate::payment::PAYMENT;
use crate::read::Value;
use crate::state::{LegacyFlags, State};

const PAYMENT_TYPE: &str = "payment_type";
const SUBTYPE: &str = "subtype";

/// Each boolean in its two spellings.
const FLAGS: [[&str; 2]; 3] =
    [["isCompleted", "is_completed"], ["isSucceed", "is_succeed"], ["isPartiallyCompleted", "is_partially_completed"]];

static PLAN: Plan =
    Plan { rank: |name| PAYMENT.find(name).map_or(usize::MAX, |(slot, _)| slot), write: |_, value, w| w.value(value) };

/// What `tell` makes of the payment, which is known to be an object, carried over.
pub(crate) fn upgrade_payment<R>(body: &str, tell: impl FnOnce(&Rewrite<'_>) -> R) -> R {
    let mut rewrite = Rewrite::new(&PLAN);
    rewrite.read(body);
    while let Some((name, value)) = rewrite.next() {
        match response_line(name) {
            // The state, below.
            Some(Line { kind: ChangeKind::Derived, .. }) => {}
            Some(Line { earlier: Some(earlier @ ("type" | "method")), .. }) => kind(&mut rewrite, earlier, value),
            Some(Line { earlier, current: Some(successor), kind, .. }) => {
                rewrite.rename(*earlier, successor, *kind, value);
            }
            Some(line) => rewrite.change(line.earlier, None, line.kind),
            None if name.is("info") && matches!(value, Value::String(_)) => {
                rewrite.unresolved("info", "a string; today info is an object, and what the string meant is not shown");
                rewrite.put(name, Value::Null);
            }
            None => rewrite.put(name, value),
        }
    }
    state(&mut rewrite);
    always_there(&mut rewrite);
    rewrite.sort();
    tell(&rewrite)
}

/// `type` and `method` by what they say: which of the two held which is not shown.
fn kind<'a>(rewrite: &mut Rewrite<'a>, earlier: &'static str, value: Value<'a>) {
    let other = rewrite.given(if earlier == "type" { "method" } else { "type" });
    // A word of neither list is what the other one is not.
    let successor = named_by(value).or_else(|| {
        value.text()?;
        if named_by(other?)? == PAYMENT_TYPE { Some(SUBTYPE) } else { Some(PAYMENT_TYPE) }
    });
    match successor {
        Some(successor)
            if !rewrite.tells(successor)
                && other.and_then(named_by) == Some(successor)
                && rewrite.has_told(successor) =>
        {
            rewrite.unresolved(earlier, "type and method both name it: the first one counts");
        }
        Some(successor) => {
            rewrite.rename(Some(earlier), successor, ChangeKind::Renamed, value);
        }
        None => rewrite.unresolved(earlier, "the value is neither a payment_type nor a subtype"),
    }
}

/// The member whose list has this word.
fn named_by(value: Value<'_>) -> Option<&'static str> {
    value.text()?.with_decoded(|word| match word {
        _ if PaymentType::from_name(word).is_some() => Some(PAYMENT_TYPE),
        _ if Subtype::from_name(word).is_some() => Some(SUBTYPE),
        _ => None,
    })
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
    let any = told.iter().any(Option::is_some);
    // A boolean that is not there gainsays nothing.
    let agrees = |state: State| {
        let flags = state.legacy_flags();
        let of_state = [flags.completed, flags.succeed, flags.partially_completed];
        told.iter().zip(of_state).all(|(told, flag)| told.is_none_or(|told| told == flag))
    };
    let status = rewrite.given("status");
    let word = status.and_then(Value::text).and_then(|text| text.with_decoded(State::from_name));
    if rewrite.tells("state") {
        let known = rewrite.given("state").and_then(Value::text).and_then(|text| text.with_decoded(State::from_name));
        for name in told_by(rewrite, true) {
            let as_known = |known| if name == "status" { word == Some(known) } else { any && agrees(known) };
            if known.is_some_and(as_known) {
                rewrite.change(Some(name), None, ChangeKind::Removed);
            } else {
                rewrite.unresolved(name, "does not agree with state, which counts");
            }
        }
        return;
    }
    // A status that names a state says more than the booleans can, as long as they agree.
    let by_status = word.filter(|state| agrees(*state));
    let [completed, succeed, partially_completed] = told.map(Option::unwrap_or_default);
    let state = by_status.unwrap_or_else(|| LegacyFlags { completed, succeed, partially_completed }.state());
    rewrite.drop_null("state");
    rewrite.put_word("state", state.name());
    for name in told_by(rewrite, by_status.is_some()) {
        rewrite.change(Some(name), Some("state"), ChangeKind::Derived);
    }
    if by_status.is_some() {
        return;
    }
    if completed && told.get(1) == Some(&None) {
        rewrite.unresolved("isSucceed", "completed, but nothing says whether it succeeded: taken as not");
    }
    if status.is_some() {
        let reason =
            if word.is_some() { "does not agree with the booleans" } else { "what the value meant is not shown" };
        rewrite.unresolved("status", reason);
    }
    if !any {
        rewrite.unresolved("state", "nothing in the body tells the state: taken as idle");
    }
}

/// The earlier members that tell the state, as far as they are there.
fn told_by(rewrite: &Rewrite<'_>, status: bool) -> List<&'static str, 8> {
    let names = FLAGS.into_iter().flatten().chain(status.then_some("status"));
    names.filter(|name| rewrite.given(name).is_some()).collect()
}

/// Members that a payment always has (§2.1), null where the earlier body does not tell them.
fn always_there(rewrite: &mut Rewrite<'_>) {
    for name in ["url", "client_amount", "fail_by", "paid_at", "info"] {
        if !rewrite.has(name) {
            rewrite.put_known(name, Value::Null);
            rewrite.change(None, Some(name), ChangeKind::Added);
        }
    }
    for name in ["uid", "merchant_id", "amount", "currency", "created_date"] {
        if !rewrite.has(name) {
            rewrite.unresolved(name, "a payment carries it; the earlier body has none");
        }
    }
    let counts = ["currency", "cur"].into_iter().find(|name| rewrite.tells(name));
    let in_usdt = counts.and_then(|name| rewrite.given(name)?.text());
    if in_usdt.is_some_and(|currency| currency.is(crate::money::USDT)) {
        for name in ["requested_amount", "requested_currency"] {
            if !rewrite.has(name) {
                rewrite.unresolved(name, "a payment in USDT carries it; the earlier body has none");
            }
        }
    }
}
