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
        ('\\', [b'u' | b'x', rest @ ..]) if sign(rest, b'{', *b"7B").is_some() => {
            braced(rest).map(|found| after(1, found))
        }
        ('\\', [b'u', digits @ ..]) => code_point(digits, 4).map(|found| after(1, found)),
        ('\\', [b'U', digits @ ..]) => code_point(digits, 8).map(|found| after(1, found)),
        ('\\', [b'x', digits @ ..]) => utf8(digits, Prefix::Backslash)
            .or_else(|| latin1(digits))
            .map(|found| after(1, found)),
        // An address encodes each backslash, once or more: `%5C%5Ct`, `%255C%255Ct`.
        ('\\', rest @ [b'%', ..]) => sign(rest, b'\\', *b"5C").map(|used| ('\\', used)),
        // `\033` is C in octal digits, `\27[` is Lua, and `\e[` belongs to shells.
        ('\\', [b'0', digits @ ..]) => octal(digits).map(|found| after(1, found)),
        ('\\', [b'2', b'7', rest @ ..]) if bracket(rest).is_some() => Some((ESCAPE, 2)),
        ('\\', [b'e' | b'E', rest @ ..]) if bracket(rest).is_some() => Some((ESCAPE, 1)),
        // Addresses and form bodies. Letters and digits are never encoded, so `100%41` is not an `A`.
        ('%', [b'u', digits @ ..]) => code_point(digits, 4).map(|found| after(1, found)),
        // In `%B4111…`, track data follow a percent sign.
        ('%', [b'B' | b'b', b'0'..=b'9', ..]) => None,
        ('%', digits) => utf8(digits, Prefix::Percent)
            .or_else(|| latin1(digits))
            .filter(|(character, _)| !character.is_ascii_alphanumeric()),
        ('&', rest) => entity(rest),
        // The system log writes control characters in octal digits.
        ('#', [b'0', digits @ ..]) => octal(digits)
            .filter(|(character, _)| character.is_control())
            .map(|found| after(1, found)),
        // `cat -v` writes `^[`.
        ('^', rest) => {
            let first = bracket(rest)?;
            bracket(rest.get(first..)?).map(|_| (ESCAPE, first))
        }
        (ESCAPE, rest) => {
            let bracket = bracket(rest)?;
            let used = color(rest.get(bracket..)?)?;
            Some(after(bracket, (COLOR, used)))
        }
        _ => None,
    }
}

/// Adds the bytes before a decoded part to its length.
fn after(before: usize, (character, used): (char, usize)) -> (char, usize) {
    (character, used.saturating_add(before))
}

/// Decodes an entity of HTML or XML after its `&`: `quot;`, `#34;`, `#x22;`. In an address, its
/// other signs are encoded as well: `%2334%3B`.
fn entity(rest: &[u8]) -> Option<(char, usize)> {
    let number_sign = sign(rest, b'#', *b"23");
    let digits = rest.get(number_sign.unwrap_or(0)..)?;
    let length = digits
        .iter()
        .take(MAX_ENTITY)
        .position(|byte| !byte.is_ascii_alphanumeric())?;
    let end = sign(digits.get(length..)?, b';', *b"3B")?;
    let name = digits.get(..length)?;
    let character = match (number_sign, name) {
        (Some(_), [b'x' | b'X', digits @ ..]) => char::from_u32(number(digits, 16)?)?,
        (Some(_), digits) => char::from_u32(number(digits, 10)?)?,
        (None, name) => named(name)?,
    };
    let used = number_sign.unwrap_or(0).saturating_add(length);
    Some((character, used.saturating_add(end)))
}

/// Returns the number of bytes of a bracket, as before the parameters of a color.
fn bracket(text: &[u8]) -> Option<usize> {
    sign(text, b'[', *b"5B")
}

