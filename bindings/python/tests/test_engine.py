"""Tests inputs, answers, exceptions, and threads."""

import copy
import gc
import json
import pickle
import subprocess
import sys
import threading
import unittest
from collections import ChainMap
from datetime import datetime, timezone
from decimal import Decimal
from types import MappingProxyType
from typing import Any, get_args, get_type_hints
from uuid import UUID

import payspec

BODY = (
    '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50",'
    '"merchant_id":"shop-42","user_name":"Анна"}'
).encode()
UID = UUID("0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11")
NOW = datetime(2026, 11, 20, 10, 15, 30, 250000, timezone.utc)
CONTEXT: payspec.CreateContext = {"uid": UID, "now": NOW, "authorization": "checked_by_caller"}
READ = '{"uid":"%s","payment":%s,"authorization":"checked_by_caller"}'


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = payspec.Engine()
        self.addCleanup(self.engine.close)

    def test_accepts_bytes_and_str(self) -> None:
        for body in (BODY, BODY.decode()):
            report = self.engine.validate_request(body)
            self.assertTrue(report["valid"])
            self.assertEqual(report["violations"], [])
            self.assertTrue(self.engine.accepts(body))
        self.assertEqual(json.loads(self.engine.validate_request_json(BODY)), self.engine.validate_request(BODY))

    def test_writes_python_values_in_contexts(self) -> None:
        context: payspec.CreateContext = {**CONTEXT, "charges": {"fee": Decimal("1.50")}}
        outcome = self.engine.create_payment(BODY, context)
        self.assertEqual((outcome.status, outcome.ok), (201, True))
        payment = outcome.json()
        self.assertEqual(payment["uid"], str(UID))
        self.assertEqual(payment["created_date"], "2026-11-20T10:15:30.250Z")
        self.assertEqual(payment["total"], "992.00")
        with self.assertRaisesRegex(ValueError, "time zone"):
            self.engine.create_payment(BODY, {**CONTEXT, "now": datetime(2026, 11, 20)})
        invalid: list[Any] = [object(), b"bytes", {1, 2}]
        for value in invalid:
            with self.assertRaisesRegex(TypeError, "cannot be written as JSON"):
                self.engine.create_payment(BODY, {**CONTEXT, "uid": value})

    def test_takes_a_dict_as_body(self) -> None:
        body = json.loads(BODY)
        self.assertEqual(self.engine.validate_request(body), self.engine.validate_request(BODY))
        self.assertTrue(self.engine.validate_request(body | {"amount": Decimal("990.50")})["valid"])
        first = self.engine.create_payment(MappingProxyType(body), CONTEXT)
        self.assertEqual(first, self.engine.create_payment(BODY, CONTEXT))
        self.assertTrue(self.engine.check_payment(first.json(), body)["valid"])
        self.assertEqual(self.engine.redact({"security_code": "123"}), {"security_code": "***"})
        self.assertEqual(self.engine.upgrade_request("pay_in", body), self.engine.upgrade_request("pay_in", BODY))
        self.assertEqual(self.engine.batch("validate_request", [body, BODY]), [self.engine.validate_request(BODY)] * 2)
        # An amount must not be a float: the report names it.
        report = self.engine.validate_request(body | {"amount": 990.5})
        self.assertEqual([violation["path"] for violation in report["violations"]], ["/amount"])

    def test_replays_a_stored_record_byte_for_byte(self) -> None:
        context: payspec.CreateContext = {**CONTEXT, "idempotency": {"key": "order-7", "existing": None}}
        first = self.engine.create_payment(BODY, context)
        record = first.record(NOW)
        assert record is not None
        # Another program may have stored the payment in this form.
        record = record.replace(b'"payment": {', b'"payment":{ ')
        again = self.engine.create_payment(BODY, {**context, "idempotency": {"key": "order-7", "existing": record}})
        self.assertEqual((again.status, again.replayed), (201, True))
        self.assertEqual(again.body, b"{ " + first.body[1:])
        self.assertIsNone(again.record(NOW))
        self.assertIsNone(self.engine.create_payment(BODY, CONTEXT).record(NOW))
        self.assertIsNone(self.engine.create_payment(b"{}", context).record(NOW))
        for broken in (b'1,"b":2', b"\xff", b""):
            with self.assertRaises(ValueError):
                self.engine.create_payment(BODY, {**context, "idempotency": {"key": "order-7", "existing": broken}})
        stored = b'{ "uid":"%b","n":1.50e1 }' % str(UID).encode()
        read = self.engine.read_payment({"uid": UID, "payment": stored, "authorization": "checked_by_caller"})
        self.assertEqual(read.body, stored)
        self.assertNotIn("990.50", repr(first))

    def test_answers_headers_that_are_not_utf8(self) -> None:
        headers: list[str | bytes] = [b"Bearer a\xff", "Bearer a\udcff", "Bearer a\ufffd"]
        for header in headers:
            context: payspec.CreateContext = {**CONTEXT, "authorization": {"header": header, "accepted": True}}
            self.assertEqual(self.engine.create_payment(BODY, context).status, 401)
            rejected = self.engine.authorize(header)
            assert isinstance(rejected, payspec.Outcome)
            self.assertEqual(rejected.status, 401)
        keys: list[str | bytes] = [b"a\xff", "a\udcff"]
        for key in keys:
            context = {**CONTEXT, "idempotency": {"key": key, "existing": None}}
            self.assertEqual(self.engine.create_payment(BODY, context).status, 400)
            bad = self.engine.idempotency_key(key)
            assert isinstance(bad, payspec.Outcome)
            self.assertEqual(bad.status, 400)
        with self.assertRaises(payspec.PayspecError) as raised:
            self.engine.create_payment(BODY, {**CONTEXT, "url": "a\udcff"})
        self.assertEqual(raised.exception.code, "utf8")

    def test_names_a_missing_input(self) -> None:
        none: Any = None
        for call in (self.engine.validate_request, self.engine.redact, self.engine.accepts):
            with self.assertRaises(payspec.PayspecError) as raised:
                call(none)
            self.assertEqual(str(raised.exception), "argument error at /body: required")

    def test_answers_any_input_of_a_client(self) -> None:
        for body in (b"", b"\xff", b"[]", b"\0", "\ud800", b"{" * 100_000, b" " * 100_000):
            self.assertFalse(self.engine.validate_request(body)["valid"])
            self.assertFalse(self.engine.accepts(body))
            self.assertIn(self.engine.create_payment(body, CONTEXT).status, (400, 413, 422))

    def test_returns_unrepresentable_numbers_as_text(self) -> None:
        long = "7" * 5000
        for number in (long, "-" + long, long + ".5", "1e999"):
            body = '{"n":%s}' % number
            self.assertEqual(self.engine.redact(body), {"n": number})
            self.assertEqual(self.engine.answer("redact", body).members(), {"n": number.encode()})
            json.dumps(self.engine.redact(body), allow_nan=False)
            for carry in (self.engine.upgrade_payment, self.engine.downgrade_payment):
                carry(body)
            self.engine.upgrade_request("pay_in", body)
            stored = self.engine.answer("read_payment", READ % (UID, '{"n":%s,"uid":"%s"}' % (number, UID)))
            self.assertEqual(stored.parse()["body"], {"n": number, "uid": str(UID)})
        self.assertEqual(self.engine.redact(b'{"i":-70,"f":1.5e1}'), {"i": -70, "f": 15.0})

    def test_finds_members_at_any_depth(self) -> None:
        with payspec.Engine({"limits": {"depth": 100_000, "body_bytes": 1_000_000}}) as engine:
            deep = '{"n":%s}' % ("[" * 20_000 + "]" * 20_000)
            answer = engine.answer("redact", deep)
            self.assertEqual(answer.members(), {"n": deep[5:-1].encode()})
            with self.assertRaises(RecursionError):
                answer.parse()
            engine.redact("[" * 900 + "]" * 900)

    def test_accepts_any_mapping_as_context(self) -> None:
        context: Any = MappingProxyType({**CONTEXT, "charges": ChainMap({"fee": "1.50"}, {"fee": "2.50"})})
        self.assertEqual(self.engine.create_payment(BODY, context).json()["total"], "992.00")
        policy: Any = MappingProxyType({"limits": MappingProxyType({"violations": 1})})
        with payspec.Engine(policy) as engine:
            self.assertTrue(engine.validate_request(b"{}").get("truncated"))

    def test_types_every_verdict_on_a_key(self) -> None:
        answer = self.engine.check_idempotency({"now": NOW, "fingerprint": "00" * 32, "existing": None, "key": ""})
        self.assertEqual(answer["verdict"], "invalid_key")
        self.assertIn("invalid_key", get_args(get_type_hints(payspec.KeyVerdict)["verdict"]))

    def test_raises_caller_errors(self) -> None:
        with self.assertRaises(payspec.PayspecError) as raised:
            self.engine.create_payment(BODY, {**CONTEXT, "uid": "7"})
        self.assertEqual((raised.exception.code, raised.exception.path), ("context", "/uid"))
        self.assertRegex(str(raised.exception), "^context error at /uid: ")
        with self.assertRaises(payspec.PayspecError) as raised:
            payspec.Engine('{"colour":"blue"}')
        self.assertEqual((raised.exception.code, raised.exception.path), ("policy", "/colour"))
        for now in ("today", b"\xff"):
            with self.assertRaises(payspec.PayspecError):
                self.engine.accepts(BODY, now)
        invalid: list[Any] = [7, ["a"], bytearray(b"{}")]
        for value in invalid:
            with self.assertRaisesRegex(TypeError, "^expected bytes or str"):
                payspec.Engine(value)
            for call in (self.engine.validate_request, self.engine.validate_request_json, self.engine.accepts):
                with self.assertRaises(TypeError):
                    call(value)
        with self.assertRaises(TypeError):
            self.engine.answer("states", b"{}")
        with self.assertRaises(KeyError):
            self.engine.answer("validateRequest", BODY)
        with self.assertRaises(payspec.PayspecError) as raised:
            self.engine.answer("create_payment", BODY)
        self.assertEqual((raised.exception.code, raised.exception.path), ("argument", "/context"))

    def test_runs_every_operation(self) -> None:
        engine = self.engine
        payment = engine.create_payment(BODY, CONTEXT).body
        stored = json.loads(payment)
        quote: payspec.Quote = {"currency": "RUB", "rate": "92.45", "as_of": NOW}
        self.assertEqual(engine.read_payment({"uid": UID, "payment": None, "authorization": "checked_by_caller"}).status, 404)
        for uid in ("a\udcff", b"a\xff"):
            self.assertEqual(engine.read_payment({"uid": uid, "payment": None, "authorization": "checked_by_caller"}).status, 404)
        self.assertEqual(engine.read_balance({"balance": {"cur": "RUB"}, "authorization": "checked_by_caller"}).status, 200)
        self.assertTrue(engine.check_payment(payment, BODY)["valid"])
        self.assertIn("fields", engine.field_currencies(payment))
        self.assertEqual(engine.convert({"amount": "1", "currency": "RUB", "quote": quote, "now": NOW}).status, 200)
        self.assertEqual(engine.advance_payment({"payment": stored, "to": "routed", "at": NOW}).status, 200)
        self.assertEqual(engine.check_transition({"from": "idle", "to": "idle"})["verdict"], "unchanged")
        key: payspec.KeyContext = {"now": NOW, "fingerprint": "00" * 32, "existing": None}
        self.assertEqual(engine.check_idempotency(key)["verdict"], "new")
        self.assertEqual(engine.idempotency_key('"k"'), engine.idempotency_key("k"))
        self.assertEqual(engine.idempotency_key(), {"key": None})
        secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
        signed = engine.sign_webhook(BODY, {"id": "evt_1", "timestamp": NOW, "secrets": secrets})
        verified = engine.verify_webhook(BODY, {"headers": signed["headers"], "now": NOW, "secrets": secrets})
        self.assertEqual(verified, {"verified": True})
        self.assertIn("fingerprint", engine.fingerprint_request(BODY))
        comparison = engine.compare_policies({"before": {"currencies": ["RUB"]}, "after": None})
        self.assertEqual(comparison["relation"], "wider")
        witness = comparison["differences"][0].get("witness")
        self.assertTrue(witness is not None and engine.validate_request(witness["body"])["valid"])
        self.assertEqual(engine.authorize("Bearer abc"), {"authorized": True, "token": "abc"})
        self.assertEqual(engine.authorize(None), engine.authorize(None))
        self.assertIn("changes", engine.upgrade_request("pay_in", BODY))
        self.assertIn("changes", engine.downgrade_request(BODY))
        self.assertEqual(engine.upgrade_balance('{"currency":"RUB"}').get("body"), {"cur": "RUB"})
        self.assertEqual(engine.downgrade_balance('{"cur":"RUB"}').get("body"), {"currency": "RUB"})
        self.assertIn("changes", engine.upgrade_payment(payment))
        self.assertIn("changes", engine.downgrade_payment(payment))
        self.assertEqual(engine.redact(b'{"security_code":"123"}'), {"security_code": "***"})
        self.assertEqual(engine.card_info("4111")["scheme"], "visa")
        self.assertEqual(len(engine.states()["states"]), 8)
        for answer in (engine.rules(), engine.decisions(), engine.openapi()):
            self.assertTrue(answer)

    def test_returns_unchanged_json_of_members(self) -> None:
        stored = '{"uid":"%s","info":{"n":1.50e1,"t":"\\u0041,}","e":{}}}' % UID
        answer = self.engine.answer("read_payment", READ % (UID, stored))
        self.assertEqual(answer.members(), {"status": b"200", "body": stored.encode()})
        odd = r'{ "a\"{," : [ ] , "b" : "\\" , "c":{"d":"x\\\"}"}, "uid":"%s" }' % UID
        answer = self.engine.answer("read_payment", READ % (UID, odd))
        self.assertEqual(answer.members(), {"status": b"200", "body": odd.encode()})
        escaped = self.engine.answer("redact", r'{"a\"\u0041":"\\","\u007d":[{}],"":"}"}')
        self.assertEqual({name: json.loads(text) for name, text in escaped.members().items()}, escaped.parse())
        self.assertEqual(self.engine.answer("redact", "{}").members(), {})

    def test_takes_an_iterator_of_bodies(self) -> None:
        bodies: list[bytes | str] = [BODY, "{}", BODY.decode()]
        expected = [True, False, True]
        self.assertEqual(self.engine.verdicts("validate_request", iter(bodies)), expected)


