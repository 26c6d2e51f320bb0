//! Facts about text that several rules share: its length, digits only, and whether a glance finds nothing in it.
//!
//! Bytes are looked at sixteen at a time, or eight in a plain `u64`. The common answer is "nothing unusual among these";
//! only where something may be is it looked at alone.

mod look;

use wide::bytemuck::cast;
use wide::{i8x16, u8x16};

use crate::card::finder::MIN_TEXT_PAN_DIGITS;

pub(crate) use look::{Source, look};

/// 1 in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The text, checked as a whole: with the vector instructions of the processor where the feature `simd` is on.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, core::str::Utf8Error> {
    #[cfg(feature = "simd")]
    {
        let checked = simdutf8::basic::from_utf8(bytes);
        wipe_stack();
        if let Ok(text) = checked {
            return Ok(text);
        }
    }
    // Says where the fault is, too.
    core::str::from_utf8(bytes)
}

/// Wipes from the stack, below the caller, what simdutf8 copies there: the last bytes, which fill no block.
#[cfg(feature = "simd")]
#[inline(never)]
fn wipe_stack() {
    core::hint::black_box(&mut [0_u8; 128]);
}

/// How many Unicode scalar values the text has: the unit of `text_too_long`.
pub(crate) fn char_count(text: &str) -> usize {
    text.chars().count()
}

/// Whether the text has more than `limit` Unicode scalar values (`text_too_long`). Counts only where the number of
/// bytes leaves it open: a character has one to four of them.
pub(crate) fn longer_than(text: &str, limit: usize) -> bool {
    text.len() > limit && (text.len().div_ceil(4) > limit || char_count(text) > limit)
}

/// What a glance at a text could not rule out. It may doubt in vain, but it misses nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Doubts {
    /// It may hold a control character.
    pub(crate) control: bool,
    /// It may hold a card number.
    pub(crate) number: bool,
}

impl Doubts {
    /// Nothing is ruled out, not even that it is empty or too long.
    pub(crate) const ALL: Doubts = Doubts { control: true, number: true };
    const NONE: Doubts = Doubts { control: false, number: false };

    #[inline]
    pub(crate) fn any(self) -> bool {
        self != Doubts::NONE
    }
}

/// Rules out what it can, quickly, which for nearly every text is all. Leaves all open for one that is empty or has more than
/// 64 bytes or more than `limit`.
#[inline]
pub(crate) fn glance(text: &str, limit: usize) -> Doubts {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > limit.min(64) {
        return Doubts::ALL;
    }
    if bytes.len() < 8 {
        return Doubts { control: !bytes.iter().all(|byte| matches!(byte, b' '..=b'~')), number: false };
    }
    // Where every thirteenth byte is one of a letter, no thirteen in a row can be a card number.
    let letters = bytes.iter().skip(MIN_TEXT_PAN_DIGITS - 1).step_by(MIN_TEXT_PAN_DIGITS).all(|byte| *byte >= 0x40);
    Doubts { control: !all(bytes, printable) && may_have_control(bytes), number: !letters && has_run(bytes) }
}

/// Whether `test` gives all ones for every byte of a text of 8 or more. Some are looked at twice, which changes nothing.
#[inline(always)]
fn all(bytes: &[u8], test: impl Fn(u8x16) -> u8x16) -> bool {
    match bytes.last_chunk() {
        // The last bytes are read as a whole vector.
        Some(tail) => {
            let blocks = bytes.as_chunks().0.iter();
            blocks.fold(test(u8x16::new(*tail)), |all, block| all & test(u8x16::new(*block))).all()
        }
        None => both_ends(bytes).is_some_and(|ends| test(ends).all()),
    }
}

/// The first and the last eight bytes.
#[inline(always)]
fn both_ends(bytes: &[u8]) -> Option<u8x16> {
    let (first, last) = (u64::from_le_bytes(*bytes.first_chunk()?), u64::from_le_bytes(*bytes.last_chunk()?));
    Some(u8x16::new((u128::from(last) << 64 | u128::from(first)).to_le_bytes()))
}

/// All ones where a byte is printable ASCII.
#[inline(always)]
fn printable(bytes: u8x16) -> u8x16 {
    within::<b' ', b'~'>(bytes)
}

/// All ones where a byte is one from `FIRST` to `LAST`.
#[expect(clippy::arithmetic_side_effects, reason = "each byte of a vector wraps by itself, here on purpose")]
#[inline(always)]
pub(crate) fn within<const FIRST: u8, const LAST: u8>(bytes: u8x16) -> u8x16 {
    const { assert!(FIRST <= LAST && LAST - FIRST < u8::MAX, "no range, or one that every byte is in") };
    below_signed(bytes - u8x16::splat(FIRST ^ SIGN), (LAST - FIRST + 1) ^ SIGN)
}

