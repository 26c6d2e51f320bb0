"""The engine with dicts as inputs and answers."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, cast
from uuid import UUID

from ._json_engine import JsonEngine, Text
from ._types import (
    Authorized,
    CardInfo,
    FieldCurrencies,
    Fingerprint,
    Idempotency,
    IdempotencyKey,
    Location,
    Migrated,
    Outcome,
    Report,
    Transition,
    Verification,
    WebhookHeaders,
)

#: A context: any Mapping, with others in it. It may contain UUIDs, Decimals and aware datetimes.
Context = Mapping[str, Any] | Text


def _instant(value: datetime) -> str:
    if value.tzinfo is None:
        raise ValueError("a datetime needs a time zone")
    return value.isoformat()


def _member(value: object) -> str | dict[Any, Any]:
    match value:
        case Mapping():
            return dict(value)
        case datetime():
            return _instant(value)
        case Decimal():
            return format(value, "f")
        case UUID():
            return str(value)
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


def dumps(context: Context) -> Text:
    """Returns a context as JSON, for `answer` and the `…_json` methods.

    A Payment of the library in it is preserved byte for byte, unless Python writes its numbers in another way: then
    write the context as text.
    """
    if isinstance(context, Mapping):
        return json.dumps(context, default=_member, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return context


class Engine(JsonEngine):
    """Has a method for each operation, and a method `…_json` with bytes as inputs and answer.

    Every operation answers a body that is not JSON with its Report: input of a client never raises an exception.
    `Answer.parse` documents long numbers and the maximum depth of bodies.
    """

    def __init__(self, policy: Context | None = None) -> None:
        super().__init__(None if policy is None else dumps(policy))

    def validate_request(self, body: Text, now: datetime | Text | None = None) -> Report:
        """Validates a creation request. Expired cards are detected if `now` is given."""
        return cast(Report, self._parsed("validate_request", body, _instant(now) if isinstance(now, datetime) else now))

    def create_payment(self, body: Text, context: Context) -> Outcome:
        """Returns the exact response to POST /v1/payments/new."""
        return cast(Outcome, self._parsed("create_payment", body, dumps(context)))

    def read_payment(self, context: Context) -> Outcome:
        """Returns the exact response to GET /v1/payments/{uid}/status."""
        return cast(Outcome, self._parsed("read_payment", dumps(context)))

    def read_balance(self, context: Context) -> Outcome:
        """Returns the exact response to GET /v1/partner/balance."""
        return cast(Outcome, self._parsed("read_balance", dumps(context)))

    def check_payment(self, body: Text, request: Text | None = None) -> Report:
        """Validates a Payment, and compares it with the request, if given."""
        return cast(Report, self._parsed("check_payment", body, request))

    def field_currencies(self, body: Text) -> FieldCurrencies | Report:
        """Returns the currency of each amount of a Payment."""
        return cast(FieldCurrencies | Report, self._parsed("field_currencies", body))

    def convert(self, context: Context) -> Outcome:
        """Converts a fiat amount to USDT."""
        return cast(Outcome, self._parsed("convert", dumps(context)))

    def advance_payment(self, context: Context) -> Outcome:
        """Applies a transition to a stored Payment, or returns a 409 outcome."""
        return cast(Outcome, self._parsed("advance_payment", dumps(context)))

    def check_transition(self, context: Context) -> Transition:
        """Returns the verdict on a transition between two states."""
        return cast(Transition, self._parsed("check_transition", dumps(context)))

    def states(self) -> dict[str, Any]:
        """Returns the table of states."""
        return cast(dict[str, Any], self._parsed("states"))

    def check_idempotency(self, context: Context) -> Idempotency:
        """Returns the verdict on a repeated idempotency key."""
        return cast(Idempotency, self._parsed("check_idempotency", dumps(context)))

    def idempotency_key(self, header: Text) -> IdempotencyKey | Outcome:
        """Returns the key of an Idempotency-Key header, or the 400 outcome."""
        return cast(IdempotencyKey | Outcome, self._parsed("idempotency_key", header))

    def sign_webhook(self, body: Text, context: Context) -> WebhookHeaders:
        """Signs a webhook, and returns the headers to send with it."""
        return cast(WebhookHeaders, self._parsed("sign_webhook", body, dumps(context)))

    def verify_webhook(self, body: Text, context: Context) -> Verification:
        """Verifies the signature and the time of a received webhook."""
        return cast(Verification, self._parsed("verify_webhook", body, dumps(context)))

    def fingerprint_request(self, body: Text) -> Fingerprint | Report:
        """Returns a value that is the same for every spelling of a request."""
        return cast(Fingerprint | Report, self._parsed("fingerprint_request", body))

    def authorize(self, header: Text | None) -> Authorized | Outcome:
        """Returns the token of an Authorization header, or the 401 outcome."""
        return cast(Authorized | Outcome, self._parsed("authorize", header))

    def upgrade_request(self, kind: Literal["pay_in", "pay_out"], body: Text) -> Migrated | Report:
        """Migrates a request of the legacy API."""
        return cast(Migrated | Report, self._parsed("upgrade_request", kind, body))

    def downgrade_request(self, body: Text) -> Migrated | Report:
        """Migrates a request to the legacy API."""
        return cast(Migrated | Report, self._parsed("downgrade_request", body))

    def upgrade_balance(self, body: Text) -> Migrated | Report:
        """Migrates a balance of the legacy API."""
        return cast(Migrated | Report, self._parsed("upgrade_balance", body))

    def downgrade_balance(self, body: Text) -> Migrated | Report:
        """Migrates a balance to the legacy API."""
        return cast(Migrated | Report, self._parsed("downgrade_balance", body))

    def upgrade_payment(self, body: Text) -> Migrated | Report:
        """Migrates a Payment of the legacy API."""
        return cast(Migrated | Report, self._parsed("upgrade_payment", body))

    def downgrade_payment(self, body: Text) -> Migrated | Report:
        """Migrates a Payment to the legacy API."""
        return cast(Migrated | Report, self._parsed("downgrade_payment", body))

    def redact(self, body: Text) -> Any:
        """Returns the body, safe to log. For a log line, `redact_json` is faster."""
        return self._parsed("redact", body)

    def redact_text(self, text: str) -> str:
        """Returns a text, such as a line of a log, safe to log."""
        return self.answer("redact_text", text).json.decode()

    def locate(self, body: Text, pointer: str) -> Location | None:
        """Returns the byte range, line, and column of the value at a JSON Pointer, or None if there is no such value."""
        answer = self.answer("locate", body, pointer)
        return cast(Location, answer.parse()) if answer.accepted else None

    def card_info(self, digits: Text) -> CardInfo:
        """Returns the scheme and format of a card number, also while it is typed."""
        return cast(CardInfo, self._parsed("card_info", digits))

    def rules(self) -> dict[str, Any]:
        """Returns the catalog of violation codes."""
        return cast(dict[str, Any], self._parsed("rules"))

    def decisions(self) -> dict[str, Any]:
        """Returns the decisions on questions that the specification leaves open."""
        return cast(dict[str, Any], self._parsed("decisions"))

    def openapi(self) -> dict[str, Any]:
        """Returns an OpenAPI 3.1 document of the interface."""
        return cast(dict[str, Any], self._parsed("openapi"))

    def batch(self, operation: str, bodies: Iterable[Text], context: Context | datetime | None = None) -> list[Any]:
        """Runs an operation whose first input is a body, such as "validate_request", with each of the bodies.

        Returns the answers of its method in the order of the bodies. All share the second input, which is parsed once.
        """
        shared = _instant(context) if isinstance(context, datetime) else None if context is None else dumps(context)
        return [answer.parse() for answer in self.answers(operation, bodies, shared)]

    def _parsed(self, operation: str, *inputs: Text | None) -> Any:
        return self.answer(operation, *inputs).parse()
