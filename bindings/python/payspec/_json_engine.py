"""The calls with JSON as inputs and answers, which are not parsed."""

from collections.abc import Iterable
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, Self

from ._errors import PayspecError
from ._library import _native
from ._split import DECODER, split

#: A text as bytes in UTF-8, which is the faster one, or as str.
Text = bytes | str


class Answer(NamedTuple):
    """The unchanged answer of a call."""

    #: The body is valid, the status 2xx, the transition possible, …
    accepted: bool
    #: The answer's JSON.
    json: bytes

    def parse(self) -> Any:
        """Returns the answer as objects.

        A number that Python cannot represent is its text: an integer of more digits than
        sys.get_int_max_str_digits() (4300), a float beyond 1.8e308. RecursionError is raised if arrays and objects
        nest deeper than sys.getrecursionlimit() (1000) less the current calls. A client can cause that only if
        limits.depth of the policy (16) allows it; then use `json` or `members`.
        """
        return DECODER.decode(self.json.decode())

    def members(self) -> dict[str, bytes]:
        """Returns the unchanged JSON of the members: send `members()["body"]`."""
        return split(self.json)


class JsonEngine:
    """An engine is created from a policy and never changes. Threads may share it."""

    def __init__(self, policy: Text | None = None) -> None:
        self._native: _native.Engine | None = _native.Engine(policy)

    def close(self) -> None:
        """Releases the engine. Running calls in other threads still return; later calls raise."""
        self._native = None

    def __reduce__(self) -> NoReturn:
        raise TypeError("an engine cannot be copied or pickled: threads share it, each process creates one")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answer(self, operation: str, *inputs: Text | None) -> Answer:
        """Calls an operation by its name and returns the unchanged answer. An optional input may be None or omitted."""
        return Answer(*(self._native or self._open()).answer(operation, *inputs))

    def answers(self, operation: str, bodies: Iterable[Text], context: Text | None = None) -> list[Answer]:
        """Runs an operation whose first input is a body with each of the bodies, and returns the answers in their order.

        All bodies share the second input, which is parsed once. Before a body is read, PayspecError is raised if that
        input or the operation is invalid, and TypeError if a body is neither bytes nor str. The call releases the lock of
        Python, so other threads run meanwhile.
        """
        return list(map(Answer._make, self._open().answers(operation, list(bodies), context)))

    def verdicts(self, operation: str, bodies: Iterable[Text], context: Text | None = None) -> list[bool]:
        """Returns only the verdicts of `answers`. It is the fastest way to check many bodies."""
        return self._open().verdicts(operation, list(bodies), context)

    def accepts(self, body: Text, now: Text | None = None) -> bool:
        """Returns only the verdict of validate_request. It is the fastest call."""
        return (self._native or self._open()).accepts("validate_request", body, now)

    def validate_request_json(self, body: bytes, now: bytes | None = None) -> bytes:
        return (self._native or self._open()).answer("validate_request", body, now)[1]

    def create_payment_json(self, body: bytes, context: bytes) -> bytes:
        return (self._native or self._open()).answer("create_payment", body, context)[1]

    def read_payment_json(self, context: bytes) -> bytes:
        return self.answer("read_payment", context).json

    def read_balance_json(self, context: bytes) -> bytes:
        return self.answer("read_balance", context).json

    def check_payment_json(self, body: bytes, request: bytes | None = None) -> bytes:
        return self.answer("check_payment", body, request).json

    def field_currencies_json(self, body: bytes) -> bytes:
        return self.answer("field_currencies", body).json

    def convert_json(self, context: bytes) -> bytes:
        return self.answer("convert", context).json

    def advance_payment_json(self, context: bytes) -> bytes:
        return self.answer("advance_payment", context).json

    def check_transition_json(self, context: bytes) -> bytes:
        return self.answer("check_transition", context).json

    def states_json(self) -> bytes:
        return self.answer("states").json

    def check_idempotency_json(self, context: bytes) -> bytes:
        return self.answer("check_idempotency", context).json

    def idempotency_key_json(self, header: bytes | None = None) -> bytes:
        return self.answer("idempotency_key", header).json

    def sign_webhook_json(self, body: bytes, context: bytes) -> bytes:
        return self.answer("sign_webhook", body, context).json

    def verify_webhook_json(self, body: bytes, context: bytes) -> bytes:
        return self.answer("verify_webhook", body, context).json

    def fingerprint_request_json(self, body: bytes) -> bytes:
        return self.answer("fingerprint_request", body).json

    def authorize_json(self, header: bytes | None) -> bytes:
        return self.answer("authorize", header).json

    def upgrade_request_json(self, kind: bytes, body: bytes) -> bytes:
        return self.answer("upgrade_request", kind, body).json

    def downgrade_request_json(self, body: bytes) -> bytes:
        return self.answer("downgrade_request", body).json

    def upgrade_balance_json(self, body: bytes) -> bytes:
        return self.answer("upgrade_balance", body).json

    def downgrade_balance_json(self, body: bytes) -> bytes:
        return self.answer("downgrade_balance", body).json

    def upgrade_payment_json(self, body: bytes) -> bytes:
        return self.answer("upgrade_payment", body).json

    def downgrade_payment_json(self, body: bytes) -> bytes:
        return self.answer("downgrade_payment", body).json

    def redact_json(self, body: bytes) -> bytes:
        return self.answer("redact", body).json

    def redact_text_json(self, text: bytes) -> bytes:
        """Returns a text, such as a line of a log, safe to log. Neither the text nor the answer is JSON."""
        return self.answer("redact_text", text).json

    def locate_json(self, body: bytes, pointer: bytes) -> bytes:
        return self.answer("locate", body, pointer).json

    def compare_policies_json(self, context: bytes) -> bytes:
        return self.answer("compare_policies", context).json

    def card_info_json(self, digits: bytes) -> bytes:
        return self.answer("card_info", digits).json

    def rules_json(self) -> bytes:
        return self.answer("rules").json

    def decisions_json(self) -> bytes:
        return self.answer("decisions").json

    def openapi_json(self) -> bytes:
        return self.answer("openapi").json

    def _open(self) -> _native.Engine:
        if self._native is None:
            raise PayspecError("closed", "", "the engine is closed")
        return self._native

    def _run_column(
        self,
        operation: str,
        data: memoryview,
        offsets: memoryview,
        place: tuple[int, int, int],
        context: Text | None,
        with_answers: bool,
    ) -> tuple[_native.Memory, tuple[_native.Memory, _native.Memory] | None]:
        """Runs an operation with bodies in the memory of two buffers. `_columns` has the meaning of the arguments."""
        return self._open().column(operation, data, offsets, place, context, with_answers)
