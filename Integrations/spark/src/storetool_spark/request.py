"""A request: a command for each store, its model, and a name that identifies the request."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import StoretoolError
from .model import Folder
from .program import Outcome, Program, locate

# The maximum length of standard output that is kept for a store.
OUTPUT = 1 << 16

# These commands don't have --format, and write their errors as text.
PLAIN = ("insert", "batch-insert", "import")

OURS = ("--store", "--model", "--migrations", "--format", "--backup")


@dataclass(frozen=True)
class Request:
    """A command for each of many stores."""

    command: tuple[str, ...]
    # Distinguishes a new request with the same command from a resumed one.
    run: str
    model: Folder | None = None
    migrations: Folder | None = None
    program: str | None = None
    hadoop: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.command:
            raise StoretoolError(
                "missing command",
                code="spark.no-command",
                remedy="pass a command, for example ['migrate']",
            )
        for word in self.command:
            if word.partition("=")[0] in OURS:
                raise StoretoolError(
                    f"the command must not contain {word}, which is set for each store",
                    code="spark.command",
                    remedy="pass the model and its migrations as each(…, model=…, migrations=…)",
                )

    @property
    def name(self) -> str:
        """A short hash of the command, the model, the migrations and the run."""
        folders = [folder.digest if folder else "" for folder in (self.model, self.migrations)]
        text = json.dumps([self.command, folders, self.run])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def arguments(self, store: str) -> list[str]:
        """Returns the arguments of the command for a local store."""
        words = [*self.command, "--store", store]
        if self.model:
            words += ["--model", self.model.unpacked()]
        if self.command[0] == "migrate":
            # The original store is kept as the backup.
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
