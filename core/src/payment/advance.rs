//! advance_payment: a stored payment goes to another state, with all that follows from it (§3).
//!
//! What the step does not touch goes out as it was written. What does not fit together is the host's own mistake: a
//! context error with its path.

use alloc::string::String;
use alloc::vec::Vec;

use super::check;
use super::members::{Member, PAYMENT, SLOTS};
use crate::context::AdvanceContext;
use crate::engine::Engine;
use crate::error::Error;
use crate::judge::Place;
use crate::money::{Amount, Breakdown, Charges, Currency};
use crate::outcome::{Answer, Outcome};
use crate::problem::{Problem, ProblemCode};
use crate::read::{Extras, Root, Stray, Text, Value, items, read};
use crate::report::Findings;
use crate::request::{Sighting, sightings};
use crate::rules::{Code, Severity};
use crate::state::{State, Transition};
use crate::time::Timestamp;
use crate::write::{Writer, into_text};

const UNSOUND: &str = "not a sound payment: check_payment tells why";
const AT: &str = "/at";
const AMOUNT: &str = "/amount";
const PAID_AMOUNT: &str = "/paid_amount";

/// What a step is computed from: no payment is moved without.
const NEEDED: [Member; 5] = [Member::Uid, Member::State, Member::Amount, Member::Currency, Member::CreatedDate];

/// What check_payment tells and no step asks for: members that creation itself leaves out (D1), addresses and digits that
/// other bounds held for when the payment was made.
const PASSED_OVER: [Code; 8] = [
    Code::UnknownMember,
    Code::LegacyMember,
    Code::Missing,
    Code::TextTooLong,
    Code::UriSyntax,
    Code::UriScheme,
    Code::UriCredentials,
    Code::AmountOutOfBounds,
];

/// The answer to a change of state, or what is wrong with it.
pub(crate) fn advance<'a>(engine: &'a Engine, context: &AdvanceContext<'a>) -> Result<Outcome<'a>, Error> {
    let mut slots = [Value::Absent; SLOTS];
    let mut extras = Extras::default();
    match read(context.payment.as_str(), usize::MAX, &PAYMENT, &mut slots, &mut extras) {
        Ok(Root::Object) => {}
        _ => return Err(Error::context("/payment", UNSOUND)),
    }
    let mut draft = Draft { slots: &slots, extras: &extras, set: Vec::new() };
    draft.check(engine)?;
    let from = draft.word(Member::State, State::from_name).ok_or_else(|| unsound(Member::State))?;
    let transition = Transition::judge(&engine.policy().transitions, from, context.to);
    if !transition.is_possible() {
        return Ok(Problem::with_detail(ProblemCode::TransitionRefused, transition.reason).into());
    }
    draft.step(engine, context, from)?;
    Ok(Outcome::success(200, Answer::Json(draft.write().into())))
}

fn unsound(member: Member) -> Error {
    Error::context(["/payment", member.field().pointer].concat(), UNSOUND)
}

/// A stored payment and what is to be different in it.
struct Draft<'a, 'b> {
    slots: &'b [Value<'a>],
    extras: &'b Extras<'a>,
    set: Vec<(Member, String)>,
}

