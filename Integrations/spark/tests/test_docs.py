"""Runs the code blocks of the pages in their order."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest
from fleet import Fleet
from test_history import HISTORY

ROOT = Path(__file__).parents[3]
README = "Integrations/spark/README.md"
FLEETS = "docs/fleets.md"
MODEL = "Models/Todo.xcdatamodeld"


@pytest.fixture
def desk(fleet: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the files that the pages use, and STORETOOL set to the program."""
    shutil.copytree(ROOT / MODEL, tmp_path / MODEL)
    package = ROOT / "Integrations/spark"
    # The copy keeps build products out of the repository.
    shutil.copytree(package, tmp_path / "storetool/Integrations/spark")
    rows = (ROOT / "Models/Data/Todo.ndjson").read_text()
    todo = Fleet(fleet.program, tmp_path / MODEL)
    for folder, version in (("stores", "Todo 2"), ("stores/old", "Todo"), ("histories", "Todo 2")):
        store = todo.create(tmp_path / folder / "Todo.sqlite", version=version)
        if folder == "histories":
            with closing(sqlite3.connect(store)) as connection:
                connection.executescript(HISTORY)
        if version == "Todo 2":
            todo.run(
                "batch-insert", "Item", "--input", "ndjson", "--store", str(store),
                "--model", str(todo.model), given=rows,
            )  # fmt: skip
    todo.run(
        "insert", "Item", "name=Old", "--store", str(tmp_path / "stores/old/Todo.sqlite"),
        "--model", str(todo.model),
    )  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STORETOOL", fleet.program)
    return tmp_path


def blocks(page: str) -> list[tuple[str, str]]:
    text = (ROOT / page).read_text()
    return re.findall(r"^```(python|sh)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def installed(desk: Path) -> dict[str, str]:
    """An environment whose `pip`, `spark-submit` and `storetool-arrow` belong to this Python."""
    settings = ("spark.master local[2]", "spark.ui.enabled false", "spark.sql.shuffle.partitions 2")
    (desk / "spark-defaults.conf").write_text("\n".join(settings))
    return {
        **os.environ,
        "SPARK_CONF_DIR": str(desk),
        "PATH": f"{desk}/site/bin:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": f"{desk}/site",
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


def run(arguments: list[str], desk: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        arguments, cwd=desk, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_page(page: str, desk: Path, environment: dict[str, str]) -> str:
    """Runs the commands of a page, then its Python as one program, and returns their output."""
    found = blocks(page)
    printed = [
        run(["bash", "-ec", code], desk, environment) for kind, code in found if kind == "sh"
    ]
    (desk / "page.py").write_text("\n".join(code for kind, code in found if kind == "python"))
    return "".join([*printed, run([sys.executable, "page.py"], desk, environment)])


def test_readme_code_runs(desk: Path, installed: dict[str, str]) -> None:
    printed = run_page(README, desk, installed)
    # The output of spark-submit, the changes of a history, and the migrated stores.
    assert "\n13\n" in f"\n{printed}"
    assert "|  Item|insert|   12|" in printed
    assert "|   done|NULL|    2|" in printed


def test_fleets_page_code_runs(desk: Path, installed: dict[str, str]) -> None:
    run(["bash", "-ec", blocks(README)[0][1]], desk, installed)
    printed = run_page(FLEETS, desk, installed)
    assert "/stores/old/Todo.sqlite" in printed
    assert len(list(desk.glob("stores/old/Todo.sqlite.*.backup"))) == 1
    stream = pa.ipc.open_stream((desk / "items.arrows").read_bytes()).read_all()
    assert set(stream["done"].to_pylist()) == {False}
