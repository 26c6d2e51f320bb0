"""A client in Python, with the models that datamodel-code-generator generates. Prints what the service answers."""

import sys
import urllib.error
import urllib.request

from pydantic import ValidationError
from schema import Balance, Payment, PaymentCreateRequest, Problem

base_url, token = sys.argv[1:]


def call(path, model, request=None, key=None, authorized=True):
    """Returns the status, and the answer as a model, or as a problem."""
    headers = {"Authorization": f"Bearer {token}"} if authorized else {}
    body = None
    if request is not None:
        headers["Content-Type"] = "application/json"
        body = request if isinstance(request, bytes) else request.model_dump_json(exclude_none=True).encode()
    if key is not None:
        headers["Idempotency-Key"] = key
    try:
        with urllib.request.urlopen(urllib.request.Request(base_url + path, body, headers)) as answer:
            return answer.status, model.model_validate_json(answer.read())
    except urllib.error.HTTPError as answer:
        return answer.status, Problem.model_validate_json(answer.read())


def text(amount):
    return f'{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"{amount}"}}'


def body(amount):
    return PaymentCreateRequest.model_validate_json(text(amount))


status, created = call("/v1/payments/new", Payment, body("1500.00"), "order-1007")
print(status, created.state.value, created.amount)

# At once, within the window of the key.
status, other = call("/v1/payments/new", Payment, body("1600.00"), "order-1007")
print(status, other.code.value)

status, read = call(f"/v1/payments/{created.uid}/status", Payment)
print(status, str(read.uid == created.uid).lower())

try:
    body("-5")
    raise AssertionError("the model accepts a negative amount")
except ValidationError:
    pass
status, invalid = call("/v1/payments/new", Payment, text("-5").encode())
print(status, ",".join(f"{violation.code.value} {violation.path}" for violation in invalid.violations))

status, balance = call("/v1/partner/balance", Balance)
print(status, balance.cur)

status, rejected = call("/v1/partner/balance", Balance, authorized=False)
print(status, rejected.code.value)
