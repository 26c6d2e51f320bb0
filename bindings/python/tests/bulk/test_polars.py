"""Tests the expressions of polars."""

import unittest
from typing import Any

import payspec
import payspec.polars
import polars as pl
from test_arrow import BODIES, ENGINE, NOW, VALID, single


class Expressions(unittest.TestCase):
    frame = pl.DataFrame({"body": BODIES}, schema={"body": pl.Binary})

    def test_return_the_results_of_single_calls(self) -> None:
        results = self.frame.select(
            valid=payspec.polars.is_valid(ENGINE, "body"),
            report=payspec.polars.report(ENGINE, pl.col("body"), NOW),
            redacted=payspec.polars.redact(ENGINE, "body"),
            current=payspec.polars.migrate_payment(ENGINE, "body"),
            legacy=payspec.polars.migrate_payment(ENGINE, "body", "legacy"),
            located=payspec.polars.batch(ENGINE, "locate", "body", "/cvv"),
        )
        self.assertEqual(results["valid"].to_list(), [None if body is None else ENGINE.accepts(body) for body in BODIES])
        for name, *call in (
            ("report", "validate_request", NOW.isoformat()),
            ("redacted", "redact"),
            ("current", "upgrade_payment"),
            ("legacy", "downgrade_payment"),
            ("located", "locate", "/cvv"),
        ):
            self.assertEqual(results[name].to_list(), single(call[0], BODIES, *call[1:]), name)

    def test_have_the_name_of_the_column_and_a_known_type(self) -> None:
        empty = self.frame.head(0).cast(pl.String).lazy()
        for expression, kind in (
            (payspec.polars.is_valid(ENGINE, "body"), pl.Boolean),
            (payspec.polars.fingerprint(ENGINE, "body"), pl.String),
            (payspec.polars.report(ENGINE, "body"), pl.String),
        ):
            query = empty.select(expression)
            self.assertEqual(query.collect_schema(), {"body": kind})
            self.assertEqual(query.collect().schema, {"body": kind})

    def test_run_in_groups_and_in_the_streaming_engine(self) -> None:
        texts = [VALID.decode(), "{}", None] * 5_000
        frame = pl.DataFrame({"body": texts, "group": [0, 1, 2] * 5_000})
        valid = payspec.polars.is_valid(ENGINE, "body")
        self.assertEqual(frame.lazy().filter(valid).collect(engine="streaming").height, 5_000)
        groups = frame.group_by("group").agg(valid.sum().alias("valid")).sort("group")
        self.assertEqual(groups["valid"].to_list(), [5_000, 0, 0])
        digits = frame.select(payspec.polars.fingerprint(ENGINE, "body").n_unique())
        self.assertEqual(digits.item(), 3)

    def test_report_invalid_arguments_before_a_query(self) -> None:
        wrong: Any = "older"
        self.assertRaises(payspec.PayspecError, payspec.polars.is_valid, ENGINE, "body", "today")
        self.assertRaises(payspec.PayspecError, payspec.polars.batch, ENGINE, "states", "body")
        self.assertRaises(ValueError, payspec.polars.migrate_payment, ENGINE, "body", wrong)

    def test_report_errors_of_a_query(self) -> None:
        closed = payspec.Engine()
        valid = payspec.polars.is_valid(closed, "body")
        closed.close()
        engines: list[Any] = ["in-memory", "streaming"]
        for engine in engines:
            numbers = pl.LazyFrame({"body": [1, 2]}).select(payspec.polars.is_valid(ENGINE, "body"))
            with self.assertRaisesRegex(TypeError, "^expected a column of strings or bytes, not int64"):
                numbers.collect(engine=engine)
            with self.assertRaisesRegex(pl.exceptions.ComputeError, "^closed error at the input: the engine is closed"):
                self.frame.lazy().select(valid).collect(engine=engine)
