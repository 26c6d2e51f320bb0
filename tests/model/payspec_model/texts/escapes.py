"""The readings of a text: as written, and with its escapes decoded once, twice, and so on.

3a: letters do not join "that belong to an escape: JSON (`\\n`, `\\"`, `\\u0022`), `\\x22`, `%22`, `&quot;`, `&#34;`, and
colour sequences", and names are found "with every escape above around the name, the separator and the value". Escapes
nest, so each reading is decoded again until it has no escape.
"""

from __future__ import annotations

import re
from typing import Iterator, List, NamedTuple, Tuple

from .mask import DIGIT

#: A colour sequence counts as this one character, which is neither a letter nor a digit.
ESC = "\x1b"

_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ENTITIES = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'", "nbsp": "\u00a0", "equals": "=", "colon": ":"}

# The ends of lines of the colour sequences in 3a: ESC itself, `\033`, `#033`, `\e` and `^[`.
ESCAPE = re.compile(
    r"(?P<colour>(?:\x1b|\\033|#033|\\e|\^\[)\[[0-9;:?]*[A-Za-z])"
    r"|\\u(?P<unicode>[0-9a-fA-F]{4})"
    r"|\\x(?P<hexadecimal>[0-9a-fA-F]{2})"
    r"|\\(?P<short>[\"'\\/bfnrt])"
    # No program escapes letters and digits: in `20%4111…` the digits are those of a number.
    # `%B4…^` is track data.
    r"|(?P<percent>(?:%(?!B[0-9]|3[0-9]|4[1-9a-fA-F]|5[0-9aA]|6[1-9a-fA-F]|7[0-9aA]|[89])[0-9a-fA-F]{2}"
    r"(?:(?<=[c-fC-F][0-9a-fA-F])%[89abAB][0-9a-fA-F]|(?<=%[89abAB][0-9a-fA-F])%[89abAB][0-9a-fA-F])*)+)"
    r"|&(?P<entity>quot|amp|lt|gt|apos|nbsp|equals|colon);"
    r"|&\#(?P<decimal>[0-9]{1,6});"
    r"|&\#[xX](?P<reference>[0-9a-fA-F]{1,5});"
)


class Reading(NamedTuple):
    """A text, and the range of the original text that each of its characters comes from."""

    text: str
    starts: Tuple[int, ...]
    ends: Tuple[int, ...]
    #: The text without the letters and digits that are escaped themselves: none of them belongs to an escape.
    plain: str

    def range(self, start: int, end: int) -> Tuple[int, int]:
        """Returns the range in the original text of a range of the reading, which may be empty."""
        if start == end:
            at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
            return at, at
        return self.starts[start], self.ends[end - 1]


def readings(text: str) -> List[Reading]:
    """Returns the text as written, then decoded once, twice, and so on. Each decoding makes a text shorter."""
    return _decoded_again(as_written(text))


def _decoded_again(reading: Reading) -> List[Reading]:
    found = [reading]
    while ESCAPE.search(found[-1].plain):
        found.append(_decoded(found[-1]))
    return found


def decode(text: str) -> Reading:
    """Returns the text with its escapes decoded once."""
    return _decoded(as_written(text))


def as_written(text: str) -> Reading:
    """Returns the text without decoding."""
    return Reading(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)), text)


def _decoded(reading: Reading) -> Reading:
    characters: List[str] = []
    plain: List[str] = []
    starts: List[int] = []
    ends: List[int] = []
    at = 0
    for escape in ESCAPE.finditer(reading.plain):
        characters += reading.text[at : escape.start()]
        plain += reading.plain[at : escape.start()]
        starts += reading.starts[at : escape.start()]
        ends += reading.ends[at : escape.start()]
        for character, start, end in _characters(escape):
            characters.append(character)
            plain.append("\0" if character.isascii() and character.isalnum() else character)
            starts.append(reading.starts[start])
            ends.append(reading.ends[end - 1])
        at = escape.end()
    characters += reading.text[at:]
    plain += reading.plain[at:]
    starts += reading.starts[at:]
    ends += reading.ends[at:]
    return Reading("".join(characters), tuple(starts), tuple(ends), "".join(plain))


#: The place of an escape that is a digit. It makes a run longer.
DIGIT_OF_ESCAPE = "\1"


def without_escapes(reading: Reading) -> str:
    """Returns the text of a reading with NUL in the places of escapes.

    Their letters and digits are not those of a name or a number.
    An escape may have several steps, as in `\\\\n` and `%2522`.
    """
    characters = list(reading.text)
    for further in _decoded_again(as_written(reading.text)._replace(plain=reading.plain)):
        for escape in ESCAPE.finditer(further.plain):
            for shown, start, end in _characters(escape):
                first, last = further.range(start, end)
                characters[first:last] = "\0" * (last - first)
                if re.match(DIGIT, shown):
                    characters[first] = characters[last - 1] = DIGIT_OF_ESCAPE
    return "".join(characters)


def _characters(escape: re.Match[str]) -> Iterator[Tuple[str, int, int]]:
    """Yields the characters of an escape with their ranges. Only percent-encoding has several."""
    kind = escape.lastgroup
    value = escape.group(kind) if kind else ""
    if kind == "percent":
        yield from _utf8(value, escape.start())
        return
    character = ESC
    if kind in ("unicode", "hexadecimal", "reference"):
        character = chr(int(value, 16))
    elif kind == "decimal":
        character = chr(int(value))
    elif kind == "short":
        character = _SHORT.get(value, value)
    elif kind == "entity":
        character = _ENTITIES[value]
    yield character, escape.start(), escape.end()


def _utf8(written: str, start: int) -> Iterator[Tuple[str, int, int]]:
    """Decodes percent-encoded UTF-8. A byte that is not UTF-8 is the character with its number."""
    data = bytes.fromhex(written.replace("%", ""))
    at = 0
    while at < len(data):
        length = 1
        character = chr(data[at])
        for size in (1, 2, 3, 4):
            try:
                character = data[at : at + size].decode("utf-8")
            except UnicodeDecodeError:
                continue
            length = min(size, len(data) - at)
            break
        yield character, start + 3 * at, start + 3 * (at + length)
        at += length
