//! The schemas of the creation request (§2.2): its two variants, and the objects in them.

use super::frame;
use super::schema_writer::{about, cite, enum_schema, is_error, kind, put, text};
use super::values::value;
use crate::engine::Engine;
use crate::json::writer::{Writer, write_integer};
use crate::json::{Field, FieldId, ObjectSchema, Value, bit, member};
use crate::money::Currency;
use crate::report::code::Code;
use crate::schema::request::{REQUEST, RequestField, variant_of};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::validate::request::required;

/// The schema of each member, with a gap for the part that depends on the policy. The name of the
/// gap is the form of the value, or the component for it.
static MEMBERS: &str = frame::include_compact!("request.json");

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
    write_objects(engine, w);
    write_listed_values(engine, w);
    write_currency(engine, w);
}

/// Writes the schemas of the objects in the variants.
fn write_objects(engine: &Engine, w: &mut Writer<'_>) {
    for (slot, field) in RequestField::FIELDS.iter().enumerate() {
        let (Some(schema), Some(variant)) = (field.schema, variant_of(slot)) else {
            continue;
        };
        let Value::Object(about) = member(MEMBERS, field.pointer) else {
            continue;
        };
        let Value::String(component) = member(about, "$") else {
            continue;
        };
        w.name_of(component).object(|w| {
            text(w, "type", "object");
            w.name("description").value(member(about, "description"));
            Needed::new(engine, variant).write(engine, w, schema, variant);
        });
    }
}

/// Writes the schemas of the values that the specification lists.
fn write_listed_values(engine: &Engine, w: &mut Writer<'_>) {
    let directions = [
        (PaymentType::PayIn.name(), "a deposit."),
        (PaymentType::PayOut.name(), "a transfer out."),
    ];
    let about = "The direction of the payment.";
    enum_schema(w, "PaymentType", about, &[], &directions);
    let modes = [
        (Mode::P2p.name(), "from person to person."),
        (Mode::Acquiring.name(), "card acquiring."),
        (
            Mode::Crypto.name(),
            "an amount in a fiat currency, converted to USDT.",
        ),
    ];
    enum_schema(w, "Mode", "The processing mode.", &[], &modes);
    // No schema refers to `Subtype` if the policy accepts other texts.
    if is_error(engine, Code::UnsupportedValue) {
        let methods = [
            (Subtype::BankCard.name(), "a bank card."),
            (
                Subtype::Sbp.name(),
                "the faster payments system, by phone number.",
            ),
        ];
        enum_schema(w, "Subtype", "The payment method.", &[], &methods);
    }
}

/// Writes the schema of the currencies that the policy accepts.
fn write_currency(engine: &Engine, w: &mut Writer<'_>) {
    let accepted = Currency::all().filter(|currency| accepts(engine, *currency));
    w.name("Currency").object(|w| {
        text(w, "type", "string");
        w.name("enum").strings(accepted.map(Currency::code));
        about(
            w,
            "An ISO 4217 code of a currency that the service accepts, in upper case.",
            &["D6"],
        );
    });
}

fn write_variant(engine: &Engine, w: &mut Writer<'_>, variant: PaymentType) {
    let needed = Needed::new(engine, variant);
    w.name(schema_of(variant)).object(|w| {
        let (title, purpose) = match variant {
            PaymentType::PayIn => ("Pay-in", "The body of a deposit."),
            PaymentType::PayOut => ("Pay-out", "The body of a transfer out."),
        };
        text(w, "title", title);
        let others = if is_error(engine, Code::UnknownMember) {
            "rejected."
        } else {
            "ignored."
        };
        let nulls =
            " A null in a member that is not required counts as absent. Unknown members are ";
        w.name("description")
            .plain(|out| put(out, &[purpose, nulls, others]));
        cite(w, &["D5", "D6", "D16"]);
        text(w, "type", "object");
        needed.write(engine, w, &REQUEST, variant);
        if variant == PaymentType::PayIn && needed.subtype_by_mode {
            unless_crypto(w);
        }
    });
}

