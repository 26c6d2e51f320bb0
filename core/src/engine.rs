//! The entry point: an [`Engine`] holds a policy and has one short method for each operation.

use alloc::string::String;
use alloc::vec::Vec;

use crate::context::{
    AdvanceContext, BalanceContext, ComparePoliciesContext, ConvertContext, CreateContext,
    IdempotencyContext, ReadContext, SignWebhookContext, VerifyWebhookContext,
};
use crate::error::Error;
use crate::json::writer::{into_text, text_by};
use crate::model::outcome::Outcome;
use crate::model::request::CreateRequest;
use crate::ops::compare_policies::PolicyComparison;
use crate::ops::field_currencies::FieldCurrencies;
use crate::ops::idempotency::IdempotencyCheck;
use crate::ops::legacy::MigratedBody;
use crate::ops::locate::Location;
use crate::ops::request::Request;
use crate::ops::shadow::Shadow;
use crate::ops::webhook::WebhookHeaders;
use crate::ops::{
    advance, compare_policies, convert, field_currencies, idempotency, legacy, locate, redact,
    redact_text, status, webhook,
};
use crate::policy::{Policy, Ruleset};
use crate::report::code::{Code, Severity};
use crate::report::{InvalidBody, Report, ReportBuilder};
use crate::types::fingerprint::Fingerprint;
use crate::types::idempotency_key::{IdempotencyKey, IdempotencyKeyError};
use crate::types::payment_type::{Mode, PaymentType};
use crate::types::state::{State, Transition};
use crate::types::timestamp::Timestamp;
use crate::types::webhook::WebhookRejection;
use crate::validate::body::parse_object;
use crate::validate::request::{RequestBody, RuleInputs};
use crate::validate::{payment, request};

/// A policy prepared for use, with one method for each operation.
///
/// An engine is immutable and `Send + Sync`: build it once and share it between all threads.
///
/// ```
/// use payspec::Engine;
/// use std::sync::LazyLock;
///
/// static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);
///
/// let workers: Vec<_> = (0..2)
///     .map(|_| std::thread::spawn(|| ENGINE.validate_request(b"{}", None).violations().len()))
///     .collect();
/// // payment_type, cur and amount are missing.
/// assert!(workers.into_iter().all(|worker| worker.join().unwrap() == 3));
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) ruleset: Ruleset,
}

impl Default for Engine {
    fn default() -> Self {
        Engine {
            ruleset: Ruleset::new(Policy::default()),
        }
    }
}

impl Engine {
    /// Creates an engine for `policy`.
    ///
    /// # Errors
    /// Returns a policy error with the JSON Pointer of the setting if a setting is invalid or
    /// contradicts another one.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Code, Engine, Policy, Severity};
    ///
    /// let mut policy = Policy::default();
    /// policy.severity.insert(Code::UnknownMember, Severity::Error);
    /// policy.limits.body_bytes = 16_384;
    /// let engine = Engine::new(policy)?;
    /// assert_eq!(engine.severity(Code::UnknownMember), Severity::Error);
    ///
    /// let mut policy = Policy::default();
    /// policy.severity.insert(Code::Type, Severity::Off);
    /// assert_eq!(Engine::new(policy).unwrap_err().path(), "/severity/type");
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn new(policy: Policy) -> Result<Engine, Error> {
        policy.check()?;
        Ok(Engine {
            ruleset: Ruleset::new(policy),
        })
    }

    /// Creates an engine for a policy in JSON.
    ///
    /// # Errors
    /// Returns a policy error with the JSON Pointer of the invalid member if the policy is invalid.
    ///
    /// # Examples
    /// ```
    /// use payspec::Engine;
    ///
    /// let engine = Engine::from_json(r#"{"required":["/merchant_id"],"urls":{"schemes":["https"]}}"#)?;
    /// assert_eq!(engine.policy().urls.schemes, ["https"]);
    ///
    /// let error = Engine::from_json(r#"{"limits":{"body_byte":1}}"#).unwrap_err();
    /// assert_eq!(error.to_string(), "policy error at /limits/body_byte: unknown member");
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(policy: &T) -> Result<Engine, Error> {
        Ok(Engine {
            ruleset: Ruleset::new(Policy::from_json(policy)?),
        })
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.ruleset.policy
    }

    /// Returns the severity of a rule under the policy.
    #[inline]
    pub fn severity(&self, code: Code) -> Severity {
        self.ruleset.severity(code)
    }

