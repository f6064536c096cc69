"""Finds stores below a path, and groups small stores."""

import fnmatch
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import StoretoolError
from .files import Files, files_for

# The default patterns of store names. The option `filter` replaces them.
NAMES = ("*.sqlite", "*.sqlite3", "*.db", "*.store", "*.storedata")


@dataclass(frozen=True)
class StoreFile:
    """A store's path and the size of its file."""

    path: str
    size: int


def paths_of(options: Mapping[str, str]) -> list[str]:
    """Returns the arguments of `load`: one path, or a list of paths."""
    several = options.get("paths")
    paths = json.loads(several) if several else []
    paths += [options["path"]] if options.get("path") else []
    if not paths:
        raise StoretoolError(
            "missing path of a store",
            code="spark.no-store",
            remedy="pass a file or folder: .load(PATH)",
        )
    return paths


def find(
    paths: Iterable[str], name_filter: str | None, hadoop: Mapping[str, str]
) -> list[StoreFile]:
    """Returns the stores among files and in folders, sorted by path."""
    found: dict[str, StoreFile] = {}
    for path in paths:
        files = files_for(path, hadoop)
        whole = files.absolute(path)
        stores = _below(files, whole, name_filter)
        if not stores:
            raise StoretoolError(
                "no store found",
                place=path,
                code="spark.no-store",
                remedy="check the path, or set .option('filter', '*.bin') for other file names",
            )
        found.update((store.path, store) for store in stores)
    return [found[path] for path in sorted(found)]


def _below(files: Files, path: str, name_filter: str | None) -> list[StoreFile]:
    stat = files.stat(path)
    if stat is not None:
        return [StoreFile(path, stat.size)]
    patterns = (name_filter,) if name_filter else NAMES
    return [
        StoreFile(found, size)
        for found, size in files.below(path)
        if any(fnmatch.fnmatchcase(found.rpartition("/")[2], pattern) for pattern in patterns)
    ]


def grouped(stores: list[StoreFile], most_bytes: int, most_stores: int) -> list[list[str]]:
    """Groups stores. Adjacent small stores share a group."""
    groups: list[list[str]] = []
    room = 0
    for store in stores:
        if not groups or store.size > room or len(groups[-1]) == most_stores:
            groups.append([])
            room = most_bytes
        groups[-1].append(store.path)
        room -= store.size
    return groups
