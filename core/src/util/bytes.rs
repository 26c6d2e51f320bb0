//! Checks of text that several rules share: length, digits only, and a prefilter for control characters and card
//! numbers.
//!
//! Bytes are tested sixteen at a time, or eight in a plain `u64`. Most blocks contain nothing unusual, so single bytes
//! are tested only in the others.

mod look;

use wide::bytemuck::cast;
use wide::{i8x16, u8x16};

pub(crate) use look::{Source, look};

/// The number of consecutive digits and separators that the prefilter finds.
pub(crate) const RUN: usize = 13;
/// The value 1 in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Returns the bytes as text after one UTF-8 check. With the feature `simd`, the check uses vector instructions.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, core::str::Utf8Error> {
    #[cfg(feature = "simd")]
    {
        let checked = simdutf8::basic::from_utf8(bytes);
        wipe_stack();
        if let Ok(text) = checked {
            return Ok(text);
        }
    }
    // Unlike simdutf8, this error contains the position.
    core::str::from_utf8(bytes)
}

/// Wipes the stack below the caller, to which simdutf8 copies the last bytes that do not fill a block.
#[cfg(feature = "simd")]
#[inline(never)]
fn wipe_stack() {
    core::hint::black_box(&mut [0_u8; 128]);
}

/// Returns the number of Unicode scalar values, the unit of `text_too_long`.
pub(crate) fn char_count(text: &str) -> usize {
    text.chars().count()
}

/// Checks if the text has more than `limit` Unicode scalar values (`text_too_long`). Each has one to four bytes, so it
/// counts only if the number of bytes does not decide.
pub(crate) fn longer_than(text: &str, limit: usize) -> bool {
    text.len() > limit && (text.len().div_ceil(4) > limit || char_count(text) > limit)
}

/// The result of the prefilter. It may report too many candidates, but it misses none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Doubts {
    /// Set if the text may contain a control character.
    pub(crate) control: bool,
    /// Set if the text may contain a card number.
    pub(crate) number: bool,
}

impl Doubts {
    /// Both are possible, and the text may be empty or too long.
    pub(crate) const ALL: Doubts = Doubts { control: true, number: true };
    const NONE: Doubts = Doubts { control: false, number: false };

    #[inline]
    pub(crate) fn any(self) -> bool {
        self != Doubts::NONE
    }
}

/// Runs the prefilter on a text. Returns [`Doubts::ALL`] if the text is empty or longer than 64 bytes or `limit`
/// bytes.
#[inline]
pub(crate) fn glance(text: &str, limit: usize) -> Doubts {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > limit.min(64) {
        return Doubts::ALL;
    }
    if bytes.len() < 8 {
        return Doubts { control: !bytes.iter().all(|byte| matches!(byte, b' '..=b'~')), number: false };
    }
    // If every thirteenth byte is 0x40 or above, the text has no thirteen consecutive bytes of a card number.
    let letters = bytes.iter().skip(RUN - 1).step_by(RUN).all(|byte| *byte >= 0x40);
    Doubts { control: !all(bytes, printable) && may_have_control(bytes), number: !letters && has_run(bytes) }
}

/// Checks if `test` returns all ones for every byte of a text of 8 or more bytes. Some bytes are tested twice, which
/// does not change the result.
#[inline(always)]
fn all(bytes: &[u8], test: impl Fn(u8x16) -> u8x16) -> bool {
    match bytes.last_chunk() {
        // The last bytes are read as a full vector, which overlaps the one before.
        Some(tail) => {
            let blocks = bytes.as_chunks().0.iter();
            blocks.fold(test(u8x16::new(*tail)), |all, block| all & test(u8x16::new(*block))).all()
        }
        None => both_ends(bytes).is_some_and(|ends| test(ends).all()),
    }
}

/// Returns the first and the last eight bytes.
#[inline(always)]
fn both_ends(bytes: &[u8]) -> Option<u8x16> {
    let (first, last) = (u64::from_le_bytes(*bytes.first_chunk()?), u64::from_le_bytes(*bytes.last_chunk()?));
    Some(u8x16::new((u128::from(last) << 64 | u128::from(first)).to_le_bytes()))
}

