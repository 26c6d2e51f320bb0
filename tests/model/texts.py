"""Compares `redact_text` and `redact` of the library with the model, for generated texts on all cores."""

from __future__ import annotations

import itertools
import multiprocessing
import re
import time
import typing
from collections import Counter
from random import Random
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import generator.texts
from generator.numbers import CARDS
from library import CallerError, Engine, Library
from payspec_model.reader import NotJson, TooDeep
from payspec_model.texts import contains_card_number, names, redact, redact_text
from payspec_model.texts.escapes import readings
from payspec_model.texts.json_tree import Node, parse
from payspec_model.texts.mask import DIGIT, ascii_digits
from payspec_model.texts.redact import kinds_of_members

#: The number of texts for one random generator. They depend only on the seed and the number of the chunk.
CHUNK = 200
#: The number of kinds of disagreements that are shown.
SHOWN = 25

MODELS: Dict[str, Callable[[str], str]] = {"redact_text": redact_text, "redact": redact}


class Case(NamedTuple):
    operation: str
    text: str


class Disagreement(NamedTuple):
    case: Case
    #: The kind of the disagreement: only one text of each kind is shown.
    kind: str
    model: str
    library: str


Counts = typing.Counter[str]
Found = Tuple[Counts, Dict[str, Disagreement]]
Redact = Callable[[str, str], str]


def compared(case: Case, library: Redact) -> Optional[Disagreement]:
    """Returns the disagreement of both, or of the library with itself."""
    model = MODELS[case.operation]
    try:
        expected = model(case.text)
    except (NotJson, TooDeep):
        return None
    try:
        found = library(case.operation, case.text)
        again = library(case.operation, found)
    except CallerError as error:
        return Disagreement(case, f"{case.operation} fails", expected, str(error))
    if has_card_number(case.operation, found):
        return Disagreement(case, f"{case.operation}: a card number in the answer", expected, found)
    if again != found:
        return Disagreement(case, f"{case.operation}: not idempotent", found, again)
    if same(case, expected, found) or case.operation == "redact" and repeats_a_number(case.text):
        return None
    return Disagreement(case, f"{case.operation}: {difference(expected, found)}", expected, found)


def has_card_number(operation: str, answer: str) -> bool:
    if operation == "redact_text":
        return contains_card_number(answer)
    return any(contains_card_number(node.text) for node in strings(parse(answer)))


def strings(node: Node) -> Iterator[Node]:
    """Yields all strings of a body, names included."""
    if node.type == "string":
        yield node
    for name, value in node.members:
        if name is not None:
            yield name
        yield from strings(value)


def repeats_a_number(body: str) -> bool:
    """Returns whether a text may repeat a number that the body has under a name. The model does not cover its mask.

    Of more than eight numbers, the library masks every run that is long enough.
    """
    texts = []
    for kind, node in values_of(parse(body), None):
        text = body[node.start : node.end] if node.type == "other" else node.text
        # The digits of an escape do not belong to a number.
        decoded = readings(text)[-1].text
        texts.append((kind, ascii_digits(re.findall(DIGIT, decoded))))
    numbers = {at: digits for at, (kind, digits) in enumerate(texts) if kind is not None and 12 <= len(digits) <= 19}
    others = [(at, digits) for at, (kind, digits) in enumerate(texts) if kind != names.NUMBER]
    is_repeated = any(number in other for at, number in numbers.items() for place, other in others if place != at)
    return len(set(numbers.values())) > 8 or is_repeated


def values_of(node: Node, kind: Optional[str]) -> Iterator[Tuple[Optional[str], Node]]:
    """Yields the strings, numbers, and literals of a body, each with the kind of its name, or of one around it."""
    if node.type in ("string", "other"):
        yield kind, node
    for (name, value), kind_of_value in zip(node.members, kinds_of_members(node)):
        if name is not None:
            yield None, name
        # All values under the name of a card number are masked with it.
        yield from values_of(value, kind if kind == names.NUMBER else kind_of_value or kind)


def same(case: Case, expected: str, found: str) -> bool:
    """Returns whether the answers are equal. Strings in which something is masked may use other escapes."""
    if expected == found or case.operation == "redact_text":
        return expected == found
    return tokens(case.text, expected) == tokens(case.text, found)


def tokens(body: str, answer: str) -> List[str]:
    """Returns the tokens of an answer: strings without card data as they are written, others decoded."""
    kept = set(_TOKEN.findall(body))
    parts = []
    for token in _TOKEN.findall(answer):
        is_changed = token.startswith('"') and token not in kept
        parts.append(f"text {parse(token).text}" if is_changed else token)
    return parts


