//! The exports for `payspec/checkout`: one call validates a body that JavaScript has written into the memory.
//!
//! JavaScript writes the settings and the body, keeps free memory after the body, as [`read`] needs it, and clears everything that it
//! wrote or left free after each call.

use crate::reader::{ModuleText, Slots, read};
use payspec::page::{BODY, Code, PolicyView, RuleSettings, validate};

#[link(wasm_import_module = "p")]
unsafe extern "C" {
    /// Receives a violation: the index of the rule, the field, and two parameters. Returns 0 unless the violation ends the
    /// rules of the member.
    safe fn v(code: usize, slot: usize, x: usize, y: usize) -> u32;
    /// Receives an unknown member: the index of its object, and the start and the end of its name in the body.
    safe fn u(object: u32, start: usize, end: usize);
}

/// The settings of a policy, and the lists of texts after it.
#[repr(C)]
struct PagePolicy {
    numbers: RuleSettings,
    /// The length of the names of the fields.
    names: usize,
    /// The length of the accepted currencies, or the greatest number if all are accepted.
    currencies: usize,
    schemes: usize,
    bounds: usize,
}

/// Validates a body of `len` bytes after the policy and its lists. Returns the variant and the mode as index plus one,
/// from bit 2 on, and `host2host` in bit 4. `month` is the current month in the last time zone, or 0.
///
/// # Safety
/// `policy` is the address of a [`PagePolicy`], its lists, the body, and free memory.
#[unsafe(no_mangle)]
unsafe extern "C" fn validate_request(policy: &PagePolicy, len: usize, month: u32) -> u32 {
    let mut end = core::ptr::from_ref(policy).expose_provenance() + size_of::<PagePolicy>();
    let mut next = |len: usize| {
        end += len;
        text(end - len, len)
    };
    let names = next(policy.names);
    let rules = PolicyView {
        settings: &policy.numbers,
        currencies: (policy.currencies != usize::MAX).then(|| next(policy.currencies)),
        schemes: next(policy.schemes),
        bounds: next(policy.bounds),
    };
    let body = next(len);
    let (bytes, depth) = (policy.numbers.body_bytes, policy.numbers.depth);
    let unread = if len > bytes {
        Some((Code::BodyTooLarge, bytes))
    } else {
        read(body, names, depth, |object, start, end| u(object, start, end))
    };
    let Some((code, x)) = unread else {
        return validate(rules, Slots, month.into(), |code, slot, x, y| v(code, slot, x, y));
    };
    v(code as usize, BODY, x, 0);
    0
}

fn text(start: usize, len: usize) -> ModuleText {
    ModuleText { start, end: start + len }
}

/// Returns the facts about a card number of `len` bytes as bits.
///
/// # Safety
/// `digits` is the address of a text.
#[unsafe(no_mangle)]
unsafe extern "C" fn card_info(digits: usize, len: usize) -> u32 {
    payspec::page::card_info(text(digits, len))
}

/// Returns the number of fraction digits of a currency plus one, 9 for a code of ISO 4217 that is not a currency, or 0.
///
/// # Safety
/// `code` is the address of a text of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn currency(code: usize, len: usize) -> u32 {
    payspec::page::currency(text(code, len))
}
