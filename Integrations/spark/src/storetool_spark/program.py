"""Finds the program `storetool`, and runs it."""

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

# What one read from the program takes at most.
CHUNK = 1 << 20


def shipped(name: str = "storetool") -> str | None:
    """The file that `spark-submit --files` brought, where there is one."""
    try:
        from pyspark import SparkFiles

        path = SparkFiles.get(name)
    except (ImportError, AssertionError, TypeError):
        # No Spark here, or no session: then nothing was shipped.
        return None
    return path if Path(path).is_file() else None


def locate(given: str | None) -> str:
    """The program: what is given, STORETOOL, the shipped file, what is in PATH."""
    named = given or os.environ.get("STORETOOL")
    path = named or shipped() or shutil.which("storetool")
    # A bare name is that of a shipped file or of one in PATH.
    if path and os.sep not in path:
        path = shipped(path) or shutil.which(path)
    if path and os.access(path, os.X_OK):
        return path
    raise StoretoolError(
        f"no program at '{named}'" if named else "the program storetool is not here",
        code="spark.no-program",
        remedy="ship it with --files storetool, or name it: .option('storetool', PATH), STORETOOL",
    )


@dataclass(frozen=True)
class Outcome:
    """How a run of the program ended."""

    status: int
    output: bytes
    code: str
    message: str


@dataclass(frozen=True)
class Program:
    """The program at a path."""

    path: str

    def run(self, arguments: list[str]) -> Outcome:
        """Runs a command whose errors are JSON lines, to its end."""
        done = subprocess.run([self.path, *arguments], capture_output=True, check=False)
        code, message = _first_error(done.stderr.decode(errors="replace"))
        return Outcome(done.returncode, done.stdout, code, message)

    def json(self, arguments: list[str], place: str) -> dict:
        """The object that a command prints, or its error."""
        outcome = self.run([*arguments, "--format", "json"])
        if outcome.status != 0:
            raise StoretoolError(outcome.message, place=place, code=outcome.code)
        return json.loads(outcome.output)

    def rows(
        self, stores: list[str], command: list[str], jobs: int | None = None
    ) -> Iterator[bytes]:
        """The rows of a command on each store, as one CSV whose first column is the store.

        Ends with the error of the first store that can't be read.
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
        """What a command prints about each store, an object a store.

        A store of which it prints nothing is missing: who reads it next hears why.
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
    """A list of paths, of which none can hold what ends them."""
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
            # A reader that has enough, as LIMIT has, leaves the program running.
            process.terminate()
            process.communicate()


def _first_error(text: str) -> tuple[str, str]:
    """The code and the sentence of the first error among JSON lines; else all of the text."""
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and entry.get("severity") == "error":
            return entry["code"], "; ".join([entry["message"], *entry.get("help", [])])
    return "", text.strip()


def _failure(text: str) -> StoretoolError:
    """The error of the first store, whose path stands before each line of it."""
    store, found, _ = text.partition(": error: ")
    if not found:
        return StoretoolError(text.strip())
    lines = [line for line in text.splitlines() if line.startswith(f"{store}: ")]
    cause = "\n".join(line.removeprefix(f"{store}: ") for line in lines)
    return StoretoolError(cause.removeprefix("error: "), place=store)
