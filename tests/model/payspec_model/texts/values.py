"""Values of card data under a name, in one reading of a text."""

from __future__ import annotations

import re
from typing import Iterator, List, NamedTuple, Optional, Tuple

from . import names
from .escapes import ESC, ESCAPE, Reading, as_written, decode, readings, without_escapes
from .mask import DIGIT, NOT_A_NUMBER, is_masked
from .numbers import card_numbers, is_ascii_letter

#: Spaces in a line, and colour sequences: they may be around the name, the separator and the value.
_COLOUR = rf"{ESC}(?!\[)"
_SPACE = rf"(?:[ \t\u00a0]|{_COLOUR})*"
_ANY_SPACE = rf"(?:[ \t\u00a0\r\n]|{_COLOUR})*"
#: A hyphen alone does not belong to a name: `cvv - 123`.
_IDENTIFIER = re.compile(r"(?![_.\-]+(?![A-Za-z0-9_.\-]))[A-Za-z0-9_.\-]+")
#: `card number`, `card[number]`, `card["number"]`
_BETWEEN_WORDS = re.compile(r"[ .\[][ \"']?")
_TAG_START = re.compile(r"<(?:[A-Za-z0-9_.\-]+:)?\Z")
#: The end of a name: its quote, and the end of the brackets around it (`card[cvv]`, `{{cvv}}`).
_END_OF_NAME = re.compile(rf"{ESC}*(?P<quote>[\"'`]?){ESC}*(?P<brackets>(?:[\])}}]|\[[0-9]*\])*)(?:\.(?=[:=]))?")
#: "in JSON, in `name=value`, `name: value`, `name => value`"
_SEPARATOR = re.compile(rf"{_SPACE}(?:=>|:=|={{1,3}}|:(?!:)){_SPACE}")
#: Only the value of a name in quotes or brackets may begin in a later line, as in JSON.
_SEPARATOR_OF_LINES = re.compile(rf"{_ANY_SPACE}(?:=>|:=|={{1,3}}|:(?!:)){_ANY_SPACE}")
#: "after a space alone (`cvv 123`) if it is 3 or 4 digits"
_AFTER_SPACE = re.compile(
    rf"[\"'`]?{ESC}*[ \t\u00a0]{_SPACE}[\"'`]?(?P<value>{DIGIT}{{3,4}})(?!{DIGIT}|[A-Za-z_\-/=+]|\.{DIGIT})"
)

Span = Tuple[int, int]


class Value(NamedTuple):
    """A value under a name of card data."""

    kind: str
    start: int
    end: int
    #: The name's quote, if the name has quotes and the value has none: `"cvv":123` becomes `"cvv":"***"`, which is JSON.
    quote: Optional[Span]
    #: It has neither quotes nor a wrapper.
    is_bare: bool = False


class Scalar(NamedTuple):
    start: int
    end: int
    #: It has neither quotes nor a wrapper.
    is_bare: bool


def values(reading: Reading) -> Iterator[Value]:
    """Yields the values under names of card data."""
    yield from _after_names(reading)
    yield from _in_elements(reading.text)
    yield from _in_name_and_value(reading.text)


# Names in texts


def _after_names(reading: Reading) -> Iterator[Value]:
    text = reading.text
    words: List[str] = []
    end_of_last = -1
    is_tag = False
    # The letters of an escape are not those of a name beside it: `\\nCSC`.
    for identifier in _IDENTIFIER.finditer(without_escapes(reading)):
        # The name of an element is not a part of the name of its attribute.
        is_next = _BETWEEN_WORDS.fullmatch(text, max(0, end_of_last), identifier.start()) and not is_tag
        is_tag = _TAG_START.search(text, max(0, identifier.start() - 64), identifier.start()) is not None
        words = [*words[-2:], identifier.group()] if is_next else [identifier.group()]
        end_of_last = identifier.end()
        for kind in names.kinds_in_text(words):
            yield from _after_separator(text, identifier.end(), kind)
        if names.is_code_before_space(words):
            found = _AFTER_SPACE.match(text, identifier.end())
            if found is not None:
                yield Value(names.CODE, *found.span("value"), None)


