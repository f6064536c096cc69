"""Copies stores from other file systems to this machine while they are read."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .files import Files, files_for, is_local

# Files beside a store with rows that aren't in the store's file yet.
SIDECARS = ("-wal", "-journal")


def support_folder(store: str) -> str:
    """Returns the folder with the external files of a store's large values."""
    folder, _, name = store.rpartition("/")
    return f"{folder}/.{name.rpartition('.')[0] or name}_SUPPORT"


def fetch_store(files: Files, store: str, folder: Path) -> Path:
    """Copies a store and the files that belong to it into a folder."""
    local = folder / store.rpartition("/")[2]
    for suffix in ("", *SIDECARS):
        if suffix == "" or files.stat(store + suffix):
            files.get(store + suffix, f"{local}{suffix}")
    support = support_folder(store)
    for path, _ in files.below(support):
        target = Path(support_folder(str(local)), path.removeprefix(support + "/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        files.get(path, str(target))
    return local


@contextmanager
def local_copies(paths: list[str], hadoop: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yields the local path of each store, mapped to its original path."""
    if all(is_local(path) for path in paths):
        yield {path: path for path in paths}
        return
    with tempfile.TemporaryDirectory(prefix="storetool-") as scratch:
        near: dict[str, str] = {}
        for number, path in enumerate(paths):
            folder = Path(scratch, str(number))
            folder.mkdir()
            near[str(fetch_store(files_for(path, hadoop), path, folder))] = path
        yield near
