//! Payments: their members, amounts, info, and states.

use payspec::{Amount, Code, State, Subtype};
use serde_json::Value;

use super::case::Case;
use super::engine::ENGINE;
use super::findings::Kind;

/// The members of §2.1 that may be null.
const NULLABLE: [&str; 5] = ["url", "client_amount", "fail_by", "paid_at", "info"];
/// The amounts that the identities relate.
const SUMS: [&str; 5] = [
    "total",
    "net_processed",
    "fee",
    "commission",
    "gross_amount",
];
/// The types of info beside the subtypes.
const INFO_TYPES: [&str; 3] = ["card", "sbp", "crypto"];

/// Examines a payment that was created, read, or sent to a callback.
pub(super) fn examine(case: &mut Case<'_>, payment: &Value, bytes: Option<&[u8]>) {
    let Some(members) = payment.as_object() else {
        return;
    };
    let report = ENGINE.check_payment(bytes.unwrap_or_default(), None);
    case.findings.payments += 1;
    case.findings.valid_payments += u64::from(report.is_valid());
    let is_complete = NULLABLE.iter().all(|name| members.contains_key(*name));
    let has_other_null = members
        .iter()
        .any(|(name, value)| value.is_null() && !NULLABLE.contains(&name.as_str()));
    case.decide(
        "D1",
        is_complete && !has_other_null,
        "a nullable member is absent, or another one is null",
    );
    if SUMS.iter().all(|name| members.contains_key(*name)) {
        let adds_up = report.find(Code::AmountIdentity).is_none();
        case.decide("D21", adds_up, "the amounts do not add up");
    }
    if report.find(Code::CurrencyWithdrawn).is_some() {
        case.confirm("D34");
    }
    info(case, payment);
    money(case, payment);
    state(case, payment);
}

fn info(case: &mut Case<'_>, payment: &Value) {
    let Some(info) = payment["info"].as_object() else {
        return;
    };
    let kind = info.get("type").and_then(Value::as_str);
    let is_known =
        kind.is_some_and(|kind| INFO_TYPES.contains(&kind) || kind.parse::<Subtype>().is_ok());
    case.decide("D2", is_known, "info has another type, or none");
    for name in info
        .keys()
        .filter(|name| !["type", "card_number"].contains(&name.as_str()))
    {
        case.value(Kind::InfoKey, name);
    }
}

fn money(case: &mut Case<'_>, payment: &Value) {
    let Some(currency) = payment["currency"].as_str() else {
        return;
    };
    let digits = |name: &str| payment[name].as_str().map(fraction_digits);
    if currency == "USDT" {
        if let Some(digits) = digits("amount") {
            case.findings.scale(digits);
            let scale = ENGINE.policy().crypto.scale;
            case.decide(
                "D20",
                digits == scale,
                "an amount in USDT has another scale",
            );
        }
        return;
    }
    let unit = currency
        .parse::<payspec::Currency>()
        .ok()
        .and_then(payspec::Currency::minor_unit);
    let is_finer = |name| {
        digits(name)
            .zip(unit)
            .is_some_and(|(digits, unit)| digits > unit)
    };
    if ["fee", "commission", "shared_commission"]
        .into_iter()
        .any(is_finer)
    {
        case.confirm("D24");
    }
}

fn fraction_digits(amount: &str) -> u32 {
    let digits = amount.split_once('.').map_or(0, |(_, digits)| digits.len());
    u32::try_from(digits).unwrap_or(u32::MAX)
}

fn amount(payment: &Value, member: &str) -> Option<Amount> {
    payment.get(member)?.as_str()?.parse().ok()
}

fn state(case: &mut Case<'_>, payment: &Value) {
    for (member, kind) in [("fail_by", Kind::FailBy), ("fail_code", Kind::FailCode)] {
        if let Some(text) = payment[member].as_str() {
            case.value(kind, text);
        }
    }
    let (paid, due) = (amount(payment, "paid_amount"), amount(payment, "amount"));
    let is_paid = paid.is_some_and(|paid| !paid.is_zero());
    match payment["state"]
        .as_str()
        .and_then(|state| state.parse().ok())
    {
        Some(State::Fail) => {
            for (decision, member) in [("D3", "fail_by"), ("D13", "fail_code")] {
                let difference = format!("a failed payment without {member}");
                case.decide(decision, payment[member].is_string(), &difference);
            }
        }
        Some(State::Completed) => case.decide(
            "D26",
            is_paid,
            "a completed payment without a paid_amount above zero",
        ),
        Some(State::NotFully) => case.decide(
            "D26",
            is_paid && paid < due,
            "a paid_amount of not_fully that is not less than the amount",
        ),
        _ => {}
    }
}

/// Compares a new payment with its request.
pub(super) fn compare(case: &mut Case<'_>) {
    let request: Value = serde_json::from_slice(case.request()).unwrap_or_default();
    if let Some(id) = request["merchant_id"].as_str().filter(|id| !id.is_empty()) {
        let is_same = case.text("merchant_id") == Some(id);
        // An identifier that looks like a card number is the subject of a decision of its own.
        let decision = match ENGINE.redact_text(id) == id {
            true => "D30",
            false => "D27",
        };
        case.decide(decision, is_same, "the payment has another merchant_id");
    }
    let number = [
        "/pay_in_details/card/card_number",
        "/pay_out_details/card_number",
    ]
    .into_iter()
    .find_map(|path| request.pointer(path)?.as_str());
    let shown = case
        .answer
        .pointer("/info/card_number")
        .and_then(Value::as_str);
    if let (Some(number), Some(shown)) = (number, shown) {
        let is_mask = masked(number) == shown;
        case.decide(
            "D22",
            is_mask,
            "the mask of the card number has another form",
        );
    }
}

/// Returns the mask of a card number. One that was masked before it was recorded stays.
fn masked(number: &str) -> String {
    if number.contains('*') {
        return number.to_owned();
    }
    let body = serde_json::json!({"card_number": number}).to_string();
    let redacted = ENGINE.redact(body.as_bytes()).unwrap_or_default();
    let json: Value = serde_json::from_str(&redacted).unwrap_or_default();
    json["card_number"].as_str().unwrap_or_default().to_owned()
}
