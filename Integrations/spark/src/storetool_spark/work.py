"""Applies a request to one store: copies it, runs the command, and copies it back."""

import filecmp
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .errors import StoretoolError
from .exchange import Exchange
from .files import files_for
from .request import OUTPUT, Request
from .scratch import SIDECARS, fetch_store


@dataclass(frozen=True)
class Result:
    """The result of a request for one store."""

    store: str
    outcome: str
    code: str | None = None
    message: str | None = None
    backup: str | None = None
    output: str | None = None


def apply(request: Request, store: str, attempt: int) -> Result:
    """Applies the request to a store once. Work of an earlier attempt isn't repeated."""
    try:
        exchange = Exchange(files_for(store, request.hadoop), store, request.name, attempt)
        done = exchange.is_done()
        result = Result(store, "done", backup=exchange.backup) if done else _work(request, exchange)
        exchange.clear()
        return result
    except StoretoolError as error:
        return Result(store, "failed", error.code or None, str(error))
    except OSError as error:
        return Result(store, "failed", "spark.file", f"{store}: {error}")


def _work(request: Request, exchange: Exchange) -> Result:
    with tempfile.TemporaryDirectory(prefix="storetool-") as scratch:
        before = exchange.state()
        if before[exchange.store] is None:
            raise StoretoolError(
                "the file doesn't exist", place=exchange.store, code="spark.no-store"
            )
        original = _copied(exchange, Path(scratch, "original"))
        settle(original)
        changed = Path(scratch, "changed", original.name)
        # The folder also contains the external files of large values.
        shutil.copytree(original.parent, changed.parent)
        outcome = request.run_on(str(changed))
        output = outcome.output[:OUTPUT].decode(errors="replace") or None
        if outcome.status != 0:
            return Result(
                exchange.store, "failed", outcome.code or None, outcome.message, output=output
            )
        settle(changed)
        if filecmp.cmp(original, changed, shallow=False):
            return Result(exchange.store, "done", output=output)
        exchange.put(changed, original, before)
        return Result(exchange.store, "done", backup=exchange.backup, output=output)


def _copied(exchange: Exchange, folder: Path) -> Path:
    folder.mkdir()
    return fetch_store(exchange.files, exchange.store, folder)


def settle(store: Path) -> None:
    """Applies the -wal or -journal to the file, so that the file contains the whole store."""
    sidecars = [Path(f"{store}{suffix}") for suffix in SIDECARS]
    if not any(sidecar.exists() for sidecar in sidecars):
        return
    try:
        with closing(sqlite3.connect(store)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            # A read applies a rollback journal.
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except sqlite3.DatabaseError as error:
        raise StoretoolError(
            str(error), place=str(store), code="spark.damaged", remedy="storetool verify STORE"
        ) from error
    for sidecar in (*sidecars, Path(f"{store}-shm")):
        # SQLite ignores an empty or persistent -journal.
        sidecar.unlink(missing_ok=True)
