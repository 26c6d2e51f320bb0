"""The interface of a payment service as a library: validates requests and builds the exact responses, without a network.

    import payspec

    with payspec.Engine({"currencies": ["RUB", "USD"]}) as engine:
        report = engine.validate_request(body)
        if not report["valid"]:
            print(report["violations"])

Input of a client never causes an exception: the answer is a report, or an outcome with the status to send. PayspecError
is a caller error: an invalid context, an invalid policy, or a closed engine.
"""

from ._engine import Context, Engine, dumps
from ._errors import PayspecError
from ._json_engine import Answer, Text
from ._library import version
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
    Span,
    Transition,
    Verification,
    Violation,
    WebhookHeaders,
)

__all__ = [
    "Answer",
    "Authorized",
    "CardInfo",
    "Context",
    "Engine",
    "FieldCurrencies",
    "Fingerprint",
    "Idempotency",
    "IdempotencyKey",
    "Location",
    "Migrated",
    "Outcome",
    "PayspecError",
    "Report",
    "Span",
    "Text",
    "Transition",
    "Verification",
    "Violation",
    "WebhookHeaders",
    "dumps",
    "version",
]
