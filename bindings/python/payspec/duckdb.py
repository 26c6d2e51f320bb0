"""Functions of DuckDB over columns of bodies: `pip install payspec[duckdb]`.

    import duckdb
    import payspec.duckdb

    connection = duckdb.connect()
    payspec.duckdb.register(connection, policy={"currencies": ["RUB"]})
    connection.sql("SELECT payspec_report(body) FROM 'requests/*.parquet' WHERE payspec_is_valid(body) IS DISTINCT FROM true")

Queries run the functions in all threads of DuckDB, with 2048 bodies in a call.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

import duckdb
import pyarrow as pa
from duckdb.func import ARROW, SPECIAL
from duckdb.sqltypes import BOOLEAN, VARCHAR, DuckDBPyType

from . import arrow
from ._contexts import Policy
from ._engine import Engine
from ._json_engine import Text

__all__ = ["register"]


def register(
    connection: duckdb.DuckDBPyConnection, policy: Policy | Text | None = None, now: datetime | str | None = None
) -> None:
    """Adds the functions to a connection. Raises PayspecError if the policy or the time is invalid.

    Each takes a VARCHAR or JSON, and returns NULL for NULL. A query with another type raises BinderException:

    - payspec_is_valid: whether a creation request is valid
    - payspec_report: its report; with `now`, expired cards are detected
    - payspec_redact: the body, safe to log
    - payspec_fingerprint: 64 hexadecimal digits, or NULL for a body that has no fingerprint
    - payspec_migrate_payment, payspec_downgrade_payment: the answer of upgrade_payment or downgrade_payment, as JSON

    A second call replaces the functions.
    """
    engine = Engine(policy)
    # An invalid time is an error now, not in the first query.
    arrow.is_valid(engine, pa.array([], pa.string()), now)
    functions: dict[str, tuple[Callable[[pa.Array], pa.Array], DuckDBPyType]] = {
        "is_valid": (lambda bodies: arrow.is_valid(engine, bodies, now), BOOLEAN),
        "report": (lambda bodies: arrow.report(engine, bodies, now), VARCHAR),
        "redact": (lambda bodies: arrow.redact(engine, bodies), VARCHAR),
        "fingerprint": (lambda bodies: arrow.fingerprint(engine, bodies), VARCHAR),
        "migrate_payment": (lambda bodies: arrow.migrate_payment(engine, bodies), VARCHAR),
        "downgrade_payment": (lambda bodies: arrow.migrate_payment(engine, bodies, "legacy"), VARCHAR),
    }
    for name, (function, returned) in functions.items():
        with suppress(duckdb.InvalidInputException):
            connection.remove_function(f"payspec_{name}")
        # SPECIAL: the functions return NULL for NULL.
        connection.create_function(f"payspec_{name}", function, [VARCHAR], returned, type=ARROW, null_handling=SPECIAL)
