//! The exports for `payspec/checkout`: one call validates a body that JavaScript has written into
//! the memory.
//!
//! JavaScript writes the settings and the body, keeps memory free after the body, as many bytes and
//! 64 more, and clears everything that it wrote or left free after each call.

// Other members of the workspace set features of the core without which this crate compiles.
#![cfg(target_family = "wasm")]
#![no_std]

mod allocator;
mod reader;

use crate::reader::{ModuleText, Slots, read};
use payspec::page::{BODY, Code, PolicyView, RuleSettings, validate};

/// The address of the policy, where JavaScript begins to write. The stack and the data of the
/// module end before it.
const POLICY: usize = 8192;

#[link(wasm_import_module = "p")]
unsafe extern "C" {
    /// Receives a violation: the index of the rule, the field, and two parameters. Returns 0 unless
    /// the violation ends the rules of the member. [`UNKNOWN`] is an unknown member: the index of
    /// its object, and the start and the end of its name in the body.
    safe fn v(code: usize, slot: usize, x: usize, y: usize) -> u32;
}

/// The code of an unknown member, which is not the index of a rule.
const UNKNOWN: usize = 64;
const _: () = assert!(payspec::RULES.len() <= UNKNOWN);

/// The settings of a policy.
#[repr(C)]
struct PagePolicy {
    numbers: RuleSettings,
    /// The names of the fields.
    names: ModuleText,
    /// The accepted currencies, or a text at 0 if all are accepted.
    currencies: ModuleText,
    schemes: ModuleText,
    bounds: ModuleText,
}

/// Validates the body between two addresses. Returns the variant and the mode as index plus one,
/// from bit 2 on, and `host2host` in bit 4. `month` is the current month in the last time zone, or
/// 0.
#[unsafe(export_name = "v")]
extern "C" fn validate_request(start: usize, end: usize, month: u32) -> u32 {
    // SAFETY: JavaScript has written the policy, with the addresses of its texts, before the body.
    let policy = unsafe { &*core::ptr::with_exposed_provenance::<PagePolicy>(POLICY) };
    let PagePolicy {
        numbers,
        currencies,
        schemes,
        bounds,
        ..
    } = policy;
    let currencies = (currencies.start != 0).then_some(*currencies);
    let rules = PolicyView {
        settings: numbers,
        currencies,
        schemes: *schemes,
        bounds: *bounds,
    };
    let unread = if end - start > numbers.body_bytes {
        Some((Code::BodyTooLarge, numbers.body_bytes))
    } else {
        read(
            ModuleText { start, end },
            policy.names,
            numbers.depth,
            |object, start, end| _ = v(UNKNOWN, object as usize, start, end),
        )
    };
    let Some((code, x)) = unread else {
        return validate(rules, Slots, month.into(), |code, slot, x, y| {
            v(code, slot, x, y)
        });
    };
    v(code as usize, BODY, x, 0);
    0
}

/// Returns the facts about a card number between two addresses as bits.
#[unsafe(export_name = "i")]
extern "C" fn card_info(start: usize, end: usize) -> u32 {
    payspec::page::card_info(ModuleText { start, end })
}

/// Returns the number of fraction digits of a currency plus one, 9 for a code of ISO 4217 that is
/// not a currency, or 0.
#[unsafe(export_name = "c")]
extern "C" fn currency(start: usize, end: usize) -> u32 {
    payspec::page::currency(ModuleText { start, end })
}

/// Required in a module that does not link std.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
