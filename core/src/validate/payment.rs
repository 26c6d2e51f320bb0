//! Validation of a payment (§2.1, §3), and its comparison with the request that it answers.

use super::body::read_body;
use super::request::RequestBody;
use super::unknown::report as report_unknown;
use super::uri::{validate_payment_uri, validate_uri};
use super::validator::{Slots, Validator};
use crate::card::known::KnownPans;
use crate::card::scheme::luhn;
use crate::input::parse_uuid;
use crate::json::FieldId;
use crate::json::{FieldPresence, JsonStr, Token, Tokens, Value, bit, items};
use crate::money::{Currency, DecimalText, Exact, MAX_WIRE_DIGITS, USDT};
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::{Params, Pointer, ReportBuilder};
use crate::schema::MOST_SLOTS;
use crate::schema::legacy;
use crate::schema::payment::{ALWAYS, IN_CRYPTO, PAYMENT, PaymentField};
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType};
use crate::types::state::State;
use crate::types::timestamp::Timestamp;
use alloc::vec::Vec;

/// The validator of a payment, with the values that several rules depend on.
struct PaymentValidator<'a, 'b> {
    v: Validator<'a, 'b>,
    crypto: bool,
    state: Option<State>,
    /// The request that the payment is compared with.
    request: Option<&'b RequestBody<'a>>,
}

/// Validates a payment, and compares it with `request` if one is given.
pub(crate) fn check<'a>(
    ruleset: &'a Ruleset,
    bytes: &'a [u8],
    request: Option<&'a [u8]>,
    report: &mut ReportBuilder<'a>,
) {
    let mut slots = [Value::Absent; MOST_SLOTS];
    let mut presence = FieldPresence::default();
    if read_body(ruleset, bytes, &PAYMENT, &mut slots, &mut presence, report).is_none() {
        return;
    }
    let mut asked = RequestBody::new();
    let readable = request.map(|bytes| asked.read(ruleset, bytes, &mut ReportBuilder::verdict_only()));
    let request = (readable == Some(true)).then_some(&asked);
    validate(ruleset, &slots, &presence, request, &ALWAYS, report);
    if readable == Some(false) {
        // An unreadable request has no members to compare, so the payment as a whole does not match it.
        let severity = ruleset.severity(Code::AnswerMismatch);
        if severity != Severity::Off {
            report.push(severity, Code::AnswerMismatch, Pointer::ROOT, Params::None);
        }
    }
}

fn word<T>(slots: &Slots<'_>, member: PaymentField, from_name: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    slots.get(member.slot())?.text()?.with_decoded(from_name)
}

/// Validates a payment that was read. The members in `always` are required.
pub(crate) fn validate<'a>(
    ruleset: &'a Ruleset,
    slots: &Slots<'a>,
    presence: &FieldPresence<'a>,
    request: Option<&RequestBody<'a>>,
    always: &[PaymentField],
    report: &mut ReportBuilder<'a>,
) {
    report.is_of_payment = true;
    let crypto = word(slots, PaymentField::Currency, |code| (code == USDT).then_some(())).is_some();
    let state = word(slots, PaymentField::State, State::from_name);
    report.summary.variant = word(slots, PaymentField::PaymentType, PaymentType::from_name);
    report.summary.mode = crypto.then_some(Mode::Crypto);
    report.summary.host2host = matches!(slots.get(PaymentField::Info.slot()), Some(Value::Object(_)));
    // A null is a value if §2.1 allows it; otherwise it counts as absent.
    let told_null =
        |member: &PaymentField| member.is_nullable() && matches!(slots.get(member.slot()), Some(Value::Null));
    let in_crypto = if crypto { IN_CRYPTO.as_slice() } else { &[] };
    let always = always.iter().chain(in_crypto).filter(|member| !told_null(member));
    let required = always.fold(0, |bits, member| bits | bit(member.slot()));
    let validator = Validator::new(ruleset, slots, presence, required, report);
    let mut check = PaymentValidator { v: validator, crypto, state, request };
    check.members();
    report_unknown(&mut check.v, |unknown| legacy::response_member(unknown.name));
}

