"""A gateway as a WSGI application: POST /v1/payments/new.

    PAYSPEC_TOKEN=secret python gateway.py          # at 127.0.0.1:8000

Any server for WSGI runs `application`; a Flask or Django view contains the same calls.
"""

import hmac
import os
import sys
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from threading import Lock
from typing import Any

import payspec

# More than the 65536 bytes of the default policy, which answers a longer body with 413.
MOST_BYTES = 1 << 17

engine = payspec.Engine()
# In a database: a table with a unique key, and a transaction around the two statements.
records: dict[str, bytes] = {}
lock = Lock()


def new_payment(body: bytes, authorization: str | None, key_header: str | None, token: str) -> payspec.Outcome:
    """Returns the response to a request."""
    credential = engine.authorize(authorization)
    if isinstance(credential, payspec.Outcome):
        return credential
    accepted = hmac.compare_digest(credential["token"].encode(), token.encode())
    now = datetime.now(timezone.utc)
    context: payspec.CreateContext = {
        "uid": uuid.uuid4(),
        "now": now,
        "authorization": {"header": authorization, "accepted": accepted},
        "url": "https://pay.example/",
    }
    if key_header is None or not accepted:
        return engine.create_payment(body, context)
    key = engine.idempotency_key(key_header)
    if isinstance(key, payspec.Outcome):
        return key
    with lock:
        context["idempotency"] = {"key": key["key"], "existing": records.get(key["key"])}
        outcome = engine.create_payment(body, context)
        if record := outcome.record(now):
            records[key["key"]] = record
    return outcome


def application(request: dict[str, Any], start: Callable[[str, list[tuple[str, str]]], object]) -> Iterable[bytes]:
    if (request["REQUEST_METHOD"], request["PATH_INFO"]) != ("POST", "/v1/payments/new"):
        start("404 Not Found", [("Content-Length", "0")])
        return []
    try:
        length = min(int(request.get("CONTENT_LENGTH") or 0), MOST_BYTES)
    except ValueError:
        length = 0
    body = request["wsgi.input"].read(length)
    authorization, key = request.get("HTTP_AUTHORIZATION"), request.get("HTTP_IDEMPOTENCY_KEY")
    outcome = new_payment(body, authorization, key, os.environ["PAYSPEC_TOKEN"])
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(outcome.body)))]
    if outcome.www_authenticate is not None:
        headers.append(("WWW-Authenticate", outcome.www_authenticate))
    if outcome.replayed:
        headers.append(("Idempotent-Replayed", "true"))
    for warning in outcome.warnings:
        print(f"warning: {warning['path']}: {warning['message']}", file=sys.stderr)
    start(f"{outcome.status} {'Created' if outcome.ok else outcome.json()['title']}", headers)
    return [outcome.body]


if __name__ == "__main__":
    from wsgiref.simple_server import make_server

    if not os.environ.get("PAYSPEC_TOKEN"):
        sys.exit("PAYSPEC_TOKEN is not set")
    with make_server("127.0.0.1", 8000, application) as server:
        server.serve_forever()
