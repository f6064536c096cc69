"""Tests of `each`: a request is applied to every store once, even if processes die."""

import os
import signal
import sqlite3
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fleet import Fleet
from pyspark.sql import SparkSession

import storetool_spark
from storetool_spark import work
from storetool_spark.files import LocalFiles
from storetool_spark.model import Folder
from storetool_spark.request import Request

# Each run adds one, so that a request that is applied twice is detected.
INCREMENT = ["batch-update", "Item", "number:=number + 1"]


def stores(fleet: Fleet, home: Path, count: int, version: str = "Kinds 2") -> list[Path]:
    rows = [{"number": n, "name": f"row {n}", "done": False} for n in range(20)]
    return [
        fleet.create(home / f"s{place:02}.sqlite", version=version, rows=rows)
        for place in range(count)
    ]


def numbers(fleet: Fleet, store: Path) -> list[int]:
    return [row["number"] for row in fleet.fetch(store, "--select", "number")]


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


class Killed(BaseException):
    """Simulates the end of a process. Exception handlers don't catch it."""


class DyingFiles(LocalFiles):
    """The files of a process that ends at its nth change, before it or when it is half done."""

    def __init__(self, last: int, half: bool) -> None:
        self.left, self.half = last, half

    def _step(self, change: Callable[[], None]) -> None:
        self.left -= 1
        if self.left > 0:
            return change()
        if self.half:
            change()
        raise Killed

    def put(self, local: str, path: str) -> None:
        whole = super().put

        def change() -> None:
            if self.left == 0:
                # Leaves an incomplete file under the final name.
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).write_bytes(Path(local).read_bytes()[:10])
            else:
                whole(local, path)

        self._step(change)

    def rename(self, old: str, new: str) -> None:
        self._step(lambda: super(DyingFiles, self).rename(old, new))

    def remove(self, path: str) -> None:
        self._step(lambda: super(DyingFiles, self).remove(path))


def requested(fleet: Fleet, command: list[str]) -> Request:
    return Request(tuple(command), "run", Folder.read(str(fleet.model)), program=fleet.program)


@pytest.mark.parametrize("half", [False, True], ids=["before", "after"])
def test_request_completes_after_death_at_any_step(
    fleet: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, half: bool
) -> None:
    request = requested(fleet, INCREMENT)
    deaths = 0
    for last in range(1, 40):
        store = stores(fleet, tmp_path / f"{last}", 1)[0]
        before = numbers(fleet, store)
        with monkeypatch.context() as patched:
            patched.setattr(work, "files_for", lambda *_, last=last: DyingFiles(last, half))
            try:
                work.apply(request, str(store), 0)
                break
            except Killed:
                deaths += 1
        # After the death the store is readable and either unchanged or completely changed.
        if store.exists():
            assert numbers(fleet, store) in (before, [number + 1 for number in before])
        result = work.apply(request, str(store), 1)
        assert result.outcome == "done"
        assert numbers(fleet, store) == [number + 1 for number in before]
        backup = f"{store.name}.{request.name}.backup"
        assert result.backup == str(store.parent / backup)
        assert numbers(fleet, store.parent / backup) == before
        assert names(store.parent) == {store.name, backup}
    assert deaths > 8


