//! The escapes that texts of logs, markup, and addresses have around card data.

/// The character that stands for a color sequence of a terminal, such as `ESC[32m`.
pub(super) const COLOR: char = '\u{9B}';

/// The character that begins a color sequence.
const ESCAPE: char = '\u{1B}';

/// The maximum number of bytes in the parameters of a color sequence, as in `38;2;255;255;255`.
const MAX_PARAMETERS: usize = 24;

/// The maximum number of bytes in the name or number of an HTML entity.
const MAX_ENTITY: usize = 8;

/// Checks if a byte may begin an escape.
pub(super) const fn may_begin_escape(byte: u8) -> bool {
    matches!(byte, b'\\' | b'%' | b'&' | b'#' | b'^' | 0x1B)
}

/// Decodes the escape that `lead` begins. Returns the character and the number of bytes of the
/// escape after `lead`.
///
/// This is the table of all escapes. `lead` may be the result of another escape, so escapes of
/// escapes are decoded one after another: `\\u0022` is `\u0022`, and `%2522` is `%22`.
pub(super) fn decode(lead: char, rest: &[u8]) -> Option<(char, usize)> {
    match (lead, rest) {
        // JSON, and the languages that share escapes with C.
        ('\\', [b'n', ..]) => Some(('\n', 1)),
        ('\\', [b'r', ..]) => Some(('\r', 1)),
        ('\\', [b't', ..]) => Some(('\t', 1)),
        ('\\', [b'b' | b'f' | b'v' | b'a', ..]) => Some(('\u{C}', 1)),
        ('\\', [itself @ (b'\\' | b'"' | b'\'' | b'`' | b'/'), ..]) => {
            Some((char::from(*itself), 1))
        }
        // `\u{22}` is Rust and JavaScript, `\x{22}` is Perl.
        ('\\', [b'u' | b'x', b'{', digits @ ..]) => braced(digits).map(|found| after(2, found)),
        ('\\', [b'u', digits @ ..]) => code_point(digits, 4).map(|found| after(1, found)),
        ('\\', [b'U', digits @ ..]) => code_point(digits, 8).map(|found| after(1, found)),
        ('\\', [b'x', digits @ ..]) => utf8(digits, b"\\x").map(|found| after(1, found)),
        // `\033` is C in octal digits, `\27[` is Lua, and `\e[` belongs to shells.
        ('\\', [b'0', digits @ ..]) => octal(digits).map(|found| after(1, found)),
        ('\\', [b'2', b'7', b'[', ..]) => Some((ESCAPE, 2)),
        ('\\', [b'e' | b'E', b'[', ..]) => Some((ESCAPE, 1)),
        // Addresses and form bodies. Letters and digits are never encoded, so `100%41` is not an `A`.
        ('%', [b'u', digits @ ..]) => code_point(digits, 4).map(|found| after(1, found)),
        ('%', digits) => {
            utf8(digits, b"%").filter(|(character, _)| !character.is_ascii_alphanumeric())
        }
        ('&', rest) => entity(rest),
        // The system log writes control characters in octal digits.
        ('#', [b'0', digits @ ..]) => octal(digits)
            .filter(|(character, _)| character.is_control())
            .map(|found| after(1, found)),
        // `cat -v` writes `^[`.
        ('^', [b'[', b'[', ..]) => Some((ESCAPE, 1)),
        (ESCAPE, [b'[', parameters @ ..]) => color(parameters).map(|used| after(1, (COLOR, used))),
        _ => None,
    }
}

/// Adds the bytes before a decoded part to its length.
fn after(before: usize, (character, used): (char, usize)) -> (char, usize) {
    (character, used.saturating_add(before))
}

/// Decodes an entity of HTML or XML after its `&`: `quot;`, `#34;`, `#x22;`.
fn entity(rest: &[u8]) -> Option<(char, usize)> {
    let length = rest
        .iter()
        .take(MAX_ENTITY)
        .position(|byte| *byte == b';')?;
    let character = match rest.get(..length)? {
        b"quot" => '"',
        b"apos" => '\'',
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"nbsp" => '\u{A0}',
        b"thinsp" => '\u{2009}',
        b"ndash" => '\u{2013}',
        b"equals" => '=',
        b"colon" => ':',
        b"Tab" => '\t',
        b"NewLine" => '\n',
        [b'#', b'x' | b'X', digits @ ..] => char::from_u32(number(digits, 16)?)?,
        [b'#', digits @ ..] => char::from_u32(number(digits, 10)?)?,
        _ => return None,
    };
    Some((character, length.saturating_add(1)))
}

/// Decodes one character of UTF-8, two hexadecimal digits for each byte: `C2%A0` after a `%`. The
/// prefix precedes every further byte.
fn utf8(digits: &[u8], prefix: &[u8]) -> Option<(char, usize)> {
    let first = byte(digits)?;
    let length = match first {
        0..=0x7F => return Some((char::from(first), 2)),
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        // No character begins with this byte. In `%B4111…`, track data follows a percent sign.
        _ => return None,
    };
    let mut encoded = [first, 0, 0, 0];
    let mut rest = digits.get(2..)?;
    for target in encoded.iter_mut().take(length).skip(1) {
        let digits = rest.strip_prefix(prefix)?;
        *target = byte(digits)?;
        rest = digits.get(2..)?;
    }
    let text = core::str::from_utf8(encoded.get(..length)?).ok()?;
    let used = digits.len().saturating_sub(rest.len());
    text.chars().next().map(|character| (character, used))
}

fn byte(digits: &[u8]) -> Option<u8> {
    u8::try_from(number(digits.get(..2)?, 16)?).ok()
}

/// Decodes a code point of exactly `length` hexadecimal digits. The halves of a surrogate pair
/// become replacement characters.
fn code_point(digits: &[u8], length: usize) -> Option<(char, usize)> {
    let value = number(digits.get(..length)?, 16)?;
    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((character, length))
}

/// Decodes a code point of up to six hexadecimal digits before a brace.
fn braced(digits: &[u8]) -> Option<(char, usize)> {
    let length = digits.iter().take(7).position(|byte| *byte == b'}')?;
    let character = char::from_u32(number(digits.get(..length)?, 16)?)?;
    Some((character, length.saturating_add(1)))
}

/// Decodes two octal digits.
fn octal(digits: &[u8]) -> Option<(char, usize)> {
    let value = number(digits.get(..2)?, 8)?;
    char::from_u32(value).map(|character| (character, 2))
}

/// Returns the value of at most eight digits.
fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let digits = digits.iter().map(|byte| char::from(*byte).to_digit(radix));
    digits.fold(None, |value: Option<u32>, digit| {
        value.unwrap_or(0).checked_mul(radix)?.checked_add(digit?)
    })
}

/// Returns the length of the parameters of a color sequence with the letter that ends it.
fn color(parameters: &[u8]) -> Option<usize> {
    let is_parameter = |byte: &u8| matches!(byte, b'0'..=b'9' | b';' | b':' | b'?');
    let length = parameters
        .iter()
        .take(MAX_PARAMETERS)
        .position(|byte| !is_parameter(byte))?;
    let is_ended = parameters.get(length)?.is_ascii_alphabetic();
    is_ended.then(|| length.saturating_add(1))
}