/// Returns the number of bytes of a sign, which may be encoded as in an address, any number of
/// times: `;`, `%3B`, `%253B`.
fn sign(text: &[u8], plain: u8, encoded: [u8; 2]) -> Option<usize> {
    let [first, rest @ ..] = text else {
        return None;
    };
    if *first == plain {
        return Some(1);
    }
    let mut digits = Some(rest).filter(|_| *first == b'%')?;
    while let [b'2', b'5', further @ ..] = digits {
        digits = further;
    }
    let (found, rest) = digits.split_first_chunk::<2>()?;
    let used = text.len().saturating_sub(rest.len());
    found.eq_ignore_ascii_case(&encoded).then_some(used)
}

/// Returns the character of an entity with a name.
fn named(name: &[u8]) -> Option<char> {
    let character = match name {
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
        _ => return None,
    };
    Some(character)
}

/// What precedes two hexadecimal digits.
#[derive(Clone, Copy)]
enum Prefix {
    /// `%`
    Percent,
    /// `\x`
    Backslash,
}

impl Prefix {
    /// Removes the prefix.
    fn strip(self, text: &[u8]) -> Option<&[u8]> {
        let (lead, escaped) = match self {
            Prefix::Percent => (b'%', b"25".as_slice()),
            Prefix::Backslash => (b'\\', b"\\".as_slice()),
        };
        let (_, mut rest) = text.split_first().filter(|(first, _)| **first == lead)?;
        while let Some(further) = rest.strip_prefix(escaped) {
            rest = further;
        }
        match self {
            Prefix::Percent => Some(rest),
            Prefix::Backslash => rest.strip_prefix(b"x"),
        }
    }
}

/// Decodes one character of UTF-8, two hexadecimal digits for each byte: `C2%A0` after a `%`. The
/// prefix precedes every further byte. It may be escaped itself: `%25`, `\\x`.
fn utf8(digits: &[u8], prefix: Prefix) -> Option<(char, usize)> {
    let first = byte(digits)?;
    let length = match first {
        0..=0x7F => return Some((char::from(first), 2)),
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        // No character begins with this byte.
        _ => return None,
    };
    let mut encoded = [first, 0, 0, 0];
    let mut rest = digits.get(2..)?;
    for target in encoded.iter_mut().take(length).skip(1) {
        let digits = prefix.strip(rest)?;
        *target = byte(digits)?;
        rest = digits.get(2..)?;
    }
    let text = core::str::from_utf8(encoded.get(..length)?).ok()?;
    let used = digits.len().saturating_sub(rest.len());
    text.chars().next().map(|character| (character, used))
}

/// Decodes a byte that is not UTF-8 as a character of Latin-1: Python writes a no-break space as
/// `\xa0`. The numbers below are those of control characters.
fn latin1(digits: &[u8]) -> Option<(char, usize)> {
    let byte = byte(digits).filter(|byte| *byte >= 0xA0)?;
    Some((char::from(byte), 2))
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

/// Decodes a code point of up to six hexadecimal digits in braces. In an address, these are encoded
/// as well: `%7B22%7D`.
fn braced(text: &[u8]) -> Option<(char, usize)> {
    let open = sign(text, b'{', *b"7B")?;
    let digits = text.get(open..)?;
    let length = digits
        .iter()
        .take(7)
        .position(|byte| !byte.is_ascii_hexdigit())?;
    let close = sign(digits.get(length..)?, b'}', *b"7D")?;
    let character = char::from_u32(number(digits.get(..length)?, 16)?)?;
    let used = open.saturating_add(length).saturating_add(close);
    Some((character, used))
}

/// Decodes two octal digits.
fn octal(digits: &[u8]) -> Option<(char, usize)> {
    let value = number(digits.get(..2)?, 8)?;
    char::from_u32(value).map(|character| (character, 2))
}

/// Returns the value of at most eight digits.
fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let (first, rest) = digits.split_first()?;
    let value_of = |byte: u8| char::from(byte).to_digit(radix);
    rest.iter().try_fold(value_of(*first)?, |value, byte| {
        value.checked_mul(radix)?.checked_add(value_of(*byte)?)
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
