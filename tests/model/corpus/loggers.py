"""Lines of the loggers of programming languages."""

from __future__ import annotations

import json
from random import Random

from . import clocks
from .events import Event, camel, digits, hexadecimal, pascal, uuid
from .servers import logfmt, members, plain


def log4j(random: Random, event: Event) -> str:
    thread = f"http-nio-8080-exec-{random.randint(1, 200)}"
    pairs = ", ".join(f"{camel(name)}={plain(value)}" for name, value in event.fields)
    return f"{clocks.plain(random)} {event.level:<5} [{thread}] com.example.pay.Payments - {event.message} {{{pairs}}}"


def logback(random: Random, event: Event) -> str:
    at = clocks.moment(random)
    trace = hexadecimal(random, 32)
    pairs = ", ".join(f"{camel(name)}={plain(value)}" for name, value in event.fields)
    return (
        f"{at:%H:%M:%S}.{at.microsecond // 1000:03} [main] {event.level} c.e.pay.Client [traceId={trace}]"
        f" - {event.message}: {pairs}"
    )


def serilog(random: Random, event: Event) -> str:
    properties = {pascal(name): value for name, value in event.fields}
    return json.dumps(
        {
            "@t": clocks.rfc3339(random, 7),
            "@mt": "{Message}",
            "@l": event.level,
            "@i": hexadecimal(random, 8),
            "Message": event.message,
            **properties,
        },
        ensure_ascii=False,
    )


def zap(random: Random, event: Event) -> str:
    if random.random() < 0.5:
        # The console encoder, in colours.
        start = f"{clocks.rfc3339(random)}\t\x1b[34m{event.level}\x1b[0m\tpay/client.go:{random.randrange(500)}"
        return f"{start}\t{event.message}\t{json.dumps(members(event), ensure_ascii=False)}"
    seconds = float(f"1790{digits(random, 6)}.{digits(random, 6)}")
    first = {"level": event.level.lower(), "ts": seconds, "caller": "pay/client.go:87", "msg": event.message}
    return json.dumps({**first, **members(event)}, ensure_ascii=False, separators=(",", ":"))


def slog(random: Random, event: Event) -> str:
    if random.random() < 0.5:
        message = json.dumps(event.message, ensure_ascii=False)
        return f"time={clocks.rfc3339(random)} level={event.level} msg={message} {logfmt(event)}"
    return json.dumps(
        {"time": clocks.rfc3339(random, 9), "level": event.level, "msg": event.message, "payment": members(event)},
        ensure_ascii=False,
    )


def python_logging(random: Random, event: Event) -> str:
    return f"{clocks.plain(random)} {event.level} [{digits(random, 5)}] payments.client: {event.message} {members(event)!r}"


def monolog(random: Random, event: Event) -> str:
    context = json.dumps(members(event), ensure_ascii=random.random() < 0.5, separators=(",", ":")).replace("/", "\\/")
    return f'[{clocks.rfc3339(random, 6)}] app.{event.level}: {event.message} {context} {{"uid":"{hexadecimal(random, 7)}"}}'


def rails(random: Random, event: Event) -> str:
    pairs = ", ".join(f'"{name}"=>{json.dumps(plain(value), ensure_ascii=False)}' for name, value in event.fields)
    return (
        f"I, [{clocks.rfc3339(random, 6)} #{random.randrange(10**5)}]  INFO -- : [{uuid(random)}] {event.message}\n"
        f'  Parameters: {{"payment"=>{{{pairs}}}, "commit"=>"Pay"}}'
    )
