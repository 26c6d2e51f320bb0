"""Card numbers in one reading of a text, by their form alone."""

from __future__ import annotations

import re
from typing import Iterator, List, NamedTuple, Tuple

from .. import card
from .escapes import DIGIT_OF_ESCAPE, Reading, without_escapes
from .iban import ibans
from .mask import DIGIT, ascii_digits, hidden

#: The same separator between all groups: "one or two spaces, TAB, a no-break, narrow no-break or thin space, a
#: hyphen or dash (U+2010–U+2013), `.`, `_`, `+`, or `%20`". `%20` is a space of the next reading.
SEPARATORS = {" ", "  ", *"\t\u00a0\u202f\u2009-\u2010\u2011\u2012\u2013._+"}

_RUN = re.compile(f"{DIGIT}+")
_UUID = re.compile(
    r"(?<![0-9A-Za-z])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])"
)
Run = Tuple[int, int]


class Found(NamedTuple):
    """The digits of a card number, one place for each, and the places of track data after it."""

    places: List[int]
    track_data: List[int]

    def hidden_places(self) -> List[int]:
        return [self.places[at] for at in hidden(len(self.places))] + self.track_data


def card_numbers(reading: Reading) -> Iterator[Found]:
    """Yields all card numbers. They may overlap: each hides its own digits."""
    text = without_escapes(reading)
    runs = [match.span() for match in _RUN.finditer(text)]
    for groups in candidates(text, runs):
        found = _card_number(text, groups)
        if found is not None and not any(overlaps(groups, each) for each in no_card_numbers(text)):
            yield found


def candidates(text: str, runs: List[Run]) -> Iterator[List[Run]]:
    """Yields each run, and each series of neighboring runs with the same separator between all of them."""
    for first, run in enumerate(runs):
        groups = [run]
        yield groups
        separator = None
        for run in runs[first + 1 : first + 5]:
            found = separator_in(text[groups[-1][1] : run[0]])
            if found is None or found != (separator or found):
                break
            separator = found
            groups = [*groups, run]
            # "Further groups beside it do not hide it": every part of a longer series counts.
            yield groups


def separator_in(between: str) -> str | None:
    return between if between in SEPARATORS else None


def _card_number(text: str, groups: List[Run]) -> Found | None:
    # "A card number in a text is a run of 14 to 19 decimal digits …"; "12- and 13-digit numbers count only under a name".
    if not 14 <= sum(end - start for start, end in groups) <= 19:
        return None
    places = [at for start, end in groups for at in range(start, end)]
    digits = ascii_digits(text[at] for at in places)
    # "… with the prefix and a length of a known scheme, for which Luhn passes."
    if not card.looks_like_card(digits) or not is_grouped(digits, [end - start for start, end in groups]):
        return None
    start, end = groups[0][0], groups[-1][1]
    if DIGIT_OF_ESCAPE in (text[start - 1 : start], text[end : end + 1]):
        return None
    track_data = list(_track_data(text, start, end))
    if touches_a_letter(text, start, end, bool(track_data)):
        return None
    if is_fraction(text, groups):
        return None
    return Found(places, track_data)


def is_grouped(digits: str, sizes: List[int]) -> bool:
    """Returns whether the sizes are those of one run, of fours with a shorter last one, or those of the scheme."""
    if len(sizes) == 1:
        return True
    if all(size == 4 for size in sizes[:-1]) and sizes[-1] <= 4:
        return True
    # "or the groups in which the scheme writes its numbers (`gaps` of card_info)"
    ends = [0, *(gap for gap in card.gaps(digits) if gap < len(digits)), len(digits)]
    return sizes == [after - before for before, after in zip(ends, ends[1:])]


def touches_a_letter(text: str, start: int, end: int, has_track_data: bool) -> bool:
    """ "The run … does not touch an ASCII letter", except those of track data."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if is_ascii_letter(before) and not _is_track_1(text, start, end):
        return True
    return is_ascii_letter(after) and not has_track_data


def is_ascii_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()


def _is_track_1(text: str, start: int, end: int) -> bool:
    """`%B` before and `^` after the number (track 1)"""
    return text[max(0, start - 2) : start] == "%B" and text[end : end + 1] == "^"


def _track_data(text: str, start: int, end: int) -> Iterator[int]:
    """Yields the places of "the discretionary data after" a number, which "are masked as well"."""
    rest = text[end:]
    if rest.startswith("^"):
        # After the name of the card holder: expiry, service code and discretionary data.
        found = re.match(r"\^[^\^?\n]{0,40}\^([0-9]+)", rest)
    else:
        # "`=` or `D` and digits after it (track 2, EMV tag 57)"
        found = re.match(rf"[=Dd]({DIGIT}+)", rest)
    if found is not None:
        yield from range(end + found.start(1), end + found.end(1))


def is_fraction(text: str, groups: List[Run]) -> bool:
    """ "Not a card number: … a decimal fraction (unless all its digits are zero: `4111111111111111.0` is one)"."""
    if len(groups) > 1 and text[groups[0][1]] == ".":
        return False
    if re.search(rf"{DIGIT}\.\Z", text[: groups[0][0]]):
        return True
    fraction = re.match(rf"\.({DIGIT}+)", text[groups[-1][1] :])
    return fraction is not None and set(ascii_digits(fraction.group(1))) != {"0"}


def no_card_numbers(text: str) -> Iterator[Run]:
    """ "Not a card number: the digits of a UUID, …, and groups that belong to a valid IBAN"."""
    yield from (match.span() for match in _UUID.finditer(text))
    yield from ibans(text)


def overlaps(groups: List[Run], span: Run) -> bool:
    """Returns whether the groups contain digits of a UUID, or groups of an IBAN."""
    return groups[0][0] < span[1] and span[0] < groups[-1][1]


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None
