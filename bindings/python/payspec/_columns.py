"""Columns of Arrow as buffers, without copies of their texts."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ._errors import PayspecError
from ._json_engine import JsonEngine, Text

if TYPE_CHECKING:
    from ._native import Memory

#: Bodies of one call: more would need more memory for the answers without being faster.
MOST_BODIES = 65_536
#: With fewer bodies, a call in another thread costs more than it saves.
_FEWEST_BODIES = 1_024

_ACCEPTED = pa.scalar(0, pa.int8())
#: The return code after a bug in the library.
_PANIC = (-3).to_bytes(1, signed=True)
#: Strings as bytes, whose UTF-8 Arrow does not check, since the library does.
_AS_BYTES = {
    pa.string().id: pa.binary(),
    pa.large_string().id: pa.large_binary(),
    pa.string_view().id: pa.binary_view(),
}
_LARGE = pa.large_binary().id
#: The types that are cast to large bytes. This copies the texts of views only, which are not in one buffer.
_CAST = {kind.id for kind in (pa.binary(), pa.binary_view(), pa.null())}
_TO_LARGE = pc.CastOptions.safe(pa.large_binary())


class Bodies(NamedTuple):
    """A part of a column: the memory of an array, and the bodies in it."""

    #: The texts; None if all are empty.
    data: pa.Buffer | None
    #: 64-bit offsets into the texts.
    offsets: pa.Buffer
    #: The bit of each body that is not null; None if no body is null.
    validity: pa.Buffer | None
    #: The index of the first body in both.
    first: int
    size: int

    @classmethod
    def of(cls, array: pa.Array) -> "Bodies":
        """Takes an array of strings or bytes.

        Raises TypeError if it contains neither, and PayspecError if its offsets or bits are invalid.
        """
        if isinstance(array, pa.ExtensionArray):
            array = array.storage
        if (as_bytes := _AS_BYTES.get(array.type.id)) is not None:
            array = array.view(as_bytes)
        kind = array.type.id
        if kind != _LARGE and kind not in _CAST:
            raise TypeError(f"expected a column of strings or bytes, not {array.type}")
        array = checked(lambda: array)
        if kind != _LARGE:
            array = pc.call_function("cast", [array], _TO_LARGE)
        validity, offsets, data = array.buffers()
        return cls(data, offsets, validity if array.null_count else None, array.offset, len(array))

    def parts(self, most: int) -> Iterator["Bodies"]:
        """Divides it into parts of at most this number of bodies."""
        if 0 < self.size <= most:
            yield self
            return
        for start in range(0, self.size, most):
            yield self._replace(first=self.first + start, size=min(most, self.size - start))

    def codes(self, engine: JsonEngine, operation: str, context: Text | None) -> pa.Array:
        """Returns the return code of the operation for each body; null for a body that is null."""
        returns, _ = self._run(engine, operation, context, with_answers=False)
        return self._array_of(returns)

    def answers(self, engine: JsonEngine, operation: str, context: Text | None) -> tuple[pa.Array, pa.Array]:
        """Returns the codes, and the answer for each body."""
        returns, answers = self._run(engine, operation, context, with_answers=True)
        buffers = [self._bits, *map(pa.py_buffer, reversed(answers or ()))]
        array = pa.Array.from_buffers(pa.large_string(), self.size, buffers, offset=self._padding)
        return self._array_of(returns), array

    def _run(
        self, engine: JsonEngine, operation: str, context: Text | None, with_answers: bool
    ) -> "tuple[Memory, tuple[Memory, Memory] | None]":
        """Returns the codes, the answers, and their offsets, after those of the padding."""
        data, offsets = (memoryview(buffer or b"").cast("B") for buffer in (self.data, self.offsets))
        place = self.first, self.size, self._padding
        return engine._run_column(operation, data, offsets, place, context, with_answers)

    def _array_of(self, returns: "Memory") -> pa.Array:
        return pa.Array.from_buffers(pa.int8(), self.size, [self._bits, pa.py_buffer(returns)], offset=self._padding)

    @property
    def _padding(self) -> int:
        """Bits of other bodies in the first byte of `_bits`. The results share the bits of the column."""
        return self.first % 8 if self.validity is not None else 0

    @property
    def _bits(self) -> pa.Buffer | None:
        return None if self.validity is None else self.validity.slice(self.first // 8)


def checked(create: Callable[[], pa.Array]) -> pa.Array:
    """Returns the array if all its offsets, bits, and sizes are valid. Raises PayspecError otherwise.

    The error is not chained to that of Arrow, whose message may contain bytes of a body.
    """
    with suppress(pa.ArrowException):
        array = create()
        array.validate(full=True)
        return array
    raise PayspecError("argument", "/bodies", "expected valid offsets, validity bits, and sizes")


def prepared(engine: JsonEngine, operation: str, context: Text | None, arrays: list[pa.Array], threads: int) -> list[Bodies]:
    """Checks all inputs before any work, and returns the parts of the column for the calls.

    Raises the errors of `Bodies.of`, PayspecError if the operation or the context is invalid, and ValueError without threads.
    """
    if threads < 1:
        raise ValueError("expected at least one thread")
    columns = [Bodies.of(array) for array in arrays]
    count = sum(column.size for column in columns)
    most = MOST_BODIES if threads == 1 else min(MOST_BODIES, max(_FEWEST_BODIES, count // (4 * threads)))
    parts = [part for column in columns for part in column.parts(most)]
    if len(parts) != 1:
        # A call without bodies checks the operation and the shared input. A single call does so before its first body.
        engine.verdicts(operation, [], context)
    return parts


def accepted(codes: pa.Array) -> pa.Array:
    """Returns true for each accepted body; null after a bug in the library, which has no verdict."""
    return answered(codes, pc.call_function("equal", [codes, _ACCEPTED]))


def answered(codes: pa.Array, values: pa.Array) -> pa.Array:
    """Returns the values of the bodies, but null after a bug in the library, whose answer is an error."""
    # Faster than the minimum of the codes. An unused byte before them costs only the comparison.
    if _PANIC in bytes(codes.buffers()[1]):
        return only(values, pc.call_function("greater_equal", [codes, _ACCEPTED]))
    return values


def only(values: pa.Array, kept: pa.Array) -> pa.Array:
    """Returns the values where `kept` is true, otherwise null."""
    return pc.call_function("if_else", [kept, values, pa.scalar(None, values.type)])