/// Returns all ones for each byte that is printable ASCII.
#[inline(always)]
fn printable(bytes: u8x16) -> u8x16 {
    within::<b' ', b'~'>(bytes)
}

/// Returns all ones for each byte from `FIRST` to `LAST`.
#[expect(clippy::arithmetic_side_effects, reason = "each byte of a vector wraps by itself, here on purpose")]
#[inline(always)]
pub(crate) fn within<const FIRST: u8, const LAST: u8>(bytes: u8x16) -> u8x16 {
    const { assert!(FIRST <= LAST && LAST - FIRST < u8::MAX, "no range, or one that every byte is in") };
    below_signed(bytes - u8x16::splat(FIRST ^ SIGN), (LAST - FIRST + 1) ^ SIGN)
}

/// Maps unsigned bytes to signed bytes in the same order (exclusive or).
pub(crate) const SIGN: u8 = 0x80;

/// Returns all ones for each byte that is less than `end`, both compared as signed bytes.
///
/// The caller applies [`SIGN`] to the operands. LLVM would turn `byte ^ SIGN` into an unsigned comparison, for which
/// SSE has no instruction and V8 needs four.
#[inline(always)]
pub(crate) fn below_signed(bytes: u8x16, end: u8) -> u8x16 {
    let bytes: i8x16 = cast(bytes);
    cast(bytes.simd_lt(i8x16::splat(end.cast_signed())))
}

/// Returns all ones for each byte that may begin a control character. Other characters begin with these bytes too, but
/// none in Cyrillic.
#[inline(always)]
fn may_begin_control(bytes: u8x16) -> u8x16 {
    // C2 and E2 differ in one bit.
    let lead = (bytes | u8x16::splat(0x20)).simd_eq(u8x16::splat(0xE2));
    within::<0, 0x1F>(bytes) | bytes.simd_eq(u8x16::splat(0x7F)) | lead
}

/// Checks if a control character may begin anywhere in a text of 8 or more bytes.
#[inline(never)]
fn may_have_control(bytes: &[u8]) -> bool {
    !all(bytes, |bytes| !may_begin_control(bytes))
}

/// How much each step adds to the length of the runs, from 1 byte to [`RUN`].
const STEPS: [usize; 4] = [1, 2, 4, 5];
const _: () = assert!(1 + STEPS[0] + STEPS[1] + STEPS[2] + STEPS[3] == RUN, "the steps lead elsewhere");

/// Checks if thirteen consecutive bytes of a text of 8 to 64 bytes may belong to a card number.
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

/// Returns one bit for each byte that is a digit, a space or a hyphen. The dot and the slash count too, because they
/// lie between the hyphen and the nine.
#[inline(always)]
fn numeric(bytes: u8x16) -> u64 {
    u64::from((within::<b'-', b'9'>(bytes) | bytes.simd_eq(u8x16::splat(b' '))).to_bitmask())
}

/// Checks if all bytes are ASCII digits. Returns true for an empty slice.
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

/// Returns a value other than zero if one of the eight bytes is not an ASCII digit.
fn not_digits(word: u64) -> u64 {
    // A digit is 0x30 plus its value. After the exclusive or, only values up to 9 stay below 0x80 when 0x76 is added.
    // A carry into the next byte comes from a byte that already counts.
    let values = word ^ each(0x30);
    (values.wrapping_add(each(0x76)) | values) & TOPS
}

/// Returns a word with the byte in all eight positions.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Returns a word with the top bit set for each zero byte, and possibly for bytes above one.
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

    /// Returns a text with `piece` between `start` and `behind` repetitions of the filler.
    fn around(filler: &str, start: usize, piece: &str, behind: usize) -> String {
        [&*filler.repeat(start), piece, &*filler.repeat(behind)].concat()
    }

    #[test]
    fn a_glance_sees_every_run_that_could_be_a_card_number() {
        for piece in ["1234567890123", "9 8 7 6 5 4 3", "0-0-0-0-0-0-0", "             "] {
            for fillers in 0..=64 - RUN {
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
                // The prefilter reports texts of fewer than 8 bytes that are not ASCII.
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

    /// Returns the bytes for which `test` returns all ones, tested in every lane.
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
