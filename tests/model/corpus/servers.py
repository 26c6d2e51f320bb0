"""Logs of servers and of the programs that collect them."""

from __future__ import annotations

import html
import json
from random import Random
from typing import Any, Dict
from urllib.parse import quote_plus, urlencode

from . import clocks
from .events import Event, address, camel, digits, epoch_ms, hexadecimal, pascal, uuid


def plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def members(event: Event) -> Dict[str, Any]:
    return dict(event.fields)


def logfmt(event: Event) -> str:
    return " ".join(
        f"{name}={value if plain(value).isalnum() else json.dumps(plain(value), ensure_ascii=False)}"
        for name, value in event.fields
    )


def query(event: Event) -> str:
    return urlencode([(name, plain(value)) for name, value in event.fields])


def nginx_combined(random: Random, event: Event) -> str:
    at = clocks.moment(random)
    target = f"/v1/payments?{query(event)}&note={quote_plus(event.message)}"
    return (
        f'{address(random)} - - [{at:%d/%b/%Y:%H:%M:%S} +0000] "GET {target} HTTP/1.1" 200 {random.randrange(10**5)}'
        f' "https://shop.example/" "Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0.0.0" rt=0.{digits(random, 3)}'
    )


def nginx_json(random: Random, event: Event) -> str:
    # `escape=default` of log_format: quotes and control characters as \xHH.
    body = json.dumps({**members(event), "note": event.message}, ensure_ascii=False)
    body = "".join(f"\\x{ord(each):02X}" if each in '"\\' or each < " " else each for each in body)
    return (
        f'{{"time":"{clocks.rfc3339(random)}","remote_addr":"{address(random)}","status":201,'
        f'"request_time":0.{digits(random, 3)},'
        f'"request_id":"{hexadecimal(random, 32)}","msec":"{epoch_ms(random) / 1000:.3f}","request_body":"{body}"}}'
    )


def docker(random: Random, event: Event) -> str:
    inner = json.dumps(
        {"level": event.level, "msg": event.message, **members(event)}, ensure_ascii=random.random() < 0.5
    )
    return json.dumps({"log": inner + "\n", "stream": "stdout", "time": clocks.rfc3339(random, 9)})


def journald(random: Random, event: Event) -> str:
    at = epoch_ms(random) * 1000
    boot = f"b={hexadecimal(random, 32)};m={hexadecimal(random, 10)}"
    return (
        f"__CURSOR=s={hexadecimal(random, 32)};i={hexadecimal(random, 6)};{boot}\n"
        f"__REALTIME_TIMESTAMP={at}\n__MONOTONIC_TIMESTAMP={random.randrange(10**12)}\n_PID={random.randrange(1, 65536)}\n"
        f"PRIORITY=6\nSYSLOG_IDENTIFIER=payments\nMESSAGE={event.message}: {logfmt(event)}\n_SOURCE_REALTIME_TIMESTAMP={at + 17}\n"
    )


def kubernetes(random: Random, event: Event) -> str:
    body = json.dumps(
        {"level": event.level.lower(), "message": event.message, **{camel(name): each for name, each in event.fields}},
        ensure_ascii=False,
    )
    return f"{clocks.rfc3339(random, 9)} stderr F {body}"


def syslog(random: Random, event: Event) -> str:
    def escaped(value: Any) -> str:
        return plain(value).replace("\\", "\\\\").replace('"', '\\"').replace("]", "\\]")

    data = " ".join(f'{name}="{escaped(value)}"' for name, value in event.fields)
    header = f"<134>1 {clocks.rfc3339(random, 6)} host-{digits(random, 2)} payments {digits(random, 4)} ID47"
    return f"{header} [payment@32473 {data}] {event.message}"


def har(random: Random, event: Event) -> str:
    pairs = [{"name": name, "value": plain(value)} for name, value in event.fields]
    entry = {
        "startedDateTime": clocks.rfc3339(random),
        "time": random.randrange(10**6) / 1000,
        "request": {
            "method": "POST",
            "url": f"https://pay.example/v1/payments/{uuid(random)}",
            "queryString": [],
            "postData": {"mimeType": "application/x-www-form-urlencoded", "params": pairs, "text": query(event)},
        },
        "response": {
            "status": 200,
            "content": {"size": random.randrange(10**4), "text": json.dumps({"note": event.message})},
        },
    }
    return json.dumps(
        {"log": {"version": "1.2", "entries": [entry]}}, ensure_ascii=False, indent=random.choice((None, 2))
    )


def soap(random: Random, event: Event) -> str:
    elements = "".join(
        f"<pay:{pascal(name)}>{html.escape(plain(value))}</pay:{pascal(name)}>" for name, value in event.fields
    )
    return (
        '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:pay="urn:example:pay">'
        f"<soapenv:Header><wsa:MessageID>urn:uuid:{uuid(random)}</wsa:MessageID></soapenv:Header><soapenv:Body><pay:Request>"
        f"{elements}<pay:Note>{html.escape(event.message)}</pay:Note></pay:Request></soapenv:Body></soapenv:Envelope>"
    )


def windows(random: Random, event: Event) -> str:
    lines = "\r\n".join(f"\t{pascal(name)}:\t\t{plain(value)}" for name, value in event.fields)
    return (
        f"Log Name:      Application\r\nSource:        Payments\r\nDate:          {clocks.plain(random)}\r\n"
        f"Event ID:      {digits(random, 4)}\r\nLevel:         Information\r\n"
        f"User:          S-1-5-21-{digits(random, 10)}-{digits(random, 10)}-{digits(random, 9)}-1001\r\n"
        f"Description:\r\n{event.message}\r\n\r\nPayment:\r\n{lines}\r\n"
    )
