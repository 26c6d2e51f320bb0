//! Generates texts that are nearly JSON: by the grammar with errors of every kind, or a real text
//! with some bytes changed.

use fastrand::Rng;

/// The maximum depth of the texts, well below serde_json's limit of 128.
pub const DEPTH: usize = 40;

const WHITESPACE: [&str; 9] = ["", "", "", "", " ", "\n", "\t", "\r\n ", "  "];
const LITERALS: [&str; 3] = ["null", "true", "false"];
const NAMES: [&str; 8] = [
    "amount",
    "cur",
    "pay_in_details",
    "card",
    "x",
    "",
    "\\u0061mount",
    "ключ",
];
const NUMBERS: [&str; 16] = [
    "0",
    "-0",
    "1",
    "12",
    "-7",
    "1.5",
    "0.10",
    "1e5",
    "1E+5",
    "2e-3",
    "123456789012345678901234567890",
    "1e999",
    "-1e400",
    "1e-999",
    "0.1e1",
    "18446744073709551616",
];
const PIECES: [&str; 22] = [
    "a",
    "Z9",
    " ",
    "/",
    "é",
    "€",
    "\u{1f600}",
    "\u{7f}",
    "\u{2028}",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\t",
    "\\u0041",
    "\\u00e9",
    "\\u0000",
    "\\ud83d\\ude00",
    "0123456789",
    "\u{feff}",
];
/// Errors: each makes a text invalid at nearly every position.
const SLIPS: [&[u8]; 44] = [
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xe2\x82",
    b"\xf5\x80\x80\x80",
    b"\x00",
    b"\x1f",
    b"\n",
    b"\\u12",
    b"\\u12g4",
    b"\\x41",
    b"\\ud800",
    b"\\udc00",
    b"\\ud800\\u0041",
    b"\\ud800\\ud800",
    b"\\",
    b"\"",
    b",",
    b":",
    b"{",
    b"}",
    b"[",
    b"]",
    b"01",
    b"-",
    b"+1",
    b".5",
    b"1.",
    b"1e",
    b"1e+",
    b"0x10",
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"nul",
    b"True",
    b"'a'",
    b"/* c */",
    b"//",
    b"\x0b",
    b"\xc2\xa0",
    b"\xe2\x80\xa8",
    b"\\U0041",
];
const ALPHABET: &[u8] = b"{}[]\",:\\/ \n\t0123456789.eE+-untrfalsbd'\x00\x1f\x7f\x80\xc3\xe2\xff";

/// Generates one text by the grammar. About a third of the texts contain errors.
pub fn by_grammar(random: &mut Rng, out: &mut Vec<u8>) {
    out.clear();
    whitespace(random, out);
    let slips = if random.u8(..3) == 0 { 40 } else { 0 };
    value(random, out, 0, slips);
    whitespace(random, out);
    if slips > 0 && random.u8(..20) == 0 {
        out.extend_from_slice(random.choice(SLIPS).unwrap_or_default());
    }
}

/// Changes one to three positions.
pub fn mutate(random: &mut Rng, text: &mut Vec<u8>) {
    for _ in 0..random.usize(1..=3) {
        let at = random.usize(..=text.len());
        let end = (at + random.usize(..8)).min(text.len());
        match random.u8(..7) {
            0 => drop(text.drain(at..end)),
            1 => text.insert(at, *random.choice(ALPHABET).unwrap_or(&0)),
            2 => drop(text.splice(
                at..at,
                random.choice(SLIPS).unwrap_or_default().iter().copied(),
            )),
            3 => text.extend_from_within(at..end),
            4 if at < text.len() => text[at] = *random.choice(ALPHABET).unwrap_or(&0),
            5 if at < text.len() => text[at] ^= 1 << random.u8(..8),
            _ if random.u8(..4) == 0 => text.truncate(at),
            _ => text
                .splice(
                    at..at,
                    random.choice(WHITESPACE).unwrap_or_default().bytes(),
                )
                .for_each(drop),
        }
    }
}

fn whitespace(random: &mut Rng, out: &mut Vec<u8>) {
    out.extend_from_slice(random.choice(WHITESPACE).unwrap_or_default().as_bytes());
}

/// Generates a value. `slips` of a thousand positions get an error.
fn value(random: &mut Rng, out: &mut Vec<u8>, depth: usize, slips: u16) {
    if random.u16(..1000) < slips {
        return out.extend_from_slice(random.choice(SLIPS).unwrap_or_default());
    }
    let kind = if depth == 0 {
        random.u8(4..12)
    } else {
        random.u8(..10)
    };
    match kind {
        0 | 1 => string(random, out, slips),
        2 => out.extend_from_slice(random.choice(NUMBERS).unwrap_or_default().as_bytes()),
        3 => number(random, out),
        4 => out.extend_from_slice(random.choice(LITERALS).unwrap_or_default().as_bytes()),
        5 if depth < 3 && random.u8(..50) == 0 => nest(random, out),
        5 | 6 => list(random, out, depth, slips, (b'[', b']'), |_, _| {}),
        7 if depth > 3 => string(random, out, slips),
        _ => list(random, out, depth, slips, (b'{', b'}'), member_name),
    }
}

fn list(
    random: &mut Rng,
    out: &mut Vec<u8>,
    depth: usize,
    slips: u16,
    (open, close): (u8, u8),
    before: fn(&mut Rng, &mut Vec<u8>),
) {
    out.push(open);
    whitespace(random, out);
    let number = if depth > 4 { 0 } else { random.usize(..4) };
    for index in 0..number {
        if index > 0 {
            out.push(b',');
            whitespace(random, out);
        }
        before(random, out);
        value(random, out, depth + 1, slips);
        whitespace(random, out);
    }
    if slips > 0 && random.u8(..60) == 0 {
        out.push(b',');
    }
    out.push(close);
}

fn member_name(random: &mut Rng, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(random.choice(NAMES).unwrap_or_default().as_bytes());
    out.push(b'"');
    whitespace(random, out);
    out.push(b':');
    whitespace(random, out);
}

fn string(random: &mut Rng, out: &mut Vec<u8>, slips: u16) {
    out.push(b'"');
    for _ in 0..random.usize(..6) {
        if random.u16(..1000) < slips {
            out.extend_from_slice(random.choice(SLIPS).unwrap_or_default());
        } else {
            out.extend_from_slice(random.choice(PIECES).unwrap_or_default().as_bytes());
        }
    }
    out.push(b'"');
}

/// Generates a run of the characters of numbers, which is more often invalid than valid.
fn number(random: &mut Rng, out: &mut Vec<u8>) {
    out.push(*random.choice(b"0123456789-").unwrap_or(&b'0'));
    for _ in 0..random.usize(..4) {
        out.push(*random.choice(b"00123456789.eE+-").unwrap_or(&b'0'));
    }
}

fn nest(random: &mut Rng, out: &mut Vec<u8>) {
    let depth = random.usize(1..DEPTH - 6);
    out.extend(std::iter::repeat_n(b'[', depth));
    out.extend(std::iter::repeat_n(b']', depth));
}
