"""The mask of D22, as the hidden places of a number."""

from __future__ import annotations

import re
from typing import Iterable

#: 3a: "Digits are ASCII, full-width (U+FF10–U+FF19), Arabic-Indic (U+0660–U+0669) and Extended Arabic-Indic".
DIGIT = r"[0-9\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]"

#: "A value that is not a number becomes six stars."
NOT_A_NUMBER = "******"
#: 3a: "The value becomes `***`".
SECURITY_CODE = "***"


def ascii_digits(digits: Iterable[str]) -> str:
    """Returns the digits of any script as ASCII digits."""
    return "".join(str(int(digit)) for digit in digits)


def hidden(count: int) -> range:
    """Returns the places of the digits that a number of that many digits hides."""
    if count < 12:
        # "A value too short for a card number keeps its first two digits."
        return range(2, count)
    # "The first six and the last four digits stay"; "of a number with fewer than 15 digits only as many first digits
    # stay that five are hidden (12: three, 13: four, 14: five)".
    return range(min(6, count - 4 - 5), count - 4)


# At most six digits, stars, at most four digits.
_MASKED = re.compile(rf"{DIGIT}{{0,6}}\*+{DIGIT}{{0,4}}\Z")


def is_masked(value: str) -> bool:
    """Returns whether a value is masked already."""
    return _MASKED.match(value) is not None