/// Writes the condition of D17: `subtype` is required in every mode except CRYPTO.
fn unless_crypto(w: &mut Writer<'_>) {
    let (mode, subtype) = (
        RequestField::Mode.entry().name,
        RequestField::Subtype.entry().name,
    );
    w.name("if").object(|w| {
        w.name("properties").object(|w| {
            w.name(mode)
                .object(|w| text(w, "const", Mode::Crypto.name()))
        });
        w.name("required").strings([mode]);
    });
    w.name("else").object(|w| {
        w.name("properties")
            .object(|w| w.name(subtype).object(|w| kind(w, "string", false)));
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
    fn new(engine: &Engine, variant: PaymentType) -> Self {
        if !is_error(engine, Code::Missing) {
            // No payment can be created without these, even if the policy accepts the body.
            let bits = [
                RequestField::PaymentType,
                RequestField::Cur,
                RequestField::Amount,
            ];
            return Self {
                bits: bits.iter().fold(0, |all, member| all | bit(member.slot())),
                subtype_by_mode: false,
            };
        }
        let by_policy = engine.ruleset.required;
        let bits = required(by_policy, Some(variant), Some(Mode::Crypto));
        let in_other_modes = required(by_policy, Some(variant), None);
        Needed {
            bits,
            subtype_by_mode: in_other_modes != bits,
        }
    }

    /// Returns whether a member is required in its object.
    fn has(self, slot: usize) -> bool {
        self.bits & bit(slot) != 0
    }

    /// Writes the members `required`, unless it would be empty, and `properties` of an object,
    /// without the fields that only the other variant has.
    fn write(
        self,
        engine: &Engine,
        w: &mut Writer<'_>,
        schema: &'static ObjectSchema,
        variant: PaymentType,
    ) {
        let fields = || {
            fields_of(schema)
                .filter(|(slot, _)| variant_of(*slot).is_none_or(|only| only == variant))
        };
        let mut needed = fields().filter(|(slot, _)| self.has(*slot)).peekable();
        if needed.peek().is_some() {
            w.name("required")
                .strings(needed.map(|(_, field)| field.name));
        }
        w.name("properties").object(|w| {
            for (slot, field) in fields() {
                let nullable = !self.has(slot);
                frame::write(
                    member(MEMBERS, field.pointer),
                    w.name(field.name),
                    &mut |gap, w| {
                        value(engine, w, gap, variant, nullable);
                    },
                );
            }
        });
    }
}

/// Returns the fields of an object with their slots.
fn fields_of(schema: &'static ObjectSchema) -> impl Iterator<Item = (usize, &'static Field)> {
    (schema.first..).zip(schema.fields)
}

/// Returns whether a request in the currency can be valid.
fn accepts(engine: &Engine, currency: Currency) -> bool {
    let listed = engine
        .policy()
        .currencies
        .as_ref()
        .is_none_or(|allowed| allowed.contains(&currency));
    let is_allowed = listed || !is_error(engine, Code::CurrencyNotAllowed);
    is_allowed && (currency.is_fiat() || !is_error(engine, Code::CurrencyNotFiat))
}

/// Writes the description of the body, with the limits on its size.
pub(super) fn size(engine: &Engine, w: &mut Writer<'_>) {
    let limits = &engine.policy().limits;
    w.name("description").plain(|out| {
        put(out, &["The payment to create. A body has at most "]);
        write_integer(limits.body_bytes, out);
        put(out, &[" bytes, and its objects and arrays nest at most "]);
        write_integer(limits.depth, out);
        put(
            out,
            &[" levels deep (D14). A repeated member is an error (D6)."],
        );
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn describes_every_field_in_order() {
        let pointers = RequestField::FIELDS.iter().map(|field| field.pointer);
        assert!(
            json::members(MEMBERS)
                .map(|(name, _)| name.raw())
                .eq(pointers)
        );
    }
}
