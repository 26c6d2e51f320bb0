"""Times in the notations of logs."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random


def moment(random: Random) -> datetime:
    return datetime(2026, 11, 1, tzinfo=timezone.utc) + timedelta(microseconds=random.randrange(30 * 86_400 * 10**6))


def rfc3339(random: Random, digits: int = 3) -> str:
    at = moment(random)
    fraction = f"{at.microsecond:06}000"[:digits]
    return f"{at:%Y-%m-%dT%H:%M:%S}.{fraction}Z"


def plain(random: Random) -> str:
    at = moment(random)
    return f"{at:%Y-%m-%d %H:%M:%S},{at.microsecond // 1000:03}"
