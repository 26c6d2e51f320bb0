//! Validation of a request. The body is read once, then every rule runs in the order of §2.2.

mod amount;
mod card;
mod recipient;
mod rules;
mod text;
mod validator;

use self::validator::RequestValidator;
pub(crate) use self::validator::RuleInputs;
use super::body::read_body;
use super::unknown;
use super::validator::{Slots, Validator};
use crate::card::known::KnownPans;
use crate::json::{Value, bit};
use crate::money::Currency;
use crate::policy::Ruleset;
use crate::report::{ReportBuilder, ReportSummary};
use crate::schema::legacy;
use crate::schema::request::{REQUEST, RequestField};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::types::timestamp::Timestamp;

/// The members of a body that was read.
pub(crate) struct RequestBody<'a> {
    /// The body as text; empty unless it was read.
    text: &'a str,
    slots: Slots<'a>,
}

impl<'a> RequestBody<'a> {
    /// Creates a value without members, into which a body is read.
    pub(crate) fn new() -> Self {
        RequestBody { text: "", slots: Slots::new() }
    }

    /// Reads a body; call it once. Returns false if the body is not a JSON object within the limits, which is then
    /// reported.
    #[must_use]
    #[inline]
    pub(crate) fn read(&mut self, ruleset: &Ruleset, bytes: &'a [u8], report: &mut ReportBuilder<'a>) -> bool {
        let text = read_body(ruleset, bytes, &REQUEST, &mut self.slots, report);
        self.text = text.unwrap_or_default();
        text.is_some()
    }

    /// Returns the body as text.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    #[inline]
    pub(crate) fn value(&self, member: RequestField) -> Value<'a> {
        self.slots.value(member)
    }

    /// Collects the card numbers of the payer and the recipient.
    pub(crate) fn collect_known_pans(&self, known_pans: &mut KnownPans) {
        for member in [RequestField::CardNumber, RequestField::RecipientCardNumber] {
            if let Some(number) = self.value(member).text() {
                known_pans.collect(number.chars());
            }
        }
    }
}

/// Reads and validates a body, and fills `report`. The members stay in `body`, from which a payment can be built.
pub(crate) fn check<'a>(
    ruleset: &'a Ruleset,
    bytes: &'a [u8],
    inputs: RuleInputs<'_>,
    body: &mut RequestBody<'a>,
    report: &mut ReportBuilder<'a>,
) {
    if body.read(ruleset, bytes, report) {
        validate(ruleset, body, inputs, report);
    }
}

/// Returns whether a body is valid, without listing violations.
pub(crate) fn accepts(ruleset: &Ruleset, bytes: &[u8], now: Option<Timestamp>) -> bool {
    let mut body = RequestBody::new();
    let mut report = ReportBuilder::verdict_only();
    check(ruleset, bytes, now.into(), &mut body, &mut report);
    report.summary.valid
}

/// Validates a body that was read.
pub(crate) fn validate<'a>(
    ruleset: &'a Ruleset,
    body: &RequestBody<'a>,
    inputs: RuleInputs<'_>,
    report: &mut ReportBuilder<'a>,
) {
    let variant = body.value(RequestField::PaymentType).parsed(PaymentType::from_name);
    let mode = body.value(RequestField::Mode).parsed(Mode::from_name);
    let subtype = body.value(RequestField::Subtype).parsed(Subtype::from_name);
    let host2host = matches!(body.value(RequestField::HostToHost), Value::Bool(true));
    report.summary = ReportSummary { variant, mode, host2host, ..report.summary };
    let required = required(ruleset, variant, mode);
    let v = Validator::new(ruleset, &body.slots, required, report);
    let currency = body.value(RequestField::Cur).parsed(Currency::from_code);
    let mut subject = RequestValidator { v, inputs, variant, mode, subtype, host2host, currency };
    rules::run(&mut subject);
    unknown::report(&mut subject.v, |member| legacy::request_member(member.schema, member.name));
}

/// Returns the fields that the specification (§2.2) or the policy requires.
pub(crate) fn required(ruleset: &Ruleset, variant: Option<PaymentType>, mode: Option<Mode>) -> u64 {
    let bit = |member: RequestField| bit(member.slot());
    let always = bit(RequestField::PaymentType) | bit(RequestField::Amount) | bit(RequestField::Cur);
    let by_variant = match (variant, mode) {
        (Some(PaymentType::PayOut), _) => bit(RequestField::Mode) | bit(RequestField::Subtype),
        (Some(PaymentType::PayIn), Some(Mode::Crypto)) | (None, _) => 0,
        (Some(PaymentType::PayIn), _) => bit(RequestField::Subtype),
    };
    always | by_variant | ruleset.required_fields(variant)
}
