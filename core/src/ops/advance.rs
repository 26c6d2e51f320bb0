//! `advance_payment`: moves a stored payment to another state, and updates the members that depend
//! on it (§3).
//!
//! Other members are copied unchanged. Arguments that contradict the payment are a caller error,
//! with a path.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::context::{AbsoluteUri, AdvanceContext, INVALID_PAYMENT};
use crate::error::Error;
use crate::json::writer::{Writer, text_by};
use crate::json::{FieldId, JsonStr, Root, Value, items, members, read};
use crate::model::outcome::{Outcome, OutcomeBody};
use crate::model::problem::{Problem, ProblemCode};
use crate::money::{Amount, Breakdown, Charges, Currency, MAX_CONVERTED_SCALE, WithdrawnCurrency};
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::{Report, ReportBuilder};
use crate::schema::payment::{PAYMENT, PaymentField, is_nullable};
use crate::types::state::{State, Transition, Transitions};
use crate::types::timestamp::Timestamp;
use crate::validate::payment;
use crate::validate::validator::Slots;

const AMOUNT: &str = "/amount";
const PAID_AMOUNT: &str = "/paid_amount";

/// The members that a transition is computed from. Without them a payment cannot be moved.
const REQUIRED_FIELDS: [PaymentField; 5] = [
    PaymentField::Uid,
    PaymentField::State,
    PaymentField::Amount,
    PaymentField::Currency,
    PaymentField::CreatedDate,
];

/// Errors of `check_payment` that do not prevent a transition.
///
/// Creation itself omits some members (D1). URIs, texts, and amounts may have been created under
/// other limits.
const IGNORED_CODES: [Code; 8] = [
    Code::UnknownMember,
    Code::LegacyMember,
    Code::Missing,
    Code::TextTooLong,
    Code::UriSyntax,
    Code::UriScheme,
    Code::UriCredentials,
    Code::AmountOutOfBounds,
];

/// Moves a payment to another state. A transition that the policy rejects is an outcome as well.
///
/// # Errors
/// Returns a context error if the payment is not valid, or if the change contradicts it.
pub(crate) fn advance<'a>(
    ruleset: &Ruleset,
    context: &AdvanceContext<'a>,
) -> Result<Outcome, Error> {
    let mut slots = Slots::new();
    let payment = context.payment.as_str();
    let root = read(
        payment,
        usize::MAX,
        &PAYMENT,
        &mut slots.values,
        &mut slots.presence,
    );
    check(
        matches!(root, Ok(Root::Object)),
        "/payment",
        INVALID_PAYMENT,
    )?;
    let mut update = PaymentUpdate {
        ruleset,
        context,
        slots: &slots,
        updates: Vec::new(),
    };
    update.check()?;
    let from = update.value(PaymentField::State).parsed(State::from_name);
    let from = from.ok_or_else(|| invalid_payment(PaymentField::State))?;
    let transition = Transition::evaluate(&ruleset.policy.transitions, from, context.to);
    if !transition.is_possible() {
        let detail = [
            "From ",
            from.name(),
            " to ",
            context.to.name(),
            ": ",
            transition.reason,
            ".",
        ]
        .concat();
        return Ok(Problem::with_detail(ProblemCode::TransitionRefused, detail).into());
    }
    update.apply(from == context.to)?;
    Ok(Outcome::success(200, OutcomeBody::Json(update.json())))
}

/// Fails with a context error if the condition is false.
fn check(condition: bool, path: &'static str, message: &'static str) -> Result<(), Error> {
    if condition {
        Ok(())
    } else {
        Err(Error::context(path, message))
    }
}

fn invalid_payment(field: PaymentField) -> Error {
    Error::context(
        ["/payment", field.entry().pointer].concat(),
        INVALID_PAYMENT,
    )
}

/// A stored payment, and the changes to it.
struct PaymentUpdate<'a, 'b> {
    ruleset: &'a Ruleset,
    context: &'b AdvanceContext<'a>,
    slots: &'b Slots<'a>,
    updates: Vec<(PaymentField, FieldUpdate<'b>)>,
}

/// The new value of a member.
#[derive(Clone, Copy)]
enum FieldUpdate<'b> {
    Null,
    /// The member is omitted, since §2.1 does not allow it to be null.
    Remove,
    Text(&'b str),
    Timestamp(Timestamp),
    /// An amount, written with at least this many fraction digits.
    Amount(Amount, u32),
}

impl<'a, 'b> PaymentUpdate<'a, 'b> {
    /// Checks that the stored payment is valid enough to be moved. All violations count, even
    /// beyond the limit of a report.
    fn check(&self) -> Result<(), Error> {
        // These are required even if the policy disables `missing`.
        let mut required = REQUIRED_FIELDS.into_iter();
        if let Some(field) = required.find(|field| !self.value(*field).is_present()) {
            return Err(invalid_payment(field));
        }
        let mut report = ReportBuilder::new(usize::MAX);
        payment::validate(
            self.ruleset,
            self.slots,
            None,
            &REQUIRED_FIELDS,
            &mut report,
        );
        let report = Report::from(report);
        let fault = report
            .violations()
            .iter()
            .filter(|found| {
                found.severity() == Severity::Error && !IGNORED_CODES.contains(&found.code())
            })
            .find(|found| {
                !(found.code() == Code::StateInconsistent && self.is_kept_paid_at(found.path()))
            });
        match fault {
            Some(fault) => Err(Error::context(
                ["/payment", fault.path()].concat(),
                INVALID_PAYMENT,
            )),
            None => Ok(()),
        }
    }