impl<'a> PaymentValidator<'a, '_> {
    fn members(&mut self) {
        self.uid();
        self.url();
        self.merchant_id();
        self.v.one_of(PaymentField::State, State::from_name, State::NAMES);
        if let Some(kind) = self.v.one_of(PaymentField::PaymentType, PaymentType::from_name, PaymentType::NAMES) {
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
        self.sum(PaymentField::Total, &[PaymentField::GrossAmount, PaymentField::Fee, PaymentField::Commission], &[]);
        self.sum(
            PaymentField::NetProcessed,
            &[PaymentField::GrossAmount],
            &[PaymentField::Fee, PaymentField::Commission],
        );
        self.amount(PaymentField::Fee, None);
        self.amount(PaymentField::Commission, None);
        self.gross_amount(minor_unit);
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

    /// Returns whether a duplicate has ended the rules of the member.
    fn duplicate_reported(&self, member: PaymentField) -> bool {
        self.v.duplicate_reported(member)
    }

    fn text_of(&self, member: PaymentField) -> Option<JsonStr<'a>> {
        self.v.value(member).text()
    }

    fn request_value(&self, member: RequestField) -> Option<JsonStr<'a>> {
        self.request?.value(member).text()
    }

    /// Reports a member that differs from `asked` in the request.
    fn must_equal_request(&mut self, member: PaymentField, asked: RequestField, answer: JsonStr<'a>) {
        if self.request_value(asked).is_some_and(|asked| asked.compare(answer).is_ne()) {
            self.v.report(Code::AnswerMismatch, member, Params::None);
        }
    }

    fn request_is_crypto(&self) -> bool {
        self.request_value(RequestField::Mode).is_some_and(|mode| mode.is(Mode::Crypto.name()))
    }

    fn request_host2host(&self) -> Option<bool> {
        self.request.map(|request| matches!(request.value(RequestField::HostToHost), Value::Bool(true)))
    }

    fn uid(&mut self) {
        if let Some(text) = self.v.string(PaymentField::Uid)
            && parse_uuid(&text.decoded()).is_none()
        {
            self.v.wrong_format(PaymentField::Uid, "uuid", Value::String(text));
        }
    }

    fn redirect_url(&mut self) {
        let member = PaymentField::RedirectUrl;
        if let Some(text) = self.v.string(member) {
            text.with_decoded(|text| validate_uri(&mut self.v, Pointer::field(member.entry()), text));
        }
    }

    fn url(&mut self) {
        let Some(text) = self.v.string(PaymentField::Url) else { return };
        let path = Pointer::field(PaymentField::Url.entry());
        let is_valid = text.with_decoded(|text| validate_payment_uri(&mut self.v, path, text));
        if is_valid && self.request_host2host() == Some(true) {
            self.v.report(Code::AnswerMismatch, PaymentField::Url, Params::None);
        }
    }

    fn merchant_id(&mut self) {
        let Some(text) = self.v.string(PaymentField::MerchantId) else { return };
        if !text.with_decoded(|answer| self.repeats_merchant_id(answer)) {
            self.v.report(Code::AnswerMismatch, PaymentField::MerchantId, Params::None);
        }
    }

    /// Returns whether `answer` is the value in the request, unchanged or with the card numbers of the request masked
    /// (D27).
    fn repeats_merchant_id(&self, answer: &str) -> bool {
        let Some(request) = self.request else { return true };
        // An empty merchant_id counts as absent.
        let asked = request.value(RequestField::MerchantId).text().filter(|asked| !asked.is(""));
        let Some(asked) = asked else { return true };
        if asked.is(answer) {
            return true;
        }
        let mut known_pans = KnownPans::default();
        request.collect_known_pans(&mut known_pans);
        asked.with_decoded(|text| known_pans.mask(text).is_some_and(|masked| masked.as_str() == answer))
    }

    fn date(&mut self, member: PaymentField) -> Option<JsonStr<'a>> {
        let text = self.v.string(member)?;
        if Timestamp::parse(&text.decoded()).is_none() {
            self.v.wrong_format(member, "date-time", Value::String(text));
            return None;
        }
        Some(text)
    }

    /// Returns the currency of a member, if its code is known.
    fn currency_of(&self, member: PaymentField) -> Option<Currency> {
        Currency::from_code(&self.text_of(member)?.decoded())
    }

    fn has_fiat(&self, member: PaymentField) -> bool {
        self.currency_of(member).is_some_and(|currency| currency.is_fiat())
    }

    /// Returns the number of fraction digits of the processed amounts, if their currency is fiat.
    fn minor_unit(&self) -> Option<u32> {
        self.currency_of(PaymentField::Currency)?.minor_unit()
    }

    /// Returns the number of fraction digits of the requested amount.
    fn requested_minor_unit(&self) -> Option<u32> {
        let requested =
            self.currency_of(PaymentField::RequestedCurrency).or_else(|| self.currency_of(PaymentField::Currency));
        requested?.minor_unit()
    }

    /// Validates an amount, which may be zero. Returns whether other rules can use it.
    fn amount(&mut self, member: PaymentField, minor_unit: Option<u32>) -> bool {
        let Some(text) = self.v.string(member) else { return false };
        let text = text.decoded();
        let Some(digits) = DecimalText::parse(&text) else {
            self.v.report(Code::AmountSyntax, member, Params::None);
            return false;
        };
        let too_many = !digits.fits_body();
        if too_many
            && self
                .v
                .report(
                    Code::AmountOutOfBounds,
                    member,
                    Params::Digits { integer: MAX_WIRE_DIGITS.into(), fraction: MAX_WIRE_DIGITS.into() },
                )
                .stops()
        {
            return false;
        }
        if let Some(minor_unit) = minor_unit
            && usize::try_from(minor_unit).is_ok_and(|most| digits.significant_fraction > most)
            && self.v.report(Code::AmountScale, member, Params::MinorUnit(minor_unit)).stops()
        {
            return false;
        }
        true
    }

    fn exact(&self, member: PaymentField) -> Option<Exact> {
        DecimalText::parse(&self.text_of(member)?.decoded())?.exact()
    }

    /// Returns whether `member` is the sum of `added` minus the sum of `taken`, or true if an amount cannot be read.
    fn adds_up(&self, member: PaymentField, added: &[PaymentField], taken: &[PaymentField]) -> bool {
        let total = |members: &[PaymentField]| {
            let (first, rest) = members.split_first()?;
            rest.iter().try_fold(self.exact(*first)?, |sum, member| sum.checked_add(self.exact(*member)?))
        };
        let Some(told) = self.exact(member) else { return true };
        let Some(added) = total(added) else { return true };
        match taken {
            [] => told == added,
            taken => match total(taken) {
                Some(taken) => added.checked_sub(taken) == Some(told),
                None => true,
            },
        }
    }

    fn sum(&mut self, member: PaymentField, added: &[PaymentField], taken: &[PaymentField]) {
        if self.amount(member, None) && !self.adds_up(member, added, taken) {
            self.v.report(Code::AmountIdentity, member, Params::None);
        }
    }

    fn gross_amount(&mut self, minor_unit: Option<u32>) {
        if self.amount(PaymentField::GrossAmount, minor_unit)
            && !self.adds_up(PaymentField::GrossAmount, &[PaymentField::Amount], &[])
        {
            self.v.report(Code::AmountIdentity, PaymentField::GrossAmount, Params::None);
        }
    }

    fn shared_commission(&mut self) {
        if !self.amount(PaymentField::SharedCommission, None) {
            return;
        }
        let shares = self.exact(PaymentField::SharedCommission).zip(self.exact(PaymentField::Commission));
        if shares.is_some_and(|(shared, whole)| shared > whole) {
            self.v.report(Code::AmountIdentity, PaymentField::SharedCommission, Params::None);
        }
    }

    fn requested_amount(&mut self) {
        let minor_unit = self.requested_minor_unit();
        if self.v.value(PaymentField::RequestedAmount).is_present() {
            if !self.amount(PaymentField::RequestedAmount, minor_unit) {
                return;
            }
            let asked = self
                .request_value(RequestField::Amount)
                .and_then(|asked| DecimalText::parse(&asked.decoded())?.exact());
            if asked.is_some_and(|asked| self.exact(PaymentField::RequestedAmount) != Some(asked)) {
                self.v.report(Code::AnswerMismatch, PaymentField::RequestedAmount, Params::None);
            }
        } else {
            self.v.field(PaymentField::RequestedAmount);
        }
    }

    fn requested_currency(&mut self) {
        let member = PaymentField::RequestedCurrency;
        let Some(text) = self.v.string(member) else { return };
        let non_currency_code = self.non_currency_code(member);
        if !self.has_fiat(member) && self.v.report(non_currency_code, member, Params::None).stops() {
            return;
        }
        self.must_equal_request(member, RequestField::Cur, text);
    }

    /// Returns the code for a value that is not a currency, depending on whether ISO 4217 contains it.
    fn non_currency_code(&self, member: PaymentField) -> Code {
        if self.currency_of(member).is_some() { Code::CurrencyNotFiat } else { Code::CurrencyUnknown }
    }

    fn currency(&mut self) {
        let Some(text) = self.v.string(PaymentField::Currency) else { return };
        let non_currency_code = self.non_currency_code(PaymentField::Currency);
        if !self.crypto
            && !self.has_fiat(PaymentField::Currency)
            && self.v.report(non_currency_code, PaymentField::Currency, Params::None).stops()
        {
            return;
        }
        let explained =
            self.v.value(PaymentField::RequestedAmount).is_present() && self.has_fiat(PaymentField::RequestedCurrency);
        if self.crypto && !explained && self.v.report(Code::FieldCurrency, PaymentField::Currency, Params::None).stops()
        {
            return;
        }
        if self.request_is_crypto() {
            if !self.crypto {
                self.v.report(Code::AnswerMismatch, PaymentField::Currency, Params::None);
            }
        } else {
            self.must_equal_request(PaymentField::Currency, RequestField::Cur, text);
        }
    }

    fn fail_by(&mut self) {
        let given = self.v.string(PaymentField::FailBy).is_some();
        if given && self.state == Some(State::Idle) {
            self.v.report(Code::StateInconsistent, PaymentField::FailBy, Params::None);
        }
        if matches!(self.v.value(PaymentField::FailBy), Value::Null) && !self.duplicate_reported(PaymentField::FailBy) {
            self.unexplained(PaymentField::FailBy);
        }
    }

    /// Validates `fail_code`. A failure without explanation is reported once, at the first missing member of the two.
    fn fail_code(&mut self) {
        self.v.string(PaymentField::FailCode);
        let told_before = matches!(self.v.value(PaymentField::FailBy), Value::Null);
        if !self.v.value(PaymentField::FailCode).is_present()
            && !told_before
            && !self.duplicate_reported(PaymentField::FailCode)
        {
            self.unexplained(PaymentField::FailCode);
        }
    }

    fn unexplained(&mut self, member: PaymentField) {
        if self.state == Some(State::Fail) {
            self.v.report(Code::FailureUnexplained, member, Params::None);
        }
    }

    fn receipts(&mut self) {
        let array = match self.v.field(PaymentField::Receipts) {
            None => return,
            Some(Value::Array(array)) => array,
            Some(other) => return self.v.wrong_type(PaymentField::Receipts, other),
        };
        let base = PaymentField::Receipts.entry().pointer;
        for (place, item) in items(array).enumerate() {
            let path = Pointer::item(base, place);
            match item {
                Value::String(text) => {
                    text.with_decoded(|text| validate_payment_uri(&mut self.v, path, text));
                }
                other => {
                    self.v.report_at(Code::Type, path, Params::Types { expected: "string", found: other.type_name() });
                }
            }
        }
    }

    fn paid_at(&mut self) {
        let given = self.v.value(PaymentField::PaidAt).is_present();
        if given && self.date(PaymentField::PaidAt).is_none() {
            return;
        }
        if !given {
            self.v.field(PaymentField::PaidAt);
        }
        let inconsistent = match self.state {
            Some(State::Idle | State::Routed) => given,
            Some(State::Completed) => matches!(self.v.value(PaymentField::PaidAt), Value::Null),
            _ => false,
        };
        if inconsistent && !self.duplicate_reported(PaymentField::PaidAt) {
            self.v.report(Code::StateInconsistent, PaymentField::PaidAt, Params::None);
        }
    }

    fn info(&mut self) {
        let object = match self.v.field(PaymentField::Info) {
            Some(Value::String(_)) => {
                self.v.report(Code::InfoType, PaymentField::Info, Params::None);
                return;
            }
            Some(Value::Object(object)) => Some(object),
            Some(other) => return self.v.wrong_type(PaymentField::Info, other),
            None => None,
        };
        let mut told = false;
        for at in object.map(full_pan_offsets).unwrap_or_default() {
            let path = Pointer::inside(PaymentField::Info.entry().pointer, object.unwrap_or_default(), at);
            told |= self.v.report_at(Code::UnmaskedCardNumber, path, Params::None).stops();
        }
        if told {
            return;
        }
        // An absent member is already reported as `missing`.
        let given = matches!(self.v.value(PaymentField::Info), Value::Null | Value::Object(_));
        if given
            && !self.duplicate_reported(PaymentField::Info)
            && self.request_host2host().is_some_and(|asked| asked != object.is_some())
        {
            self.v.report(Code::AnswerMismatch, PaymentField::Info, Params::None);
        }
    }
}

/// Returns the offsets of the texts in `info` that contain 12 or more consecutive digits that pass Luhn.
fn full_pan_offsets(info: &str) -> Vec<usize> {
    let full = |token| match token {
        Token::Name(text) | Token::String(text) => contains_full_pan(&text.decoded()),
        Token::Number(digits) => contains_full_pan(digits),
    };
    Tokens::new(info).filter(|(token, _)| full(*token)).map(|(_, place)| place.start).collect()
}

/// Returns whether the text contains 12 or more consecutive digits that pass Luhn.
pub(crate) fn contains_full_pan(text: &str) -> bool {
    text.as_bytes().split(|byte| !byte.is_ascii_digit()).any(|run| run.len() >= 12 && luhn(run))
}
