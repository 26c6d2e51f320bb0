"""Tests operations over columns of Arrow, beside single calls."""

import tracemalloc
import unittest
from array import array
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any
from unittest import mock

import lock
import numpy as np
import payspec
import pyarrow as pa
from payspec import _columns, arrow

VALID = b'{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}'
CARD = (
    b'{"payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"5","host2host":true,'
    b'"pay_in_details":{"card":{"card_number":"4111111111111111","expiry_month":1,"expiry_year":2020}}}'
)
BODIES = [VALID, b"{}", None, b"", b"[", None, CARD, b'{"cvv":"123"}', b"\xff", VALID, None, b"{}"] * 3
TEXTS = [None if body == b"\xff" else body for body in BODIES]
NOW = datetime(2026, 11, 25, tzinfo=timezone.utc)
BYTES = [pa.binary(), pa.large_binary(), pa.binary_view()]
STRINGS = [pa.string(), pa.large_string(), pa.string_view()]

ENGINE = payspec.Engine()


def exported(column: Any, method: str) -> Any:
    """Returns an object of another library, which has nothing but the capsule of a column."""
    return type("Exported", (), {method: lambda _, requested_schema=None: getattr(column, method)(requested_schema)})()


def single(operation: str, bodies: list[bytes | None], *context: str) -> list[str | None]:
    """Returns the answers of a call for each body."""
    return [None if body is None else ENGINE.answer(operation, body, *context).json.decode() for body in bodies]


