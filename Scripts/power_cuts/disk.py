"""A simulated disk that only guarantees synced changes.

Any part of the changes since the last sync of a file may have reached the disk: each write, or each sector of it, and
each change of the size. The same applies to each name that was created, changed or removed in a folder since the folder
was synced. Syncing a file doesn't sync its name.
"""

import os

from recording import FOLDER, Moved

# Probabilities that an unsynced change has reached the disk. One is drawn for each file, and one for the names.
SHARES = [0, 0, 0.1, 0.5, 0.5, 0.9, 1, 1]
# Sizes of sectors in bytes. With 0, a write has reached the disk completely or not at all.
SECTORS = [0, 512, 4096]


class Disk:
    def __init__(self, start, nodes, unsynced=None):
        """unsynced: path → content on the disk of files that were truncated before the start."""
        self.contents, self.pending = {}, {}
        self.names = {path: FOLDER if content is FOLDER else nodes[path]
                      for path, content in start.items()}
        self.pending_names = []
        for path, content in start.items():
            if content is FOLDER:
                continue
            node, older = nodes[path], (unsynced or {}).get(path)
            self.contents[node] = bytearray(content if older is None else older)
            self.pending[node] = [] if older is None else [(-1, "cut", len(content), b"")]

    def apply(self, index, operation):
        """Applies an operation of the program."""
        node = operation.node
        if operation.kind == "write" or operation.kind == "cut":
            self.pending[node].append((index, operation.kind, operation.offset, operation.data))
        elif operation.kind == "names":
            for node in operation.names.values():
                if node is not None and node is not FOLDER and not isinstance(node, Moved):
                    self.contents.setdefault(node, bytearray())
                    self.pending.setdefault(node, [])
            self.pending_names.append((index, operation.names))
        elif operation.kind == "sync" and isinstance(node, str):
            self.sync_names(node, operation.began)
        elif operation.kind == "sync":
            self.sync_file(node, operation.began)

    def sync_file(self, node, began):
        done = [p for p in self.pending[node] if p[0] < began]
        for _, kind, offset, data in done:
            change(self.contents[node], kind, offset, data)
        self.pending[node] = self.pending[node][len(done):]

    def sync_names(self, folder, began):
        left = []
        for index, names in self.pending_names:
            if index < began and any(os.path.dirname(path) == folder for path in names):
                self.rename(self.names, names)
            else:
                left.append((index, names))
        self.pending_names = left

    @staticmethod
    def rename(names, changes):
        for path, node in changes.items():
            if node is None:
                names.pop(path, None)
            elif isinstance(node, Moved):
                # Names in the folder move with it if they have reached the disk.
                for old in [p for p in names if p == node.path or p.startswith(node.path + "/")]:
                    names[path + old[len(node.path):]] = names.pop(old)
            else:
                names[path] = node

    def draw(self, random):
        """Returns a possible state after a power cut: path → bytes or FOLDER."""
        sector = random.choice(SECTORS)
        share = random.choice(SHARES)
        names = dict(self.names)
        for _, changes in self.pending_names:
            if random.random() < share:
                self.rename(names, changes)
        contents = {}
        for node in sorted({n for n in names.values() if n is not FOLDER}):
            contents[node] = self.content(node, random.choice(SHARES), sector, random)
        return {path: FOLDER if node is FOLDER else contents[node]
                for path, node in names.items() if self.has_folder(path, names)}

    @staticmethod
    def has_folder(path, names):
        folder = os.path.dirname(path)
        while folder and names.get(folder) is FOLDER:
            folder = os.path.dirname(folder)
        return not folder

    def content(self, node, share, sector, random):
        bytes_ = bytearray(self.contents[node])
        end = len(bytes_)
        for _, kind, offset, data in self.pending[node]:
            if kind == "cut":
                if random.random() < share:
                    change(bytes_, kind, offset, data)
                    end = offset
                continue
            end = max(end, offset + len(data))
            for start, part in pieces(offset, data, sector):
                if random.random() < share:
                    change(bytes_, "write", start, part)
        # The new size may have reached the disk without the written data.
        if end > len(bytes_) and random.random() < 0.5:
            bytes_.extend(bytes(end - len(bytes_)))
        return bytes(bytes_)


def change(content, kind, offset, data):
    end = offset + len(data)
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if kind == "cut":
        del content[offset:]
    else:
        content[offset:end] = data


def pieces(offset, data, sector):
    """Splits a write at the boundaries of sectors."""
    if not sector:
        yield offset, data
        return
    start = 0
    while start < len(data):
        end = min(len(data), start + sector - (offset + start) % sector)
        yield offset + start, data[start:end]
        start = end
