//! The schemas of the creation request (§2.2): its two variants, and the objects in them.

use super::note::Note;
use super::notes::{Form, NOTES};
use super::schema_writer::{about, cite, enum_schema, is_error, kind, put, text};
use super::values::value;
use crate::engine::Engine;
use crate::json::FieldId;
use crate::json::writer::{Writer, write_integer};
use crate::json::{ObjectSchema, bit};
use crate::money::Currency;
use crate::report::code::Code;
use crate::schema::request::{REQUEST, RequestField, variant_of};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::validate::request::required;

/// Returns the name of a variant's schema in the specification.
fn schema_of(variant: PaymentType) -> &'static str {
    match variant {
        PaymentType::PayIn => "PaymentCreatePayInSchema",
        PaymentType::PayOut => "PaymentCreatePayOutSchema",
    }
}

/// Writes the schemas of the variants, and of the objects and values in them.
pub(super) fn write(engine: &Engine, w: &mut Writer<'_>) {
    for variant in PaymentType::ALL {
        write_variant(engine, w, *variant);
    }
    for note in &NOTES {
        if let (Form::Object(name), Some(schema), Some(variant)) =
            (note.form, note.field.entry().schema, variant_of(note.field.slot()))
        {
            w.name(name).object(|w| {
                let needed = Needed::of(engine, variant);
                text(w, "type", "object");
                text(w, "description", note.text);
                needed.write(w, schema, variant);
                properties(engine, w, schema, variant, needed);
            });
        }
    }
    let kinds = [(PaymentType::PayIn.name(), "a deposit."), (PaymentType::PayOut.name(), "a transfer out.")];
    enum_schema(w, "PaymentType", "The direction of the payment.", &[], &kinds);
    let modes = [
        (Mode::P2p.name(), "from person to person."),
        (Mode::Acquiring.name(), "card acquiring."),
        (Mode::Crypto.name(), "an amount in a fiat currency, converted to USDT."),
    ];
    enum_schema(w, "Mode", "The processing mode.", &[], &modes);
    let methods = [
        (Subtype::BankCard.name(), "a bank card."),
        (Subtype::Sbp.name(), "the faster payments system, by phone number."),
    ];
    // No schema refers to `Subtype` if the policy accepts other texts.
    if is_error(engine, Code::UnsupportedValue) {
        enum_schema(w, "Subtype", "The payment method.", &[], &methods);
    }
    w.name("Currency").object(|w| {
        text(w, "type", "string");
        w.name("enum").strings(Currency::all().filter(|currency| accepts(engine, *currency)).map(Currency::code));
        about(w, "An ISO 4217 code of a currency that the service accepts, in upper case.", &["D6"]);
    });
}

fn write_variant(engine: &Engine, w: &mut Writer<'_>, variant: PaymentType) {
    let needed = Needed::of(engine, variant);
    w.name(schema_of(variant)).object(|w| {
        let (title, purpose) = match variant {
            PaymentType::PayIn => ("Pay-in", "The body of a deposit."),
            PaymentType::PayOut => ("Pay-out", "The body of a transfer out."),
        };
        text(w, "title", title);
        let others = if is_error(engine, Code::UnknownMember) { "rejected." } else { "ignored." };
        let nulls = " A null in a member that is not required counts as absent. Unknown members are ";
        w.name("description").plain(|out| put(out, &[purpose, nulls, others]));
        cite(w, &["D5", "D6", "D16"]);
        text(w, "type", "object");
        needed.write(w, &REQUEST, variant);
        properties(engine, w, &REQUEST, variant, needed);
        if variant == PaymentType::PayIn && needed.subtype_by_mode {
            unless_crypto(w);
        }
    });
}

/// Writes the condition of D17: `subtype` is required in every mode except CRYPTO.
fn unless_crypto(w: &mut Writer<'_>) {
    let (mode, subtype) = (RequestField::Mode.entry().name, RequestField::Subtype.entry().name);
    w.name("if").object(|w| {
        w.name("properties").object(|w| w.name(mode).object(|w| text(w, "const", Mode::Crypto.name())));
        w.name("required").strings([mode]);
    });
    w.name("else").object(|w| {
        w.name("properties").object(|w| w.name(subtype).object(|w| kind(w, "string", false)));
        w.name("required").strings([subtype]);
    });
}

