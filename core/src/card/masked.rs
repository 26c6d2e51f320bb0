//! Texts with masked card numbers.

use super::finder::find_pan;
use super::mask::{RunFilter, long_run, mask_pan, mask_run};
use super::scheme::{MAX_PAN_DIGITS, MIN_PAN_DIGITS};
use crate::util::bug::or_bug;
use crate::util::inline_vec::InlineVec;

/// A text with masked card numbers. It is on the stack, unless it is longer than nearly all texts.
pub(crate) struct Masked(InlineVec<u8, 1024>);

impl Masked {
    pub(crate) fn as_str(&self) -> &str {
        // Still valid UTF-8, because only ASCII was replaced by ASCII.
        or_bug(core::str::from_utf8(&self.0).ok(), "")
    }
}

/// Masks every run of twelve or more digits, with single spaces or hyphens allowed between them,
/// for any scheme and check digit. Returns `None` if there is nothing to mask.
///
/// It is for texts in which a missed card number is worse than a masked other number, such as the
/// name of an unknown member.
pub(crate) fn mask_long_runs(text: &str) -> Option<Masked> {
    mask(text, Some(&|_| true), false)
}

/// Masks the long runs of digits that `counts` accepts and, if `numbers` is set, the card numbers.
/// Returns `None` if there is nothing to mask.
///
/// Only the middle digits become stars. Masking the result again in the same way changes nothing.
///
/// If numbers overlap, the middle of each is masked, because any of them may be the card number. If
/// only the first one were masked, a digit before a number could uncover it.
pub(super) fn mask(text: &str, counts: Option<RunFilter<'_>>, numbers: bool) -> Option<Masked> {
    let bytes = text.as_bytes();
    let next_run = |from| counts.and_then(|counts| long_run(bytes, from, MIN_PAN_DIGITS, counts));
    let (mut run, mut number) = (next_run(0), if numbers { find_pan(bytes, 0) } else { None });
    if run.is_none() && number.is_none() {
        return None;
    }
    // The digits are masked before the buffer is moved, because a move leaves a copy of the bytes
    // in memory.
    let mut out = InlineVec::new();
    out.extend_from_slice(bytes);
    while let Some((range, digits)) = run {
        mask_run(&mut out, &range, digits);
        run = next_run(range.end);
    }
    while let Some(range) = number {
        mask_pan(&mut out, &range);
        number = find_pan(bytes, range.start.saturating_add(1));
    }
    // Stars separate groups and can so create new card numbers, so the search repeats until it
    // finds none. Each round masks digits, and goes back at most as far as a number can reach.
    let mut from = 0;
    while numbers && let Some(range) = find_pan(&*out, from) {
        mask_pan(&mut out, &range);
        from = range.start.saturating_sub(2 * MAX_PAN_DIGITS);
    }
    Some(Masked(out))
}
