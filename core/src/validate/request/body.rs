//! A body that was read, and its report.

use super::rules;
use super::validator::{RequestKind, RuleInputs};
use crate::card::known::KnownPans;
use crate::json::Value;
use crate::policy::Ruleset;
use crate::report::{ReportBuilder, ReportSummary};
use crate::schema::legacy;
use crate::schema::request::{REQUEST, RequestField};
use crate::types::timestamp::Timestamp;
use crate::util::bytes::utf8;
use crate::validate::body::{read_body, read_text};
use crate::validate::listing::Listing;
use crate::validate::unknown;
use crate::validate::validator::{Slots, Validator};

/// The members of a body that was read.
pub(crate) struct RequestBody<'a> {
    /// The body as text; empty unless it was read.
    pub(crate) text: &'a str,
    slots: Slots<'a>,
}

impl<'a> RequestBody<'a> {
    /// Creates a value without members, into which a body is read.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        RequestBody {
            text: "",
            slots: Slots::new(),
        }
    }

    /// Reads a body; call it once. Returns false if the body is not a JSON object within the
    /// limits, which is then reported.
    // Inlined because a report then takes ten instructions fewer, as with `text` in
    // `validate::body` (P6).
    #[must_use]
    #[inline(always)]
    pub(crate) fn read(
        &mut self,
        ruleset: &'a Ruleset,
        bytes: &'a [u8],
        report: &mut ReportBuilder<'a>,
    ) -> bool {
        let mut sink = Listing::of_request(ruleset, report);
        let settings = ruleset.view().settings;
        let text = read_body(settings, bytes, &REQUEST, &mut self.slots, &mut sink);
        self.text = text.unwrap_or_default();
        text.is_some()
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

/// Reads and validates a body, and fills `report`. The members stay in `body`, from which a payment
/// can be built.
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
    bytes.len() <= ruleset.view().settings.body_bytes
        && utf8(bytes).is_ok_and(|text| accepts_text(ruleset, text, now))
}

/// Returns whether a text is a valid body.
#[cfg_attr(optimize_attribute, optimize(speed))]
pub(crate) fn accepts_text(ruleset: &Ruleset, text: &str, now: Option<Timestamp>) -> bool {
    let mut body = RequestBody::new();
    let mut report = ReportBuilder::verdict_only();
    let settings = ruleset.view().settings;
    let mut sink = Listing::of_request(ruleset, &mut report);
    if text.len() <= settings.body_bytes
        && read_text(settings, text, &REQUEST, &mut body.slots, &mut sink)
    {
        validate(ruleset, &body, now.into(), &mut report);
        return report.summary.valid;
    }
    false
}

/// Validates a body that was read.
#[cfg_attr(optimize_attribute, optimize(speed))]
pub(crate) fn validate<'a>(
    ruleset: &'a Ruleset,
    body: &RequestBody<'a>,
    inputs: RuleInputs<'_>,
    report: &mut ReportBuilder<'a>,
) {
    let kind = RequestKind::of(&body.slots);
    let RequestKind {
        variant,
        mode,
        host2host,
        ..
    } = kind;
    report.summary = ReportSummary {
        variant,
        mode,
        host2host,
        ..report.summary
    };
    rules::run(
        ruleset.view(),
        &body.slots,
        kind,
        inputs,
        Listing::of_request(ruleset, report),
    );
    // `report` makes the same test, but needs a validator: a verdict then takes 1 % more
    // instructions.
    if !body.slots.presence.unknown.is_empty() {
        let sink = Listing::of_request(ruleset, report);
        let mut validator = Validator::new(ruleset.view(), &body.slots, 0, sink);
        unknown::report(&mut validator, legacy::request_member);
    }
}
