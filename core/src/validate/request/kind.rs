//! Rules of `payment_type`, `mode`, `subtype`, and `host2host`: listed values and a switch.

use super::validator::RequestValidator;
use crate::json::Value;
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType, Subtype};

pub(super) fn payment_type(s: &mut RequestValidator<'_, '_>) {
    let known = s.variant.is_some();
    s.v.expect_known(RequestField::PaymentType, known, PaymentType::NAMES);
}

pub(super) fn mode(s: &mut RequestValidator<'_, '_>) {
    let known = s.mode.is_some();
    s.v.expect_known(RequestField::Mode, known, Mode::NAMES);
}

pub(super) fn subtype(s: &mut RequestValidator<'_, '_>) {
    let known = s.subtype.is_some();
    s.v.expect_known(RequestField::Subtype, known, Subtype::NAMES);
}

pub(super) fn host2host(s: &mut RequestValidator<'_, '_>) {
    if let Some(value) = s.v.field(RequestField::HostToHost)
        && !matches!(value, Value::Bool(_))
    {
        s.v.wrong_type(RequestField::HostToHost, value);
    }
}
