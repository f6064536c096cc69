"""The file systems of stores: this machine's, or a file system of Hadoop."""

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlparse

from .errors import StoretoolError


@dataclass(frozen=True)
class Stat:
    """The facts about a file that change with its content."""

    size: int
    modified: int


class Files(Protocol):
    """The operations of a file system. Paths are absolute."""

    def absolute(self, path: str) -> str: ...
    def stat(self, path: str) -> Stat | None:
        """Returns the size and time of a file, or None for a missing file or a folder."""

    def below(self, folder: str) -> Iterator[tuple[str, int]]:
        """Yields all files below a folder with their sizes. A missing folder has no files."""

    def get(self, path: str, local: str) -> None: ...
    def put(self, local: str, path: str) -> None:
        """Copies a local file. An existing file with this name is replaced."""

    def rename(self, old: str, new: str) -> None:
        """Renames a file. An existing file with the new name is replaced."""

    def remove(self, path: str) -> None:
        """Removes a file. A missing file isn't an error."""


class LocalFiles:
    """The files of this machine."""

    def absolute(self, path: str) -> str:
        parsed = urlparse(path)
        return str(Path(unquote(parsed.path) if parsed.scheme == "file" else path).absolute())

    def stat(self, path: str) -> Stat | None:
        if not Path(path).is_file():
            return None
        facts = Path(path).stat()
        return Stat(facts.st_size, facts.st_mtime_ns)

    def below(self, folder: str) -> Iterator[tuple[str, int]]:
        for home, _, names in os.walk(folder):
            for name in names:
                path = Path(home) / name
                if path.is_file():
                    yield str(path), path.stat().st_size

    def get(self, path: str, local: str) -> None:
        shutil.copy2(path, local)

    def put(self, local: str, path: str) -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with Path(local).open("rb") as source, Path(path).open("wb") as target:
            shutil.copyfileobj(source, target)
            target.flush()
            # The file must be on the disk before it is renamed to the store's name.
            os.fsync(target.fileno())

    def rename(self, old: str, new: str) -> None:
        Path(old).replace(new)
        _sync(Path(new).parent)

    def remove(self, path: str) -> None:
        Path(path).unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_local(path: str) -> bool:
    """Returns whether a path is on this machine: it has no scheme, or the scheme file."""
    return urlparse(path).scheme in ("", "file")


def files_for(path: str, hadoop: Mapping[str, str]) -> Files:
    """Returns the file system of a path. Starts a JVM with Hadoop for paths elsewhere."""
    if is_local(path):
        return LocalFiles()
    from .hadoop import HadoopFiles

    try:
        return HadoopFiles.of(path, tuple(sorted(hadoop.items())))
    except StoretoolError as error:
        raise StoretoolError(
            error.cause, place=path, code=error.code, remedy=error.remedy
        ) from error
