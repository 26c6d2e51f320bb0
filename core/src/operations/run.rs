//! The operations of the table: each reads its inputs, calls one typed method, and writes the result.
//!
//! The function of an operation with a body takes the other input, and returns a function of body and output.

use alloc::vec::Vec;

use super::verdict::{BodyFn, Inputs, Out, Verdict};
use crate::card;
use crate::context::{
    AdvanceContext, BalanceContext, ConvertContext, CreateContext, IdempotencyContext, ReadContext, SignWebhookContext,
    VerifyWebhookContext,
};
use crate::decisions;
use crate::engine::Engine;
use crate::error::Error;
use crate::input::{InputValue, context, plain, plain_timestamp};
use crate::json::writer::Writer;
use crate::model::outcome::Outcome;
#[cfg(feature = "openapi")]
use crate::openapi;
use crate::ops::legacy::MigratedBody;
use crate::ops::{locate, redact};
use crate::report::code;
use crate::report::{InvalidBody, ReportBuilder};
use crate::types::authorization::bearer_token;
use crate::types::payment_type::PaymentType;
use crate::types::state;
use crate::util::bug::or_bug;
use crate::validate::body::parse_object;
use crate::validate::payment;

/// Returns a required input, which `checked` has found to be present.
pub(super) fn required_input(input: Option<&[u8]>) -> &[u8] {
    or_bug(input, &[])
}

fn write(out: Out<'_>, fill: impl FnOnce(&mut Vec<u8>)) {
    if let Some(out) = out {
        fill(out);
    }
}

fn write_report(builder: &ReportBuilder<'_>, out: Out<'_>) -> Verdict {
    write(out, |out| builder.write_json(out));
    Verdict::of(builder.summary.valid)
}

fn write_outcome(outcome: &Outcome<'_>, out: Out<'_>) -> Verdict {
    write(out, |out| outcome.write_json(out));
    Verdict::of(outcome.is_success())
}

/// Writes the value of a successful result, or its report.
fn write_result<T>(result: Result<T, InvalidBody<'_>>, out: Out<'_>, fill: impl FnOnce(&T, &mut Vec<u8>)) -> Verdict {
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

fn write_migrated(migrated: Result<MigratedBody, InvalidBody<'_>>, out: Out<'_>) -> Verdict {
    write_result(migrated, out, MigratedBody::write_json)
}

fn write_catalogue(out: Out<'_>, fill: impl FnOnce(&mut Vec<u8>)) -> Result<Verdict, Error> {
    write(out, fill);
    Ok(Verdict::Accepted)
}

pub(super) fn validate_request<'a>(engine: &'a Engine, now: Option<&[u8]>) -> Result<impl BodyFn + use<'a>, Error> {
    let now = now.map(|now| plain_timestamp(now, "/now")).transpose()?;
    Ok(move |body: &[u8], out: Out<'_>| match out {
        None => Verdict::of(engine.is_valid_request(body, now)),
        out => {
            let mut builder = engine.ruleset().report_builder();
            engine.validate_into(body, now, &mut builder);
            write_report(&builder, out)
        }
    })
}

pub(super) fn create_payment<'a>(engine: &'a Engine, context: Option<&'a [u8]>) -> Result<impl BodyFn, Error> {
    let context = CreateContext::from_json(required_input(context))?;
    Ok(move |body: &[u8], out: Out<'_>| write_outcome(&engine.create_payment(body, &context), out))
}

macro_rules! outcomes_of_context {
    ($($name:ident $context:ident),*) => {$(
        pub(super) fn $name(engine: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
            let context = $context::from_json(required_input(inputs[0]))?;
            Ok(write_outcome(&engine.$name(&context), out))
        }
    )*};
}

outcomes_of_context! { read_payment ReadContext, read_balance BalanceContext, convert ConvertContext }

pub(super) fn check_payment<'a>(engine: &'a Engine, request: Option<&'a [u8]>) -> Result<impl BodyFn, Error> {
    Ok(move |body: &[u8], out: Out<'_>| {
        let mut builder = engine.ruleset().report_builder();
        payment::check(engine.ruleset(), body, request, &mut builder);
        write_report(&builder, out)
    })
}

pub(super) fn field_currencies<'a>(engine: &'a Engine, _: Option<&[u8]>) -> Result<impl BodyFn + use<'a>, Error> {
    Ok(move |body: &[u8], out: Out<'_>| {
        write_result(engine.field_currencies(body), out, |fields, out| fields.write_json(out))
    })
}

pub(super) fn advance_payment(engine: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    let context = AdvanceContext::from_json(required_input(inputs[0]))?;
    Ok(write_outcome(&engine.advance_payment(&context)?, out))
}

