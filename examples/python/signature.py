"""Verifies the signature of a callback with payspec. Replaces the file of the same name of examples/sandbox."""

from collections.abc import Mapping
from datetime import datetime, timezone

from payspec import Engine

engine = Engine()


def is_authentic(headers: Mapping[str, str], body: bytes, secret: str, now: float) -> bool:
    """Returns whether the body was signed with the secret, at most 300 seconds before or after `now`."""
    time = datetime.fromtimestamp(now, timezone.utc)
    return engine.verify_webhook(body, {"headers": dict(headers), "secrets": [secret], "now": time})["verified"]
