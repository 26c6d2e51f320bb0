"""Types of contexts and of the policy, and how they are written as JSON."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict
from uuid import UUID, uuid4

from ._json_engine import Text
from ._split import DECODER

#: A time with a time zone, or its text (RFC 3339).
Timestamp = datetime | str
#: A decimal, never a float.
Amount = Decimal | str
#: An object of the library that the caller has stored: bytes are copied unchanged.
Stored = Mapping[str, Any] | bytes
State = Literal["idle", "routed", "completed", "not_fully", "fail", "cancel", "chargeback", "correction"]


class HeaderAuthorization(TypedDict):
    """The Authorization header of the request, and whether the caller accepts its token."""

    header: str | bytes | None
    accepted: bool


Authorization = HeaderAuthorization | Literal["checked_by_caller"]


class Idempotency(TypedDict):
    """The key of the request, and the record stored under it: bytes of `Outcome.record`, or None for a new key."""

    key: str | bytes
    existing: Stored | None


class Quote(TypedDict):
    """The price of 1 USDT in a fiat currency."""

    currency: str
    rate: Amount
    as_of: Timestamp


class Charges(TypedDict, total=False):
    """Amounts in the currency of the request."""

    fee: Amount
    commission: Amount
    shared_commission: Amount


class CreateContext(TypedDict):
    """The context of create_payment."""

    uid: UUID | str
    now: Timestamp
    authorization: Authorization
    url: NotRequired[str]
    form: NotRequired[str]
    merchant_id: NotRequired[str]
    allowed_merchant_ids: NotRequired[list[str]]
    idempotency: NotRequired[Idempotency]
    quote: NotRequired[Quote]
    charges: NotRequired[Charges]
    info: NotRequired[Mapping[str, Any]]
    refusal: NotRequired[str]


class ReadContext(TypedDict):
    """The context of read_payment. `payment` is None if there is no such payment, `uid` any text of a path."""

    uid: UUID | str | bytes
    payment: Stored | None
    authorization: Authorization


class BalanceContext(TypedDict):
    """The context of read_balance."""

    balance: Stored
    authorization: Authorization


class ConvertContext(TypedDict):
    """The context of convert. `now` is needed to check the age of the quote."""

    amount: Amount
    currency: str
    quote: NotRequired[Quote]
    now: NotRequired[Timestamp]


class AdvanceContext(TypedDict):
    """The context of advance_payment."""

    payment: Stored
    to: State
    at: Timestamp
    paid_amount: NotRequired[Amount]
    amount: NotRequired[Amount]
    fail_by: NotRequired[str]
    fail_code: NotRequired[str]
    receipts: NotRequired[list[str]]


TransitionContext = TypedDict("TransitionContext", {"from": State, "to": State})


class KeyContext(TypedDict):
    """The context of check_idempotency."""

    now: Timestamp
    existing: Stored | None
    fingerprint: NotRequired[str]
    key: NotRequired[str | bytes]


class SignContext(TypedDict):
    """The context of sign_webhook."""

    id: str
    timestamp: Timestamp
    secrets: list[str]


class VerifyContext(TypedDict):
    """The context of verify_webhook. Header names are case-insensitive."""

    headers: Mapping[str, str]
    secrets: list[str]
    now: Timestamp
    tolerance_s: NotRequired[int]


class IntegerRange(TypedDict, total=False):
    min: int
    max: int


class AmountRange(TypedDict, total=False):
    min: Amount
    max: Amount


class Limits(TypedDict, total=False):
    body_bytes: int
    depth: int
    violations: int
    text_chars: int
    description_chars: int
    uri_bytes: int
    amount: dict[str, AmountRange]
    time_to_complete_payment: IntegerRange


class Urls(TypedDict, total=False):
    schemes: list[str]


class Crypto(TypedDict, total=False):
    scale: int
    rounding: Literal["half_even", "half_up", "half_down", "up", "down"]
    max_quote_age_ms: int


class IdempotencyWindow(TypedDict, total=False):
    window_ms: int


class Policy(TypedDict, total=False):
    """The settings of an engine. Each has a default."""

    severity: dict[str, Literal["error", "warning", "off"]]
    required: list[str]
    limits: Limits
    currencies: list[str]
    urls: Urls
    crypto: Crypto
    idempotency: IdempotencyWindow
    invalid_request_status: Literal[400, 422]
    fingerprint_key: str | None
    transitions: Literal["open", "conventional"] | list[tuple[State, State]]


class PoliciesContext(TypedDict, total=False):
    """The context of compare_policies. A policy that is absent or None is the default one."""

    before: Policy | None
    after: Policy | None


def timestamp(value: Timestamp | bytes) -> str | bytes:
    """Returns a time in the form of contexts."""
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError("a datetime needs a time zone")
    return value.isoformat()


#: Members with a text of the client, which may not be UTF-8, and members with an object that the caller has stored.
_CLIENT, _STORED = ("header", "key"), ("existing", "payment", "balance")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Writer:
    """Copies a context to what the json module can write. Bytes with JSON are inserted afterwards."""

    def __init__(self) -> None:
        self.stored: dict[str, str] = {}

    def value(self, value: object, name: object = None) -> object:
        match value:
            case str() | bytes() if name in _CLIENT:
                return client_text(value)
            case bytes() if name in _STORED:
                return self._insert(value)
            case Mapping():
                return {name: self.value(member, name) for name, member in value.items()}
            case list() | tuple():
                return [self.value(element) for element in value]
            case datetime():
                return timestamp(value)
            case Decimal():
                return format(value, "f")
            case UUID():
                return str(value)
        return value

    def _insert(self, text: bytes) -> str:
        decoded = text.decode()
        DECODER.decode(decoded)
        # Random, so that no text of a client is equal to it.
        placeholder = uuid4().hex
        self.stored[f'"{placeholder}"'] = decoded
        return placeholder


def client_text(value: str | bytes) -> str:
    """Returns a text of the client in UTF-8. No token, key, or UUID contains U+FFFD: the answer is 401, 400, or 404."""
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value.decode(errors="replace")


def _refuse(value: object) -> str:
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


_encode: Callable[[object], str] = json.JSONEncoder(
    default=_refuse, allow_nan=False, ensure_ascii=False, separators=(",", ":")
).encode


def dumps(context: Mapping[str, Any] | Text) -> Text:
    """Returns a context as JSON, for `answer` and the `…_json` methods. A text is returned unchanged.

    UUIDs, Decimals and aware datetimes become texts. Bytes under `existing`, `payment` and `balance` are JSON that is
    copied unchanged: a stored payment is returned byte for byte.
    """
    if not isinstance(context, Mapping):
        return context
    writer = _Writer()
    text = _encode(writer.value(context))
    for placeholder, stored in writer.stored.items():
        text = text.replace(placeholder, stored, 1)
    return text
