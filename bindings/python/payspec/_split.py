"""Reads an answer: the exact bytes of its members, or objects."""

import json
import math
import re

# A string, or a separator between values. Numbers and literals are skipped.
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}:,]')


def split(answer: bytes) -> dict[str, bytes]:
    """Returns the text of each member of an object that the library wrote, at any depth.

    A body that is parsed and written again may have other numbers and escapes; a stored one must not change.
    """
    members: dict[str, bytes] = {}
    depth, name, start = 0, "", 0
    for token in _TOKEN.finditer(answer):
        mark = token[0]
        if mark in (b"{", b"["):
            depth += 1
        elif mark in (b"}", b"]"):
            depth -= 1
        if depth == 1 and mark == b":":
            start = token.end()
        elif start and (depth == 0 or depth == 1 and mark == b","):
            members[name] = answer[start : token.start()]
            start = 0
        elif depth == 1 and not start and mark[:1] == b'"':
            name = json.loads(mark)
    return members


def _integer(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits  # longer than sys.get_int_max_str_digits()


def _float(digits: str) -> float | str:
    number = float(digits)
    return number if math.isfinite(number) else digits


#: Takes every number that a client can send. One that Python cannot hold stays text, so that it can be written again.
DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_float)
