//! The operations of the table: each reads its inputs, calls one typed method, and writes the
//! result.
//!
//! The function of an operation with a body takes the other input, and returns a function of body
//! and output.

use alloc::vec::Vec;

use super::verdict::{BodyFn, Out, Verdict};
use crate::card;
use crate::context::{
    AdvanceContext, BalanceContext, ComparePoliciesContext, ConvertContext, CreateContext,
    IdempotencyContext, ReadContext, SignWebhookContext, VerifyWebhookContext,
};
use crate::decisions;
use crate::engine::Engine;
use crate::error::Error;
use crate::input::{ContextMembers, InputValue, plain_text, plain_timestamp};
use crate::json::writer::Writer;
use crate::model::outcome::Outcome;
#[cfg(feature = "openapi")]
use crate::openapi;
use crate::ops::field_currencies::FieldCurrencies;
use crate::ops::legacy::MigratedBody;
use crate::ops::{locate, redact};
use crate::report::{InvalidBody, ReportBuilder, code};
use crate::schema::context::TransitionField;
use crate::types::authorization::bearer_token;
use crate::types::fingerprint::Fingerprint;
use crate::types::idempotency_key::IdempotencyKey;
use crate::types::payment_type::PaymentType;
use crate::types::state;
use crate::validate::body::parse_object;

fn write(out: Out<'_>, fill: impl FnOnce(&mut Vec<u8>)) {
    if let Some(out) = out {
        fill(out);
    }
}

fn write_report(report: &ReportBuilder<'_>, out: Out<'_>) -> Verdict {
    write(out, |out| report.write_json(out));
    Verdict::new(report.summary.valid)
}

fn write_outcome(outcome: &Outcome, out: Out<'_>) -> Verdict {
    write(out, |out| outcome.write_json(out));
    Verdict::new(outcome.is_success())
}

/// Writes the value of a successful result, or its report.
fn write_result<T>(
    result: Result<T, InvalidBody>,
    out: Out<'_>,
    fill: impl FnOnce(&T, &mut Vec<u8>),
) -> Verdict {
    match result {
        Ok(value) => {
            write(out, |out| fill(&value, out));
            Verdict::Accepted
        }
        Err(InvalidBody(report)) => {
            write(out, |out| report.write_json(out));
            Verdict::Rejected
        }
    }
}

fn write_accepted(out: Out<'_>, fill: impl FnOnce(&mut Vec<u8>)) -> Result<Verdict, Error> {
    write(out, fill);
    Ok(Verdict::Accepted)
}

pub(super) fn validate_request<'a>(
    engine: &'a Engine,
    now: Option<&[u8]>,
) -> Result<impl BodyFn + use<'a>, Error> {
    let now = now.map(|now| plain_timestamp(now, "/now")).transpose()?;
    Ok(move |body: &[u8], out: Out<'_>| match out {
        None => Verdict::new(engine.is_valid_request(body, now)),
        out => {
            let mut report = engine.ruleset.report_builder();
            engine.validate_into(body, now, &mut report);
            write_report(&report, out)
        }
    })
}

pub(super) fn create_payment<'a>(
    engine: &'a Engine,
    context: &'a [u8],
) -> Result<impl BodyFn, Error> {
    let context = CreateContext::from_json(context)?;
    Ok(move |body: &[u8], out: Out<'_>| write_outcome(&engine.create_payment(body, &context), out))
}

macro_rules! outcomes_of_context {
    ($($name:ident $context:ident),*) => {$(
        pub(super) fn $name(engine: &Engine, context: &[u8], out: Out<'_>) -> Result<Verdict, Error> {
            let context = $context::from_json(context)?;
            Ok(write_outcome(&engine.$name(&context), out))
        }
    )*};
}

outcomes_of_context! { read_payment ReadContext, read_balance BalanceContext, convert ConvertContext }

pub(super) fn check_payment<'a>(
    engine: &'a Engine,
    request: Option<&'a [u8]>,
) -> Result<impl BodyFn, Error> {
    Ok(move |body: &[u8], out: Out<'_>| {
        let mut report = engine.ruleset.report_builder();
        engine.check_payment_into(body, request, &mut report);
        write_report(&report, out)
    })
}

/// Operations whose only input is the body, and the function that writes their result.
macro_rules! results_of_body {
    ($($name:ident $write:path;)*) => {$(
        pub(super) fn $name<'a>(engine: &'a Engine) -> Result<impl BodyFn + use<'a>, Error> {
            Ok(move |body: &[u8], out: Out<'_>| write_result(engine.$name(body), out, $write))
        }
    )*};
}

results_of_body! {
    field_currencies FieldCurrencies::write_json;
    fingerprint_request write_fingerprint;
    downgrade_request MigratedBody::write_json;
    upgrade_balance MigratedBody::write_json;
    downgrade_balance MigratedBody::write_json;
    upgrade_payment MigratedBody::write_json;
    downgrade_payment MigratedBody::write_json;
}

fn write_fingerprint(fingerprint: &Fingerprint, out: &mut Vec<u8>) {
    Writer::new(out).object(|w| w.name("fingerprint").string(fingerprint.as_str()));
}

pub(super) fn advance_payment(
    engine: &Engine,
    context: &[u8],
    out: Out<'_>,
) -> Result<Verdict, Error> {
    let context = AdvanceContext::from_json(context)?;
    Ok(write_outcome(&engine.advance_payment(&context)?, out))
}

