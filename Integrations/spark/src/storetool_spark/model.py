"""A model as executors need it: its files, and what its versions have."""

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

# What an entity has besides its properties.
OBJECT_ID = "objectID"


@dataclass(frozen=True)
class Property:
    """A column of an entity, and its type in the model; `Object ID` is that of a to-one."""

    name: str
    type: str


@dataclass(frozen=True)
class Folder:
    """Files under a folder, so that they can travel to where they are not."""

    name: str
    files: tuple[tuple[str, bytes], ...]

    @classmethod
    def read(cls, path: str) -> "Folder":
        root = Path(path)
        if not root.exists():
            raise StoretoolError(
                "there is no such file", place=path, code="spark.no-file", remedy="check the path"
            )
        found = sorted(root.rglob("*")) if root.is_dir() else [root]
        files = [(str(file.relative_to(root.parent)), file) for file in found if file.is_file()]
        return cls(root.name, tuple((name, file.read_bytes()) for name, file in files))

    @cached_property
    def digest(self) -> str:
        """What tells two such folders apart."""
        digest = hashlib.sha256()
        for name, data in self.files:
            digest.update(f"{name}\0{len(data)}\0".encode())
            digest.update(data)
        return digest.hexdigest()[:16]

    @property
    def has_versions(self) -> bool:
        """Whether a model among these files may have more than one version."""
        models = [n for n, _ in self.files if n.endswith((".xcdatamodel/contents", ".mom"))]
        return len(models) > 1

    def unpacked(self) -> str:
        """The path of these files on this machine, written once for all tasks of a user on it."""
        home = Path(tempfile.gettempdir()) / f"storetool-{os.getuid()}-{self.digest}"
        if not _is_private(home):
            home = self._written(home)
        return str(home / self.name)

    def _written(self, home: Path) -> Path:
        """Writes these files to a folder, or to a new one where another user has taken its name."""
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
            # Another task was faster; its files are the same.
            shutil.rmtree(draft)
            return home
        _OWN_FOLDERS[home] = draft
        atexit.register(shutil.rmtree, draft, ignore_errors=True)
        return draft


# Folders of this process whose names are taken, by the name.
_OWN_FOLDERS: dict[Path, Path] = {}


def _is_private(folder: Path) -> bool:
    """Whether a folder belongs to this user and nobody else can change what is in it.

    Any user can create a folder in the shared folder for temporary files, under a name that is
    known in advance.
    """
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return False
    is_closed = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) == 0
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and is_closed


@dataclass(frozen=True)
class Version:
    """What one version of a model has."""

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
    """A version of the model at a path; without a name the current one."""
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
    """The columns of an entity and of those above it, as `fetch` orders them."""
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
    """The columns of an attribute: one, or those of a composite's elements."""
    name, kind = prefix + attribute["name"], attribute["type"]
    if not kind.startswith("Composite"):
        return [Property(name, kind)]
    elements = composites[kind.removeprefix("Composite ").strip()]
    return [column for element in elements for column in _columns(element, composites, f"{name}.")]