class Results(unittest.TestCase):
    def check(self, result: Any, expected: list[Any]) -> None:
        result.validate(full=True)
        self.assertEqual(result.to_pylist(), expected)

    def test_equal_those_of_single_calls_for_every_type_and_slice(self) -> None:
        for types, bodies in ((BYTES, BODIES), (STRINGS, TEXTS)):
            for kind in types:
                column = pa.array(bodies, pa.binary()).cast(kind)
                for start, length in ((0, len(bodies)), (1, 20), (7, 3), (8, 9), (13, 1), (35, 1), (5, 0)):
                    with self.subTest(kind=kind, start=start, length=length):
                        part = bodies[start : start + length]
                        verdicts = [None if body is None else ENGINE.accepts(body) for body in part]
                        piece = column.slice(start, length)
                        self.check(arrow.is_valid(ENGINE, piece), verdicts)
                        self.check(arrow.report(ENGINE, piece), single("validate_request", part))

    def test_equal_those_of_single_calls_for_every_operation(self) -> None:
        column = pa.array(BODIES)
        now = NOW.isoformat()
        self.check(arrow.report(ENGINE, column, NOW), single("validate_request", BODIES, now))
        self.assertNotEqual(arrow.is_valid(ENGINE, column, now), arrow.is_valid(ENGINE, column))
        self.check(arrow.redact(ENGINE, column), single("redact", BODIES))
        self.check(arrow.migrate_payment(ENGINE, column), single("upgrade_payment", BODIES))
        self.check(arrow.migrate_payment(ENGINE, column, "legacy"), single("downgrade_payment", BODIES))
        for operation, *context in (("check_payment", VALID.decode()), ("locate", "/cvv"), ("downgrade_request",)):
            self.check(arrow.batch(ENGINE, operation, column, *context), single(operation, BODIES, *context))
        request = {"cur": "RUB"}
        self.assertEqual(
            arrow.batch(ENGINE, "check_payment", column, request),
            arrow.batch(ENGINE, "check_payment", column, '{"cur":"RUB"}'),
        )

    def test_report_strings_that_are_not_utf8(self) -> None:
        for strings, bytes_of in zip(STRINGS, BYTES):
            # Arrow does not check the texts of this column.
            column = pa.array(BODIES, pa.binary()).cast(bytes_of).view(strings)
            self.assertRaises(pa.ArrowInvalid, column.validate, full=True)
            self.check(arrow.report(ENGINE, column), single("validate_request", BODIES))

    def test_contain_the_fingerprint_or_null(self) -> None:
        expected = []
        for body in BODIES:
            answer = None if body is None else ENGINE.answer("fingerprint_request", body)
            expected.append(answer.parse()["fingerprint"] if answer and answer.accepted else None)
        self.check(arrow.fingerprint(ENGINE, pa.array(BODIES)), expected)
        self.assertIn(None, [value for value, body in zip(expected, BODIES) if body is not None])

    def test_have_the_form_of_the_column(self) -> None:
        chunks = [BODIES[:5], [], BODIES[5:]]
        chunked = pa.chunked_array([pa.array(chunk, pa.binary()) for chunk in chunks])
        expected = single("validate_request", BODIES)
        for column, kind in (
            (chunked, pa.ChunkedArray),
            (pa.array(BODIES), pa.Array),
            (exported(pa.array(BODIES), "__arrow_c_array__"), pa.Array),
            (exported(chunked, "__arrow_c_stream__"), pa.ChunkedArray),
            (pa.ExtensionArray.from_storage(pa.opaque(pa.binary(), "body", "payspec"), pa.array(BODIES)), pa.Array),
        ):
            result = arrow.report(ENGINE, column)
            self.assertIsInstance(result, kind)
            self.check(result, expected)

    def test_are_empty_for_an_empty_column(self) -> None:
        for function, kind in (
            (arrow.is_valid, pa.bool_()),
            (arrow.report, pa.large_string()),
            (arrow.fingerprint, pa.string()),
        ):
            for column in (pa.array([], pa.string()), pa.chunked_array([], pa.string())):
                result = function(ENGINE, column)
                self.check(result, [])
                self.assertEqual(result.type, kind)
        # Only nulls, of the type for them.
        self.check(arrow.report(ENGINE, pa.nulls(3)), [None] * 3)

    def test_are_the_same_with_threads(self) -> None:
        bodies = [b'{"amount":"%d"}' % number for number in range(9_000)]
        for column in (pa.array(bodies), pa.chunked_array([bodies[:5_000], bodies[5_000:]])):
            for threads in (2, 3):
                for function in (arrow.is_valid, arrow.redact, arrow.fingerprint):
                    result = function(ENGINE, column, threads=threads)
                    result.validate(full=True)
                    self.assertEqual(result, function(ENGINE, column), (function, threads))

    def test_are_null_after_a_bug_in_the_library(self) -> None:
        run = payspec.Engine._run_column

        def panicking(engine: payspec.Engine, *arguments: Any) -> Any:
            """Replaces the return code of the second body of each call."""
            returns, answers = run(engine, *arguments)
            _, size, padding = arguments[3]
            codes = bytearray(returns)
            if size > 1:
                codes[padding + 1] = 256 - 3
            return bytes(codes), answers

        for column in (pa.array([VALID] * 4), pa.array([None, VALID, VALID, VALID, None, VALID]).slice(1)):
            for function in (arrow.is_valid, arrow.report, arrow.redact, arrow.fingerprint, arrow.migrate_payment):
                with self.subTest(function=function):
                    expected = function(ENGINE, column).to_pylist()
                    expected[1] = None
                    self.assertIsNotNone(expected[0])
                    with mock.patch.object(payspec.Engine, "_run_column", panicking):
                        self.check(function(ENGINE, column), expected)


def allocated(call: Callable[[], object]) -> int:
    """Returns the largest number of bytes that Python and Arrow have allocated during a call."""
    pool = pa.proxy_memory_pool(pa.default_memory_pool())
    tracemalloc.start()
    previous = pa.default_memory_pool()
    pa.set_memory_pool(pool)
    try:
        call()
        return tracemalloc.get_traced_memory()[1] + int(pool.max_memory())
    finally:
        pa.set_memory_pool(previous)
        tracemalloc.stop()


