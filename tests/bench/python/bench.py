"""payspec through ctypes beside pydantic and orjson + jsonschema-rs, in one run, as JSON for `cargo xtask bench`.

PAYSPEC_LIBRARY=… python bench.py [--short]
"""

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import NamedTuple

import jsonschema_rs
import orjson
from model import Request
from pydantic import TypeAdapter, ValidationError

BENCH = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BENCH.parents[1] / "examples/python"))

import payspec  # noqa: E402

SHORT = "--short" in sys.argv
#: Rounds, an odd number, and nanoseconds of one contender in one round.
ROUNDS, SLICE = (3, 50_000) if SHORT else (151, 2_000_000)

Work = Callable[[bytes], object]


class Contender(NamedTuple):
    name: str
    bodies: list[bytes]
    work: Work
    #: How many bodies it judges rightly and wrongly; None where it knows no rules.
    verdicts: tuple[int, int] | None


def corpus(kind: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((BENCH / "corpus" / kind).glob("*.json"))]


VALID, INVALID = corpus("valid"), corpus("invalid")


def judge(name: str, accepts: Callable[[bytes], bool], valid: Work, invalid: Work | None = None) -> list[Contender]:
    """One that knows the rules, on valid and on invalid bodies: it is asked about all of them before its time counts."""
    right = sum(accepts(body) for body in VALID) + sum(not accepts(body) for body in INVALID)
    verdicts = (right, len(VALID) + len(INVALID) - right)
    return [
        Contender(f"{name}: valid", VALID, valid, verdicts),
        Contender(f"{name}: invalid", INVALID, invalid or valid, verdicts),
    ]


def contenders() -> list[Contender]:
    model = TypeAdapter(Request).validate_json
    schema = jsonschema_rs.validator_for(json.loads((BENCH / "schema.json").read_text()), validate_formats=True)
    engine = payspec.Engine()

    def by_pydantic(body: bytes) -> bool:
        try:
            model(body)
        except ValidationError:
            return False
        return True

    def by_schema(body: bytes) -> bool:
        return not list(schema.iter_errors(orjson.loads(body)))

    def by_report(body: bytes) -> bool:
        return engine.validate_request_json(body).startswith(b'{"valid":true')

    return [
        Contender("orjson.loads", VALID, orjson.loads, None),
        # What pydantic raises has to be caught: on an invalid body that is part of the work, a valid one does without.
        *judge("pydantic, validate_json", by_pydantic, valid=model, invalid=by_pydantic),
        *judge("orjson + jsonschema-rs, all errors", by_schema, by_schema),
        *judge("payspec, bytes → report bytes", by_report, engine.validate_request_json),
        *judge("payspec, verdict", engine.accepts, engine.accepts),
        *judge("payspec, bytes → dict", lambda body: engine.validate_request(body)["valid"], engine.validate_request),
    ]


def timed(contender: Contender, passes: int) -> int:
    work, bodies = contender.work, contender.bodies
    start = time.perf_counter_ns()
    for _ in range(passes):
        for body in bodies:
            work(body)
    return time.perf_counter_ns() - start


def calibrated(contender: Contender) -> int:
    """How many passes fill a slice."""
    passes = 1
    while timed(contender, passes) < SLICE:
        passes *= 2
    return passes


def main() -> None:
    running = [(contender, calibrated(contender)) for contender in contenders()]
    rounds: list[list[int]] = [[] for _ in running]
    for turn in range(ROUNDS):
        for place in range(len(running)):
            index = (turn + place) % len(running)
            contender, passes = running[index]
            picoseconds = timed(contender, passes) * 1000
            rounds[index].append(picoseconds // (passes * len(contender.bodies)))
    figures = [
        {"name": contender.name, "rounds": times, "verdicts": contender.verdicts}
        for (contender, _), times in zip(running, rounds, strict=True)
    ]
    versions = {"Python": python_version(), **{name: version(name) for name in ("pydantic", "orjson", "jsonschema-rs")}}
    print(json.dumps({"figures": figures, "versions": versions}))


if __name__ == "__main__":
    main()
