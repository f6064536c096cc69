"""The files of a model, to be sent to executors, and the entities of its versions."""

import atexit
import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from .errors import StoretoolError, nearest
from .program import Program

# The column that an entity has in addition to its properties.
OBJECT_ID = "objectID"


@dataclass(frozen=True)
class Property:
    """A column of an entity, and its type in the model: `Object ID` for a to-one relationship."""

    name: str
    type: str


@dataclass(frozen=True)
class Folder:
    """A copy of a file or folder that can be sent to other machines."""

    name: str
    files: tuple[tuple[str, bytes], ...]

    @classmethod
    def read(cls, path: str) -> "Folder":
        root = Path(path)
        if not root.exists():
            raise StoretoolError(
                "the file doesn't exist", place=path, code="spark.no-file", remedy="check the path"
            )
        found = sorted(root.rglob("*")) if root.is_dir() else [root]
        files = [(str(file.relative_to(root.parent)), file) for file in found if file.is_file()]
        return cls(root.name, tuple((name, file.read_bytes()) for name, file in files))

    @cached_property
    def digest(self) -> str:
        """A hash of the names and the contents."""
        digest = hashlib.sha256()
        for name, data in self.files:
            digest.update(f"{name}\0{len(data)}\0".encode())
            digest.update(data)
        return digest.hexdigest()[:16]

    @property
    def has_versions(self) -> bool:
        """Whether the model may have more than one version."""
        models = [n for n, _ in self.files if n.endswith((".xcdatamodel/contents", ".mom"))]
        return len(models) > 1

    def unpacked(self) -> str:
        """Returns the path of these files on this machine. All tasks of a user share the files."""
        home = Path(tempfile.gettempdir()) / f"storetool-{os.getuid()}-{self.digest}"
        if not _is_private(home):
            home = self._written(home)
        return str(home / self.name)

    def _written(self, home: Path) -> Path:
        """Writes these files to a folder, or to a new one if another user has taken the name."""
        if home in _OWN_FOLDERS:
            return _OWN_FOLDERS[home]
        draft = Path(tempfile.mkdtemp(prefix=home.name, dir=home.parent))
        for name, data in self.files:
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).write_bytes(data)
        with contextlib.suppress(OSError):
            draft.rename(home)
            return home
        if _is_private(home):
            # Another task has written the same files first.
            shutil.rmtree(draft)
            return home
        _OWN_FOLDERS[home] = draft
        atexit.register(shutil.rmtree, draft, ignore_errors=True)
        return draft


# The folders that this process uses in place of folders whose names are taken.
_OWN_FOLDERS: dict[Path, Path] = {}


def _is_private(folder: Path) -> bool:
    """Returns whether a folder belongs to this user, and other users can't write to it.

    The name of the folder is predictable, and any user can create a folder with this name in the
    shared folder for temporary files.
    """
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return False
    is_closed = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) == 0
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and is_closed


@dataclass(frozen=True)
class Version:
    """The entities of one version of a model."""

    name: str
    entities: dict[str, tuple[Property, ...]] = field(hash=False)

    def properties(self, entity: str) -> tuple[Property, ...]:
        if entity not in self.entities:
            raise StoretoolError(
                f"'{self.name}' has no entity '{entity}'",
                code="model.unknown-entity",
                remedy=nearest(entity, list(self.entities)),
            )
        return self.entities[entity]


@lru_cache
def version(program: Program, model: str, name: str | None = None) -> Version:
    """Returns a version of the model at a path. The default is the current version."""
    chosen = ["--model-version", name] if name else []
    shown = program.json(["model", "show", model, *chosen], model)
    composites: dict[str, list[dict]] = {}
    for element in shown["composites"]:
        composites.setdefault(element["entity"], []).append(element)
    entities = {
        entity["name"]: _inherited(entity["name"], shown, composites)
        for entity in shown["entities"]
    }
    return Version(shown["version"] or shown["model"], entities)


def _inherited(entity: str, shown: dict, composites: dict[str, list[dict]]) -> tuple[Property, ...]:
    """Returns the columns of an entity, including inherited ones, in the order of `fetch`."""
    parents = {entry["name"]: entry["parent"] for entry in shown["entities"]}
    line: list[str] = []
    above: str | None = entity
    while above:
        line.append(above)
        above = parents[above]
    columns = [
        column
        for attribute in shown["attributes"]
        if attribute["entity"] in line and "transient" not in attribute["flags"]
        for column in _columns(attribute, composites)
    ]
    links = [
        Property(link["name"], "Object ID")
        for link in shown["relationships"]
        if link["entity"] in line and link["cardinality"] == "to-one" and not link["transient"]
    ]
    return (*sorted(columns, key=_name), *sorted(links, key=_name))


def _name(column: Property) -> str:
    return column.name


def _columns(
    attribute: dict, composites: dict[str, list[dict]], prefix: str = ""
) -> list[Property]:
    """Returns the column of an attribute, or the columns of the elements of a composite."""
    name, kind = prefix + attribute["name"], attribute["type"]
    if not kind.startswith("Composite"):
        return [Property(name, kind)]
    elements = composites[kind.removeprefix("Composite ").strip()]
    return [column for element in elements for column in _columns(element, composites, f"{name}.")]
