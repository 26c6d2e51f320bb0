"""Counts the rejected requests of each merchant without reading all files into memory."""

import payspec
import payspec.polars
import polars as pl

engine = payspec.Engine({"currencies": ["RUB", "USD"]})
requests = pl.scan_parquet("requests/*.parquet")
rejected = requests.filter(~payspec.polars.is_valid(engine, "body")).group_by("merchant_id").len().sort("merchant_id")
print(rejected.collect(engine="streaming"))
