//! The front door: an [`Engine`] holds a policy and answers, one short method for each operation.

use alloc::string::String;
use alloc::vec::Vec;

use crate::authorization::Authorization;
use crate::context::{AdvanceContext, BalanceContext, ConvertContext, CreateContext, IdempotencyContext, ReadContext};
use crate::error::Error;
use crate::fingerprint::fingerprint;
use crate::host::parse_uuid;
use crate::idempotency::{self, IdempotencyVerdict};
use crate::judge::read_any;
use crate::kinds::PaymentType;
use crate::legacy::{self, Rewritten};
use crate::outcome::{Answer, Outcome};
use crate::payment::{self, FieldCurrencies};
use crate::policy::Policy;
use crate::problem::ProblemCode;
use crate::redact;
use crate::report::Report;
use crate::request::{self, CreateRequest};
use crate::rules::{COUNT, Code, RULES, Severity};
use crate::state::{State, Transition};
use crate::time::Timestamp;

/// A policy, ready for use. Immutable, `Send + Sync`, meant to be built once and shared by all threads.
#[derive(Clone, Debug)]
pub struct Engine {
    policy: Policy,
    severities: [Severity; COUNT],
    /// Members that the policy requires, one bit for each slot.
    required: u64,
}

impl Default for Engine {
    fn default() -> Self {
        Engine::build(Policy::default())
    }
}

impl Engine {
    /// An engine for `policy`.
    ///
    /// # Errors
    /// A policy error where settings exclude themselves or each other, with their JSON Pointer.
    pub fn new(policy: Policy) -> Result<Engine, Error> {
        policy.check()?;
        Ok(Engine::build(policy))
    }

    /// An engine for a policy in JSON (contract §10).
    ///
    /// # Errors
    /// A policy error with the JSON Pointer of the member at fault.
    pub fn from_json(policy: impl AsRef<[u8]>) -> Result<Engine, Error> {
        Ok(Engine::build(Policy::from_json(policy.as_ref())?))
    }

