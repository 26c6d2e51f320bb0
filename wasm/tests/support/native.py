"""Validates bodies with the native library: for each line of JSON, a line with the answers.

A line has a policy as text or null, and calls: a body in base64 and the current time or null. The answer is a list of reports, each an error
if the call was not possible, or one error if the policy is invalid.
"""

import base64
import json
import sys

from payspec import Engine, PayspecError


def error_text(error):
    """Returns an error as the tests in JavaScript write it."""
    parts = {"code": error.code, "path": error.path, "expected": error.message}
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def report(engine, body, now):
    """Returns the report of a body as text, or the error."""
    try:
        return engine.answer("validate_request", base64.b64decode(body), now).json.decode()
    except PayspecError as error:
        return error_text(error)


def answers(group):
    """Returns the answers to a line."""
    policy = group["policy"]
    try:
        engine = Engine(policy)
    except PayspecError as error:
        return error_text(error)
    with engine:
        return [report(engine, body, now) for body, now in group["calls"]]


for line in sys.stdin:
    print(json.dumps(answers(json.loads(line))), flush=True)
