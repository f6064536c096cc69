"""Finds and runs the program `storetool`."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .errors import StoretoolError

# The maximum number of bytes in one read from the program.
CHUNK = 1 << 20


def shipped(name: str = "storetool") -> str | None:
    """Returns the file that `spark-submit --files` has shipped, or None."""
    try:
        from pyspark import SparkFiles

        path = SparkFiles.get(name)
    except (ImportError, AssertionError, TypeError):
        # Without Spark or a session, files can't have been shipped.
        return None
    return path if Path(path).is_file() else None


def locate(given: str | None) -> str:
    """Returns the program's path: the argument, STORETOOL, the shipped file, or from PATH."""
    named = given or os.environ.get("STORETOOL")
    path = named or shipped() or shutil.which("storetool")
    # A name without a folder refers to a shipped file or to a file in PATH.
    if path and os.sep not in path:
        path = shipped(path) or shutil.which(path)
    if path and os.access(path, os.X_OK):
        return path
    raise StoretoolError(
        f"no program at '{named}'" if named else "the program storetool wasn't found",
        code="spark.no-program",
        remedy="ship it with --files, or set .option('storetool', PATH) or $STORETOOL",
    )


@dataclass(frozen=True)
class Outcome:
    """The result of a run of the program."""

    status: int
    output: bytes
    code: str
    message: str


@dataclass(frozen=True)
class Program:
    """The program `storetool` at a path."""

    path: str

    def run(self, arguments: list[str]) -> Outcome:
        """Runs a command that writes errors as JSON lines, and waits for its end."""
        done = subprocess.run([self.path, *arguments], capture_output=True, check=False)
        code, message = _first_error(done.stderr.decode(errors="replace"))
        return Outcome(done.returncode, done.stdout, code, message)

    def json(self, arguments: list[str], place: str) -> dict:
        """Returns the JSON object that a command prints, or raises its error."""
        outcome = self.run([*arguments, "--format", "json"])
        if outcome.status != 0:
            raise StoretoolError(outcome.message, place=place, code=outcome.code)
        return json.loads(outcome.output)

    def rows(
        self, stores: list[str], command: list[str], jobs: int | None = None
    ) -> Iterator[bytes]:
        """Yields the rows of a command on each store, as one CSV whose first column is the store.

        Raises the error of the first store that can't be read.
        """
        arguments = [*self._each(jobs), "--ordered", "--stop-after", "1", "--", *command]
        with tempfile.TemporaryFile() as errors:
            with _running([*arguments, "--format", "csv"], _listed(stores), errors) as process:
                assert process.stdout is not None
                while chunk := process.stdout.read1(CHUNK):
                    yield chunk
                status = process.wait()
            errors.seek(0)
            if status != 0:
                raise _failure(errors.read().decode(errors="replace"))

    def facts(self, stores: list[str], command: list[str], jobs: int | None = None) -> list[dict]:
        """Returns the JSON object that a command prints about each store.

        Stores that can't be read are omitted. Reading their rows later raises the error.
        """
        arguments = [*self._each(jobs), "--ordered", "--rows", "--", *command]
        done = subprocess.run(
            [*arguments, "--format", "ndjson"],
            input=_listed(stores),
            capture_output=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise StoretoolError(_first_error(done.stderr.decode(errors="replace"))[1])
        return [json.loads(line) for line in done.stdout.splitlines()]

    def _each(self, jobs: int | None) -> list[str]:
        return [self.path, "each", "--from", "-", *(["--jobs", str(jobs)] if jobs else [])]


def _listed(stores: list[str]) -> bytes:
    """Encodes a list of paths. Paths can't contain the terminating NUL."""
    return b"".join(os.fsencode(store) + b"\0" for store in stores)


@contextmanager
def _running(arguments: list[str], given: bytes, errors: IO[bytes]) -> Iterator[subprocess.Popen]:
    with tempfile.TemporaryFile() as source:
        source.write(given)
        source.seek(0)
        process = subprocess.Popen(arguments, stdin=source, stdout=subprocess.PIPE, stderr=errors)
        try:
            yield process
        finally:
            # A reader that stops early, for example for LIMIT, leaves the program running.
            process.terminate()
            process.communicate()


def _first_error(text: str) -> tuple[str, str]:
    """Returns code and message of the first error among JSON lines, otherwise the whole text."""
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and entry.get("severity") == "error":
            return entry["code"], "; ".join([entry["message"], *entry.get("help", [])])
    return "", text.strip()


def _failure(text: str) -> StoretoolError:
    """Returns the error of the first store. Each of its lines begins with the store's path."""
    store, found, _ = text.partition(": error: ")
    if not found:
        return StoretoolError(text.strip())
    lines = [line for line in text.splitlines() if line.startswith(f"{store}: ")]
    cause = "\n".join(line.removeprefix(f"{store}: ") for line in lines)
    return StoretoolError(cause.removeprefix("error: "), place=store)
