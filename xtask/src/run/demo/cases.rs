//! The cases of the demo: title, notice, and output of each.

use super::page::Page;
use crate::support::style::{BOLD, FAINT, WARN};
use payspec_tests::json::Json;
use std::fs;

/// One case.
pub(crate) struct Case {
    /// The heading.
    pub(crate) title: &'static str,
    /// A line about what the case shows.
    pub(crate) notice: &'static str,
    /// Writes the output.
    pub(crate) show: fn(&mut Page<'_>) -> Result<(), String>,
    /// The expected statuses of the outcomes, in order.
    pub(crate) statuses: &'static [u16],
}

pub(crate) const CASES: [Case; 9] = [
    Case {
        title: "P2P by card",
        notice: "Amounts are strings and stay exact. The payment starts idle; its members always have the same order.",
        show: |page| creation(page, "p2p-card", CONTEXT, &[]),
        statuses: &[201],
    },
    Case {
        title: "P2P by sbp, with charges",
        notice: "total = gross + fee + commission, net_processed = gross − fee − commission.",
        show: |page| creation(page, "p2p-sbp", WITH_CHARGES, AMOUNTS),
        statuses: &[201],
    },
    Case {
        title: "ACQUIRING in yen",
        notice: "The yen has no minor unit, so no amount has a fraction. The caller selects the payment form.",
        show: |page| {
            creation(
                page,
                "acquiring",
                WITH_FORM,
                &[
                    "state",
                    "form",
                    "amount",
                    "currency",
                    "total",
                    "paid_amount",
                ],
            )
        },
        statuses: &[201],
    },
    Case {
        title: "Host to host",
        notice: "There is no page to redirect to: url is null, and info contains the card. All output masks the card number.",
        show: |page| {
            creation(
                page,
                "h2h-card",
                CONTEXT,
                &["uid", "url", "state", "amount", "currency", "info"],
            )
        },
        statuses: &[201],
    },
    Case {
        title: "CRYPTO",
        notice: "The request is in rubles and the payment in USDT, rounded half to even. Without a rate: 455.",
        show: |page| {
            creation(page, "crypto", WITH_QUOTE, AMOUNTS)?;
            let outcome = page.call("create_payment", &[&body("crypto")?, CONTEXT.as_bytes()])?;
            page.answer_in_short("The same without a quote", &outcome);
            page.gap();
            Ok(())
        },
        statuses: &[201, 455],
    },
    Case {
        title: "Pay-out",
        notice: "The other variant of the body, selected by payment_type. No answer contains the recipient's card.",
        show: |page| {
            creation(
                page,
                "pay-out",
                CONTEXT,
                &["uid", "state", "payment_type", "subtype", "amount", "info"],
            )
        },
        statuses: &[201],
    },
    Case {
        title: "An invalid body",
        notice: "All violations at once with path, code and source, but without values of the body. Warnings do not reject a request.",
        show: |page| {
            creation(
                page,
                "broken",
                CONTEXT,
                &["type", "title", "status", "code", "detail"],
            )
        },
        statuses: &[422],
    },
    Case {
        title: "The same idempotency key again",
        notice: "Within a second the first answer is repeated byte for byte. Later, or with another body, it is a conflict.",
        show: repeated_key,
        statuses: &[201, 201, 409, 201, 409],
    },
    Case {
        title: "A body of the legacy API",
        notice: "Migrated to the current API, with a list of changes. Values that the body does not contain are left to the caller.",
        show: legacy,
        statuses: &[201],
    },
];

const NOW: &str = "2026-11-20T10:15:30.250Z";
const CONTEXT: &str = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","url":"https://pay.example/p/0b6ea6a6"}"#;
const WITH_FORM: &str = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","url":"https://pay.example/p/0b6ea6a6","form":"acquiring.card"}"#;
const WITH_CHARGES: &str = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","url":"https://pay.example/p/0b6ea6a6","charges":{"fee":"5.00","commission":"12.40","shared_commission":"3.10"}}"#;
const WITH_QUOTE: &str = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","url":"https://pay.example/p/0b6ea6a6","quote":{"currency":"RUB","rate":"92.45","as_of":"2026-11-20T10:15:00Z"},"charges":{"fee":"5.00","commission":"12.40","shared_commission":"3.10"}}"#;

/// Members with the amounts of a payment and their currencies.
const AMOUNTS: &[&str] = &[
    "state",
    "requested_amount",
    "requested_currency",
    "amount",
    "currency",
    "total",
    "net_processed",
    "fee",
    "commission",
    "gross_amount",
    "shared_commission",
    "paid_amount",
];

const CREATE: &str = "POST /v1/payments/new";

fn body(name: &str) -> Result<Vec<u8>, String> {
    let path = payspec_tests::root().join(format!("examples/bodies/{name}.json"));
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Shows a request, its verdict, and the outcome with these members.
fn creation(
    page: &mut Page<'_>,
    name: &str,
    context: &str,
    members: &[&str],
) -> Result<(), String> {
    let body = body(name)?;
    page.request(CREATE, name, &body)?;
    page.verdict(&body, NOW)?;
    let outcome = page.call("create_payment", &[&body, context.as_bytes()])?;
    page.answer(&outcome, members);
    Ok(())
}

/// Shows how callers use idempotency keys: store the first outcome, and pass it again when the key
/// is repeated.
fn repeated_key(page: &mut Page<'_>) -> Result<(), String> {
    let (card, sbp) = (body("p2p-card")?, body("p2p-sbp")?);
    let at = |page: &Page<'_>, body: &[u8], now: &str, existing: &str| {
        let uid = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
        let context = format!(
            r#"{{"uid":"{uid}","now":"{now}","authorization":"checked_by_caller","idempotency":{{"key":"order-1007","existing":{existing}}}}}"#
        );
        page.call("create_payment", &[body, context.as_bytes()])
    };
    page.line(&format!(
        "{BOLD}{CREATE}{BOLD:#}   {FAINT}p2p-card.json with the key order-1007{FAINT:#}"
    ));
    let first = at(page, &card, "2026-11-20T10:15:30.250Z", "null")?;
    let part = |name: &str| {
        first
            .get(name)
            .map_or_else(|| "null".to_owned(), Json::compact)
    };
    let stored = format!(
        r#"{{"created_at":"2026-11-20T10:15:30.250Z","fingerprint":{},"payment":{}}}"#,
        part("fingerprint"),
        part("body")
    );
    page.answer_in_short("at first", &first);
    for (what, body, now) in [
        (
            "0.4 s later, the same body",
            &card,
            "2026-11-20T10:15:30.650Z",
        ),
        (
            "0.6 s later, p2p-sbp.json",
            &sbp,
            "2026-11-20T10:15:30.850Z",
        ),
        (
            "1 s later to the nanosecond, the same",
            &card,
            "2026-11-20T10:15:31.250Z",
        ),
        (
            "1 s and a nanosecond later, the same",
            &card,
            "2026-11-20T10:15:31.250000001Z",
        ),
    ] {
        let outcome = at(page, body, now, &stored)?;
        page.answer_in_short(what, &outcome);
    }
    page.gap();
    Ok(())
}

fn legacy(page: &mut Page<'_>) -> Result<(), String> {
    let old = body("legacy-pay-in")?;
    page.request("POST /v1/payments/pay_in", "legacy-pay-in", &old)?;
    let upgraded = page.call("upgrade_request", &[b"pay_in", &old])?;
    page.line(&format!("{BOLD}upgrade_request{BOLD:#}"));
    for change in upgraded.get("changes").unwrap_or(&Json::Null).elements() {
        let part = |name| change.get(name).and_then(Json::as_str).unwrap_or("—");
        page.line(&format!(
            "  {:<8}  {:<34}  {}",
            part("kind"),
            part("from"),
            part("to")
        ));
    }
    for open in upgraded.get("unresolved").unwrap_or(&Json::Null).elements() {
        let part = |name| open.get(name).and_then(Json::as_str).unwrap_or("—");
        page.line(&format!(
            "  {WARN}open{WARN:#}      {:<34}  {}",
            part("path"),
            part("reason")
        ));
    }
    page.gap();
    let new = upgraded.get("body").map(Json::compact).unwrap_or_default();
    page.verdict(new.as_bytes(), NOW)?;
    let outcome = page.call("create_payment", &[new.as_bytes(), CONTEXT.as_bytes()])?;
    page.answer(
        &outcome,
        &[
            "uid",
            "state",
            "payment_type",
            "amount",
            "currency",
            "redirect_url",
        ],
    );
    Ok(())
}
