"""Tests the columns of Spark with two executors, which are processes of their own."""

import os
import shutil
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import payspec
import payspec.spark
import pyarrow as pa
import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StringType

FOLDER = str(Path(payspec.__file__).parents[1])
VALID = b'{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}'
BODIES = [VALID, b"{}", None, b"[", VALID, b"\xff", None, b'{"cvv":"123"}'] * 4
POLICY: payspec.Policy = {"currencies": ["USD"]}


class Arguments(unittest.TestCase):
    def test_secrets_are_not_in_representations(self) -> None:
        secret = "whsec_bm90IGEgcmVhbCBzZWNyZXQgb2Ygd2ViaG9va3M="
        context = {"id": "message-1", "timestamp": "2026-11-25T12:00:00Z", "secrets": [secret]}
        column = payspec.spark.batch("sign_webhook", "body", context)
        self.assertIn(secret, str(column.context))
        for text in (repr(column), str(column), f"{({'signed': column})}"):
            self.assertNotIn(secret, text)
            self.assertIn("sign_webhook", text)

    def test_few_policies_are_kept(self) -> None:
        first = payspec.spark._engine("{}")
        self.assertIs(payspec.spark._engine("{}"), first)
        for depth in range(4, 16):
            payspec.spark._engine('{"limits":{"depth":%d}}' % depth)
        self.assertLessEqual(payspec.spark._engine.cache_info().currsize, 8)
        self.assertIsNot(payspec.spark._engine("{}"), first)


class Columns(unittest.TestCase):
    session: SparkSession
    frame: DataFrame

    @classmethod
    def setUpClass(cls) -> None:
        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.Builder().master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.executorEnv.PYTHONPATH", FOLDER)
        cls.session = builder.getOrCreate()
        rows = [(number, body) for number, body in enumerate(BODIES)]
        cls.frame = cls.session.createDataFrame(rows, "number int, body binary").repartition(4)

    @classmethod
    def tearDownClass(cls) -> None:
        application = cls.session.sparkContext.applicationId
        cls.session.stop()
        # Logs of the executors.
        shutil.rmtree(Path(pyspark.__file__).with_name("work") / application, ignore_errors=True)

    def test_contain_the_results_of_single_calls(self) -> None:
        columns = {
            "valid": payspec.spark.is_valid("body"),
            "report": payspec.spark.report("body"),
            "redacted": payspec.spark.redact("body"),
            "fingerprint": payspec.spark.fingerprint("body"),
            "current": payspec.spark.migrate_payment("body"),
            "legacy": payspec.spark.migrate_payment("body", "legacy"),
            "located": payspec.spark.batch("locate", "body", "/cvv"),
        }
        rows = payspec.spark.with_columns(self.frame, columns, POLICY).orderBy("number").collect()
        self.assertEqual(len(rows), len(BODIES))
        engine = payspec.Engine(POLICY)
        for row, body in zip(rows, BODIES):
            found = row.asDict()
            self.assertEqual(found.pop("body"), body)
            del found["number"]
            if body is None:
                self.assertEqual(found, dict.fromkeys(columns))
                continue
            digits = engine.answer("fingerprint_request", body)
            expected = {
                "valid": engine.accepts(body),
                "report": engine.validate_request_json(body).decode(),
                "redacted": engine.redact_json(body).decode(),
                "fingerprint": digits.parse()["fingerprint"] if digits.accepted else None,
                "current": engine.upgrade_payment_json(body).decode(),
                "legacy": engine.downgrade_payment_json(body).decode(),
                "located": engine.locate_json(body, b"/cvv").decode(),
            }
            self.assertEqual(found, expected)

    def test_create_one_engine_in_each_process(self) -> None:
        inputs = self.frame.columns

        def engines(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            valid = {"valid": payspec.spark.is_valid("body")}
            for rows in payspec.spark._add(valid, "{}", inputs, ["valid"], batches):
                yield pa.RecordBatch.from_pydict(
                    {"process": [os.getpid()], "engines": [payspec.spark._engine.cache_info().misses]}
                )

        # Tasks run one after the other in the Python process of an executor.
        tasks = self.frame.repartition(16).mapInArrow(engines, "process long, engines long").collect()
        processes = {task["process"] for task in tasks}
        self.assertLess(len(processes), len(tasks))
        # A later task of a process has created no other engine.
        self.assertEqual(len(set(tasks)), len(processes), tasks)

    def test_replace_the_columns_that_are_not_kept(self) -> None:
        columns = {"valid": payspec.spark.is_valid("body")}
        self.assertEqual(payspec.spark.with_columns(self.frame, columns, keep=["number"]).columns, ["number", "valid"])
        only = payspec.spark.with_columns(self.frame, columns, keep=[])
        self.assertEqual(only.filter("valid").count(), sum(body == VALID for body in BODIES))

    def test_replace_the_columns_of_the_same_name(self) -> None:
        redacted = [None if body is None else payspec.Engine().redact_json(body).decode() for body in BODIES]
        for name in ("body", "Body"):
            # The case of a name is not significant by default.
            frame = payspec.spark.with_columns(self.frame.select("body", "number"), {name: payspec.spark.redact("body")})
            self.assertEqual(frame.columns, [name, "number"])
            self.assertEqual(frame.schema[name].dataType, StringType())
            rows = frame.orderBy("number").select("body").collect()
            self.assertEqual([row[0] for row in rows], redacted)
        self.session.conf.set("spark.sql.caseSensitive", "true")
        self.addCleanup(self.session.conf.unset, "spark.sql.caseSensitive")
        frame = payspec.spark.with_columns(self.frame, {"Body": payspec.spark.redact("body")})
        self.assertEqual(frame.columns, ["number", "body", "Body"])

    def test_may_have_any_name(self) -> None:
        names = {"body": "request.body`s", "number": "request.number"}
        frame = self.frame.withColumnsRenamed(names)
        columns = {"is.valid": payspec.spark.is_valid("request.body`s")}
        for keep in (None, ["request.number", "request.body`s"], ["request.number"]):
            checked = payspec.spark.with_columns(frame, columns, keep=keep)
            self.assertEqual(checked.columns, [*(frame.columns if keep is None else keep), "is.valid"])
            rows = sorted(checked.collect(), key=lambda row: row["request.number"])
            expected = [None if body is None else payspec.Engine().accepts(body) for body in BODIES]
            self.assertEqual([row["is.valid"] for row in rows], expected)

    def test_report_invalid_arguments_on_the_driver(self) -> None:
        wrong: Any = {"currency": "RUB"}
        valid = payspec.spark.is_valid("body")
        for columns, policy in (
            ({"valid": valid}, wrong),
            ({"valid": payspec.spark.is_valid("body", "today")}, None),
            ({"states": payspec.spark.batch("states", "body")}, None),
        ):
            with self.assertRaises(payspec.PayspecError):
                payspec.spark.with_columns(self.frame, columns, policy)
        with self.assertRaisesRegex(TypeError, "^the column number does not contain strings or bytes$"):
            payspec.spark.with_columns(self.frame, {"valid": payspec.spark.is_valid("number")})
