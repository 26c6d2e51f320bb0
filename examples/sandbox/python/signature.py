"""Verifies the signature of a callback with the standard library of Python, according to Standard Webhooks."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Mapping

TOLERANCE_S = 300


def is_authentic(headers: Mapping[str, str], body: bytes, secret: str, now: float) -> bool:
    """Returns whether the body was signed with the secret, at most 300 seconds before or after `now`."""
    event, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event or not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > TOLERANCE_S:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{event}.{timestamp}.".encode() + body, "sha256")
    expected = b"v1," + base64.b64encode(digest)
    # Servers join several headers of one name by a comma and a space.
    signatures = re.split(b",? ", headers.get("webhook-signature", "").encode())
    return any(hmac.compare_digest(expected, signature) for signature in signatures)
