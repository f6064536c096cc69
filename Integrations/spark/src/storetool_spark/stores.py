"""Finds stores below a path, and puts small ones together."""

import fnmatch
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import StoretoolError
from .files import Files, files_for

# The names that stores have; `filter` chooses by another pattern.
NAMES = ("*.sqlite", "*.sqlite3", "*.db", "*.store", "*.storedata")


@dataclass(frozen=True)
class StoreFile:
    """A store's path and the size of its file."""

    path: str
    size: int


def paths_of(options: Mapping[str, str]) -> list[str]:
    """What `load` got: one path, or a list of them."""
    several = options.get("paths")
    paths = json.loads(several) if several else []
    paths += [options["path"]] if options.get("path") else []
    if not paths:
        raise StoretoolError(
            "no store is named", code="spark.no-store", remedy="name a file or folder: .load(PATH)"
        )
    return paths


def find(
    paths: Iterable[str], name_filter: str | None, hadoop: Mapping[str, str]
) -> list[StoreFile]:
    """The stores: files that are named, and what lies in folders, by their paths."""
    found: dict[str, StoreFile] = {}
    for path in paths:
        files = files_for(path, hadoop)
        whole = files.absolute(path)
        stores = _below(files, whole, name_filter)
        if not stores:
            raise StoretoolError(
                "there is no store",
                place=path,
                code="spark.no-store",
                remedy="check the path; .option('filter', '*.bin') chooses files of other names",
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
    """A group for each store; small neighbors share one."""
    groups: list[list[str]] = []
    room = 0
    for store in stores:
        if not groups or store.size > room or len(groups[-1]) == most_stores:
            groups.append([])
            room = most_bytes
        groups[-1].append(store.path)
        room -= store.size
    return groups
