"""Columns of Spark over columns of bodies: `pip install payspec[spark]`, also on the executors.

    from payspec import spark as payspec_spark

    frame = spark.read.parquet("requests")
    checked = payspec_spark.with_columns(
        frame,
        {"valid": payspec_spark.is_valid("body"), "report": payspec_spark.report("body")},
        policy={"currencies": ["RUB"]},
    )

`with_columns` is one `mapInArrow`. The policy is sent with the function, and each Python process of an executor creates the
engine once. An invalid policy, operation, or context raises PayspecError on the driver, before any job, and a column of
another type TypeError. The result for a null is null.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from typing import Literal

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.functions import col
from pyspark.sql.types import BinaryType, BooleanType, DataType, StringType, StructType

from . import arrow
from ._contexts import Policy, dumps
from ._engine import Engine, Shared, shared_input
from ._json_engine import Text

__all__ = ["BodyColumn", "batch", "fingerprint", "is_valid", "migrate_payment", "redact", "report", "with_columns"]


@dataclass(frozen=True)
class BodyColumn:
    """A column that an operation computes from a column of bodies."""

    #: The name of a column of strings or bytes.
    body: str
    #: An operation whose first input is a body.
    operation: str
    #: Its second input, which may contain the secrets of webhooks, and is therefore not in the representation.
    context: Text | None = field(default=None, repr=False)
    #: The content of the column.
    result: Literal["answer", "verdict", "fingerprint"] = "answer"

    @property
    def type(self) -> DataType:
        """The type in the schema of Spark."""
        return BooleanType() if self.result == "verdict" else StringType()

    def of(self, engine: Engine, bodies: pa.Array) -> pa.Array:
        """Computes the column."""
        if self.result == "fingerprint":
            return arrow.fingerprint(engine, bodies)
        if self.result == "verdict":
            return arrow.verdicts(engine, self.operation, bodies, self.context)
        return arrow.batch(engine, self.operation, bodies, self.context).cast(pa.string())


def batch(operation: str, body: str, context: Shared | None = None) -> BodyColumn:
    """Contains the answers of an operation whose first input is a body, as JSON."""
    return BodyColumn(body, operation, shared_input(context))


def is_valid(body: str, now: datetime | str | None = None) -> BodyColumn:
    """Contains whether each creation request is valid. Expired cards are detected if `now` is given."""
    return BodyColumn(body, "validate_request", shared_input(now), "verdict")


def report(body: str, now: datetime | str | None = None) -> BodyColumn:
    """Contains the report on each creation request, as JSON."""
    return batch("validate_request", body, now)


def redact(body: str) -> BodyColumn:
    """Contains each body, safe to log; for one that is not JSON, the report."""
    return batch("redact", body)


def fingerprint(body: str) -> BodyColumn:
    """Contains the fingerprint of each request as 64 hexadecimal digits; null for a body that has none."""
    return BodyColumn(body, "fingerprint_request", None, "fingerprint")


def migrate_payment(body: str, to: Literal["current", "legacy"] = "current") -> BodyColumn:
    """Contains the answers of the operation that migrates each Payment to the current or the legacy API, as JSON.

    Raises ValueError if there is no such API.
    """
    return batch(arrow.migration(to), body)


def with_columns(
    frame: DataFrame,
    columns: Mapping[str, BodyColumn],
    policy: Policy | Text | None = None,
    keep: Sequence[str] | None = None,
) -> DataFrame:
    """Returns the frame with further columns, which replace those of the same name, as in DataFrame.withColumns.

    All columns pass through Python. With `keep`, only these columns of the frame return from it.

    The policy and the contexts are sent to the executors in plain text. If they contain a fingerprint key or secrets of
    webhooks, set `spark.authenticate`, `spark.network.crypto.enabled`, and `spark.io.encryption.enabled`, so that Spark
    encrypts its network and its local disks.
    """
    text = None if policy is None else dumps(policy)
    nothing = pa.array([], pa.string())
    # The case of names is significant in Spark only with this setting.
    is_exact = frame.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
    folded: Callable[[str], str] = str if is_exact else str.lower
    new = {folded(name): name for name in columns}
    kept = [new.get(folded(name), name) for name in (frame.columns if keep is None else keep)]
    names = list(dict.fromkeys([*kept, *columns]))
    for column in columns.values():
        if not isinstance(frame.schema[column.body].dataType, StringType | BinaryType):
            raise TypeError(f"the column {column.body} does not contain strings or bytes")
        column.of(_engine(text), nothing)
    schema = StructType()
    for name in names:
        schema = schema.add(name, columns[name].type) if name in columns else schema.add(frame.schema[name])
    needed = list(
        dict.fromkeys([*(name for name in kept if name not in columns), *(column.body for column in columns.values())])
    )
    # mapInArrow finds columns by name, and a dot in a name would select a member. So the names are positions.
    inputs = [col("`" + name.replace("`", "``") + "`").alias(f"_{place}") for place, name in enumerate(needed)]
    return frame.select(*inputs).mapInArrow(partial(_add, dict(columns), text, needed, names), schema)


def _add(
    columns: dict[str, BodyColumn],
    policy: Text | None,
    inputs: list[str],
    names: list[str],
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """Runs in a Python process of an executor."""
    engine = _engine(policy)
    for rows in batches:
        given = dict(zip(inputs, rows.columns, strict=True))
        added = {name: column.of(engine, given[column.body]) for name, column in columns.items()}
        yield pa.RecordBatch.from_arrays([added[name] if name in added else given[name] for name in names], names)


@lru_cache(maxsize=8)
def _engine(policy: Text | None) -> Engine:
    """Returns the engine of a policy. A process keeps those of the last policies only, which contain their keys."""
    return Engine(policy)
