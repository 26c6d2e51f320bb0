//! `create_payment`: computes the complete response from a body and a context.

use alloc::borrow::{Cow, ToOwned};
use alloc::vec::Vec;

use zeroize::Zeroize;

use super::convert::{problem_for, usdt_breakdown};
use super::{fingerprint, idempotency, redact};
use crate::card::known::KnownPans;
use crate::context::CreateContext;
use crate::context::idempotency::IdempotencyRecord;
use crate::json::FieldId;
use crate::model::outcome::{Outcome, OutcomeBody};
use crate::model::payment::{Info, InfoKind, Payment};
use crate::model::problem::{Problem, ProblemCode};
use crate::model::request::{self, BuildError, PaymentInputs};
use crate::money::Breakdown;
use crate::policy::Ruleset;
use crate::report::Report;
use crate::report::code::Code;
use crate::schema::request::RequestField;
use crate::types::fingerprint::Fingerprint;
use crate::types::payment_type::{Mode, Subtype};
use crate::types::timestamp::Timestamp;
use crate::validate::request::{self as validate_request, RequestBody, RuleInputs};

/// Creates a payment.
///
/// The order of the checks decides which problem the response has: authorization, key, a record
/// older than the window, and JSON; then a record within the window, the rules of the body, the
/// caller's refusal, quote, and charges.
pub(crate) fn create<'a>(
    ruleset: &'a Ruleset,
    bytes: &'a [u8],
    context: &CreateContext<'a>,
) -> Outcome<'a> {
    if let Err(why) = context.authorization.check() {
        return why.into();
    }
    if let Some(idempotency) = &context.idempotency
        && !idempotency::is_key(&idempotency.key)
    {
        return ProblemCode::InvalidIdempotencyKey.into();
    }
    let window = ruleset.policy.idempotency.window_ms;
    let record = context
        .idempotency
        .as_ref()
        .and_then(|idempotency| idempotency.record.as_ref());
    // §4.1 applies to an invalid body too, so this check precedes parsing.
    if record.is_some_and(|record| record.is_older_than(window, context.now)) {
        return ProblemCode::IdempotencyConflict.into();
    }
    let mut body = RequestBody::new();
    let mut report = ruleset.report_builder();
    if !body.read(ruleset, bytes, &mut report) {
        return invalid_body_outcome(ruleset, report.into(), None);
    }
    let fingerprint = || fingerprint::compute(body.text, ruleset.policy.fingerprint_key.as_ref());
    if let Some(record) = record
        && let Some(outcome) = repeated(record, fingerprint(), context.now, window)
    {
        return outcome;
    }
    let merchants = context.allowed_merchant_ids.as_deref();
    let inputs = RuleInputs {
        merchants,
        ..Some(context.now).into()
    };
    validate_request::validate(ruleset, &body, inputs, &mut report);
    if !report.summary.valid {
        return invalid_body_outcome(ruleset, report.into(), None);
    }
    let inputs = PaymentInputs::of(&body);
    if let Err(BuildError::Unreadable(member)) = inputs {
        return invalid_body_outcome(ruleset, report.into(), Some(member));
    }
    if let Some(reason) = &context.refusal {
        // The caller supplies the reason, but a card number in it must not reach the client. Card
        // numbers that the body declares are masked even if their scheme is unknown.
        let mut known_pans = KnownPans::default();
        body.collect_known_pans(&mut known_pans);
        let masked = known_pans
            .mask_text(reason)
            .map(|masked| Cow::Owned(masked.as_str().to_owned()));
        let reason = masked.unwrap_or_else(|| reason.clone());
        return Problem::with_detail(ProblemCode::Refused, reason).into();
    }
    // An amount that is too large to compute with is reported with the quote and the charges, after
    // the other checks.
    let payment = inputs
        .map_err(|_| ProblemCode::AmountTooLarge)
        .and_then(|inputs| payment(ruleset, inputs, context, &body));
    match payment {
        Ok(payment) => {
            let fingerprint = context.idempotency.is_some().then(fingerprint);
            Outcome::created(
                OutcomeBody::Payment(payment),
                false,
                fingerprint,
                report.violations.into_iter().collect(),
            )
        }
        Err(problem) => problem.into(),
    }
}

