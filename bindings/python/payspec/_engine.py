"""The engine with dicts as inputs and answers."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, Literal, Protocol, cast

from ._contexts import (
    AdvanceContext,
    BalanceContext,
    ConvertContext,
    CreateContext,
    KeyContext,
    PoliciesContext,
    Policy,
    ReadContext,
    SignContext,
    Timestamp,
    TransitionContext,
    VerifyContext,
    client_text,
    dumps,
    timestamp,
)
from ._json_engine import JsonEngine, Text
from ._library import _native
from ._outcome import Outcome, outcome
from ._types import (
    Authorized,
    CardInfo,
    FieldCurrencies,
    Fingerprint,
    IdempotencyKey,
    KeyVerdict,
    Location,
    Migrated,
    PolicyComparison,
    Report,
    Transition,
    Verification,
    WebhookHeaders,
)



class Dataclass(Protocol):
    """An instance of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


#: A body: the bytes of the client, which is the faster one, a str, a dict, or an instance of a dataclass.
Body = Text | Mapping[str, Any] | Dataclass
#: The second input of a batch, which all bodies share.
Shared = Mapping[str, Any] | datetime | Text


def _text(body: Body) -> Text:
    # Unlike a context, a body has no members whose values are replaced.
    return body if isinstance(body, bytes | str) else _native.json_of(body)


def shared_input(context: Shared | None) -> Text | None:
    """Returns the second input of a batch in the form of the library."""
    if isinstance(context, datetime):
        return timestamp(context)
    return None if context is None else dumps(context)


