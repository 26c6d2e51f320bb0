"""Measures payspec, pydantic and orjson + jsonschema-rs in one run. Prints JSON for `cargo xtask bench`.

python bench.py [--short]
python bench.py --installed

With --installed, payspec is the package of this Python's environment, otherwise that of the repository.
"""

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, NamedTuple

import jsonschema_rs
import orjson
from model import Request
from pydantic import TypeAdapter, ValidationError

BENCH = Path(__file__).resolve().parents[1]
if "--installed" not in sys.argv:
    sys.path.insert(0, str(BENCH.parents[1] / "bindings/python"))

import payspec  # noqa: E402

SHORT = "--short" in sys.argv
#: Rounds, an odd number, and nanoseconds of one candidate in one round.
ROUNDS, SLICE = (3, 50_000) if SHORT else (151, 2_000_000)

Work = Callable[[Any], object]


class Candidate(NamedTuple):
    name: str
    bodies: list[Any]
    work: Work
    #: The numbers of right and wrong verdicts; None without rules.
    verdicts: tuple[int, int] | None


def corpus(kind: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((BENCH / "corpus" / kind).glob("*.json"))]


VALID, INVALID = corpus("valid"), corpus("invalid")


def validators(name: str, accepts: Callable[[bytes], bool], valid: Work, invalid: Work | None = None) -> list[Candidate]:
    """Returns candidates that validate. Their verdicts on all bodies are checked before their time is measured."""
    right = sum(accepts(body) for body in VALID) + sum(not accepts(body) for body in INVALID)
    verdicts = (right, len(VALID) + len(INVALID) - right)
    return [
        Candidate(f"{name}: valid", VALID, valid, verdicts),
        Candidate(f"{name}: invalid", INVALID, invalid or valid, verdicts),
    ]


def of_objects(name: str, work: Work) -> list[Candidate]:
    """Returns candidates that take dictionaries. Their verdicts are those of the candidates that take bytes."""
    objects = [("valid", VALID), ("invalid", INVALID)]
    return [Candidate(f"{name}: {kind}", list(map(json.loads, bodies)), work, None) for kind, bodies in objects]


def candidates() -> list[Candidate]:
    model = TypeAdapter(Request).validate_json
    schema = jsonschema_rs.validator_for(json.loads((BENCH / "schema.json").read_text()), validate_formats=True)
    engine = payspec.Engine()

    def by_pydantic(body: bytes) -> bool:
        try:
            model(body)
        except ValidationError:
            return False
        return True

    validate_python = TypeAdapter(Request).validate_python

    def errors_by_pydantic(body: Any) -> object:
        try:
            return validate_python(body)
        except ValidationError as error:
            return error.errors()

    def by_schema(body: bytes) -> bool:
        return not list(schema.iter_errors(orjson.loads(body)))

    def by_report(body: bytes) -> bool:
        return engine.validate_request_json(body).startswith(b'{"valid":true')

    return [
        Candidate("orjson.loads", VALID, orjson.loads, None),
        # For invalid bodies, catching the exception of pydantic is part of the work.
        *validators("pydantic, validate_json", by_pydantic, valid=model, invalid=by_pydantic),
        *validators("orjson + jsonschema-rs, all errors", by_schema, by_schema),
        *validators("payspec, bytes → report bytes", by_report, engine.validate_request_json),
        *validators("payspec, verdict", engine.accepts, engine.accepts),
        *of_objects("pydantic, validate_python", errors_by_pydantic),
        *of_objects("payspec, dict → report dict", engine.validate_request),
        *validators("payspec, bytes → dict", lambda body: engine.validate_request(body)["valid"], engine.validate_request),
    ]


def timed(candidate: Candidate, passes: int) -> int:
    work, bodies = candidate.work, candidate.bodies
    start = time.perf_counter_ns()
    for _ in range(passes):
        for body in bodies:
            work(body)
    return time.perf_counter_ns() - start


def calibrated(candidate: Candidate) -> int:
    """Returns the number of passes in a slice."""
    passes = 1
    while timed(candidate, passes) < SLICE:
        passes *= 2
    return passes


def main() -> None:
    running = [(candidate, calibrated(candidate)) for candidate in candidates()]
    rounds: list[list[int]] = [[] for _ in running]
    for turn in range(ROUNDS):
        for offset in range(len(running)):
            index = (turn + offset) % len(running)
            candidate, passes = running[index]
            picoseconds = timed(candidate, passes) * 1000
            rounds[index].append(picoseconds // (passes * len(candidate.bodies)))
    figures = [
        {"name": candidate.name, "rounds": times, "verdicts": candidate.verdicts}
        for (candidate, _), times in zip(running, rounds, strict=True)
    ]
    versions = {"Python": python_version(), **{name: version(name) for name in ("pydantic", "orjson", "jsonschema-rs")}}
    print(json.dumps({"figures": figures, "versions": versions}))


if __name__ == "__main__":
    main()
