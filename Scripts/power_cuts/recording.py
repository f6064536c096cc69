"""Records the operations of a program on the files of a folder with strace."""

import os
import re
import shutil
import subprocess
from collections import namedtuple

# System calls that change files or names, sync the disk, or assign descriptors to files.
CALLS = """
    open openat creat close dup dup2 dup3 fcntl lseek chdir fchdir exit_group
    write pwrite64 writev pwritev pwritev2 ftruncate truncate fallocate mmap
    sendfile copy_file_range splice fsync fdatasync sync syncfs sync_file_range
    unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat mkdir mkdirat rmdir
""".split()

# node: the number of a file, or the path of a folder, which is "" for the recorded folder. names: name → node after
# the operation. began: the number of operations before the start of the call.
Operation = namedtuple("Operation", "kind node offset data names began")


def operation(kind, node=None, offset=0, data=b"", names=None, began=0):
    return Operation(kind, node, offset, data, names or {}, began)


# A node for the new name of a moved folder, with the folder's former path.
Moved = namedtuple("Moved", "path")


class RecordingError(Exception):
    """The program couldn't be run, or used a call that the simulated disk doesn't support."""


FOLDER = "folder"


def files(folder):
    """Returns all files and folders below a folder: path → bytes or FOLDER."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(place, name), folder)] = FOLDER
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


class Recording:
    """A recorded run: the files before it, its operations, its exit status and its output."""

    def __init__(self, arguments, folder, directory, environment=None):
        self.start = files(folder)
        self.nodes = {path: index for index, path in enumerate(sorted(self.start))}
        trace = os.path.join(directory, "trace")
        run = subprocess.run(
            ["strace", "-f", "-qq", "-xx", "-s", "1000000000", "-o", trace, "-e", "signal=none",
             "-e", "trace=" + ",".join("?" + call for call in CALLS), "--"] + arguments,
            cwd=directory, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.status, self.output = run.returncode, run.stdout.decode() + run.stderr.decode()
        reader = Reader(os.path.realpath(folder), os.path.realpath(directory), self)
        with open(trace) as lines:
            for line in lines:
                reader.read(line)
        self.operations = reader.operations
        os.remove(trace)

    @staticmethod
    def is_possible():
        return shutil.which("strace") and subprocess.run(
            ["strace", "-f", "-o", os.devnull, "true"], stderr=subprocess.DEVNULL).returncode == 0


class Handle:
    """An open file or folder. node is None outside of the recorded folder."""

    def __init__(self, node, path, appends=False):
        self.node, self.path, self.appends, self.place = node, path, appends, 0


class Reader:
    """Converts the lines of strace to operations, and tracks descriptors and names."""

    LINE = re.compile(r"(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)")
    TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')

    def __init__(self, folder, directory, recording):
        self.folder, self.directory = folder, directory
        self.operations = []
        self.handles = {}
        self.names = dict(recording.nodes)
        self.folders = {"": ""}
        self.folders.update({p: p for p, content in recording.start.items() if content is FOLDER})
        self.sizes = {
            recording.nodes[p]: len(c) for p, c in recording.start.items() if c is not FOLDER}
        self.count = len(self.names)
        self.waiting = {}

    def read(self, line):
        match = self.LINE.match(line)
        if not match:
            return
        process, resumed, called, rest = match.groups()
        began = len(self.operations)
        if resumed:
            head, began = self.waiting.pop(process, ("", began))
            rest = head + rest
        if called == "exit_group":
            # exit_group doesn't return, and calls of other threads may be logged before it ends.
            self.ended(rest)
        elif rest.endswith("<unfinished ...>"):
            self.waiting[process] = (rest[: -len("<unfinished ...>")], began)
        else:
            self.call(resumed or called, rest, began)

    def call(self, name, rest, began):
        arguments, _, result = rest.rpartition(") ")
        number = re.match(r"\s*=\s*(-?\d+)", result)
        handler = getattr(self, "call_" + name, None)
        if handler and number and int(number.group(1)) >= 0:
            handler(arguments.split(", "), int(number.group(1)), began)

    def ended(self, rest):
        if re.match(r"0\b", rest):
            self.add("reported", len(self.operations))

    # Arguments

    def add(self, kind, began, node=None, offset=0, data=b"", names=None):
        self.operations.append(operation(kind, node, offset, data, names, began))

    def text(self, argument):
        return b"".join(
            bytes.fromhex(part.replace("\\x", "")) for part in self.TEXT.findall(argument))

    def path(self, argument, base="AT_FDCWD"):
        """Returns a path relative to the recorded folder, or None outside of it."""
        given = os.fsdecode(self.text(argument))
        if base == "AT_FDCWD":
            base = self.directory
        elif not given.startswith("/"):
            handle = self.handles.get(int(base))
            if not handle or handle.path is None:
                return None
            base = os.path.join(self.folder, handle.path)
        full = os.path.normpath(os.path.join(base, given))
        full = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
        if full == self.folder:
            return ""
        return full[len(self.folder) + 1:] if full.startswith(self.folder + "/") else None

    def file(self, argument):
        handle = self.handles.get(int(argument))
        return handle if handle and handle.node is not None else None

    # Descriptors

    def opened(self, path, flags, result, began):
        flags = flags.split("|")
        if path is None:
            self.handles[result] = Handle(None, None)
        elif path in self.folders:
            self.handles[result] = Handle(path, path)
        else:
            if path not in self.names:
                self.names[path] = self.count
                self.sizes[self.count] = 0
                self.count += 1
                self.add("names", began, names={path: self.names[path]})
            node = self.names[path]
            if "O_TRUNC" in flags and self.sizes[node] > 0:
                self.cut(node, 0, began)
            self.handles[result] = Handle(node, path, "O_APPEND" in flags)

    def call_open(self, arguments, result, began):
        self.opened(self.path(arguments[0]), arguments[1], result, began)

    def call_openat(self, arguments, result, began):
        self.opened(self.path(arguments[1], arguments[0]), arguments[2], result, began)

    def call_creat(self, arguments, result, began):
        self.opened(self.path(arguments[0]), "O_CREAT|O_TRUNC", result, began)

    def call_close(self, arguments, result, began):
        self.handles.pop(int(arguments[0]), None)

    def call_dup(self, arguments, result, began):
        if int(arguments[0]) in self.handles:
            self.handles[result] = self.handles[int(arguments[0])]

    call_dup2 = call_dup3 = call_dup

    def call_fcntl(self, arguments, result, began):
        if arguments[1].startswith("F_DUPFD"):
            self.call_dup(arguments, result, began)

    def call_lseek(self, arguments, result, began):
        handle = self.file(arguments[0])
        if handle:
            handle.place = result

    # Content

    def written(self, node, offset, data, began):
        self.sizes[node] = max(self.sizes[node], offset + len(data))
        self.add("write", began, node, offset, data)

    def cut(self, node, size, began):
        self.sizes[node] = size
        self.add("cut", began, node, size)

    def call_write(self, arguments, result, began):
        if arguments[0] == "1":
            self.add("reported", began)
        handle = self.file(arguments[0])
        if not handle:
            return
        offset = self.sizes[handle.node] if handle.appends else handle.place
        self.written(handle.node, offset, self.text(", ".join(arguments[1:]))[:result], began)
        handle.place = offset + result

    call_writev = call_write

    def call_pwrite64(self, arguments, result, began):
        handle = self.file(arguments[0])
        if handle:
            self.written(handle.node, int(arguments[-1]), self.text(arguments[1])[:result], began)

    def call_pwritev(self, arguments, result, began):
        handle = self.file(arguments[0])
        if handle:
            data = self.text(", ".join(arguments[1:-2]))[:result]
            self.written(handle.node, int(arguments[-1]), data, began)

    def call_ftruncate(self, arguments, result, began):
        handle = self.file(arguments[0])
        if handle:
            self.cut(handle.node, int(arguments[1]), began)

    def call_truncate(self, arguments, result, began):
        path = self.path(arguments[0])
        if path is not None:
            self.cut(self.names[path], int(arguments[1]), began)

    def call_fallocate(self, arguments, result, began):
        handle = self.file(arguments[0])
        if handle:
            end = int(arguments[2]) + int(arguments[3])
            self.cut(handle.node, max(self.sizes[handle.node], end), began)

    def call_mmap(self, arguments, result, began):
        """Allows only mappings of the -shm, which SQLite rebuilds after a crash."""
        if "MAP_SHARED" not in arguments[3] or "PROT_WRITE" not in arguments[2]:
            return
        handle = self.file(arguments[4])
        if handle and not handle.path.endswith("-shm"):
            raise RecordingError(f"'{handle.path}' is written through a mapping")

    def refuse(self, arguments, result, began):
        if any(a.isdigit() and self.file(a) for a in arguments):
            raise RecordingError(f"unsupported call: {arguments}")

    call_sendfile = call_copy_file_range = call_splice = call_pwritev2 = refuse

    # The disk

    def call_fsync(self, arguments, result, began):
        handle = self.file(arguments[0])
        if handle:
            self.add("sync", began, handle.node)

    call_fdatasync = call_fsync

    def call_syncfs(self, arguments, result, began):
        raise RecordingError("unsupported call: sync of the whole disk")

    call_sync = call_syncfs

    # Names

    def gone(self, path, began):
        if path is not None:
            self.names.pop(path, None)
            self.folders.pop(path, None)
            self.add("names", began, names={path: None})

    def call_unlink(self, arguments, result, began):
        self.gone(self.path(arguments[0]), began)

    call_rmdir = call_unlink

    def call_unlinkat(self, arguments, result, began):
        self.gone(self.path(arguments[1], arguments[0]), began)

    def linked(self, old, new, began, moves):
        if old is None and new is None:
            return
        if old in self.folders and new is not None and moves:
            self.moved(old, new, began)
            return
        if old is None or new is None or old in self.folders:
            raise RecordingError(f"unsupported rename or link of '{old}' to '{new}'")
        names = {new: self.names[old]}
        self.names[new] = self.names[old]
        if moves:
            names[old] = None
            del self.names[old]
        self.add("names", began, names=names)

    def moved(self, old, new, began):
        """Moves a folder and all names below it."""
        def renamed(path):
            return new + path[len(old):] if path == old or path.startswith(old + "/") else path
        self.names = {renamed(path): node for path, node in self.names.items()}
        self.folders = {renamed(path): renamed(path) for path in self.folders}
        self.add("names", began, names={new: Moved(old)})

    def call_link(self, arguments, result, began):
        self.linked(self.path(arguments[0]), self.path(arguments[1]), began, moves=False)

    def call_linkat(self, arguments, result, began):
        self.linked(self.path(arguments[1], arguments[0]), self.path(arguments[3], arguments[2]),
                    began, moves=False)

    def call_rename(self, arguments, result, began):
        self.linked(self.path(arguments[0]), self.path(arguments[1]), began, moves=True)

    def call_renameat(self, arguments, result, began):
        self.linked(self.path(arguments[1], arguments[0]), self.path(arguments[3], arguments[2]),
                    began, moves=True)

    call_renameat2 = call_renameat

    def made(self, path, began):
        if path is not None:
            self.folders[path] = path
            self.add("names", began, names={path: FOLDER})

    def call_mkdir(self, arguments, result, began):
        self.made(self.path(arguments[0]), began)

    def call_mkdirat(self, arguments, result, began):
        self.made(self.path(arguments[1], arguments[0]), began)
