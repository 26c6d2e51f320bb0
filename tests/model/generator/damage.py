"""Damages texts: removes, adds and changes bytes; and generates texts that other parsers accept as JSON."""

from __future__ import annotations

from random import Random

_PIECES = (
    b"\xef\xbb\xbf", b"\xff", b"\x80", b"\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98",
    b"\xe2\x80\xa8", b"\x00",
    b",", b",,", b":", b"{", b"}", b"[", b"]", b'"', b"\\", b"'", b"/", b"//a\n", b"/**/", b"#", b"NaN", b"Infinity",
    b"-", b"+1", b"01", b"1.",
    b".5", b"1e", b"0x1", b"tru", b"nul", b"TRUE", b"None", b"\\ud800", b"\\udc00", b"\\ud800\\u0041",
    b"\\ud83d\\ude00", b"\\x41", b"\\u12",
    b"\\u{41}", b"\\a", b"\\0", b"\x0b", b"\x0c", b"\xc2\xa0", b"\n", b"\t", b" ", b"{}", b"[]", b"1", b"null", b'""',
    b'"a":1,', b'"a":1',
    b"-0", b"1e5", b"1E+05", b"-1.50e-3", b"1e+", b"\\/", b"\\b", b"\x7f", b"\xc2\x85", b"undefined", b"\xe2\x80",
    b"\\u0000", b"\\uD834\\uDD1E",
)  # fmt: skip

_TEXTS = (
    b"", b" ", b"\n", b"{", b"}", b"{}", b" {} ", b"[]", b"null", b"true", b"0", b"-0", b'""', b'"{}"', b"{}{}", b"{},",
    b"\xef\xbb\xbf{}",
    b"{}\x00", b"{}\n\n", b"\x0c{}", b"1e400", b"-", b"[1,]", b"{,}", b'{"a"}', b'{"a":}', b'{"a":1,}', b'{a:1}',
    b"{'a':1}", b'{"a":1 "b":2}',
    b'{"":1}', b'{"":"","":""}', b"\xff\xfe{\x00}\x00", b"nullnull", b"nul", b'"\\ud800"', b'["\\udfff\\ud800"]',
    b'"\\ud83d\\ude00"', b"[[]]",
)  # fmt: skip


def damaged(random: Random, text: bytes) -> bytes:
    if random.random() < 0.04:
        return random.choice(_TEXTS)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        at = random.randint(0, len(text))
        kind = random.randrange(8)
        if kind < 3:
            text = text[:at] + random.choice(_PIECES) + text[at:]
        elif kind == 3:
            text = text[:at] + text[at + random.choice((1, 1, 2, 5, 20)) :]
        elif kind == 4:
            text = text[:at] + bytes([random.randrange(256)]) + text[at + 1 :]
        elif kind == 5 and random.random() < 0.3:
            text = text[:at]
        elif kind == 6:
            text += random.choice(_PIECES)
        else:
            end = min(len(text), at + random.randint(1, 12))
            text = text[:end] + text[at:end] + text[end:]
    return text


def nested(random: Random, depth: int) -> str:
    """Returns a value nested to that depth. If it is too deep, it is sometimes incomplete or invalid inside."""
    opening, closing = "", ""
    for _ in range(depth):
        if random.random() < 0.5:
            opening, closing = opening + "[", "]" + closing
        else:
            opening, closing = opening + '{"a":', "}" + closing
    inside = random.choices(("", "1", "[", "\\", "\x01"), (4, 90, 2, 2, 2))[0]
    if not inside and not opening.endswith("["):
        inside = "1"
    return opening + inside + (closing if random.random() < 0.95 else "")
