"""Shows that the disk of these trials cuts power: by writers that are known to lose something."""

import sys

import subjects
from trial import Trial

# https://www.sqlite.org/pragma.html#pragma_synchronous: beside a rollback journal FULL, the default, may lose what was
# committed, and OFF may damage the database.
LOSSES = {"FULL": "success was reported", "OFF": "store.sqlite"}

WRITER = """
import sqlite3
store = sqlite3.connect("{store}", isolation_level=None)
store.execute("PRAGMA synchronous = {level}")
store.execute("UPDATE ZPART SET ZAMOUNT = ZAMOUNT + 1, ZNAME = ZNAME || ZNAME")
store.close()
print("done")
"""


class Control(Trial):
    def arguments(self):
        writer = WRITER.format(store=subjects.STORE, level=self.command.name)
        return [sys.executable, "-c", writer]


def missed(seed, binary):
    """The levels of which nothing was found."""
    for level, loss in LOSSES.items():
        trial = Control(binary, "delete", subjects.command(level), seed, states=150, rows=20)
        if not any(finding.complaint.startswith(loss) for finding in trial.run().findings):
            yield level
