"""Measures the verdict over columns: called from Python, and in DuckDB, polars, and Spark, beside the native one.

    python measure.py NATIVE_PROGRAM PAYSPEC_PROGRAM [--short] [--growth]

With --growth, only the part with this title is measured.

All runs on one core, except what states a number of threads. Times are nanoseconds per body, medians of interleaved rounds; a
ratio is the median of those within each round. In an engine, the time of a query that only sums the lengths of the bodies is
subtracted. It is processor time there, of all processes: those of Spark also wait for each other.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

# Before the engines start their threads.
CORES = os.sched_getaffinity(0)
os.sched_setaffinity(0, {max(CORES)})
os.environ["POLARS_MAX_THREADS"] = "1"
os.environ["PYSPARK_PYTHON"] = sys.executable

import duckdb  # noqa: E402
import jsonschema_rs  # noqa: E402
import payspec.arrow  # noqa: E402
import payspec.duckdb  # noqa: E402
import payspec.polars  # noqa: E402
import payspec.spark  # noqa: E402
import polars as pl  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.compute as pc  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

NATIVE, PROGRAM = sys.argv[1:3]
SHORT = "--short" in sys.argv
#: Rounds, the bodies of a batch, and those of a query in an engine.
ROUNDS, BATCH, ROWS = (2, 1_024, 4_096) if SHORT else (7, 65_536, 1_048_576)

ENGINE = payspec.Engine()
SCHEMA = json.loads((Path(__file__).parents[1] / "bench/schema.json").read_text())
Work = Callable[[], object]


def nanoseconds(work: Work, bodies: int) -> float:
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / bodies


#: The unit of processor times, in each second.
TICKS = os.sysconf("SC_CLK_TCK")


def processor_nanoseconds(work: Work, bodies: int) -> float:
    """Measures the processor time of this process and of all that it has started."""
    start = processor_time()
    work()
    return (processor_time() - start) * 1e9 / bodies


def processor_time() -> float:
    """Returns the processor time of this process and its descendants in seconds."""
    processes: dict[int, tuple[int, int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # The process has ended.
        # The fields after the name: state, parent, … user and system time, and those of children that have ended.
        processes[int(entry.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))

    def is_own(process: int) -> bool:
        while process in processes and process != os.getpid():
            process = processes[process][0]
        return process == os.getpid()

    return sum(spent for process, (_, spent) in processes.items() if is_own(process)) / TICKS


def by_schema(bodies: pa.Array) -> pa.Array:
    """Validates with jsonschema-rs, which takes the objects of Python."""
    validator = jsonschema_rs.validator_for(SCHEMA, validate_formats=True)
    return pa.array([validator.is_valid(json.loads(body)) for body in bodies.to_pylist()])


def native(lines: Path, valid: int) -> float:
    printed = subprocess.run([NATIVE, lines, "3"], capture_output=True, text=True, check=True).stdout.split()
    if any(int(found) != valid for found in printed[1::2]):
        raise SystemExit(f"native: {printed[1]} bodies are valid, expected {valid}")
    return median(float(time) for time in printed[::2])


def batches(bodies: list[bytes]) -> dict[str, Work]:
    large, small = pa.array(bodies, pa.large_binary()), pa.array(bodies, pa.string())
    return {
        "pyarrow, large_binary": lambda: payspec.arrow.is_valid(ENGINE, large),
        "pyarrow, string": lambda: payspec.arrow.is_valid(ENGINE, small),
        "pyarrow, report": lambda: payspec.arrow.report(ENGINE, small),
        "list of bytes": lambda: ENGINE.verdicts("validate_request", bodies),
        "one call for each": lambda: [ENGINE.accepts(body) for body in bodies],
    }


def in_duckdb(parquet: str) -> dict[str, Callable[[], int]]:
    from duckdb.func import ARROW, SPECIAL
    from duckdb.sqltypes import BOOLEAN, VARCHAR

    connection = duckdb.connect(config={"threads": 1})
    payspec.duckdb.register(connection)
    connection.create_function("by_schema", by_schema, [VARCHAR], BOOLEAN, type=ARROW, null_handling=SPECIAL)

    def query(select: str) -> Callable[[], int]:
        return lambda: connection.sql(f"SELECT {select} FROM '{parquet}'").fetchall()[0][0]

    return {
        "lengths": query("sum(strlen(body))::BIGINT"),
        "payspec": query("count(*) FILTER (payspec_is_valid(body))"),
        "jsonschema-rs": query("count(*) FILTER (by_schema(body))"),
    }


def in_polars(parquet: str) -> dict[str, Callable[[], int]]:
    frame, body = pl.scan_parquet(parquet), pl.col("body")

    def schema(series: pl.Series) -> pl.Series:
        return pl.Series(by_schema(series.to_arrow()))

    def query(expression: pl.Expr) -> Callable[[], int]:
        return lambda: frame.select(expression.sum()).collect(engine="streaming").item()

    return {
        "lengths": query(body.str.len_bytes().cast(pl.Int64)),
        "payspec": query(payspec.polars.is_valid(ENGINE, "body")),
        "jsonschema-rs": query(body.map_batches(schema, return_dtype=pl.Boolean(), is_elementwise=True)),
    }


def in_spark(parquet: str) -> dict[str, Callable[[], int]]:
    builder = SparkSession.Builder().master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    frame = session.read.parquet(parquet)

    def mapped(function: Callable[[pa.Array], pa.Array]) -> Any:
        def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                yield pa.RecordBatch.from_arrays([function(batch.column(0))], ["value"])

        return run

    lengths = frame.mapInArrow(mapped(lambda bodies: pc.call_function("binary_length", [bodies])), "value int")
    schema = frame.mapInArrow(mapped(by_schema), "value boolean")
    valid = payspec.spark.with_columns(frame, {"value": payspec.spark.is_valid("body")}, keep=[])
    return {
        # The column passes through Python in each of the three.
        "lengths": lambda: lengths.selectExpr("sum(value)").collect()[0][0],
        "payspec": lambda: valid.selectExpr("count_if(value)").collect()[0][0],
        "jsonschema-rs": lambda: schema.selectExpr("count_if(value)").collect()[0][0],
    }


def growth(bodies: list[bytes]) -> None:
    """Prints the time of is_valid over the number and the size of bodies, and over threads."""
    threads = [(str(count), bodies, count) for count in range(1, len(CORES) + 1)]
    sizes = {"1": 1, "16": 16, "256": 256, "2 Ki": 2_048, "64 Ki": 65_536}
    counts = [(name, bodies[:count], 1) for name, count in sizes.items()]
    large = []
    for name, size in {"256": 256, "1 Ki": 1_024, "4 Ki": 4_096, "16 Ki": 16_384, "60 Ki": 61_440}.items():
        body = b'{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50","x":"'
        body += b"x" * (size - len(body) - 2) + b'"}'
        large.append((name, [body] * 2_048, 1))
    print("\n## Growth\n\n`payspec.arrow.is_valid` over a column, in one thread if no other number is given.")
    curve("Threads", "threads", threads)
    curve("Bodies of a column", "bodies", counts)
    curve("Size of each body", "bytes", large)


def curve(title: str, axis: str, columns: list[tuple[str, list[bytes], int]]) -> None:
    """Prints a table for columns, each with its number of threads."""
    arrays = {name: (pa.array(bodies, pa.large_binary()), threads) for name, bodies, threads in columns}
    found: dict[str, list[float]] = {name: [] for name in arrays}
    for _ in range(ROUNDS):
        for name, (column, threads) in arrays.items():
            repeats = max(1, BATCH // len(column) // (4 if SHORT else 1))
            os.sched_setaffinity(0, set(sorted(CORES)[-threads:]))
            start = time.perf_counter_ns()
            for _ in range(repeats):
                payspec.arrow.is_valid(ENGINE, column, threads=threads)
            found[name].append((time.perf_counter_ns() - start) / repeats / len(column))
    print(f"\n### {title}\n\n| {axis} | ns per body | million bodies/s | GB/s |\n|---|---:|---:|---:|")
    for name, times in found.items():
        (column, _), each = arrays[name], median(times)
        size = column.buffers()[2].size / len(column)
        print(f"| {name} | {each:.0f} | {1_000 / each:.2f} | {size / each:.2f} |", flush=True)


def main() -> None:
    generated = subprocess.run([PROGRAM, "generate", "--count", str(ROWS), "--seed", "7"], capture_output=True, check=True)
    bodies = generated.stdout.splitlines()
    if "--growth" in sys.argv:
        growth(bodies)
        return
    with tempfile.TemporaryDirectory() as folder:
        lines, parquet = Path(folder, "bodies.jsonl"), str(Path(folder, "bodies.parquet"))
        lines.write_bytes(b"\n".join(bodies[:BATCH]))
        table = pa.table({"body": pa.array(bodies, pa.string())})
        pq.write_table(table, parquet, row_group_size=122_880, use_dictionary=False)
        length = sum(map(len, bodies)) / ROWS
        print(f"{ROWS} bodies of {length:.0f} bytes on average; nanoseconds per body\n", flush=True)

        calls = batches(bodies[:BATCH])
        times: dict[str, list[float]] = {name: [] for name in ("native", *calls)}
        for _ in range(ROUNDS):
            times["native"].append(native(lines, BATCH))
            for name, work in calls.items():
                times[name].append(nanoseconds(work, BATCH))
        print(f"| batch of {BATCH} | ns | ÷ native |\n|---|---|---|")
        for name, found in times.items():
            ratio = median(time / floor for time, floor in zip(found, times["native"], strict=True))
            print(f"| {name} | {median(found):.0f} | {ratio:.2f} |", flush=True)

        print("\n| engine | lengths | payspec | rate ÷ native | jsonschema-rs | ÷ payspec |\n|---|---|---|---|---|---|")
        engines: dict[str, Callable[[str], dict[str, Callable[[], int]]]] = {
            "DuckDB": in_duckdb,
            "polars": in_polars,
            "Spark": in_spark,
        }
        for name, start in engines.items():
            queries = start(parquet)
            if [queries[query]() for query in ("payspec", "lengths")] != [ROWS, sum(map(len, bodies))]:
                raise SystemExit(f"{name}: wrong results")
            queries["jsonschema-rs"]()
            found = {query: [] for query in ("native", *queries)}
            for _ in range(ROUNDS):
                found["native"].append(native(lines, BATCH))
                for query, work in queries.items():
                    if query != "jsonschema-rs" or len(found[query]) < 2:
                        found[query].append(processor_nanoseconds(work, ROWS))
            # A short run may take less than the smallest difference of processor times.
            least = 1e9 / TICKS / ROWS
            ours = [max(time - base, least) for time, base in zip(found["payspec"], found["lengths"], strict=True)]
            share = median(floor / time for floor, time in zip(found["native"], ours, strict=True))
            base, theirs = median(found["lengths"]), median(found["jsonschema-rs"]) - median(found["lengths"])
            cells = f"{base:.0f} | {median(ours):.0f} | {share:.0%} | {theirs:.0f} | {theirs / median(ours):.1f}"
            print(f"| {name} | {cells} |", flush=True)
    growth(bodies)


main()
