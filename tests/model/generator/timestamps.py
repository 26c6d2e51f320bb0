"""Generates timestamps, many of them at the end of a month in UTC-12."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random
from typing import Optional

_BROKEN = (
    "", "2026-01-01t00:00:00Z", "2026-01-01T00:00:00z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:60Z",
    "2016-12-31T23:59:60Z",
    "2026-01-01T24:00:00Z", "2026-02-29T00:00:00Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60", "2026-01-01T00:00Z",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00,5Z", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z ", "2026-1-1T00:00:00Z",
    "+2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00+0000", "2026-01-01T00:00:00+00", "2026-01-01T00:00:00UTC", "２026-01-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:00\u221201:00",
    "20260101T000000Z", "today",
)  # fmt: skip
_RARE = (
    "0000-01-01T00:00:00Z",
    "2024-02-29T00:00:00Z",
    "2026-01-01T00:00:00-00:00",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+01:00",
)


def timestamp(random: Random) -> Optional[str]:
    if random.random() < 0.3:
        return None
    if random.random() < 0.01:
        return random.choice(_BROKEN + _RARE)
    year = random.choice((1999, 2000, 2001, 2024, 2026, 2026, 2026, 2031, 2098, 2099, 2100, 2150))
    moment = datetime(year, random.randint(1, 12), 1, 12, tzinfo=timezone.utc)
    moment += timedelta(seconds=random.choice((0, 0, -1, -1, 1, -43200, 43200, -50400, 1209600)))
    offset = random.choice((None, None, None, 0, -720, 840, 330, -210, -1439, 60))
    shift = timedelta(minutes=offset or 0)
    text = (moment + shift).strftime("%Y-%m-%dT%H:%M:%S")
    text = text.rjust(19, "0") + random.choice(("", "", ".0", ".999", ".999999999", ".5"))
    if offset is None:
        return text + "Z"
    minutes = int(shift.total_seconds() // 60)
    sign = "-" if minutes < 0 else "+"
    return f"{text}{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