def _after_separator(text: str, end: int, kind: str) -> Iterator[Value]:
    name_end = _END_OF_NAME.match(text, end)
    assert name_end is not None, "nothing matches too"
    is_quoted = name_end.group("quote") != ""
    is_enclosed = is_quoted or name_end.group("brackets") != ""
    separator = (_SEPARATOR_OF_LINES if is_enclosed else _SEPARATOR).match(text, name_end.end())
    if separator is None:
        return
    at = separator.end()
    if not is_quoted and re.match(r"[\"'`](?:[,}\]):;\r\n]|\Z)", text[at:]):
        # The quote ends a string that ends with the name: `{"message":"missing cvv:","code":5}`.
        return
    yield from _values_at(text, at, kind, name_end.span("quote") if is_quoted else None, is_enclosed)


def _values_at(text: str, at: int, kind: str, quote: Optional[Span], is_enclosed: bool) -> Iterator[Value]:
    for scalar in scalars(text, at, kind, is_enclosed):
        yield Value(kind, scalar.start, scalar.end, quote if scalar.is_bare else None, scalar.is_bare)


# Forms of values

#: A value may be in a wrapper: "`Some("123")`, `Optional("123")`, …, `NumberLong("123")`, `CardCode{value="123"}`".
#: Parentheses and angle brackets alone are a wrapper too; brackets and braces alone are a list or an object.
_WRAPPER = re.compile(r"#<[A-Za-z_][A-Za-z0-9_.:]* |[&*@]?(?:[A-Za-z_][A-Za-z0-9_.:]* ?[(\[{<]|[(<])")
#: `string(3) "123"`
_TYPE = re.compile(r"[A-Za-z_]+\([0-9]*\) +(?=[\"'`\\&%])")
#: "`b'123'`", and the prefixes of other languages.
_QUOTE = re.compile(r"(?:[A-Za-z&@$*]{1,2})?(?P<quote>[\"'`])")
_NAME_IN_WRAPPER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\s*(?:=>|=|:)\s*")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
#: What ends a value without quotes.
_DELIMITER = re.compile(r"[\s,;&|<>\"'`)\]}\x00-\x1f\x7f]")


_MASKED_GROUP = re.compile(f"[*{DIGIT[1:-1]}]+")


def scalars(text: str, at: int, kind: str, is_enclosed: bool) -> Iterator[Scalar]:
    """Yields the value at a place. In a wrapper with several values, it is the first one.

    `is_enclosed` is set if the name is in quotes or brackets, so that lines do not end its value.
    """
    quoted = _quoted(text, at)
    if quoted is not None:
        yield Scalar(*quoted, is_bare=False)
        return
    type_ = _TYPE.match(text, at)
    if type_ is not None:
        if not ESCAPE.match(text, type_.end()):
            yield from (scalar._replace(is_bare=False) for scalar in scalars(text, type_.end(), kind, is_enclosed))
        return
    wrapper = _WRAPPER.match(text, at)
    if wrapper is not None:
        # The bracket is the last character, or the second one of `#<Cvv 123>`.
        end = balanced_end(text, at + 1 if text[at] == "#" else wrapper.end() - 1)
        yield from _inside(text, wrapper.end(), end, kind, is_enclosed)
        return
    if text[at : at + 1] in ("[", "{"):
        end = _container_end(text, at, is_enclosed)
        if end > at:
            yield Scalar(at, end, is_bare=True)
        return
    end = _bare_end(text, at, kind)
    if any(character.isalnum() or character == "*" for character in text[at:end]):
        yield Scalar(at, end, is_bare=True)


def _inside(text: str, at: int, end: int, kind: str, is_enclosed: bool) -> Iterator[Scalar]:
    """Yields the first value in a wrapper, without its name. The next reading knows what an escape stands for."""
    at = re.compile(r"\s*").match(text, at).end()  # type: ignore[union-attr]
    name = _NAME_IN_WRAPPER.match(text, at)
    at = at if name is None else name.end()
    if ESCAPE.match(text, at):
        return
    for scalar in scalars(text, at, kind, is_enclosed):
        if scalar.start < end:
            yield scalar._replace(end=min(scalar.end, end), is_bare=False)