_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[-+.0-9A-Za-z]+|\s+|.')


def difference(expected: str, found: str) -> str:
    """Returns the manner of a difference, and what it looks like around its beginning, without digits and letters."""
    digits = [sum(map(str.isdigit, text)) for text in (expected, found)]
    manner = (
        "masks less" if digits[1] > digits[0] else "masks more" if digits[1] < digits[0] else "masks in another form"
    )
    at = next(
        (at for at, pair in enumerate(zip(expected, found)) if pair[0] != pair[1]), min(len(expected), len(found))
    )
    around = expected[max(0, at - 6) : at + 3]
    return f"{manner}, near {re.sub('[a-zA-Z]+', 'a', re.sub(r'[0-9]+', '0', around))!r}"


def least(disagreement: Disagreement, library: Redact) -> Disagreement:
    """Returns a disagreement of the same kind with the smallest text."""
    best = disagreement
    size = len(best.case.text)
    while size > 0:
        at = 0
        while at < len(best.case.text):
            text = best.case.text[:at] + best.case.text[at + size :]
            found = compared(best.case._replace(text=text), library)
            if found is not None and found.kind == disagreement.kind:
                best = found
            else:
                at += size
        size = min(size, len(best.case.text) + 1) // 2
    return best


_library: Library
_engine: Engine


def _start(path: str) -> None:
    global _library, _engine
    _library = Library(path)
    _engine = _library.engine({})


def cases(seed: str, number: int) -> Iterator[Case]:
    random = Random(f"texts:{seed}:{number}")
    for at in range(CHUNK):
        if at % 4 == 3:
            yield Case("redact", generator.texts.body(random))
        else:
            yield Case("redact_text", generator.texts.text(random))


def _chunk(order: Tuple[str, int]) -> Found:
    return checked(cases(*order), _engine.redacted)


def checked(some: Iterator[Case], library: Redact) -> Found:
    seen: Counts = Counter()
    by_kind: Dict[str, Disagreement] = {}
    for case in some:
        disagreement = compared(case, library)
        seen[case.operation] += 1
        seen["masked"] += library(case.operation, case.text) != case.text
        if disagreement is None:
            continue
        seen[f"kind: {disagreement.kind}"] += 1
        known = by_kind.get(disagreement.kind)
        if known is None or len(case.text) < len(known.case.text):
            by_kind[disagreement.kind] = disagreement
    return seen, by_kind


def run(path: str, texts: int, seed: str, workers: int) -> int:
    started = time.monotonic()
    chunks = -(-texts // CHUNK)
    seen: Counts = Counter()
    by_kind: Dict[str, Disagreement] = {}
    pool = multiprocessing.get_context("spawn").Pool(workers, _start, (path,))
    with pool:
        for counts, found in pool.imap_unordered(_chunk, ((seed, number) for number in range(chunks)), chunksize=4):
            seen.update(counts)
            for kind, each in found.items():
                if kind not in by_kind or len(each.case.text) < len(by_kind[kind].case.text):
                    by_kind[kind] = each
    seconds = time.monotonic() - started
    print(
        f"   {seen['redact_text']:,} texts and {seen['redact']:,} bodies in {seconds:.0f} s, {seen['masked']:,} with masks"
    )
    _start(path)
    failed = sum(count for name, count in seen.items() if name.startswith("kind: "))
    shown = sorted(by_kind, key=lambda kind: -seen[f"kind: {kind}"])
    for kind in itertools.islice(shown, SHOWN):
        show(least(by_kind[kind], _engine.redacted), seen[f"kind: {kind}"])
    if len(shown) > SHOWN:
        print(f"and {len(shown) - SHOWN} other kinds")
    print(f"{chunks * CHUNK - failed} passed, {failed} failed")
    return int(failed > 0)


def show(found: Disagreement, count: int) -> None:
    print(f"\ndisagreement: {found.kind} ({count} times)")
    print(f"   text    {hidden(found.case.text)!r}")
    print(f"   model   {hidden(found.model)!r}")
    print(f"   library {hidden(found.library)!r}\n", flush=True)


def hidden(text: str) -> str:
    """Returns a text for the output: of long runs of digits, only those of test numbers stay."""

    def shown(run: re.Match[str]) -> str:
        plain = re.sub("[^0-9]", "", run.group())
        return (
            run.group() if set(plain) <= set("0123") or any(card in plain or plain in card for card in CARDS) else "#"
        )

    return re.sub(r"[0-9]{7,}", shown, text)
