"""`contains_card_number`, `redact_text` and `redact`."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, Optional, Set, Tuple

from . import names
from .escapes import ESCAPE, Reading, readings
from .json_tree import Node, parse, written
from .mask import DIGIT, NOT_A_NUMBER, SECURITY_CODE, ascii_digits, hidden, is_masked
from .numbers import SEPARATORS, card_numbers, is_uuid
from .values import Value, is_number_in_groups, values

Span = Tuple[int, int]

_SEPARATOR = "|".join(map(re.escape, sorted(SEPARATORS, reverse=True)))


def contains_card_number(text: str) -> bool:
    """Returns whether any reading of the text contains a card number by its form."""
    return any(True for reading in readings(text) for _ in card_numbers(reading))


def contains_named_number(text: str) -> bool:
    """Returns whether a value under the name of a card number has 12 digits or more: "12- and 13-digit numbers count
    only under a name"."""
    contents = (
        (value.kind, reading.text[value.start : value.end]) for reading in readings(text) for value in values(reading)
    )
    return any(
        kind == names.NUMBER and _is_long_number(content) or kind == names.WEAK_NUMBER and is_number_in_groups(content)
        for kind, content in contents
    )


def _is_long_number(content: str) -> bool:
    """Returns whether a value has 12 digits or more in a row, in groups or not, and is no UUID."""
    return re.search(rf"{DIGIT}(?:(?:{_SEPARATOR})?{DIGIT}){{11,}}", content) is not None and not is_uuid(content)



class Edits:
    """What changes in a text: ranges to be replaced, and places to be hidden behind one star each."""

    def __init__(self) -> None:
        self.replaced: Dict[Span, str] = {}
        self.hidden: Set[Span] = set()

    def replace(self, span: Span, text: str) -> None:
        """If ranges are equal, that of a security code counts, since it shows less."""
        if self.replaced.get(span) != SECURITY_CODE:
            self.replaced[span] = text

    def merged(self) -> List[Tuple[Span, str]]:
        """Returns the ranges in order. Those that overlap become one, replaced like the first and longest of them."""
        merged: List[Tuple[Span, str]] = []
        hidden = {span: "*" for span in self.hidden}
        for span, text in sorted({**hidden, **self.replaced}.items(), key=lambda edit: (edit[0][0], -edit[0][1])):
            last = merged[-1][0] if merged else (0, 0)
            are_replaced = bool(merged) and last[0] < last[1] and last in self.replaced and span in self.replaced
            if span[0] < last[1] or (are_replaced and span[0] == last[1] < span[1]):
                merged[-1] = ((last[0], max(last[1], span[1])), merged[-1][1])
            else:
                merged.append((span, text))
        # The quotes around a number come before and after its digits.
        return sorted(merged, key=lambda edit: (edit[0][0], edit[0][1]))

    def apply(self, text: str) -> str:
        result = ""
        at = 0
        for (start, end), replacement in self.merged():
            result += text[at:start] + replacement
            at = end
        return result + text[at:]


def redact_text(text: str) -> str:
    """Redacts until nothing changes: a mask may change the meaning of what surrounds it."""
    redacted = _redacted_once(text)
    return text if redacted == text else redact_text(redacted)


def _redacted_once(text: str) -> str:
    edits = Edits()
    all_readings = readings(text)
    first_digits: Set[int] = set()
    for reading in all_readings:
        for number in card_numbers(reading):
            edits.hidden.update(reading.range(at, at + 1) for at in number.hidden_places())
            first_digits.add(reading.starts[number.places[0]])
    # The ends of objects and arrays, by their beginning. A reading in which one has an end knows its strings; in further
    # readings their quotes may look like others.
    containers: Dict[int, int] = {}
    for reading in all_readings:
        for value in values(reading):
            start, end = reading.range(value.start, value.end)
            if value.kind == names.WEAK_CODE and (start in first_digits or _may_precede_mask(reading, value.end)):
                continue
            is_container = value.is_bare and reading.text[value.start : value.start + 1] in ("{", "[")
            if not is_container or containers.setdefault(start, end) == end:
                _redact_value(text, reading, value, edits)
    return edits.apply(text)


