"""Validates the request of section 2.2: its members in order, then unknown members."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Iterator, Optional

from . import timestamp, members
from .policy import Policy
from .reader import NotJson, Number, Object, TooDeep, read
from .report import Report, Violation

VARIANTS = ("pay_in", "pay_out")
MODES = ("P2P", "ACQUIRING", "CRYPTO")
SUBTYPES = ("bank_card", "sbp")

#: Every member in the order of section 2.2, with the JSON type that it must have.
TYPES = {
    "/payment_type": "string",
    "/mode": "string",
    "/cur": "string",
    "/amount": "string",
    "/subtype": "string",
    "/merchant_id": "string",
    "/user_id": "string",
    "/user_name": "string",
    "/callback": "string",
    "/redirect_url": "string",
    "/bank_name": "string",
    "/host2host": "boolean",
    "/description": "string",
    "/time_to_complete_payment": "integer",
    "/pay_out_details": "object",
    "/pay_out_details/bank_name": "string",
    "/pay_out_details/full_name": "string",
    "/pay_out_details/card_number": "string",
    "/pay_out_details/phone_number": "string",
    "/pay_in_details": "object",
    "/pay_in_details/card": "object",
    "/pay_in_details/card/card_holder": "string",
    "/pay_in_details/card/card_number": "string",
    "/pay_in_details/card/expiry_year": "integer",
    "/pay_in_details/card/expiry_month": "integer",
    "/pay_in_details/card/security_code": "string",
    "/pay_in_details/bank_name": "string",
    "/system": "any",
}

#: Section 3, "made precise": the legacy members, without `system`, which is in section 2.2.
LEGACY = {
    "/credentials", "/recipient_credentials", "/currency", "/return_url", "/idempotency_key", "/widget",
    "/campaign_key", "/traffic_type", "/payer_email", "/payer_title", "/recipient_account", "/recipient_email",
    "/pay_in_details/card/payer_account",
}  # fmt: skip


def validate_request(body: bytes, now: Optional[str] = None, policy: Optional[Policy] = None) -> Report:
    policy = policy or Policy()
    clock = None
    if now is not None:
        clock = timestamp.parse(now)
        if clock is None:
            raise ValueError("now is not a timestamp")
    if len(body) > policy.body_bytes:
        return _alone("body_too_large")
    try:
        value = read(body, policy.depth)
    except NotJson:
        return _alone("json_syntax")
    except TooDeep:
        return _alone("too_deep")
    if not isinstance(value, Object):
        return _alone("type")
    return Request(value, clock, policy).report()


def _alone(code: str) -> Report:
    return Report(False, None, None, False, (Violation("", code, "error"),), False)


class Request:
    def __init__(self, body: Object, now: Optional[datetime], policy: Policy) -> None:
        self.body = body
        self.now = now
        self.policy = policy
        self.variant = self.listed("/payment_type", VARIANTS)
        self.mode = self.listed("/mode", MODES)
        self.host2host = self.at("/host2host") is True

    def report(self) -> Report:
        found = [violation for path in TYPES for violation in self.violations(path, self.broken_rules(path))]
        found += [each for path, codes in self.unknown_members(self.body, "") for each in self.violations(path, codes)]
        valid = all(violation.severity != "error" for violation in found)
        listed = tuple(found[: self.policy.violations])
        return Report(valid, self.variant, self.mode, self.host2host, listed, len(listed) < len(found))

    def violations(self, path: str, codes: Iterator[str]) -> Iterator[Violation]:
        """Yields the violations of a member up to its first error, each rule once."""
        reported = set()
        for code in codes:
            severity = self.policy.severities[code]
            if severity == "off" or code in reported:
                continue
            reported.add(code)
            yield Violation(path, code, severity)
            if severity == "error":
                return

    def parent(self, path: str) -> tuple[Optional[Object], str]:
        """Returns the parent object of the member, if present, and its name there."""
        where, _, name = path.rpartition("/")
        found: Any = self.body
        for step in where.split("/")[1:]:
            found = found.first(step) if isinstance(found, Object) else None
        return (found if isinstance(found, Object) else None), name

    def at(self, path: str) -> Any:
        """Returns the member's value, None if it is absent or null."""
        parent, name = self.parent(path)
        return None if parent is None else parent.first(name)

    def valid_value(self, path: str) -> Any:
        """Returns the member's value if it has the right type."""
        value = self.at(path)
        return value if has_type(value, TYPES[path]) else None

    def listed(self, path: str, allowed: tuple[str, ...]) -> Optional[str]:
        value = self.at(path)
        return value if isinstance(value, str) and value in allowed else None

    def broken_rules(self, path: str) -> Iterator[str]:
        """Returns the codes of the rules that the member breaks, in the order in which they are checked."""
        parent, name = self.parent(path)
        duplicated = parent is not None and parent.times(name) > 1
        if duplicated:
            yield "duplicate_member"
        if path == "/system" and parent is not None and parent.times(name) > 0:
            # Section 2.2: the only member for which null counts as a value.
            yield "legacy_member"
            return
        value = None if parent is None else parent.first(name)
        if value is None:
            if self.is_required(path):
                yield "missing"
            yield from self.rules_if_missing(path)
            return
        if not has_type(value, TYPES[path]):
            yield "type"
            return
        if self.is_of_other_variant(path) and not duplicated:
            yield "variant_mismatch"
        yield from self.value(path, value)

    def is_required(self, path: str) -> bool:
        if path in ("/payment_type", "/amount", "/cur"):
            return True
        if path == "/mode" and self.variant == "pay_out":
            return True
        if path == "/subtype" and (self.variant == "pay_out" or (self.variant == "pay_in" and self.mode != "CRYPTO")):
            return True
        return path in self.policy.required and self.can_have(path) and self.has_parent(path)

    def has_parent(self, path: str) -> bool:
        """Returns whether the object of the member is present. To require the object, the policy names it too."""
        return self.parent(path)[0] is not None

    def can_have(self, path: str) -> bool:
        """Returns whether the variant has the member. Only then the policy can require it (D5)."""
        variant = variant_of(path)
        return variant is None or variant == self.variant

    def is_of_other_variant(self, path: str) -> bool:
        variant = variant_of(path)
        return path.count("/") == 1 and None not in (variant, self.variant) and variant != self.variant

    def rules_if_missing(self, path: str) -> Iterator[str]:
        """Yields the codes of the rules that require a missing member."""
        subtype = self.listed("/subtype", SUBTYPES)
        if path == "/pay_in_details/card" and self.variant == "pay_in" and self.host2host and subtype == "bank_card":
            yield "host2host_without_card"
        expected = {"bank_card": "/pay_out_details/card_number", "sbp": "/pay_out_details/phone_number"}.get(
            subtype or ""
        )
        if self.variant == "pay_out" and path == expected:
            yield "recipient_incomplete"

    def value(self, path: str, value: Any) -> Iterator[str]:
        name = path.rpartition("/")[2]
        policy = self.policy
        if path == "/payment_type":
            yield from members.listed(value, VARIANTS)
        elif path == "/mode":
            yield from members.listed(value, MODES)
        elif path == "/subtype":
            yield from members.listed(value, SUBTYPES)
        elif path == "/cur":
            yield from members.currency_code(value, policy)
        elif path == "/amount":
            yield from members.amount(value, policy, self.at("/cur"))
        elif path in ("/callback", "/redirect_url"):
            yield from members.address(value, policy, path == "/callback")
        elif path == "/time_to_complete_payment":
            yield from members.time_to_complete(value, policy)
        elif path == "/pay_in_details/card":
            if value.first("card_number") is None:
                yield from self.rules_if_missing(path)
            if self.variant is not None and not self.host2host:
                yield "card_without_host2host"
        elif name == "card_number":
            yield from members.card_number(value)
        elif name == "phone_number":
            yield from members.phone_number(value)
        elif name == "expiry_year":
            if self.has_expired(value):
                yield "card_expired"
            yield from members.year(value)
        elif name == "expiry_month":
            yield from members.month(value)
        elif name == "security_code":
            yield from members.security_code(value, self.at("/pay_in_details/card/card_number"))
        elif TYPES[path] == "string":
            yield from members.text(value, policy, path == "/description")

    def has_expired(self, value: Number) -> bool:
        year = members.full_year(value)
        month = self.valid_value("/pay_in_details/card/expiry_month")
        if self.now is None or year is None or month is None or not 1 <= members.integer(month) <= 12:
            return False
        return timestamp.expired(year, members.integer(month), self.now)

    def unknown_members(self, where: Object, path: str) -> Iterator[tuple[str, Iterator[str]]]:
        """Reports members that are not in section 2.2, in the order of the body. Of a duplicate member, the first counts."""
        met = set()
        for name, value in where.members:
            if name in met:
                continue
            met.add(name)
            pointer = f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
            known = TYPES.get(pointer) if "/" not in name else None
            if known == "object" and isinstance(value, Object):
                yield from self.unknown_members(value, pointer)
            elif known is None:
                yield pointer, unknown_member(pointer, where.times(name))


def unknown_member(pointer: str, times: int) -> Iterator[str]:
    if times > 1:
        yield "duplicate_member"
    yield "legacy_member" if pointer in LEGACY else "unknown_member"


def variant_of(path: str) -> Optional[str]:
    """Returns the only variant that has the member, or None if both have it."""
    if path == "/user_name" or path.startswith("/pay_in_details"):
        return "pay_in"
    return "pay_out" if path.startswith("/pay_out_details") else None


def has_type(value: Any, expected: str) -> bool:
    if expected == "integer":
        return isinstance(value, Number) and value.integer() is not None
    return isinstance(value, _CLASSES[expected])


_CLASSES = {"string": str, "boolean": bool, "object": Object}