pub(super) fn check_transition(
    engine: &Engine,
    context: &[u8],
    out: Out<'_>,
) -> Result<Verdict, Error> {
    let members = ContextMembers::<TransitionField>::read(context)?;
    let from = members
        .get(TransitionField::From)
        .require(InputValue::state)?;
    let to = members
        .get(TransitionField::To)
        .require(InputValue::state)?;
    let transition = engine.check_transition(from, to);
    write(out, |out| transition.write_json(out));
    Ok(Verdict::new(transition.is_possible()))
}

pub(super) fn states(_: &Engine, out: Out<'_>) -> Result<Verdict, Error> {
    write_accepted(out, state::write_states)
}

pub(super) fn check_idempotency(
    engine: &Engine,
    context: &[u8],
    out: Out<'_>,
) -> Result<Verdict, Error> {
    let context = IdempotencyContext::from_json(context)?;
    let check = engine.check_idempotency(&context);
    write(out, |out| check.write_json(out));
    Ok(Verdict::new(check.is_accepted()))
}

pub(super) fn idempotency_key(
    engine: &Engine,
    header: Option<&[u8]>,
    out: Out<'_>,
) -> Result<Verdict, Error> {
    let key = header.map(|header| engine.idempotency_key(header));
    Ok(match key.transpose() {
        Ok(key) => {
            let key = key.as_ref().map(IdempotencyKey::as_str);
            write(out, |out| {
                Writer::new(out).object(|w| w.name("key").string_or_null(key))
            });
            Verdict::Accepted
        }
        Err(error) => write_outcome(&error.into(), out),
    })
}

pub(super) fn authorize(_: &Engine, header: Option<&[u8]>, out: Out<'_>) -> Result<Verdict, Error> {
    // The client supplies the header, so invalid UTF-8 is not a caller error: it counts as a header
    // without a token.
    let header = header.map(|header| match core::str::from_utf8(header) {
        Ok(text) => text.as_bytes(),
        Err(_) => b"",
    });
    Ok(match bearer_token(header) {
        Ok(token) => {
            write(out, |out| {
                Writer::new(out).object(|w| {
                    w.name("authorized").bool(true);
                    w.name("token").string(token);
                });
            });
            Verdict::Accepted
        }
        Err(why) => write_outcome(&why.into(), out),
    })
}

pub(super) fn upgrade_request(
    engine: &Engine,
    kind: &[u8],
    body: &[u8],
    out: Out<'_>,
) -> Result<Verdict, Error> {
    let kind = PaymentType::from_name(plain_text(kind, "/kind")?)
        .ok_or_else(|| Error::context("/kind", "expected pay_in or pay_out"))?;
    Ok(write_result(
        engine.upgrade_request(kind, body),
        out,
        MigratedBody::write_json,
    ))
}

pub(super) fn redact<'a>(engine: &'a Engine) -> Result<impl BodyFn + use<'a>, Error> {
    Ok(move |body: &[u8], out: Out<'_>| {
        write_result(parse_object(&engine.ruleset, body), out, |body, out| {
            redact::redact(body, out)
        })
    })
}

pub(super) fn redact_text(engine: &Engine, text: &[u8], out: Out<'_>) -> Result<Verdict, Error> {
    let text = plain_text(text, "/text")?;
    write_accepted(out, |out| engine.redact_text_into(text, out))
}

pub(super) fn locate<'a>(_: &Engine, pointer: &'a [u8]) -> Result<impl BodyFn + use<'a>, Error> {
    let pointer = plain_text(pointer, "/pointer")?;
    locate::check_pointer(pointer)?;
    Ok(move |body: &[u8], out: Out<'_>| {
        let location = locate::find(body, pointer);
        write(out, |out| match &location {
            Some(location) => location.write_json(out),
            None => locate::write_not_found(out),
        });
        Verdict::new(location.is_some())
    })
}

pub(super) fn sign_webhook<'a>(
    engine: &'a Engine,
    context: &'a [u8],
) -> Result<impl BodyFn, Error> {
    let context = SignWebhookContext::from_json(context)?;
    Ok(move |body: &[u8], out: Out<'_>| {
        let headers = engine.sign_webhook(body, &context);
        write(out, |out| headers.write_json(out));
        Verdict::Accepted
    })
}

pub(super) fn verify_webhook<'a>(
    engine: &'a Engine,
    context: &'a [u8],
) -> Result<impl BodyFn, Error> {
    let context = VerifyWebhookContext::from_json(context)?;
    Ok(move |body: &[u8], out: Out<'_>| {
        let verified = engine.verify_webhook(body, &context);
        write(out, |out| {
            Writer::new(out).object(|w| {
                w.name("verified").bool(verified.is_ok());
                if let Err(rejection) = verified {
                    w.name("reason").string(rejection.name());
                }
            });
        });
        Verdict::new(verified.is_ok())
    })
}

pub(super) fn card_info(_: &Engine, digits: &[u8], out: Out<'_>) -> Result<Verdict, Error> {
    let info = card::card_info(plain_text(digits, "/digits")?);
    write_accepted(out, |out| info.write_json(out))
}

pub(super) fn compare_policies(
    engine: &Engine,
    context: &[u8],
    out: Out<'_>,
) -> Result<Verdict, Error> {
    let context = ComparePoliciesContext::from_json(context)?;
    write_accepted(out, |out| engine.compare_policies(&context).write_json(out))
}

pub(super) fn rules(_: &Engine, out: Out<'_>) -> Result<Verdict, Error> {
    write_accepted(out, code::write_rules)
}

pub(super) fn decisions(_: &Engine, out: Out<'_>) -> Result<Verdict, Error> {
    write_accepted(out, decisions::write_decisions)
}

#[cfg(feature = "openapi")]
pub(super) fn openapi(engine: &Engine, out: Out<'_>) -> Result<Verdict, Error> {
    write_accepted(out, |out| openapi::write(engine, out))
}