/// Returns the outcome of a request whose key has a record, or `None` if the request is to be
/// processed.
///
/// The body is not validated again: an expired card or a changed policy must not change the
/// response to a repeated request.
fn repeated<'a>(
    record: &IdempotencyRecord<'a>,
    fingerprint: Fingerprint,
    now: Timestamp,
    window_ms: u64,
) -> Option<Outcome<'a>> {
    let check = idempotency::evaluate(Some(record), fingerprint.as_str(), now, window_ms);
    if let Some(problem) = check.verdict.problem() {
        return Some(problem.into());
    }
    let stored = OutcomeBody::Json(record.payment?.as_str().into());
    Some(Outcome::created(
        stored,
        true,
        Some(fingerprint),
        Vec::new(),
    ))
}

/// Returns the outcome for a body from which no payment can be created.
///
/// Either its report contains an error, or `unreadable` is a member that cannot be parsed although
/// the policy accepts it.
fn invalid_body_outcome<'a>(
    ruleset: &Ruleset,
    report: Report<'a>,
    unreadable: Option<RequestField>,
) -> Outcome<'a> {
    let mut problem = match report.summary.fatal {
        Some(Code::JsonSyntax) => Problem::new(ProblemCode::MalformedJson),
        Some(Code::BodyTooLarge) => Problem::new(ProblemCode::BodyTooLarge),
        _ => {
            let status = ruleset.policy.invalid_request_status.status();
            Problem {
                status,
                ..Problem::new(ProblemCode::InvalidRequest)
            }
        }
    };
    if let Some(unreadable) = unreadable {
        problem.detail = [
            "A payment requires a valid ",
            unreadable.entry().pointer,
            ".",
        ]
        .concat()
        .into();
    }
    Problem {
        report: Some(report),
        ..problem
    }
    .into()
}

fn payment<'a>(
    ruleset: &Ruleset,
    inputs: PaymentInputs<'a>,
    context: &CreateContext<'a>,
    body: &RequestBody<'a>,
) -> Result<Payment<'a>, ProblemCode> {
    let crypto = inputs.mode == Some(Mode::Crypto);
    let (amounts, scale) = if crypto {
        let (quote, now) = (context.quote.as_ref(), Some(context.now));
        let (amounts, scale, _) = usdt_breakdown(
            ruleset,
            inputs.cur,
            inputs.amount,
            &context.charges,
            quote,
            now,
        )?;
        (amounts, scale)
    } else {
        (
            Breakdown::fiat(inputs.amount, &context.charges).map_err(problem_for)?,
            inputs.cur.minor_unit().unwrap_or(0),
        )
    };
    // Texts are returned unchanged (D27), except that the card numbers of the request are masked.
    let mut known_pans = KnownPans::default();
    body.collect_known_pans(&mut known_pans);
    let echo = |mut text: Cow<'a, str>| {
        if let Some(masked) = known_pans.mask(&text) {
            // A text with escapes is a decoded copy, which contains the card number.
            if let Cow::Owned(copy) = &mut text {
                copy.zeroize();
            }
            text = Cow::Owned(masked.as_str().to_owned());
        }
        text
    };
    let merchant_id =
        request::free_text(body, RequestField::MerchantId).or_else(|| context.merchant_id.clone());
    Ok(Payment {
        uid: context.uid,
        url: context
            .url
            .as_ref()
            .filter(|_| !inputs.host2host)
            .map(|url| echo(url.text().clone())),
        merchant_id: merchant_id.map(echo),
        payment_type: inputs.payment_type,
        subtype: inputs.subtype,
        requested_currency: inputs.cur,
        amounts,
        crypto,
        scale,
        created_date: context.now,
        redirect_url: request::text(body, RequestField::RedirectUrl).map(echo),
        form: context.form.clone().map(echo),
        info: inputs.host2host.then(|| Info {
            kind: match inputs.subtype {
                _ if crypto => InfoKind::Crypto,
                Some(Subtype::Sbp) => InfoKind::Sbp,
                _ => InfoKind::Card,
            },
            card_number: inputs.masked_card_number(body),
            details: context
                .info
                .map(|details| redact::mask_known_pans(details.as_str(), &known_pans)),
        }),
        requested_amount: inputs.amount_text,
    })
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec;

    use super::*;
    use crate::policy::Policy;
    use crate::types::authorization::Authorization;

    /// The unit tests also run without the feature `fast`, where rules run in a loop.
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
                create(&ruleset, body.as_bytes(), &context).status(),
                status,
                "{merchant}"
            );
        }
    }
}
