"""Helpers of the tests: bodies from few arguments, and the violations of bodies."""

from __future__ import annotations

import json
from typing import Any, List, Optional, Tuple

from payspec_model import Policy, Report, validate_request

PAY_IN = {"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "100.00"}
PAY_OUT = {**PAY_IN, "payment_type": "pay_out", "pay_out_details": {"phone_number": "+79000000000"}}
CARD = {"card_number": "4111111111111111", "expiry_year": 2031, "expiry_month": 11, "security_code": "739"}
H2H = {**PAY_IN, "subtype": "bank_card", "host2host": True}


def report(body: Any, policy: Optional[dict[str, Any]] = None, now: Optional[str] = None) -> Report:
    text = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    return validate_request(text, now, Policy(policy))


def violations(body: Any, policy: Optional[dict[str, Any]] = None, now: Optional[str] = None) -> List[Tuple[str, str]]:
    """Returns path and code of every violation."""
    return [(each.path, each.code) for each in report(body, policy, now).violations]


def codes(body: Any, policy: Optional[dict[str, Any]] = None, now: Optional[str] = None) -> List[str]:
    return [code for _, code in violations(body, policy, now)]


def of(name: str, value: Any, policy: Optional[dict[str, Any]] = None, **more: Any) -> List[str]:
    """Returns the codes of a valid pay-in with one member set."""
    return codes({**PAY_IN, **more, name: value}, policy)


def with_card(now: Optional[str] = None, **members: Any) -> List[Tuple[str, str]]:
    """Returns the violations of a card, without their common path."""
    body = {**H2H, "pay_in_details": {"card": {**CARD, **members}}}
    return [(path.rpartition("/")[2], code) for path, code in violations(body, None, now)]
