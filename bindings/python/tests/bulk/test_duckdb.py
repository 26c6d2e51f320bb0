"""Tests the functions of DuckDB over Parquet and JSON."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import payspec
import payspec.duckdb
from test_arrow import BODIES, ENGINE, NOW, VALID, single

#: Columns of DuckDB contain UTF-8.
TEXTS = [body for body in BODIES if body != b"\xff"]


def connected(**options: Any) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    payspec.duckdb.register(connection, **options)
    connection.execute("CREATE TABLE requests (body VARCHAR)")
    connection.executemany("INSERT INTO requests VALUES (?)", [[body and body.decode()] for body in TEXTS])
    return connection


def column(connection: duckdb.DuckDBPyConnection, expression: str, source: str = "requests") -> list[Any]:
    return [value for (value,) in connection.sql(f"SELECT {expression} FROM {source}").fetchall()]


class Functions(unittest.TestCase):
    def test_return_the_results_of_single_calls(self) -> None:
        connection = connected()
        verdicts = [None if body is None else ENGINE.accepts(body) for body in TEXTS]
        self.assertEqual(column(connection, "payspec_is_valid(body)"), verdicts)
        for name, operation in (
            ("report", "validate_request"),
            ("redact", "redact"),
            ("migrate_payment", "upgrade_payment"),
            ("downgrade_payment", "downgrade_payment"),
        ):
            self.assertEqual(column(connection, f"payspec_{name}(body)"), single(operation, TEXTS), name)
        digits = ENGINE.answer("fingerprint_request", VALID).parse()["fingerprint"]
        self.assertIn(digits, column(connection, "payspec_fingerprint(body)"))
        self.assertEqual(column(connection, "payspec_fingerprint('[')", "range(1)"), [None])
        self.assertEqual(column(connection, "payspec_report(NULL)", "range(1)"), [None])

    def test_take_policy_and_time(self) -> None:
        connection = connected(policy={"currencies": ["USD"]}, now=NOW)
        self.assertNotIn(True, column(connection, "payspec_is_valid(body)"))
        # A second registration replaces the functions.
        payspec.duckdb.register(connection)
        self.assertIn(True, column(connection, "payspec_is_valid(body)"))
        payspec.duckdb.register(connection, now=NOW)
        codes = column(connection, "unnest(payspec_report(body) ->> '$.violations[*].code')")
        self.assertIn("card_expired", codes)

    def test_reject_an_invalid_policy_and_time(self) -> None:
        wrong: Any = {"currency": "RUB"}
        for options in ({"policy": wrong}, {"now": "today"}):
            with self.assertRaises(payspec.PayspecError):
                payspec.duckdb.register(duckdb.connect(), **options)

    def test_report_errors_of_a_query(self) -> None:
        connection = connected()
        for value in ("5", "'{}'::BLOB", "['{}']"):
            with self.assertRaisesRegex(duckdb.BinderException, "payspec_is_valid"):
                connection.sql(f"SELECT payspec_is_valid({value})")
        error = payspec.PayspecError("panic", "", "a bug")
        with mock.patch.object(payspec.Engine, "_run_column", side_effect=error):
            with self.assertRaisesRegex(duckdb.InvalidInputException, "PayspecError: panic error at the input: a bug"):
                column(connection, "payspec_is_valid(body)")

    def test_read_parquet_and_json_of_many_vectors(self) -> None:
        # Several vectors of 2048 values, in two threads, with filters before and after.
        with tempfile.TemporaryDirectory() as folder:
            connection = connected()
            connection.execute("SET threads = 2")
            body = """'{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"' || range || '"}'"""
            parquet, lines = Path(folder, "requests.parquet"), Path(folder, "requests.jsonl")
            source = f"(SELECT CASE WHEN range % 3 > 0 THEN {body} END AS body FROM range(20000))"
            connection.execute(f"COPY {source} TO '{parquet}' (ROW_GROUP_SIZE 4096)")
            counts = "count(*), count(valid), count(*) FILTER (valid)"
            query = f"SELECT {counts} FROM (SELECT payspec_is_valid(body) AS valid FROM '{parquet}')"
            self.assertEqual(connection.sql(query).fetchall(), [(20000, 13333, 13333)])
            filtered = f"SELECT count(*) FROM '{parquet}' WHERE payspec_is_valid(body) AND body LIKE '%\"1__\"}}'"
            self.assertEqual(connection.sql(filtered).fetchall(), [(67,)])
            lines.write_text("".join(json.dumps({"amount": str(number)}) + "\n" for number in range(5000)))
            redacted = f"SELECT count(DISTINCT payspec_redact(json)) FROM read_json_objects('{lines}')"
            self.assertEqual(connection.sql(redacted).fetchall(), [(5000,)])
