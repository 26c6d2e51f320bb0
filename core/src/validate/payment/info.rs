//! The rules of `info` (§2.1).

use super::validator::PaymentValidator;
use crate::card::document::CardDocument;
use crate::json::{FieldId, Value};
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
            for at in CardDocument::read(object).unmasked_numbers() {
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
