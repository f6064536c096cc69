"""Core Data's SQLite stores as DataFrames, through the program `storetool`.

Without a cluster, use `table` and `batches`. With Apache Spark, use `register` and `each`.
"""

from .errors import StoretoolError
from .frames import batches, table

__all__ = ["StoretoolError", "batches", "each", "register", "table"]


def register(spark: "SparkSession") -> None:  # noqa: F821
    """Registers the data sources `coredata` and `coredata-history` in a session."""
    from .session import register as registered

    registered(spark)


def each(
    spark: "SparkSession",  # noqa: F821
    stores: str | list[str],
    command: list[str],
    **options: object,
) -> "DataFrame":  # noqa: F821
    """Runs a command on each store of a fleet, on the executors. See `fleet.each`."""
    from .fleet import each as run

    return run(spark, stores, command, **options)
