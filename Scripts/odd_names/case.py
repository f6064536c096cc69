"""A case: a folder, its files, and runs of the program in it."""

import os
import random
import re
import shutil
import sqlite3
import subprocess
import urllib.parse

import models
from names import FILE_STEMS, STEMS, lookalikes, mixed, nfc, nfd

REFUSED = 65
PATIENCE = 120
DECOY = b"This file is another one.\n"


class Failure(Exception):
    pass


class Case:
    def __init__(self, seed, number, commands, folder):
        self.rng = random.Random(f"{seed}/{number}")
        self.commands = commands
        self.used_names = set()
        self.used_commands = set()
        self.count = 0
        form = self.rng.choice(["nfc", "nfd", "mixed", "mixed"])
        self.form = {"nfc": nfc, "nfd": nfd, "mixed": lambda text: mixed(text, self.rng)}[form]
        self.files = {}
        self.decoys = set()
        self.folder = os.path.join(folder, self.stem())
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("STORETOOL_", "GIT_"))},
            "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8"}
        self.place = self.rng.choice(["", self.folder + "/"]) + self.stem(isFolder=True)
        os.makedirs(os.path.join(self.folder, self.place))

    # Names

    def name(self, capital=False):
        """Returns a name that differs from all others, also when case is ignored."""
        while True:
            text = "".join(self.rng.sample(STEMS, self.rng.choice([1, 1, 2]))) + self.rng.choice(["", "a", "1"])
            text = text[:1].upper() + text[1:] if capital else text[:1].lower() + text[1:]
            key = nfc(nfc(text).upper())
            if key not in self.used_names and not text[0].isdigit():
                self.used_names.add(key)
                return self.form(text)

    def stem(self, isFolder=False):
        """Returns the name of a file without its extension."""
        stem = self.rng.choice(STEMS) if self.rng.random() < 0.5 else self.rng.choice(FILE_STEMS)
        if isFolder and stem.startswith("-"):
            return "folder"
        return self.form(stem)

    def file(self, key, extension="", decoys=True):
        """Returns the path of a file with an odd name, and creates other files with similar names beside it.

        The same key returns the same path.
        """
        if (key, extension) not in self.files:
            stem = self.stem()
            path = os.path.join(self.place, f"{stem}{key}{extension}")
            self.files[key, extension] = path
            if decoys:
                for name in lookalikes(stem):
                    decoy = os.path.join(self.place, f"{name}{key}{extension}")
                    with open(self.at(decoy), "wb") as file:
                        file.write(DECOY)
                    self.decoys.add(decoy)
        return self.files[key, extension]

    def store(self, key):
        return self.file(key, ".sqlite")

    def at(self, path):
        return os.path.join(self.folder, path)

    def check_decoys(self):
        for decoy in sorted(self.decoys):
            with open(self.at(decoy), "rb") as file:
                if file.read() != DECOY:
                    raise Failure(f"a file with a similar name was written: {decoy!r}")

    # Running

    def run(self, *words, status=(0,), cwd=None, input=None, environment=None, program=None):
        self.count += 1
        if program is None:
            command = self.commands.named(words)
            if command is None:
                raise Failure(f"not a command in the program's help: {words}")
            self.used_commands.add(command)
        try:
            done = subprocess.run(
                [program or self.commands.binary, *words], cwd=cwd or self.folder, capture_output=True,
                timeout=PATIENCE, env={**self.environment, **(environment or {})}, encoding="utf-8",
                errors="surrogateescape", input=input)
        except subprocess.TimeoutExpired:
            raise Failure(f"takes more than {PATIENCE} s: {words}")
        said = f"{words}\n{done.stdout}{done.stderr}"
        if program is None:
            if done.returncode < 0 or done.returncode == 70 or done.returncode > 128:
                raise Failure(f"status {done.returncode}: {said}")
            if done.returncode > 1 and not re.search(r"error: .*\[[a-z][\w.-]+\]", done.stderr, re.DOTALL):
                raise Failure(f"status {done.returncode} without a reason: {said}")
        if status is not None and done.returncode not in status:
            raise Failure(f"status {done.returncode}, not {status}: {said}")
        return done

    def refused(self, *words, **more):
        """Runs a command, which must reject two names and report their difference."""
        done = self.run(*words, status=None, **more)
        if done.returncode not in (1, REFUSED) or "look" not in done.stderr + done.stdout \
                or "U+" not in done.stderr + done.stdout:
            raise Failure(f"doesn't reject two names: {words}, status {done.returncode}\n{done.stdout}{done.stderr}")

    def expect(self, condition, sentence, *values):
        if not condition:
            raise Failure("\n".join([sentence, *(str(value) for value in values)]))

    # Files

    def write(self, path, text):
        os.makedirs(os.path.dirname(self.at(path)), exist_ok=True)
        with open(self.at(path), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(self.at(path), encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def copy(self, path, other):
        """Copies a store that doesn't have rows in a -wal."""
        self.execute(path, "PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(self.at(path), self.at(other))

    def bundle(self, path, versions, current):
        for version, model in versions.items():
            self.write(f"{path}/{version}.xcdatamodel/contents", models.xml(model))
        self.write(f"{path}/.xccurrentversion", models.declaration(current))

    # SQLite

    def database(self, path):
        return sqlite3.connect("file:" + urllib.parse.quote(os.fsencode(self.at(path))) + "?mode=rw", uri=True)

    def execute(self, path, *statements):
        database = self.database(path)
        try:
            for statement in statements:
                rows = database.execute(statement).fetchall()
            database.commit()
            return rows
        finally:
            database.close()

    def schema(self, path):
        """Returns the tables with their columns, regardless of order."""
        return sorted(self.execute(
            path, "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"))