class Memory(unittest.TestCase):
    def test_of_texts_is_not_copied(self) -> None:
        for kind in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
            column = pa.array([b"[" + b" " * 65_000] * 1_000).cast(kind)
            self.assertLess(allocated(lambda: arrow.is_valid(ENGINE, column)), column.nbytes / 100, kind)

    def test_of_answers_is_copied_only_to_join_them(self) -> None:
        for count, threads in ((4_096, 1), (4_096, 2), (_columns.MOST_BODIES + 1, 1)):
            column = pa.array([b"{}"] * count)
            size = len(ENGINE.answer("validate_request", b"{}").json) * count
            apart = allocated(lambda: arrow.report(ENGINE, pa.chunked_array([column]), threads=threads))
            joined = allocated(lambda: arrow.report(ENGINE, column, threads=threads))
            self.assertLess(apart, size / 4)
            if threads > 1 or count > _columns.MOST_BODIES:
                self.assertGreater(joined, size)
            else:
                self.assertLess(joined, size / 4)

    def test_of_numpy_becomes_a_column(self) -> None:
        data = np.frombuffer(VALID + b"{}", np.uint8)
        offsets = np.array([0, len(VALID), len(VALID), len(VALID) + 2])
        column = arrow.column(data, offsets)
        self.assertEqual(column.buffers()[2].address, data.ctypes.data)
        self.assertEqual(column.buffers()[1].address, offsets.ctypes.data)
        self.assertEqual(arrow.is_valid(ENGINE, column).to_pylist(), [True, False, False])
        self.assertEqual(arrow.is_valid(ENGINE, arrow.column(data, offsets[1:])).to_pylist(), [False, False])
        self.assertEqual(len(arrow.report(ENGINE, arrow.column(b"", array("q", [0])))), 0)

    def test_of_answers_outlives_the_call_and_the_engine(self) -> None:
        with payspec.Engine() as engine:
            results = [arrow.redact(engine, pa.array([b'{"amount":"%d"}' % number])) for number in range(100)]
        self.assertEqual(results[42].to_pylist(), ['{"amount":"42"}'])


