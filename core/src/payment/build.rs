//! create_payment and convert: from a body and a context to the exact answer.

use alloc::borrow::{Cow, ToOwned};

use zeroize::Zeroize;

use super::value::{Info, InfoKind, Payment};
use crate::context::{ConvertContext, CreateContext};
use crate::engine::Engine;
use crate::fingerprint::Fingerprint;
use crate::idempotency::{self, IdempotencyVerdict};
use crate::kinds::{Mode, Subtype};
use crate::money::{Amount, Breakdown, BreakdownError, Charges, Currency, Freshness, Quote};
use crate::outcome::{Answer, Conversion, Outcome};
use crate::pan::KnownPans;
use crate::problem::{Problem, ProblemCode};
use crate::report::{Report, ReportSummary};
use crate::request::{self, Body, Deciding, Member, Terms, Unfit};
use crate::rules::Code;
use crate::text::utf8;
use crate::time::Timestamp;

/// Checks in the order of the contract: authorization, key, body, record, refusal, quote, charges.
pub(crate) fn create<'a>(engine: &'a Engine, bytes: &'a [u8], context: &CreateContext<'a>) -> Outcome<'a> {
    if let Err(why) = context.authorization.check() {
        return why.into();
    }
    if let Some(idempotency) = &context.idempotency
        && !idempotency::is_key(&idempotency.key)
    {
        return ProblemCode::InvalidIdempotencyKey.into();
    }
    let mut body = Body::new();
    let mut report = engine.report_builder();
    request::check(engine, bytes, Some(context.now), &mut body, &mut report);
    if !report.summary.valid {
        return unacceptable(engine, report.into(), None);
    }
    let terms = Terms::of(&body);
    if let Err(Unfit::Unreadable(member)) = terms {
        return unacceptable(engine, report.into(), Some(member));
    }
    let mut fingerprint = None;
    if let Some(idempotency) = &context.idempotency {
        let computed = Fingerprint::of(utf8(bytes).unwrap_or(""), engine.policy().fingerprint_key.as_ref());
        let window = engine.policy().idempotency.window_ms;
        let check = idempotency::evaluate(idempotency.existing.as_ref(), computed.as_str(), context.now, window);
        if let Some(problem) = check.verdict.problem() {
            return problem.into();
        }
        let stored = idempotency.existing.as_ref().and_then(|existing| existing.payment);
        if let (IdempotencyVerdict::Replay, Some(stored)) = (check.verdict, stored) {
            return Outcome::created(
                Answer::Json(stored.as_str().into()),
                true,
                Some(computed),
                &mut report.violations,
            );
        }
        fingerprint = Some(computed);
    }
    if let Some(reason) = &context.refusal {
        // The reason is the host's, but a card number in it would go out all the same, the body's own whatever its scheme.
        let mut known_pans = KnownPans::default();
        body.collect_known_pans(&mut known_pans);
        let masked = known_pans.mask_text(reason).map(|masked| Cow::Owned(masked.as_str().to_owned()));
        let reason = masked.unwrap_or_else(|| reason.clone());
        return Problem::with_detail(ProblemCode::Refused, reason).into();
    }
    // An amount too large to compute with is a matter of the quote and the charges: it waits for what comes before.
    let payment =
        terms.map_err(|_| ProblemCode::AmountTooLarge).and_then(|terms| payment(engine, terms, context, &body));
    match payment {
        Ok(payment) => Outcome::created(Answer::Payment(payment), false, fingerprint, &mut report.violations),
        Err(problem) => problem.into(),
    }
}

/// The answer to a body that no payment can be made of: for what the report tells, or for a member that cannot be read
/// and of which the policy tells nothing.
fn unacceptable<'a>(engine: &Engine, report: Report<'a>, unreadable: Option<Deciding>) -> Outcome<'a> {
    let problem = refusal_of(engine, report.summary, unreadable);
    Problem { report: Some(report), ..problem }.into()
}

/// The same without its report.
pub(crate) fn refusal_of<'a>(engine: &Engine, summary: ReportSummary, unreadable: Option<Deciding>) -> Problem<'a> {
    let told = |code| summary.fatal == Some(code);
    let mut problem = if told(Code::JsonSyntax) {
        Problem::new(ProblemCode::MalformedJson)
    } else if told(Code::BodyTooLarge) {
        Problem::new(ProblemCode::BodyTooLarge)
    } else {
        let status = engine.policy().invalid_request_status.status();
        Problem { status, ..Problem::new(ProblemCode::InvalidRequest) }
    };
    if let Some(unreadable) = unreadable {
        problem.detail = unreadable.detail().into();
    }
    problem
}

