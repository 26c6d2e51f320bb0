//! The rules of `info` (§2.1).

use alloc::vec::Vec;

use super::validator::PaymentValidator;
use crate::card::scanner::PanScanner;
use crate::json::{FieldId, Token, Tokens, Value};
use crate::report::code::Code;
use crate::report::{Params, Pointer};
use crate::schema::payment::PaymentField;

impl PaymentValidator<'_, '_> {
    pub(super) fn info(&mut self) {
        let object = match self.v.field(PaymentField::Info) {
            Some(Value::String(_)) => {
                _ = self
                    .v
                    .report(Code::InfoType, PaymentField::Info, Params::None);
                return;
            }
            Some(Value::Object(object)) => Some(object),
            Some(other) => return self.v.wrong_type(PaymentField::Info, other),
            None => None,
        };
        let mut stopped = false;
        if let Some(object) = object {
            for at in full_pan_offsets(object) {
                let path = Pointer::inside(PaymentField::Info.entry().pointer, object, at);
                stopped |= self
                    .v
                    .report_at(Code::UnmaskedCardNumber, path, Params::None)
                    .is_break();
            }
        }
        if stopped {
            return;
        }
        // An absent member is already reported as `missing`.
        let given = matches!(
            self.v.value(PaymentField::Info),
            Value::Null | Value::Object(_)
        );
        if given
            && !self.v.has_duplicate_error(PaymentField::Info)
            && self
                .request_host2host()
                .is_some_and(|requested| requested != object.is_some())
        {
            self.mismatch(PaymentField::Info);
        }
    }
}

/// Returns the offsets of the texts in `info` that contain a full card number.
fn full_pan_offsets(info: &str) -> Vec<usize> {
    let has_full_pan = |text: &str| PanScanner::INFO.contains(text.as_bytes());
    Tokens::new(info)
        .filter(|(token, _)| match token {
            Token::Name(text) | Token::String(text) => has_full_pan(&text.decoded()),
            Token::Number(digits) => has_full_pan(digits),
        })
        .map(|(_, range)| range.start)
        .collect()
}
