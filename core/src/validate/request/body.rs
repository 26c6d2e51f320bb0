//! A body that was read, and its report.

use super::kind::RequestKind;
use super::rules;
use super::validator::RuleInputs;
use crate::card::known::KnownPans;
use crate::json::Value;
use crate::policy::Ruleset;
use crate::report::{ReportBuilder, ReportSummary};
use crate::schema::legacy;
use crate::schema::request::{CARD_NUMBERS, REQUEST, RequestField};
use crate::types::timestamp::Timestamp;
use crate::validate::body::{BodyError, read_body};
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

    /// Reads a body; call it once.
    #[inline]
    pub(crate) fn read(&mut self, ruleset: &Ruleset, bytes: &'a [u8]) -> Result<(), BodyError> {
        self.text = read_body(&ruleset.lengths, bytes, &REQUEST, &mut self.slots)?;
        Ok(())
    }

    #[inline]
    pub(crate) fn value(&self, field: RequestField) -> Value<'a> {
        self.slots.value(field)
    }

    /// Returns the value in a slot.
    pub(crate) fn at(&self, slot: usize) -> Value<'a> {
        *self.slots.values.get(slot).unwrap_or(&Value::Absent)
    }

    /// Checks if every member is a field of §2.2 and none is repeated.
    pub(crate) fn has_distinct_fields(&self) -> bool {
        let presence = &self.slots.presence;
        presence.unknown.is_empty() && presence.duplicates == 0
    }

    /// Collects the card numbers of the payer and the recipient.
    pub(crate) fn collect_known_pans(&self, known_pans: &mut KnownPans) {
        for field in CARD_NUMBERS {
            if let Some(number) = self.value(field).text() {
                known_pans.collect(number.chars());
            }
        }
    }
}

/// Returns whether a body is valid, without listing violations.
pub(crate) fn accepts(ruleset: &Ruleset, bytes: &[u8], now: Option<Timestamp>) -> bool {
    let mut body = RequestBody::new();
    if body.read(ruleset, bytes).is_err() {
        return false;
    }
    let mut report = ReportBuilder::verdict_only();
    validate(ruleset, &body, RuleInputs::at(now), &mut report);
    report.summary.valid
}

/// Validates a body that was read.
pub(crate) fn validate<'a>(
    ruleset: &Ruleset,
    body: &RequestBody<'a>,
    inputs: RuleInputs<'_>,
    report: &mut ReportBuilder<'a>,
) {
    let kind = RequestKind::new(&body.slots);
    report.summary = ReportSummary {
        variant: kind.variant,
        mode: kind.mode,
        host2host: kind.host2host,
        ..report.summary
    };
    rules::run(ruleset, &body.slots, kind, inputs, report);
    // `unknown::report` makes the same test, but needs a validator: a verdict then takes 1 % more
    // instructions.
    if !body.slots.presence.unknown.is_empty() {
        let mut validator = Validator::new(ruleset, &body.slots, 0, report);
        unknown::report(&mut validator, &legacy::REQUEST);
    }
}
