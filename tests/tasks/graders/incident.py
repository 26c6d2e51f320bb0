"""Grades answers about rejected requests: repeats each request with the policy, and without the setting."""

from __future__ import annotations

import copy
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .support import answer, read_json

ORDERS = ["order-88", "order-89", "order-90", "order-91"]
LINE = re.compile(
    r"(?P<time>\S+) POST /v1/payments/new key=(?P<key>\S+) body=(?P<body>[0-9]+) status=(?P<status>[0-9]+)"
)


class Service:
    """The service of the incident: the requests of its log, and a policy."""

    def __init__(self, folder: Path) -> None:
        """Reads the files that the solver got."""
        self.policy: dict[str, Any] = json.loads((folder / "policy.json").read_text(encoding="utf-8"))
        self._bodies = (folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()
        lines = (folder / "service.log").read_text(encoding="utf-8").splitlines()
        self._log = [match.groupdict() for match in map(LINE.fullmatch, lines) if match]
        for key in ORDERS:
            logged = [int(entry["status"]) for entry in self._log if entry["key"] == key]
            if self.outcomes(key, self.policy) != logged:
                raise RuntimeError(f"service.log has other answers for {key} than the library")

    def outcomes(self, key: str, policy: dict[str, Any]) -> list[int]:
        """Returns the statuses of the requests with a key."""
        return [outcome["status"] for outcome in self._repeat(key, policy)]

    def last(self, key: str, policy: dict[str, Any]) -> dict[str, Any]:
        """Returns the last outcome of a key."""
        return self._repeat(key, policy)[-1]

    def _repeat(self, key: str, policy: dict[str, Any]) -> list[dict[str, Any]]:
        """Repeats the requests with a key at the times of the log."""
        outcomes, record = [], None
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "policy").write_text(json.dumps(policy), encoding="utf-8")
            for entry in (entry for entry in self._log if entry["key"] == key):
                context = {
                    "uid": "727dc9ae-688d-4437-ba38-58d95c7a1690",
                    "now": entry["time"],
                    "authorization": {"header": "Bearer t", "accepted": True},
                    "url": "https://pay.example/",
                    "idempotency": {"key": key, "existing": record},
                }
                (folder / "body").write_text(self._bodies[int(entry["body"]) - 1], encoding="utf-8")
                (folder / "context").write_text(json.dumps(context), encoding="utf-8")
                files = [f"--{option}={folder / option}" for option in ("body", "context", "policy")]
                outcome = answer("call", "create_payment", *files)
                if outcome["status"] == 201 and record is None:
                    record = {
                        "created_at": entry["time"],
                        "fingerprint": outcome["fingerprint"],
                        "payment": outcome["body"],
                    }
                outcomes.append(outcome)
        return outcomes


def grade(folder: Path, start: Path) -> list[str]:
    """Returns a sentence for each wrong member of the answers."""
    service, answers = Service(start), read_json(folder, "answer.json")
    sentences = []
    for key in ORDERS:
        given = answers.get(key) if isinstance(answers, dict) else None
        if not isinstance(given, dict):
            sentences.append(f"{key}: there is no answer.")
            continue
        problem = service.last(key, service.policy)["body"]
        sentences += reason(key, given, problem)
        sentences += setting(key, given.get("setting"), service)
    return sentences


def reason(key: str, given: dict[str, Any], problem: dict[str, Any]) -> list[str]:
    """Compares code and path with those of the problem."""
    violations = problem.get("violations", [])
    reasons = {one["code"]: one["path"] for one in violations if one["severity"] == "error"} or {problem["code"]: None}
    code = given.get("code")
    if code not in reasons:
        is_warning = any(one["code"] == code for one in violations)
        why = "is a warning, which rejects no request" if is_warning else "is not the reason of the rejection"
        return [f"{key}: {code} {why}."]
    if given.get("path") != reasons[code]:
        return [f"{key}: {given.get('path')} is not the place that {code} names."]
    return []


def setting(key: str, given: Any, service: Service) -> list[str]:
    """Repeats the request without the setting, or without any one if the answer has none."""
    known = list(pointers(service.policy))
    if given is not None and given not in known:
        return [f"{key}: the policy has no member {given}."]
    # Members of the setting, if it is an object, since one of them may suffice.
    candidates = [pointer for pointer in known if given is None or f"{pointer}/".startswith(f"{given}/")]
    enough = [pointer for pointer in candidates if service.last(key, without(service.policy, pointer))["status"] == 201]
    if given is None:
        return [f"{key}: without one of its settings, the policy accepts the request."] if enough else []
    if not enough:
        return [f"{key}: without {given}, the request is still rejected."]
    return [f"{key}: {given} has a member that is at fault alone."] if enough != [given] else []


def pointers(policy: dict[str, Any], parent: str = "") -> Iterator[str]:
    """Yields the JSON Pointer of each member, and of those in it."""
    for name, value in policy.items():
        yield f"{parent}/{name}"
        if isinstance(value, dict):
            yield from pointers(value, f"{parent}/{name}")


def without(policy: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Returns the policy without a member that it has."""
    changed = copy.deepcopy(policy)
    *names, last = pointer.removeprefix("/").split("/")
    parent = changed
    for name in names:
        parent = parent[name]
    del parent[last]
    return changed
