"""Grades a migration: runs it on other data, and compares each line with the answer of `payspec migrate`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .support import SECONDS, Unusable, payspec, run

#: A number that no float has. It replaces its name in the bodies.
EXACT = "12345678901234567.10"
#: Legacy payments of all kinds that the library migrates or rejects; each has the members of PAYMENT.
PAYMENTS: list[dict[str, Any]] = [
    {
        "merchant_id": "shop-tokyo",
        "status": "completed",
        "isCompleted": True,
        "isSucceed": True,
        "payed_amount": "10.00",
    },
    {"status": "idle"},
    {"status": "fail", "is_completed": True, "is_succeed": False, "fail_by": "bank"},
    {"status": "fail", "is_completed": True, "is_succeed": True, "fail_by": "bank"},
    {"status": "routed"},
    {"isCompleted": True, "isSucceed": False, "isPartiallyCompleted": True},
    {"merchant_id": "shop-tokyo", "status": "cancel", "payment_id": None},
    {"status": "paid"},
    {"merchant_id": "shop-tokyo", "status": "chargeback", "type": "pay_in", "method": "bank_card"},
    {"status": "completed", "type": "cash", "method": "pay_in"},
    {"status": "idle", "total": "EXACT", "info": {"note": "ключ \u2028"}},
]
PAYMENT: dict[str, Any] = {
    "method": "pay_in",
    "type": "sbp",
    "amount": "10.00",
    "cur": "RUB",
    "total": "10.00",
    "payed_amount": "0.00",
}
PAYMENT |= {"fail_by": None, "receipts": [], "created_at": "2024-11-28T06:58:24.037Z", "payed_at": None}

#: Requests that need a decision, or care.
REQUESTS = [
    (
        "pay_in",
        '{"amount":"1.00","currency":"RUB","subtype":"sbp","return_url":"https://a.example/","redirect_url":"https://b.example/"}',
    ),
    ("pay_out", '{"amount":"1.00","currency":"RUB","cur":"USD","subtype":"sbp","mode":"P2P"}'),
    ("pay_in", '{"amount":"1.00","amount":"2.00","currency":"RUB","subtype":"sbp"}'),
    ("pay_in", '{"amount":EXACT,"currency":"RUB","subtype":"sbp","idempotency_key":"exact"}'),
    ("pay_out", '{"amount":"1.00","currency":"RUB","subtype":"sbp","idempotency_key":"key of three words"}'),
    ("pay_in", '{"amount":"1.00","currency":"RUB","subtype":"sbp","idempotency_key":7}'),
    (
        "pay_in",
        '{"amount":"1.00","currency":"RUB","subtype":"sbp","idempotency_key":null,"description":"\\u0437\\u0430\\u043a\\u0430\\u0437"}',
    ),
    ("pay_in", '["no object"]'),
    ("pay_out", "no JSON"),
    ("pay_out", '{ "amount": "5", "currency": "USD", "subtype": "sbp", "payer_email": "a@example.com" }'),
]
GENERATED = 60


@dataclass
class Bodies:
    """The bodies of an input that are migrated, by the number of their line, and the paths of those that are not."""

    migrated: dict[int, tuple[str, str]]
    rejected: dict[int, list[str]]


def grade(folder: Path) -> list[str]:
    """Returns a sentence for each kind of difference from what the library migrates."""
    with tempfile.TemporaryDirectory() as name:
        source, first, second = (Path(name) / part for part in ("input", "first", "second"))
        for part in (source, first, second):
            part.mkdir()
        requests, payments = legacy_requests(), legacy_payments()
        (source / "requests.tsv").write_text("".join(f"{kind}\t{body}\n" for kind, body in requests), encoding="utf-8")
        (source / "payments.jsonl").write_text("".join(f"{body}\n" for body in payments), encoding="utf-8")
        for target in (first, second):
            start(folder, source, target)
        sentences = compare(first, expected_requests(requests), expected_payments(payments))
        if any(file.read_bytes() != (second / file.name).read_bytes() for file in first.iterdir()):
            sentences.append("A second run with the same input writes other bytes.")
        return sentences


def start(folder: Path, source: Path, target: Path) -> None:
    """Runs the program under test."""
    command = [sys.executable, "migrate.py", str(source), str(target)]
    variables = {**os.environ, "PAYSPEC": payspec()}
    try:
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, timeout=SECONDS * 4, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unusable("The migration takes longer than a minute.") from None
    if done.returncode != 0:
        raise Unusable(
            f"The migration ends with the status {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}"
        )


def legacy_requests() -> list[tuple[str, str]]:
    """Returns generated requests of both endpoints, converted to the legacy API, with the special ones between them."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "new.jsonl"
        generated = run("generate", "--count", str(GENERATED), "--seed", "11").stdout.splitlines()
        requests = []
        for kind in ("pay_in", "pay_out"):
            file.write_text(
                "".join(f"{body}\n" for body in generated if json.loads(body)["payment_type"] == kind), encoding="utf-8"
            )
            requests += [(kind, body) for body in run("migrate", "requests", "--downgrade", file).stdout.splitlines()]
    # In an order that mixes the endpoints, each third with a key.
    requests.sort(key=lambda request: request[1])
    for index in range(0, len(requests), 3):
        kind, body = requests[index]
        requests[index] = kind, body.replace("{", f'{{"idempotency_key":"order-{index}",', 1)
    for index, (kind, body) in enumerate(REQUESTS):
        requests.insert(index * 3, (kind, body.replace("EXACT", EXACT)))
    return requests


