"""A file system like APFS, kept in another folder: python3 folding.py KEPT MOUNTED

Names keep their spelling, and are found by any spelling: in upper and lower case, composed and decomposed. A name that
isn't UTF-8 is rejected. Unlike on macOS, two spellings of a file that are open at the same time don't share locks.
"""

import errno
import os
import sys
import unicodedata

from mfusepy import FUSE, FuseOSError, Operations

TIMES = "st_atime st_ctime st_mtime".split()
STATUS = "st_gid st_mode st_nlink st_size st_uid st_ino st_blocks".split()
SPACE = "f_bavail f_bfree f_blocks f_bsize f_favail f_ffree f_files f_flag f_frsize f_namemax".split()


def folded(name):
    try:
        text = os.fsencode(name).decode()
    except UnicodeDecodeError:
        raise FuseOSError(errno.EILSEQ) from None
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


class Folding(Operations):
    # Times are in nanoseconds.
    use_ns = True

    def __init__(self, root):
        self.root = root

    def kept(self, path):
        """Returns the path of an existing file in its spelling on the disk, or the given path of a missing file."""
        place = self.root
        for name in path.split("/"):
            if name:
                place = os.path.join(place, self.spelled(place, name))
        return place

    @staticmethod
    def spelled(folder, name):
        wanted = folded(name)
        if os.path.lexists(os.path.join(folder, name)):
            return name
        try:
            names = os.listdir(folder)
        except OSError:
            return name
        return next((other for other in names if folded(other) == wanted), name)

    def named(self, path):
        """Returns the path with exactly the given spelling of the name."""
        folder, name = os.path.split(path)
        folded(name)
        return os.path.join(self.kept(folder), name)

    def free(self, path):
        if os.path.lexists(self.kept(path)):
            raise FuseOSError(errno.EEXIST)
        return self.named(path)

    def getattr(self, path, fh=None):
        status = os.fstat(fh) if fh else os.lstat(self.kept(path))
        times = {name: getattr(status, name + "_ns") for name in TIMES}
        return times | {name: getattr(status, name) for name in STATUS}

    def readdir(self, path, fh):
        folder = self.kept(path)
        numbers = {name: os.lstat(os.path.join(folder, name)).st_ino for name in (".", "..")}
        with os.scandir(folder) as entries:
            numbers |= {entry.name: entry.inode() for entry in entries}
        return [(name, {"st_ino": number}, 0) for name, number in numbers.items()]

    def readlink(self, path):
        return os.readlink(self.kept(path))

    def mkdir(self, path, mode):
        os.mkdir(self.free(path), mode)

    def mknod(self, path, mode, dev):
        os.mknod(self.free(path), mode, dev)

    def symlink(self, target, source):
        os.symlink(source, self.free(target))

    def link(self, target, source):
        os.link(self.kept(source), self.free(target), follow_symlinks=False)

    def rmdir(self, path):
        os.rmdir(self.kept(path))

    def unlink(self, path):
        os.unlink(self.kept(path))

    def rename(self, old, new, flags=0):
        source, replaced, target = self.kept(old), self.kept(new), self.named(new)
        if replaced not in (source, target) and os.path.lexists(replaced):
            # The new name replaces the other spelling.
            os.rename(source, replaced)
            source = replaced
        os.rename(source, target)

    def chmod(self, path, mode):
        os.chmod(self.kept(path), mode)

    def chown(self, path, uid, gid):
        os.chown(self.kept(path), uid, gid, follow_symlinks=False)

    def utimens(self, path, times=None):
        os.utime(self.kept(path), ns=times, follow_symlinks=False)

    def statfs(self, path):
        facts = os.statvfs(self.kept(path))
        return {name: getattr(facts, name) for name in SPACE}

    def open(self, path, flags):
        return os.open(self.kept(path), flags & ~os.O_APPEND)

    def create(self, path, mode, fi=None):
        return os.open(self.kept(path), os.O_RDWR | os.O_CREAT, mode)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(fh or self.kept(path), length)

    def flush(self, path, fh):
        return 0

    def release(self, path, fh):
        os.close(fh)

    def fsync(self, path, datasync, fh):
        os.fsync(fh)


if __name__ == "__main__":
    kept, mounted = map(os.path.abspath, sys.argv[1:])
    os.umask(0)
    # The kernel must not cache files by name, because a file has several.
    FUSE(
        Folding(kept), mounted, foreground=True, use_ino=True, hard_remove=True, default_permissions=True,
        allow_other=os.getuid() == 0, attr_timeout=0, entry_timeout=0, ac_attr_timeout=0)
