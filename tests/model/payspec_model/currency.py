"""The published list of ISO 4217, read from the copy in `core/src/money`."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Dict, Optional

_LIST = Path(__file__).resolve().parents[3] / "core" / "src" / "money" / "iso4217.csv"


def _read() -> Dict[str, Optional[int]]:
    with _LIST.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        return {row["code"]: int(row["minor_unit"]) if row["minor_unit"] else None for row in rows}


#: The digits of the minor unit by code, None for a code that is not a currency.
MINOR_UNITS = _read()
