"""Answers POST /v1/payments/new: the request's body on standard input, the HTTP answer on standard output.

Exit code: 0 for a success, 1 for a problem that the client gets, 2 for a caller error.
"""

import argparse
import hmac
import json
import os
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

try:
    import payspec
except ImportError as problem:
    print(f"create_payment: {problem}", file=sys.stderr)
    sys.exit(2)

# Well over the 65536 bytes of the default policy. A longer body is rejected even if the policy allows it.
MOST_BYTES = 1 << 20


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Answers POST /v1/payments/new: body on standard input, HTTP answer on standard output.",
        epilog="PAYSPEC_AUTHORIZATION: the request's Authorization header. PAYSPEC_TOKEN: the token that is accepted. "
        "Exit code: 0 for a success, 1 for a problem, 2 for a caller error.",
    )
    parser.add_argument("--key", help="the request's Idempotency-Key header")
    parser.add_argument("--record", type=Path, metavar="FILE", help="what is stored under the key; written if new")
    parser.add_argument("--quote", type=Path, metavar="FILE", help='for CRYPTO: {"currency", "rate", "as_of"}')
    parser.add_argument("--policy", type=Path, metavar="FILE", help="the policy")
    parser.add_argument("--url", help="where the client completes the payment")
    parser.add_argument("--uid", help="the payment's uid; a new one without it")
    parser.add_argument("--now", help="the time, RFC 3339; the clock's without it")
    return parser.parse_args()


def context(given: argparse.Namespace, header: bytes | None, accepted: bool) -> payspec.CreateContext:
    """Returns the context: identity, time, credential, price."""
    made: payspec.CreateContext = {
        "uid": uuid.uuid4() if given.uid is None else given.uid,
        "now": datetime.now(timezone.utc) if given.now is None else given.now,
        "authorization": {"header": header, "accepted": accepted},
    }
    if given.url is not None:
        made["url"] = given.url
    if given.quote is not None:
        made["quote"] = json.loads(given.quote.read_bytes())
    return made


def create(engine: payspec.Engine, given: argparse.Namespace, made: payspec.CreateContext, body: bytes) -> payspec.Outcome:
    """Creates the payment of an accepted request. Saves it under its key for the next request with this key."""
    record: Path | None = given.record
    if given.key is not None:
        key = engine.idempotency_key(os.fsencode(given.key))
        if isinstance(key, payspec.Outcome):
            return key
        # A gateway stores this in its database, under a unique key.
        stored = record.read_bytes() if record is not None and record.exists() else None
        made["idempotency"] = {"key": key["key"], "existing": stored}
    outcome = engine.create_payment(body, made)
    # A longer body was not read completely: only 413 does not depend on the rest.
    if len(body) > MOST_BYTES and outcome.status != 413:
        raise ValueError("the body is longer than 1 MiB")
    if (text := outcome.record(made["now"])) is not None and record is not None:
        record.write_bytes(text)
    return outcome


def respond(outcome: payspec.Outcome) -> None:
    """Prints the outcome as HTTP, with its body unchanged."""
    reason = "Created" if outcome.ok else outcome.json()["title"]
    lines = [f"HTTP/1.1 {outcome.status} {reason}", "Content-Type: application/json"]
    lines.append(f"Content-Length: {len(outcome.body)}")
    if outcome.www_authenticate is not None:
        lines.append(f"WWW-Authenticate: {outcome.www_authenticate}")
    sys.stdout.buffer.write("\r\n".join([*lines, "", ""]).encode() + outcome.body)
    for warning in outcome.warnings:
        print(f"warning: {warning['path']}: {warning['message']}", file=sys.stderr)


def main() -> int:
    given = options()
    token = os.environ.get("PAYSPEC_TOKEN")
    if not token:
        raise ValueError("PAYSPEC_TOKEN is not set")
    text = os.environ.get("PAYSPEC_AUTHORIZATION")
    header = None if text is None else os.fsencode(text)
    body = sys.stdin.buffer.read(MOST_BYTES + 1)
    with payspec.Engine(given.policy.read_bytes() if given.policy else None) as engine:
        credential = engine.authorize(header)
        if isinstance(credential, payspec.Outcome):
            outcome = credential
        else:
            accepted = hmac.compare_digest(credential["token"].encode(), os.fsencode(token))
            made = context(given, header, accepted)
            outcome = create(engine, given, made, body) if accepted else engine.create_payment(body, made)
    respond(outcome)
    return 0 if outcome.ok else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (payspec.PayspecError, OSError, ValueError) as problem:
        print(f"create_payment: {problem}", file=sys.stderr)
        sys.exit(2)
