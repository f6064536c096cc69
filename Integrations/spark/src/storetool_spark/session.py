"""Prepares a Spark session."""

import tempfile
import zipfile
from pathlib import Path

from pyspark.sql import SparkSession

from .history import CoreDataHistory
from .source import CoreData

ARCHIVE = "storetool_spark.zip"
PUSHDOWN = "spark.sql.python.filterPushdown.enabled"


def register(spark: SparkSession) -> None:
    """Registers the data sources, and sends this package to the executors."""
    # This comes first, because a data source uses the packages that exist at its registration.
    ship(spark)
    spark.dataSource.register(CoreData)
    spark.dataSource.register(CoreDataHistory)
    # The setting is off by default, and Spark then rejects data sources with `pushFilters`.
    spark.conf.set(PUSHDOWN, "true")


def ship(spark: SparkSession) -> None:
    """Sends this package, so that it doesn't have to be installed on the executors."""
    context = spark.sparkContext
    if any(file.endswith(f"/{ARCHIVE}") for file in context.listFiles):
        return
    home = Path(__file__).parent
    archive = Path(tempfile.mkdtemp(prefix="storetool-spark-"), ARCHIVE)
    with zipfile.ZipFile(archive, "w") as packed:
        for module in sorted(home.glob("*.py")):
            packed.write(module, f"{home.name}/{module.name}")
    context.addPyFile(str(archive))
