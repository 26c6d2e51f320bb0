"""Generates bodies on all cores, compares the results, and prints a summary."""

from __future__ import annotations

import json
import multiprocessing
import time
import typing
from collections import Counter
from random import Random
from typing import Dict, List, Tuple

import generator
from compare import Case, Disagreement, in_full, compared, least
from library import CallerError, Library
from payspec_model import Policy
from payspec_model.policy import SEVERITIES

#: The number of bodies for one policy. They depend only on the seed and the number of the chunk.
CHUNK = 200

#: The number of disagreements of each kind, and one disagreement of each kind.
Counts = typing.Counter[str]
Found = Tuple[Counts, Dict[str, Disagreement]]

_library: Library


def _start(path: str) -> None:
    global _library
    _library = Library(path)


def _chunk(order: Tuple[str, int]) -> Found:
    seed, number = order
    random = Random(f"{seed}:{number}")
    settings = generator.policy(random)
    policy = Policy(settings)
    seen: Counts = Counter()
    by_kind: Dict[str, Disagreement] = {}
    try:
        engine = _library.engine(settings)
    except CallerError as error:
        case = Case(b"", None, settings)
        return Counter({"kind: the policy is rejected": CHUNK}), {
            "the policy is rejected": Disagreement(case, "the policy is rejected", "an engine", str(error))
        }
    for _ in range(CHUNK):
        now = generator.timestamp(random)
        case = Case(generator.body(random, policy, now), now, settings)
        report, disagreement = compared(case, engine, policy)
        seen["bytes"] += len(case.body)
        if report is not None:
            seen["valid" if report.valid else "invalid"] += 1
            seen.update(f"code: {violation.code}" for violation in report.violations)
        if disagreement is not None:
            disagreement = in_full(disagreement, _library)
            seen[f"kind: {disagreement.kind}"] += 1
            known = by_kind.get(disagreement.kind)
            if known is None or len(case.body) < len(known.case.body):
                by_kind[disagreement.kind] = disagreement
    return seen, by_kind


def run(path: str, bodies: int, seed: str, workers: int) -> int:
    started = time.monotonic()
    chunks = -(-bodies // CHUNK)
    seen: Counts = Counter()
    by_kind: Dict[str, Disagreement] = {}
    # Spawned, so that workers do not share the library's memory.
    pool = multiprocessing.get_context("spawn").Pool(workers, _start, (path,))
    with pool:
        orders = ((seed, number) for number in range(chunks))
        for done, (counts, found) in enumerate(pool.imap_unordered(_chunk, orders, chunksize=4), 1):
            seen.update(counts)
            for kind, each in found.items():
                if kind not in by_kind or len(each.case.body) < len(by_kind[kind].case.body):
                    by_kind[kind] = each
            if done % 500 == 0:
                print(f"   {done * CHUNK:>9,} bodies, {disagreements(seen)} disagreements", flush=True)
    never = [code for code in SEVERITIES if not seen[f"code: {code}"]]
    show_counts(seen, chunks * CHUNK, time.monotonic() - started)
    library = Library(path)
    for kind in sorted(by_kind):
        show_disagreement(least(by_kind[kind], library), seen[f"kind: {kind}"])
    for code in never:
        print(f"never reported: {code}. The generator does not cover it.")
    failed = disagreements(seen) + len(never)
    print(f"{chunks * CHUNK - disagreements(seen)} passed, {failed} failed")
    return int(failed > 0)


def disagreements(seen: Counts) -> int:
    return sum(count for name, count in seen.items() if name.startswith("kind: "))


def show_counts(seen: Counts, bodies: int, seconds: float) -> None:
    average = seen["bytes"] // bodies
    print(f"   {bodies:,} bodies of {average} bytes on average in {seconds:.0f} s")
    print(f"   {seen['valid']:,} valid, {seen['invalid']:,} not; how often each code was reported:")
    counts = [f"{code} {seen[f'code: {code}']:,}" for code in SEVERITIES]
    lines: List[str] = [""]
    for count in counts:
        if len(lines[-1]) + len(count) > 110:
            lines.append("")
        lines[-1] += f"{', ' if lines[-1] else ''}{count}"
    print("\n".join(f"   {line}" for line in lines))


def show_disagreement(found: Disagreement, count: int) -> None:
    print(f"\ndisagreement: {found.kind} ({count} times)")
    print(f"   body    {found.case.body.decode('utf-8', 'backslashreplace')!r}")
    print(f"   now     {found.case.now}")
    print(f"   policy  {json.dumps(found.case.policy)}")
    print(f"   model   {found.model}")
    print(f"   library {found.library}\n", flush=True)
