//! The JSON text of an object of JavaScript, from its tape. Both modules use this file.
//!
//! JavaScript walks an object once, and records its structure, a byte for each token, and its texts,
//! one after the other. Names of the interface are one byte each. So all texts of an object are
//! encoded in one call, and the module writes names, punctuation, and escapes.
//!
//! Most parts of the text are short, and a copy of a length that is not constant is a call out of
//! WebAssembly, which takes as long as 20 bytes. So names are copied as 32 bytes, of which the next
//! part overwrites the end, and texts as chunks of 16 bytes.

use alloc::vec::Vec;
use core::mem;

use wide::u8x16;

/// The tokens, with the numbers of `js/object_tape.js`. A number, a text, and a name are followed by
/// their length in code units of UTF-16.
const OPEN_OBJECT: u8 = 0;
const CLOSE_OBJECT: u8 = 1;
const OPEN_ARRAY: u8 = 2;
const CLOSE_ARRAY: u8 = 3;
const NULL: u8 = 4;
const FALSE: u8 = 5;
const TRUE: u8 = 6;
const NUMBER: u8 = 7;
const TEXT: u8 = 8;
const NAME: u8 = 9;
/// The number of the first one of [`NAMES`].
const KNOWN: u8 = 32;
/// The byte before a length of four bytes.
const LONG: u8 = 255;

/// The size of a name in quotes, with a colon and padding.
const PADDED: usize = 32;
/// The size of the parts of a text.
const CHUNK: usize = 16;

macro_rules! names {
    ($($name:literal)*) => {
        /// The names of a creation request (§2.2) in the order of the specification. JavaScript
        /// receives them from here. A name that is not listed is only slower.
        pub(crate) const NAMES: &[&str] = &[$($name),*];

        /// The names in quotes, with a colon and padding.
        static QUOTED: &[&str] = &[$(concat!("\"", $name, "\":                             ")),*];
    };
}

names! {
    "payment_type" "mode" "cur" "amount" "subtype" "merchant_id" "user_id" "user_name" "callback"
    "redirect_url" "bank_name" "host2host" "description" "time_to_complete_payment"
    "pay_out_details" "full_name" "card_number" "phone_number" "pay_in_details" "card" "card_holder"
    "expiry_year" "expiry_month" "security_code"
}

/// Replaces a tape at `offset` of the input, its texts and then its tokens, by the JSON text, and
/// returns its length. Returns `None`, and clears the tape, if memory is exhausted, or if the texts
/// cannot be separated: half a surrogate pair ends one, and the other half begins the next.
///
/// The text is first written into `scratch`, which is cleared: it may contain a card number.
pub(crate) fn replace(
    input: &mut Vec<u8>,
    offset: usize,
    [texts, tokens]: [usize; 2],
    is_ascii: bool,
    scratch: &mut Vec<u8>,
) -> Option<usize> {
    let end = offset.checked_add(texts)?.checked_add(tokens)?;
    let used = input.get_mut(offset..end)?;
    let rest = used.get(texts..)?;
    // Texts with many escapes are up to six times as long as without.
    let written = [2, 6].into_iter().find_map(|factor| {
        let room = texts.saturating_mul(factor);
        let room = room.saturating_add(rest.len().saturating_mul(PADDED));
        grow(scratch, room.saturating_add(PADDED))?;
        write_json(used, rest, is_ascii, scratch)
    });
    used.fill(0);
    let json = scratch.get_mut(..written?)?;
    let end = offset.checked_add(json.len())?;
    let result = grow(input, end).and_then(|()| input.get_mut(offset..end));
    let result = result.map(|place| place.copy_from_slice(json));
    json.fill(0);
    result.map(|()| json.len())
}

/// Makes a buffer at least as long as `len`.
fn grow(buffer: &mut Vec<u8>, len: usize) -> Option<()> {
    if let Some(more) = len.checked_sub(buffer.len()) {
        buffer.try_reserve(more).ok()?;
        buffer.resize(buffer.capacity(), 0);
    }
    Some(())
}

/// The part of the output that is not written yet.
type Out<'o> = &'o mut [u8];

