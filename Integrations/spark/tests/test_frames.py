"""Tests of DataFrames without a cluster, and of the parts that don't require Spark."""

import io
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from fleet import Fleet
from kinds import EDGES, numbered

import storetool_spark
from storetool_spark import predicates
from storetool_spark.columns import Column, batches
from storetool_spark.records import blocks
from storetool_spark.stores import StoreFile, grouped


@pytest.fixture(scope="module")
def folder(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("frames")
    fleet.create(home / "a.sqlite", rows=numbered(30))
    fleet.create(home / "b.sqlite", rows=EDGES)
    fleet.create(home / "old.sqlite", version="Kinds", rows=[{"number": 1000}])
    return home


def test_table_reads_all_stores_of_folder(fleet: Fleet, folder: Path) -> None:
    table = storetool_spark.table(
        str(folder), "Item", model=str(fleet.model), where="number >= 20", columns="store,number"
    )
    assert table.column_names == ["store", "number"]
    assert table["number"].to_pylist() == [*range(20, 30), 9223372036854775807, 1000]
    assert [Path(path).name for path in table["store"].to_pylist()[-2:]] == [
        "b.sqlite",
        "old.sqlite",
    ]


def test_program_writes_arrow_stream(fleet: Fleet, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "storetool_spark", str(folder), "--entity", "Item",
         "--model", str(fleet.model), "--where", "done == YES"],
        capture_output=True, check=True,
        cwd=Path(storetool_spark.__file__).parent.parent,
    )  # fmt: skip
    table = pa.ipc.open_stream(io.BytesIO(done.stdout)).read_all()
    assert table.num_rows == 11


def test_program_error_names_store(fleet: Fleet, folder: Path) -> None:
    with pytest.raises(storetool_spark.StoretoolError) as raised:
        storetool_spark.table(str(folder), "Item", model=str(fleet.model), where="nmae == 1")
    # The stores are read in parallel, and any of them may fail first.
    assert Path(raised.value.place) in folder.iterdir()
    assert "did you mean 'name'?" in str(raised.value)


def test_error_contains_value_of_wrong_type(fleet: Fleet, tmp_path: Path) -> None:
    store = fleet.create(tmp_path / "nan.sqlite", rows=[{"number": 1}, {"price": "NaN"}])
    with pytest.raises(storetool_spark.StoretoolError) as raised:
        storetool_spark.table(str(store), "Item", model=str(fleet.model))
    assert str(raised.value) == (
        f"{store}: 'price' contains 'NaN', which isn't decimal128(38, 18) [spark.value]\n"
        "  help: read it as text: .option('strings', 'price')"
    )
    read = storetool_spark.table(str(store), "Item", model=str(fleet.model), strings="price")
    assert read["price"].to_pylist() == [None, "NaN"]


@pytest.mark.parametrize("text", ["1e20", "1e-19"])
def test_rejects_decimal_out_of_range(text: str) -> None:
    columns = [
        Column("store", "String", pa.string()),
        Column("d", "Decimal", pa.decimal128(38, 18)),
    ]
    with pytest.raises(storetool_spark.StoretoolError, match="which isn't decimal128"):
        list(batches([f"store,d\nx,{text}\n".encode()], columns))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_blocks_end_at_record_ends(size: int) -> None:
    records = [b"a,1\n", b'"x\ny ""z""\n",2\n', b'"",3\n', b'"' + b"long\n" * 50 + b'",4\n', b"b,5"]
    text = b"".join(records)
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    found = list(blocks(chunks, least=4))
    assert b"".join(found) == text
    ends = {sum(map(len, records[: count + 1])) for count in range(len(records))}
    place = 0
    for block in found:
        place += len(block)
        assert place in ends


def test_reads_long_value(fleet: Fleet, tmp_path: Path) -> None:
    long = 'line "quoted"\n' * 300_000
    store = fleet.create(tmp_path / "long.sqlite", rows=[{"name": long}, {"name": "short"}])
    table = storetool_spark.table(str(store), "Item", model=str(fleet.model), columns="name")
    assert table["name"].to_pylist() == [long, "short"]


NAMES = [("name", "#name"), ("size.width", "#size.#width"), ("2nd", "#\\u0032nd")]


@pytest.mark.parametrize(("path", "written"), [*NAMES, ("unit price", "#unit\\u0020price")])
def test_escapes_names(path: str, written: str) -> None:
    assert predicates.name(path) == written


@pytest.mark.parametrize(
    "text", ["plain", '"', "\\", '\\"', "'", "a\nb\tc\x7f", "", "Čeněk 🍵", '" OR TRUEPREDICATE']
)
def test_literal_matches_only_its_text(fleet: Fleet, tmp_path: Path, text: str) -> None:
    store = fleet.create(tmp_path / "t.sqlite", rows=[{"name": text}, {"name": "other"}])
    where = f"#name == {predicates.string(text)}"
    assert fleet.fetch(store, "--select", "name", "--where", where) == [{"name": text}]


def test_small_stores_share_a_group() -> None:
    files = [StoreFile(name, size) for name, size in zip("abcde", (1, 1, 9, 1, 20), strict=True)]
    assert grouped(files, 10, 10) == [["a", "b"], ["c", "d"], ["e"]]
    assert grouped(files, 100, 2) == [["a", "b"], ["c", "d"], ["e"]]


def test_single_version_model_skips_version_check(fleet: Fleet, tmp_path: Path) -> None:
    store = fleet.create(tmp_path / "a.sqlite", rows=numbered(3))
    log, script = tmp_path / "log", tmp_path / "storetool"
    script.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {fleet.program} "$@"\n')
    script.chmod(0o755)
    for model, asked in ((fleet.model, True), (fleet.model / "Kinds 2.xcdatamodel", False)):
        log.write_text("")
        table = storetool_spark.table(str(store), "Item", model=str(model), storetool=str(script))
        assert table.num_rows == 3
        assert ("-- info" in log.read_text()) == asked