    /// Returns whether `path` is a `paid_at` that was kept when the policy's list led back to
    /// `idle` or `routed`.
    ///
    /// Such a payment must be able to leave that state again.
    fn is_kept_paid_at(&self, path: &str) -> bool {
        matches!(self.ruleset.policy.transitions, Transitions::List(_))
            && path == PaymentField::PaidAt.entry().pointer
            && self.value(PaymentField::PaidAt).is_present()
    }

    fn value(&self, field: PaymentField) -> Value<'a> {
        self.slots.value(field)
    }

    /// Returns a stored amount, or zero if the payment does not have it.
    fn amount(&self, field: PaymentField) -> Result<Amount, Error> {
        match self.value(field) {
            value @ Value::String(_) => value
                .parsed(Amount::parse_value)
                .ok_or_else(|| invalid_payment(field)),
            _ => Ok(Amount::ZERO),
        }
    }

    /// Returns the number of fraction digits of the payment's currency, or `None` for USDT and for a
    /// withdrawn currency, of which ISO 4217 lists no minor unit.
    fn minor_unit(&self) -> Option<u32> {
        self.value(PaymentField::Currency)
            .parsed(Currency::from_code)
            .and_then(Currency::minor_unit)
    }

    /// Returns the smallest number of fraction digits to write. Amounts in a withdrawn currency keep
    /// those of the stored amount.
    fn min_scale(&self) -> u32 {
        self.minor_unit().unwrap_or_else(|| {
            let currency = self.value(PaymentField::Currency);
            if currency.parsed(WithdrawnCurrency::from_code).is_none() {
                return self.ruleset.policy.crypto.scale;
            }
            let amount = self.value(PaymentField::Amount).parsed(Amount::parse_value);
            amount.map_or(0, Amount::scale)
        })
    }

    fn set(&mut self, field: PaymentField, update: FieldUpdate<'b>) {
        self.updates.push((field, update));
    }

    fn set_amount(&mut self, field: PaymentField, amount: Amount) {
        let min_scale = self.min_scale();
        self.set(field, FieldUpdate::Amount(amount, min_scale));
    }

    /// Applies the transition. Without a change of the state, only a correction may change other
    /// members.
    fn apply(&mut self, unchanged: bool) -> Result<(), Error> {
        let AdvanceContext { at, to, .. } = *self.context;
        if self
            .value(PaymentField::CreatedDate)
            .parsed(Timestamp::parse)
            .is_some_and(|created| at < created)
        {
            return Err(Error::context("/at", "earlier than created_date"));
        }
        self.set(PaymentField::State, FieldUpdate::Text(to.name()));
        if let Some(amount) = self.context.amount {
            self.apply_correction(amount)?;
        }
        self.apply_paid_amount(unchanged)?;
        self.apply_failure(unchanged)?;
        if to == State::Completed && !unchanged {
            self.set(PaymentField::PaidAt, FieldUpdate::Timestamp(at));
        }
        // The failure no longer applies. `paid_at` and `paid_amount` are kept.
        if matches!(
            to,
            State::Completed | State::NotFully | State::Idle | State::Routed
        ) && !unchanged
        {
            self.set(PaymentField::FailBy, FieldUpdate::Null);
            self.set(PaymentField::FailCode, FieldUpdate::Remove);
        }
        Ok(())
    }

    /// Checks that an amount from the context fits the payment's currency.
    fn check_scale(&self, amount: Amount, path: &'static str) -> Result<(), Error> {
        let max_scale = self.minor_unit().unwrap_or(MAX_CONVERTED_SCALE);
        check(
            amount.fits_scale(max_scale),
            path,
            "more fraction digits than the currency allows",
        )
    }

    /// Sets the amount of a correction, and recomputes the amounts that depend on it.
    fn apply_correction(&mut self, amount: Amount) -> Result<(), Error> {
        check(
            self.context.to == State::Correction,
            AMOUNT,
            "used with correction only",
        )?;
        check(
            !amount.is_zero(),
            AMOUNT,
            "the amount must be greater than zero",
        )?;
        self.check_scale(amount, AMOUNT)?;
        let fee = self.amount(PaymentField::Fee)?;
        let commission = self.amount(PaymentField::Commission)?;
        // The shared part of the commission does not affect any sum.
        let charges = Charges::new(fee, commission, Amount::ZERO)
            .map_err(|_| invalid_payment(PaymentField::Commission))?;
        let breakdown = Breakdown::fiat(amount, &charges)
            .map_err(|_| Error::context(AMOUNT, "less than fee and commission"))?;
        self.set_amount(PaymentField::Amount, breakdown.amount);
        let dependent = [
            (PaymentField::GrossAmount, breakdown.gross_amount),
            (PaymentField::Total, breakdown.total),
            (PaymentField::NetProcessed, breakdown.net_processed),
        ];
        for (field, amount) in dependent {
            if self.value(field).is_present() {
                self.set_amount(field, amount);
            }
        }
        Ok(())
    }

