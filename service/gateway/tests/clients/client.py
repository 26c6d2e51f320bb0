"""A client in Python, with the package that openapi-python-client generates. Prints what the service answers."""

import sys

from generated.api.partner import read_balance
from generated.api.payments import create_payment, read_payment
from generated.client import AuthenticatedClient, Client
from generated.models import Currency, Mode, PayIn, Payment, Problem, Subtype

base_url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=token)


def body(amount: str) -> PayIn:
    return PayIn(payment_type="pay_in", mode=Mode.P2P, subtype=Subtype.SBP, cur=Currency.RUB, amount=amount)


created = create_payment.sync_detailed(client=client, body=body("1500.00"), idempotency_key="order-1007")
assert isinstance(created.parsed, Payment)
print(created.status_code.value, created.parsed.state, created.parsed.amount)

# At once, within the window of the key.
other = create_payment.sync_detailed(client=client, body=body("1600.00"), idempotency_key="order-1007")
assert isinstance(other.parsed, Problem)
print(other.status_code.value, other.parsed.code)

read = read_payment.sync_detailed(created.parsed.uid, client=client)
assert isinstance(read.parsed, Payment)
print(read.status_code.value, str(read.parsed.uid == created.parsed.uid).lower())

invalid = create_payment.sync_detailed(client=client, body=body("-5"))
assert isinstance(invalid.parsed, Problem) and invalid.parsed.violations
print(invalid.status_code.value, ",".join(f"{violation.code} {violation.path}" for violation in invalid.parsed.violations))

balance = read_balance.sync_detailed(client=client)
print(balance.status_code.value, balance.parsed.cur)

rejected = read_balance.sync_detailed(client=Client(base_url=base_url))
print(rejected.status_code.value, rejected.parsed.code)