/// Writes the JSON text of a tape, and returns its length. The texts may be followed by other bytes,
/// so that the last ones are in a whole chunk.
fn write_json(
    mut texts: &[u8],
    mut tokens: &[u8],
    is_ascii: bool,
    scratch: &mut [u8],
) -> Option<usize> {
    let room = scratch.len();
    let mut out: Out<'_> = scratch;
    let mut is_first = true;
    while let Some((token, rest)) = tokens.split_first() {
        tokens = rest;
        // A comma comes before every name and value, unless it is the first one of its object, array,
        // or member.
        if !is_first && !matches!(*token, CLOSE_OBJECT | CLOSE_ARRAY) {
            put(&mut out, b",", 1)?;
        }
        is_first = matches!(*token, OPEN_OBJECT | OPEN_ARRAY | NAME | KNOWN..);
        match *token {
            OPEN_OBJECT => put(&mut out, b"{", 1)?,
            CLOSE_OBJECT => put(&mut out, b"}", 1)?,
            OPEN_ARRAY => put(&mut out, b"[", 1)?,
            CLOSE_ARRAY => put(&mut out, b"]", 1)?,
            NULL => put(&mut out, b"null", 4)?,
            FALSE => put(&mut out, b"false", 5)?,
            TRUE => put(&mut out, b"true", 4)?,
            NUMBER => {
                let len = length(&mut tokens, texts, is_ascii)?;
                plain(&mut texts, len, &mut out)?;
            }
            TEXT => {
                let len = length(&mut tokens, texts, is_ascii)?;
                string(&mut texts, len, &mut out)?;
            }
            NAME => {
                let len = length(&mut tokens, texts, is_ascii)?;
                string(&mut texts, len, &mut out)?;
                put(&mut out, b":", 1)?;
            }
            known => {
                let index = usize::from(known.checked_sub(KNOWN)?);
                let quoted: &[u8; PADDED] = QUOTED.get(index)?.as_bytes().first_chunk()?;
                put(&mut out, quoted, NAMES.get(index)?.len().checked_add(3)?)?;
            }
        }
    }
    room.checked_sub(out.len())
}

/// Returns the length of the next text, which is the next token.
fn length(tokens: &mut &[u8], texts: &[u8], is_ascii: bool) -> Option<usize> {
    let (first, rest) = tokens.split_first()?;
    *tokens = rest;
    let mut units = usize::from(*first);
    if *first == LONG {
        let (len, rest) = tokens.split_first_chunk()?;
        *tokens = rest;
        units = usize::try_from(u32::from_le_bytes(*len)).ok()?;
    }
    if is_ascii {
        Some(units)
    } else {
        bytes_of(texts, units)
    }
}

/// Returns the number of bytes of the first `units` code units of UTF-16. A first byte of UTF-8 is a
/// code unit, or two if three bytes follow it.
fn bytes_of(texts: &[u8], units: usize) -> Option<usize> {
    let mut left = units;
    for (index, byte) in texts.iter().enumerate() {
        let count = match byte {
            0x80..=0xbf => 0,
            0xf0.. => 2,
            _ => 1,
        };
        if count > 0 && left == 0 {
            return Some(index);
        }
        left = left.checked_sub(count)?;
    }
    Some(texts.len())
}

/// Writes a text with its quotes and escapes, as `JSON.stringify` does.
fn string(texts: &mut &[u8], len: usize, out: &mut Out<'_>) -> Option<()> {
    put(out, b"\"", 1)?;
    plain(texts, len, out)?;
    put(out, b"\"", 1)
}

/// Writes the first `len` bytes of the texts, with their escapes, and removes them.
fn plain(texts: &mut &[u8], len: usize, out: &mut Out<'_>) -> Option<()> {
    let mut left = len;
    while left > 0 {
        let count = match (texts.first_chunk(), out.first_chunk_mut()) {
            (Some(from), Some(to)) => {
                *to = *from;
                before_escape(u8x16::new(*from)).min(left)
            }
            // The last texts, if few tokens follow them.
            _ => {
                let (from, to) = (texts.first()?, out.first_mut()?);
                *to = *from;
                usize::from(!needs_escape(*from))
            }
        };
        *out = mem::take(out).get_mut(count..)?;
        let mut rest = texts.get(count..)?;
        left = left.checked_sub(count)?;
        if count < CHUNK && left > 0 {
            let (byte, others) = rest.split_first()?;
            if needs_escape(*byte) {
                escape(*byte, out)?;
                rest = others;
                left = left.checked_sub(1)?;
            }
        }
        *texts = rest;
    }
    Some(())
}

const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Returns the number of characters before the first one that needs an escape.
fn before_escape(chunk: u8x16) -> usize {
    let is_control = chunk.min(u8x16::splat(0x1f)).simd_eq(chunk);
    let is_quote = chunk.simd_eq(u8x16::splat(b'"'));
    let is_backslash = chunk.simd_eq(u8x16::splat(b'\\'));
    let found = (is_control | is_quote | is_backslash).to_bitmask();
    usize::try_from(found.trailing_zeros())
        .unwrap_or(CHUNK)
        .min(CHUNK)
}

fn escape(byte: u8, out: &mut Out<'_>) -> Option<()> {
    match byte {
        b'\n' => put(out, b"\\n", 2),
        b'\r' => put(out, b"\\r", 2),
        b'\t' => put(out, b"\\t", 2),
        0x08 => put(out, b"\\b", 2),
        0x0c => put(out, b"\\f", 2),
        b'"' | b'\\' => put(out, &[b'\\', byte], 2),
        _ => {
            let digit = |value: u8| *b"0123456789abcdef".get(usize::from(value)).unwrap_or(&b'0');
            put(out, b"\\u00", 4)?;
            put(out, &[digit(byte >> 4), digit(byte & 0xf)], 2)
        }
    }
}

/// Writes `bytes`, of which the first `len` count.
fn put<const N: usize>(out: &mut Out<'_>, bytes: &[u8; N], len: usize) -> Option<()> {
    *out.first_chunk_mut()? = *bytes;
    *out = mem::take(out).get_mut(len..)?;
    Some(())
}
