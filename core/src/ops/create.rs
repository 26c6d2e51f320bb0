//! `create_payment`: computes the complete response from a request and a context.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;

use zeroize::Zeroize;

use super::convert::{UsdtAmounts, problem_for};
use super::{fingerprint, idempotency, redact};
use crate::card::known::KnownPans;
use crate::card::text::TextMask;
use crate::context::idempotency::IdempotencyRecord;
use crate::context::{CreateContext, StoredPayment};
use crate::json::FieldId;
use crate::model::outcome::Outcome;
use crate::model::payment::{Info, InfoKind, Payment};
use crate::model::problem::{Problem, ProblemCode};
use crate::model::request::{self, BuildError, PaymentInputs};
use crate::money::Breakdown;
use crate::policy::Ruleset;
use crate::report::code::Code;
use crate::report::{InvalidBody, Report, to_owned};
use crate::schema::request::RequestField;
use crate::types::fingerprint::Fingerprint;
use crate::types::payment_type::{Mode, Subtype};
use crate::types::timestamp::Timestamp;
use crate::validate::request::{RequestBody, RuleInputs, validate};

/// Creates a payment.
///
/// The order of the checks decides which problem the response has: authorization, key, a record
/// older than the window, and JSON; then a record within the window, the rules of the body, the
/// caller's refusal, quote, and charges.
pub(crate) fn create(
    ruleset: &Ruleset,
    body: Result<&RequestBody<'_>, InvalidBody>,
    context: &CreateContext<'_>,
) -> Outcome {
    if let Err(outcome) = check_headers(context) {
        return outcome;
    }
    // §4.1 applies to an invalid body too.
    let window = ruleset.policy.idempotency.window_ms;
    if let Some(record) = record(context).filter(|record| record.is_older_than(window, context.now))
    {
        return conflict(ruleset, body.ok(), record);
    }
    match body {
        Ok(body) => repeat_or_create(ruleset, body, context),
        Err(InvalidBody(report)) => invalid_body(ruleset, report, None),
    }
}

/// Checks the authorization and the idempotency key.
#[expect(
    clippy::result_large_err,
    reason = "one outcome a call, which a box would allocate for"
)]
fn check_headers(context: &CreateContext<'_>) -> Result<(), Outcome> {
    context.authorization.check()?;
    if let Some(lookup) = &context.idempotency
        && let Err(error) = lookup.key
    {
        return Err(error.into());
    }
    Ok(())
}

/// Returns the outcome of a key whose record is older than the window.
///
/// If the record belongs to the same request, the problem contains the uid of its payment. A client
/// whose answer was lost finds its payment, and does not pay twice.
fn conflict(
    ruleset: &Ruleset,
    body: Option<&RequestBody<'_>>,
    record: &IdempotencyRecord<'_>,
) -> Outcome {
    let key = ruleset.policy.fingerprint_key.as_ref();
    let is_same = body.is_some_and(|body| {
        let fingerprint = fingerprint::compute(body, key);
        record.has_fingerprint(fingerprint.as_str())
    });
    let payment = record.payment.filter(|_| is_same);
    Problem {
        uid: payment.and_then(StoredPayment::uid),
        ..Problem::new(ProblemCode::IdempotencyConflict)
    }
    .into()
}

/// Returns what is stored under the idempotency key.
fn record<'c>(context: &'c CreateContext<'_>) -> Option<&'c IdempotencyRecord<'c>> {
    context.idempotency.as_ref()?.record.as_ref()
}

/// Returns the stored payment of a repeated request, or creates a payment.
fn repeat_or_create(
    ruleset: &Ruleset,
    body: &RequestBody<'_>,
    context: &CreateContext<'_>,
) -> Outcome {
    let fingerprint = || fingerprint::compute(body, ruleset.policy.fingerprint_key.as_ref());
    if let Some(record) = record(context) {
        let window = ruleset.policy.idempotency.window_ms;
        if let Some(outcome) = repeated(record, fingerprint(), context.now, window) {
            return outcome;
        }
    }
    let inputs = RuleInputs {
        merchants: context.allowed_merchant_ids.as_deref(),
        ..RuleInputs::at(Some(context.now))
    };
    let mut report = ruleset.report_builder();
    validate(ruleset, body, inputs, &mut report);
    if !report.summary.valid {
        return invalid_body(ruleset, report.into(), None);
    }
    let inputs = PaymentInputs::new(body);
    if let Err(BuildError::Unreadable(field)) = inputs {
        return invalid_body(ruleset, report.into(), Some(field));
    }
    if let Some(reason) = &context.refusal {
        return refused(body, reason);
    }
    // An amount that is too large to compute with is reported with the quote and the charges, after
    // the other checks.
    let payment = inputs
        .map_err(|_| ProblemCode::AmountTooLarge)
        .and_then(|inputs| payment(ruleset, inputs, context, body));
    match payment {
        Ok(payment) => {
            let fingerprint = context.idempotency.is_some().then(fingerprint);
            let warnings = to_owned(report.violations());
            Outcome::created(payment, fingerprint, warnings)
        }
        Err(problem) => problem.into(),
    }
}

/// Returns the outcome of a payment that the caller declines.
///
/// The caller supplies the reason, but a card number in it must not reach the client. Card numbers
/// that the body declares are masked even if their scheme is unknown.
fn refused(body: &RequestBody<'_>, reason: &str) -> Outcome {
    let mut known_pans = KnownPans::default();
    body.collect_known_pans(&mut known_pans);
    let masked = TextMask::complete_and_known(&known_pans).mask(reason);
    let reason = masked.as_ref().map_or(reason, |masked| masked.as_str());
    Problem::with_detail(ProblemCode::Refused, reason.to_owned()).into()
}

