"""The function `each`: runs a command on every store of a fleet, on the executors of Spark."""

import uuid
from collections.abc import Iterator
from dataclasses import asdict, fields

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.taskcontext import TaskContext

from . import stores as listing
from .model import Folder
from .request import Request
from .session import ship
from .work import Result, apply

SCHEMA = ", ".join(f"{name} string" for name in ("request", *(f.name for f in fields(Result))))


def each(
    spark: SparkSession,
    stores: str | list[str],
    command: list[str],
    *,
    model: str | None = None,
    migrations: str | None = None,
    storetool: str | None = None,
    filter: str | None = None,
    journal: str | None = None,
    run: str | None = None,
    tasks: int | None = None,
    hadoop: dict[str, str] | None = None,
) -> DataFrame:
    """Runs a command on each store, and returns a row with the result of each store.

    A store is copied to an executor, changed there, and copied back under its name when the
    command has succeeded. The original is kept as STORE.<request>.backup. With `journal`, the path
    of a table, the same call resumes after an interruption. `run` makes an identical call a new
    request.
    """
    ship(spark)
    if run is None:
        run = "" if journal else uuid.uuid4().hex
    request = Request(
        tuple(command),
        run,
        Folder.read(model) if model else None,
        Folder.read(migrations) if migrations else None,
        storetool,
        hadoop or {},
    )
    paths = [stores] if isinstance(stores, str) else list(stores)
    found = [store.path for store in listing.find(paths, filter, request.hadoop)]
    before = _done_before(spark, journal, request.name)
    rest = [store for store in found if store not in before]
    rows = _run(spark, request, rest, tasks or 4 * spark.sparkContext.defaultParallelism)
    if journal and rows:
        spark.createDataFrame(rows, SCHEMA).write.mode("append").parquet(journal)
    known = [before[store] for store in found if store in before]
    return spark.createDataFrame([*known, *rows], SCHEMA)


def _done_before(spark: SparkSession, journal: str | None, request: str) -> dict[str, tuple]:
    """Returns the rows of the stores that are done according to the journal."""
    if journal is None:
        return {}
    try:
        noted = spark.read.schema(SCHEMA).parquet(journal)
        done = noted.where((noted.request == request) & (noted.outcome == "done")).collect()
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return {}
    return {row["store"]: tuple(row) for row in done}


def _run(spark: SparkSession, request: Request, stores: list[str], tasks: int) -> list[tuple]:
    """Runs the request immediately, because a DataFrame that is evaluated twice runs twice."""
    count = min(len(stores), tasks)
    if count == 0:
        return []
    shares = [stores[first::count] for first in range(count)]

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        attempt = context.attemptNumber() if context else 0
        for batch in batches:
            for share in batch.column(0).to_pylist():
                results = [apply(request, store, attempt) for store in shares[share]]
                yield pa.RecordBatch.from_pylist(
                    [{"request": request.name, **asdict(result)} for result in results],
                    pa.schema([(name, pa.string()) for name in ("request", *_names())]),
                )

    numbers = spark.range(count, numPartitions=count)
    return [tuple(row) for row in numbers.mapInArrow(work, SCHEMA).collect()]


def _names() -> list[str]:
    return [field.name for field in fields(Result)]