def test_copies_wal_rows_and_external_values(fleet: Fleet, tmp_path: Path) -> None:
    store = fleet.create(tmp_path / "w.sqlite", rows=[{"number": 1}, {"number": 2}])
    values = tmp_path / ".w_SUPPORT/_EXTERNAL_DATA/E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    values.parent.mkdir(parents=True)
    values.write_bytes(b"ABC")
    # Writes a reference to the external file like Core Data. The open connection keeps the -wal.
    held = sqlite3.connect(store)
    held.execute(
        "UPDATE ZITEM SET ZBLOB = ? WHERE ZNUMBER = 1", (b"\2" + values.name.encode() + b"\0",)
    )
    held.execute("UPDATE ZITEM SET ZNUMBER = 7 WHERE ZNUMBER = 2")
    held.commit()
    assert (tmp_path / "w.sqlite-wal").stat().st_size > 0
    request = requested(fleet, ["batch-delete", "Item", "--where", "number == 1"])
    result = work.apply(request, str(store), 0)
    held.close()
    assert (result.outcome, result.message) == ("done", None)
    assert numbers(fleet, store) == [7]
    assert not values.exists()
    assert result.backup is not None
    kept = fleet.fetch(Path(result.backup), "--select", "number,blob")
    assert kept == [{"number": 1, "blob": "QUJD"}, {"number": 7, "blob": None}]


