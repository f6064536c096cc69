"""The data source `coredata`: rows of an entity in many stores."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, Filter, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from . import columns, filters, stores
from .columns import Column
from .fetching import Fetch, entity_columns
from .model import Folder
from .options import Options
from .predicates import Condition
from .program import Program, locate
from .scratch import local_copies


class CoreData(DataSource):
    """spark.read.format("coredata").option("model", …).option("entity", …).load("stores/")"""

    @classmethod
    def name(cls) -> str:
        return "coredata"

    def schema(self) -> StructType:
        options = Options.read(self.options)
        return from_arrow_schema(pa.schema([(c.name, c.type) for c in wanted(options)]))

    def reader(self, schema: StructType) -> "CoreDataReader":
        options = Options.read(self.options)
        arrow = to_arrow_schema(schema, timezone="UTC")
        known = entity_columns(options, Program(locate(options.program)))
        chosen = [
            columns.column(entry.name, columns.named(entry.name, known).kind, entry.type)
            for entry in arrow
        ]
        kind = PushingReader if options.pushdown else CoreDataReader
        return kind(options, Folder.read(options.model), chosen)


def wanted(options: Options) -> list[Column]:
    """Returns the columns of the option `columns` in its order, or all columns of the entity."""
    known = entity_columns(options, Program(locate(options.program)))
    return [columns.named(name, known) for name in options.columns] if options.columns else known


@dataclass
class Stores(InputPartition):
    """The stores that one task reads."""

    paths: list[str]


@dataclass
class CoreDataReader(DataSourceReader):
    """Reads the chosen columns of the rows that match `where`."""

    options: Options
    model: Folder
    columns: list[Column]
    conditions: list[Condition] = field(default_factory=list)
    paths: list[Filter] = field(default_factory=list)

    def partitions(self) -> list[InputPartition]:
        found = stores.find(self.options.paths, self.options.filter, self.options.hadoop)
        for pushed in self.paths:
            test = filters.of_path(pushed, self.options.store_column)
            found = [store for store in found if test is None or test(store.path)]
        groups = stores.grouped(found, self.options.partition_bytes, self.options.partition_stores)
        # Without any partition, Spark would create one without paths.
        return [Stores(group) for group in groups] or [Stores([])]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Stores)
        fetch = Fetch(
            Program(locate(self.options.program)),
            self.model.unpacked(),
            self.options.entity,
            self.columns,
            self.options.where,
            self.conditions,
            self.options.store_column,
            self.model.has_versions,
            jobs=1,
        )
        with local_copies(partition.paths, self.options.hadoop) as near:
            yield from fetch.batches(near)


class PushingReader(CoreDataReader):
    """Applies Spark's filters while reading, as far as the predicate language can express them.

    This reader is optional, because Spark 4.3 keeps the last reader that received filters, and uses
    it for every later query of the same DataFrame, even if that query has other filters.
    """

    def pushFilters(self, filters_: list[Filter]) -> Iterator[Filter]:  # noqa: N802
        known = {c.name: c for c in self.columns if c.name != self.options.store_column}
        for pushed in filters_:
            if filters.of_path(pushed, self.options.store_column):
                self.paths.append(pushed)
                continue
            condition = filters.condition(pushed, known)
            if condition:
                self.conditions.append(condition)
            if condition is None or not condition.exact:
                yield pushed
