"""Measures one predicate over many stores with several contenders. See Benchmarks/README.md."""

import contextlib
import csv
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pyarrow import csv as arrow_csv
from pyspark.sql import SparkSession

import storetool_spark

ROOT = Path(__file__).parents[3]
MODEL = ROOT / os.environ.get("MODEL", "Models/Todo.xcdatamodeld/Todo 2.xcdatamodel")
WHERE = "done == NO AND priority >= 3"
SQL = """
SELECT ZNAME, ZPRIORITY, ZCREATEDAT FROM ZITEM WHERE ZDONE = 0 AND ZPRIORITY >= 3 ORDER BY Z_PK
"""
FILL = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZDONE, ZPRIORITY, ZCREATEDAT, ZNAME)
SELECT i, 1, 1, i % 2, i % 6, 700000000 + i * 61, printf('item %08x', i * 2654435761 % 4294967296)
FROM n
"""


def make(folder: Path, stores: int, rows: int) -> None:
    first = folder / "00000.sqlite"
    command = [os.environ["STORETOOL"], "create", str(first), "--model", str(MODEL)]
    subprocess.run(command, check=True, capture_output=True)
    with contextlib.closing(sqlite3.connect(first)) as connection:
        connection.execute(FILL, (rows,))
        connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ?", (rows,))
        connection.commit()
    for number in range(1, stores):
        shutil.copyfile(first, folder / f"{number:05}.sqlite")


def by_each(folder: Path, target: Path) -> int:
    """Writes a file with `each`, and returns its number of rows."""
    arguments = [os.environ["STORETOOL"], "each", str(folder), "--", "fetch", "Item", "--model",
                 str(MODEL), "--where", WHERE, "--select", "name,priority,createdAt",
                 "--format", "csv"]  # fmt: skip
    with target.open("wb") as output:
        subprocess.run(arguments, check=True, stdout=output, stderr=subprocess.DEVNULL)
    return lines(target)


def by_loop(folder: Path, target: Path) -> int:
    """Writes the same columns with one connection after the other. The dates remain numbers."""
    with target.open("w", newline="") as output:
        writer = csv.writer(output)
        writer.writerow(("store", "name", "priority", "createdAt"))
        for store in sorted(folder.glob("*.sqlite")):
            with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as opened:
                for row in opened.execute(SQL):
                    writer.writerow((store, *row))
    return lines(target)


def by_spark(spark: SparkSession, folder: Path) -> int:
    """Reads the rows on the driver as an Arrow table."""
    reader = spark.read.format("coredata").option("model", str(MODEL)).option("entity", "Item")
    reader = reader.option("where", WHERE).option("columns", "store,name,priority,createdAt")
    return reader.load(str(folder)).toArrow().num_rows


def by_table(folder: Path) -> int:
    """Reads the rows as an Arrow table, without Spark."""
    return storetool_spark.table(
        str(folder), "Item", model=str(MODEL), where=WHERE, columns="store,name,priority,createdAt"
    ).num_rows


def by_pyarrow(target: Path) -> int:
    """Reads the CSV of `each`, to measure the additional time for an Arrow table."""
    return arrow_csv.read_csv(target).num_rows


def lines(path: Path) -> int:
    with path.open("rb") as text:
        return sum(1 for _ in text) - 1


def main() -> None:
    stores, rows, runs = (int(word) for word in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="fleet-") as home:
        folder = Path(home, "stores")
        folder.mkdir()
        make(folder, stores, rows)
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        started = time.perf_counter()
        spark = (
            SparkSession.builder.master("local-cluster[2,1,1024]")
            .config("spark.ui.enabled", "false")
            .config("spark.log.level", "ERROR")
            .getOrCreate()
        )
        storetool_spark.register(spark)
        start = time.perf_counter() - started
        written = Path(home, "each.csv")
        contenders: dict[str, Callable[[], int]] = {
            "a loop with sqlite3": lambda: by_loop(folder, Path(home, "loop.csv")),
            "storetool each": lambda: by_each(folder, written),
            "storetool_spark.table": lambda: by_table(folder),
            "Spark, two workers": lambda: by_spark(spark, folder),
            "pyarrow, of each's CSV": lambda: by_pyarrow(written),
        }
        took = measured(contenders, runs)
        spark.stop()
    show(took, stores, rows, start)


def measured(contenders: dict[str, Callable[[], int]], runs: int) -> dict[str, list[float]]:
    """Returns the seconds of each run, after a warm-up run. All must find the same rows."""
    took: dict[str, list[float]] = {name: [] for name in contenders}
    found: set[int] = set()
    for turn in range(runs + 1):
        for name, contender in contenders.items():
            begun = time.perf_counter()
            found.add(contender())
            if turn:
                took[name].append(time.perf_counter() - begun)
    if len(found) != 1:
        sys.exit(f"error: the contenders don't find the same rows: {sorted(found)}")
    return took


def show(took: dict[str, list[float]], stores: int, rows: int, start: float) -> None:
    print(f"{stores:,} stores of {rows:,} rows; starting Spark took another {start:.1f} s\n")
    print(f"{'':24} {'seconds':>8} {'against the loop':>17}")
    loop = took["a loop with sqlite3"]
    for name, seconds in took.items():
        ratio = statistics.median(a / b for a, b in zip(seconds, loop, strict=True))
        print(f"{name:24} {statistics.median(seconds):8.2f} {ratio:17.2f}")


if __name__ == "__main__":
    main()