/// The members that a body of one variant must have, one bit for each slot.
#[derive(Clone, Copy)]
struct Needed {
    bits: u64,
    /// Whether `subtype` is also required in every mode except CRYPTO.
    subtype_by_mode: bool,
}

impl Needed {
    fn of(engine: &Engine, variant: PaymentType) -> Needed {
        if !is_error(engine, Code::Missing) {
            // No payment can be created without these, even if the policy accepts the body.
            let bits = [RequestField::PaymentType, RequestField::Cur, RequestField::Amount];
            return Needed {
                bits: bits.iter().fold(0, |all, member| all | bit(member.slot())),
                subtype_by_mode: false,
            };
        }
        let by_policy = engine.ruleset().rules().settings.required;
        let bits = required(by_policy, Some(variant), Some(Mode::Crypto));
        let in_other_modes = required(by_policy, Some(variant), None);
        Needed { bits, subtype_by_mode: in_other_modes != bits }
    }

    /// Returns whether a member is required, either directly or because a member inside it is.
    fn has(self, member: RequestField) -> bool {
        let inside = member.entry().schema;
        self.bits & bit(member.slot()) != 0
            || NOTES.iter().any(|note| {
                let pointer = note.field.entry().pointer;
                let within = |schema: &ObjectSchema| {
                    pointer.strip_prefix(schema.pointer).is_some_and(|rest| rest.starts_with('/'))
                };
                inside.is_some_and(within) && self.bits & bit(note.field.slot()) != 0
            })
    }

    /// Writes the member `required`, unless it would be empty.
    fn write(self, w: &mut Writer<'_>, schema: &ObjectSchema, variant: PaymentType) {
        let mut needed = notes_of(schema, variant).filter(|note| self.has(note.field)).peekable();
        if needed.peek().is_some() {
            w.name("required").strings(needed.map(|note| note.field.entry().name));
        }
    }
}

/// Returns the notes on the members of one object, except members that only the other variant has.
fn notes_of(schema: &ObjectSchema, variant: PaymentType) -> impl Iterator<Item = &'static Note<RequestField, Form>> {
    let slots = schema.first..schema.first.saturating_add(schema.fields.len());
    NOTES.iter().filter(move |note| {
        let slot = note.field.slot();
        slots.contains(&slot) && variant_of(slot).is_none_or(|only| only == variant)
    })
}

fn properties(engine: &Engine, w: &mut Writer<'_>, schema: &ObjectSchema, variant: PaymentType, needed: Needed) {
    w.name("properties").object(|w| {
        for note in notes_of(schema, variant) {
            w.name(note.field.entry().name).object(|w| {
                value(engine, w, note.form, variant, !needed.has(note.field));
                describe(engine, w, note);
            });
        }
    });
}

/// Returns whether a request in the currency can be valid.
fn accepts(engine: &Engine, currency: Currency) -> bool {
    let listed = engine.policy().currencies.as_ref().is_none_or(|allowed| allowed.contains(&currency));
    let is_allowed = listed || !is_error(engine, Code::CurrencyNotAllowed);
    is_allowed && (currency.is_fiat() || !is_error(engine, Code::CurrencyNotFiat))
}

/// Writes the note on a member, with the bounds that the policy adds.
fn describe(engine: &Engine, w: &mut Writer<'_>, note: &Note<RequestField, Form>) {
    let bounds = &engine.policy().limits.amount;
    if !matches!(note.form, Form::Amount) || bounds.is_empty() {
        return about(w, note.text, note.decisions);
    }
    w.name("description").plain(|out| {
        put(out, &[note.text, " Bounds, both included:"]);
        let mut before = " ";
        for (currency, bounds) in bounds {
            put(out, &[before, currency.code()]);
            for (word, bound) in [(" from ", bounds.min), (" to ", bounds.max)] {
                if let Some(bound) = bound {
                    put(out, &[word]);
                    bound.write_text(out);
                }
            }
            before = ", ";
        }
        put(out, &["."]);
    });
    cite(w, note.decisions);
}

/// Writes the description of the body, with the limits on its size.
pub(super) fn size(engine: &Engine, w: &mut Writer<'_>) {
    let limits = &engine.policy().limits;
    w.name("description").plain(|out| {
        put(out, &["The payment to create. A body has at most "]);
        write_integer(limits.body_bytes, out);
        put(out, &[" bytes, and its objects and arrays nest at most "]);
        write_integer(limits.depth, out);
        put(out, &[" levels deep (D14). A repeated member is an error (D6)."]);
    });
}