/// What makes a number with a sign of a byte, in the same order.
pub(crate) const SIGN: u8 = 0x80;

/// All ones where a byte is below `end`, both taken for numbers with a sign. Whoever calls it puts [`SIGN`] into what it
/// compares anyhow: LLVM would turn `byte ^ SIGN` into a comparison without a sign, for which SSE has no instruction and
/// V8 spends four.
#[inline(always)]
pub(crate) fn below_signed(bytes: u8x16, end: u8) -> u8x16 {
    let bytes: i8x16 = cast(bytes);
    cast(bytes.simd_lt(i8x16::splat(end.cast_signed())))
}

/// All ones where a control character may begin; other characters begin so, too, but none in Cyrillic.
#[inline(always)]
fn may_begin_control(bytes: u8x16) -> u8x16 {
    // C2 and E2 differ in one bit.
    let lead = (bytes | u8x16::splat(0x20)).simd_eq(u8x16::splat(0xE2));
    within::<0, 0x1F>(bytes) | bytes.simd_eq(u8x16::splat(0x7F)) | lead
}

/// Whether a control character may begin anywhere in a text of 8 bytes or more.
#[inline(never)]
fn may_have_control(bytes: &[u8]) -> bool {
    !all(bytes, |bytes| !may_begin_control(bytes))
}

/// How far each step lengthens the runs that are left, from those of one byte to those of [`SHORTEST`].
const STEPS: [usize; 4] = [1, 2, 4, 5];
const _: () = assert!(1 + STEPS[0] + STEPS[1] + STEPS[2] + STEPS[3] == MIN_TEXT_PAN_DIGITS, "the steps lead elsewhere");

/// Whether thirteen bytes in a row of a text of 8 to 64 may belong to a card number.
#[inline(never)]
fn has_run(bytes: &[u8]) -> bool {
    let place = |before: usize| u32::try_from(bytes.len().wrapping_sub(before)).unwrap_or(0);
    let mut run = match bytes.last_chunk() {
        Some(tail) => numeric(u8x16::new(*tail)).wrapping_shl(place(16)),
        None => {
            let ends = both_ends(bytes).map_or(0, numeric);
            ends & 0xFF | (ends >> 8).wrapping_shl(place(8))
        }
    };
    for (block, place) in bytes.as_chunks().0.iter().zip([0, 16, 32, 48]) {
        run |= numeric(u8x16::new(*block)) << place;
    }
    for step in STEPS {
        run &= run >> step;
    }
    run != 0
}

/// One bit for each byte that is a digit, a blank or a hyphen; the dot and the slash count, too, for they lie between the
/// hyphen and the nine.
#[inline(always)]
fn numeric(bytes: u8x16) -> u64 {
    u64::from((within::<b'-', b'9'>(bytes) | bytes.simd_eq(u8x16::splat(b' '))).to_bitmask())
}

/// Whether these are ASCII digits, all of them. True for nothing at all.
#[inline]
pub(crate) fn all_digits(bytes: &[u8]) -> bool {
    let (words, tail) = bytes.as_chunks::<8>();
    let mut other = words.iter().fold(0, |all, word| all | not_digits(u64::from_le_bytes(*word)));
    match bytes.last_chunk::<8>() {
        Some(last) => other |= not_digits(u64::from_le_bytes(*last)),
        None => return tail.iter().all(u8::is_ascii_digit),
    }
    other == 0
}

/// Not zero if one of the eight bytes is no ASCII digit.
pub(crate) fn not_digits(word: u64) -> u64 {
    // A digit is 0x30 and its value: after the exclusive or only values up to 9 stay below 0x80 when 0x76 is added. A
    // carry into the next byte comes from a byte that counts already.
    let values = word ^ each(0x30);
    (values.wrapping_add(each(0x76)) | values) & TOPS
}

