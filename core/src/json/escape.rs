//! Decodes escapes: one parser for the lexer, which checks them, and for strings, which need the
//! characters.

/// Decodes the escape at the start of a text. Returns the character and the length of the escape,
/// or the offset of the first byte that is not valid.
#[inline(always)]
pub(super) fn decode(text: &[u8]) -> Result<(char, usize), usize> {
    // Nearly all long runs of escapes are of this form. Inlined, 1.2 MB of them take a third of the
    // time.
    if let Some([b'\\', b'u', digits @ ..]) = text.first_chunk::<6>()
        && let Some(character) = hex(*digits).and_then(char::from_u32)
    {
        return Ok((character, 6));
    }
    decode_other(text)
}

fn decode_other(text: &[u8]) -> Result<(char, usize), usize> {
    let character = match text.get(1) {
        Some(b'u') => return decode_pair(text),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(itself @ (b'"' | b'\\' | b'/')) => char::from(*itself),
        _ => return Err(1),
    };
    Ok((character, 2))
}

/// Decodes a surrogate pair.
fn decode_pair(text: &[u8]) -> Result<(char, usize), usize> {
    let high = unit(text, 2)?;
    // A low surrogate must follow a high one directly. Neither is valid alone.
    if high >= 0xDC00 || text.get(6..8) != Some(b"\\u") {
        return Err(0);
    }
    let low = unit(text, 8)?;
    // Each half of the pair has ten bits of the code point minus 0x10000.
    let above = (high & 0x3FF) << 10 | low & 0x3FF;
    let character =
        char::from_u32(above.saturating_add(0x10000)).filter(|_| (0xDC00..0xE000).contains(&low));
    character.map(|character| (character, 12)).ok_or(0)
}

/// Returns the value of the four hexadecimal digits at `at`, or the offset of the first other byte.
fn unit(text: &[u8], at: usize) -> Result<u32, usize> {
    let digits = text.get(at..).unwrap_or_default();
    let valid = || {
        digits
            .iter()
            .take_while(|byte| digit(**byte) != NO_HEX)
            .count()
    };
    digits
        .first_chunk()
        .and_then(|digits| hex(*digits))
        .ok_or_else(|| valid().saturating_add(at))
}

/// Returns the value of four hexadecimal digits.
#[inline]
fn hex([a, b, c, d]: [u8; 4]) -> Option<u32> {
    let value = digit(a) << 12 | digit(b) << 8 | digit(c) << 4 | digit(d);
    (value < NO_HEX).then_some(value)
}

#[inline]
fn digit(byte: u8) -> u32 {
    HEX.get(usize::from(byte)).copied().unwrap_or(NO_HEX)
}

/// A value that makes the result too large in any of the four positions.
const NO_HEX: u32 = 1 << 16;

/// The value of each hexadecimal digit.
#[expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "evaluated at compile time"
)]
static HEX: [u32; 256] = {
    let mut values = [NO_HEX; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value] as usize] = value as u32;
        values[b"0123456789ABCDEF"[value] as usize] = value as u32;
        value = value.wrapping_add(1);
    }
    values
};

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn decodes_every_four_hex_digits() {
        for number in 0..=0xFFFF_u32 {
            let expected = char::from_u32(number)
                .map(|character| (character, 6))
                .ok_or(0);
            assert_eq!(decode(format!("\\u{number:04x}").as_bytes()), expected);
            assert_eq!(decode(format!("\\u{number:04X}\\n").as_bytes()), expected);
        }
    }

    #[test]
    fn decodes_every_surrogate_pair() {
        for low in 0..=0xFFFF_u16 {
            let expected = char::decode_utf16([0xD83D, low])
                .next()
                .unwrap()
                .map(|character| (character, 12));
            assert_eq!(
                decode(format!("\\ud83d\\u{low:04x}").as_bytes()),
                expected.map_err(|_| 0),
                "{low:#x}"
            );
        }
    }

    #[test]
    fn rejects_other_escapes() {
        for byte in 0..=u8::MAX {
            let is_escape = b"\"\\/bfnrt".contains(&byte);
            let expected = if byte == b'u' { Err(2) } else { Err(1) };
            assert_eq!(
                decode(&[b'\\', byte]).map(|(_, len)| len),
                if is_escape { Ok(2) } else { expected }
            );
            for position in 2..6 {
                let mut escape = *b"\\u0000";
                escape[position] = byte;
                let digit = char::from(byte)
                    .to_digit(16)
                    .map(|digit| digit << (4 * (5 - position)));
                let decoded = digit.map_or(Err(position), |digit| char::from_u32(digit).ok_or(0));
                assert_eq!(
                    decode(&escape).map(|(character, _)| character),
                    decoded,
                    "{byte:#x} at {position}"
                );
            }
        }
    }
}