class Engine(JsonEngine):
    """Has a method for each operation, and a method `…_json` with bytes as inputs and answer.

    A body is bytes, a str, a dict, or an instance of a dataclass. A context is a dict, or its JSON; `dumps` documents the values in it.

    Every operation answers a body that is not JSON with its Report: input of a client never raises an exception.
    `Answer.parse` documents long numbers and the maximum depth of bodies.
    """

    def __init__(self, policy: Policy | Text | None = None) -> None:
        super().__init__(None if policy is None else dumps(policy))

    def validate_request(self, body: Body, now: Timestamp | Text | None = None) -> Report:
        """Validates a creation request. Expired cards are detected if `now` is given."""
        return (self._native or self._open()).validate_request(body, None if now is None else timestamp(now))

    def create_payment(self, body: Body, context: CreateContext | Text) -> Outcome:
        """Returns the exact response to POST /v1/payments/new."""
        return outcome(self.answer("create_payment", _text(body), dumps(context)))

    def read_payment(self, context: ReadContext | Text) -> Outcome:
        """Returns the exact response to GET /v1/payments/{uid}/status."""
        uid = context.get("uid") if isinstance(context, Mapping) else None
        if isinstance(context, Mapping) and isinstance(uid, str | bytes):
            # The text of a path may not be UTF-8.
            context = cast(ReadContext, {**context, "uid": client_text(uid)})
        return outcome(self.answer("read_payment", dumps(context)))

    def read_balance(self, context: BalanceContext | Text) -> Outcome:
        """Returns the exact response to GET /v1/partner/balance."""
        return outcome(self.answer("read_balance", dumps(context)))

    def check_payment(self, body: Body, request: Body | None = None) -> Report:
        """Validates a Payment, and compares it with the request, if given."""
        return cast(Report, self._parsed("check_payment", _text(body), None if request is None else _text(request)))

    def field_currencies(self, body: Body) -> FieldCurrencies | Report:
        """Returns the currency of each amount of a Payment."""
        return cast(FieldCurrencies | Report, self._parsed("field_currencies", _text(body)))

    def convert(self, context: ConvertContext | Text) -> Outcome:
        """Converts a fiat amount to USDT."""
        return outcome(self.answer("convert", dumps(context)))

    def advance_payment(self, context: AdvanceContext | Text) -> Outcome:
        """Applies a transition to a stored Payment, or returns a 409 outcome."""
        return outcome(self.answer("advance_payment", dumps(context)))

    def check_transition(self, context: TransitionContext | Text) -> Transition:
        """Returns the verdict on a transition between two states."""
        return cast(Transition, self._parsed("check_transition", dumps(context)))

    def states(self) -> dict[str, Any]:
        """Returns the table of states."""
        return cast(dict[str, Any], self._parsed("states"))

    def check_idempotency(self, context: KeyContext | Text) -> KeyVerdict:
        """Returns the verdict on a repeated idempotency key."""
        return cast(KeyVerdict, self._parsed("check_idempotency", dumps(context)))

    def idempotency_key(self, header: Text | None = None) -> IdempotencyKey | Outcome:
        """Returns the key of an Idempotency-Key header, `None` without the header, or the 400 outcome."""
        answer = self.answer("idempotency_key", header)
        return cast(IdempotencyKey, answer.parse()) if answer.accepted else outcome(answer)

    def sign_webhook(self, body: Body, context: SignContext | Text) -> WebhookHeaders:
        """Signs a webhook, and returns the headers to send with it."""
        return cast(WebhookHeaders, self._parsed("sign_webhook", _text(body), dumps(context)))

    def verify_webhook(self, body: Body, context: VerifyContext | Text) -> Verification:
        """Verifies the signature and the time of a received webhook."""
        return cast(Verification, self._parsed("verify_webhook", _text(body), dumps(context)))

    def fingerprint_request(self, body: Body) -> Fingerprint | Report:
        """Returns a value that is the same for every spelling of a request."""
        return cast(Fingerprint | Report, self._parsed("fingerprint_request", _text(body)))

    def authorize(self, header: Text | None) -> Authorized | Outcome:
        """Returns the token of an Authorization header, or the 401 outcome."""
        answer = self.answer("authorize", header)
        return cast(Authorized, answer.parse()) if answer.accepted else outcome(answer)

    def upgrade_request(self, kind: Literal["pay_in", "pay_out"], body: Body) -> Migrated | Report:
        """Migrates a request of the legacy API."""
        return cast(Migrated | Report, self._parsed("upgrade_request", kind, _text(body)))

    def downgrade_request(self, body: Body) -> Migrated | Report:
        """Migrates a request to the legacy API."""
        return cast(Migrated | Report, self._parsed("downgrade_request", _text(body)))

    def upgrade_balance(self, body: Body) -> Migrated | Report:
        """Migrates a balance of the legacy API."""
        return cast(Migrated | Report, self._parsed("upgrade_balance", _text(body)))

    def downgrade_balance(self, body: Body) -> Migrated | Report:
        """Migrates a balance to the legacy API."""
        return cast(Migrated | Report, self._parsed("downgrade_balance", _text(body)))

    def upgrade_payment(self, body: Body) -> Migrated | Report:
        """Migrates a Payment of the legacy API."""
        return cast(Migrated | Report, self._parsed("upgrade_payment", _text(body)))

    def downgrade_payment(self, body: Body) -> Migrated | Report:
        """Migrates a Payment to the legacy API."""
        return cast(Migrated | Report, self._parsed("downgrade_payment", _text(body)))

    def redact(self, body: Body) -> Any:
        """Returns the body, safe to log. For a log line, `redact_json` is faster."""
        return self._parsed("redact", _text(body))

    def redact_text(self, text: str) -> str:
        """Returns a text, such as a line of a log, safe to log."""
        return self.answer("redact_text", text).json.decode()

    def locate(self, body: Body, pointer: str) -> Location | None:
        """Returns the byte range, line, and column of the value at a JSON Pointer, or None if there is no such value."""
        answer = self.answer("locate", _text(body), pointer)
        return cast(Location, answer.parse()) if answer.accepted else None

    def compare_policies(self, context: PoliciesContext | Text) -> PolicyComparison:
        """Compares the requests that two policies accept."""
        return cast(PolicyComparison, self._parsed("compare_policies", dumps(context)))

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

    def batch(self, operation: str, bodies: Iterable[Body], context: Shared | None = None) -> list[Any]:
        """Runs an operation whose first input is a body, such as "validate_request", with each of the bodies.

        Returns the answers in the order of the bodies, as `Answer.parse` does. All share the second input, which is
        parsed once.
        """
        return [answer.parse() for answer in self.answers(operation, map(_text, bodies), shared_input(context))]

    def _parsed(self, operation: str, *inputs: Text | None) -> Any:
        return self.answer(operation, *inputs).parse()
