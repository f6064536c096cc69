"""Tests of the data source `coredata-history`."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fleet import Fleet
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

HISTORY = """
CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
    ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
    ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER,
    ZTIMESTAMP FLOAT);
CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
    ZNAME VARCHAR);
"""


@pytest.fixture(scope="module")
def folder(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("histories")
    for name in ("a", "b"):
        store = fleet.create(home / f"{name}.sqlite")
        with closing(sqlite3.connect(store)) as connection:
            connection.executescript(HISTORY)
        place = ("--model", str(fleet.model), "--store", str(store))
        fleet.run("insert", "Item", "number=1", *place)
        fleet.run("insert", "Owner", "title=Ann", *place)
        fleet.run("batch-update", "Item", "number=2", "name=Ray", *place)
    return home


def load(spark: SparkSession, fleet: Fleet, path: Path, **options: str) -> DataFrame:
    reader = spark.read.format("coredata-history").option("model", str(fleet.model))
    for name, value in {"storetool": fleet.program, **options}.items():
        reader = reader.option(name, value)
    return reader.load(str(path))


def test_lists_changes_of_all_stores(spark: SparkSession, fleet: Fleet, folder: Path) -> None:
    changes = load(spark, fleet, folder)
    rows = changes.where(changes.store.endswith("/b.sqlite")).orderBy("transaction").collect()
    listed = [(row["transaction"], row["change"], row["entity"], row["properties"]) for row in rows]
    assert listed == [
        (1, "insert", "Item", None),
        (2, "insert", "Owner", None),
        (3, "update", "Item", ["name", "number"]),
    ]
    assert all(row["date"] is not None and row["id"].startswith("x-coredata://") for row in rows)
    assert changes.count() == 6


def test_lists_transactions_since_one(spark: SparkSession, fleet: Fleet, folder: Path) -> None:
    transactions = load(spark, fleet, folder, changes="false", since="1")
    counted = transactions.groupBy("transaction").sum("inserts", "updates", "deletes").collect()
    assert sorted(tuple(row) for row in counted) == [(2, 2, 0, 0), (3, 0, 2, 0)]
    assert load(spark, fleet, folder, entity="Owner").count() == 2


def test_rejects_store_without_history_and_unknown_option(
    spark: SparkSession, fleet: Fleet, tmp_path: Path
) -> None:
    store = fleet.create(tmp_path / "plain.sqlite")
    with pytest.raises(PySparkException, match="has no persistent history"):
        load(spark, fleet, store).collect()
    with pytest.raises(PySparkException, match="unknown option 'where'"):
        load(spark, fleet, store, where="x").collect()
