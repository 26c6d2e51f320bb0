"""The rules of single values: the codes that a value of each kind breaks, in the order of the table."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Iterator, Optional

from . import card, currency, texts, uri
from .policy import Policy
from .reader import Number

# U+2028, U+2029 and characters that change the direction of writing.
_UNSEEN = {0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}

_AMOUNT = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]+))?\Z")


def text(value: str, policy: Policy, is_description: bool) -> Iterator[str]:
    if value == "":
        yield "text_empty"
    if len(value) > (policy.description_chars if is_description else policy.text_chars):
        yield "text_too_long"
    allowed = "\t\n\r" if is_description else ""
    for character in value:
        unseen = unicodedata.category(character) == "Cc" or ord(character) in _UNSEEN
        if unseen and character not in allowed:
            yield "text_control_character"
            break
    if texts.contains_card_number(value) or texts.contains_named_number(value):
        yield "card_number_in_text"


def amount(value: str, policy: Policy, cur: Any) -> Iterator[str]:
    found = _AMOUNT.match(value)
    if found is None:
        yield "amount_syntax"
        return
    integer, fraction = found.group(1), found.group(2) or ""
    if len(integer) > 18 or len(fraction) > 18:
        yield "amount_out_of_bounds"
    if set(integer + fraction) == {"0"}:
        yield "amount_not_positive"
    minor_unit = currency.MINOR_UNITS.get(cur) if isinstance(cur, str) else None
    if minor_unit is not None and fraction[minor_unit:].strip("0") != "":
        yield "amount_scale"
    bounds = policy.amounts.get(cur, {}) if isinstance(cur, str) else {}
    if "min" in bounds and decimal(value) < decimal(bounds["min"]):
        yield "amount_out_of_bounds"
    if "max" in bounds and decimal(value) > decimal(bounds["max"]):
        yield "amount_out_of_bounds"


def decimal(value: str) -> tuple[int, str, str]:
    """Returns a key with the order of the decimals."""
    integer, _, fraction = value.partition(".")
    return len(integer), integer, fraction.rstrip("0")


def currency_code(value: str, policy: Policy) -> Iterator[str]:
    if value not in currency.MINOR_UNITS:
        yield "currency_unknown"
    if policy.currencies is not None and value not in policy.currencies:
        yield "currency_not_allowed"
    if value in currency.MINOR_UNITS and currency.MINOR_UNITS[value] is None:
        yield "currency_not_fiat"


def address(value: str, policy: Policy, is_callback: bool) -> Iterator[str]:
    return uri.broken_rules(value, policy, is_callback)


def listed(value: str, allowed: tuple[str, ...]) -> Iterator[str]:
    if value not in allowed:
        yield "unsupported_value"


def card_number(value: str) -> Iterator[str]:
    if not card.is_number(value):
        yield "card_number_syntax"
        return
    passes = card.luhn(value)
    # No scheme without check digits has numbers of fewer than 14 digits.
    has_no_check_digit = card.scheme(value) in card.NO_CHECK_DIGIT and len(value) >= 14
    if set(value) == {"0"} or not (passes or has_no_check_digit):
        yield "card_number_checksum"
    if not passes and has_no_check_digit:
        yield "card_number_no_check_digit"


def security_code(value: str, number: Any) -> Iterator[str]:
    scheme = card.scheme(number) if isinstance(number, str) and card.is_number(number) else None
    digits = {"american_express": "4", None: "3,4"}.get(scheme, "3")
    if re.match(rf"[0-9]{{{digits}}}\Z", value) is None:
        yield "security_code_syntax"


def phone_number(value: str) -> Iterator[str]:
    if re.match(r"\+?[1-9][0-9]{6,14}\Z", value) is None:
        yield "phone_number_syntax"


def time_to_complete(value: Number, policy: Policy) -> Iterator[str]:
    low, high = policy.time
    if not low <= integer(value) <= high:
        yield "integer_range"


def month(value: Number) -> Iterator[str]:
    if not 1 <= integer(value) <= 12:
        yield "expiry_month_range"


def full_year(value: Number) -> Optional[int]:
    """Returns the year in four digits, also for a year of two digits, or None."""
    written = integer(value)
    if 0 <= written <= 99:
        return 2000 + written
    return written if 2000 <= written <= 2099 else None


def year(value: Number) -> Iterator[str]:
    if full_year(value) is None:
        yield "expiry_year_range"
    if 0 <= integer(value) <= 99:
        yield "expiry_year_two_digits"


def integer(value: Number) -> int:
    number = value.integer()
    assert number is not None, "the type is checked before"
    return number
