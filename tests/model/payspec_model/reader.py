"""One JSON text (RFC 8259), read as strictly as it is written down there; Python's own parser takes more than that."""

from __future__ import annotations

import re
from typing import Any

# A string between its quotes: no control characters, no escapes but these.
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"')
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_BLANKS = re.compile(r"[ \t\n\r]*")
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class NotJson(Exception):
    """Not one JSON text in UTF-8."""


class TooDeep(Exception):
    """Objects and arrays nest deeper than the policy allows."""


class Number:
    """A number as it was written."""

    def __init__(self, token: str) -> None:
        self.token = token

    def integer(self) -> int | None:
        """Its value, where it has neither fraction nor exponent."""
        if _INTEGER.match(self.token) is None:
            return None
        # Python refuses to read very long ones; any number as long as that is out of every range.
        token = self.token
        return int(token) if len(token) <= 40 else (-(10**39) if token[0] == "-" else 10**39)


class Object:
    """The members of an object in their order, each as often as it was written."""

    def __init__(self, members: list[tuple[str, Any]]) -> None:
        self.members = members

    def first(self, name: str) -> Any:
        """The first value of that name, None where there is none; a null is None as well."""
        for member, value in self.members:
            if member == name:
                return value
        return None

    def times(self, name: str) -> int:
        """How often the name stands in it."""
        return [member for member, _ in self.members].count(name)


def read(body: bytes, depth: int) -> Any:
    """The value: Object, list, str, Number, bool or None. Of a mistake and the depth, what is met first counts."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise NotJson from None
    reader = _Reader(text, depth)
    value = reader.value(1)
    reader.blanks()
    if reader.at != len(text):
        raise NotJson
    return value


class _Reader:
    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.depth = depth
        self.at = 0

    def blanks(self) -> None:
        self.at = _BLANKS.match(self.text, self.at).end()  # type: ignore[union-attr]

    def next(self) -> str:
        """The next character that is no blank; it stays where it is."""
        if self.text[self.at : self.at + 1] <= " ":
            self.blanks()
        if self.at == len(self.text):
            raise NotJson
        return self.text[self.at]

    def take(self, wanted: str) -> bool:
        if self.next() != wanted:
            return False
        self.at += 1
        return True

    def expect(self, wanted: str) -> None:
        if not self.take(wanted):
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
    """What the escapes stand for; a surrogate without its partner stands for nothing."""
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
