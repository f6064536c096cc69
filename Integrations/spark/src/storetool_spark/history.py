"""The data source `coredata-history`: the persistent histories of many stores."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from . import columns, stores
from .columns import TIMESTAMP, Column
from .errors import StoretoolError
from .model import Folder
from .options import Options
from .program import Program, locate
from .scratch import local_copies
from .source import Stores

# The columns that `storetool history` prints, without and with `--changes`.
TRANSACTIONS = [
    Column("transaction", "Integer 64", pa.int64()),
    Column("date", "Date", TIMESTAMP),
    *(Column(name, "String", pa.string()) for name in ("author", "bundle", "context", "process")),
    *(Column(name, "Integer 64", pa.int64()) for name in ("inserts", "updates", "deletes")),
]
CHANGES = [
    Column("transaction", "Integer 64", pa.int64()),
    Column("date", "Date", TIMESTAMP),
    *(
        Column(name, "String", pa.string())
        for name in ("change", "entity", "id", "properties", "preserved")
    ),
]


class CoreDataHistory(DataSource):
    """spark.read.format("coredata-history").option("model", …).load("stores/")

    The result has a row for each change, or for each transaction if the option `changes` is false.
    `since` is the number of a transaction or a date. `entity` selects the changes of its rows.
    """

    @classmethod
    def name(cls) -> str:
        return "coredata-history"

    def schema(self) -> StructType:
        listed = history_columns(Options.of_history(self.options))
        return _spark_schema(pa.schema([(c.name, c.type) for c in listed]))

    def reader(self, schema: StructType) -> "HistoryReader":
        options = Options.of_history(self.options)
        if schema != self.schema():
            raise StoretoolError(
                "the columns of a history are fixed",
                code="spark.schema",
                remedy="remove .schema(…), and choose columns with .select(…)",
            )
        return HistoryReader(options, Folder.read(options.model))


def history_columns(options: Options) -> list[Column]:
    store = Column(options.store_column, "String", pa.string())
    return [store, *(CHANGES if options.changes else TRANSACTIONS)]


@dataclass
class HistoryReader(DataSourceReader):
    """Reads the histories of stores. A store without a history is an error."""

    options: Options
    model: Folder

    def partitions(self) -> list[InputPartition]:
        found = stores.find(self.options.paths, self.options.filter, self.options.hadoop)
        groups = stores.grouped(found, self.options.partition_bytes, self.options.partition_stores)
        return [Stores(group) for group in groups]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Stores)
        program = Program(locate(self.options.program))
        command = ["history", "--model", self.model.unpacked()]
        command += ["--changes"] if self.options.changes else []
        command += ["--since", self.options.since] if self.options.since else []
        command += ["--entity", self.options.entity] if self.options.entity else []
        listed = history_columns(self.options)
        with local_copies(partition.paths, self.options.hadoop) as near:
            stream = program.rows(list(near), command, jobs=1)
            for batch in columns.batches(stream, listed):
                yield _completed(batch, near)


def _completed(batch: pa.RecordBatch, near: dict[str, str]) -> pa.RecordBatch:
    """Replaces local paths by the original paths, and splits the names of properties."""
    values = dict(zip(batch.schema.names, batch.columns, strict=True))
    store = batch.schema.names[0]
    values[store] = pa.array([near[path] for path in values[store].to_pylist()], pa.string())
    if "properties" in values:
        values["properties"] = pc.split_pattern(values["properties"], ", ")
    arrow = to_arrow_schema(_spark_schema(batch.schema), timezone="UTC")
    return pa.RecordBatch.from_pydict(values).cast(arrow)


def _spark_schema(read: pa.Schema) -> StructType:
    place = read.get_field_index("properties")
    if place >= 0:
        read = read.set(place, pa.field("properties", pa.list_(pa.string())))
    return from_arrow_schema(read)
