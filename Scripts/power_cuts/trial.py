"""A trial: records one command on one store, and checks it with many power cuts."""

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections import namedtuple
from random import Random

import subjects
from disk import Disk
from recording import FOLDER, Recording, RecordingError, files

Finding = namedtuple("Finding", "mode command cut calls call reported complaint folder")
Outcome = namedtuple("Outcome", "mode command calls syncs states distinct findings")

ABSENT = "missing"


class Damage(Exception):
    """The store after a power cut is damaged."""


# MARK: Reading a store


def look(folder, name="store.sqlite"):
    """Returns digests of the content of a store after SQLite has recovered it, or ABSENT."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return ABSENT
    try:
        store = sqlite3.connect(f"file:{path}?mode=rw", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise Damage(f"{name} can't be opened: {error}")
    try:
        store.execute("PRAGMA synchronous = OFF")
        return tables(store, folder, name)
    except sqlite3.Error as error:
        raise Damage(f"{name} can't be read: {error}")
    finally:
        store.close()


def tables(store, folder, name):
    words = [row[0] for row in store.execute("PRAGMA integrity_check(3)")]
    if words != ["ok"]:
        raise Damage(f"{name}: " + "; ".join(words))
    schema = store.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
    if not schema:
        raise Damage(f"{name} is empty")
    found = {"sqlite_master": digest(schema)}
    for kind, table, _ in schema:
        if kind == "table":
            found[table] = digest(store.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall())
    check_images(store, folder, name)
    return found


def look_into(folder):
    """Returns digests of the files in a folder that a command writes, or ABSENT."""
    if not os.path.exists(folder):
        return ABSENT
    # Drafts are ignored. They have another name, and the next run removes them.
    return {path: digest(content) for path, content in files(folder).items()
            if not any(re.fullmatch(r"\..+\.new", name) for name in path.split(os.sep))}


def digest(rows):
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def check_images(store, folder, name):
    """Checks the external file of each value."""
    base = os.path.splitext(name)[0]
    for (value,) in store.execute("SELECT ZIMAGE FROM ZPART WHERE substr(ZIMAGE, 1, 1) = x'02'"):
        image = value[1:-1].decode()
        path = os.path.join(f".{base}_SUPPORT", "_EXTERNAL_DATA", image)
        try:
            with open(os.path.join(folder, path), "rb") as file:
                content, expected = file.read(), b"the image " + image.encode()
                # Other files have replaced one of the images, and have the same length.
                is_same = content == expected if image in subjects.IMAGES else len(content) == len(expected)
                if not is_same:
                    raise Damage(f"{name}: the external file of a value has wrong content: {path}")
        except FileNotFoundError:
            raise Damage(f"{name}: the external file of a value is missing: {path}")


def differences(one, other):
    if ABSENT in (one, other):
        return ABSENT if one == ABSENT else "exists"
    return ", ".join(sorted(t for t in {**one, **other} if one.get(t) != other.get(t)))


# MARK: The trial


class Trial:
    def __init__(self, binary, mode, command, seed, states, rows, keep=None):
        self.binary, self.mode, self.command = binary, mode, command
        self.seed, self.states, self.rows, self.keep = seed, states, rows, keep

    def run(self):
        with tempfile.TemporaryDirectory(prefix="power-cuts.") as place:
            self.place = place
            self.record()
            return self.cut_everywhere()

    def record(self):
        work = os.path.join(self.place, "work")
        made = None if self.command.makes else self.mode
        self.unsynced = subjects.make(work, self.binary, made, self.rows)
        disk = os.path.join(work, "disk")
        self.before = self.look_at(files(disk))
        environment = {} if self.command.makes else {
            "STORETOOL_STORE": subjects.STORE, "STORETOOL_MODEL": subjects.MODEL}
        self.recording = Recording(self.arguments(), disk, work, environment)
        if self.recording.status not in self.command.statuses:
            raise RecordingError(
                f"{self.command.name} exited with {self.recording.status}: {self.recording.output}")
        self.after = self.look_at(files(disk))
        if self.before == self.after and not self.command.keeps:
            raise RecordingError(f"{self.command.name} didn't change anything: {self.recording.output}")

    def arguments(self):
        return [self.binary] + self.command.arguments

    def cut_everywhere(self):
        operations = self.recording.operations
        reports = [i for i, o in enumerate(operations) if o.kind == "reported"]
        if not reports:
            raise RecordingError(f"{self.command.name} didn't report success")
        disk = Disk(self.recording.start, self.recording.nodes, self.unsynced)
        self.seen, findings, states = {}, [], 0
        cuts = self.cuts(operations, reports[0])
        for cut in range(len(operations) + 1):
            for number in range(cuts.get(cut, 0)):
                states += 1
                random = Random(f"{self.seed} {self.mode} {self.command.name} {cut} {number}")
                finding = self.judge(disk.draw(random), cut, cut > reports[0])
                if finding:
                    findings.append(finding)
            if cut < len(operations):
                disk.apply(cut, operations[cut])
        syncs = sum(o.kind == "sync" for o in operations)
        return Outcome(self.mode, self.command.name, len(operations), syncs, states, len(self.seen),
                       findings)

    def cuts(self, operations, report):
        """Returns the number of states before each operation. Operations before a sync get more states."""
        random = Random(f"{self.seed} {self.mode} {self.command.name}")
        syncs = [i for i, o in enumerate(operations) if o.kind == "sync"] or [len(operations)]
        chosen = {}
        for _ in range(self.states):
            way = random.random()
            if way < 0.5:
                cut = random.randint(0, len(operations))
            elif way < 0.8:
                cut = random.choice(syncs)
            else:
                cut = random.randint(report, len(operations))
            chosen[cut] = chosen.get(cut, 0) + 1
        return chosen

    # MARK: States

    def judge(self, state, cut, reported):
        key = digest(sorted(state.items())), reported
        if key in self.seen:
            return None
        complaint = self.complaint(state, reported)
        self.seen[key] = complaint
        if not complaint:
            return None
        operations = self.recording.operations
        call = describe(operations[cut], self.recording) if cut < len(operations) else "the end"
        return Finding(self.mode, self.command.name, cut, len(operations), call, reported, complaint,
                       self.keep_state(state, cut))

    def complaint(self, state, reported):
        """Returns a description of the error in a state, or None."""
        try:
            found = self.look_at(state)
            backups = [p for p in state if p.endswith(".backup") and "/" not in p]
            for backup in backups:
                copy = self.look_at(state, backup)
                if copy != self.before:
                    return f"the backup differs from the original store: {differences(copy, self.before)}"
        except Damage as damage:
            return str(damage)
        if self.command.again and found not in (self.before, self.after):
            found = self.look_after_another_run(state)
        if found != self.before and found != self.after:
            return (f"differs from the state before ({differences(found, self.before)}) and after"
                    f" ({differences(found, self.after)})")
        if reported and found != self.after:
            return "success was reported, but the change is missing"
        if self.command.backs_up and found == self.after and not backups:
            return "the store is migrated, but the backup is missing"
        return None

    def look_at(self, state, name=None):
        name = name or self.command.result
        place = os.path.join(self.place, "state")
        lay_out(state, place)
        try:
            if self.command.folder:
                return look_into(os.path.join(place, self.command.folder))
            return look(place, name)
        finally:
            shutil.rmtree(place)

    def look_after_another_run(self, state):
        place = os.path.join(self.place, "again")
        subjects.make(place, self.binary, None, self.rows)
        shutil.rmtree(os.path.join(place, "disk"))
        lay_out(state, os.path.join(place, "disk"))
        try:
            subprocess.run(self.arguments(), cwd=place, capture_output=True)
            return look_into(os.path.join(place, "disk", self.command.folder))
        finally:
            shutil.rmtree(place)

    def keep_state(self, state, cut):
        if not self.keep:
            return None
        place = os.path.join(self.keep, f"{self.mode}-{self.command.name}-{cut}")
        if not os.path.exists(place):
            lay_out(state, place)
        return place


def lay_out(state, place):
    os.makedirs(place)
    for path, content in sorted(state.items()):
        path = os.path.join(place, path)
        if content is FOLDER:
            os.makedirs(path, exist_ok=True)
            continue
        with open(path, "wb") as file:
            file.write(content)


def describe(operation, recording):
    if operation.kind == "names":
        return ", ".join(f"{path} is {'removed' if node is None else 'created'}"
                         for path, node in operation.names.items())
    if operation.kind == "reported":
        return "the report"
    names = {node: path for path, node in recording.nodes.items()}
    for other in recording.operations:
        names.update({node: path for path, node in other.names.items() if isinstance(node, int)})
    name = operation.node if isinstance(operation.node, str) else names.get(operation.node)
    return f"{operation.kind} of {name or 'the folder'}"
