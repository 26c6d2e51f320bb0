"""The interface of a payment service as a library: judge requests, build the exact answers, never touch the network.

    import payspec

    with payspec.Engine({"currencies": ["RUB", "USD"]}) as engine:
        report = engine.validate_request(body)
        if not report["valid"]:
            print(report["violations"])

What a client sends is never an exception: it is a report, or an outcome with the status to answer. PayspecError means
that the program itself called with something broken: a context, a policy, a closed engine.
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
