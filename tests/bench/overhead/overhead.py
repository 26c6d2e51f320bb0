"""Prints nanoseconds for a verdict and for a report as bytes. native.c does the same in C."""

from time import perf_counter_ns

import payspec

BODY = b'{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}'
CALLS = 100_000

engine = payspec.Engine()


def verdict() -> None:
    call = engine.accepts
    for _ in range(CALLS):
        call(BODY)


def report() -> None:
    call = engine.validate_request_json
    for _ in range(CALLS):
        call(BODY)


best = []
for run in (verdict, report):
    times = []
    for _ in range(5):
        start = perf_counter_ns()
        run()
        times.append((perf_counter_ns() - start) / CALLS)
    best.append(min(times))
print(*map(round, best))
