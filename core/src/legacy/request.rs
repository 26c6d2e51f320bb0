//! upgrade_request: a body of the former pay-in or pay-out endpoint, for `POST /v1/payments/new`.

use alloc::vec::Vec;

use super::rewrite::{ChangeKind, Rewrite, Rewritten, json};
use super::table::{Line, PAYER_ACCOUNT, request_line};
use crate::kinds::{Mode, PaymentType};
use crate::read::{Stray, Text, Value, members};
use crate::request::BODY;
use crate::write::{Writer, into_text};

pub(crate) fn upgrade_request(kind: PaymentType, strays: &[Stray<'_>]) -> Rewritten {
    let mut rewrite = Rewrite::new(strays);
    payment_type(&mut rewrite, kind);
    for (name, value) in rewrite.source() {
        let current = name.decode();
        match request_line(name) {
            _ if name.is("payment_type") => {}
            Some(Line { current: Some(successor), .. }) if rewrite.given(successor).is_some() => {
                rewrite.unresolved(&current, "its successor is given too, and counts");
            }
            Some(Line { current: Some(successor), kind, .. }) => {
                rewrite.change(Some(&current), Some(successor), *kind);
                details(&mut rewrite, &current, successor, value);
            }
            Some(line) => rewrite.change(Some(&current), None, line.kind),
            None => match BODY.find(name) {
                Some((_, field)) => details(&mut rewrite, field.name, field.name, value),
                None => rewrite.put(name.decode(), json(value)),
            },
        }
    }
    now_required(&mut rewrite, kind);
    rewrite.finish(&|name| BODY.find_str(name).map(|(slot, _)| slot))
}

fn payment_type(rewrite: &mut Rewrite<'_>, kind: PaymentType) {
    match rewrite.given("payment_type") {
        None => rewrite.change(None, Some("payment_type"), ChangeKind::Added),
        Some(Value::String(text)) if text.is(kind.name()) => {}
        Some(_) => rewrite.unresolved("payment_type", "the body names another kind than the caller, whose word counts"),
    }
    rewrite.put_text("payment_type", kind.name());
}

/// A member whose value goes over, cleaned of what its object no longer has.
fn details<'a>(rewrite: &mut Rewrite<'a>, from: &str, to: &'static str, value: Value<'a>) {
    let Value::Object(object) = value else {
        rewrite.put(to, json(value));
        return;
    };
    if to != "pay_in_details" {
        rewrite.put(to, object);
        return;
    }
    let mut flat = members(object).filter(|(name, _)| is_card_member(*name)).peekable();
    let nested = members(object).find(|(name, _)| name.is("card"));
    let mut out = Vec::new();
    Writer::new(&mut out).object(|w| {
        match nested {
            Some((_, Value::Object(card))) => {
                w.name("card").object(|w| card_members(rewrite, &[from, "/card"].concat(), members(card), w));
            }
            Some((_, other)) => w.name("card").raw(&json(other)),
            None if flat.peek().is_none() => {}
            None => {
                // Card data without an object of its own: today they have one.
                w.name("card").object(|w| {
                    for (name, value) in flat {
                        let name = name.decode();
                        let target = [to, "/card/", &*name].concat();
                        let source = [from, "/", &*name].concat();
                        if &*name == PAYER_ACCOUNT {
                            rewrite.change(Some(&source), None, ChangeKind::Removed);
                            continue;
                        }
                        rewrite.change(Some(&source), Some(&target), ChangeKind::Moved);
                        w.foreign_name(&name).raw(&json(value));
                    }
                });
            }
        }
        for (name, value) in members(object) {
            if !(name.is("card") || nested.is_none() && is_card_member(name)) {
                w.foreign_name(&name.decode()).raw(&json(value));
            }
        }
    });
    rewrite.put(to, into_text(out));
}

fn is_card_member(name: Text<'_>) -> bool {
    let names = ["card_holder", "card_number", "expiry_year", "expiry_month", "security_code", PAYER_ACCOUNT];
    names.iter().any(|known| name.is(known))
}

fn card_members<'a>(
    rewrite: &mut Rewrite<'_>,
    from: &str,
    card: impl Iterator<Item = (Text<'a>, Value<'a>)>,
    w: &mut Writer<'_>,
) {
    for (name, value) in card {
        if name.is(PAYER_ACCOUNT) {
            rewrite.change(Some(&[from, "/", PAYER_ACCOUNT].concat()), None, ChangeKind::Removed);
        } else {
            w.foreign_name(&name.decode()).raw(&json(value));
        }
    }
}

/// What the current interface asks for and the earlier one did not: only the caller knows.
fn now_required(rewrite: &mut Rewrite<'_>, kind: PaymentType) {
    let given = |rewrite: &Rewrite<'_>, name| rewrite.given(name).is_some_and(Value::is_given);
    let crypto = rewrite.given("mode").and_then(Value::text).is_some_and(|mode| mode.is(Mode::Crypto.name()));
    if kind == PaymentType::PayOut && !given(rewrite, "mode") {
        rewrite.unresolved("mode", "required in a pay-out; the earlier body has none");
    }
    let optional = kind == PaymentType::PayIn && crypto;
    if !optional && !given(rewrite, "subtype") {
        rewrite.unresolved("subtype", "required; the earlier body has none");
    }
}
