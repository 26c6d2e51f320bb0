"""IBANs in a text: 3a, "groups that belong to a valid IBAN (country code, mod 97)"."""

from __future__ import annotations

import re
from typing import Iterator, Tuple

#: The countries of the registry of IBANs, with the length of their IBANs.
_LENGTHS = {
    entry[:2]: int(entry[2:])
    for entry in (
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29"
        " ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20"
        " LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29"
        " PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
        " YE30"
    ).split()
}

_START = re.compile(r"(?<![A-Za-z0-9])([A-Z]{2})[0-9]{2}(?=[^A-Za-z0-9]{0,2}[A-Z0-9])")
_SEPARATOR = re.compile(r"  ?|[\t\u00a0\u202f\u2009\-\u2010\u2011\u2012\u2013._+]")


def ibans(text: str) -> Iterator[Tuple[int, int]]:
    """Yields the ranges of valid IBANs, in groups of four or together."""
    for start in _START.finditer(text):
        length = _LENGTHS.get(start.group(1))
        if length is None:
            continue
        separator = _SEPARATOR.match(text, start.end())
        found = _read(text, start.start(), length, separator.group() if separator else "")
        if found is not None and _is_valid(found[0]):
            yield start.start(), found[1]


def _read(text: str, start: int, length: int, separator: str) -> Tuple[str, int] | None:
    """Returns the characters of an IBAN of that length, and its end."""
    characters = ""
    at = start
    while len(characters) < length:
        if separator and characters and len(characters) % 4 == 0:
            if not text.startswith(separator, at):
                return None
            at += len(separator)
        if re.match("[A-Z0-9]", text[at : at + 1]) is None:
            return None
        characters += text[at]
        at += 1
    if re.match("[A-Za-z0-9]", text[at : at + 1]):
        return None
    return characters, at


def _is_valid(characters: str) -> bool:
    """ISO 7064, mod 97-10: letters count as 10 to 35."""
    moved = characters[4:] + characters[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1
