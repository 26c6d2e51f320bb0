//! Validation in memory of the caller, for a WebAssembly module without an allocator.

use crate::card::scheme::{GROUPING, MIN_PAN_DIGITS, Scheme};
use crate::json::{FieldPresence, JsonStr, Slice, UnknownMembers, Value};
use crate::money::Currency;
use crate::report::code::Severity;
use crate::report::record::{Record, Sink};
use crate::schema::MOST_SLOTS;
use crate::schema::request::REQUEST;
use crate::types::payment_type::{Mode, PaymentType};
use crate::validate::body::read_body;
use crate::validate::request::{RequestKind, RuleInputs, run};
use crate::validate::validator::Slots;

pub use crate::card::mask::mask_long_runs_in_place;
pub use crate::card::{CardInfo, card_info};
pub use crate::json::UnknownMember;
pub use crate::policy::{PolicyView, RuleSettings};

/// Memory for a body of `n` bytes.
#[derive(Debug)]
pub struct Memory<'a, 'm> {
    /// `n / 5 + 1` entries, from [`unused_member`].
    pub unknown: &'a mut [UnknownMember<'a>],
    /// Two zeros for each entry of `unknown`.
    pub numbers: &'m mut [u64],
    /// `n / 64 + 1` words.
    pub words: &'m mut [u64],
    /// `n + 4` bytes.
    pub characters: &'m mut [u8],
    /// `n + 4` bytes.
    pub name: &'m mut [u8],
}

/// A violation.
#[derive(Debug)]
pub struct Violation<'n> {
    /// The index of the rule.
    pub code: u8,
    /// The index of the field, or 255 for the body. For an unknown member, it is the first field of its object.
    pub slot: usize,
    /// The name of an unknown member, with card numbers masked.
    pub name: Option<&'n [u8]>,
    /// The first parameter.
    pub x: usize,
    /// The second parameter.
    pub y: usize,
}

/// The values of a body that a report repeats: the indexes of variant and mode, if they are known, and `host2host`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// The index of the variant.
    pub variant: Option<u8>,
    /// The index of the mode.
    pub mode: Option<u8>,
    /// Whether the body is in host-to-host mode.
    pub host2host: bool,
}

/// Returns an unused entry for [`Memory::unknown`].
pub fn unused_member() -> UnknownMember<'static> {
    UnknownMember { schema: &REQUEST, name: JsonStr::new("", false) }
}

/// Validates a body and passes its violations to `push`, except those of rules that the policy disables. `month` is the
/// number of the current month in the last time zone.
#[expect(clippy::as_conversions, reason = "the discriminants are the indexes")]
pub fn validate<'a>(
    policy: PolicyView<'_>,
    body: &'a [u8],
    month: Option<u64>,
    memory: Memory<'a, '_>,
    push: impl FnMut(Violation<'_>),
) -> Summary {
    let presence = FieldPresence { given: 0, duplicates: 0, unknown: UnknownMembers::new(memory.unknown) };
    let mut slots = Slots { values: [Value::Absent; MOST_SLOTS], presence };
    let mut scratch = Slice { words: memory.words, used: 0, numbers: memory.numbers, characters: memory.characters };
    let mut sink = PageSink { name: memory.name, push };
    if read_body(policy.settings, body, &REQUEST, &mut slots, &mut sink, &mut scratch).is_none() {
        return Summary::default();
    }
    let kind = RequestKind::of(&slots, &mut scratch);
    run(policy, &slots, kind, RuleInputs { month, allows_merchant: None }, sink, &mut scratch);
    Summary {
        variant: kind.variant.map(|variant: PaymentType| variant as u8),
        mode: kind.mode.map(|mode: Mode| mode as u8),
        host2host: kind.host2host,
    }
}

/// Returns the minor unit of a currency, or `None` if the code is not one.
pub fn minor_unit(code: &str) -> Option<u32> {
    Currency::from_code(code)?.minor_unit()
}

/// Returns whether the text is an active code of ISO 4217.
pub fn is_currency_code(code: &str) -> bool {
    Currency::from_code(code).is_some()
}

struct PageSink<'m, P> {
    name: &'m mut [u8],
    push: P,
}

impl<'a, P: FnMut(Violation<'_>)> Sink<'a> for PageSink<'_, P> {
    fn is_observable(&self, severity: Severity) -> bool {
        severity != Severity::Off
    }

    fn push(&mut self, _: Severity, record: Record, unknown: Option<&UnknownMember<'a>>) {
        let Record { code, slot, x, y } = record;
        let name = unknown.map(|unknown| {
            let name = unknown.name.copied_into(self.name);
            mask_long_runs_in_place(name);
            &*name
        });
        (self.push)(Violation { code: code.number(), slot, name, x, y });
    }
}

impl CardInfo {
    /// Returns everything except the mask as bits: the scheme's index or 15, from bit 4 on the lengths from 12 to 19, from
    /// bit 12 on whether the groups are short, the number is possible, and it is valid.
    #[expect(clippy::as_conversions, reason = "the discriminants are the indexes")]
    pub fn bits(&self) -> u32 {
        let scheme = self.scheme.map_or(15, |scheme: Scheme| scheme as u32);
        let length = |length: &u8| 1_u32.wrapping_shl(u32::from(*length).wrapping_sub(MIN_PAN_DIGITS as u32));
        let lengths = self.lengths.iter().fold(0, |bits, one| bits | length(one));
        let flags = [self.grouping != GROUPING, self.possible, self.valid];
        flags.iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(*flag)) << 12 | lengths << 4 | scheme
    }
}
