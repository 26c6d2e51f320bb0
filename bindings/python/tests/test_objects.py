"""Tests bodies of hostile objects: a report or a clear error, and what is validated is what was passed."""

import gc
import json
import sys
import unittest
from collections import ChainMap, OrderedDict, UserDict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from decimal import Decimal
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any, ClassVar
from uuid import UUID

import payspec
from payspec._library import _native

VALID: dict[str, Any] = {
    "payment_type": "pay_in",
    "mode": "P2P",
    "subtype": "sbp",
    "cur": "RUB",
    "amount": "990.50",
    "merchant_id": "shop-42",
    "user_name": "Анна",
}


@dataclass
class Details:
    bank_name: str


@dataclass
class Request:
    amount: Decimal
    merchant_id: str
    pay_in_details: Any
    payment_type: str = "pay_in"
    mode: str = "P2P"
    subtype: str = "sbp"
    cur: str = "RUB"
    user_name: str | None = None
    currencies: ClassVar[list[str]] = ["RUB"]


class Text(str):
    def __str__(self) -> str:
        return "another text"

    def encode(self, *_: Any) -> bytes:
        return b"another text"


class Number(int):
    def __repr__(self) -> str:
        return '"another text"'

    __str__ = __repr__


class Fraction(float):
    def __repr__(self) -> str:
        return '"another text"'


class Changing(Mapping[str, Any]):
    """Changes another dict while it is read, and has other members each time."""

    def __init__(self, other: dict[str, Any]) -> None:
        self.other, self.reads = other, 0

    def __getitem__(self, name: str) -> Any:
        self.reads += 1
        self.other.clear()
        gc.collect()
        return "x" * self.reads

    def __iter__(self) -> Iterator[str]:
        return iter([f"name {self.reads}", "last"])

    def __len__(self) -> int:
        return 2


class Currency(StrEnum):
    RUB = "RUB"


class Minutes(IntEnum):
    TEN = 10


def written(value: Any) -> Any:
    """Returns the value in the JSON of a body."""
    return json.loads(_native.json_of({"value": value}))["value"]