impl<'a> Draft<'a, '_> {
    /// Whether the stored payment is sound enough to be moved. All that is found counts, however little a report lists.
    fn check(&self, engine: &'a Engine) -> Result<(), Error> {
        // Whatever the policy makes of `missing`.
        if let Some(member) = NEEDED.into_iter().find(|member| !self.value(*member).is_given()) {
            return Err(unsound(member));
        }
        let mut report = Findings::new(usize::MAX);
        check::judge(engine, self.slots, self.extras, None, &NEEDED, &mut report);
        let fault = report
            .violations
            .iter()
            .find(|found| found.severity() == Severity::Error && !PASSED_OVER.contains(&found.code()));
        match fault {
            Some(fault) => Err(Error::context(["/payment", &fault.path()].concat(), UNSOUND)),
            None => Ok(()),
        }
    }

    fn value(&self, member: Member) -> Value<'a> {
        self.slots.get(member.slot()).copied().unwrap_or_default()
    }

    fn word<T>(&self, member: Member, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        parse(&self.value(member).text()?.decode())
    }

    /// A stored amount; zero where the payment has none.
    fn amount(&self, member: Member) -> Result<Amount, Error> {
        match self.value(member) {
            Value::String(_) => self.word(member, Amount::parse_value).ok_or_else(|| unsound(member)),
            _ => Ok(Amount::ZERO),
        }
    }

    fn put(&mut self, member: Member, fill: &dyn Fn(&mut Writer<'_>)) {
        let mut json = Vec::new();
        fill(&mut Writer::new(&mut json));
        self.set.push((member, into_text(json)));
    }

    /// The most fraction digits of the payment's currency, and the least that it is written with.
    fn scales(&self, engine: &Engine) -> (u32, u32) {
        match self.word(Member::Currency, Currency::from_code).and_then(Currency::minor_unit) {
            Some(minor_unit) => (minor_unit, minor_unit),
            None => (crate::money::MAX_CONVERTED_SCALE, engine.policy().crypto.scale),
        }
    }

    fn put_amount(&mut self, engine: &Engine, member: Member, amount: Amount) {
        let (_, scale) = self.scales(engine);
        self.put(member, &|w| w.plain(|out| amount.write(scale, out)));
    }

    fn step(&mut self, engine: &Engine, context: &AdvanceContext<'_>, from: State) -> Result<(), Error> {
        let created = self.word(Member::CreatedDate, Timestamp::parse);
        if created.is_some_and(|created| context.at < created) {
            return Err(Error::context(AT, "before the payment was created"));
        }
        self.put(Member::State, &|w| w.string(context.to.name()));
        let unchanged = from == context.to;
        self.correct(engine, context)?;
        self.pay(engine, context, unchanged)?;
        self.fail(context, unchanged)?;
        match context.to {
            State::Completed if !unchanged => {
                self.put(Member::PaidAt, &|w| w.plain(|out| context.at.write_millis(out)));
                self.forget_failure();
            }
            // Back before any result: what told one does not hold any more.
            State::Idle | State::Routed if !unchanged => {
                self.put(Member::PaidAt, &|w| w.null());
                self.forget_failure();
                if self.value(Member::PaidAmount).is_given() {
                    self.put_amount(engine, Member::PaidAmount, Amount::ZERO);
                }
            }
            _ => {}
        }
        self.add_receipts(context);
        Ok(())
    }

    fn forget_failure(&mut self) {
        self.put(Member::FailBy, &|w| w.null());
        self.set.push((Member::FailCode, String::new()));
    }

    /// An amount of the context must fit the payment's currency.
    fn fits(&self, engine: &Engine, amount: Amount, path: &'static str) -> Result<(), Error> {
        let mut text = Vec::new();
        let (most, _) = self.scales(engine);
        amount.write(0, &mut text);
        let fraction = text.iter().rev().position(|byte| *byte == b'.').unwrap_or(0);
        if usize::try_from(most).is_ok_and(|most| fraction > most) {
            return Err(Error::context(path, "more fraction digits than the currency has"));
        }
        Ok(())
    }

    /// A correction may set the amount; what depends on it is made anew.
    fn correct(&mut self, engine: &Engine, context: &AdvanceContext<'_>) -> Result<(), Error> {
        let Some(amount) = context.amount else { return Ok(()) };
        if context.to != State::Correction {
            return Err(Error::context(AMOUNT, "only a correction sets the amount"));
        }
        if amount.is_zero() {
            return Err(Error::context(AMOUNT, "the amount must be above zero"));
        }
        self.fits(engine, amount, AMOUNT)?;
        let (fee, commission) = (self.amount(Member::Fee)?, self.amount(Member::Commission)?);
        // What partners share of the commission changes no sum.
        let charges = Charges::new(fee, commission, Amount::ZERO).map_err(|_| unsound(Member::Commission))?;
        let made = Breakdown::fiat(amount, &charges)
            .map_err(|_| Error::context(AMOUNT, "fee and commission must fit into the amount"))?;
        self.put_amount(engine, Member::Amount, made.amount);
        let dependent = [
            (Member::GrossAmount, made.gross_amount),
            (Member::Total, made.total),
            (Member::NetProcessed, made.net_processed),
        ];
        for (member, amount) in dependent {
            if self.value(member).is_given() {
                self.put_amount(engine, member, amount);
            }
        }
        Ok(())
    }

    fn pay(&mut self, engine: &Engine, context: &AdvanceContext<'_>, unchanged: bool) -> Result<(), Error> {
        let wrong = |message| Err(Error::context(PAID_AMOUNT, message));
        let amount = self.amount(Member::Amount)?;
        let Some(paid) = context.paid_amount else {
            return match context.to {
                State::NotFully if !unchanged => wrong("required: what was paid"),
                State::Completed if !unchanged => {
                    self.put_amount(engine, Member::PaidAmount, amount);
                    Ok(())
                }
                _ => Ok(()),
            };
        };
        self.fits(engine, paid, PAID_AMOUNT)?;
        if unchanged && context.to != State::Correction {
            let stored = self.amount(Member::PaidAmount)?;
            return if stored == paid { Ok(()) } else { wrong("the state stays, so what was paid stays too") };
        }
        match context.to {
            State::NotFully if paid.is_zero() || paid >= amount => {
                wrong("must be above zero and below the amount where a payment is not fully paid")
            }
            State::Completed if paid < amount => wrong("below the amount, a payment is not fully paid"),
            State::NotFully | State::Completed | State::Correction => {
                self.put_amount(engine, Member::PaidAmount, paid);
                Ok(())
            }
            _ => wrong("nothing is paid on the way to this state"),
        }
    }

    fn fail(&mut self, context: &AdvanceContext<'_>, unchanged: bool) -> Result<(), Error> {
        let told = [
            (Member::FailBy, "/fail_by", context.fail_by.as_deref()),
            (Member::FailCode, "/fail_code", context.fail_code.as_deref()),
        ];
        for (member, path, text) in told {
            match text {
                Some(_) if context.to != State::Fail => {
                    return Err(Error::context(path, "only a failed payment has it"));
                }
                Some("") => return Err(Error::context(path, "must not be empty")),
                Some(text) if unchanged && self.word(member, |stored| (stored == text).then_some(())).is_none() => {
                    return Err(Error::context(path, "the state stays, so the reason of the failure stays too"));
                }
                Some(_) if unchanged => {}
                Some(text) => self.put(member, &|w| w.string(text)),
                None if context.to == State::Fail && !unchanged => {
                    return Err(Error::context(path, "required: a failed payment tells it"));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Those that the payment does not have yet go behind those that it has.
    fn add_receipts(&mut self, context: &AdvanceContext<'_>) {
        if context.receipts.is_empty() {
            return;
        }
        let stored = match self.value(Member::Receipts) {
            Value::Array(array) => array,
            _ => "[]",
        };
        let added = context.receipts.iter().map(|receipt| Text::new(receipt.as_str(), false));
        let all = items(stored).filter_map(Value::text).chain(added);
        // One that is there already is what a name is that an object names again.
        let all: Vec<Stray<'_>> = all.map(|name| Stray { scope: &PAYMENT, name, value: Value::Null }).collect();
        let mut json = Vec::new();
        Writer::new(&mut json).array(|w| {
            for (receipt, sighting) in all.iter().zip(sightings(&all)) {
                if sighting != Sighting::Again {
                    w.string(&receipt.name.decode());
                }
            }
        });
        self.set.push((Member::Receipts, into_text(json)));
    }

    /// The payment, members in the order of §2.1, those that the section does not have behind them.
    fn write(&self) -> String {
        let mut out = Vec::new();
        Writer::new(&mut out).object(|w| {
            for (slot, field) in PAYMENT.fields.iter().enumerate() {
                let value = self.slots.get(slot).copied().unwrap_or_default();
                match self.set.iter().find(|(member, _)| member.slot() == slot) {
                    // Set to nothing: a member that §2.1 does not let be null is left out.
                    Some((_, json)) if json.is_empty() => {}
                    Some((_, json)) => w.name(field.name).raw(json),
                    None if value.is_given() || Member::is_nullable_slot(slot) => {
                        w.name(field.name);
                        w.value(value);
                    }
                    None => {}
                }
            }
            for stray in self.extras.strays.iter() {
                w.foreign_name(&stray.name.decode());
                w.value(stray.value);
            }
        });
        into_text(out)
    }
}
