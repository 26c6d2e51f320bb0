"""Adds verdicts and reports to a Parquet file."""

import payspec
import payspec.arrow
import pyarrow.parquet as pq

engine = payspec.Engine({"currencies": ["RUB", "USD"]})
requests = pq.read_table("requests/2026-11.parquet")
bodies = requests["body"]
checked = requests.append_column("valid", payspec.arrow.is_valid(engine, bodies, threads=2))
checked = checked.append_column("report", payspec.arrow.report(engine, bodies, threads=2))
pq.write_table(checked, "checked.parquet")
print(checked["valid"].value_counts())
