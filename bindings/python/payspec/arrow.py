"""Operations over columns of Arrow: `pip install payspec[arrow]`.

    import payspec
    import payspec.arrow

    engine = payspec.Engine()
    table = table.append_column("valid", payspec.arrow.is_valid(engine, table["body"], threads=2))

A column is an array or a chunked array of pyarrow, or any object with the PyCapsule interface of Arrow, such as a series of
polars. It contains strings or bytes, and is not copied; only offsets of 32 bits become ones of 64 bits. The result for a
null is null, and so is the one for a body whose call ends in a bug in the library (PAYSPEC_ERROR_PANIC). A body that an
operation rejects has an answer like any other, and raises nothing.

Before the first body is read, a column of another type raises TypeError, and a column with invalid offsets, an invalid
operation, or an invalid context PayspecError. `threads` of Python divide the work; less than one is a ValueError. Other
threads must not change the memory of the column during a call. A call releases the lock of Python.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from typing import Any, Literal, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from . import _columns
from ._columns import Bodies
from ._engine import Engine, Shared, shared_input
from ._errors import PayspecError

__all__ = ["batch", "column", "fingerprint", "is_valid", "migrate_payment", "redact", "report", "verdicts"]


class ArrowArray(Protocol):
    """An object that exports one array, such as that of another library of Arrow."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Returns the capsules of the schema and the array."""


class ArrowStream(Protocol):
    """An object that exports several arrays, such as a series of polars."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the capsule of the stream."""


Column = ArrowArray | ArrowStream


def batch(
    engine: Engine, operation: str, column: Column, context: Shared | None = None, *, threads: int = 1
) -> pa.Array | pa.ChunkedArray:
    """Runs an operation whose first input is a body, such as "check_payment", with each body of a column.

    Returns the answers as large strings: a chunked array for one or a stream, otherwise an array. All bodies share the
    second input.

    The answers for a chunked array stay in the memory of the library. Those for an array with more than 65,536 bodies, or
    with several threads, are copied once to join them; `pa.chunked_array([array])` avoids that.
    """
    return _run(_answer, engine, operation, column, context, threads, pa.large_string())


def verdicts(
    engine: Engine, operation: str, column: Column, context: Shared | None = None, *, threads: int = 1
) -> pa.Array | pa.ChunkedArray:
    """Returns whether the operation accepts each body. It is the fastest way to check many bodies."""
    return _run(_verdict, engine, operation, column, context, threads, pa.bool_())


def is_valid(
    engine: Engine, column: Column, now: datetime | str | None = None, *, threads: int = 1
) -> pa.Array | pa.ChunkedArray:
    """Returns whether each creation request is valid. Expired cards are detected if `now` is given."""
    return verdicts(engine, "validate_request", column, now, threads=threads)


def report(
    engine: Engine, column: Column, now: datetime | str | None = None, *, threads: int = 1
) -> pa.Array | pa.ChunkedArray:
    """Returns the report on each creation request, as JSON."""
    return batch(engine, "validate_request", column, now, threads=threads)


def redact(engine: Engine, column: Column, *, threads: int = 1) -> pa.Array | pa.ChunkedArray:
    """Returns each body, safe to log; for one that is not JSON, the report."""
    return batch(engine, "redact", column, threads=threads)


def fingerprint(engine: Engine, column: Column, *, threads: int = 1) -> pa.Array | pa.ChunkedArray:
    """Returns the fingerprint of each request as 64 hexadecimal digits; null for a body that has none."""
    return _run(_fingerprint, engine, "fingerprint_request", column, None, threads, pa.string())


def migrate_payment(
    engine: Engine, column: Column, to: Literal["current", "legacy"] = "current", *, threads: int = 1
) -> pa.Array | pa.ChunkedArray:
    """Migrates each Payment to the current or the legacy API. Returns the answers of the operation, as JSON.

    Raises ValueError if there is no such API.
    """
    return batch(engine, migration(to), column, threads=threads)


def migration(to: str) -> str:
    """Returns the operation that migrates a Payment to this API. Raises ValueError if there is no such API."""
    operations = {"current": "upgrade_payment", "legacy": "downgrade_payment"}
    if to not in operations:
        raise ValueError("expected current or legacy")
    return operations[to]


def column(data: Any, offsets: Any) -> pa.Array:
    """Returns a column in the memory of two buffers, such as arrays of numpy: texts, and offsets of 64 bits.

    Body i is `data[offsets[i] : offsets[i + 1]]`. Raises PayspecError if the offsets decrease, exceed the texts, or are
    not signed integers of 64 bits, and TypeError if one of the two is not a buffer.
    """
    ends = memoryview(offsets)
    if ends.format not in ("l", "q") or ends.itemsize != 8 or not ends.c_contiguous or ends.ndim != 1:
        raise PayspecError("argument", "/offsets", "expected a contiguous array of signed integers of 64 bits")
    if len(ends) == 0:
        raise PayspecError("argument", "/offsets", "expected one more offset than bodies")
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(data)]
    return _columns.checked(lambda: pa.Array.from_buffers(pa.large_binary(), len(ends) - 1, buffers))


#: A call with a part of a column.
_Call = Callable[[Engine, str, Any, Bodies], pa.Array]


def _answer(engine: Engine, operation: str, context: Any, bodies: Bodies) -> pa.Array:
    return _columns.answered(*bodies.answers(engine, operation, context))


def _verdict(engine: Engine, operation: str, context: Any, bodies: Bodies) -> pa.Array:
    return _columns.accepted(bodies.codes(engine, operation, context))


def _fingerprint(engine: Engine, operation: str, context: Any, bodies: Bodies) -> pa.Array:
    codes, answers = bodies.answers(engine, operation, context)
    start = len('{"fingerprint":"')
    digits = pc.call_function("binary_slice", [answers.view(pa.large_binary())], pc.SliceOptions(start, start + 64))
    # After that, no part of another answer remains, which may not be UTF-8.
    return _columns.only(digits, _columns.accepted(codes)).cast(pa.string())


def _run(
    call: _Call, engine: Engine, operation: str, column: Any, context: Shared | None, threads: int, kind: pa.DataType
) -> pa.Array | pa.ChunkedArray:
    """Runs a call with the parts of a column, and joins the results."""
    if not isinstance(column, pa.Array | pa.ChunkedArray):
        column = _imported(column)
    arrays = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    shared = shared_input(context)
    parts = _columns.prepared(engine, operation, shared, arrays, threads)
    run = partial(call, engine, operation, shared)
    if threads == 1 or len(parts) < 2:
        results = [run(part) for part in parts]
    else:
        with ThreadPoolExecutor(threads) as pool:
            results = list(pool.map(run, parts))
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array(results, kind)
    return results[0] if len(results) == 1 else pa.concat_arrays(results or [pa.array([], kind)])


def _imported(column: object) -> pa.Array | pa.ChunkedArray:
    if hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    if hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    raise TypeError(f"expected a column of Arrow, not {type(column).__name__}")
