"""Parses one JSON text strictly by RFC 8259. The parser of Python accepts more."""

from __future__ import annotations

import re
from typing import Any

# The content of a string: no control characters, and only these escapes.
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"')
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PARTS = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?\Z")
_WHITESPACE = re.compile(r"[ \t\n\r]*")
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class NotJson(Exception):
    """Not one JSON text in UTF-8."""


class TooDeep(Exception):
    """Objects and arrays nest deeper than the policy allows."""


class Number:
    """A number in its notation."""

    def __init__(self, token: str) -> None:
        self.token = token

    def integer(self) -> int | None:
        """Returns its value if that is an integer: `3600.0` and `36e2` are too."""
        sign, whole, fraction, exponent = _PARTS.match(self.token).groups(default="")  # type: ignore[union-attr]
        digits = (whole + fraction).lstrip("0")
        if digits == "":
            return 0
        # Python does not parse very long numbers. Digits and exponents of that length are out of every range.
        shift = max(-LARGE, min(LARGE, _long(exponent))) - len(fraction)
        zeros = len(digits) - len(digits.rstrip("0"))
        if shift < -zeros:
            return None
        digits = digits[: len(digits) - zeros]
        shift += zeros
        value = int(digits) * 10**shift if len(digits) + shift <= 40 else 10**40
        return -value if sign else value


#: More than the digits of any body.
LARGE = 10**9


def _long(digits: str) -> int:
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("+-0")
    return sign * (int(digits or "0") if len(digits) <= 12 else LARGE)


class Object:
    """The members of an object in order, including repetitions."""

    def __init__(self, members: list[tuple[str, Any]]) -> None:
        self.members = members

    def first(self, name: str) -> Any:
        """Returns the first value with that name, None if it is absent or null."""
        for member, value in self.members:
            if member == name:
                return value
        return None

    def times(self, name: str) -> int:
        """Returns how often the name occurs."""
        return [member for member, _ in self.members].count(name)


def read(body: bytes, depth: int) -> Any:
    """Returns the value: Object, list, str, Number, bool or None. The first error counts, of syntax or depth."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise NotJson from None
    reader = _Reader(text, depth)
    value = reader.value(1)
    reader.skip_whitespace()
    if reader.at != len(text):
        raise NotJson
    return value


class _Reader:
    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.depth = depth
        self.at = 0

    def skip_whitespace(self) -> None:
        self.at = _WHITESPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def next(self) -> str:
        """Returns the next character that is not whitespace, without consuming it."""
        if self.text[self.at : self.at + 1] <= " ":
            self.skip_whitespace()
        if self.at == len(self.text):
            raise NotJson
        return self.text[self.at]

    def take(self, expected: str) -> bool:
        if self.next() != expected:
            return False
        self.at += 1
        return True

    def expect(self, expected: str) -> None:
        if not self.take(expected):
            raise NotJson

    def value(self, depth: int) -> Any:
        character = self.next()
        if character in "{[":
            if depth > self.depth:
                raise TooDeep
            self.at += 1
            return self.object(depth) if character == "{" else self.array(depth)
        if character == '"':
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise NotJson
        self.at = found.end()
        return Number(found.group())

    def object(self, depth: int) -> Object:
        members: list[tuple[str, Any]] = []
        if self.take("}"):
            return Object(members)
        while True:
            self.next()
            name = self.string()
            self.expect(":")
            members.append((name, self.value(depth + 1)))
            if self.take("}"):
                return Object(members)
            self.expect(",")

    def array(self, depth: int) -> list[Any]:
        values: list[Any] = []
        if self.take("]"):
            return values
        while True:
            values.append(self.value(depth + 1))
            if self.take("]"):
                return values
            self.expect(",")

    def string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise NotJson
        self.at = found.end()
        return unescape(found.group(1))


def unescape(text: str) -> str:
    """Decodes the escapes. A lone surrogate is invalid."""
    if "\\" not in text:
        return text

    def one(found: re.Match[str]) -> str:
        if found.group(1) is not None:
            return chr(int(found.group(1), 16))
        return _SHORT.get(found.group(2), found.group(2))

    units = _ESCAPE.sub(one, text)
    try:
        return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise NotJson from None
