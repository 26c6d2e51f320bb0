"""Migrates payments of the legacy API on the executors of Spark."""

import payspec
from payspec import spark as bodies
from pyspark.sql import SparkSession
from pyspark.sql.functions import get_json_object, udf
from pyspark.sql.types import StringType


@udf(StringType())
def body_of(answer: str) -> str:
    """Returns the body unchanged. get_json_object would round its numbers."""
    return payspec.Answer(True, answer.encode()).members()["body"].decode()


spark = SparkSession.builder.getOrCreate()
payments = spark.read.parquet("payments")
answers = bodies.with_columns(payments, {"answer": bodies.migrate_payment("body")}, keep=["id"]).persist()
# The answer of a rejected body is a report, which has no list of unresolved members.
is_complete = get_json_object("answer", "$.unresolved").eqNullSafe("[]")
complete = answers.filter(is_complete).select("id", body_of("answer").alias("body"))
complete.write.parquet("migrated")
answers.filter(~is_complete).write.parquet("unresolved")
for folder in ("migrated", "unresolved"):
    print(f"{folder}: {spark.read.parquet(folder).count()} payments")
