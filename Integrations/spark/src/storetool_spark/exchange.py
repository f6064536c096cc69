"""Puts a store that was worked on elsewhere into the place of the one that it was copied from.

The state is in the names of files beside the store, so that whoever comes next, a retried task or
another run, knows what is left to do:

- a plan `STORE.<request>.plan`: the work is done, all files are there under names of their own,
  and what remains are steps that may be taken twice;
- a backup `STORE.<request>.backup` and no plan: all is done;
- neither: nothing has happened to the store.
"""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .errors import StoretoolError
from .files import Files, Stat
from .scratch import SIDECARS, support_folder

# Beside these SQLite keeps an index of the -wal, which nobody copies.
STALE = (*SIDECARS, "-shm")


@dataclass(frozen=True)
class Exchange:
    """A store, the request that is made of it, and the file system that both are in."""

    files: Files
    store: str
    request: str
    # Which attempt of a task this is: two may be under way where Spark believes one to be lost.
    attempt: int = 0

    @property
    def plan(self) -> str:
        return f"{self.store}.{self.request}.plan"

    @property
    def backup(self) -> str:
        return f"{self.store}.{self.request}.backup"

    def draft(self, attempt: int) -> str:
        return f"{self.store}.{self.request}.{attempt}"

    def is_done(self) -> bool:
        """Whether the request was made of the store; finishes what was begun to be put back."""
        if self.files.stat(self.plan):
            self.finish()
        return self.files.stat(self.backup) is not None

    def clear(self) -> None:
        """Removes what this attempt and those before it have left."""
        for attempt in range(self.attempt + 1):
            for suffix in (".new", ".old", ".plan"):
                self.files.remove(self.draft(attempt) + suffix)

    def state(self) -> dict[str, Stat | None]:
        """What changes when anybody writes to the store."""
        names = [self.store, *(self.store + suffix for suffix in SIDECARS)]
        return {name: self.files.stat(name) for name in names}

    def put(self, changed: Path, original: Path, before: dict[str, Stat | None]) -> None:
        """Brings a changed copy and the original, both whole files of this machine, into place."""
        draft = self.draft(self.attempt)
        self._put_values(changed, original)
        self.files.put(str(changed), f"{draft}.new")
        self.files.put(str(original), f"{draft}.old")
        plan = {
            "new": f"{draft}.new",
            "old": f"{draft}.old",
            "removed": sorted(self._values(original) - self._values(changed)),
        }
        if self.files.stat(self.backup) or self.state() != before:
            if self.is_done():
                return
            self.clear()
            raise StoretoolError(
                "another program has changed the store meanwhile",
                place=self.store,
                code="spark.changed",
                remedy="run it again when nothing else writes to the store; it is as that left it",
            )
        with tempfile.NamedTemporaryFile("w", suffix=".plan") as written:
            json.dump(plan, written)
            written.flush()
            self.files.put(written.name, f"{draft}.plan")
        # From here on the request counts as made.
        self.files.rename(f"{draft}.plan", self.plan)
        self.finish()

    def finish(self) -> None:
        """Takes the steps of the plan that are left. Each may have been taken before."""
        with tempfile.TemporaryDirectory(prefix="storetool-") as folder:
            local = str(Path(folder, "plan"))
            self.files.get(self.plan, local)
            plan = json.loads(Path(local).read_text())
        if self.files.stat(plan["old"]):
            self.files.rename(plan["old"], self.backup)
        # What is in them is in the new file and in the backup; beside it they would spoil it.
        for suffix in STALE:
            self.files.remove(self.store + suffix)
        if self.files.stat(plan["new"]):
            self.files.rename(plan["new"], self.store)
        for name in plan["removed"]:
            self.files.remove(f"{support_folder(self.store)}/{name}")
        self.files.remove(self.plan)

    def _put_values(self, changed: Path, original: Path) -> None:
        """Large values that lie in files of their own: new ones, and all of them for the backup."""
        for local, target, names in (
            (changed, self.store, self._values(changed) - self._values(original)),
            (original, self.backup, self._values(original)),
        ):
            for name in sorted(names):
                source = Path(support_folder(str(local)), name)
                self.files.put(str(source), f"{support_folder(target)}/{name}")

    @staticmethod
    def _values(store: Path) -> set[str]:
        folder = Path(support_folder(str(store)))
        return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