def _quoted(text: str, at: int) -> Optional[Span]:
    """Returns the content of a quoted value. Without a closing quote, it is the rest of the line."""
    found = _QUOTE.match(text, at)
    if found is None:
        return None
    content = re.compile(rf"(?:\\.|[^{found.group('quote')}\\\r\n])*").match(text, found.end())
    assert content is not None, "an empty content matches"
    return content.span()


def _container_end(text: str, at: int, is_enclosed: bool) -> int:
    """Returns the end of an object or array: where as many brackets are closed as opened, outside of strings.

    Without closing brackets, it is the end of the text, or that of the line if the name is not enclosed. With an escape
    outside of strings it has no end: the next reading knows what the escape stands for.
    """
    lines = re.compile(r"\Z" if is_enclosed else r"[\r\n]|\Z")
    limit = lines.search(text, at).start()  # type: ignore[union-attr]
    depth = 0
    place = at
    while place < limit:
        string = _STRING.match(text, place, limit)
        if string is not None:
            place = string.end()
            continue
        if ESCAPE.match(text, place):
            return at
        depth += (text[place] in "{[") - (text[place] in "}]")
        place += 1
        if depth == 0:
            return place
    return limit


_STRING = re.compile(r"\"(?:\\.|[^\"\\])*(?:\"|\\?\Z)", re.DOTALL)


def balanced_end(text: str, at: int) -> int:
    """Returns the end of a wrapper. Without a closing bracket, it is the end of the line.

    With an escape outside of strings it has no end: the next reading knows what the escape stands for.
    """
    expected = []
    place = at
    while place < len(text):
        quoted = _quoted(text, place) if text[place] in "\"'`" else None
        if quoted is not None:
            place = quoted[1]
        elif ESCAPE.match(text, place):
            return at
        elif text[place] in _CLOSING:
            expected.append(_CLOSING[text[place]])
        elif text[place] == expected[-1]:
            expected.pop()
            if not expected:
                return place + 1
        place += 1
    end_of_line = re.compile(r"[\r\n]|\Z").search(text, at)
    assert end_of_line is not None, "the end matches"
    return end_of_line.start()


def _bare_end(text: str, at: int, kind: str) -> int:
    """Returns the end of a value without quotes: of a mask, of the groups of a card number, or of all up to a delimiter."""
    mask = _end_of_mask(text, at, kind)
    if mask is not None:
        return mask
    groups = None if kind == names.WEAK_CODE else _end_of_groups(text, at)
    end = at if groups is None else groups
    # The next reading knows what an escape stands for.
    while end < len(text) and not _DELIMITER.match(text, end) and not ESCAPE.match(text, end):
        end += 1
    # "The cvv: 123. Yes"
    return at + len(text[at:end].rstrip(".:!?"))


def _end_of_mask(text: str, at: int, kind: str) -> Optional[int]:
    """Returns the end of a value that is masked already: masking it again changes nothing."""
    if kind in (names.CODE, names.WEAK_CODE):
        stars = re.compile(r"\*{3}(?![0-9A-Za-z*])").match(text, at)
        return None if stars is None else stars.end()
    ends = [at + len(NOT_A_NUMBER)] if text.startswith(NOT_A_NUMBER, at) else []
    group = _MASKED_GROUP.match(text, at)
    if group is not None and is_masked(group.group()) and not is_ascii_letter(text[group.end() : group.end() + 1]):
        ends.append(group.end())
    return max(ends, default=None)


_GROUPS = re.compile(rf"{DIGIT}+(?:(?:  |[ \t\u00a0\u202f\u2009\-\u2010-\u2013._+]){DIGIT}+)+")