class Values(unittest.TestCase):
    engine = payspec.Engine()

    def test_are_written_as_by_the_module_json(self) -> None:
        values: list[Any] = [
            None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, 10**4299, 0.1, -0.0, 1e22, 5e-324, 1.5e300,
            "", '"\\/\b\f\n\r\t\0\x1f\x7f', "Анна \U0001f600 \u2028", [], {}, [[], {}], (1, (2,)), {"": {"a": [None]}},
            {1: 1, 2.5: 2, True: 3, None: 4, "text": 5}, OrderedDict(b=1, a=2), Currency.RUB, Minutes.TEN,
        ]  # fmt: skip
        for value in values:
            text = json.dumps({"value": value}, ensure_ascii=False, separators=(",", ":"))
            self.assertEqual(json.loads(_native.json_of({"value": value})), json.loads(text))
        self.assertEqual(_native.json_of({"a": [1, 2.0, "é"], "b": {}}), '{"a":[1,2.0,"é"],"b":{}}'.encode())

    def test_of_a_report_are_those_of_its_json(self) -> None:
        bodies: list[dict[str, Any]] = [
            VALID, {}, {"amount": 990.5}, VALID | {"cur": "JPY"}, VALID | {"amount": "1" * 30}, VALID | {"mode": "x"},
            VALID | {"callback": "ftp://x"}, VALID | {"time_to_complete_payment": 0}, VALID | {"unknown": 1},
            VALID | {"return_url": ""}, VALID | {"cur": "HRK"}, VALID | {"description": "x" * 5000},
        ]  # fmt: skip
        policies: list[payspec.Policy] = [{}, {"currencies": ["USD"], "limits": {"violations": 1, "amount": {"RUB": {"max": "5"}}}}]
        for policy in policies:
            with payspec.Engine(policy) as engine:
                for body in bodies:
                    report = engine.validate_request(body)
                    from_json = json.loads(engine.validate_request_json(json.dumps(body).encode()))
                    self.assertEqual((report, list(report)), (from_json, list(from_json)))
                    for found, expected in zip(report["violations"], from_json["violations"], strict=True):
                        self.assertEqual(list(found), list(expected))

    def test_of_subclasses_are_those_of_their_bases(self) -> None:
        self.assertEqual(written([Text("a"), Number(7), Fraction(0.5)]), ["a", 7, 0.5])
        self.assertEqual(written({Text("a"): 1, Number(7): 2}), {"a": 1, "7": 2})
        self.assertTrue(self.engine.validate_request({Text(name): Text(value) for name, value in VALID.items()})["valid"])

    def test_of_other_types_become_texts(self) -> None:
        uid, now = UUID(int=7), datetime(2026, 11, 20, tzinfo=timezone.utc)
        self.assertEqual(written([uid, now, Decimal("1.50"), Decimal("1E+3")]), [str(uid), now.isoformat(), "1.50", "1000"])
        for mapping in (MappingProxyType(VALID), ChainMap(VALID), UserDict(VALID), OrderedDict(VALID)):
            self.assertTrue(self.engine.validate_request(mapping)["valid"])
        self.assertTrue(self.engine.validate_request(VALID | {"amount": Decimal("990.50")})["valid"])
        for amount in (Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity"), Decimal("1E+4000")):
            self.assertFalse(self.engine.validate_request(VALID | {"amount": amount})["valid"])

    def test_of_no_type_of_json_are_errors(self) -> None:
        cases: list[tuple[Any, type[Exception], str]] = [
            (float("nan"), ValueError, "Out of range float values"),
            (float("-inf"), ValueError, "Out of range float values"),
            ({float("nan"): 1}, ValueError, "Out of range float values"),
            (b"990.50", TypeError, "a bytes cannot be written as JSON"),
            (bytearray(b"1"), TypeError, "a bytearray cannot be written as JSON"),
            ({1}, TypeError, "a set cannot be written as JSON"),
            (object(), TypeError, "a object cannot be written as JSON"),
            (1j, TypeError, "a complex cannot be written as JSON"),
            ({b"cur": "RUB"}, TypeError, "keys must be str, int, float, bool or None, not bytes"),
            ({("a",): 1}, TypeError, "keys must be str, int, float, bool or None, not tuple"),
            (10**10_000, ValueError, "4300 digits"),
            (Decimal("1E+999999"), ValueError, "an exponent of more than 4300"),
            (Decimal("1E-999999"), ValueError, "an exponent of more than 4300"),
            (datetime(2026, 11, 20), ValueError, "a datetime needs a time zone"),
        ]
        for value, kind, message in cases:
            for call in (self.engine.validate_request, self.engine.redact, self.engine.fingerprint_request):
                with self.subTest(message), self.assertRaisesRegex(kind, message):
                    call({"value": [value]})
        # A member of a context that is JSON, but not one of a body.
        with self.assertRaises(TypeError):
            self.engine.validate_request({"existing": b"{}"})

    def test_of_bodies_must_be_mappings(self) -> None:
        bodies: list[Any] = [7, ["a"], bytearray(b"{}"), memoryview(b"{}"), 1.5, object(), {1}]
        for body in bodies:
            with self.assertRaisesRegex(TypeError, "^expected bytes or str, not "):
                self.engine.validate_request(body)

    def test_of_dataclasses_have_their_fields(self) -> None:
        request = Request(amount=Decimal("990.50"), merchant_id="shop-42", pay_in_details=Details("Example Bank"))
        self.assertEqual(
            json.loads(_native.json_of(request)),
            {
                "payment_type": "pay_in",
                "mode": "P2P",
                "subtype": "sbp",
                "cur": "RUB",
                "amount": "990.50",
                "merchant_id": "shop-42",
                "user_name": None,
                "pay_in_details": {"bank_name": "Example Bank"},
            },
        )
        engine = payspec.Engine()
        self.assertEqual(engine.validate_request(request), engine.validate_request(asdict(request)))
        self.assertTrue(engine.validate_request(request)["valid"])
        kind: Any = Request
        with self.assertRaisesRegex(TypeError, "expected bytes or str, not type"):
            engine.validate_request(kind)
        request.pay_in_details = request
        with self.assertRaises(RecursionError):
            engine.validate_request(request)

    def test_that_contain_themselves_are_errors(self) -> None:
        cycle: dict[str, Any] = {}
        cycle["a"] = [cycle, cycle]
        items: list[Any] = []
        items.append((items,))
        for body in (cycle, {"a": items}):
            with self.assertRaisesRegex(RecursionError, "nests deeper than 500 levels, or contains itself"):
                self.engine.validate_request(body)
        deep: Any = "x"
        for _ in range(499):
            deep = {"a": deep}
        self.assertFalse(self.engine.validate_request(deep)["valid"])

    def test_with_lone_surrogates_are_reported(self) -> None:
        for body in (VALID | {"user_name": "a\ud800"}, VALID | {"\udcff": 1}, VALID | {"key": "\udcff"}):
            report = self.engine.validate_request(body)
            self.assertEqual([violation["code"] for violation in report["violations"]], ["json_syntax"])

    def test_that_appear_twice_are_reported(self) -> None:
        body: Any = {1: 2, "1": 3}
        codes = [violation["code"] for violation in self.engine.validate_request(body)["violations"]]
        self.assertIn("duplicate_member", codes)

    def test_may_change_while_they_are_read(self) -> None:
        body: dict[str, Any] = dict(VALID)
        body["z"] = [Changing(body), Changing(body)]
        body["zz"] = "last"
        self.assertEqual(json.loads(_native.json_of(body))["zz"], "last")
        self.assertEqual(body, {})
        items: list[Any] = [1, 2, 3]

        class Clearing(dict[str, Any]):
            def items(self) -> Any:
                items.clear()
                return [("a", 1)]

        items.insert(1, Clearing(b=2))
        self.assertEqual(written(items), [1, {"a": 1}, 2, 3])

    def test_raise_their_own_errors(self) -> None:
        class Failing(Changing):
            def __getitem__(self, name: str) -> Any:
                raise LookupError("their own")

        with self.assertRaisesRegex(LookupError, "their own"):
            self.engine.validate_request({"a": Failing({})})

        class Pairs(dict[str, Any]):
            def items(self) -> Any:
                return [("a",), 7]

        with self.assertRaises((TypeError, ValueError)):
            self.engine.validate_request(Pairs())


class Memory(unittest.TestCase):
    @unittest.skipIf(sys.platform == "win32", "Windows has no module resource")
    def test_does_not_grow_with_calls(self) -> None:
        """Calls 100,000 times, with reports and with errors. 10,000,000 calls have been measured once."""
        import resource

        engine, broken = payspec.Engine(), VALID | {"amount": 990.5, "mode": "x"}
        invalid: list[Any] = [{"a": object()}, {"a": float("nan")}]

        def call(count: int) -> None:
            for _ in range(count):
                engine.validate_request(VALID)
                engine.validate_request(broken)
                engine.validate_request_json(b'{"payment_type":"pay_in"}')
                for body in invalid:
                    try:
                        engine.validate_request(body)
                    except (TypeError, ValueError):
                        pass

        call(5_000)
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        blocks = sys.getallocatedblocks()
        call(20_000)
        gc.collect()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(sys.getallocatedblocks() - blocks, 100)
        # Kilobytes, on macOS bytes: a leak of one object in each call would be more.
        self.assertLess(grown, 1_000 if sys.platform != "darwin" else 1_000_000)


if __name__ == "__main__":
    unittest.main()
