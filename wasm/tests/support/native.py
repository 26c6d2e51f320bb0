"""Validates bodies with the native library: for each line of JSON, a line with the reports.

A line has a policy as text or null, the current time or null, and bodies in base64. The answer is the array of their reports, or the error if the
policy or the time is invalid.
"""

import base64
import json
import sys

from payspec import Engine, PayspecError


def error_text(error):
    """Returns an error as the tests in JavaScript write it."""
    parts = {"code": error.code, "path": error.path, "expected": error.message}
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()


def reports(policy, now, bodies):
    """Returns the reports on bodies."""
    with Engine(policy) as engine:
        answers = engine.answers("validate_request", map(base64.b64decode, bodies), now)
    return b"[" + b",".join(answer.json for answer in answers) + b"]"


for line in sys.stdin:
    group = json.loads(line)
    try:
        answer = reports(group["policy"], group["now"], group["bodies"])
    except PayspecError as error:
        answer = error_text(error)
    sys.stdout.buffer.write(answer + b"\n")
    sys.stdout.buffer.flush()
