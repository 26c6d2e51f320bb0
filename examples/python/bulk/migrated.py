"""Migrates payments of the legacy API on the executors of Spark."""

from payspec import spark as bodies
from pyspark.sql import SparkSession
from pyspark.sql.functions import get_json_object

spark = SparkSession.builder.getOrCreate()
payments = spark.read.parquet("payments")
migrated = bodies.with_columns(payments, {"answer": bodies.migrate_payment("body")}, keep=[])
migrated.select(get_json_object("answer", "$.body").alias("body")).write.parquet("migrated")
print(spark.read.parquet("migrated").count(), "payments")