class Lifetime(unittest.TestCase):
    def test_raises_if_the_engine_is_closed(self) -> None:
        with payspec.Engine() as engine:
            self.assertTrue(engine.accepts(BODY))
        engine.close()
        calls: list[Any] = [engine.accepts, engine.validate_request, engine.validate_request_json]
        for call in calls:
            with self.assertRaises(payspec.PayspecError) as raised:
                call(BODY)
            self.assertEqual(raised.exception.code, "closed")

    def test_shares_an_engine_with_threads_while_one_closes_it(self) -> None:
        engine = payspec.Engine()
        start, failures = threading.Barrier(8), []

        def work(number: int) -> None:
            body = BODY.replace(b"990.50", b"%d.00" % (number + 1)) if number % 2 else b"[%d]" % number
            expected = engine.validate_request_json(body)
            start.wait()
            try:
                for _ in range(5000):
                    if engine.validate_request_json(body) != expected:
                        failures.append(number)
            except payspec.PayspecError as error:
                if error.code != "closed":
                    failures.append(number)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(7)]
        for thread in threads:
            thread.start()
        start.wait()
        engine.close()
        gc.collect()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_rejects_copies(self) -> None:
        with payspec.Engine() as engine:
            engine.validate_request(BODY)
            owned: list[Any] = [engine, engine._native]
            copies: list[Any] = [copy.copy, copy.deepcopy, pickle.dumps]
            for thing in owned:
                for make in copies:
                    with self.assertRaises(TypeError):
                        make(thing)

    def test_exits_with_an_open_engine(self) -> None:
        code = "import payspec; e = payspec.Engine(); e.accepts(b'{}'); e.validate_request_json(b'{}')"
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
        self.assertEqual((ended.returncode, ended.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main()
