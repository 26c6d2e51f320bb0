//! The kinds of bodies, and a small body of each kind that some policies accept.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::draft::{Draft, EMPTY_OBJECT, Json, parent, quoted, slots};
use super::values::Values;
use crate::json::bit;
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::validate::request::{RequestKind, accepts, required};

/// A member with listed values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed<T> {
    Value(T),
    /// A text that is not listed.
    Other,
    Absent,
}

/// The objects that a body has beyond those that its members need.
#[derive(Clone, Copy)]
enum Objects {
    None,
    Recipient,
    Payer,
    Card,
}

/// The members on which the rules of other members depend.
#[derive(Clone, Copy)]
struct Kind {
    payment_type: Listed<PaymentType>,
    mode: Listed<Mode>,
    subtype: Listed<Subtype>,
    host2host: bool,
    objects: Objects,
}

impl<T: Copy> Listed<T> {
    /// Returns every value, then the others.
    fn all(values: &[T]) -> Vec<Self> {
        let listed = values.iter().copied().map(Listed::Value);
        listed.chain([Listed::Other, Listed::Absent]).collect()
    }

    fn value(self) -> Option<T> {
        match self {
            Listed::Value(value) => Some(value),
            Listed::Other | Listed::Absent => None,
        }
    }

    /// Returns the value as JSON, if there is one.
    fn json(self, name: fn(T) -> &'static str) -> Option<Json> {
        match self {
            Listed::Value(value) => Some(quoted(name(value))),
            Listed::Other => Some(quoted("x")),
            Listed::Absent => None,
        }
    }
}

/// Returns all kinds, the usual ones first.
fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for payment_type in Listed::all(PaymentType::ALL) {
        for mode in Listed::all(&[Mode::P2p, Mode::Acquiring, Mode::Crypto]) {
            for subtype in Listed::all(&[Subtype::Sbp, Subtype::BankCard]) {
                for host2host in [false, true] {
                    for objects in Objects::ALL {
                        kinds.push(Kind {
                            payment_type,
                            mode,
                            subtype,
                            host2host,
                            objects,
                        });
                    }
                }
            }
        }
    }
    kinds
}

/// Returns small bodies that all of these policies accept, one of each kind of which they accept a
/// body.
pub(super) fn bodies(rulesets: &[&Ruleset]) -> Vec<Draft> {
    let values = Values::new(rulesets);
    let mut bodies: Vec<_> = kinds()
        .iter()
        .filter_map(|kind| kind.accepted_body(rulesets, &values))
        .collect();
    // A policy may accept a body without members.
    let empty = Draft::new();
    if accept(rulesets, &empty) {
        bodies.push(empty);
    }
    bodies
}

/// Returns a small body of a variant and mode that a policy accepts.
pub(super) fn body_of(ruleset: &Ruleset, payment_type: PaymentType, mode: Mode) -> Option<Draft> {
    let rulesets = [ruleset];
    let values = Values::new(&rulesets);
    let kinds = kinds();
    let mut bodies = kinds.iter().filter_map(|kind| {
        let is_same =
            kind.payment_type == Listed::Value(payment_type) && kind.mode == Listed::Value(mode);
        is_same.then(|| kind.accepted_body(&rulesets, &values))?
    });
    bodies.next()
}

fn accept(rulesets: &[&Ruleset], draft: &Draft) -> bool {
    let text = draft.text();
    let mut rulesets = rulesets.iter();
    rulesets.all(|ruleset| accepts(ruleset, text.as_bytes(), None))
}

impl Objects {
    const ALL: [Objects; 4] = [
        Objects::None,
        Objects::Recipient,
        Objects::Payer,
        Objects::Card,
    ];

    /// Returns the innermost object.
    fn field(self) -> Option<RequestField> {
        match self {
            Objects::None => None,
            Objects::Recipient => Some(RequestField::PayOutDetails),
            Objects::Payer => Some(RequestField::PayInDetails),
            Objects::Card => Some(RequestField::Card),
        }
    }
}

