"""Where stores lie: in folders of this machine, or in a file system that Hadoop knows."""

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
    """What changes with a file's content."""

    size: int
    modified: int


class Files(Protocol):
    """What is asked of a file system. A path names a file from its root."""

    def absolute(self, path: str) -> str: ...
    def stat(self, path: str) -> Stat | None:
        """None where there is no such file, or a folder."""

    def below(self, folder: str) -> Iterator[tuple[str, int]]:
        """All files below a folder with their sizes; nothing where it is not there."""

    def get(self, path: str, local: str) -> None: ...
    def put(self, local: str, path: str) -> None:
        """A file that is there under this name is replaced."""

    def rename(self, old: str, new: str) -> None:
        """In the place of a file that is there."""

    def remove(self, path: str) -> None:
        """Also where it is not there."""


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
            # What gets a store's name next has to be on the disk by then.
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
    """Whether a path is one of this machine: without a scheme, or file:."""
    return urlparse(path).scheme in ("", "file")


def files_for(path: str, hadoop: Mapping[str, str]) -> Files:
    """The file system of a path. For another than this machine's a JVM with Hadoop's is started."""
    if is_local(path):
        return LocalFiles()
    from .hadoop import HadoopFiles

    try:
        return HadoopFiles.of(path, tuple(sorted(hadoop.items())))
    except StoretoolError as error:
        raise StoretoolError(
            error.cause, place=path, code=error.code, remedy=error.remedy
        ) from error
