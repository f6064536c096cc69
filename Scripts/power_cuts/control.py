"""Checks the simulated disk with writers that are known to lose data in power cuts."""

import sys

import subjects
from trial import Trial

# https://www.sqlite.org/pragma.html#pragma_synchronous: with a rollback journal, FULL, the default, may lose a
# committed transaction, and OFF may damage the database.
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
    """Returns the levels for which the trials don't find the known loss."""
    for level, loss in LOSSES.items():
        trial = Control(binary, "delete", subjects.command(level), seed, states=150, rows=20)
        if not any(finding.complaint.startswith(loss) for finding in trial.run().findings):
            yield level
