"""What a session of Spark needs before it knows stores."""

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
    # First, as a source knows the packages that are there when it is registered.
    ship(spark)
    spark.dataSource.register(CoreData)
    spark.dataSource.register(CoreDataHistory)
    # Off by default, and Spark refuses a source that could push down where it is off.
    spark.conf.set(PUSHDOWN, "true")


def ship(spark: SparkSession) -> None:
    """Sends this package, so that executors need no installation of it."""
    context = spark.sparkContext
    if any(file.endswith(f"/{ARCHIVE}") for file in context.listFiles):
        return
    home = Path(__file__).parent
    archive = Path(tempfile.mkdtemp(prefix="storetool-spark-"), ARCHIVE)
    with zipfile.ZipFile(archive, "w") as packed:
        for module in sorted(home.glob("*.py")):
            packed.write(module, f"{home.name}/{module.name}")
    context.addPyFile(str(archive))
