"""Prints the ten most frequent violations of each merchant in a folder of Parquet files."""

import duckdb
import payspec.duckdb

connection = duckdb.connect()
payspec.duckdb.register(connection, policy={"currencies": ["RUB", "USD"]})
connection.sql("""
    SELECT merchant_id, code, count(*) AS requests
    FROM (
        SELECT merchant_id, unnest(payspec_report(body) ->> '$.violations[*].code') AS code
        FROM 'requests/*.parquet'
    )
    GROUP BY merchant_id, code
    QUALIFY row_number() OVER (PARTITION BY merchant_id ORDER BY requests DESC, code) <= 10
    ORDER BY merchant_id, requests DESC, code
""").show()
