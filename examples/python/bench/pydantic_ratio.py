"""What a call costs beside pydantic: bytes in, report bytes out, against `validate_json` of a model with fewer rules.

    pip install pydantic && PAYSPEC_LIBRARY=… python bench/pydantic_ratio.py

Prints medians of interleaved rounds in one process, and P11; only the ratio holds from machine to machine.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Annotated, Literal

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples/python"))

import payspec  # noqa: E402

Name = Annotated[str, StringConstraints(min_length=1, max_length=255)]
CardNumber = Annotated[str, StringConstraints(pattern=r"^[0-9]{12,19}$")]


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class Card(Strict):
    card_holder: Name | None = None
    card_number: CardNumber | None = None
    expiry_year: Annotated[int, Field(ge=0, le=2099)] | None = None
    expiry_month: Annotated[int, Field(ge=1, le=12)] | None = None
    security_code: Annotated[str, StringConstraints(pattern=r"^[0-9]{3,4}$")] | None = None


class PayInDetails(Strict):
    card: Card | None = None
    bank_name: Name | None = None


class PayOutDetails(Strict):
    bank_name: Name | None = None
    full_name: Name | None = None
    card_number: CardNumber | None = None
    phone_number: Annotated[str, StringConstraints(pattern=r"^\+?[0-9]{7,15}$")] | None = None


class Request(Strict):
    """What pydantic can say without code of one's own. No Luhn, no ISO 4217, no rules between members."""

    payment_type: Literal["pay_in", "pay_out"]
    mode: Literal["P2P", "ACQUIRING", "CRYPTO"] | None = None
    cur: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
    amount: Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$")]
    subtype: Literal["bank_card", "sbp"] | None = None
    merchant_id: Name | None = None
    user_id: Name | None = None
    user_name: Name | None = None
    callback: AnyUrl | None = None
    redirect_url: AnyUrl | None = None
    bank_name: Name | None = None
    host2host: bool | None = None
    description: Annotated[str, StringConstraints(min_length=1, max_length=1024)] | None = None
    time_to_complete_payment: Annotated[int, Field(ge=1, le=2**53 - 1)] | None = None
    pay_out_details: PayOutDetails | None = None
    pay_in_details: PayInDetails | None = None


ROUNDS, REPEATS = 41, 200

#: P11: must be, should be.
MUST, SHOULD = 0.35, 0.25


def timed(work: Callable[[bytes], object], bodies: list[bytes]) -> float:
    start = time.perf_counter_ns()
    for _ in range(REPEATS):
        for body in bodies:
            work(body)
    return (time.perf_counter_ns() - start) / (REPEATS * len(bodies))


def main() -> None:
    bodies = [path.read_bytes() for path in sorted((ROOT / "tests/bench/corpus/valid").glob("*.json"))]
    peer = TypeAdapter(Request).validate_json
    engine = payspec.Engine()
    contenders: list[tuple[str, Callable[[bytes], object]]] = [
        ("pydantic, validate_json", peer),
        ("payspec, bytes to report bytes", engine.validate_request_json),
        ("payspec, verdict alone", engine.accepts),
        ("payspec, bytes to dict", engine.validate_request),
    ]
    for body in bodies:
        peer(body)
        assert engine.accepts(body)
    figures: dict[str, list[float]] = {name: [] for name, _ in contenders}
    for _ in range(ROUNDS):
        for name, work in contenders:
            figures[name].append(timed(work, bodies))
    base = figures[contenders[0][0]]
    ratios = {name: median(own / theirs for own, theirs in zip(times, base)) for name, times in figures.items()}
    print(f"{'a valid body, median of all rounds':46}{'ns':>9}{'÷ peer':>9}")
    for name, times in figures.items():
        print(f"{name:46}{median(times):9.0f}{ratios[name]:9.2f}")
    ratio = ratios[contenders[1][0]]
    word = "NOT REACHED" if ratio > MUST else "reached" if ratio > SHOULD else "reached, stretch too"
    print(f"\n{'target':46}{'measured':>9}{'must':>8}{'should':>9}")
    print(f"{'P11 Python: bytes to report bytes ÷ pydantic':46}{ratio:9.2f}{MUST:8.2f}{SHOULD:9.2f}   {word}")


if __name__ == "__main__":
    main()
