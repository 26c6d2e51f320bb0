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
from typing import Any

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


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def sent(text: str | None) -> str | None:
    """Returns a text of the client. Bytes that are not UTF-8 become U+FFFD, which no token or key contains: 401 or 400."""
    return None if text is None else os.fsencode(text).decode(errors="replace")


def context(given: argparse.Namespace, header: str | None, accepted: bool) -> dict[str, Any]:
    """Returns the context: identity, time, credential, price."""
    made: dict[str, Any] = {
        "uid": uuid.uuid4() if given.uid is None else given.uid,
        "now": datetime.now(timezone.utc).isoformat() if given.now is None else given.now,
        "authorization": {"header": header, "accepted": accepted},
    }
    if given.url is not None:
        made["url"] = given.url
    if given.quote is not None:
        made["quote"] = read_json(given.quote)
    if given.key is not None:
        # A gateway stores this in its database, under a unique key.
        known = given.record is not None and given.record.exists()
        made["idempotency"] = {"key": sent(given.key), "existing": read_json(given.record) if known else None}
    return made


def respond(answer: payspec.Answer) -> None:
    """Prints the outcome as HTTP, with its body unchanged."""
    outcome, body = answer.parse(), answer.members()["body"]
    reason = "Created" if answer.accepted else outcome["body"]["title"]
    lines = [f"HTTP/1.1 {outcome['status']} {reason}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    if "www_authenticate" in outcome:
        lines.append(f"WWW-Authenticate: {outcome['www_authenticate']}")
    sys.stdout.buffer.write("\r\n".join([*lines, "", ""]).encode() + body)
    for warning in outcome.get("warnings", []):
        print(f"warning: {warning['path']}: {warning['message']}", file=sys.stderr)


def store(record: Path, now: str, answer: payspec.Answer) -> None:
    """Saves a new payment under its key for the next request with this key."""
    members = answer.members()
    if members["replayed"] == b"false":
        parts = (json.dumps(now).encode(), members["fingerprint"], members["body"])
        record.write_bytes(b'{"created_at":%b,"fingerprint":%b,"payment":%b}' % parts)


def main() -> int:
    given = options()
    token = os.environ.get("PAYSPEC_TOKEN")
    if not token:
        raise ValueError("PAYSPEC_TOKEN is not set")
    header = sent(os.environ.get("PAYSPEC_AUTHORIZATION"))
    body = sys.stdin.buffer.read(MOST_BYTES + 1)
    with payspec.Engine(given.policy.read_bytes() if given.policy else None) as engine:
        answer = engine.answer("authorize", header)
        if answer.accepted:
            accepted = hmac.compare_digest(answer.parse()["token"].encode(), os.fsencode(token))
            made = context(given, header, accepted)
            answer = engine.answer("create_payment", body, payspec.dumps(made))
            # A longer body was not read completely: only 413 and 401 do not depend on the rest.
            if len(body) > MOST_BYTES and answer.parse()["status"] not in (413, 401):
                raise ValueError("the body is longer than 1 MiB")
            if answer.accepted and given.key is not None and given.record:
                store(given.record, made["now"], answer)
        respond(answer)
    return 0 if answer.accepted else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (payspec.PayspecError, OSError, ValueError) as problem:
        print(f"create_payment: {problem}", file=sys.stderr)
        sys.exit(2)
