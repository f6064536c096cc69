"""DataFrames without a cluster: rows of an entity in many stores as Arrow's batches."""

from collections.abc import Iterator

import pyarrow as pa

from . import columns as types
from . import stores as listing
from .fetching import Fetch, entity_columns
from .model import Folder
from .options import Options
from .program import Program, locate
from .scratch import at_hand


def batches(stores: str | list[str], entity: str, **options: str) -> pa.RecordBatchReader:
    """Rows as they are read; the options are those of the data source, as `model` and `where`."""
    paths = [stores] if isinstance(stores, str) else list(stores)
    read = Options.of(paths, entity, options)
    program = Program(locate(read.program))
    known = entity_columns(read, program)
    chosen = [types.named(name, known) for name in read.columns] if read.columns else known
    has_versions = Folder.read(read.model).has_versions
    fetch = Fetch(
        program, read.model, entity, chosen, read.where, [], read.store_column, has_versions
    )

    def stream() -> Iterator[pa.RecordBatch]:
        found = listing.find(read.paths, read.filter, read.hadoop)
        for group in listing.grouped(found, read.partition_bytes, len(found)):
            with at_hand(group, read.hadoop) as near:
                yield from fetch.batches(near)

    return pa.RecordBatchReader.from_batches(
        pa.schema([(c.name, c.type) for c in chosen]), stream()
    )


def table(stores: str | list[str], entity: str, **options: str) -> pa.Table:
    """All rows in memory, for duckdb, pandas and polars."""
    return batches(stores, entity, **options).read_all()
