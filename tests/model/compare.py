"""Compares library and model for one body, and reduces a body to the smallest one for which they still disagree."""

from __future__ import annotations

import re
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

from library import BROKEN_CONTEXT, CallerError, Engine, Library
from payspec_model import Policy, Report, validate_request
from payspec_model.report import Violation
from payspec_model.texts import contains_card_number
from payspec_model.texts.mask import DIGIT


class Case(NamedTuple):
    body: bytes
    now: Optional[str]
    policy: dict[str, Any]


class Disagreement(NamedTuple):
    case: Case
    #: The kind of the disagreement: only one body of each kind is shown.
    kind: str
    model: str
    library: str


def compared(case: Case, engine: Engine, policy: Policy) -> Tuple[Optional[Report], Optional[Disagreement]]:
    """Returns the model's report, if it has one, and the disagreement with the library's, if they differ."""
    try:
        expected = validate_request(case.body, case.now, policy)
    except ValueError:
        code = engine.verdict(case.body, case.now)
        if code == BROKEN_CONTEXT:
            return None, None
        return None, Disagreement(case, "now", "now is not a timestamp", f"the call returned {code}")
    try:
        found = engine.report(case.body, case.now)
    except CallerError as error:
        return expected, Disagreement(case, "the call fails", str(expected), str(error))
    if same(expected, found):
        return expected, None
    return expected, Disagreement(case, *difference(expected, found))


# The name of a member may contain a card number. The model does not cover how the library masks it in the path, and
# which other long numbers it masks.
_NUMBER = re.compile(r"[0-9](?:[ -]?[0-9]){11,}")


def in_full(found: Disagreement, library: Library) -> Disagreement:
    """Returns the disagreement without the limit of violations, which would add or remove further violations."""
    limits = {name: value for name, value in found.case.policy.get("limits", {}).items() if name != "violations"}
    unlimited = {**found.case.policy, "limits": {**limits, "violations": 10_000}}
    full = compared(found.case._replace(policy=unlimited), library.engine(unlimited), Policy(unlimited))[1]
    return full or found


def same(expected: Report, found: Report) -> bool:
    pairs = list(zip(expected.violations, found.violations))
    if len(pairs) < max(len(expected.violations), len(found.violations)):
        return False
    return all(like(*pair) for pair in pairs) and expected._replace(violations=()) == found._replace(violations=())


def like(expected: Violation, found: Violation) -> bool:
    if expected == found:
        return not contains_card_number(expected.path)
    if _NUMBER.search(expected.path) is None and not contains_card_number(expected.path):
        return False
    digits = re.compile(DIGIT)
    return digits.sub("*", expected.path) == digits.sub("*", found.path) and expected[1:] == found[1:]


def difference(expected: Report, found: Report) -> Tuple[str, str, str]:
    """Returns the kind, the result of the model, and the result of the library."""
    for name in ("valid", "variant", "mode", "host2host", "truncated"):
        if getattr(expected, name) != getattr(found, name) and expected.violations == found.violations:
            return name, f"{name} {getattr(expected, name)}", f"{name} {getattr(found, name)}"
    model = [each for each in expected.violations if not any(like(each, other) for other in found.violations)]
    library = [each for each in found.violations if not any(like(other, each) for other in expected.violations)]
    if not model and not library:
        return "order", show(expected.violations), show(found.violations)
    codes = [" ".join(sorted({each.code for each in violations})) or "nothing" for violations in (model, library)]
    return f"{codes[0]} against {codes[1]}", show(model), show(library)


def show(violations: Any) -> str:
    return "; ".join(f"{each.path or 'the body'} {each.code} ({each.severity})" for each in violations) or "nothing"


def least(disagreement: Disagreement, library: Library) -> Disagreement:
    """Returns the same disagreement with the smallest body and policy."""

    def still(case: Case) -> Optional[Disagreement]:
        try:
            found = compared(case, library.engine(case.policy), Policy(case.policy))[1]
        except CallerError:
            return None
        return found if found is not None and found.kind == disagreement.kind else None

    best = still(disagreement.case) or disagreement
    if best.case.now is not None:
        best = still(best.case._replace(now=None)) or best
    found: Optional[Disagreement] = best
    while found is not None:
        best = found
        tries = (still(best.case._replace(policy=policy)) for policy in smaller(best.case.policy))
        found = next((each for each in tries if each is not None), None)
    before = None
    while best.case.body != before:
        before = best.case.body
        best = shorter(best, still)
    return best


def smaller(policy: dict[str, Any]) -> List[dict[str, Any]]:
    """Returns the policies without one member, at any depth."""
    policies: List[dict[str, Any]] = []
    for name, value in policy.items():
        rest = {key: each for key, each in policy.items() if key != name}
        policies.append(rest)
        if isinstance(value, dict):
            policies += [{**rest, name: each} for each in smaller(value)]
        elif isinstance(value, list) and len(value) > 1:
            policies += [{**rest, name: [each for each in value if each != inner]} for inner in value]
    return policies


def shorter(best: Disagreement, still: Callable[[Case], Optional[Disagreement]]) -> Disagreement:
    """Removes parts of the body, of decreasing length; in the end of every length, so that whole members are removed."""
    length = len(best.case.body)
    halves = [length >> shift for shift in range(1, length.bit_length()) if length >> shift > 24]
    for size in [*halves, *range(24, 0, -1)]:
        at = 0
        while at < len(best.case.body):
            body = best.case.body[:at] + best.case.body[at + size :]
            found = still(best.case._replace(body=body))
            if found is None:
                at += size // 2 if size > 24 else 1
            else:
                best = found
    return best