class InvalidInput(unittest.TestCase):
    def rejected(self, call: Callable[[], object], path: str, code: str = "argument") -> None:
        """Checks that the call fails, and that no operation has run with a body."""
        run, bodies = payspec.Engine._run_column, []

        def recorded(engine: payspec.Engine, *arguments: Any) -> Any:
            # After an error, no body was read.
            results = run(engine, *arguments)
            bodies.append(arguments[3][1])
            return results

        with mock.patch.object(payspec.Engine, "_run_column", recorded), self.assertRaises(payspec.PayspecError) as caught:
            call()
        self.assertEqual((caught.exception.code, caught.exception.path, sum(bodies)), (code, path, 0))
        if path == "/bodies":
            self.assertEqual(caught.exception.message, "expected valid offsets, validity bits, and sizes")
        # Tracebacks contain no message of Arrow.
        self.assertIsNone(caught.exception.__context__)

    def test_offsets_of_a_column_are_checked(self) -> None:
        def chunk(kind: pa.DataType, offsets: "array[int]", data: bytes = b"12345") -> pa.Array:
            return pa.Array.from_buffers(kind, len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(data)])

        for kind, code in ((pa.string(), "i"), (pa.binary(), "i"), (pa.large_string(), "q"), (pa.large_binary(), "q")):
            good = pa.array([VALID], pa.binary()).cast(kind)
            for offsets in ([0, 5, 2, 5], [3, 1, 5], [0, 5, 4]):
                bad = chunk(kind, array(code, offsets))
                # The last of several chunks.
                self.rejected(lambda: arrow.is_valid(ENGINE, pa.chunked_array([good, bad])), "/bodies")
                self.rejected(lambda: arrow.report(ENGINE, bad, threads=2), "/bodies")
            # Arrow does not create them.
            for offsets in ([0, 6], [-1, 5], [0, 2**31 - 1]):
                self.assertRaises(pa.ArrowInvalid, chunk, kind, array(code, offsets))

    def test_views_are_checked(self) -> None:
        # A text of 100 bytes at offset 0 of a buffer with 10.
        view = pa.py_buffer((100).to_bytes(4, "little") + b"1234" + bytes(8))
        column = pa.Array.from_buffers(pa.binary_view(), 1, [None, view, pa.py_buffer(bytes(10))])
        self.rejected(lambda: arrow.report(ENGINE, column), "/bodies")
        # A view with another prefix than its text. The message of Arrow contains the first bytes of the text.
        text = pa.py_buffer(b"4444333322221111")
        view = pa.py_buffer(text.size.to_bytes(4, "little") + b"5" * 4 + bytes(8))
        column = pa.Array.from_buffers(pa.binary_view(), 1, [None, view, text])
        with self.assertRaisesRegex(pa.ArrowInvalid, b"4444".hex()):
            column.validate(full=True)
        self.rejected(lambda: arrow.report(ENGINE, column), "/bodies")

    def test_buffers_are_checked(self) -> None:
        for offsets in ([0, 5, 2], [0, 6], [-1, 5], [0, 2**62], [0, 2**31]):
            self.rejected(lambda: arrow.column(b"12345", np.array(offsets)), "/bodies")
        for wrong in (np.array([0, 5], np.int32), np.array([0, 5], np.uint64), np.array([0.0, 5.0]), np.array([], np.int64)):
            self.rejected(lambda: arrow.column(b"12345", wrong), "/offsets")
        self.rejected(lambda: arrow.column(b"12345", np.arange(6)[::2]), "/offsets")
        self.rejected(lambda: arrow.column(b"12345", np.zeros((2, 2), np.int64)), "/offsets")

    def test_more_bodies_than_offsets_and_bits_are_rejected(self) -> None:
        eight = pa.py_buffer(bytes(8))
        for count in (2, 2**31, 2**40):
            buffers = [None, eight, None]
            self.assertRaises(pa.ArrowInvalid, pa.Array.from_buffers, pa.large_binary(), count, buffers)
        offsets = pa.py_buffer(bytes(8 * 10))
        self.assertRaises(pa.ArrowInvalid, pa.Array.from_buffers, pa.large_binary(), 9, [pa.py_buffer(b"1"), offsets, None])
        # A number of nulls that is not that of the bits.
        wrong = pa.Array.from_buffers(pa.large_binary(), 8, [pa.py_buffer(b"\xff"), offsets, eight], null_count=3)
        self.rejected(lambda: arrow.report(ENGINE, wrong), "/bodies")

    def test_operation_and_context_are_checked_even_without_bodies(self) -> None:
        single, several = pa.array([VALID]), pa.chunked_array([[VALID], [VALID]])
        for column in (pa.array([], pa.binary()), single, several, pa.chunked_array([], pa.string())):
            for operation in ("states", "no_operation", "upgrade_request"):
                self.rejected(lambda: arrow.batch(ENGINE, operation, column), "/operation")
            self.rejected(lambda: arrow.is_valid(ENGINE, column, "today"), "/now", "context")
            self.rejected(lambda: arrow.batch(ENGINE, "sign_webhook", column), "/context")
        closed = payspec.Engine()
        closed.close()
        self.rejected(lambda: arrow.redact(closed, pa.array([VALID])), "", "closed")

    def test_other_columns_are_type_errors(self) -> None:
        for column in (pa.array([1]), pa.array([[b""]]), pa.array([b""]).dictionary_encode()):
            with self.assertRaisesRegex(TypeError, "^expected a column of strings or bytes, not "):
                arrow.report(ENGINE, column)
        wrong: Any = [VALID]
        with self.assertRaisesRegex(TypeError, "^expected a column of Arrow, not list$"):
            arrow.report(ENGINE, wrong)
        self.assertRaises(ValueError, arrow.report, ENGINE, pa.array([VALID]), threads=0)
        self.assertRaises(ValueError, arrow.migrate_payment, ENGINE, pa.array([VALID]), "older")


#: Arguments of a call, so that only the call itself can release the lock of Python.
ARGUMENTS = """
import pyarrow as pa
from payspec import _columns
bodies = _columns.Bodies.of(pa.array([body]))
data, offsets = (memoryview(buffer).cast("B") for buffer in (bodies.data, bodies.offsets))
arguments = ["validate_request", data, offsets, (0, 1, 0), None, True]
call = engine._native.column
"""


class Threads(unittest.TestCase):
    def test_run_during_a_call(self) -> None:
        found = lock.counted_during("codes, answers = call(*arguments)", "bytes(memoryview(codes))", ARGUMENTS)
        self.assertEqual(found, "b'\\x01' True\n")
