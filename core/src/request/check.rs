//! From the bytes of a body to its report: read once, then every rule in the order of §2.2.

use core::ops::{Deref, DerefMut};

use super::members::{BODY, Member, SLOTS, variant_of};
use super::{rules, strays};
use crate::engine::{Engine, bit};
use crate::judge::{Judge, read_body};
use crate::kinds::{Mode, PaymentType, Subtype};
use crate::read::{Extras, Text, Value};
use crate::report::{Params, Report};
use crate::rules::Code;
use crate::time::Timestamp;

/// A body's members, as read.
pub(crate) struct Body<'a> {
    slots: [Value<'a>; SLOTS],
    extras: Extras<'a>,
}

impl<'a> Body<'a> {
    pub(crate) fn read(engine: &Engine, bytes: &'a [u8]) -> Result<Self, Report<'a>> {
        let mut slots = [Value::Absent; SLOTS];
        let extras = read_body(engine, bytes, &BODY, &mut slots)?;
        Ok(Body { slots, extras })
    }

    pub(crate) fn value(&self, member: Member) -> Value<'a> {
        self.slots.get(member.slot()).copied().unwrap_or_default()
    }
}

/// What the rules of a request look at besides the members.
pub(crate) struct Subject<'a, 'b> {
    judge: Judge<'a, 'b>,
    pub(crate) now: Option<Timestamp>,
    pub(crate) variant: Option<PaymentType>,
    pub(crate) subtype: Option<Subtype>,
    pub(crate) host2host: bool,
}

impl<'a, 'b> Deref for Subject<'a, 'b> {
    type Target = Judge<'a, 'b>;

    fn deref(&self) -> &Judge<'a, 'b> {
        &self.judge
    }
}

impl<'a, 'b> DerefMut for Subject<'a, 'b> {
    fn deref_mut(&mut self) -> &mut Judge<'a, 'b> {
        &mut self.judge
    }
}

/// Reads and judges a body. The members come back too, for whoever builds a payment of them.
pub(crate) fn check<'a>(engine: &'a Engine, bytes: &'a [u8], now: Option<Timestamp>) -> (Report<'a>, Option<Body<'a>>) {
    match Body::read(engine, bytes) {
        Ok(body) => (judge(engine, &body, now), Some(body)),
        Err(report) => (report, None),
    }
}

fn judge<'a>(engine: &'a Engine, body: &Body<'a>, now: Option<Timestamp>) -> Report<'a> {
    let word = |member| body.value(member).text().map(Text::decode);
    let variant = word(Member::PaymentType).and_then(|text| PaymentType::from_name(&text));
    let mode = word(Member::Mode).and_then(|text| Mode::from_name(&text));
    let subtype = word(Member::Subtype).and_then(|text| Subtype::from_name(&text));
    let host2host = matches!(body.value(Member::HostToHost), Value::Bool(true));
    let mut report = Report::new(engine.violation_limit());
    report.variant = variant;
    report.mode = mode;
    report.host2host = host2host;
    let required = required(engine, variant, mode);
    let judge = Judge { engine, slots: &body.slots, extras: &body.extras, required, report };
    let mut subject = Subject { judge, now, variant, subtype, host2host };
    rules::run(&mut subject);
    strays::run(&mut subject);
    subject.judge.report
}

/// What must be there: the specification's own (§2.2) and the policy's.
fn required(engine: &Engine, variant: Option<PaymentType>, mode: Option<Mode>) -> u64 {
    let bit = |member: Member| bit(member.slot());
    let always = bit(Member::PaymentType) | bit(Member::Amount) | bit(Member::Cur);
    let by_variant = match (variant, mode) {
        (Some(PaymentType::PayOut), _) => bit(Member::Mode) | bit(Member::Subtype),
        (Some(PaymentType::PayIn), Some(Mode::Crypto)) | (None, _) => 0,
        (Some(PaymentType::PayIn), _) => bit(Member::Subtype),
    };
    always | by_variant | engine.required_by_policy(variant)
}

impl Subject<'_, '_> {
    /// Whether the member belongs to the variant; tells where it does not.
    pub(crate) fn fits_variant(&mut self, member: Member) -> bool {
        let mismatch = self.variant.is_some_and(|variant| variant_of(member.slot()) != Some(variant));
        !(mismatch && self.tell(Code::VariantMismatch, member, Params::None))
    }
}