fn payment<'a>(
    engine: &Engine,
    terms: Terms<'a>,
    context: &CreateContext<'a>,
    body: &Body<'a>,
) -> Result<Payment<'a>, ProblemCode> {
    let crypto = terms.mode == Some(Mode::Crypto);
    let (amounts, scale) = if crypto {
        usdt(engine, terms.cur, terms.amount, &context.charges, context.quote.as_ref(), context.now)?
    } else {
        (Breakdown::fiat(terms.amount, &context.charges).map_err(refusal)?, terms.cur.minor_unit().unwrap_or(0))
    };
    // Texts go out as they came (D27), but never with the payment's own card number in them.
    let mut known_pans = KnownPans::default();
    body.collect_known_pans(&mut known_pans);
    let repeat = |mut text: Cow<'a, str>| {
        if let Some(masked) = known_pans.mask(&text) {
            // What had an escape is a copy, and the number is in it.
            if let Cow::Owned(copy) = &mut text {
                copy.zeroize();
            }
            text = Cow::Owned(masked.as_str().to_owned());
        }
        text
    };
    let merchant_id = request::text(body, Member::MerchantId).or_else(|| context.merchant_id.clone());
    Ok(Payment {
        uid: context.uid,
        url: context.url.as_ref().filter(|_| !terms.host2host).map(|url| repeat(url.text().clone())),
        merchant_id: merchant_id.map(repeat),
        payment_type: terms.payment_type,
        subtype: terms.subtype,
        requested_currency: terms.cur,
        amounts,
        crypto,
        scale,
        created_date: context.now,
        redirect_url: request::text(body, Member::RedirectUrl).map(repeat),
        form: context.form.clone().map(repeat),
        info: terms.host2host.then(|| Info {
            kind: if crypto {
                InfoKind::Crypto
            } else if terms.subtype == Some(Subtype::Sbp) {
                InfoKind::Sbp
            } else {
                InfoKind::Card
            },
            card_number: terms.masked_card_number(body),
        }),
        requested_amount: terms.amount_text,
    })
}

fn usdt(
    engine: &Engine,
    currency: Currency,
    amount: Amount,
    charges: &Charges,
    quote: Option<&Quote>,
    now: Timestamp,
) -> Result<(Breakdown, u32), ProblemCode> {
    let crypto = engine.policy().crypto;
    let quote = usable(engine, currency, quote, Some(now))?;
    let amounts = Breakdown::usdt(amount, charges, quote.rate(), crypto.scale, crypto.rounding).map_err(refusal)?;
    Ok((amounts, crypto.scale))
}

/// The quote, if it may be used for `currency` now.
fn usable<'q>(
    engine: &Engine,
    currency: Currency,
    quote: Option<&'q Quote>,
    now: Option<Timestamp>,
) -> Result<&'q Quote, ProblemCode> {
    let quote = quote.ok_or(ProblemCode::QuoteMissing)?;
    if quote.currency() != currency {
        return Err(ProblemCode::QuoteMismatch);
    }
    let max_age = engine.policy().crypto.max_quote_age_ms;
    if now.is_some_and(|now| quote.freshness(now, max_age) == Freshness::Stale) {
        return Err(ProblemCode::QuoteStale);
    }
    Ok(quote)
}

fn refusal(error: BreakdownError) -> ProblemCode {
    match error {
        BreakdownError::TooSmall => ProblemCode::AmountTooSmall,
        BreakdownError::TooLarge => ProblemCode::AmountTooLarge,
        BreakdownError::ChargesExceedAmount => ProblemCode::ChargesExceedAmount,
    }
}

/// convert: a fiat amount in USDT.
pub(crate) fn convert(engine: &Engine, context: &ConvertContext) -> Outcome<'static> {
    let crypto = engine.policy().crypto;
    let (requested_amount, requested_currency) = (context.amount(), context.currency());
    let made = usable(engine, requested_currency, context.quote.as_ref(), context.now).and_then(|quote| {
        let none = Charges::default();
        let made = Breakdown::usdt(requested_amount, &none, quote.rate(), crypto.scale, crypto.rounding);
        Ok((made.map_err(refusal)?.amount, quote.rate()))
    });
    match made {
        Ok((amount, rate)) => Outcome::success(
            200,
            Answer::Conversion(Conversion { amount, scale: crypto.scale, requested_amount, requested_currency, rate }),
        ),
        Err(problem) => problem.into(),
    }
}