    /// Validates a body of `POST /v1/payments/new` (§2.2).
    ///
    /// Any input results in a report, even if the body is not UTF-8 or not JSON. Expired cards are
    /// detected only if `now` is given.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Code, Engine};
    ///
    /// let engine = Engine::default();
    /// let body = br#"{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":990.5,"return_url":""}"#;
    /// let report = engine.validate_request(body, None);
    /// assert!(!report.is_valid());
    /// let violations = report.violations().iter();
    /// let found: Vec<_> = violations.map(|violation| (violation.path(), violation.code())).collect();
    /// assert_eq!(found, [("/amount", Code::Type), ("/return_url", Code::LegacyMember)]);
    /// ```
    pub fn validate_request(&self, body: &[u8], now: Option<Timestamp>) -> Report {
        let mut report = self.ruleset.report_builder();
        self.validate_into(body, now, &mut report);
        report.into()
    }

    /// Validates a body like [`Engine::validate_request`]. The report borrows from the body, so
    /// that a valid one allocates nothing.
    #[inline]
    pub(crate) fn validate_into<'a>(
        &self,
        body: &'a [u8],
        now: Option<Timestamp>,
        report: &mut ReportBuilder<'a>,
    ) {
        let mut members = RequestBody::new();
        match members.read(&self.ruleset, body) {
            Ok(()) => request::validate(&self.ruleset, &members, RuleInputs::at(now), report),
            Err(error) => error.report(report),
        }
    }

    /// Reads a body of `POST /v1/payments/new` (§2.2) once, to validate it, to determine which
    /// quote it needs, and to create a payment from it.
    ///
    /// Any body can be read. Its errors are part of the answers, in the order in which the
    /// interface requires them.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Authorization, CreateContext, Engine, Quote, Uuid};
    ///
    /// let engine = Engine::default();
    /// let body = br#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"9245.00"}"#;
    /// let request = engine.read_request(body);
    ///
    /// let now = "2026-11-20T10:15:30.250Z".parse()?;
    /// let mut context = CreateContext::new(Uuid::from_u128(7), now, Authorization::CheckedByCaller);
    /// if let Some(currency) = request.currency_to_quote() {
    ///     // Your source of rates.
    ///     context.quote = Some(Quote::new(currency, "92.45".parse()?, Some(now))?);
    /// }
    /// assert_eq!(request.create(&context).status(), 201);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_request<'a>(&'a self, body: &'a [u8]) -> Request<'a> {
        Request::read(&self.ruleset, body)
    }

    /// Returns the request of a body that is larger than `limits.body_bytes` of the policy, for a
    /// server that stops reading such a body.
    ///
    /// [`Request::create`] then checks the authorization, the idempotency key, and the age of its
    /// record, and otherwise returns the response 413.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Authorization, CreateContext, Engine, Uuid};
    ///
    /// let engine = Engine::default();
    /// let now = "2026-11-20T10:15:30.250Z".parse()?;
    /// let mut context = CreateContext::new(Uuid::from_u128(7), now, Authorization::CheckedByCaller);
    /// assert_eq!(engine.unread_request().create(&context).status(), 413);
    ///
    /// context.authorization = Authorization::Header { value: None, accepted: false };
    /// assert_eq!(engine.unread_request().create(&context).status(), 401);
    /// # Ok::<(), payspec::TimestampError>(())
    /// ```
    pub fn unread_request(&self) -> Request<'_> {
        Request::unread(&self.ruleset)
    }

    /// Returns whether [`validate_request`](Engine::validate_request) would find the body valid.
    ///
    /// This is faster if a body has many members that cause only warnings, since no violations are
    /// listed.
    ///
    /// # Examples
    /// ```
    /// use payspec::Engine;
    ///
    /// let engine = Engine::default();
    /// let body = br#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;
    /// assert!(engine.is_valid_request(body, None));
    /// ```
    #[must_use]
    pub fn is_valid_request(&self, body: &[u8], now: Option<Timestamp>) -> bool {
        request::accepts(&self.ruleset, body, now)
    }

    /// Parses a body of `POST /v1/payments/new` (§2.2) into a typed request, and returns it with
    /// its warnings.
    ///
    /// # Errors
    /// Returns the report if the body is not valid, or if the policy accepts a body from which no
    /// payment can be created.
    ///
    /// # Examples
    /// ```
    /// use payspec::{CreateRequest, Engine, Mode};
    ///
    /// let engine = Engine::default();
    /// let body = br#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"EUR","amount":"25.00","user_name":"Anna"}"#;
    /// let (request, _warnings) = engine.parse_request(body, None)?;
    /// assert_eq!(request.common().mode, Some(Mode::Crypto));
    /// let CreateRequest::PayIn(request) = request else { panic!("a pay-in") };
    /// assert_eq!(request.user_name.as_deref(), Some("Anna"));
    ///
    /// assert!(engine.parse_request(b"[]", None).is_err_and(|invalid| invalid.0.violations().len() == 1));
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn parse_request<'a>(
        &'a self,
        body: &'a [u8],
        now: Option<Timestamp>,
    ) -> Result<(CreateRequest<'a>, Report), InvalidBody> {
        self.read_request(body).parse(now)
    }

    /// Creates a payment from a body, and returns the response to `POST /v1/payments/new` (§4.1).
    ///
    /// If the payment cannot be created, the outcome contains a problem (RFC 9457).
    ///
    /// # Examples
    /// ```
    /// use payspec::{Amount, Authorization, Charges, CreateContext, Engine, ProblemCode, Timestamp, Uuid};
    ///
    /// let engine = Engine::default();
    /// let now: Timestamp = "2026-11-20T10:15:30.250Z".parse()?;
    /// let mut context = CreateContext::new(Uuid::from_u128(7), now, Authorization::CheckedByCaller);
    /// context.charges = Charges::new("1.50".parse()?, Amount::ZERO, Amount::ZERO)?;
    ///
    /// let body = br#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"100"}"#;
    /// let outcome = engine.create_payment(body, &context);
    /// let payment = outcome.payment().expect("status 201");
    /// assert_eq!((outcome.status(), payment.amounts.total.to_string()), (201, "101.50".into()));
    ///
    /// // In mode CRYPTO there must be a rate.
    /// let body = br#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"100"}"#;
    /// let outcome = engine.create_payment(body, &context);
    /// assert_eq!(outcome.status(), 455);
    /// assert_eq!(outcome.problem().map(|problem| problem.code()), Some(ProblemCode::QuoteMissing));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create_payment(&self, body: &[u8], context: &CreateContext<'_>) -> Outcome {
        self.read_request(body).create(context)
    }

    /// Returns the response to `GET /v1/payments/{uid}/status` (§4.2).
    ///
    /// The body is the stored payment, unchanged. The status is 404 if there is no payment or `uid`
    /// is not a UUID.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Authorization, Engine, ReadContext, StoredPayment};
    ///
    /// let engine = Engine::default();
    /// let stored = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","state":"idle"}"#;
    /// let read = |payment| {
    ///     ReadContext::new("0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", payment, Authorization::CheckedByCaller)
    /// };
    /// let context = read(Some(StoredPayment::try_from(stored)?))?;
    /// assert_eq!(engine.read_payment(&context).body_json(), stored);
    ///
    /// assert_eq!(engine.read_payment(&read(None)?).status(), 404);
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn read_payment(&self, context: &ReadContext<'_>) -> Outcome {
        status::read_payment(context)
    }

    /// Returns the response to `GET /v1/partner/balance` (§4.3).
    ///
    /// # Examples
    /// ```
    /// use payspec::{Authorization, Balance, BalanceContext, Engine};
    ///
    /// let engine = Engine::default();
    /// let balance = Balance::try_from(r#"{"cur":"USDT","available":"12.5"}"#)?;
    /// let mut context = BalanceContext::new(balance, Authorization::CheckedByCaller);
    /// assert_eq!(engine.read_balance(&context).body_json(), r#"{"cur":"USDT","available":"12.5"}"#);
    ///
    /// context.authorization = Authorization::Header { value: None, accepted: false };
    /// let outcome = engine.read_balance(&context);
    /// assert_eq!((outcome.status(), outcome.www_authenticate()), (401, Some("Bearer")));
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn read_balance(&self, context: &BalanceContext<'_>) -> Outcome {
        status::read_balance(context)
    }

    /// Validates a payment (§2.1). If `request` is given, also checks that the payment matches this
    /// creation request.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Code, Engine};
    ///
    /// let engine = Engine::default();
    /// let body = br#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","url":null,"info":null,"state":"completed",
    ///                 "amount":"100.00","currency":"RUB","merchant_id":"shop-42","client_amount":"100",
    ///                 "created_date":"2026-11-20T10:15:30.250Z","fail_by":null,"paid_at":null}"#;
    /// let report = engine.check_payment(body, None);
    /// let violation = report.find(Code::StateInconsistent).expect("completed, yet never paid");
    /// assert_eq!(violation.path(), "/paid_at");
    /// ```
    pub fn check_payment(&self, body: &[u8], request: Option<&[u8]>) -> Report {
        let mut report = self.ruleset.report_builder();
        self.check_payment_into(body, request, &mut report);
        report.into()
    }

    /// Validates a payment like [`Engine::check_payment`]. The report borrows from the body, so that
    /// a valid one allocates nothing.
    pub(crate) fn check_payment_into<'a>(
        &self,
        body: &'a [u8],
        request: Option<&'a [u8]>,
        report: &mut ReportBuilder<'a>,
    ) {
        payment::check(&self.ruleset, body, request, report);
    }

    /// Returns the currency of each amount of a payment (§1.4).
    ///
    /// # Errors
    /// Returns a report if the currencies cannot be determined.
    ///
    /// # Examples
    /// ```
    /// use payspec::Engine;
    ///
    /// let engine = Engine::default();
    /// let body = br#"{"amount":"1.081666","currency":"USDT","requested_amount":"100.00","requested_currency":"RUB"}"#;
    /// let currencies = engine.field_currencies(body)?;
    /// assert!(currencies.crypto);
    /// let of = |name| currencies.fields().find(|(field, _)| *field == name).map(|(_, currency)| currency);
    /// assert_eq!((of("paid_amount"), of("client_amount")), (Some("USDT"), Some("RUB")));
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn field_currencies(&self, body: &[u8]) -> Result<FieldCurrencies, InvalidBody> {
        field_currencies::field_currencies(&self.ruleset, body)
    }

    /// Converts a fiat amount to USDT (§1.4).
    ///
    /// # Examples
    /// ```
    /// use payspec::{ConvertContext, Engine};
    ///
    /// let engine = Engine::default();
    /// let context = ConvertContext::from_json(
    ///     br#"{"amount":"10000.00","currency":"RUB","quote":{"currency":"RUB","rate":"92.45"}}"#,
    /// )?;
    /// assert!(engine.convert(&context).body_json().starts_with(r#"{"amount":"108.166577","currency":"USDT","#));
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn convert(&self, context: &ConvertContext) -> Outcome {
        convert::convert(&self.ruleset, context)
    }

    /// Moves a stored payment to another state (§3), and updates the members that depend on the
    /// state.
    ///
    /// The payment must have `uid`, `state`, `amount`, `currency`, and `created_date`. Other
    /// members may be missing, for example `merchant_id` if the payment was created without one.
    /// URIs are not checked against the current policy.
    ///
    /// A transition that the policy rejects results in an outcome with status 409.
    ///
    /// # Errors
    /// Returns a context error if the payment is not valid, or if the change contradicts it.
    ///
    /// # Examples
    /// ```
    /// use payspec::{AdvanceContext, Engine, State, StoredPayment};
    ///
    /// let engine = Engine::default();
    /// let stored = StoredPayment::try_from(
    ///     r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","state":"routed","amount":"100.00","currency":"RUB",
    ///         "created_date":"2026-11-20T10:15:30.250Z"}"#,
    /// )?;
    /// let mut context = AdvanceContext::new(stored, State::Fail, "2026-11-20T10:16:00Z".parse()?);
    /// assert_eq!(engine.advance_payment(&context).unwrap_err().path(), "/fail_by");
    ///
    /// context.fail_by = Some("issuer".into());
    /// context.fail_code = Some("51".into());
    /// assert!(engine.advance_payment(&context)?.body_json().contains(r#""state":"fail","#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance_payment(&self, context: &AdvanceContext<'_>) -> Result<Outcome, Error> {
        advance::advance(&self.ruleset, context)
    }

    /// Evaluates a repeated idempotency key (§8), and returns the age of the first payment in whole
    /// milliseconds.
    ///
    /// A record from the future is replayed, however far its time is ahead of `now`, since server
    /// clocks differ (D18). A quote, in contrast, may be at most 5 s in the future (D20).
    ///
    /// # Examples
    /// ```
    /// use payspec::{Engine, IdempotencyRecord, IdempotencyContext, IdempotencyVerdict, StoredPayment};
    ///
    /// let engine = Engine::default();
    /// let payment = StoredPayment::try_from(r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11"}"#)?;
    /// let first = IdempotencyRecord::new("2026-11-20T10:15:30.250Z".parse()?, "ab12", Some(payment));
    /// let mut context = IdempotencyContext::new("2026-11-20T10:15:31.250Z".parse()?, "ab12", Some(first));
    /// let check = engine.check_idempotency(&context);
    /// assert_eq!((check.verdict, check.status(), check.age_ms), (IdempotencyVerdict::Replay, 201, Some(1000)));
    ///
    /// context.now = "2026-11-20T10:15:31.250000001Z".parse()?;
    /// let check = engine.check_idempotency(&context);
    /// assert_eq!((check.verdict, check.status(), check.age_ms), (IdempotencyVerdict::Conflict, 409, Some(1000)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_idempotency(&self, context: &IdempotencyContext<'_>) -> IdempotencyCheck {
        idempotency::check(context, self.ruleset.policy.idempotency.window_ms)
    }

    /// Parses the value of an `Idempotency-Key` header. `x` and `"x"` are the same key.
    ///
    /// The header may contain any bytes.
    ///
    /// # Errors
    /// Returns an error if the header is not a key. It converts to the outcome 400
    /// `invalid_idempotency_key`.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Engine, Outcome};
    ///
    /// let engine = Engine::default();
    /// assert_eq!(engine.idempotency_key(br#""order-7""#)?.as_str(), "order-7");
    /// assert_eq!(engine.idempotency_key(b"order-7")?, engine.idempotency_key(br#""order-7""#)?);
    ///
    /// let outcome: Outcome = engine.idempotency_key(b"order 7").unwrap_err().into();
    /// assert_eq!(outcome.status(), 400);
    /// # Ok::<(), payspec::IdempotencyKeyError>(())
    /// ```
    pub fn idempotency_key(&self, header: &[u8]) -> Result<IdempotencyKey, IdempotencyKeyError> {
        header.try_into()
    }

    /// Computes the fingerprint of a request. It is equal for bodies that differ only in
    /// whitespace, escapes, and order.
    ///
    /// # Errors
    /// Returns the report if the body is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let fingerprint = |body: &str| engine.fingerprint_request(body.as_bytes());
    /// let first = fingerprint(r#"{"cur":"RUB","amount":"100"}"#)?;
    /// assert_eq!(first, fingerprint(r#"{ "amount": "\u0031\u0030\u0030", "cur": "RUB" }"#)?);
    /// assert_ne!(first, fingerprint(r#"{"cur":"RUB","amount":"100.0"}"#)?);
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn fingerprint_request(&self, body: &[u8]) -> Result<Fingerprint, InvalidBody> {
        self.read_request(body).fingerprint()
    }

    /// Migrates a request of the legacy API (§9.2) to the current API.
    ///
    /// `kind` selects the legacy endpoint. The result lists all changes, and the members that a
    /// person has to decide on. An `idempotency_key` is returned beside the body, since the current
    /// API has it in the header Idempotency-Key. It is read like the value of the header; any other
    /// value than a key or null is unresolved.
    ///
    /// # Errors
    /// Returns the report if the body is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Engine, IdempotencyKey, PaymentType};
    ///
    /// let engine = Engine::default();
    /// let old = br#"{"amount":"100.00","currency":"RUB","subtype":"sbp","payer_email":"anna@example.com","idempotency_key":"7"}"#;
    /// let new = engine.upgrade_request(PaymentType::PayIn, old)?;
    /// assert_eq!(new.body(), r#"{"payment_type":"pay_in","cur":"RUB","amount":"100.00","subtype":"sbp"}"#);
    /// assert!(new.changes().iter().any(|change| change.from == Some("/payer_email") && change.to.is_none()));
    /// assert_eq!(new.idempotency_key().map(IdempotencyKey::as_str), Some("7"));
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn upgrade_request(
        &self,
        kind: PaymentType,
        body: &[u8],
    ) -> Result<MigratedBody, InvalidBody> {
        Ok(legacy::upgrade_request(
            kind,
            parse_object(&self.ruleset, body)?,
        ))
    }

    /// Migrates a request to the legacy API (§9.2). The `payment_type` selects the legacy endpoint.
    ///
    /// The result lists all changes. Mode CRYPTO, host-to-host mode, and a `payment_type` that is
    /// not known are unresolved, since the legacy API cannot express them.
    ///
    /// # Errors
    /// Returns the report if the body is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let new = br#"{"payment_type":"pay_in","mode":"P2P","cur":"RUB","amount":"100.00","subtype":"sbp"}"#;
    /// let old = engine.downgrade_request(new)?;
    /// assert_eq!(old.body(), r#"{"currency":"RUB","amount":"100.00","subtype":"sbp"}"#);
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn downgrade_request(&self, body: &[u8]) -> Result<MigratedBody, InvalidBody> {
        Ok(legacy::downgrade_request(parse_object(
            &self.ruleset,
            body,
        )?))
    }

    /// Migrates a balance of the legacy API (§9.2) to the current API: `currency` becomes `cur`.
    ///
    /// # Errors
    /// Returns the report if the body is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let new = engine.upgrade_balance(br#"{"currency":"RUB","available":"7.00"}"#)?;
    /// assert_eq!(new.body(), r#"{"cur":"RUB","available":"7.00"}"#);
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn upgrade_balance(&self, body: &[u8]) -> Result<MigratedBody, InvalidBody> {
        Ok(legacy::upgrade_balance(parse_object(&self.ruleset, body)?))
    }

    /// Migrates a balance to the legacy API (§9.2): `cur` becomes `currency`.
    ///
    /// # Errors
    /// Returns the report if the body is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let old = engine.downgrade_balance(br#"{"cur":"RUB","available":"7.00"}"#)?;
    /// assert_eq!(old.body(), r#"{"currency":"RUB","available":"7.00"}"#);
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn downgrade_balance(&self, body: &[u8]) -> Result<MigratedBody, InvalidBody> {
        Ok(legacy::downgrade_balance(parse_object(
            &self.ruleset,
            body,
        )?))
    }

    /// Migrates a payment of the legacy API (§9.2) to the current API. `type` and `method` are
    /// recognized by their values (D32).
    ///
    /// # Errors
    /// Returns the report if the body is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let old = br#"{"payment_id":"7","isCompleted":true,"isSucceed":true,"payed_amount":"100.00"}"#;
    /// let new = engine.upgrade_payment(old)?;
    /// assert!(new.body().starts_with(r#"{"uid":"7","url":null,"state":"completed","#));
    /// assert!(new.body().contains(r#""paid_amount":"100.00""#));
    /// // Every payment has a merchant_id. A person has to decide on it, because the legacy body does not contain it.
    /// assert_eq!(new.unresolved()[0].path, "/merchant_id");
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn upgrade_payment(&self, body: &[u8]) -> Result<MigratedBody, InvalidBody> {
        Ok(legacy::upgrade_payment(parse_object(&self.ruleset, body)?))
    }

    /// Migrates a payment to the legacy API (§9.2): `type` is the `subtype`, `method` the
    /// `payment_type` (D32).
    ///
    /// # Errors
    /// Returns the report if the body is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let old = engine.downgrade_payment(br#"{"uid":"7","paid_at":null}"#)?;
    /// assert!(old.body().contains(r#""payment_id":"7""#) && old.body().contains(r#""payed_at":null"#));
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn downgrade_payment(&self, body: &[u8]) -> Result<MigratedBody, InvalidBody> {
        Ok(legacy::downgrade_payment(parse_object(
            &self.ruleset,
            body,
        )?))
    }

    /// Masks the card numbers and security codes of a body, so that it is safe to log. Every other
    /// byte is unchanged.
    ///
    /// Names are compared without case, `_`, and `-`. Values of `card_number` and `pan` are masked
    /// as card numbers. Values of `security_code`, `cvv`, `cvc`, `cvv2`, `cvc2`, `csc`, and `cid`
    /// become `"***"`.
    ///
    /// In other texts, the digits that `card_number_in_text` reports are masked, and every
    /// repetition of a card number that the body declares. If the body declares more than eight
    /// card numbers, or one longer than 19 digits, every run of at least twelve digits is masked.
    ///
    /// # Errors
    /// Returns a report if the body is not a JSON object.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let body = br#"{"card_number":"4111111111111111", "security_code":"739", "user_id":"of 4111 1111 1111 1111"}"#;
    /// assert_eq!(
    ///     engine.redact(body)?,
    ///     r#"{"card_number":"411111******1111", "security_code":"***", "user_id":"of 4111 11** **** 1111"}"#,
    /// );
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn redact(&self, body: &[u8]) -> Result<String, InvalidBody> {
        let mut out = Vec::with_capacity(body.len());
        self.redact_into(body, &mut out)?;
        Ok(into_text(out))
    }

    /// Appends the result of [`redact`](Engine::redact) to `out`.
    ///
    /// # Errors
    /// Returns the report if the body is not a JSON object. Nothing is appended then.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let mut line = b"in: ".to_vec();
    /// engine.redact_into(br#"{"security_code":"739"}"#, &mut line)?;
    /// assert_eq!(line, br#"in: {"security_code":"***"}"#);
    /// # Ok::<(), payspec::InvalidBody>(())
    /// ```
    pub fn redact_into(&self, body: &[u8], out: &mut Vec<u8>) -> Result<(), InvalidBody> {
        redact::redact(parse_object(&self.ruleset, body)?, out);
        Ok(())
    }

    /// Masks the card numbers and security codes of a text, for example a log line, so that it is
    /// safe to log.
    ///
    /// A card number has 13 to 19 digits, with optional single spaces or hyphens between groups. It
    /// has the prefix and length of a known scheme and passes the Luhn check. It is not part of a
    /// longer run of digits or letters, a decimal fraction, or a UUID.
    ///
    /// Values after the names that [`redact`](Engine::redact) masks are replaced if `:` or `=`
    /// follows the name; quotes are optional. For a JSON body use `redact`, which also finds names
    /// and values that are written with escapes.
    ///
    /// A random number of 16 digits looks like a card number in 4 of 100 cases. An IBAN in groups
    /// contains one in 7 of 100. Times, UUIDs, phone numbers, hashes, and decimal fractions are not
    /// masked (`tests/tests/log_lines.rs`).
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// assert_eq!(
    ///     engine.redact_text("POST /pay?pan=4111111111111111&cvv=739 by card 4111 1111 1111 1111"),
    ///     "POST /pay?pan=411111******1111&cvv=*** by card 4111 11** **** 1111",
    /// );
    /// ```
    #[must_use]
    pub fn redact_text(&self, text: &str) -> String {
        text_by(|out| self.redact_text_into(text, out))
    }

    /// Appends the result of [`redact_text`](Engine::redact_text) to `out`.
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let mut line = b"in: ".to_vec();
    /// engine.redact_text_into("\"cvv\":739", &mut line);
    /// assert_eq!(line, br#"in: "cvv":"***""#);
    /// ```
    pub fn redact_text_into(&self, text: &str, out: &mut Vec<u8>) {
        redact_text::redact_text(text, out);
    }

    /// Locates the value at a JSON Pointer, for example at the path of a violation.
    ///
    /// Returns `None` if the body is not JSON or has no such value. If a member is repeated, its
    /// first occurrence is used.
    ///
    /// # Errors
    /// Returns a context error if `pointer` is not a JSON Pointer (RFC 6901).
    ///
    /// # Examples
    /// ```
    /// let engine = payspec::Engine::default();
    /// let body = br#"{"amount": "1.5"}"#;
    /// let location = engine.locate(body, "/amount")?.expect("a member of the body");
    /// assert_eq!((location.value, location.name), (11..16, Some(1..9)));
    /// assert_eq!(engine.locate(body, "amount").unwrap_err().path(), "/pointer");
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn locate(&self, body: &[u8], pointer: &str) -> Result<Option<Location>, Error> {
        locate::locate(body, pointer)
    }

    /// Signs a webhook (Standard Webhooks), and returns the headers to send with it.
    ///
    /// The signature covers the exact bytes of `body`: send them unchanged.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Engine, SignWebhookContext};
    ///
    /// let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse()?;
    /// let context =
    ///     SignWebhookContext::new("msg_p5jXN8AQM9LWM0D4loKWxJek", "2021-02-25T15:02:10Z".parse()?, vec![secret])?;
    /// let headers = Engine::default().sign_webhook(br#"{"test": 2432232314}"#, &context);
    /// assert_eq!(headers.timestamp, "1614265330");
    /// assert_eq!(headers.signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sign_webhook(&self, body: &[u8], context: &SignWebhookContext<'_>) -> WebhookHeaders {
        webhook::sign(body, context)
    }

    /// Verifies the signature and the time of a received webhook (Standard Webhooks).
    ///
    /// The signature covers the exact bytes of the body: pass them as received.
    ///
    /// # Errors
    /// Returns the first reason to reject the webhook, if there is one.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Engine, VerifyWebhookContext, WebhookRejection};
    ///
    /// let engine = Engine::default();
    /// let headers = [
    ///     ("Webhook-Id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
    ///     ("Webhook-Timestamp", "1614265330"),
    ///     ("Webhook-Signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
    /// ];
    /// let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse()?;
    /// let mut context = VerifyWebhookContext::new(headers, vec![secret], "2021-02-25T15:07:10Z".parse()?)?;
    /// assert_eq!(engine.verify_webhook(br#"{"test": 2432232314}"#, &context), Ok(()));
    /// assert_eq!(engine.verify_webhook(b"{}", &context), Err(WebhookRejection::Signature));
    ///
    /// context.set_tolerance_s(299);
    /// assert_eq!(engine.verify_webhook(b"{}", &context), Err(WebhookRejection::Timestamp));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify_webhook(
        &self,
        body: &[u8],
        context: &VerifyWebhookContext<'_>,
    ) -> Result<(), WebhookRejection> {
        webhook::verify(body, context)
    }

    /// Evaluates whether a payment may move from one state to another (§3).
    ///
    /// # Examples
    /// ```
    /// use payspec::{Engine, State, TransitionVerdict};
    ///
    /// let engine = Engine::default();
    /// assert_eq!(engine.check_transition(State::Routed, State::Completed).verdict, TransitionVerdict::Unspecified);
    /// let step = engine.check_transition(State::Fail, State::Completed);
    /// assert_eq!((step.verdict, step.reason, step.source), (TransitionVerdict::Refused, "the state is final", "§3"));
    ///
    /// let engine = Engine::from_json(r#"{"transitions":"conventional"}"#)?;
    /// assert_eq!(engine.check_transition(State::Routed, State::Completed).verdict, TransitionVerdict::Allowed);
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn check_transition(&self, from: State, to: State) -> Transition {
        Transition::evaluate(&self.ruleset.policy.transitions, from, to)
    }

    /// Compares the requests that two policies accept.
    ///
    /// A request is a body and the time of its validation. Each difference that decides which
    /// requests are accepted has a witness: a request that exactly one of the policies accepts.
    ///
    /// # Examples
    /// ```
    /// use payspec::{ComparePoliciesContext, Engine, PolicyChange, PolicyRelation};
    ///
    /// let context = ComparePoliciesContext::from_json(
    ///     r#"{"before":{"currencies":["RUB"]},"after":{"currencies":["RUB","EUR"],"limits":{"violations":8}}}"#,
    /// )?;
    /// let comparison = Engine::default().compare_policies(&context);
    /// assert_eq!(comparison.relation, PolicyRelation::Wider);
    /// let changes: Vec<_> = comparison.differences.iter().map(|one| (&*one.path, one.change)).collect();
    /// assert_eq!(changes, [("/limits/violations", PolicyChange::Other), ("/currencies", PolicyChange::Wider)]);
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn compare_policies(&self, context: &ComparePoliciesContext) -> PolicyComparison {
        let (before, after) = context.rulesets();
        compare_policies::compare(before, after)
    }

    /// Prepares the evaluation of another policy beside this one, to see which requests a change of
    /// the policy would accept or reject.
    ///
    /// # Examples
    /// ```
    /// use payspec::Engine;
    ///
    /// let after = Engine::from_json(r#"{"required":["/merchant_id"]}"#)?;
    /// let shadow = Engine::default().shadow(&after);
    /// let body = br#"{"payment_type":"pay_in","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;
    /// assert!(shadow.compare(body, None).is_some());
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn shadow(&self, after: &Engine) -> Shadow {
        Shadow::new(&self.ruleset, &after.ruleset)
    }

    /// Returns a small body of this variant and mode that the policy accepts, or `None` if it
    /// accepts no such body.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Engine, Mode, PaymentType};
    ///
    /// let engine = Engine::default();
    /// let body = engine.example_request(PaymentType::PayIn, Mode::Crypto).expect("accepted by default");
    /// assert!(engine.is_valid_request(body.as_bytes(), None));
    ///
    /// // A card needs three levels.
    /// let engine = Engine::from_json(r#"{"required":["/pay_in_details","/pay_in_details/card"],"limits":{"depth":2}}"#)?;
    /// assert_eq!(engine.example_request(PaymentType::PayIn, Mode::P2p), None);
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn example_request(&self, payment_type: PaymentType, mode: Mode) -> Option<String> {
        compare_policies::example(&self.ruleset, payment_type, mode)
    }
}
