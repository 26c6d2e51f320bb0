"""One body before both: whether they agree, and if not, the least of it that they still disagree about."""

from __future__ import annotations

import re
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

from library import BROKEN_CONTEXT, Engine, Library, Misuse
from payspec_model import Policy, Report, validate_request
from payspec_model.report import Violation


class Case(NamedTuple):
    body: bytes
    now: Optional[str]
    policy: dict[str, Any]


class Disagreement(NamedTuple):
    case: Case
    #: What it is about: bodies that disagree in the same way are shown once.
    kind: str
    model: str
    library: str


def judged(case: Case, engine: Engine, policy: Policy) -> Tuple[Optional[Report], Optional[Disagreement]]:
    """The model's report, where there is one, and what is wrong where the library says another thing."""
    try:
        wanted = validate_request(case.body, case.now, policy)
    except ValueError:
        code = engine.verdict(case.body, case.now)
        if code == BROKEN_CONTEXT:
            return None, None
        return None, Disagreement(case, "now", "now is no instant", f"the call returned {code}")
    try:
        found = engine.report(case.body, case.now)
    except Misuse as misuse:
        return wanted, Disagreement(case, "the call fails", str(wanted), str(misuse))
    if same(wanted, found):
        return wanted, None
    return wanted, Disagreement(case, *difference(wanted, found))


# A member may be named like a card number. How the library masks that in the path is not the model's concern.
_NUMBER = re.compile(r"[0-9](?:[ -]?[0-9]){11,}")


def in_full(found: Disagreement, library: Library) -> Disagreement:
    """Without the limit on what is listed: behind it, one violation more or less moves others in and out of the list."""
    limits = {name: value for name, value in found.case.policy.get("limits", {}).items() if name != "violations"}
    given = {**found.case.policy, "limits": {**limits, "violations": 10_000}}
    whole = judged(found.case._replace(policy=given), library.engine(given), Policy(given))[1]
    return whole or found


def same(wanted: Report, found: Report) -> bool:
    if wanted == found:
        return True
    pairs = list(zip(wanted.violations, found.violations))
    if len(pairs) < max(len(wanted.violations), len(found.violations)):
        return False
    return all(like(*pair) for pair in pairs) and wanted._replace(violations=()) == found._replace(violations=())


def like(wanted: Violation, found: Violation) -> bool:
    if _NUMBER.search(wanted.path) is None:
        return wanted == found
    hidden = re.sub("[0-9]", "*", wanted.path) == re.sub("[0-9]", "*", found.path)
    return hidden and wanted.path != found.path and wanted[1:] == found[1:]


def difference(wanted: Report, found: Report) -> Tuple[str, str, str]:
    """What kind it is, what the model says, what the library says."""
    for name in ("valid", "variant", "mode", "host2host", "truncated"):
        if getattr(wanted, name) != getattr(found, name) and wanted.violations == found.violations:
            return name, f"{name} {getattr(wanted, name)}", f"{name} {getattr(found, name)}"
    model = [each for each in wanted.violations if not any(like(each, other) for other in found.violations)]
    library = [each for each in found.violations if not any(like(other, each) for other in wanted.violations)]
    if not model and not library:
        return "order", show(wanted.violations), show(found.violations)
    codes = [" ".join(sorted({each.code for each in told})) or "nothing" for told in (model, library)]
    return f"{codes[0]} against {codes[1]}", show(model), show(library)


def show(violations: Any) -> str:
    return "; ".join(f"{each.path or 'the body'} {each.code} ({each.severity})" for each in violations) or "nothing"


def least(disagreement: Disagreement, library: Library) -> Disagreement:
    """The same disagreement about a body and a policy from which nothing more can be left out."""

    def still(case: Case) -> Optional[Disagreement]:
        try:
            found = judged(case, library.engine(case.policy), Policy(case.policy))[1]
        except Misuse:
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
    """The policy without one of its members, or without one of theirs."""
    made: List[dict[str, Any]] = []
    for name, value in policy.items():
        rest = {key: each for key, each in policy.items() if key != name}
        made.append(rest)
        if isinstance(value, dict):
            made += [{**rest, name: each} for each in smaller(value)]
        elif isinstance(value, list) and len(value) > 1:
            made += [{**rest, name: [each for each in value if each != inner]} for inner in value]
    return made


def shorter(best: Disagreement, still: Callable[[Case], Optional[Disagreement]]) -> Disagreement:
    """Leaves out pieces of the body, ever smaller ones; in the end every length, so that whole members go."""
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
