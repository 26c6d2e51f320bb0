"""Measures `redact_text` on the corpus of logs: what is missed, and what is masked without a reason."""

from __future__ import annotations

import multiprocessing
import re
import time
import typing
from collections import Counter
from pathlib import Path
from random import Random
from typing import Callable, Dict, List, Tuple

import corpus
from library import Engine, Library
from payspec_model.texts import contains_card_number
from texts import hidden

#: Records for one random generator.
CHUNK = 500
#: The permitted share of records without card data that change, except by chance.
MAX_FALSE = 0.0001
RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
#: Records of each kind that are shown.
SHOWN = 20

Counts = typing.Counter[Tuple[str, str]]
Redact = Callable[[str], str]
Found = Tuple[Counts, List[Tuple[str, str, str, str]]]

_engine: Engine


def _start(path: str) -> None:
    global _engine
    _engine = Library(path).engine({})


def _chunk(order: Tuple[str, int, str, int]) -> Found:
    return measured(*order, lambda text: _engine.redacted("redact_text", text))


def measured(name: str, number: int, seed: str, records: int, redact_text: Redact) -> Found:
    """Returns the counts of one chunk of a format, and the records with an error."""
    random = Random(f"logs:{seed}:{name}:{number}")
    counts: Counts = Counter()
    errors = []
    for at in range(records):
        record = corpus.record(random, name, at)
        redacted = redact_text(record.text)
        result = "unchanged" if redacted == record.text else "changed"
        if record.planted is not None:
            counts[name, "planted"] += 1
            result = "missed" if shows(record.planted, redacted) else "masked"
        elif result == "changed":
            # Random digits may have all properties of a card number.
            result = "by chance" if contains_card_number(record.text) else "false"
        counts[name, result] += 1
        if result in ("missed", "false"):
            errors.append((name, result, record.text, redacted))
    return counts, errors


def shows(planted: corpus.Planted, redacted: str) -> bool:
    """Returns whether a number or code is still there, with any separators."""
    if planted.code and planted.code in redacted:
        return True
    if not planted.number:
        return False
    escapes = r"\\+u00a0|%[0-9A-F]{2}|\\+x[0-9a-f]{2}"
    return planted.number in re.sub("[^0-9]", "", re.sub(escapes, "", redacted)) or planted.written in redacted


def run(path: str, records: int, seed: str, workers: int, record: bool) -> int:
    """Measures that many records of each format."""
    started = time.monotonic()
    sizes = [min(CHUNK, records - start) for start in range(0, records, CHUNK)]
    orders = [(name, number, seed, size) for name in corpus.FORMATS for number, size in enumerate(sizes)]
    counts: Counts = Counter()
    errors = []
    with multiprocessing.get_context("spawn").Pool(workers, _start, (path,)) as pool:
        for found, some in pool.imap_unordered(_chunk, orders, chunksize=2):
            counts.update(found)
            errors += some
    lines = table(counts)
    print("\n".join(f"   {line}" for line in lines))
    print(f"   {records:,} records of each format in {time.monotonic() - started:.0f} s")
    for name, result, text, redacted in sorted(errors)[:SHOWN]:
        print(f"\n{result}, {name}\n   record   {hidden(text)!r}\n   redacted {hidden(redacted)!r}")
    if record:
        write(lines, records, seed)
    failed = [name for name in corpus.FORMATS if is_failed(counts, name)]
    print(f"{len(corpus.FORMATS) - len(failed)} passed, {len(failed)} failed")
    return int(bool(failed))


def is_failed(counts: Counts, name: str) -> bool:
    return counts[name, "missed"] > 0 or counts[name, "false"] > MAX_FALSE * clean(counts, name)


def clean(counts: Counts, name: str) -> int:
    """Returns the number of records without card data."""
    return counts[name, "unchanged"] + counts[name, "false"] + counts[name, "by chance"]


def table(counts: Counts) -> List[str]:
    lines = [
        "| format | planted | masked | missed | other records | changed without a reason | changed by chance |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    sums: Dict[str, int] = Counter()
    for name in corpus.FORMATS:
        row = {result: counts[name, result] for result in ("planted", "masked", "missed")}
        row.update(clean=clean(counts, name), false=counts[name, "false"], chance=counts[name, "by chance"])
        for column, count in row.items():
            sums[column] += count
        lines.append(f"| {name} | {' | '.join(f'{count:,}' for count in row.values())} |")
    lines.append(f"| all | {' | '.join(f'{count:,}' for count in sums.values())} |")
    return lines


def write(lines: List[str], records: int, seed: str) -> None:
    """Writes the page that the book includes."""
    RESULTS.write_text(
        f"# `redact_text` on logs\n\n{records:,} generated records of each format, seed {seed}. One in"
        f" {corpus.PLANTED_EVERY} contains card data.\nAt most {MAX_FALSE:.2%} of the others may change without a reason.\n"
        "Changed by chance: a random number has the prefix and a length of a scheme, and passes Luhn.\n\n"
        + "\n".join(lines)
        + "\n",
        encoding="utf-8",
    )