/// The byte, eight times.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// A top bit is set if one of the eight bytes is zero: that byte's own, and maybe those above it.
fn zero(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    #[test]
    fn length_is_counted_in_characters() {
        for (text, chars) in [("", 0), ("abc", 3), ("рубль", 5), ("€€", 2), ("\u{1F600}x", 2), ("e\u{301}", 2)]
        {
            assert_eq!(char_count(text), chars);
            assert!(!longer_than(text, chars), "{text}");
            if chars > 0 {
                assert!(longer_than(text, chars - 1), "{text}");
            }
            for count in [7, 63, 64, 65, 255, 256] {
                let long = text.repeat(count);
                assert!(!longer_than(&long, chars * count));
                assert_eq!(longer_than(&long, (chars * count).saturating_sub(1)), chars > 0);
            }
        }
    }

    /// A text of fillers with `piece` behind the first `start` of them and before so many others.
    fn around(filler: &str, start: usize, piece: &str, behind: usize) -> String {
        [&*filler.repeat(start), piece, &*filler.repeat(behind)].concat()
    }

    #[test]
    fn a_glance_sees_every_run_that_could_be_a_card_number() {
        for piece in ["1234567890123", "9 8 7 6 5 4 3", "0-0-0-0-0-0-0", "             "] {
            for fillers in 0..=64 - MIN_TEXT_PAN_DIGITS {
                for start in 0..=fillers {
                    let number = |piece: &str| glance(&around("x", start, piece, fillers - start), 64).number;
                    assert!(number(piece), "{piece} at {start} of {fillers}");
                    let shorter = piece.strip_prefix(|_: char| true).unwrap();
                    assert!(!number(shorter), "{shorter} at {start} of {fillers}");
                    for other in ["(", ",", "+", ":", "?", "@", "x", "\u{B}"] {
                        let (head, tail) = (piece.split_at(6).0, piece.split_at(7).1);
                        let parted = [head, other, tail].concat();
                        assert!(!number(&parted), "{parted} at {start} of {fillers}");
                    }
                }
            }
        }
        assert!(!glance("1234567890", 64).number);
        assert!(!glance("рубль 1234567890 рубль", 64).number);
    }

    #[test]
    fn a_glance_sees_every_control_character() {
        for filler in ["x", "~", " ", "я"] {
            for length in 1..=64 / filler.len() {
                let clean = filler.repeat(length);
                // A few letters that are not ASCII are left to those who look closely.
                assert_eq!(glance(&clean, 64).control, clean.len() < 8 && !clean.is_ascii(), "{clean}");
                for start in 0..length {
                    for control in
                        ["\0", "\n", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{2028}", "\u{202E}", "\u{2069}"]
                    {
                        let text = around(filler, start, control, length - start - 1);
                        assert!(
                            text.len() > 64 || glance(&text, 64).control,
                            "{control:?} at {start} of {length} {filler}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_glance_leaves_all_open_where_it_cannot_tell() {
        for (text, limit) in [("", 64), ("xxxxxxxxx", 8), (&*"x".repeat(65), 100)] {
            assert_eq!(glance(text, limit), Doubts::ALL, "{text}");
        }
        for (text, limit) in [("x", 1), ("xxxxxxxx", 8), (&*"x".repeat(64), 64), (&*"x".repeat(64), usize::MAX)] {
            assert!(!glance(text, limit).any(), "{text}");
        }
    }

    /// The bytes for which `test` gives all ones, seen in every lane.
    fn in_every_lane(test: impl Fn(u8x16) -> u8x16) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |byte| {
            let alone = test(u8x16::splat(*byte)).to_array();
            for lane in 0..16 {
                for neighbour in [0, b'5', 0x7F, 0x80, u8::MAX] {
                    let mut bytes = [neighbour; 16];
                    bytes[lane] = *byte;
                    assert_eq!(test(u8x16::new(bytes)).to_array()[lane], alone[lane], "{byte} among {neighbour}");
                }
            }
            assert!(alone == [0; 16] || alone == [u8::MAX; 16], "{byte}");
            alone != [0; 16]
        })
    }

    #[test]
    fn every_byte_is_within_a_range_or_not() {
        assert!(in_every_lane(within::<b' ', b'~'>).eq(b' '..=b'~'));
        assert!(in_every_lane(within::<0, 0x1F>).eq(0..=0x1F));
        assert!(in_every_lane(within::<b'-', b'9'>).eq(b'-'..=b'9'));
        assert!(in_every_lane(within::<b'a', b'z'>).eq(b'a'..=b'z'));
        assert!(in_every_lane(within::<0x7F, 0x80>).eq(0x7F..=0x80));
        assert!(in_every_lane(within::<1, 0xFF>).eq(1..=u8::MAX));
        assert!(in_every_lane(within::<0, 254>).eq(0..=254));
        assert!(in_every_lane(within::<0x80, 0x80>).eq(0x80..=0x80));
    }

    #[test]
    fn digits_only() {
        for length in 0..40 {
            let digits: String = "0918273645".chars().cycle().take(length).collect();
            assert!(all_digits(digits.as_bytes()), "{digits}");
            for at in 0..length {
                for bad in [b'/', b':', b'a', b' ', 0, 0x7F, 0x80, 0xB0, 0xB9, 0xFF] {
                    let mut bytes = digits.clone().into_bytes();
                    bytes[at] = bad;
                    assert!(!all_digits(&bytes), "{bad:#x} at {at} of {length}");
                }
            }
        }
    }
}
