"""Fetches an entity from stores of one or several versions, as record batches."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from . import columns, predicates
from .columns import Column
from .errors import StoretoolError
from .model import OBJECT_ID, Property, version
from .options import Options
from .predicates import Condition
from .program import Program


def entity_columns(options: Options, program: Program) -> list[Column]:
    """Returns the store's path, the object ID, and the properties of the entity in the version."""
    properties = version(program, options.model, options.version).properties(options.entity)
    taken = [p.name for p in properties if p.name == options.store_column]
    if taken:
        raise StoretoolError(
            f"the column with the store's path and a property of '{options.entity}' are both named"
            f" '{taken[0]}'",
            code="spark.store-column",
            remedy="choose another name for the column: .option('storeColumn', 'path')",
        )
    for name in options.strings:
        columns.named(name, [Column(entry.name, entry.type, pa.string()) for entry in properties])
    decimal = pa.decimal128(*options.decimal)
    return [
        Column(options.store_column, "String", pa.string()),
        Column(OBJECT_ID, "Object ID", pa.string()),
        *(_column(entry, decimal, options.strings) for entry in properties),
    ]


def _column(entry: Property, decimal: pa.DataType, strings: list[str]) -> Column:
    if entry.name in strings:
        return columns.column(entry.name, entry.type, pa.string())
    return columns.column(entry.name, entry.type, decimal if entry.type == "Decimal" else None)


@dataclass(frozen=True)
class Fetch:
    """A fetch of one entity: its columns and its conditions."""

    program: Program
    model: str
    entity: str
    columns: list[Column]
    where: str | None
    conditions: list[Condition]
    store_column: str
    # Whether the stores may have several versions. Some may then lack columns.
    has_versions: bool
    # The number of stores to read in parallel. Spark assigns one core to a task.
    jobs: int | None = None

    def batches(self, stores: dict[str, str]) -> Iterator[pa.RecordBatch]:
        """Yields the rows of local stores. `stores` maps local paths to the original paths."""
        for name, members in self._by_version(list(stores)).items():
            has = self._columns_of(name)
            lacking = [c for c in self.conditions if c.column not in has]
            # For NULL only the condition `IS NULL` is true.
            if any(not condition.missing for condition in lacking):
                continue
            asked = [c for c in self.conditions if c.column in has]
            stream = self.program.rows(members, self._command(has, asked), self.jobs)
            read = [c for c in self.columns if c.name in has]
            store = Column("", "String", pa.string())
            for batch in columns.batches(stream, [store, *read]):
                yield self._completed(batch, stores)

    def _by_version(self, stores: list[str]) -> dict[str, list[str]]:
        """Groups stores by the version that wrote them. '' is the group of unknown versions."""
        if not stores:
            return {}
        if not self.has_versions:
            return {"": stores}
        facts = self.program.facts(stores, ["info", "--model", self.model], self.jobs)
        versions = {fact["store"]: fact["version"] or "" for fact in facts}
        members: dict[str, list[str]] = {}
        for store in stores:
            members.setdefault(versions.get(store, ""), []).append(store)
        return members

    def _columns_of(self, name: str) -> set[str]:
        """Returns the names of the columns that a version has."""
        # For a store of an unknown version, the program reports the error itself.
        has = version(self.program, self.model, name or None)
        properties = {p.name: p for p in has.properties(self.entity)}
        for column in self.columns:
            found = properties.get(column.name)
            if found and not columns.fits(found.type, column.type):
                raise StoretoolError(
                    f"'{column.name}' is {found.type} in '{has.name}' instead of {column.type}",
                    code="spark.type",
                    remedy=f"migrate these stores, or use .option('strings', '{column.name}')",
                )
        return {*properties, OBJECT_ID}

    def _command(self, has: set[str], conditions: list[Condition]) -> list[str]:
        command = ["fetch", self.entity, "--model", self.model]
        for column in self.columns:
            if column.name in has:
                name = predicates.name(column.name)
                command += ["--select", OBJECT_ID if column.name == OBJECT_ID else name]
        for text in [*([self.where] if self.where else []), *(c.text for c in conditions)]:
            command += ["--where", text]
        return command

    def _completed(self, batch: pa.RecordBatch, stores: dict[str, str]) -> pa.RecordBatch:
        """Adds the store's original path, and NULL for the columns that the store lacks."""
        paths = pc.cast(batch.column(0), pa.string())
        known = pa.array([stores[path] for path in paths.to_pylist()], pa.string())
        values = {name: batch.column(place) for place, name in enumerate(batch.schema.names)}
        values[self.store_column] = known
        schema = pa.schema([(c.name, c.type) for c in self.columns])
        arrays = [
            values[c.name] if c.name in values else pa.nulls(batch.num_rows, c.type)
            for c in self.columns
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=schema)
