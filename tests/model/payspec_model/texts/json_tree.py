"""JSON with the places of its values. The text is JSON, which `payspec_model.reader` checks."""

from __future__ import annotations

import json
import re
from typing import List, NamedTuple, Optional, Tuple

from ..reader import read, unescape

_TOKEN = re.compile(r'\s*(?:(?P<string>"(?:\\.|[^"\\])*")|(?P<other>[-+.0-9A-Za-z]+)|(?P<sign>[{}\[\],:]))')


class Node(NamedTuple):
    type: str
    start: int
    end: int
    #: The decoded characters of a string.
    text: str = ""
    #: The names and values of an object; the values of a list, without names.
    members: Tuple[Tuple[Optional["Node"], "Node"], ...] = ()


def parse(text: str) -> Node:
    """Raises `NotJson` if the text is not JSON."""
    read(text.encode("utf-8", "surrogatepass"), 128)
    tokens = list(_TOKEN.finditer(text))
    tokens.reverse()
    return _value(tokens)


def written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _value(tokens: List[re.Match[str]]) -> Node:
    token = tokens.pop()
    if token.group("string"):
        start, end = token.span("string")
        return Node("string", start, end, unescape(token.group("string")[1:-1]))
    if token.group("other"):
        return Node("other", *token.span("other"))
    is_object = token.group("sign") == "{"
    members: List[Tuple[Optional[Node], Node]] = []
    while tokens[-1].group("sign") not in ("}", "]"):
        if tokens[-1].group("sign") == ",":
            tokens.pop()
        name = None
        if is_object:
            name = _value(tokens)
            tokens.pop()
        members.append((name, _value(tokens)))
    end = tokens.pop().end()
    return Node("object" if is_object else "array", token.start("sign"), end, "", tuple(members))
