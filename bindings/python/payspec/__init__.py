"""The interface of a payment service as a library: validates requests and builds the exact responses, without a network.

    import payspec

    with payspec.Engine({"currencies": ["RUB", "USD"]}) as engine:
        report = engine.validate_request(body)
        if not report["valid"]:
            print(report["violations"])

Input of a client never causes an exception: the answer is a report, or an Outcome with the status and the body to send.
PayspecError is a caller error: an invalid context, an invalid policy, or a closed engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._library import version
    from ._contexts import (
        AdvanceContext,
        AmountRange,
        Authorization,
        BalanceContext,
        Charges,
        ConvertContext,
        CreateContext,
        Crypto,
        HeaderAuthorization,
        Idempotency,
        IdempotencyWindow,
        IntegerRange,
        KeyContext,
        Limits,
        PoliciesContext,
        Policy,
        Quote,
        ReadContext,
        SignContext,
        State,
        Stored,
        Timestamp,
        TransitionContext,
        Urls,
        VerifyContext,
        dumps,
    )
    from ._engine import Body, Engine
    from ._errors import PayspecError
    from ._json_engine import Answer, Text
    from ._outcome import Outcome
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
        PolicyDifference,
        PolicyWitness,
        Report,
        Span,
        Transition,
        Verification,
        Violation,
        WebhookHeaders,
    )

__all__ = [
    "AdvanceContext",
    "AmountRange",
    "Answer",
    "Authorization",
    "Authorized",
    "BalanceContext",
    "Body",
    "CardInfo",
    "Charges",
    "ConvertContext",
    "CreateContext",
    "Crypto",
    "Engine",
    "FieldCurrencies",
    "Fingerprint",
    "HeaderAuthorization",
    "Idempotency",
    "IdempotencyKey",
    "IdempotencyWindow",
    "IntegerRange",
    "KeyContext",
    "KeyVerdict",
    "Limits",
    "Location",
    "Migrated",
    "Outcome",
    "PayspecError",
    "PoliciesContext",
    "Policy",
    "PolicyComparison",
    "PolicyDifference",
    "PolicyWitness",
    "Quote",
    "ReadContext",
    "Report",
    "SignContext",
    "Span",
    "State",
    "Stored",
    "Text",
    "Timestamp",
    "Transition",
    "TransitionContext",
    "Urls",
    "Verification",
    "VerifyContext",
    "Violation",
    "WebhookHeaders",
    "dumps",
    "version",
]

# In the order of their imports: the first one reports a missing library.
_MODULES = ("_library", "_contexts", "_engine", "_errors", "_json_engine", "_outcome", "_types")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Opens the library with the first name that is used, since payspec.sandbox needs none."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        for module in _MODULES:
            names = vars(import_module(f"{__name__}.{module}"))
            globals().update({each: names[each] for each in __all__ if each in names})
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
