"""Timestamps, and the end of a card's month."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Optional, Tuple

# RFC 3339 with upper-case `T` and `Z`; a leap second is not a timestamp here.
_INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))\Z"
)


def parse(text: str) -> Optional[datetime]:
    """Returns the time in UTC, rounded down to seconds, because months end at full seconds."""
    found = _INSTANT.match(text)
    if found is None:
        return None
    sign, hours, minutes = found.group(7), int(found.group(8) or 0), int(found.group(9) or 0)
    if hours > 23 or minutes > 59:
        return None
    year, *rest = map(int, found.groups()[:6])
    try:
        # datetime has no year 0; no card is as old as that, and calendars repeat after 400 years.
        local = datetime(year if year > 400 else year + 400, *rest, tzinfo=timezone.utc)  # type: ignore[arg-type, misc]
        offset = timedelta(hours=hours, minutes=minutes)
        return local + offset if sign == "-" else local - offset
    except (ValueError, OverflowError):
        return None


def expired(year: int, month: int, now: datetime) -> bool:
    """Returns whether the month has ended everywhere: in UTC-12 it lasts until noon of the next month's first day in UTC."""
    after: Tuple[int, int] = (year + 1, 1) if month == 12 else (year, month + 1)
    return now >= datetime(after[0], after[1], 1, 12, tzinfo=timezone.utc)
