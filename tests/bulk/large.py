"""Reads many bodies from Parquet with DuckDB in two threads, and prints times and the largest memory of the process.

    python large.py PAYSPEC_PROGRAM FOLDER BODIES

The folder receives a file for each million bodies, which a later run uses again. One body in twenty breaks a rule.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import payspec.duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from duckdb.func import ARROW, SPECIAL
from duckdb.sqltypes import INTEGER, VARCHAR

PART = 1_000_000
RULES = ("amount_scale", "missing", "currency_unknown", "card_number_checksum", "unknown_member")

VIOLATIONS = """
    SELECT merchant_id, code, count(*) AS requests
    FROM (SELECT merchant_id, unnest(payspec_report(body) ->> '$.violations[*].code') AS code FROM requests)
    GROUP BY merchant_id, code
    QUALIFY row_number() OVER (PARTITION BY merchant_id ORDER BY requests DESC, code) <= 10"""
QUERIES = {
    "lengths": "SELECT sum(strlen(body)) FROM requests",
    "lengths, by a function in Python": "SELECT sum(lengths(body)) FROM requests",
    "is_valid": "SELECT count(*) FILTER (payspec_is_valid(body)) FROM requests",
    "ten most frequent violations by merchant": f"SELECT count(*) FROM ({VIOLATIONS})",
}


def generate(program: str, folder: Path, bodies: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.parquet"):
        if int(old.stem) * PART >= bodies:
            old.unlink()
    for part in range(-(-bodies // PART)):
        path, count = folder / f"{part:04}.parquet", min(PART, bodies - part * PART)
        if path.exists() and pq.read_metadata(path).num_rows == count:
            continue
        each = count // 20 // len(RULES)
        kinds = [["--count", str(count - each * len(RULES))], *(["--rule", rule, "--count", str(each)] for rule in RULES)]
        lines: list[bytes] = []
        for kind in kinds:
            command = [program, "generate", "--seed", str(part * PART), *kind]
            lines += subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
        table = pa.table({"merchant_id": [f"shop-{n % 997}" for n in range(count)], "body": pa.array(lines, pa.string())})
        pq.write_table(table, path.with_suffix(".new"), compression="zstd")
        path.with_suffix(".new").rename(path)


def memory() -> int:
    """Returns the largest resident memory of this process in MB. That of getrusage includes the one of its parent."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) // 1024 if found else 0


def read(folder: str, bodies: int) -> None:
    connection = duckdb.connect(config={"threads": 2, "memory_limit": "1GB"})
    payspec.duckdb.register(connection)

    def lengths(texts: pa.Array) -> pa.Array:
        return pc.call_function("binary_length", [texts])

    connection.create_function("lengths", lengths, [VARCHAR], INTEGER, type=ARROW, null_handling=SPECIAL)
    connection.sql(f"CREATE VIEW requests AS FROM '{folder}/*.parquet'")
    print("| query | s | bodies/s | s of CPU | result | largest memory, MB |\n|---|---|---|---|---|---|")
    for name, query in QUERIES.items():
        start, cpu = time.perf_counter(), time.process_time()
        [(result,)] = connection.sql(query).fetchall()
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        rate = bodies / seconds
        print(f"| {name} | {seconds:.1f} | {rate:,.0f} | {cpu:.1f} | {result:,} | {memory()} |", flush=True)


if sys.argv[1] == "--read":
    read(sys.argv[2], int(sys.argv[3]))
else:
    generate(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
    # In another process, whose memory is that of the queries.
    subprocess.run([sys.executable, __file__, "--read", *sys.argv[2:]], check=True)
