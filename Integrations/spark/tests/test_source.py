"""Tests of the data source `coredata` on separate executors."""

import base64
import os
import stat
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from fleet import Fleet
from kinds import EDGES, numbered
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f


def load(spark: SparkSession, fleet: Fleet, path: Path, **options: str) -> DataFrame:
    reader = spark.read.format("coredata").option("model", str(fleet.model))
    for name, value in {"entity": "Item", "storetool": fleet.program, **options}.items():
        reader = reader.option(name, value)
    return reader.load(str(path))


@pytest.fixture(scope="module")
def edges(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fleet.create(tmp_path_factory.mktemp("edges") / "edges.sqlite", rows=EDGES)


@pytest.fixture(scope="module")
def folder(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three stores of the current version, and one of the older version."""
    home = tmp_path_factory.mktemp("stores")
    for name in ("a", "b", "deeper/c"):
        fleet.create(home / f"{name}.sqlite", rows=numbered(50))
    old = [{"number": n, "name": f"old {n}", "done": True} for n in range(5)]
    fleet.create(home / "old.sqlite", version="Kinds", rows=old)
    (home / "notes.txt").write_text("not a store")
    return home


def ids(frame: DataFrame) -> list[str]:
    return sorted(row["objectID"] for row in frame.select("objectID").collect())


def as_spark_value(name: str, value: object) -> object:
    """Converts a value of NDJSON to the Python type of its column."""
    if value is None:
        return None
    if name == "created":
        whole, _, fraction = str(value).rstrip("Z").partition(".")
        moment = datetime.fromisoformat(whole).replace(tzinfo=UTC)
        return moment.replace(microsecond=int(fraction[:6].ljust(6, "0"))) if fraction else moment
    if name in ("blob", "style"):
        return base64.b64decode(str(value))
    if name == "price":
        return Decimal(repr(value))
    if name in ("length", "weight"):
        return float(str(value))
    return value


def test_rows_of_every_type_equal_fetch(spark: SparkSession, fleet: Fleet, edges: Path) -> None:
    frame = load(spark, fleet, edges)
    assert dict(frame.dtypes) == {
        "store": "string", "objectID": "string", "blob": "binary", "count": "int",
        "created": "timestamp", "done": "boolean", "key": "string", "length": "double",
        "link": "string", "name": "string", "number": "bigint", "price": "decimal(38,18)",
        "short": "smallint", "size.height": "double", "size.width": "int", "style": "binary",
        "weight": "float", "owner": "string",
    }  # fmt: skip
    expected = fleet.fetch(edges, "--select", "objectID,*,owner")
    # Compares Arrow's values, because a Row can't contain dates of the year 1.
    rows = frame.toArrow().to_pylist()
    assert len(rows) == len(EDGES)
    for row, record in zip(rows, expected, strict=True):
        assert row.pop("store") == str(edges)
        assert set(row) == set(record)
        for name, value in record.items():
            wanted = as_spark_value(name, value)
            if name == "weight" and wanted is not None:
                assert row[name] == pytest.approx(wanted, rel=1e-7)
            else:
                assert row[name] == wanted, name


def test_folder_reads_as_one_table(spark: SparkSession, fleet: Fleet, folder: Path) -> None:
    counted = load(spark, fleet, folder).groupBy("store").count().collect()
    assert {row["store"].removeprefix(f"{folder}/"): row["count"] for row in counted} == {
        "a.sqlite": 50, "b.sqlite": 50, "deeper/c.sqlite": 50, "old.sqlite": 5,
    }  # fmt: skip


def test_column_missing_in_version_is_null(spark: SparkSession, fleet: Fleet, folder: Path) -> None:
    old = load(spark, fleet, folder / "old.sqlite")
    assert old.where("price IS NULL AND created IS NULL AND name LIKE 'old %'").count() == 5
    for condition, count in (("price > 0", 0), ("price IS NOT NULL", 0), ("price IS NULL", 5)):
        pushed = load(spark, fleet, folder / "old.sqlite", pushdown="true")
        assert pushed.where(condition).count() == count


def test_partitions_hold_one_large_store_or_several_small(
    spark: SparkSession, fleet: Fleet, folder: Path
) -> None:
    assert load(spark, fleet, folder).rdd.getNumPartitions() == 1
    assert load(spark, fleet, folder, partitionBytes="1").rdd.getNumPartitions() == 4
    assert load(spark, fleet, folder, partitionStores="2").rdd.getNumPartitions() == 2


def test_option_or_schema_chooses_columns(
    spark: SparkSession, fleet: Fleet, folder: Path, tmp_path: Path
) -> None:
    logged = Logged(fleet, tmp_path)
    chosen = load(spark, fleet, folder / "a.sqlite", columns="number,name", storetool=logged.path)
    assert chosen.columns == ["number", "name"]
    assert chosen.count() == 50
    assert "#price" not in logged.commands()
    schema = "number bigint, price double, store string"
    reader = spark.read.format("coredata").schema(schema).option("model", str(fleet.model))
    typed = reader.option("entity", "Item").option("storetool", fleet.program)
    row = typed.load(str(folder / "a.sqlite")).where("number = 5").collect()[0]
    assert row.asDict() == {"number": 5, "price": 1.25, "store": str(folder / "a.sqlite")}


class Logged:
    """A script that runs the program and logs its arguments."""

    def __init__(self, fleet: Fleet, home: Path) -> None:
        self.log, script = home / "commands", home / "storetool"
        script.write_text(
            f'#!/bin/sh\nprintf "%s " "$@" >> {self.log}\nexec {fleet.program} "$@"\n'
        )
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        self.path = str(script)

    def commands(self) -> str:
        return self.log.read_text()


# Each filter, and its text in the command that reads the store.
PUSHED = [
    ("done", "#done == YES"),
    ("NOT done", "NOT (#done == YES)"),
    ("count = 2147483647", "#count == 2147483647"),
    ("number > 9223372036854775806", "#number > 9223372036854775806"),
    ("number = -9223372036854775808", "#number == -9223372036854775808"),
    ("short <= 0", "#short <= 0"),
    ("length = 0.1D", "#length == 0.1"),
    ("length >= 1e300D", "#length >= 1e+300"),
    ("length != 0.1D", "NOT (#length == 0.1)"),
    ("weight = CAST(0.1 AS FLOAT)", "#weight BETWEEN {"),
    ("weight > CAST(0.1 AS FLOAT)", "#weight >= "),
    ("price = 12.345", "#price BETWEEN {"),
    ("price < 0", "#price <= "),
    ("created = TIMESTAMP '2024-05-06 07:08:09.123456'", "#created BETWEEN {CAST("),
    ("created > TIMESTAMP '2024-05-06 07:08:09.123456'", "#created >= CAST("),
    ("created < TIMESTAMP '2024-05-06 07:08:09.123456'", "#created <= CAST("),
    ("created IN (TIMESTAMP '0001-01-01 00:00:00', TIMESTAMP '4001-01-01 00:00:00')", "(#created"),
    ("name = 'ray'", '#name == "ray"'),
    ("name != 'ray'", 'NOT (#name == "ray")'),
    ("name = ''", '#name == ""'),
    ("name = 'Ray, \"quoted\"\\nand a line'", '#name == "Ray, \\"quoted\\"\\u000aand a line"'),
    ("name = 'Čeněk 🍵\\t\\\\'", '#name == "Čeněk 🍵\\u0009\\\\"'),
    ("name > 'a'", '#name > "a"'),
    ("name LIKE 'Ra%'", '#name BEGINSWITH "Ra"'),
    ("name LIKE '%line'", '#name ENDSWITH "line"'),
    ("name LIKE '%uote%'", '#name CONTAINS "uote"'),
    ("name IN ('ray', 'null', '\" OR TRUEPREDICATE OR name == \"')", '#name IN {"'),
    ("name NOT IN ('ray', 'null')", "NOT (#name IN {"),
    ("key = '00000000-0000-0000-0000-00000000000F'", "#key == "),
    ("`size.width` = 3", "#size.#width == 3"),
    ("created IS NULL", "#created == nil"),
    ("created IS NOT NULL AND name IS NOT NULL", "NOT (#created == nil)"),
]


# Filters that a predicate can't express, or that would have another meaning.
KEPT = [
    "name LIKE 'R%d'",
    "name NOT IN ('ray', NULL)",
    "key = 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'",
    "key > '0'",
    "length = CAST('Infinity' AS DOUBLE)",
    "length < CAST('NaN' AS DOUBLE)",
    "blob IS NULL",
    "name <=> NULL",
    "link LIKE 'https%'",
    "owner IS NULL",
    "number % 2 = 1",
    "number = 1 OR name = 'ray'",
    "created != TIMESTAMP '2024-05-06 07:08:09.123456'",
]


@pytest.fixture(scope="module")
def expected(spark: SparkSession, fleet: Fleet, edges: Path) -> dict[str, list[str]]:
    """Returns the rows of each filter, evaluated by Spark on a DataFrame with all rows."""
    whole = spark.createDataFrame(load(spark, fleet, edges).toArrow())
    conditions = [*(condition for condition, _ in PUSHED), *KEPT]
    asked = [f.expr(condition).alias(str(place)) for place, condition in enumerate(conditions)]
    rows = whole.select("objectID", *asked).collect()
    return {
        condition: sorted(row["objectID"] for row in rows if row[str(place)])
        for place, condition in enumerate(conditions)
    }


@pytest.mark.parametrize(("condition", "seen"), PUSHED, ids=[pushed[0] for pushed in PUSHED])
def test_pushed_filter_is_in_command_and_keeps_result(
    spark: SparkSession,
    fleet: Fleet,
    edges: Path,
    expected: dict[str, list[str]],
    tmp_path: Path,
    condition: str,
    seen: str,
) -> None:
    logged = Logged(fleet, tmp_path)
    pushed = load(spark, fleet, edges, storetool=logged.path, pushdown="true").where(condition)
    found = ids(pushed)
    assert found == expected[condition]
    assert len(found) < len(EDGES)
    assert seen in logged.commands()


@pytest.mark.parametrize("condition", KEPT)
def test_spark_applies_filters_that_cannot_be_pushed(
    spark: SparkSession,
    fleet: Fleet,
    edges: Path,
    expected: dict[str, list[str]],
    condition: str,
) -> None:
    kept = load(spark, fleet, edges, pushdown="true").where(condition)
    assert ids(kept) == expected[condition]


def test_option_where_is_combined_with_filters(
    spark: SparkSession, fleet: Fleet, folder: Path
) -> None:
    rows = load(spark, fleet, folder, where="done == YES OR number < 5", pushdown="true")
    rows = rows.where("number < 10")
    a = rows.where(f.col("store").endswith("/a.sqlite"))
    assert sorted(row["number"] for row in a.collect()) == [0, 1, 2, 3, 4, 6, 9]


def test_path_filter_selects_stores(spark: SparkSession, fleet: Fleet, folder: Path) -> None:
    def chosen(condition: str) -> tuple[int, int]:
        frame = load(spark, fleet, folder, partitionBytes="1", pushdown="true").where(condition)
        return frame.count(), frame.rdd.getNumPartitions()

    assert chosen(f"store = '{folder}/b.sqlite'") == (50, 1)
    assert chosen("store LIKE '%/deeper/%'") == (50, 1)
    assert chosen("store LIKE '%a.sqlite' OR store LIKE '%c.sqlite'") == (100, 4)
    assert chosen("store = 'nowhere'")[0] == 0


def test_frame_without_pushdown_supports_several_queries(
    spark: SparkSession, fleet: Fleet, folder: Path
) -> None:
    # With pushdown, Spark 4.3 would apply the filters of the first query to the second.
    frame = load(spark, fleet, folder / "a.sqlite")
    assert frame.where("number < 10").count() == 10
    assert frame.count() == 50
    assert frame.where("done").unionAll(frame.where("NOT done")).count() == 50


def test_finds_shipped_program(spark: SparkSession, fleet: Fleet, edges: Path) -> None:
    spark.sparkContext.addFile(fleet.program)
    named = load(spark, fleet, edges, storetool=os.path.basename(fleet.program))  # noqa: PTH119
    assert named.count() == len(EDGES)


WRONG = [
    ({"entity": "Itme"}, "did you mean 'Item'?"),
    ({"columns": "nmae"}, "did you mean 'name'?"),
    ({"wher": "x"}, "did you mean 'where'?"),
    ({"model": "/nowhere"}, "/nowhere"),
    ({"where": "nmae == 1"}, "did you mean 'name'"),
    ({"storetool": "/nowhere/storetool"}, "no program at '/nowhere/storetool'"),
    ({"decimal": "5,1"}, "which isn't decimal128(5, 1)"),
]


@pytest.mark.parametrize(("options", "said"), WRONG, ids=[said for _, said in WRONG])
def test_error_contains_remedy(
    spark: SparkSession, fleet: Fleet, edges: Path, options: dict[str, str], said: str
) -> None:
    with pytest.raises(PySparkException) as raised:
        load(spark, fleet, edges, **options).collect()
    assert said in str(raised.value)
