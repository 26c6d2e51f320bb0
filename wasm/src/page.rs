//! The exports for `payspec/checkout`: one call validates a body that JavaScript has written into the memory.
//!
//! JavaScript writes the settings and the body, keeps `Room::of` bytes free after the body, and clears everything that it
//! wrote or left free after each call.

use core::slice::from_raw_parts_mut;

use payspec::page::{
    Memory, PolicyView, RuleSettings, UnknownMember, Violation, is_currency_code, mask_long_runs_in_place, minor_unit,
    unused_member, validate,
};

#[link(wasm_import_module = "p")]
unsafe extern "C" {
    /// Receives a violation: the index of the rule, the field, two parameters, and the name of an unknown member.
    fn v(code: u32, slot: usize, x: usize, y: usize, name: *const u8, name_len: usize);
}

/// The settings of a policy, and the lists of texts after it.
#[repr(C)]
struct PagePolicy {
    numbers: RuleSettings,
    /// The length of the accepted currencies, or the greatest number if all are accepted.
    currencies: usize,
    schemes: usize,
    bounds: usize,
}

/// Divides free memory.
struct Room(usize);

impl Room {
    /// Takes `count` items, each of which becomes `value`.
    ///
    /// # Safety
    /// The memory is free, and no other reference to it exists.
    unsafe fn take<'m, T: Copy>(&mut self, count: usize, value: T) -> &'m mut [T] {
        let at = self.0.next_multiple_of(align_of::<T>());
        self.0 = at + count * size_of::<T>();
        let first = core::ptr::with_exposed_provenance_mut::<T>(at);
        for index in 0..count {
            // SAFETY: the caller guarantees that the memory is free.
            unsafe { first.add(index).write(value) };
        }
        // SAFETY: all items were written, and nothing else refers to them.
        unsafe { from_raw_parts_mut(first, count) }
    }
}

/// Validates a body of `len` bytes after the policy and its lists. Returns the variant and the mode as index plus one,
/// from bit 2 on, and `host2host` in bit 4. `month` is the current month in the last time zone, or 0.
///
/// # Safety
/// `policy` is the address of a [`PagePolicy`], its lists, the body, and free memory.
#[unsafe(no_mangle)]
unsafe extern "C" fn validate_request(policy: &PagePolicy, len: usize, month: u32) -> u32 {
    let mut at = core::ptr::from_ref(policy).expose_provenance() + size_of::<PagePolicy>();
    let mut bytes = |len: usize| {
        let start = core::ptr::with_exposed_provenance::<u8>(at);
        at += len;
        // SAFETY: JavaScript has written these bytes.
        unsafe { core::slice::from_raw_parts(start, len) }
    };
    let view = PolicyView {
        settings: &policy.numbers,
        currencies: (policy.currencies != usize::MAX).then(|| bytes(policy.currencies)),
        schemes: bytes(policy.schemes),
        bounds: bytes(policy.bounds),
    };
    let body = bytes(len);
    let mut room = Room(at);
    let members = len / 5 + 1;
    // SAFETY: JavaScript keeps memory free after the body, and each part of it is taken once.
    let memory = unsafe {
        Memory {
            unknown: room.take::<UnknownMember<'_>>(members, unused_member()),
            numbers: room.take(2 * members, 0_u64),
            words: room.take(len / 64 + 1, 0_u64),
            characters: room.take(len + 4, 0_u8),
            name: room.take(len + 4, 0_u8),
        }
    };
    let summary = validate(view, body, (month != 0).then_some(month.into()), memory, |violation: Violation<'_>| {
        let name = violation.name.unwrap_or_default();
        let at = if violation.name.is_some() { name.as_ptr() } else { core::ptr::null() };
        // SAFETY: the function only reads the name.
        unsafe { v(violation.code.into(), violation.slot, violation.x, violation.y, at, name.len()) };
    });
    let index = |index: Option<u8>| index.map_or(0, |index| u32::from(index) + 1);
    index(summary.variant) | index(summary.mode) << 2 | u32::from(summary.host2host) << 4
}

/// Returns the facts about a card number of `len` bytes as bits, and replaces the digits by the mask, whose length is in
/// the upper bits.
///
/// # Safety
/// `digits` is the address of a text with at least 19 bytes of memory.
#[unsafe(no_mangle)]
unsafe extern "C" fn card_info(digits: *mut u8, len: usize) -> u32 {
    // SAFETY: JavaScript has written this text.
    let text = unsafe { core::slice::from_raw_parts(digits, len) };
    // JavaScript passes text as UTF-8.
    let info = payspec::page::card_info(core::str::from_utf8(text).unwrap_or_default());
    let masked = info.masked.as_str().as_bytes();
    // SAFETY: JavaScript keeps memory for the mask, and `text` is not used any more.
    unsafe { from_raw_parts_mut(digits, masked.len()) }.copy_from_slice(masked);
    u32::try_from(masked.len()).unwrap_or(0) << 16 | info.bits()
}

/// Masks long runs of digits in a text of `len` bytes, which is a part of an error.
///
/// # Safety
/// `text` is the address of a text.
#[unsafe(no_mangle)]
unsafe extern "C" fn mask(text: *mut u8, len: usize) {
    // SAFETY: JavaScript has written this text.
    mask_long_runs_in_place(unsafe { from_raw_parts_mut(text, len) });
}

/// Returns the number of fraction digits of a currency plus one, 9 for a code of ISO 4217 that is not a currency, or 0.
///
/// # Safety
/// `code` is the address of three letters.
#[unsafe(no_mangle)]
unsafe extern "C" fn currency(code: &[u8; 3]) -> u32 {
    let code = core::str::from_utf8(code).unwrap_or_default();
    minor_unit(code).map_or(if is_currency_code(code) { 9 } else { 0 }, |digits| digits + 1)
}