    fn apply_paid_amount(&mut self, unchanged: bool) -> Result<(), Error> {
        let amount = self.amount(PaymentField::Amount)?;
        let to = self.context.to;
        let Some(paid) = self.context.paid_amount else {
            check(
                to != State::NotFully || unchanged,
                PAID_AMOUNT,
                "required with not_fully",
            )?;
            if to == State::Completed && !unchanged {
                self.set_amount(PaymentField::PaidAmount, amount);
            }
            return Ok(());
        };
        self.check_scale(paid, PAID_AMOUNT)?;
        if unchanged && to != State::Correction {
            let is_same = self.amount(PaymentField::PaidAmount)? == paid;
            return check(
                is_same,
                PAID_AMOUNT,
                "differs from the stored paid_amount, and the state does not change",
            );
        }
        let (accepted, expected) = match to {
            State::NotFully => (
                !paid.is_zero() && paid < amount,
                "must be greater than zero and less than the amount",
            ),
            State::Completed => (!paid.is_zero(), "must be greater than zero"),
            _ => (
                to == State::Correction,
                "used with completed, not_fully, and correction only",
            ),
        };
        check(accepted, PAID_AMOUNT, expected)?;
        self.set_amount(PaymentField::PaidAmount, paid);
        Ok(())
    }

    fn apply_failure(&mut self, unchanged: bool) -> Result<(), Error> {
        let context = self.context;
        let given = [
            (PaymentField::FailBy, "/fail_by", context.fail_by.as_deref()),
            (
                PaymentField::FailCode,
                "/fail_code",
                context.fail_code.as_deref(),
            ),
        ];
        for (field, path, text) in given {
            let Some(text) = text else {
                check(
                    context.to != State::Fail || unchanged,
                    path,
                    "required with fail",
                )?;
                continue;
            };
            check(context.to == State::Fail, path, "used with fail only")?;
            check(!text.is_empty(), path, "must not be empty")?;
            if unchanged {
                let stored = self.value(field).text();
                let is_same = stored.is_some_and(|stored| stored.is(text));
                check(
                    is_same,
                    path,
                    "differs from the stored value, and the state does not change",
                )?;
            } else {
                self.set(field, FieldUpdate::Text(text));
            }
        }
        Ok(())
    }

    /// Returns the updated payment: the members of §2.1 in their order, then unknown members.
    fn json(&self) -> String {
        let AdvanceContext {
            payment, receipts, ..
        } = self.context;
        text_by(|out| {
            Writer::new(out).object(|w| {
                for (slot, field) in PAYMENT.fields.iter().enumerate() {
                    if slot == PaymentField::Receipts.slot() && !receipts.is_empty() {
                        self.write_receipts(receipts, w.name(field.name));
                        continue;
                    }
                    let value = *self.slots.values.get(slot).unwrap_or(&Value::Absent);
                    let mut updates = self.updates.iter();
                    match updates.find(|(updated, _)| updated.slot() == slot) {
                        Some((_, FieldUpdate::Remove)) => {}
                        Some((_, update)) => update.write(w.name(field.name)),
                        None if value.is_present() || is_nullable(slot) => {
                            w.name(field.name);
                            w.value(value);
                        }
                        None => {}
                    }
                }
                if !self.slots.presence.unknown.is_empty() {
                    let others =
                        members(payment.as_str()).filter(|(name, _)| PAYMENT.find(*name).is_none());
                    others.for_each(|(name, value)| w.member(name, value));
                }
            })
        })
    }

    /// Writes the stored receipts, and the added ones that are not among them.
    fn write_receipts(&self, added: &[AbsoluteUri<'_>], w: &mut Writer<'_>) {
        let stored = match self.value(PaymentField::Receipts) {
            Value::Array(array) => array,
            _ => "[]",
        };
        let stored = items(stored).filter_map(Value::text).map(JsonStr::to_cow);
        let added = added.iter().map(|receipt| Cow::Borrowed(receipt.as_str()));
        let mut receipts: Vec<(Cow<'_, str>, usize)> = stored.chain(added).zip(0..).collect();
        // Equal receipts are adjacent, the first one first. Then the order of the array is
        // restored.
        receipts.sort_unstable();
        receipts.dedup_by(|next, first| next.0 == first.0);
        receipts.sort_unstable_by_key(|(_, index)| *index);
        w.strings(receipts.iter().map(|(receipt, _)| &**receipt));
    }
}

impl FieldUpdate<'_> {
    fn write(self, w: &mut Writer<'_>) {
        match self {
            FieldUpdate::Null | FieldUpdate::Remove => w.null(),
            FieldUpdate::Text(text) => w.string(text),
            FieldUpdate::Timestamp(timestamp) => w.plain(|out| timestamp.write_millis(out)),
            FieldUpdate::Amount(amount, scale) => w.plain(|out| amount.write(scale, out)),
        }
    }
}