def _end_of_groups(text: str, at: int) -> Optional[int]:
    """Returns the end of the card number at a place, or of groups of digits that may be one under a name.

    These have 12 to 19 digits. After 16, which most card numbers have, no group belongs to it.
    """
    numbers = card_numbers(as_written(text[at : at + 64]))
    ends = [number.places[-1] + 1 for number in numbers if number.places[0] == 0]
    if ends:
        return at + max(ends)
    groups = _GROUPS.match(text, at)
    count = 0
    last = None
    for run in re.compile(f"{DIGIT}+").finditer(text, at, at if groups is None else groups.end()):
        count += len(run.group())
        after = text[run.end() : run.end() + 1]
        if count > 19 or after.isalnum() or after == "*":
            break
        last = run.end() if count >= 12 and run.start() > at else last
        if count >= 16:
            break
    return last


def is_number_in_groups(value: str) -> bool:
    """Returns whether a value under a name is "12 to 19 digits, in groups or not"."""
    is_series = re.fullmatch(f"{DIGIT}+", value) or _GROUPS.fullmatch(value)
    return bool(is_series) and 12 <= len(re.findall(DIGIT, value)) <= 19


# Markup

#: An opening tag. After a word it may be a type (`Option<Cvv>`), and counts only with a closing tag.
_OPEN_TAG = re.compile(
    r"(?:(?<![\w#])|(?<!#)(?=<[^<>]*>[^<]*</))<(?:[A-Za-z0-9_.\-]+:)?(?P<element>[A-Za-z_][A-Za-z0-9_.\-]*)(?:\s+(?:[^<>]*=[^<>]*)?)?(?<!/)>"
)
_CONTENT = re.compile(r"\s*(?:<!\[CDATA\[\s*(?P<data>.*?)\s*\]\]>|(?P<text>[^<]*))", re.DOTALL)


def _in_elements(text: str) -> Iterator[Value]:
    """ "XML elements … (`<Cvv>123</Cvv>`)" """
    for tag in _OPEN_TAG.finditer(text):
        kind = names.kind(tag.group("element"))
        content = _CONTENT.match(text, tag.end())
        if kind is None or content is None:
            continue
        if content.group("data"):
            yield Value(kind, content.start("data"), _last_end(text, *content.span("data")), None)
        elif content.group("data") is None and content.group("text").strip():
            yield Value(kind, content.start("text"), _last_end(text, *content.span("text")), None)


def _last_end(text: str, start: int, end: int) -> int:
    """Returns the end of the last character that is not a space, written or escaped."""
    once = decode(text[start:end])
    return start + max((at for character, at in zip(once.text, once.ends) if character not in " \t\r\n"), default=0)


_KEY = r"(?<![A-Za-z0-9_.\-])%s(?P<quote>[\"'`]?)\s*(?:=>|[:=])\s*"
_NAME_KEY = re.compile(_KEY % "name", re.IGNORECASE)
_VALUE_KEY = re.compile(_KEY % "value", re.IGNORECASE)


def _in_name_and_value(text: str) -> Iterator[Value]:
    """ "attributes (… `name="cvv" value="123"`), JSON objects with the members `name` and `value` (HAR)" """
    brackets = _brackets(text) if _NAME_KEY.search(text) else []
    for key in _NAME_KEY.finditer(text):
        quoted = _quoted(text, key.end())
        span = quoted or (key.end(), _bare_end(text, key.end(), names.CODE))
        kind = names.kind_of_member(text[slice(*span)])
        if kind is None:
            continue
        # The rest of the element or object, before and after.
        start = max((end for _, end in brackets if end <= key.start()), default=0)
        end = min((start for start, _ in brackets if start >= span[1]), default=len(text))
        for value_key in _VALUE_KEY.finditer(text, start, end):
            if not span[0] <= value_key.start() < span[1]:
                quote = value_key.span("quote") if value_key.group("quote") else None
                yield from _values_at(text, value_key.end(), kind, quote, is_enclosed=quote is not None)


def _brackets(text: str) -> List[Span]:
    """Returns the places of braces and of the brackets of tags, which may be escaped in any number of steps."""
    decoded = readings(text)[-1]
    return [decoded.range(*bracket.span()) for bracket in re.finditer("[{}<]|(?<!=)>", decoded.text)]
