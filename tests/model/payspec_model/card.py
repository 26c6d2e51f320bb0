"""Card numbers: schemes, the checksum, and numbers in a text."""

from __future__ import annotations

import re
from typing import Optional

# Section 3: prefixes as ranges, and the published lengths of the schemes.
_SCHEMES = {
    "visa": (["4"], {13, 16, 19}),
    "mastercard": (["51-55", "2221-2720"], {16}),
    "american_express": (["34", "37"], {15}),
    "mir": (["2200-2204"], {16, 17, 18, 19}),
    "unionpay": (["62", "81"], {16, 17, 18, 19}),
    "jcb": (["3528-3589"], {16, 17, 18, 19}),
    "discover": (["6011", "644-649", "65"], {16, 17, 18, 19}),
    "diners_club": (["300-305", "36", "38", "39"], {14, 15, 16, 17, 18, 19}),
    "maestro": (["50", "56-59", "6"], set(range(12, 20))),
    "elo": (
        (
            "401178 401179 431274 438935 451416 457393 457631 457632 504175 506699-506778 509000-509999 627780 636297"
            " 636368 650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727"
            " 650901-650978 651652-651679 655000-655019 655021-655058"
        ).split(),
        {16},
    ),
    "hipercard": (["606282"], {16}),
    "verve": (["506099-506198", "507865-507964"], {16, 18, 19}),
    "troy": (["9792"], {16}),
    "uzcard": (["8600"], {16}),
    "humo": (["9860"], {16}),
}


def _prefixes() -> dict[str, str]:
    found = {}
    for scheme, (ranges, _) in _SCHEMES.items():
        for text in ranges:
            first, _, last = text.partition("-")
            for prefix in range(int(first), int(last or first) + 1):
                found[str(prefix)] = scheme
    return found


_PREFIXES = _prefixes()


def scheme(digits: str) -> Optional[str]:
    """Returns the scheme of the longest known prefix."""
    for length in (6, 5, 4, 3, 2, 1):
        found = _PREFIXES.get(digits[:length])
        if found is not None and len(digits) >= length:
            return found
    return None


def lengths(name: str) -> set[int]:
    return _SCHEMES[name][1]


def luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_number(text: str) -> bool:
    return re.match(r"[0-9]{12,19}\Z", text) is not None


# Digits with at most one space or hyphen between two of them.
_RUN = re.compile(r"[0-9](?:[ -]?[0-9])*")


def contains_card_number(text: str) -> bool:
    """Returns whether a text contains a likely card number of 13 to 19 digits, with no digit directly before or after."""
    for run in _RUN.findall(text):
        groups = re.split("[ -]", run)
        for first in range(len(groups)):
            digits = ""
            for group in groups[first:]:
                digits += group
                if len(digits) > 19:
                    break
                if len(digits) >= 13 and looks_like_card(digits):
                    return True
    return False


def looks_like_card(digits: str) -> bool:
    name = scheme(digits)
    return name is not None and len(digits) in lengths(name) and luhn(digits)