    fn build(policy: Policy) -> Engine {
        let mut severities = RULES.each_ref().map(|rule| rule.severity);
        for (code, severity) in &policy.severity {
            if let Some(place) = severities.get_mut(code.index()) {
                *place = *severity;
            }
        }
        let slots = policy.required.iter().filter_map(|pointer| request::slot_at(pointer));
        let required = slots.fold(0, |bits, slot| bits | bit(slot));
        Engine { policy, severities, required }
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The severity of a rule under the policy.
    #[inline]
    pub fn severity(&self, code: Code) -> Severity {
        self.severities.get(code.index()).copied().unwrap_or(Severity::Error)
    }

    pub(crate) fn violation_limit(&self) -> usize {
        usize::try_from(self.policy.limits.violations).unwrap_or(usize::MAX)
    }

    /// The members that the policy requires of a body of that variant: what only the other variant has is passed over.
    pub(crate) fn required_by_policy(&self, variant: Option<PaymentType>) -> u64 {
        if self.required == 0 {
            return 0;
        }
        let concerned = |slot: &usize| request::variant_of(*slot).is_none_or(|only| variant == Some(only));
        (0..64).filter(concerned).fold(0, |bits, slot| bits | bit(slot)) & self.required
    }

    /// Judges a body of `POST /v1/payments/new` (§2.2). Whatever the bytes hold, the answer is a report.
    ///
    /// `now` decides whether a card has expired; without it nobody asks.
    pub fn validate_request<'a>(&'a self, body: &'a [u8], now: Option<Timestamp>) -> Report<'a> {
        request::check(self, body, now).0
    }

    /// The typed request, with its warnings.
    ///
    /// # Errors
    /// The report, where the body is not valid or a policy let pass what no payment can be made of.
    pub fn read_request<'a>(
        &'a self,
        body: &'a [u8],
        now: Option<Timestamp>,
    ) -> Result<(CreateRequest<'a>, Report<'a>), Report<'a>> {
        let (report, body) = request::check(self, body, now);
        match body.filter(|_| report.is_valid()).and_then(|body| CreateRequest::of(&body)) {
            Some(request) => Ok((request, report)),
            None => Err(report),
        }
    }

    /// The exact answer to `POST /v1/payments/new` (§4.1).
    pub fn create_payment<'a>(&'a self, body: &'a [u8], context: &CreateContext<'a>) -> Outcome<'a> {
        payment::create(self, body, context)
    }

    /// The exact answer to `GET /v1/payments/{uid}/status` (§4.2). The stored payment goes out as it stands.
    pub fn read_payment<'a>(&self, context: &ReadContext<'a>) -> Outcome<'a> {
        if let Some(Err(why)) = context.authorization.as_ref().map(Authorization::check) {
            return why.into();
        }
        match context.payment.filter(|_| parse_uuid(&context.uid).is_some()) {
            Some(payment) => Outcome::success(200, Answer::Json(payment.into())),
            None => ProblemCode::PaymentNotFound.into(),
        }
    }

    /// The exact answer to `GET /v1/partner/balance` (§4.3).
    pub fn read_balance<'a>(&self, context: &BalanceContext<'a>) -> Outcome<'a> {
        match context.authorization.as_ref().map(Authorization::check) {
            Some(Err(why)) => why.into(),
            _ => Outcome::success(200, Answer::Json(context.balance.into())),
        }
    }

    /// Judges a payment (§2.1), and whether it answers `request`, the body that it was made of.
    pub fn check_payment<'a>(&'a self, body: &'a [u8], request: Option<&'a [u8]>) -> Report<'a> {
        payment::check(self, body, request)
    }

    /// Which amount of a payment is in which currency (§1.4).
    ///
    /// # Errors
    /// The report of what keeps it from being told.
    pub fn field_currencies<'a>(&'a self, body: &'a [u8]) -> Result<FieldCurrencies, Report<'a>> {
        payment::field_currencies(self, body)
    }

    /// A fiat amount in USDT (§1.4).
    pub fn convert<'a>(&self, context: &ConvertContext<'a>) -> Outcome<'a> {
        payment::convert(self, context)
    }

    /// Moves a stored payment to another state (§3), with all that follows from it.
    ///
    /// # Errors
    /// A context error where the payment is not sound or the change does not fit it.
    pub fn advance_payment<'a>(&'a self, context: &AdvanceContext<'a>) -> Result<Outcome<'a>, Error> {
        payment::advance(self, context)
    }

    /// What a repeated idempotency key means (§8), and the age of the first payment in whole milliseconds.
    pub fn check_idempotency(&self, context: &IdempotencyContext<'_>) -> (IdempotencyVerdict, Option<i128>) {
        if context.key.as_ref().is_some_and(|key| !idempotency::is_key(key)) {
            return (IdempotencyVerdict::InvalidKey, None);
        }
        let window = self.policy.idempotency.window_ms;
        idempotency::judge(context.existing.as_ref(), &context.fingerprint, context.now, window)
    }

    /// The fingerprint of a request, in hex: equal for bodies that differ only in blanks, escapes and order.
    ///
    /// # Errors
    /// The report, where the body is no JSON object.
    pub fn fingerprint_request<'a>(&'a self, body: &'a [u8]) -> Result<String, Report<'a>> {
        read_any(self, body)?;
        Ok(fingerprint(body, self.policy.fingerprint_key.as_ref()))
    }

    /// A request of the earlier interface (§9.2), carried over.
    ///
    /// # Errors
    /// The report, where the body is no JSON object.
    pub fn upgrade_request<'a>(&'a self, kind: PaymentType, body: &'a [u8]) -> Result<Rewritten, Report<'a>> {
        Ok(legacy::upgrade_request(kind, &read_any(self, body)?))
    }

    /// A payment of the earlier interface (§9.2), carried over.
    ///
    /// # Errors
    /// The report, where the body is no JSON object.
    pub fn upgrade_payment<'a>(&'a self, body: &'a [u8]) -> Result<Rewritten, Report<'a>> {
        Ok(legacy::upgrade_payment(&read_any(self, body)?))
    }

    /// A payment under the names of the earlier interface (§9.2).
    ///
    /// # Errors
    /// The report, where the body is no JSON object.
    pub fn downgrade_payment<'a>(&'a self, body: &'a [u8]) -> Result<Rewritten, Report<'a>> {
        Ok(legacy::downgrade_payment(&read_any(self, body)?))
    }

    /// A body made safe to log: card numbers masked, security codes starred, all else as it was.
    ///
    /// # Errors
    /// The report, where the body is no JSON object.
    pub fn redact<'a>(&'a self, body: &'a [u8]) -> Result<String, Report<'a>> {
        read_any(self, body)?;
        let mut out = Vec::with_capacity(body.len());
        redact::redact(core::str::from_utf8(body).unwrap_or(""), &mut out);
        Ok(String::from_utf8(out).unwrap_or_default())
    }

    /// Whether a payment may go from one state to another (§3).
    pub fn check_transition(&self, from: State, to: State) -> Transition {
        Transition::judge(&self.policy.transitions, from, to)
    }
}

/// The bit of a slot in a set of them.
#[inline]
pub(crate) fn bit(slot: usize) -> u64 {
    u32::try_from(slot).ok().and_then(|slot| 1_u64.checked_shl(slot)).unwrap_or(0)
}