/// Returns the outcome of a request whose key has a record, or `None` if the request is to be
/// processed.
///
/// The body is not validated again: an expired card or a changed policy must not change the
/// response to a repeated request.
fn repeated(
    record: &IdempotencyRecord<'_>,
    fingerprint: Fingerprint,
    now: Timestamp,
    window_ms: u64,
) -> Option<Outcome> {
    let check = idempotency::evaluate(Some(record), fingerprint.as_str(), now, window_ms);
    if let Some(problem) = check.verdict.problem() {
        return Some(problem.into());
    }
    let stored = record.payment?.as_str().to_owned();
    Some(Outcome::repeated(stored, fingerprint))
}

/// Returns the outcome for a body from which no payment can be created.
///
/// Either its report contains an error, or `unreadable` is a field whose member cannot be parsed
/// although the policy accepts it.
fn invalid_body(ruleset: &Ruleset, report: Report, unreadable: Option<RequestField>) -> Outcome {
    let mut problem = match report.summary.fatal {
        Some(Code::JsonSyntax) => Problem::new(ProblemCode::MalformedJson),
        Some(Code::BodyTooLarge) => Problem::new(ProblemCode::BodyTooLarge),
        _ => Problem {
            status: ruleset.policy.invalid_request_status.status(),
            ..Problem::new(ProblemCode::InvalidRequest)
        },
    };
    if let Some(field) = unreadable {
        let pointer = field.entry().pointer;
        problem.detail = ["A payment requires a valid ", pointer, "."]
            .concat()
            .into();
    }
    problem.report = Some(report);
    problem.into()
}

fn payment(
    ruleset: &Ruleset,
    inputs: PaymentInputs<'_>,
    context: &CreateContext<'_>,
    body: &RequestBody<'_>,
) -> Result<Payment, ProblemCode> {
    let is_crypto = inputs.mode == Some(Mode::Crypto);
    let (amounts, scale) = amounts(ruleset, &inputs, context)?;
    let mut known_pans = KnownPans::default();
    body.collect_known_pans(&mut known_pans);
    let mask = TextMask::known(&known_pans);
    let echo = |text: Cow<'_, str>| echo(text, mask);
    let merchant_id =
        request::free_text(body, RequestField::MerchantId).or_else(|| context.merchant_id.clone());
    let url = context.url.as_ref().filter(|_| !inputs.host2host);
    Ok(Payment {
        uid: context.uid,
        url: url.map(|url| echo(url.text().clone())),
        merchant_id: merchant_id.map(echo),
        payment_type: inputs.payment_type,
        subtype: inputs.subtype,
        requested_currency: inputs.cur,
        amounts,
        crypto: is_crypto,
        scale,
        created_date: context.now,
        redirect_url: request::text(body, RequestField::RedirectUrl).map(echo),
        form: context.form.clone().map(echo),
        info: inputs.host2host.then(|| Info {
            kind: match inputs.subtype {
                _ if is_crypto => InfoKind::Crypto,
                Some(Subtype::Sbp) => InfoKind::Sbp,
                _ => InfoKind::Card,
            },
            card_number: inputs.masked_card_number(body),
            details: context
                .info
                .map(|details| redact::mask_known_pans(details.as_str(), &known_pans).into_owned()),
        }),
        requested_amount: inputs.amount_text.into_owned(),
    })
}

/// Returns the processed amounts, and the smallest number of their fraction digits.
fn amounts(
    ruleset: &Ruleset,
    inputs: &PaymentInputs<'_>,
    context: &CreateContext<'_>,
) -> Result<(Breakdown, u32), ProblemCode> {
    let charges = &context.charges;
    if inputs.mode == Some(Mode::Crypto) {
        let quote = context.quote.as_ref();
        let now = Some(context.now);
        let usdt = UsdtAmounts::new(ruleset, inputs.cur, inputs.amount, charges, quote, now)?;
        return Ok((usdt.amounts, usdt.scale));
    }
    let amounts = Breakdown::fiat(inputs.amount, charges).map_err(problem_for)?;
    Ok((amounts, inputs.cur.minor_unit().unwrap_or(0)))
}

/// Returns a text unchanged (D27), except that the card numbers of the request are masked.
fn echo(text: Cow<'_, str>, mask: TextMask<'_>) -> String {
    let Some(masked) = mask.mask(&text) else {
        return text.into_owned();
    };
    // A text with escapes is a decoded copy, which contains the card number.
    if let Cow::Owned(mut copy) = text {
        copy.zeroize();
    }
    masked.as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec;

    use super::*;
    use crate::ops::request::Request;
    use crate::policy::Policy;
    use crate::types::authorization::Authorization;

    #[test]
    fn rejects_merchants_that_the_credential_may_not_act_for() {
        let ruleset = Ruleset::new(Policy::default());
        let now = "2026-11-20T10:15:30.250Z".parse().unwrap();
        let mut context =
            CreateContext::new(uuid::Uuid::nil(), now, Authorization::CheckedByCaller);
        context.allowed_merchant_ids = Some(vec!["shop-1".into(), "shop-2".into()]);
        for (merchant, status) in [("shop-2", 201), ("shop-3", 422), ("shop-20", 422)] {
            let body = format!(
                r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50","merchant_id":"{merchant}"}}"#
            );
            assert_eq!(
                Request::read(&ruleset, body.as_bytes())
                    .create(&context)
                    .status(),
                status,
                "{merchant}"
            );
        }
    }
}
