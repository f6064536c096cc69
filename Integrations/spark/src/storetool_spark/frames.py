"""Reads the rows of an entity in many stores as Arrow record batches, without a cluster."""

from collections.abc import Iterator

import pyarrow as pa

from . import columns as types
from . import stores as listing
from .fetching import Fetch, entity_columns
from .model import Folder
from .options import Options
from .program import Program, locate
from .scratch import local_copies


def batches(stores: str | list[str], entity: str, **options: str) -> pa.RecordBatchReader:
    """Returns a reader of rows. It takes the options of the data source, for example `model`."""
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
            with local_copies(group, read.hadoop) as near:
                yield from fetch.batches(near)

    return pa.RecordBatchReader.from_batches(
        pa.schema([(c.name, c.type) for c in chosen]), stream()
    )


def table(stores: str | list[str], entity: str, **options: str) -> pa.Table:
    """Returns all rows in memory, for duckdb, pandas and polars."""
    return batches(stores, entity, **options).read_all()
