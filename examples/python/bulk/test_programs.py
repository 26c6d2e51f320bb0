"""Runs the programs of this folder with a few requests and payments. Names of programs are its arguments."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

VALID = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}'
REQUESTS = [
    ("shop-1", VALID),
    ("shop-1", VALID.replace("990.50", "0")),
    ("shop-1", VALID.replace("990.50", "-1")),
    ("shop-1", VALID.replace("990.50", "-2")),
    ("shop-2", VALID.replace("RUB", "EUR")),
    ("shop-2", "["),
]
LEGACY = (
    '{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","merchant_id":"shop-1","type":"sbp","status":"completed",'
    '"amount":"5.10","currency":"RUB","payed_amount":5.10,"created_date":"2026-11-01T12:00:00Z",'
    '"info":{"n":12345678901234567890.1234567890}}'
)
#: A payment without a state, one without its other members, a body that is not JSON, and none.
PAYMENTS = [LEGACY, LEGACY.replace("shop-1", "shop-2"), LEGACY.replace("status", "stage"), "{}", "[", None]


def prepare() -> None:
    merchants, bodies = zip(*REQUESTS)
    table = pa.table({"merchant_id": merchants, "body": bodies})
    Path("requests").mkdir()
    pq.write_table(table, "requests/2026-11.parquet")
    Path("payments").mkdir()
    pq.write_table(pa.table({"id": range(len(PAYMENTS)), "body": PAYMENTS}), "payments/2026-11.parquet")


def printed(program: str) -> str:
    path = Path(__file__).with_name(f"{program}.py")
    ran = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=240)
    if ran.returncode != 0:
        raise AssertionError(ran.stderr[-4_000:])
    return ran.stdout


def rows(text: str) -> list[list[str]]:
    """Returns the cells of a table of DuckDB or polars."""
    lines = [line.strip("│").replace("┆", "│").split("│") for line in text.splitlines() if "│" in line]
    return [[cell.strip() for cell in line] for line in lines]


def report() -> None:
    printed("report")
    checked = pq.read_table("checked.parquet")
    assert checked["valid"].to_pylist() == [True] + [False] * 5
    assert "json_syntax" in checked["report"][5].as_py()


def violations() -> None:
    expected = [
        ["shop-1", "amount_syntax", "2"],
        ["shop-1", "amount_not_positive", "1"],
        ["shop-2", "currency_not_allowed", "1"],
        ["shop-2", "json_syntax", "1"],
    ]
    assert rows(printed("violations"))[-4:] == expected


def rejected() -> None:
    assert rows(printed("rejected"))[-2:] == [["shop-1", "3"], ["shop-2", "2"]]


def migrated() -> None:
    assert printed("migrated") == "migrated: 2 payments\nunresolved: 4 payments\n"
    complete, unresolved = (pq.read_table(folder).to_pylist() for folder in ("migrated", "unresolved"))
    for row in complete:
        # Numbers are unchanged.
        assert '"paid_amount":5.10,' in row["body"], row
        assert '"info":{"n":12345678901234567890.1234567890}' in row["body"], row
    found = {row["id"]: json.loads(row["body"]) for row in complete}
    assert found.keys() == {0, 1}, found
    assert [found[n]["merchant_id"] for n in (0, 1)] == ["shop-1", "shop-2"], found
    assert all(body["state"] == "completed" for body in found.values()), found
    answers = {row["id"]: row["answer"] for row in unresolved}
    assert answers.keys() == {2, 3, 4, 5}, answers
    assert '"path":"/state"' in answers[2] and '"path":"/uid"' in answers[3], answers
    assert "json_syntax" in answers[4] and answers[5] is None, answers


PROGRAMS: dict[str, Callable[[], None]] = {f.__name__: f for f in (report, violations, rejected, migrated)}

if __name__ == "__main__":
    failed = 0
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            prepare()
            try:
                PROGRAMS[name]()
            except AssertionError as error:
                failed += 1
                print(f"{name}: {error}")
            os.chdir("/")
    print(f"tests: {len(sys.argv) - 1 - failed} passed, {failed} failed")
    sys.exit(failed > 0)