def legacy_payments() -> list[str]:
    """Returns the payments as texts."""
    bodies = []
    for index, changes in enumerate(PAYMENTS):
        body = {
            "payment_id": f"727dc9ae-688d-4437-ba38-58d95c7a{1690 + index}",
            "payment_url": "https://pay.example/",
            **PAYMENT,
            **changes,
        }
        bodies.append(json.dumps(body, ensure_ascii=False).replace('"EXACT"', EXACT))
    return [*bodies, "{", "[]"]


def expected_requests(requests: list[tuple[str, str]]) -> Bodies:
    """Returns what the library makes of the requests."""
    all = Bodies({}, {})
    for kind in ("pay_in", "pay_out"):
        bodies = {line: body for line, (endpoint, body) in enumerate(requests, 1) if endpoint == kind}
        if kind == "pay_out":
            bodies = {line: with_member(body, "mode", "P2P") for line, body in bodies.items()}
        part = migrate(bodies, "requests", "--kind", kind)
        all.migrated |= part.migrated
        all.rejected |= part.rejected
    return all


def expected_payments(payments: list[str]) -> Bodies:
    """Returns what the library makes of the payments."""
    return migrate(
        {line: with_member(body, "merchant_id", "shop-main") for line, body in enumerate(payments, 1)}, "payments"
    )


def with_member(text: str, name: str, value: str) -> str:
    """Returns the text of an object with a member that it does not have."""
    if not text.startswith("{") or f'"{name}":' in text:
        return text
    return text.replace("{", f'{{"{name}":"{value}",', 1)


def migrate(bodies: dict[int, str], *arguments: str) -> Bodies:
    """Returns what the library makes of bodies by the number of their line."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "old").write_text("".join(f"{body}\n" for body in bodies.values()), encoding="utf-8")
        run(
            "migrate",
            *arguments,
            folder / "old",
            *(f"--{option}={folder / option}" for option in ("output", "rejects", "changes")),
        )
        new, rejects, changes = (text_lines(folder / part) for part in ("output", "rejects", "changes"))
    lines = list(bodies)
    rejected = {
        lines[one["line"] - 1]: [reason["path"] for reason in one["reasons"]] for one in map(json.loads, rejects)
    }
    keys = {lines[one["line"] - 1]: one.get("idempotency_key") or "" for one in map(json.loads, changes)}
    left = [line for line in lines if line not in rejected]
    return Bodies({line: (keys.get(line, ""), body) for line, body in zip(left, new, strict=True)}, rejected)


def compare(folder: Path, requests: Bodies, payments: Bodies) -> list[str]:
    """Compares the files of the program with the bodies of the library."""
    found_requests = read(folder, "requests.tsv", lambda line: line.split("\t", 2))
    found_payments = read(folder, "payments.jsonl", digits)
    found_rejects = read(folder, "rejects.jsonl", json.loads)
    sentences: list[str | None] = []
    numbers = [int(found[0]) for found in found_requests]
    sentences.append(first("requests.tsv: line {} of the input is missing", sorted(requests.migrated.keys() - numbers)))
    sentences.append(
        first("requests.tsv: line {} cannot be decided, but is there", sorted(numbers & requests.rejected.keys()))
    )
    if numbers != sorted(set(numbers)):
        sentences.append("requests.tsv: the lines are not in the order of the input.")
    known = [
        (line, requests.migrated[line], found)
        for line, found in zip(numbers, found_requests, strict=True)
        if line in requests.migrated
    ]
    wrong_keys = [line for line, (key, _), found in known if found[1] != key]
    sentences.append(first("requests.tsv: line {} of the input has another idempotency key", wrong_keys))
    wrong = [line for line, (_, body), found in known if digits(found[2]) != digits(body)]
    sentences.append(first("requests.tsv: the body of line {} of the input differs from that of the library", wrong))
    expected = [digits(body) for _, (_, body) in sorted(payments.migrated.items())]
    if len(found_payments) != len(expected):
        sentences.append(f"payments.jsonl: there are {len(found_payments)} payments instead of {len(expected)}.")
    else:
        differ = [line for line, (new, old) in enumerate(zip(found_payments, expected, strict=True), 1) if new != old]
        sentences.append(first("payments.jsonl: line {} differs from the payment of the library", differ))
    entries = [
        {"file": "requests.tsv", "line": line, "paths": paths} for line, paths in sorted(requests.rejected.items())
    ]
    entries += [
        {"file": "payments.jsonl", "line": line, "paths": paths} for line, paths in sorted(payments.rejected.items())
    ]
    for entry in entries:
        if entry not in found_rejects:
            sentences.append(
                f"rejects.jsonl: line {entry['line']} of {entry['file']} with the paths {entry['paths']} is missing."
            )
            break
    else:
        if found_rejects != entries:
            sentences.append("rejects.jsonl: there are further entries, or they are not in the order of the input.")
    return [sentence for sentence in sentences if sentence is not None]


def read(folder: Path, name: str, parse: Callable[[str], Any]) -> list[Any]:
    """Reads the lines of a file of the program."""
    try:
        return [parse(line) for line in text_lines(folder / name)]
    except OSError:
        raise Unusable(f"The migration writes no file {name}.") from None
    except ValueError:
        raise Unusable(f"A line of {name} has another form than the task requires.") from None


def text_lines(file: Path) -> list[str]:
    """Returns the lines of a file. U+2028 in a body ends none, as it does for `splitlines`."""
    return [line for line in file.read_text(encoding="utf-8").split("\n") if line]


def digits(text: str) -> Any:
    """Returns JSON with each number as its text."""
    return json.loads(text, parse_float=lambda number: f"number {number}", parse_int=lambda number: f"number {number}")


def first(sentence: str, lines: list[int]) -> str | None:
    """Returns the sentence with the first of the lines, or None if there are none."""
    return f"{sentence.format(lines[0])}." if lines else None
