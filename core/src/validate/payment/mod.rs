//! Validation of a payment (§2.1, §3), and its comparison with the request that it answers.

mod amounts;
mod info;
mod state;
mod validator;

use validator::PaymentValidator;

use crate::json::{FieldId, JsonStr, Value, bit, items};
use crate::money::USDT;
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::{Params, Pointer, ReportBuilder};
use crate::schema::legacy;
use crate::schema::payment::{ALWAYS, IN_CRYPTO, NULLABLE, PAYMENT, PaymentField};
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType};
use crate::types::state::State;
use crate::types::uuid::parse_uuid;
use crate::validate::body::{BodyError, read_body};
use crate::validate::request::RequestBody;
use crate::validate::unknown;
use crate::validate::uri::{Hosts, Schemes};
use crate::validate::validator::{Slots, Validator};

/// Validates a payment, and compares it with `request` if one is given.
pub(crate) fn check<'a>(
    ruleset: &Ruleset,
    bytes: &'a [u8],
    request: Option<&'a [u8]>,
    report: &mut ReportBuilder<'a>,
) {
    let mut slots = Slots::new();
    if let Err(error) = read_payment(ruleset, bytes, &mut slots) {
        error.report(report);
        return;
    }
    let mut request_body = RequestBody::new();
    let is_readable = request.map(|bytes| request_body.read(ruleset, bytes).is_ok());
    let request = (is_readable == Some(true)).then_some(&request_body);
    validate(ruleset, &slots, request, &ALWAYS, report);
    if is_readable == Some(false) {
        // An unreadable request has no members to compare, so the payment as a whole does not match
        // it.
        let severity = ruleset.severity(Code::AnswerMismatch);
        if severity != Severity::Off {
            report.push(severity, Code::AnswerMismatch, Pointer::ROOT, Params::None);
        }
    }
}

/// Reads `bytes` as a payment, and returns its text.
pub(crate) fn read_payment<'a>(
    ruleset: &Ruleset,
    bytes: &'a [u8],
    slots: &mut Slots<'a>,
) -> Result<&'a str, BodyError> {
    read_body(&ruleset.lengths, bytes, &PAYMENT, slots)
}

/// Validates a payment that was read. The members in `always` are required.
pub(crate) fn validate<'a>(
    ruleset: &Ruleset,
    slots: &Slots<'a>,
    request: Option<&RequestBody<'a>>,
    always: &[PaymentField],
    report: &mut ReportBuilder<'a>,
) {
    report.is_of_payment = true;
    let crypto = slots
        .value(PaymentField::Currency)
        .text()
        .is_some_and(|code| code.is(USDT));
    let state = slots.value(PaymentField::State).parsed(State::from_name);
    report.summary.variant = slots
        .value(PaymentField::PaymentType)
        .parsed(PaymentType::from_name);
    report.summary.mode = crypto.then_some(Mode::Crypto);
    report.summary.host2host = matches!(slots.value(PaymentField::Info), Value::Object(_));
    // A null is a value if §2.1 allows it; otherwise it counts as absent.
    let is_null = |member: &PaymentField| {
        NULLABLE.contains(member) && matches!(slots.value(*member), Value::Null)
    };
    let in_crypto = if crypto { IN_CRYPTO.as_slice() } else { &[] };
    let always = always
        .iter()
        .chain(in_crypto)
        .filter(|member| !is_null(member));
    let required = always.fold(0, |bits, member| bits | bit(member.slot()));
    let mut check = PaymentValidator {
        v: Validator::new(ruleset, slots, required, report),
        crypto,
        state,
        request,
    };
    check.members();
    unknown::report(&mut check.v, &legacy::PAYMENT);
}

impl<'a> PaymentValidator<'a, '_> {
    fn members(&mut self) {
        self.uid();
        self.url();
        self.merchant_id();
        self.v.one_of(PaymentField::State, State::NAMES);
        if let Some(kind) = self.v.one_of(PaymentField::PaymentType, PaymentType::NAMES) {
            self.must_equal_request(PaymentField::PaymentType, RequestField::PaymentType, kind);
        }
        // Any subtype is accepted, because §2.1 lists examples only.
        if let Some(subtype) = self.v.string(PaymentField::Subtype) {
            self.must_equal_request(PaymentField::Subtype, RequestField::Subtype, subtype);
        }
        self.requested_amount();
        self.requested_currency();
        self.amount(PaymentField::ClientAmount, self.requested_minor_unit());
        let minor_unit = self.minor_unit();
        self.amount(PaymentField::Amount, minor_unit);
        self.currency();
        // Fees may have more fraction digits than the currency; settled amounts may not.
        let (gross, fee, commission) = (
            PaymentField::GrossAmount,
            PaymentField::Fee,
            PaymentField::Commission,
        );
        self.sum(PaymentField::Total, None, &[gross, fee, commission], &[]);
        self.sum(
            PaymentField::NetProcessed,
            None,
            &[gross],
            &[fee, commission],
        );
        self.amount(fee, None);
        self.amount(commission, None);
        self.sum(gross, minor_unit, &[PaymentField::Amount], &[]);
        self.shared_commission();
        self.amount(PaymentField::PaidAmount, minor_unit);
        self.fail_by();
        self.fail_code();
        self.receipts();
        self.date(PaymentField::CreatedDate);
        self.paid_at();
        self.redirect_url();
        self.v.string(PaymentField::Form);
        self.info();
    }

    fn uid(&mut self) {
        if let Some(text) = self.v.string(PaymentField::Uid)
            && parse_uuid(&text.decoded()).is_none()
        {
            self.v
                .wrong_format(PaymentField::Uid, "uuid", Value::String(text));
        }
    }

    fn redirect_url(&mut self) {
        let field = PaymentField::RedirectUrl;
        if let Some(text) = self.v.string(field) {
            self.uri(Pointer::field(field.entry()), text, Schemes::OfPolicy);
        }
    }

    /// Validates a URI. Returns whether no error has ended its rules.
    fn uri(&mut self, path: Pointer<'a>, text: JsonStr<'a>, schemes: Schemes) -> bool {
        text.with_decoded(|text| self.v.uri(path, text, schemes, Hosts::Any).is_continue())
    }

    fn url(&mut self) {
        let field = PaymentField::Url;
        let Some(text) = self.v.string(field) else {
            return;
        };
        // The service has added this URI, so it may have the scheme of a bank's application.
        let is_valid = self.uri(Pointer::field(field.entry()), text, Schemes::NotActive);
        if is_valid && self.request_host2host() == Some(true) {
            self.mismatch(field);
        }
    }

    fn receipts(&mut self) {
        let array = match self.v.field(PaymentField::Receipts) {
            None => return,
            Some(Value::Array(array)) => array,
            Some(other) => return self.v.wrong_type(PaymentField::Receipts, other),
        };
        let base = PaymentField::Receipts.entry().pointer;
        for (index, item) in items(array).enumerate() {
            let path = Pointer::item(base, index);
            if let Value::String(text) = item {
                self.uri(path, text, Schemes::NotActive);
            } else {
                let types = Params::Types {
                    expected: "string",
                    found: item.kind().name(),
                };
                // An item has no further rules.
                _ = self.v.report_at(Code::Type, path, types);
            }
        }
    }
}
