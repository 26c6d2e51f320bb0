"""Tests the extension of DuckDB with the shared vectors: PAYSPEC_EXTENSION=… python test_extension.py."""

import json
import os
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

EXTENSION = os.environ["PAYSPEC_EXTENSION"]
VECTORS = Path(__file__).resolve().parents[3] / "tests/vectors"
#: The operation of each function.
FUNCTIONS = {
    "report": "validate_request",
    "redact": "redact",
    "fingerprint": "fingerprint_request",
    "migrate_payment": "upgrade_payment",
    "downgrade_payment": "downgrade_payment",
}
VALID = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}'


def connected() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{EXTENSION}'")
    return connection


def one(connection: duckdb.DuckDBPyConnection, expression: str, arguments: list[Any]) -> Any:
    rows = connection.execute(f"SELECT {expression}", arguments).fetchall()
    return rows[0][0]


def vectors(operation: str) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Returns the vectors of an operation that SQL can pass, with their arguments in SQL."""
    for path in sorted(VECTORS.glob("*/*.json")):
        file = json.loads(path.read_bytes())
        for vector in file["vectors"] if file["operation"] == operation else []:
            body, *others = vector["inputs"] or [None]
            policy = vector.get("policy")
            times = [time for time in others if time is not None]
            if all(isinstance(value, str) for value in (body, policy or "", *times)):
                yield vector, [body, *([policy or "{}"] if policy is not None or times else []), *times]


class Extension(unittest.TestCase):
    def test_returns_the_answers_of_the_vectors(self) -> None:
        connection = connected()
        total = 0
        for name, operation in FUNCTIONS.items():
            for vector, arguments in vectors(operation):
                if len(arguments) > (3 if operation == "validate_request" else 2):
                    continue
                total += 1
                call = f"payspec_{name}({', '.join('?' * len(arguments))})"
                with self.subTest(vector["name"]):
                    answer = json.loads(vector["answer"])
                    if vector["returns"] < 0:
                        error = answer["error"]
                        message = f"{error['code']} error at {error['path'] or 'the input'}: {error['message']}"
                        with self.assertRaises(duckdb.InvalidInputException) as raised:
                            one(connection, call, arguments)
                        self.assertEqual(str(raised.exception), f"Invalid Input Error: {message}")
                    elif name == "fingerprint":
                        expected = answer["fingerprint"] if vector["returns"] == 0 else None
                        self.assertEqual(one(connection, call, arguments), expected)
                    else:
                        self.assertEqual(one(connection, call, arguments), vector["answer"])
                    if name == "report" and vector["returns"] >= 0:
                        verdict = one(connection, call.replace("report", "is_valid"), arguments)
                        self.assertEqual(verdict, vector["returns"] == 0)
        print(f"\nvectors in SQL: {total}")
        self.assertGreater(total, 1000)

    def test_returns_null_for_null(self) -> None:
        connection = connected()
        for name in ["is_valid", *FUNCTIONS]:
            self.assertIsNone(one(connection, f"payspec_{name}(?)", [None]), name)
            self.assertIsNone(one(connection, f"payspec_{name}(?, ?)", [VALID, None]), name)
        self.assertIsNone(one(connection, "payspec_is_valid(?, ?, ?)", [VALID, "{}", None]))

    def test_reads_many_vectors_in_threads_with_a_policy_in_each_row(self) -> None:
        connection = connected()
        connection.execute("SET threads = 2")
        # Short strings are stored in the row, long ones elsewhere.
        body = f"CASE range % 3 WHEN 0 THEN NULL WHEN 1 THEN '{{}}' ELSE '{VALID}' END"
        policy = """'{"currencies":["' || (CASE range % 2 WHEN 0 THEN 'RUB' ELSE 'USD' END) || '"]}'"""
        source = f"(SELECT {body} AS body, {policy} AS policy, range FROM range(60000))"
        counts = "count(valid), count(*) FILTER (valid), count(*) FILTER (valid AND range % 2 = 0)"
        found = connection.sql(f"SELECT {counts} FROM (SELECT payspec_is_valid(body, policy) AS valid, range FROM {source})")
        self.assertEqual(found.fetchall(), [(40000, 10000, 10000)])
        reports = connection.sql(f"SELECT count(DISTINCT payspec_report(body)), count(payspec_report(body)) FROM {source}")
        self.assertEqual(reports.fetchall(), [(2, 40000)])

    def test_answers_for_more_policies_than_it_keeps_engines(self) -> None:
        connection = connected()
        policy = """'{"limits":{"body_bytes":' || (range % 600 + 1000) || '}}'"""
        query = f"SELECT count(*) FROM range(1200) WHERE payspec_is_valid('{VALID}', {policy})"
        self.assertEqual(connection.sql(query).fetchall(), [(1200,)])

    def test_rejects_other_types(self) -> None:
        connection = connected()
        for value in ("5", "'{}'::BLOB", "['{}']"):
            with self.assertRaisesRegex(duckdb.BinderException, "payspec_is_valid"):
                connection.sql(f"SELECT payspec_is_valid({value})")
        self.assertIs(one(connection, "payspec_is_valid(?::JSON)", [VALID]), True)

    def test_errors_contain_no_values(self) -> None:
        connection = connected()
        with self.assertRaises(duckdb.InvalidInputException) as raised:
            one(connection, "payspec_report(?, ?)", ["{}", '{"currencies":["4111111111111111"]}'])
        self.assertNotIn("4111111111111111", str(raised.exception))


if __name__ == "__main__":
    result = unittest.TextTestRunner(sys.stdout).run(unittest.defaultTestLoader.loadTestsFromTestCase(Extension))
    failed = {case.id().split(" ")[0] for case, _ in [*result.failures, *result.errors]}
    print(f"tests: {result.testsRun - len(failed)} passed, {len(failed)} failed")
    sys.exit(not result.wasSuccessful())