pub(super) fn check_transition(engine: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    let [from, to] = context(required_input(inputs[0]), ["from", "to"])?;
    let transition = engine.check_transition(from.require(InputValue::state)?, to.require(InputValue::state)?);
    write(out, |out| transition.write_json(out));
    Ok(Verdict::of(transition.is_possible()))
}

pub(super) fn states(_: &Engine, _: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    write_catalogue(out, state::write_states)
}

pub(super) fn check_idempotency(engine: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    let context = IdempotencyContext::from_json(required_input(inputs[0]))?;
    let check = engine.check_idempotency(&context);
    write(out, |out| check.write_json(out));
    Ok(Verdict::of(check.is_accepted()))
}

pub(super) fn idempotency_key(engine: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    Ok(match engine.idempotency_key(required_input(inputs[0])) {
        Ok(key) => {
            write(out, |out| Writer::new(out).object(|w| w.name("key").string(key.as_str())));
            Verdict::Accepted
        }
        Err(error) => write_outcome(&error.into(), out),
    })
}

pub(super) fn fingerprint_request<'a>(engine: &'a Engine, _: Option<&[u8]>) -> Result<impl BodyFn + use<'a>, Error> {
    Ok(move |body: &[u8], out: Out<'_>| {
        write_result(engine.fingerprint_request(body), out, |fingerprint, out| {
            Writer::new(out).object(|w| w.name("fingerprint").string(fingerprint.as_str()));
        })
    })
}

pub(super) fn authorize(_: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    // The client supplies the header, so invalid UTF-8 is not a caller error: it counts as a header without a token.
    let header = inputs[0].map(|header| core::str::from_utf8(header).unwrap_or(""));
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

pub(super) fn upgrade_request(engine: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    let kind = PaymentType::from_name(plain(required_input(inputs[0]), "/kind")?)
        .ok_or_else(|| Error::context("/kind", "expected pay_in or pay_out"))?;
    Ok(write_migrated(engine.upgrade_request(kind, required_input(inputs[1])), out))
}

/// Migrations whose only input is the body.
macro_rules! migrations {
    ($($name:ident)*) => {$(
        pub(super) fn $name<'a>(engine: &'a Engine, _: Option<&[u8]>) -> Result<impl BodyFn + use<'a>, Error> {
            Ok(move |body: &[u8], out: Out<'_>| write_migrated(engine.$name(body), out))
        }
    )*};
}

migrations! { downgrade_request upgrade_balance downgrade_balance upgrade_payment downgrade_payment }

pub(super) fn redact<'a>(engine: &'a Engine, _: Option<&[u8]>) -> Result<impl BodyFn + use<'a>, Error> {
    Ok(move |body: &[u8], out: Out<'_>| {
        write_result(parse_object(engine.ruleset(), body), out, |body, out| redact::redact(body, out))
    })
}

pub(super) fn redact_text(engine: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    let text = plain(required_input(inputs[0]), "/text")?;
    write_catalogue(out, |out| engine.redact_text_into(text, out))
}

pub(super) fn locate<'a>(_: &Engine, pointer: Option<&'a [u8]>) -> Result<impl BodyFn + use<'a>, Error> {
    let pointer = plain(required_input(pointer), "/pointer")?;
    locate::check_pointer(pointer)?;
    Ok(move |body: &[u8], out: Out<'_>| {
        let location = locate::find(body, pointer);
        write(out, |out| match &location {
            Some(location) => location.write_json(out),
            None => locate::write_not_found(out),
        });
        Verdict::of(location.is_some())
    })
}

pub(super) fn sign_webhook<'a>(engine: &'a Engine, context: Option<&'a [u8]>) -> Result<impl BodyFn, Error> {
    let context = SignWebhookContext::from_json(required_input(context))?;
    Ok(move |body: &[u8], out: Out<'_>| {
        let headers = engine.sign_webhook(body, &context);
        write(out, |out| headers.write_json(out));
        Verdict::Accepted
    })
}

pub(super) fn verify_webhook<'a>(engine: &'a Engine, context: Option<&'a [u8]>) -> Result<impl BodyFn, Error> {
    let context = VerifyWebhookContext::from_json(required_input(context))?;
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
        Verdict::of(verified.is_ok())
    })
}

pub(super) fn card_info(_: &Engine, inputs: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    let info = card::card_info(plain(required_input(inputs[0]), "/digits")?);
    write_catalogue(out, |out| info.write_json(out))
}

pub(super) fn rules(_: &Engine, _: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    write_catalogue(out, code::write_rules)
}

pub(super) fn decisions(_: &Engine, _: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    write_catalogue(out, decisions::write_decisions)
}

#[cfg(feature = "openapi")]
pub(super) fn openapi(engine: &Engine, _: Inputs<'_>, out: Out<'_>) -> Result<Verdict, Error> {
    write_catalogue(out, |out| openapi::write(engine, out))
}
