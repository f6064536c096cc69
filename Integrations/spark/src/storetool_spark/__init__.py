"""Core Data's SQLite stores as DataFrames, through the program `storetool`.

Without a cluster: `table` and `batches`. With Apache Spark: `register`, and `each`.
"""

from .errors import StoretoolError
from .frames import batches, table

__all__ = ["StoretoolError", "batches", "each", "register", "table"]


def register(spark: "SparkSession") -> None:  # noqa: F821
    """Makes the formats `coredata` and `coredata-history` known to a session."""
    from .session import register as registered

    registered(spark)


def each(
    spark: "SparkSession",  # noqa: F821
    stores: str | list[str],
    command: list[str],
    **options: object,
) -> "DataFrame":  # noqa: F821
    """Runs a command on each store of a fleet, on the executors; see `fleet.each`."""
    from .fleet import each as run

    return run(spark, stores, command, **options)
