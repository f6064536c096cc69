"""What is to be done to each store: a command, its model, and how it is told apart from others."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import StoretoolError
from .model import Folder
from .program import Outcome, Program, locate

# What commands say on standard output is kept up to here.
OUTPUT = 1 << 16

# These have no --format, and so write their errors as text.
PLAIN = ("insert", "batch-insert", "import")

OURS = ("--store", "--model", "--migrations", "--format", "--backup")


@dataclass(frozen=True)
class Request:
    """A command for each of many stores."""

    command: tuple[str, ...]
    # Tells the same command, given again on purpose, from one that goes on.
    run: str
    model: Folder | None = None
    migrations: Folder | None = None
    program: str | None = None
    hadoop: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.command:
            raise StoretoolError(
                "there is no command", code="spark.no-command", remedy="['migrate'], for example"
            )
        for word in self.command:
            if word.partition("=")[0] in OURS:
                raise StoretoolError(
                    f"the command has {word}, which is given for each store",
                    code="spark.command",
                    remedy="each(…, model=…, migrations=…) name the model and its migrations",
                )

    @property
    def name(self) -> str:
        """Short, and another for another command, model or run."""
        folders = [folder.digest if folder else "" for folder in (self.model, self.migrations)]
        told = json.dumps([self.command, folders, self.run])
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    def arguments(self, store: str) -> list[str]:
        """The words of the command for a store on this machine."""
        words = [*self.command, "--store", store]
        if self.model:
            words += ["--model", self.model.unpacked()]
        if self.command[0] == "migrate":
            # The store that it is copied from is kept as the backup.
            words += ["--no-backup"] if "--no-backup" not in words else []
            words += ["--migrations", self.migrations.unpacked()] if self.migrations else []
        return words if self.command[0] in PLAIN else [*words, "--format", "ndjson"]

    def run_on(self, store: str) -> Outcome:
        outcome = Program(locate(self.program)).run(self.arguments(store))
        if outcome.code or outcome.status == 0:
            return outcome
        found = re.match(r"error: (.*?) \[([a-z.-]+)\]$", outcome.message, re.MULTILINE)
        code, message = (found[2], found[1]) if found else ("", outcome.message)
        return Outcome(outcome.status, outcome.output, code, message)
