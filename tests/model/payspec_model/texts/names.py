"""Names of card data."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Iterator, List, Optional, Set, Tuple

#: "Card numbers: …. The value is masked".
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

#: The last words of names with spaces.
LAST_WORDS = {"number", "no", "num", "code", "value"}

NUMBER, CODE, WEAK_NUMBER, WEAK_CODE = "number", "code", "weak number", "weak code"

_WORD = re.compile(r"[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")


@lru_cache(maxsize=100_000)
def kind(name: str) -> Optional[str]:
    """Returns the kind of card data that a complete name announces, if any."""
    plain = _plain(name)
    for names, found in (
        (NUMBERS, NUMBER),
        (WEAK_NUMBERS, WEAK_NUMBER),
        (WEAK_CODES, WEAK_CODE),
        (CODES, CODE),
    ):
        if plain in names:
            return found
    words = words_of(name)
    ends = {"".join(part).removesuffix("2") for part in (words[:1], words[:2], words[-1:], words[-2:])}
    return CODE if CODE_WORDS & ends else None


def kind_of_member(name: str) -> Optional[str]:
    """Returns the kind of a member of JSON: of its name, of its part after a point, or in "brackets (`card[cvv]`)"."""
    inner = re.search(r"\[([^\[\]]+)\]\Z", name)
    names = [name, *(name[at + 1 :] for at, character in enumerate(name) if character == ".")]
    kinds = (kind(each) for each in [*names, *(inner.groups() if inner else ())])
    return next((each for each in kinds if each is not None), None)


def kinds_in_text(words: List[str]) -> Set[str]:
    """Returns the kinds of the names that may end a text: a word, its parts after a point, and two or three words.

    Several words are a name if it is in a list (`card number`). If they begin with cvv or cvc (`cvv code`), only 3 or 4
    digits are the value. Otherwise the words before the last one may be anything: `at noon csc=NYC`.
    """
    parts = words[-1].split(".")
    found = {kind(".".join(parts[count:])) for count in range(len(parts))}
    found |= {kind(name) for _, name in _several(words) if is_listed(name)}
    is_code = any(words_of(first) in (["cvv"], ["cvv2"], ["cvc"], ["cvc2"]) for first, _ in _several(words))
    if is_code and words[-1].lower() in LAST_WORDS:
        found.add(WEAK_CODE)
    return {each for each in found if each is not None} - ({WEAK_CODE} if CODE in found else set())


def is_code_before_space(words: List[str]) -> bool:
    """Returns whether a text ends with the strong name of a security code: "after a space alone (`cvv 123`)"."""
    return kind(words[-1]) == CODE or any(is_listed(name) and kind(name) == CODE for _, name in _several(words))


def is_listed(name: str) -> bool:
    return _plain(name) in NUMBERS | CODES


def _several(words: List[str]) -> Iterator[Tuple[str, str]]:
    """Yields the last two and three words as a name, with its first word."""
    for count in range(2, len(words) + 1):
        yield words[-count], " ".join(words[-count:])


def _plain(name: str) -> str:
    """ "Names of card data are compared without case, `_`, `-`, `.` and spaces"."""
    return re.sub(r"[_\-. ]", "", name).lower()


def words_of(name: str) -> List[str]:
    """Returns the words of a name in lower case: `cardCvv2` is card and cvv2."""
    return [word.lower() for word in _WORD.findall(name)]
