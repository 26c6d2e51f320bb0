//! Validation in memory of the caller, for a WebAssembly module without an allocator.

use crate::card::Facts;
use crate::card::scheme::Scheme;
use crate::money::Currency;
use crate::report::record::{Record, Sink};
use crate::schema::request::RequestField;
use crate::validate::request::{RequestKind, RuleInputs, run};
use crate::validate::validator::Policy;

pub use crate::json::kind::{Member, Members, ValueKind};
pub use crate::policy::view::{PolicyView, RuleSettings};
pub use crate::report::code::Code;
pub use crate::util::text::Text;

/// The number of fields of a request.
pub const FIELDS: usize = RequestField::COUNT;

/// The index of the body in a violation that has no field.
pub const BODY: usize = Record::BODY;

/// Runs the rules on the members of a body, and passes their violations to `push`: the index of the
/// rule, the index of the field, and two parameters. It returns 0 unless the violation ends the
/// rules of the member. `month` is the number of the current month in the last time zone, or 0.
///
/// Returns the variant and the mode as index plus one, from bit 2 on, and `host2host` in bit 4.
#[expect(clippy::as_conversions, reason = "the discriminants are the indexes")]
pub fn validate<'b, L: Members>(
    policy: Policy<'b, L>,
    members: L,
    month: u64,
    push: impl FnMut(usize, usize, usize, usize) -> u32,
) -> u32 {
    let kind = RequestKind::of(members);
    run(
        policy,
        members,
        kind,
        RuleInputs {
            month,
            merchants: None,
        },
        PageSink(push),
    );
    let index = |index: Option<u32>| index.map_or(0, |index| index.wrapping_add(1));
    let (variant, mode) = (
        index(kind.variant.map(|one| one as u32)),
        index(kind.mode.map(|one| one as u32)),
    );
    variant | mode << 2 | u32::from(kind.host2host) << 4
}

/// Returns the number of fraction digits of a currency plus one, 9 for a code of ISO 4217 that is
/// not a currency, or 0.
pub fn currency(code: impl Text) -> u32 {
    let currency = Currency::from_text(code);
    currency.map_or(0, |currency| {
        currency
            .minor_unit()
            .map_or(9, |digits| digits.wrapping_add(1))
    })
}

struct PageSink<P>(P);

impl<P: FnMut(usize, usize, usize, usize) -> u32> Sink for PageSink<P> {
    fn is_observable(&self, _: Code) -> bool {
        true
    }

    fn push(&mut self, Record { code, slot, x, y }: Record) -> bool {
        (self.0)(code.index(), slot, x, y) != 0
    }
}

/// Returns the facts about a card number as bits: the scheme's index or 15, from bit 4 on the
/// lengths from 12 to 19, from bit 12 on whether the number is possible, and whether it is valid.
#[expect(clippy::as_conversions, reason = "the discriminants are the indexes")]
pub fn card_info(digits: impl Text) -> u32 {
    let Facts {
        scheme,
        possible,
        valid,
        ..
    } = Facts::of(digits);
    let lengths = scheme.map_or(u8::MAX, Scheme::length_bits);
    let scheme = scheme.map_or(15, |scheme| scheme as u32);
    scheme | u32::from(lengths) << 4 | u32::from(possible) << 12 | u32::from(valid) << 13
}
