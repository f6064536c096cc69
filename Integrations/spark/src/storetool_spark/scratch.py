"""Brings stores that lie elsewhere to this machine while they are read."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .files import Files, files_for, is_local

# What may lie beside a store and belongs to it: rows that are not in its file yet.
SIDECARS = ("-wal", "-journal")


def support_folder(store: str) -> str:
    """Where a store keeps values in files of their own."""
    folder, _, name = store.rpartition("/")
    return f"{folder}/.{name.rpartition('.')[0] or name}_SUPPORT"


def fetch_store(files: Files, store: str, folder: Path) -> Path:
    """Copies a store with all that belongs to it into a folder."""
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
def at_hand(paths: list[str], hadoop: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Paths on this machine, each with the path that the store is known by."""
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
