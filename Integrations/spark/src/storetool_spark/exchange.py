"""Replaces a store with a changed copy.

The names of files beside the store record the progress, so that a retried task or another run can
complete the remaining steps:

- A plan `STORE.<request>.plan` exists: the work is done, and all new files exist under temporary
  names. The remaining steps can be repeated safely.
- A backup `STORE.<request>.backup` exists without a plan: the request is complete.
- Neither file exists: the store is unchanged.
"""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .errors import StoretoolError
from .files import Files, Stat
from .scratch import SIDECARS, support_folder

# SQLite also keeps an index of the -wal, the -shm. It isn't copied.
STALE = (*SIDECARS, "-shm")


@dataclass(frozen=True)
class Exchange:
    """A store, the name of a request, and the file system of the store."""

    files: Files
    store: str
    request: str
    # The attempt of the task. Two attempts can run at once if Spark considers one of them lost.
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
        """Returns whether the request is complete, after finishing an interrupted exchange."""
        if self.files.stat(self.plan):
            self.finish()
        return self.files.stat(self.backup) is not None

    def clear(self) -> None:
        """Removes the temporary files of this attempt and of earlier attempts."""
        for attempt in range(self.attempt + 1):
            for suffix in (".new", ".old", ".plan"):
                self.files.remove(self.draft(attempt) + suffix)

    def state(self) -> dict[str, Stat | None]:
        """Returns the size and time of each file, which change when a program writes."""
        names = [self.store, *(self.store + suffix for suffix in SIDECARS)]
        return {name: self.files.stat(name) for name in names}

    def put(self, changed: Path, original: Path, before: dict[str, Stat | None]) -> None:
        """Replaces the store with a changed local copy, and keeps the original as the backup.

        Neither file may have a -wal or a -journal.
        """
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
                "another program changed the store while the request was running",
                place=self.store,
                code="spark.changed",
                remedy="the store keeps those changes; run again when no other program writes",
            )
        with tempfile.NamedTemporaryFile("w", suffix=".plan") as written:
            json.dump(plan, written)
            written.flush()
            self.files.put(written.name, f"{draft}.plan")
        # After this rename the request counts as applied.
        self.files.rename(f"{draft}.plan", self.plan)
        self.finish()

    def finish(self) -> None:
        """Completes the remaining steps of the plan. Each step can be repeated."""
        with tempfile.TemporaryDirectory(prefix="storetool-") as folder:
            local = str(Path(folder, "plan"))
            self.files.get(self.plan, local)
            plan = json.loads(Path(local).read_text())
        if self.files.stat(plan["old"]):
            self.files.rename(plan["old"], self.backup)
        # The new file and the backup contain the rows of these files. SQLite would apply them to
        # the new file.
        for suffix in STALE:
            self.files.remove(self.store + suffix)
        if self.files.stat(plan["new"]):
            self.files.rename(plan["new"], self.store)
        for name in plan["removed"]:
            self.files.remove(f"{support_folder(self.store)}/{name}")
        self.files.remove(self.plan)

    def _put_values(self, changed: Path, original: Path) -> None:
        """Copies the external files of large values: new ones, and all files for the backup."""
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