def _may_precede_mask(reading: Reading, end: int) -> bool:
    """Returns whether a group with stars follows, so that the value is the first group of a masked number.

    The next reading knows what an escape stands for.
    """
    rest = reading.text[end:]
    return re.match(rf"(?:{_SEPARATOR}){DIGIT}*\*", rest) is not None or ESCAPE.match(rest) is not None


def _redact_value(text: str, reading: Reading, value: Value, edits: Edits) -> None:
    content = reading.text[value.start : value.end]
    # "null" in quotes is a text.
    is_null = content == "null" and reading.text[value.start - 1 : value.start] not in ('"', "'", "`")
    mask = None if value.kind == names.NUMBER and is_null else mask_of(value.kind, content)
    is_quoted_by_mask = value.quote is not None and value.kind == names.NUMBER and not is_masked(content)
    if mask is not None and (mask != content or is_quoted_by_mask):
        quote = "" if value.quote is None else text[slice(*reading.range(*value.quote))]
        edits.replace(reading.range(value.start, value.end), quote + mask + quote)


def mask_of(kind: str, content: str) -> Optional[str]:
    """Returns the replacement of a value, or None if the value stays."""
    # "Nothing is masked in … UUIDs under any name".
    if is_uuid(content):
        return None
    if kind == names.CODE:
        return SECURITY_CODE
    if kind == names.WEAK_CODE:
        return SECURITY_CODE if re.fullmatch(f"{DIGIT}{{3,4}}", content) else None
    if kind == names.WEAK_NUMBER and not is_number_in_groups(content):
        return None
    if is_masked(content):
        return content
    if not re.fullmatch(f"{DIGIT}{{1,19}}", content):
        return NOT_A_NUMBER
    digits = ascii_digits(content)
    return "".join("*" if at in hidden(len(digits)) else digit for at, digit in enumerate(digits))


def redact(body: str) -> str:
    """ "masks the values of named members, and treats every other string as a text". The body is JSON."""
    tree = parse(body)
    return body[: tree.start] + "".join(_redacted(body, tree, None)) + body[tree.end :]


def _redacted(body: str, node: Node, kind: Optional[str]) -> Iterator[str]:
    """Yields the parts of a value under a name of that kind. Parts without card data keep their bytes."""
    token = body[node.start : node.end]
    content = node.text if node.type == "string" else token
    is_nested = node.type in ("object", "array")
    # A weak name needs digits, so lists and objects under it are ordinary ones.
    is_weak = kind in (names.WEAK_NUMBER, names.WEAK_CODE)
    is_null = token == "null" and kind == names.NUMBER
    mask = None if kind is None or is_null or (is_nested and is_weak) else mask_of(kind, content)
    if mask is not None:
        yield token if mask == content and node.type == "string" else written(mask)
    elif is_nested:
        yield from _redacted_parts(body, node)
    elif kind in (names.NUMBER, names.CODE) and node.type != "string":
        yield token
    else:
        changed = redact_text(content)
        yield token if changed == content else written(changed)


def _redacted_parts(body: str, node: Node) -> Iterator[str]:
    at = node.start
    for (name, value), kind in zip(node.members, kinds_of_members(node)):
        if name is not None:
            yield body[at : name.start]
            yield from _redacted(body, name, None)
            at = name.end
        yield body[at : value.start]
        yield from _redacted(body, value, kind)
        at = value.end
    yield body[at : node.end]


def kinds_of_members(node: Node) -> Iterator[Optional[str]]:
    """Yields the kind of card data that the name of each member announces.

    "JSON objects with the members `name` and `value` (HAR)": the value of `name` announces that of `value`.
    """
    announced = (
        names.kind_of_member(value.text)
        for name, value in node.members
        if name is not None and name.text.lower() == "name" and value.type == "string"
    )
    kind_of_value = next(filter(None, announced), None)
    for name, _ in node.members:
        if name is None:
            yield None
        else:
            is_value = name.text.lower() == "value"
            yield names.kind_of_member(name.text) or (kind_of_value if is_value else None)
