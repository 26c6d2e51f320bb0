"""Generates policies: each sets some of the members that a verdict depends on."""

from __future__ import annotations

from random import Random
from typing import Any

from payspec_model.policy import FIXED, SEVERITIES
from payspec_model.validate import TYPES

_SETTABLE = sorted(set(SEVERITIES) - FIXED)
_AMOUNTS = ("0", "0.000000000000000001", "0.01", "1", "10", "99.99", "100.00", "500000", "999999999999999999")


def policy(random: Random) -> dict[str, Any]:
    if random.random() < 0.35:
        return {}
    result: dict[str, Any] = {}
    if random.random() < 0.5:
        codes = random.sample(_SETTABLE, random.choice((1, 1, 2, 3, 6, 12, 24)))
        result["severity"] = {code: random.choice(("error", "warning", "off")) for code in codes}
    if random.random() < 0.3:
        result["required"] = random.sample(sorted(TYPES), random.choice((1, 1, 2, 4, 10)))
    if random.random() < 0.6:
        result["limits"] = limits(random)
    if random.random() < 0.25:
        result["currencies"] = random.sample(("RUB", "USD", "JPY", "KWD", "EUR", "CLF"), random.randint(1, 4))
    if random.random() < 0.25:
        schemes = ("https", "http", "ftp", "a+b-c.9", "javascript", "ws", "data")
        result["urls"] = {"schemes": random.sample(schemes, random.randint(1, 3))}
    return result


def limits(random: Random) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if random.random() < 0.25:
        result["body_bytes"] = random.choice((200, 300, 400, 500, 800, 2000))
    if random.random() < 0.3:
        result["depth"] = random.choice((1, 2, 3, 4, 5, 8, 32, 100))
    if random.random() < 0.3:
        result["violations"] = random.choice((1, 2, 3, 5, 10, 500))
    if random.random() < 0.3:
        result["text_chars"] = random.choice((1, 5, 12, 20, 64, 300))
    if random.random() < 0.3:
        result["description_chars"] = random.choice((1, 7, 20, 64, 300))
    if random.random() < 0.3:
        result["uri_bytes"] = random.choice((1, 20, 30, 40, 64, 300))
    if random.random() < 0.4:
        result["amount"] = {code: bounds(random, _AMOUNTS) for code in random.sample(("RUB", "USD", "JPY", "KWD"), 2)}
    if random.random() < 0.3:
        result["time_to_complete_payment"] = bounds(random, (1, 2, 60, 86400, 2**31, 2**53 - 1))
    return result


def bounds(random: Random, of: tuple[Any, ...]) -> dict[str, Any]:
    """Returns bounds from `of`, which is ascending, so that the minimum never exceeds the maximum."""
    low, high = sorted(random.choices(range(len(of)), k=2))
    return random.choice(({"min": of[low], "max": of[high]}, {"min": of[low]}, {"max": of[high]}))
