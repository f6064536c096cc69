"""Maps Core Data's types to Arrow's types, and converts the text of CSV cells to values."""

import base64
import binascii
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from .errors import StoretoolError, nearest
from .records import blocks

TIMESTAMP = pa.timestamp("us", tz="UTC")

# The default type of Decimals: Spark's maximum precision, with 18 digits after the point.
DECIMAL = pa.decimal128(38, 18)

DEFAULTS: dict[str, pa.DataType] = {
    "Boolean": pa.bool_(),
    "Integer 16": pa.int16(),
    "Integer 32": pa.int32(),
    "Integer 64": pa.int64(),
    "Decimal": DECIMAL,
    "Double": pa.float64(),
    "Float": pa.float32(),
    "String": pa.string(),
    "URI": pa.string(),
    "UUID": pa.string(),
    "Object ID": pa.string(),
    "Date": TIMESTAMP,
    "Binary": pa.binary(),
    "Transformable": pa.binary(),
}

INTEGERS = {"Integer 16": 16, "Integer 32": 32, "Integer 64": 64}


@dataclass(frozen=True)
class Column:
    """A column of the result: its name, its type in the model, and its Arrow type."""

    name: str
    kind: str
    type: pa.DataType


def fits(kind: str, wanted: pa.DataType) -> bool:
    """Returns whether an Arrow type can represent every value of a type of the model.

    Text can represent every value.
    """
    if wanted == DEFAULTS[kind] or pa.types.is_string(wanted):
        return True
    if kind in INTEGERS and pa.types.is_signed_integer(wanted):
        return wanted.bit_width >= INTEGERS[kind]
    if kind in INTEGERS or kind == "Decimal":
        return pa.types.is_decimal(wanted) or wanted == pa.float64()
    return kind == "Float" and wanted == pa.float64()


def column(name: str, kind: str, wanted: pa.DataType | None = None) -> Column:
    """Returns a column with the wanted type, or with the default type of its kind."""
    if kind not in DEFAULTS:
        raise StoretoolError(f"'{name}' has the unknown type '{kind}'", code="spark.unknown-type")
    if wanted is not None and not fits(kind, wanted):
        raise StoretoolError(
            f"'{name}' has type {kind}, which can't be read as {wanted}",
            code="spark.type",
            remedy=f"read it as {DEFAULTS[kind]}, or as a string",
        )
    return Column(name, kind, DEFAULTS[kind] if wanted is None else wanted)


def named(name: str, columns: list[Column]) -> Column:
    """Returns the column with a name."""
    for candidate in columns:
        if candidate.name == name:
            return candidate
    raise StoretoolError(
        f"unknown column '{name}'",
        code="spark.unknown-column",
        remedy=nearest(name, [candidate.name for candidate in columns]),
    )


def batches(stream: Iterable[bytes], columns: list[Column]) -> Iterator[pa.RecordBatch]:
    """Yields the records of a CSV with a header.

    The CSV has these columns in this order. The first column is the store.
    """
    pieces = iter(stream)
    start = b""
    for piece in pieces:
        start += piece
        if b"\n" in start:
            break
    # Skips the header. Its names may be in the notation of the predicate language.
    body = start.partition(b"\n")[2]
    for block in blocks(chain([body] if body else [], pieces)):
        yield _batch(block, columns)


def _batch(block: bytes, columns: list[Column]) -> pa.RecordBatch:
    try:
        table = _parsed(block, columns, {c.name: _parsed_as(c) for c in columns})
        values = [_converted(table[c.name], c) for c in columns]
    except (pa.ArrowInvalid, binascii.Error) as error:
        raise _wrong_value(block, columns, str(error)) from error
    schema = pa.schema([(c.name, c.type) for c in columns])
    return pa.RecordBatch.from_arrays(values, schema=schema)


def _parsed(block: bytes, columns: list[Column], types: dict[str, pa.DataType]) -> pa.Table:
    return csv.read_csv(
        io.BytesIO(block),
        # One thread keeps the order of the rows. Spark and `each` run in parallel already.
        csv.ReadOptions(
            column_names=[c.name for c in columns], use_threads=False, block_size=len(block) + 1
        ),
        csv.ParseOptions(newlines_in_values=True),
        csv.ConvertOptions(
            column_types=types,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            true_values=["true"],
            false_values=["false"],
        ),
    )


def _parsed_as(column: Column) -> pa.DataType:
    """Returns the type that pyarrow's reader parses. Dates and bytes are parsed as text first."""
    return pa.string() if column.type in _CONVERSIONS else column.type


def _converted(cells: pa.ChunkedArray, column: Column) -> pa.Array:
    values = _CONVERSIONS.get(column.type, _same)(cells.combine_chunks())
    if pa.types.is_decimal(column.type):
        # The reader accepts values with more digits than the type allows.
        values.validate(full=True)
    return values


def _same(cells: pa.Array) -> pa.Array:
    return cells


def _dates(texts: pa.Array) -> pa.Array:
    # A store keeps more fractional digits of a second than a timestamp.
    short = pc.replace_substring_regex(texts, r"(\.\d{6})\d+", r"\1")
    return pc.cast(short, TIMESTAMP)


def _bytes(texts: pa.Array) -> pa.Array:
    decoded = [None if t is None else base64.b64decode(t, validate=True) for t in texts.to_pylist()]
    return pa.array(decoded, pa.binary())


_CONVERSIONS: dict[pa.DataType, Callable[[pa.Array], pa.Array]] = {
    TIMESTAMP: _dates,
    pa.binary(): _bytes,
}


def _wrong_value(block: bytes, columns: list[Column], otherwise: str) -> StoretoolError:
    """Returns an error with the first value that doesn't match its type, and its store."""
    texts = _parsed(block, columns, {c.name: pa.string() for c in columns})
    for place in range(texts.num_rows):
        for candidate in columns:
            text = texts[candidate.name][place].as_py()
            if text is not None and not _reads(text, candidate):
                return StoretoolError(
                    f"'{candidate.name}' contains '{text[:80]}', which isn't {candidate.type}",
                    place=texts[columns[0].name][place].as_py(),
                    code="spark.value",
                    remedy=f"read it as text: .option('strings', '{candidate.name}')",
                )
    return StoretoolError(otherwise, code="spark.value")


def _reads(text: str, column: Column) -> bool:
    cell = '"' + text.replace('"', '""') + '"'
    try:
        parsed = _parsed(f"{cell}\n".encode(), [column], {column.name: _parsed_as(column)})
        _converted(parsed.column(0), column)
    except (pa.ArrowInvalid, binascii.Error):
        return False
    return True
