"""Names of card data."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import List, Optional

#: "Card numbers: …. The value is masked, whatever its form."
NUMBERS = {"cardnumber", "cardno", "ccnumber", "ccnum", "creditcardnumber", "primaryaccountnumber"}
#: "Security codes: …"
CODES = set("securitycode cvv cvv2 cvc cvc2 cvn cvn2 cvp2 cav2 cvd verificationvalue cardverificationvalue".split())
#: "… and names that begin or end with cvv, cvc, csc or securitycode as a word of the name (`card_cvv`, `cvvCode`,
#: `cc-csc`)."
CODE_WORDS = {"cvv", "cvc", "csc", "securitycode"}
#: "Weak names, which have other meanings too: pan is masked only if the value is 12 to 19 digits, in groups or not; cid,
#: csc, cav and cve only if the value is 3 or 4 digits."
WEAK_NUMBERS = {"pan"}
WEAK_CODES = {"cid", "csc", "cav", "cve"}

NUMBER, CODE, WEAK_NUMBER, WEAK_CODE = "number", "code", "weak number", "weak code"

_WORD = re.compile(r"[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")


@lru_cache(maxsize=100_000)
def kind(name: str, may_begin: bool = True) -> Optional[str]:
    """Returns the kind of card data that a complete name announces, if any."""
    # "Names of card data are compared without case, `_`, `-`, `.` and spaces".
    plain = re.sub(r"[_\-. ]", "", name).lower()
    for names, found in (
        (NUMBERS, NUMBER),
        (WEAK_NUMBERS, WEAK_NUMBER),
        (WEAK_CODES, WEAK_CODE),
        (CODES, CODE),
    ):
        if plain in names:
            return found
    words = words_of(name)
    first = {"".join(words[:count]) for count in (1, 2)} if may_begin else set()
    last = {"".join(words[-count:]) for count in (1, 2)}
    return CODE if CODE_WORDS & (first | last) else None


def words_of(name: str) -> List[str]:
    """Returns the words of a name in lower case: `cardCvv2` is card and cvv. A number after a word is not part of it."""
    words = [word.lower().rstrip("0123456789") for word in _WORD.findall(name)]
    return [word for word in words if word]
