"""Core Data's SQLite stores as DataFrames, through the program `storetool`.

Without a cluster: `table` and `batches`. With Apache Spark: `register`, and `each`.
"""

from .errors import StoretoolError
from .frames import batches, table

__all__ = ["StoretoolError", "batches", "register", "table"]


def register(spark: "SparkSession") -> None:  # noqa: F821
    """Makes the formats `coredata` and `coredata-history` known to a session."""
    from .session import register as registered

    registered(spark)
