"""A body as a tree, and its texts: the same tree has several."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, List, Tuple


class Raw:
    """A token that is copied into the text."""

    def __init__(self, token: str) -> None:
        self.token = token


class Members(List[Tuple[str, Any]]):
    """An object: its members in order, possibly repeated."""

    def copy(self) -> Members:
        return Members((name, value.copy() if isinstance(value, Members) else value) for name, value in self)

    def put(self, name: str, value: Any) -> None:
        """Sets the first member with that name, or adds one."""
        for place, (member, _) in enumerate(self):
            if member == name:
                self[place] = (name, value)
                return
        self.append((name, value))

    def drop(self, name: str) -> None:
        self[:] = [member for member in self if member[0] != name]

    def get(self, name: str) -> Any:
        return next((value for member, value in self if member == name), None)


class Writer:
    """Writes trees in one notation: the escaped characters, and the whitespace between tokens."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.escaped = random.choices((0.0, 0.02, 0.4, 1.0), (75, 15, 7, 3))[0]
        self.ascii_only = random.random() < 0.1
        self.whitespace = random.choices(([""], ["", " "], ["", " ", "\n", "\t", "\r\n", "  "]), (60, 25, 15))[0]

    def text(self, value: Any) -> str:
        if len(self.whitespace) == 1:
            return self.token(value)
        return f"{self.random.choice(self.whitespace)}{self.token(value)}{self.random.choice(self.whitespace)}"

    def token(self, value: Any) -> str:
        if isinstance(value, Raw):
            return value.token
        if isinstance(value, Members):
            return "{" + ",".join(f"{self.text(name)}:{self.text(each)}" for name, each in value) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(self.text, value)) + "]"
        if isinstance(value, str):
            return self.string(value)
        return json.dumps(value)

    def string(self, value: str) -> str:
        if not self.escaped:
            return (json.encoder.encode_basestring_ascii if self.ascii_only else json.encoder.encode_basestring)(value)
        return '"' + re.sub(r"(?s).", self.character, value) + '"'

    def character(self, found: re.Match[str]) -> str:
        character = found.group()
        short = {"\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", '"': '"', "\\": "\\", "/": "/"}
        if self.random.random() >= self.escaped and character >= " " and character not in '"\\':
            return character
        if character in short and self.random.random() < 0.7:
            return "\\" + short[character]
        units = character.encode("utf-16-be")
        form = self.random.choice(("\\u{:04x}", "\\u{:04X}"))
        return "".join(form.format(int.from_bytes(units[at : at + 2], "big")) for at in range(0, len(units), 2))
