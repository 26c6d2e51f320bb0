"""The calls with JSON as inputs and answers, which are not parsed."""

from array import array
from collections.abc import Callable, Iterable
from ctypes import byref, c_size_t, c_void_p
from itertools import accumulate, pairwise
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, Self

from ._errors import PayspecError
from ._library import FUNCTIONS, OPERATIONS, Buffer, Handle, engine_new
from ._library import batch as run_batch
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


def utf8(text: Text | None) -> bytes | None:
    """Encodes a text. A lone surrogate becomes bytes that are not UTF-8, which the library reports as an error."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _input(text: bytes | None) -> tuple[bytes | None, c_size_t]:
    """Returns an input in the form of the C API."""
    if text is None:
        return None, _NOTHING
    if not isinstance(text, bytes):
        raise TypeError(f"expected bytes or str, not {type(text).__name__}")
    return text, c_size_t(len(text))


#: Texts, the address of their offsets, and the number of bodies.
NativeColumn = tuple[bytes | c_void_p, c_void_p, c_size_t]


class _Column:
    """Bodies in the form of payspec_batch, and its array of return codes."""

    def __init__(self, bodies: Iterable[Text]) -> None:
        texts = list(bodies)
        if not set(map(type, texts)) <= {bytes}:
            texts = [_required(body) for body in texts]
        self.count = len(texts)
        self._data = b"".join(texts)  # type: ignore[arg-type]
        self._offsets = array("q", accumulate(map(len, texts), initial=0))
        self.returns = array("b", bytes(self.count))

    def arguments(self) -> NativeColumn:
        return self._data, _address(self._offsets), c_size_t(self.count)


def _required(text: Text) -> bytes:
    required, _ = _input(utf8(text))
    if required is None:
        raise TypeError("expected bytes or str, not None")
    return required


def _address(numbers: "array[int]") -> c_void_p:
    return c_void_p(numbers.buffer_info()[0])


class JsonEngine:
    """An engine is created from a policy and never changes. Threads may share it."""

    def __init__(self, policy: Text | None = None) -> None:
        handle, error = Handle(), Buffer()
        status = engine_new(*_input(utf8(policy)), byref(handle), byref(error))
        if status < 0:
            raise PayspecError.from_json(error.data)
        self._handle: Handle | None = handle
        # A call removes a buffer and puts it back: a call in another thread uses the next one, or creates one.
        self._buffers: list[Any] = []

    def close(self) -> None:
        """Releases the engine. Running calls in other threads still return; later calls raise."""
        self._handle = None

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
        names = OPERATIONS[operation]
        if len(inputs) > len(names):
            raise TypeError(f"{operation} takes {len(names)} inputs, {len(inputs)} were given")
        padded = [*inputs, *[None] * (len(names) - len(inputs))]
        return Answer(*self._call(FUNCTIONS[operation], *[part for text in padded for part in _input(utf8(text))]))

    def answers(self, operation: str, bodies: Iterable[Text], context: Text | None = None) -> list[Answer]:
        """Runs an operation whose first input is a body with each of the bodies, and returns the answers in their order.

        All bodies share the second input, which is parsed once. Before a body is read, PayspecError is raised if that
        input or the operation is invalid, and TypeError if a body is neither bytes nor str. The call releases the lock of
        Python, so other threads run meanwhile.
        """
        column = _Column(bodies)
        ends = array("q", bytes(8 * (column.count + 1)))
        text = self._run_batch(operation, column.arguments(), context, _address(column.returns), _address(ends)).data
        if min(column.returns, default=0) < 0:
            # The library panicked, which is a bug in it.
            worst = column.returns.index(min(column.returns))
            raise PayspecError.from_json(text[ends[worst] : ends[worst + 1]])
        return [Answer(code == 0, text[start:end]) for code, (start, end) in zip(column.returns, pairwise(ends))]

    def verdicts(self, operation: str, bodies: Iterable[Text], context: Text | None = None) -> list[bool]:
        """Returns only the verdicts of `answers`. It is the fastest way to check many bodies."""
        texts = list(bodies)  # An iterator has no bodies for a second call.
        column = _Column(texts)
        self._run_batch(operation, column.arguments(), context, _address(column.returns))
        if min(column.returns, default=0) < 0:
            # With a buffer, which receives the error.
            return [answer.accepted for answer in self.answers(operation, texts, context)]
        return [code == 0 for code in column.returns]

    def accepts(self, body: Text, now: Text | None = None) -> bool:
        """Returns only the verdict of validate_request. It is the fastest call."""
        if isinstance(body, bytes) and now is None:
            status = _VALIDATE_REQUEST(self._open(), body, c_size_t(len(body)), None, _NOTHING, None)
            if status >= 0:
                return status == 0
        # With a buffer, which receives the error.
        return self.answer("validate_request", body, now).accepted

    def validate_request_json(self, body: bytes, now: bytes | None = None) -> bytes:
        return self._call_two(_VALIDATE_REQUEST, body, now)

    def create_payment_json(self, body: bytes, context: bytes) -> bytes:
        return self._call_two(_CREATE_PAYMENT, body, context)

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

    def _open(self) -> Handle:
        if self._handle is None:
            raise PayspecError("closed", "", "the engine is closed")
        return self._handle

    def _run_batch(
        self, operation: str, column: NativeColumn, context: Text | None, returns: c_void_p, ends: c_void_p | None = None
    ) -> Buffer:
        """Calls payspec_batch, which fills `returns` and `ends`. Returns the answers, none without `ends`."""
        handle = self._handle or self._open()
        answers = Buffer()
        inputs = (*_input(operation.encode()), *column, *_input(utf8(context)))
        status = run_batch(handle, *inputs, returns, None if ends is None else byref(answers), ends)
        if status < 0:
            if ends is None:
                # With a buffer, which receives the error.
                needed = array("q", bytes(8 * (column[2].value + 1)))
                return self._run_batch(operation, column, context, returns, _address(needed))
            raise PayspecError.from_json(answers.data)
        return answers

    def _call(self, function: Callable[..., int], *arguments: bytes | c_size_t | None) -> tuple[bool, bytes]:
        # The reference in `handle` keeps the engine alive until the call has returned.
        handle = self._handle or self._open()
        try:
            buffer: Any = self._buffers.pop()
        except IndexError:
            buffer = byref(Buffer())
        try:
            status = function(handle, *arguments, buffer)
            text: bytes = buffer._obj.data
        finally:
            self._buffers.append(buffer)
        if status < 0:
            raise PayspecError.from_json(text)
        return status == 0, text

    def _call_two(self, function: Callable[..., int], body: bytes, other: bytes | None) -> bytes:
        """Does the same as `_call` for the two most frequent calls of a gateway, a third faster."""
        if not (isinstance(body, bytes) and (other is None or isinstance(other, bytes))):
            raise TypeError("expected bytes")
        handle = self._handle or self._open()
        try:
            buffer: Any = self._buffers.pop()
        except IndexError:
            buffer = byref(Buffer())
        try:
            other_size = _NOTHING if other is None else c_size_t(len(other))
            status = function(handle, body, c_size_t(len(body)), other, other_size, buffer)
            text: bytes = buffer._obj.data
        finally:
            self._buffers.append(buffer)
        if status < 0:
            raise PayspecError.from_json(text)
        return text


_NOTHING = c_size_t(0)
_VALIDATE_REQUEST = FUNCTIONS["validate_request"]
_CREATE_PAYMENT = FUNCTIONS["create_payment"]