impl Kind {
    /// Returns the body of this kind, if all policies accept it.
    fn accepted_body(self, rulesets: &[&Ruleset], values: &Values) -> Option<Draft> {
        if self.is_excluded(rulesets) {
            return None;
        }
        let draft = self.body(rulesets, values)?;
        accept(rulesets, &draft).then_some(draft)
    }

    /// Creates a body of this kind with the members that the policies require, and with those whose
    /// absence is an error. Returns `None` if such a member has no valid value.
    fn body(self, rulesets: &[&Ruleset], values: &Values) -> Option<Draft> {
        let mut draft = Draft::new();
        self.set_members(&mut draft);
        if let Some((cur, amount)) = &values.money {
            draft.set(RequestField::Cur.slot(), cur.clone());
            draft.set(RequestField::Amount.slot(), amount.clone());
        }
        if let Some(field) = self.objects.field() {
            draft.set(field.slot(), EMPTY_OBJECT);
        }
        if let Some(field) = self.expected(rulesets) {
            draft.set(field.slot(), values.get(field.slot())?);
        }
        let required = self.required(rulesets);
        for slot in slots().filter(|slot| required & bit(*slot) != 0) {
            // Objects are before their members, so an object that is required is in the body.
            let is_in_body = parent(slot).is_none_or(|object| draft.has(object));
            if is_in_body && !draft.has(slot) {
                draft.set(slot, values.get(slot)?);
            }
        }
        Some(draft)
    }

    /// Returns whether the kind itself breaks a rule, so that no body of it is built.
    fn is_excluded(self, rulesets: &[&Ruleset]) -> bool {
        let is_error = |code| {
            let mut rulesets = rulesets.iter();
            rulesets.any(|ruleset| ruleset.severity(code) == Severity::Error)
        };
        let has_other = self.payment_type == Listed::Other
            || self.mode == Listed::Other
            || self.subtype == Listed::Other;
        has_other && is_error(Code::UnsupportedValue)
            || self.payment_type == Listed::Absent && is_error(Code::Missing)
    }

    /// Sets the members that make the kind.
    fn set_members(self, draft: &mut Draft) {
        let members = [
            (
                RequestField::PaymentType,
                self.payment_type.json(PaymentType::name),
            ),
            (RequestField::Mode, self.mode.json(Mode::name)),
            (RequestField::Subtype, self.subtype.json(Subtype::name)),
            (
                RequestField::HostToHost,
                self.host2host.then_some(Cow::Borrowed("true")),
            ),
        ];
        for (field, value) in members {
            if let Some(value) = value {
                draft.set(field.slot(), value);
            }
        }
    }

    /// Returns the fields that a policy requires in this kind, as a set of slots.
    fn required(self, rulesets: &[&Ruleset]) -> u64 {
        let kind_required = |ruleset: &Ruleset| {
            required(
                ruleset.required,
                self.payment_type.value(),
                self.mode.value(),
            )
        };
        let strict = rulesets
            .iter()
            .filter(|ruleset| ruleset.severity(Code::Missing) == Severity::Error);
        strict.fold(0, |slots, ruleset| slots | kind_required(ruleset))
    }

    /// Returns the field that identifies the recipient or the card, if its absence is an error.
    fn expected(self, rulesets: &[&Ruleset]) -> Option<RequestField> {
        let kind = RequestKind {
            variant: self.payment_type.value(),
            mode: self.mode.value(),
            subtype: self.subtype.value(),
            host2host: self.host2host,
            currency: None,
            scheme: None,
        };
        let (code, field) = match kind.expected()? {
            RequestField::Card => (Code::HostToHostWithoutCard, RequestField::CardNumber),
            field => (Code::RecipientIncomplete, field),
        };
        let is_error = |ruleset: &&&Ruleset| ruleset.severity(code) == Severity::Error;
        rulesets
            .iter()
            .any(|ruleset| is_error(&ruleset))
            .then_some(field)
    }
}
