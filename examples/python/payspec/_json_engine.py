"""JSON in, JSON out: the calls themselves, without an object made of any answer."""

import ctypes
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple, Self

from ._errors import PayspecError
from ._library import FUNCTIONS, OPERATIONS, Buffer, Handle, engine_new

#: A text as bytes in UTF-8, which is the faster one, or as str.
Text = bytes | str


class Answer(NamedTuple):
    """What a call answered, as it stands."""

    #: The body is valid, the status 2xx, the transition possible, …
    accepted: bool
    #: The answer's JSON.
    json: bytes


def utf8(text: Text | None) -> bytes | None:
    """A lone surrogate in a str becomes bytes that are no UTF-8, which the library reports like any other fault."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


class JsonEngine:
    """An engine made of a policy once, and shared by all threads. It never changes."""

    def __init__(self, policy: Text | None = None) -> None:
        text = utf8(policy)
        handle, error = Handle(), Buffer()
        status = engine_new(text, len(text or b""), ctypes.byref(handle), ctypes.byref(error))
        if status < 0:
            raise PayspecError.from_json(ctypes.string_at(error.data, error.len))
        self._handle: Handle | None = handle
        # Taken by a call and put back: a call in another thread takes the next one, or makes its own.
        self._buffers: list[Buffer] = []

    def close(self) -> None:
        """Gives the engine up. Calls in other threads still come to their end; later ones raise."""
        self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answer(self, operation: str, *inputs: Text | None) -> Answer:
        """Calls an operation by its name: for programs that pass calls on. An optional input may be None or left out."""
        names = OPERATIONS[operation]
        if len(inputs) > len(names):
            raise TypeError(f"{operation} takes {len(names)} inputs, {len(inputs)} were given")
        given = [utf8(text) for text in inputs] + [None] * (len(names) - len(inputs))
        arguments = [part for text in given for part in (text, len(text or b""))]
        return Answer(*self._call(FUNCTIONS[operation], *arguments))

    def accepts(self, body: Text, now: Text | None = None) -> bool:
        """The verdict of validate_request alone: the fastest call."""
        body, now = utf8(body), utf8(now)
        status = FUNCTIONS["validate_request"](self._open(), body, len(body or b""), now, len(now or b""), None)
        if status < 0:  # Once more, with a buffer that tells why.
            self.answer("validate_request", body, now)
        return status == 0

    def validate_request_json(self, body: bytes, now: bytes | None = None) -> bytes:
        return self._call(_VALIDATE_REQUEST, body, len(body), now, len(now or b""))[1]

    def create_payment_json(self, body: bytes, context: bytes) -> bytes:
        return self._call(_CREATE_PAYMENT, body, len(body), context, len(context))[1]

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

    def fingerprint_request_json(self, body: bytes) -> bytes:
        return self.answer("fingerprint_request", body).json

    def authorize_json(self, header: bytes | None) -> bytes:
        return self.answer("authorize", header).json

    def upgrade_request_json(self, kind: bytes, body: bytes) -> bytes:
        return self.answer("upgrade_request", kind, body).json

    def upgrade_payment_json(self, body: bytes) -> bytes:
        return self.answer("upgrade_payment", body).json

    def downgrade_payment_json(self, body: bytes) -> bytes:
        return self.answer("downgrade_payment", body).json

    def redact_json(self, body: bytes) -> bytes:
        return self.answer("redact", body).json

    def card_info_json(self, digits: bytes) -> bytes:
        return self.answer("card_info", digits).json

    def rules_json(self) -> bytes:
        return self.answer("rules").json

    def decisions_json(self) -> bytes:
        return self.answer("decisions").json

    def openapi_json(self) -> bytes:
        return self.answer("openapi").json

    def _open(self) -> Handle:
        if self._handle is None:
            raise PayspecError("closed", "", "the engine is closed")
        return self._handle

    def _call(self, function: Callable[..., int], *arguments: bytes | int | None) -> tuple[bool, bytes]:
        # The reference in `handle` keeps the engine alive until the call has returned.
        handle = self._handle or self._open()
        try:
            buffer = self._buffers.pop()
        except IndexError:
            buffer = Buffer()
        try:
            status = function(handle, *arguments, buffer)
            text = ctypes.string_at(buffer.data, buffer.len)
        finally:
            self._buffers.append(buffer)
        if status < 0:
            raise PayspecError.from_json(text)
        return status == 0, text


_VALIDATE_REQUEST = FUNCTIONS["validate_request"]
_CREATE_PAYMENT = FUNCTIONS["create_payment"]
