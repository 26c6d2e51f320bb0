"""Expressions of polars over columns of bodies: `pip install payspec[polars]`.

    import payspec
    import payspec.polars
    import polars as pl

    engine = payspec.Engine()
    requests = pl.scan_parquet("requests/*.parquet")
    rejected = requests.filter(~payspec.polars.is_valid(engine, "body"))
    rejected.select(payspec.polars.report(engine, "body")).collect()

Each function takes a column of strings or bytes, by its name or as an expression. The result for a null is null.

An invalid operation or context raises PayspecError when the expression is created. A query with a column of another type
raises TypeError, and one with a closed engine ComputeError.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Literal

import polars as pl
import pyarrow as pa

from . import arrow
from ._engine import Engine, Shared
from ._errors import PayspecError

__all__ = ["batch", "fingerprint", "is_valid", "migrate_payment", "redact", "report"]

_Column = str | pl.Expr


def batch(engine: Engine, operation: str, column: _Column, context: Shared | None = None) -> pl.Expr:
    """Returns the answers of an operation whose first input is a body, as JSON."""
    return _expression(partial(arrow.batch, engine, operation, context=context), column, pl.String)


def is_valid(engine: Engine, column: _Column, now: datetime | str | None = None) -> pl.Expr:
    """Returns whether each creation request is valid. Expired cards are detected if `now` is given."""
    return _expression(partial(arrow.is_valid, engine, now=now), column, pl.Boolean)


def report(engine: Engine, column: _Column, now: datetime | str | None = None) -> pl.Expr:
    """Returns the report on each creation request, as JSON."""
    return batch(engine, "validate_request", column, now)


def redact(engine: Engine, column: _Column) -> pl.Expr:
    """Returns each body, safe to log; for one that is not JSON, the report."""
    return batch(engine, "redact", column)


def fingerprint(engine: Engine, column: _Column) -> pl.Expr:
    """Returns the fingerprint of each request as 64 hexadecimal digits; null for a body that has none."""
    return _expression(partial(arrow.fingerprint, engine), column, pl.String)


def migrate_payment(engine: Engine, column: _Column, to: Literal["current", "legacy"] = "current") -> pl.Expr:
    """Migrates each Payment to the current or the legacy API. Returns the answers of the operation, as JSON.

    Raises ValueError if there is no such API.
    """
    return batch(engine, arrow.migration(to), column)


def _expression(function: Callable[[Any], Any], column: _Column, returned: type[pl.DataType]) -> pl.Expr:
    expression = pl.col(column) if isinstance(column, str) else column
    # An invalid context is an error now, not in the first query.
    function(pa.array([], pa.string()))

    def run(series: pl.Series) -> pl.Series:
        try:
            return pl.Series(series.name, function(series.to_arrow()), dtype=returned)
        except PayspecError as error:
            # polars creates an exception of the same type with a longer message only, which a PayspecError does not have.
            raise pl.exceptions.ComputeError(str(error)) from error

    return expression.map_batches(run, return_dtype=returned(), is_elementwise=True)