def test_concurrent_change_is_not_overwritten(fleet: Fleet, tmp_path: Path) -> None:
    store = stores(fleet, tmp_path, 1)[0]
    script = tmp_path / "storetool"
    script.write_text(
        f'#!/bin/sh\n{fleet.program} "$@"\nstatus=$?\n{fleet.program} batch-update Item number=5 '
        f'--model "{fleet.model}" --store {store} >/dev/null\nexit $status\n'
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    request = Request(tuple(INCREMENT), "run", Folder.read(str(fleet.model)), program=str(script))
    result = work.apply(request, str(store), 0)
    assert (result.outcome, result.code) == ("failed", "spark.changed")
    assert set(numbers(fleet, store)) == {5}
    assert names(tmp_path) == {"storetool", store.name}


def test_failed_command_leaves_store_unchanged(fleet: Fleet, tmp_path: Path) -> None:
    store = stores(fleet, tmp_path, 1)[0]
    before = store.read_bytes()
    result = work.apply(requested(fleet, ["batch-update", "Itme", "x=1"]), str(store), 0)
    assert (result.outcome, result.code) == ("failed", "model.unknown-entity")
    assert result.message is not None and "did you mean 'Item'?" in result.message
    assert (store.read_bytes(), names(tmp_path)) == (before, {store.name})


def test_rejects_command_that_contains_store() -> None:
    with pytest.raises(storetool_spark.StoretoolError, match="set for each store"):
        Request(("migrate", "--store", "x"), "")


def executors(driver: int) -> Iterator[int]:
    """Yields the descendants of this process that are JVMs of executors."""
    words = ["ps", "-A", "-ww", "-o", "pid=", "-o", "ppid=", "-o", "args="]
    listed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    lines = [line.split(maxsplit=2) for line in listed.splitlines()]
    parents = {int(process): int(parent) for process, parent, *_ in lines}
    for process, _, *arguments in lines:
        if "CoarseGrainedExecutorBackend" in " ".join(arguments):
            ancestor = int(process)
            while ancestor in parents and ancestor not in (driver, 0):
                ancestor = parents[ancestor]
            if ancestor == driver:
                yield int(process)


def test_request_completes_after_executors_are_killed(
    spark: SparkSession, fleet: Fleet, tmp_path: Path
) -> None:
    fleet_of = stores(fleet, tmp_path, 12)
    before = [numbers(fleet, store) for store in fleet_of]
    killed: list[int] = []

    def kill() -> None:
        # When the first store is done, all tasks are running.
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if list(tmp_path.glob("*.backup")):
                for executor in executors(os.getpid()):
                    os.kill(executor, signal.SIGKILL)
                    killed.append(executor)
                return
            time.sleep(0.002)

    killer = threading.Thread(target=kill)
    killer.start()
    rows = storetool_spark.each(
        spark, str(tmp_path), INCREMENT, model=str(fleet.model), storetool=fleet.program, tasks=4
    ).collect()
    killer.join()
    assert len(killed) == 2
    assert [row["outcome"] for row in rows] == ["done"] * 12, rows
    for store, numbers_before in zip(fleet_of, before, strict=True):
        assert numbers(fleet, store) == [number + 1 for number in numbers_before]
    assert len(names(tmp_path)) == 24


@pytest.mark.parametrize("victim", ["worker", "executor"])
def test_retry_after_death_does_not_apply_request_twice(
    spark: SparkSession, fleet: Fleet, tmp_path: Path, victim: str
) -> None:
    fleet_of = stores(fleet, tmp_path / "stores", 4)
    once = tmp_path / "once"
    # The program's parent is the Python worker. The parent of the worker's daemon is the executor.
    up = "$PPID" if victim == "worker" else "$(ps -o ppid= -p $daemon)"
    script = tmp_path / "storetool"
    script.write_text(
        f'#!/bin/sh\n{fleet.program} "$@"\nstatus=$?\n'
        "daemon=$(ps -o ppid= -p $PPID)\n"
        f"mkdir {once} 2>/dev/null && kill -9 {up}\nexit $status\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    rows = storetool_spark.each(
        spark, str(tmp_path / "stores"), INCREMENT,
        model=str(fleet.model), storetool=str(script), tasks=2,
    ).collect()  # fmt: skip
    assert once.exists()
    assert [row["outcome"] for row in rows] == ["done"] * 4
    assert all(numbers(fleet, store) == list(range(1, 21)) for store in fleet_of)


def test_journal_skips_stores_that_are_done(
    spark: SparkSession, fleet: Fleet, tmp_path: Path
) -> None:
    fleet_of = stores(fleet, tmp_path / "stores", 3, version="Kinds")
    (tmp_path / "stores/broken.sqlite").write_bytes(b"not a store")
    journal = str(tmp_path / "journal")

    def migrate() -> dict[str, tuple]:
        rows = storetool_spark.each(
            spark, str(tmp_path / "stores"), ["migrate"], model=str(fleet.model),
            storetool=fleet.program, journal=journal, tasks=2,
        ).collect()  # fmt: skip
        return {Path(row["store"]).name: (row["outcome"], row["backup"]) for row in rows}

    first = migrate()
    assert first["broken.sqlite"] == ("failed", None)
    assert [first[store.name][0] for store in fleet_of] == ["done"] * 3
    for store in fleet_of:
        facts = fleet.run("info", str(store), "--model", str(fleet.model), "--format", "ndjson")
        assert '"version":"Kinds 2"' in facts
        assert len(fleet.fetch(store)) == 20
    states = {store: store.stat().st_mtime_ns for store in fleet_of}
    assert migrate() == first
    assert {store: store.stat().st_mtime_ns for store in fleet_of} == states
    noted = spark.read.parquet(journal)
    assert noted.where("outcome = 'done'").count() == 3
    assert noted.where("outcome = 'failed'").count() == 2


def test_stores_on_hadoop_file_system(spark: SparkSession, fleet: Fleet, tmp_path: Path) -> None:
    far = tmp_path / "far"
    (store,) = stores(fleet, far, 1)
    mounted = {"fs.viewfs.mounttable.fleet.link./stores": f"file://{far}"}
    rows = storetool_spark.each(
        spark, "viewfs://fleet/stores", INCREMENT, model=str(fleet.model),
        storetool=fleet.program, hadoop=mounted,
    ).collect()  # fmt: skip
    assert [row["outcome"] for row in rows] == ["done"], rows
    assert rows[0]["backup"].startswith("viewfs://fleet/stores/s00.sqlite.")
    assert numbers(fleet, store) == list(range(1, 21))
    reader = spark.read.format("coredata").option("model", str(fleet.model))
    for name, value in {"entity": "Item", "storetool": fleet.program, **mounted}.items():
        reader = reader.option(name, value)
    read = reader.load("viewfs://fleet/stores").toArrow().to_pylist()
    assert [row["number"] for row in read] == list(range(1, 21))
    assert {row["store"] for row in read} == {"viewfs://fleet/stores/s00.sqlite"}
