//! Validation of a payment (§2.1, §3), and its comparison with the request that it answers.

mod amounts;
mod info;
mod state;
mod validator;

pub(crate) use info::contains_full_pan;
use validator::PaymentValidator;

use crate::input::parse_uuid;
use crate::json::{FieldId, JsonStr, Value, bit, items};
use crate::money::USDT;
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::{Allowed, Params, Pointer, ReportBuilder};
use crate::schema::legacy;
use crate::schema::payment::{ALWAYS, IN_CRYPTO, NULLABLE, PAYMENT, PaymentField};
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType};
use crate::types::state::State;
use crate::types::uri::{ACTIVE_SCHEMES, UriPart, is_active_scheme};
use crate::validate::body::read_body;
use crate::validate::listing::Listing;
use crate::validate::request::RequestBody;
use crate::validate::unknown::report as report_unknown;
use crate::validate::uri::validate_uri;
use crate::validate::validator::{Slots, Validator};

/// Validates a payment, and compares it with `request` if one is given.
pub(crate) fn check<'a>(
    ruleset: &'a Ruleset,
    bytes: &'a [u8],
    request: Option<&'a [u8]>,
    report: &mut ReportBuilder<'a>,
) {
    let mut slots = Slots::new();
    if read_payment(ruleset, bytes, &mut slots, report).is_none() {
        return;
    }
    let mut request_body = RequestBody::new();
    let readable =
        request.map(|bytes| request_body.read(ruleset, bytes, &mut ReportBuilder::verdict_only()));
    let request = (readable == Some(true)).then_some(&request_body);
    validate(ruleset, &slots, request, &ALWAYS, report);
    if readable == Some(false) {
        // An unreadable request has no members to compare, so the payment as a whole does not match
        // it.
        let severity = ruleset.severity(Code::AnswerMismatch);
        if severity != Severity::Off {
            report.push(severity, Code::AnswerMismatch, Pointer::ROOT, Params::None);
        }
    }
}

/// Reads `bytes` as a payment, and returns its text. Reports a body that is not a JSON object
/// within the limits.
pub(crate) fn read_payment<'a>(
    ruleset: &'a Ruleset,
    bytes: &'a [u8],
    slots: &mut Slots<'a>,
    report: &mut ReportBuilder<'a>,
) -> Option<&'a str> {
    let mut sink = Listing::of_payment(ruleset, report);
    read_body(ruleset.view().settings, bytes, &PAYMENT, slots, &mut sink)
}

/// Validates a payment that was read. The members in `always` are required.
pub(crate) fn validate<'a>(
    ruleset: &'a Ruleset,
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
    let validator = Validator::new(
        ruleset.view(),
        slots,
        required,
        Listing::of_payment(ruleset, report),
    );
    let mut check = PaymentValidator {
        v: validator,
        crypto,
        state,
        request,
    };
    check.members();
    report_unknown(&mut check.v, legacy::response_member);
}

impl<'a> PaymentValidator<'a, '_> {
    fn members(&mut self) {
        self.uid();
        self.url();
        self.merchant_id();
        self.v
            .one_of(PaymentField::State, State::from_name, State::NAMES);
        if let Some(kind) = self.v.one_of(
            PaymentField::PaymentType,
            PaymentType::from_name,
            PaymentType::NAMES,
        ) {
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
        let member = PaymentField::RedirectUrl;
        if let Some(text) = self.v.string(member) {
            let (policy, schemes) = (self.v.policy, &self.v.sink.ruleset.policy.urls.schemes);
            let accepts = |scheme: &[u8]| policy.accepts_scheme(scheme);
            let path = Pointer::field(member.entry());
            self.uri(
                path,
                text,
                &accepts,
                Params::Allowed(Allowed::Texts(schemes)),
            );
        }
    }

    /// Validates a URI whose scheme `accepts` must accept. Returns whether no error has ended its
    /// rules.
    fn uri(
        &mut self,
        path: Pointer<'a>,
        text: JsonStr<'a>,
        accepts: &dyn Fn(&[u8]) -> bool,
        schemes: Params<'a>,
    ) -> bool {
        let limit = self.v.policy.settings.uri_bytes;
        let mut report = |code, part: Option<UriPart>| {
            let params = match (code, part) {
                (Code::TextTooLong, _) => Params::Limit(limit.try_into().unwrap_or(u64::MAX)),
                (Code::UriScheme, _) => schemes,
                (_, Some(part)) => Params::Reason(part),
                _ => Params::None,
            };
            self.v.report_at(code, path, params)
        };
        text.with_decoded(|text| validate_uri(text.as_bytes(), limit, accepts, &mut report))
            .is_some()
    }

    /// Validates a URI that the service has added to a payment. It may have any scheme except
    /// active ones, because bank applications have their own.
    fn service_uri(&mut self, path: Pointer<'a>, text: JsonStr<'a>) -> bool {
        self.uri(
            path,
            text,
            &|scheme| !is_active_scheme(scheme),
            Params::Refused(&ACTIVE_SCHEMES),
        )
    }

    fn url(&mut self) {
        let Some(text) = self.v.string(PaymentField::Url) else {
            return;
        };
        let path = Pointer::field(PaymentField::Url.entry());
        let is_valid = self.service_uri(path, text);
        if is_valid && self.request_host2host() == Some(true) {
            self.v
                .report(Code::AnswerMismatch, PaymentField::Url, Params::None);
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
                self.service_uri(path, text);
            } else {
                let types = Params::Types {
                    expected: "string",
                    found: item.kind().name(),
                };
                self.v.report_at(Code::Type, path, types);
            }
        }
    }
}
