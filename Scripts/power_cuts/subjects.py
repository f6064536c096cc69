"""The stores of the trials, their states after an app, and the commands that write."""

import os
import shutil
import sqlite3
import subprocess
from collections import namedtuple

STORE = "disk/store.sqlite"
MODEL = "Parts.xcdatamodeld"
IMAGES = ["0E984725-C51C-4BF4-9960-E1C80E27ABA%d" % number for number in range(4)]
EXTERNAL = ".store_SUPPORT/_EXTERNAL_DATA"
# A model that commands write to.
EDITED_NAME = "Edited.xcdatamodeld"
EDITED = f"disk/{EDITED_NAME}"
OURS = f"{EDITED}/Edited 2.xcdatamodel/contents"

# statuses: the exit statuses of a successful run. backs_up: the command creates a backup in the folder of the store.
# makes: the command creates the store. folder: the command writes to this folder instead of a store. keeps: the command
# changes the file, but not the rows. result: the checked file, if it isn't the store. again: the command writes several
# files, and a second run completes an interrupted one.
Command = namedtuple("Command", "name arguments statuses backs_up makes folder keeps result again")


def command(name, *arguments, statuses=(0,), backs_up=False, makes=False, folder=None, keeps=False,
            result="store.sqlite", again=False):
    return Command(name, list(arguments), statuses, backs_up, makes or folder is not None, folder, keeps, result,
                   again)


ANONYMIZE = ["anonymize", "--rules", "rules.txt", "--key-file", "key"]


COMMANDS = [
    command("create", "create", STORE, "--model", MODEL, "--model-version", "Parts", makes=True),
    command("insert", "insert", "Part", "code=0", "name=new"),
    command("batch-insert", "batch-insert", "Part", "new.ndjson"),
    command("batch-update", "batch-update", "Part", "amount:=amount + 1", "name:=uppercase:(name)"),
    command("batch-delete", "batch-delete", "Part", "--where", "modulus:by:(code, 2) == 0"),
    command("link", "link", "Bin.parts", "label == 'bin 9'", "modulus:by:(code, 2) == 0"),
    command("unlink", "unlink", "Part.bin", "modulus:by:(code, 2) == 0", "TRUEPREDICATE"),
    command("import", "import", "bins.ndjson", "--entity", "Bin"),
    command("seed", "seed", "Part=300", "Bin=20"),
    command("seed-new", "seed", "Part=300", "Bin=20", "--create", "--store", STORE, "--model", MODEL,
            makes=True),
    command("import-known", "import", "known.ndjson", "--entity", "Part"),
    command("repair", "verify", "--repair", statuses=(0, 1)),
    command("prune", "history", "--prune", "--before", "3"),
    command("compact", "compact", keeps=True),
    command("anonymize", *ANONYMIZE, "--in-place"),
    command("anonymize-copy", *ANONYMIZE, "--output", "disk/copy.sqlite", result="copy.sqlite"),
    command("migrate", "migrate", "--allow-loss", "all", backs_up=True),
    command("migrate-no-backup", "migrate", "--allow-loss", "all", "--no-backup"),
    command("compile", "model", "compile", MODEL, "--output", "disk/Parts.momd", folder="Parts.momd"),
    command("decompile", "model", "decompile", MODEL, "--output", "disk/Back.xcdatamodeld",
            folder="Back.xcdatamodeld"),
    command("each", "each", STORE, "--journal", "disk/journal", "--", "batch-update", "Part", "amount=7"),
    command("generate", "generate", MODEL, "--output", "disk/made", folder="made"),
    command("docs", "model", "docs", MODEL, "--output", "disk/made/notes.md", folder="made"),
    command("diagram", "model", "diagram", MODEL, "--output", "disk/made/notes.mmd", folder="made"),
    command("lock", "model", "lock", MODEL, "--migrations", "disk/made", folder="made"),
    command("format", "model", "format", EDITED, folder=EDITED_NAME, again=True),
    command("merge", "model", "merge", "base.xml", OURS, "theirs.xml", "--output", OURS, folder=EDITED_NAME),
    command("renumber", "model", "renumber", "Edited 2", "Edited 3", "--model", EDITED, "--theirs", "theirs.xml",
            folder=EDITED_NAME, again=True),
    command("new", "migrate", "new", "Parts", "Parts 2", "--model", MODEL, "--migrations", "disk/made", folder="made"),
    command("matrix", "migrate", "matrix", "--model", MODEL, "--rows", "3", "--baseline", "disk/made/accepted.txt",
            "--write-baseline", folder="made"),
]

# MARK: The models


def attribute(name, type_, more=""):
    return f'<attribute name="{name}" optional="YES" attributeType="{type_}" {more}/>'


BIN = (
    '<entity name="Bin">' + attribute("label", "String")
    + '<relationship name="parts" optional="YES" toMany="YES" deletionRule="Nullify"'
    ' destinationEntity="Part" inverseName="bin" inverseEntity="Part"/></entity>')
TO_BIN = (
    '<relationship name="bin" optional="YES" maxCount="1" deletionRule="Nullify"'
    ' destinationEntity="Bin" inverseName="parts" inverseEntity="Bin"/>'
    '<uniquenessConstraints><uniquenessConstraint><constraint value="code"/>'
    "</uniquenessConstraint></uniquenessConstraints>")
CODE = '<attribute name="code" attributeType="Integer 64"/>'
IMAGE = attribute("image", "Binary", 'allowsExternalBinaryDataStorage="YES"')
VERSIONS = {
    "Parts": BIN + '<entity name="Part">' + attribute("amount", "Integer 32") + CODE + IMAGE
    + attribute("name", "String", 'indexed="YES"') + attribute("note", "String") + TO_BIN
    + "</entity>",
    "Parts 2": '<entity name="Aisle">' + attribute("label", "String") + "</entity>" + BIN
    + '<entity name="Part">' + attribute("amount", "Double") + CODE + IMAGE
    + attribute("title", "String", 'indexed="YES" elementID="name"') + TO_BIN + "</entity>",
}


CURRENT = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>'
    "<key>_XCCurrentVersionName</key><string>{}.xcdatamodel</string></dict></plist>\n")


def write_models(folder):
    for name, entities in VERSIONS.items():
        place = os.path.join(folder, MODEL, name + ".xcdatamodel")
        os.makedirs(place)
        with open(os.path.join(place, "contents"), "w") as file:
            file.write(f'<?xml version="1.0"?>\n<model>{entities}</model>\n')
    write(folder, f"{MODEL}/.xccurrentversion", CURRENT.format("Parts 2"))


def write_edited(folder):
    """Writes a model with the versions of a merge, and a folder with generated files."""
    def model(*attributes):
        names = "".join(f'<attribute name="{name}" optional="YES" attributeType="String"/>' for name in attributes)
        return f'<?xml version="1.0"?>\n<model><entity name="Page">{names}</entity></model>\n'

    write(folder, f"{EDITED}/Edited.xcdatamodel/contents", model("title"))
    write(folder, OURS, model("title", "ours"))
    write(folder, f"{EDITED}/.xccurrentversion", CURRENT.format("Edited 2"))
    write(folder, "base.xml", model("title"))
    write(folder, "theirs.xml", model("theirs", "title"))
    write(folder, "disk/made/notes.md", "<!-- Generated by storetool -->\n")
    write(folder, "disk/made/notes.mmd", "%% Generated by storetool\n")


# MARK: The rows

HISTORY = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER,
      ZTIMESTAMP FLOAT);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZNAME VARCHAR);
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 8), (16002, 'TRANSACTION', 0, 2),
      (16003, 'TRANSACTIONSTRING', 0, 0);
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (1, 16002, 1, 7e8), (3, 16002, 1, 8e8);
"""


def fill(path, rows):
    """Inserts rows for all commands. Every second bin is missing, and counters are too low."""
    store = connect(path)
    store.executescript("PRAGMA journal_mode = DELETE; BEGIN;" + HISTORY)
    for code in range(1, rows + 1):
        image = b"\x01small %d" % code
        if code <= len(IMAGES):
            image = b"\x02" + IMAGES[code - 1].encode() + b"\0"
        store.execute(
            "INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZCODE, ZNAME, ZNOTE, ZBIN, ZIMAGE)"
            " VALUES (?, 2, 1, ?, ?, ?, ?, ?, ?)",
            (code, code % 7, code, f"part {code * 7919 % 10007} {'x' * 60}", f"note {code}",
             1 + code % 10, image))
        store.execute(
            "INSERT INTO ACHANGE VALUES (?, 16001, 1, 1, 2, ?, ?, x'20')",
            (code, code, 1 if code % 2 else 3))
    store.execute("INSERT INTO ZBIN (Z_PK, Z_ENT, Z_OPT, ZLABEL) SELECT DISTINCT ZBIN, 1, 1,"
                  " 'bin ' || ZBIN FROM ZPART WHERE ZBIN % 2")
    store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, 9)")
    store.execute("COMMIT")
    # The file contains this setting. It makes SQLite write pages long before the commit, as in a large store.
    store.execute("PRAGMA default_cache_size = 10")
    store.close()


def connect(path):
    store = sqlite3.connect(path, isolation_level=None)
    store.execute("PRAGMA synchronous = OFF")
    return store


# MARK: States after an app


def leave_wal(folder, store):
    store.execute("PRAGMA journal_mode = WAL")


def leave_full_wal(folder, store):
    """The app ended without closing the store. The last transactions are only in the -wal."""
    leave_wal(folder, store)
    store.execute("PRAGMA wal_autocheckpoint = 0")
    for number in range(3):
        store.execute("BEGIN")
        store.execute("UPDATE ZPART SET ZNOTE = ZNOTE || ?, ZAMOUNT = ZAMOUNT + 1"
                      " WHERE Z_PK % 3 = ?", (str(number) * 30, number))
        store.execute("INSERT INTO ZBIN (Z_ENT, Z_OPT, ZLABEL) VALUES (1, 1, ?)", ("y" * 3000,))
        store.execute("DELETE FROM ZBIN WHERE Z_PK = ?", (1 + 2 * number,))
        store.execute("COMMIT")
    copy_aside(folder)
    return {}


def leave_cut_wal(folder, store):
    """The -wal was checkpointed and truncated to zero bytes, but the truncation wasn't synced."""
    leave_full_wal(folder, store)
    with open(os.path.join(folder, "aside", "store.sqlite-wal"), "rb") as file:
        older = file.read()
    shutil.rmtree(os.path.join(folder, "aside"))
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    copy_aside(folder)
    return {"store.sqlite-wal": older}


def leave_hot_journal(folder, store):
    """The app was killed in a transaction. The file contains a part of it, and the journal the previous pages."""
    store.execute("PRAGMA synchronous = FULL")
    store.execute("PRAGMA cache_size = 5")
    store.execute("BEGIN")
    store.execute("UPDATE ZPART SET ZNAME = 'half a transaction ' || ZNAME, ZNOTE = NULL")
    copy_aside(folder)
    store.execute("ROLLBACK")
    return {}


def leave_journal(mode):
    """The app used a mode of the rollback journal. The store file doesn't contain this mode."""
    def leave(folder, store):
        store.execute(f"PRAGMA journal_mode = {mode}")
        store.execute("UPDATE ZPART SET ZNOTE = ZNOTE || ' seen'")
    return leave


def copy_aside(folder):
    """Copies the current files, without the effects of closing the store."""
    aside = os.path.join(folder, "aside")
    shutil.copytree(os.path.join(folder, "disk"), aside)
    if os.path.exists(os.path.join(aside, "store.sqlite-shm")):
        os.remove(os.path.join(aside, "store.sqlite-shm"))


MODES = {
    "wal": leave_wal,
    "wal-full": leave_full_wal,
    "wal-cut": leave_cut_wal,
    "delete": leave_journal("DELETE"),
    "truncate": leave_journal("TRUNCATE"),
    "persist": leave_journal("PERSIST"),
    "hot": leave_hot_journal,
}

EXPLAINED = """modes: the state in which an app left the store
  wal        in WAL mode, closed
  wal-full   in WAL mode, with transactions in the -wal that weren't checkpointed
  wal-cut    in WAL mode, with a -wal that was truncated to zero bytes without a sync
  delete     with a rollback journal that is deleted after each transaction
  truncate   with a rollback journal that is truncated to zero bytes
  persist    with a rollback journal whose header is overwritten
  hot        with the rollback journal of an interrupted transaction
"""


def make(folder, binary, mode, rows):
    """Creates a folder with models, records, and the store in `disk`. Returns the unsynced content of its files."""
    os.makedirs(os.path.join(folder, "disk"))
    write_models(folder)
    records = [f'{{"code": {rows * 3 + n}, "name": "new {n}", "amount": 9}}\n' for n in range(rows)]
    write(folder, "new.ndjson", "".join(records))
    bins = [f'{{"label": "more {n}", "parts": [{{"code": {rows * 5 + n}}}]}}\n' for n in range(rows)]
    write(folder, "bins.ndjson", "".join(bins))
    known = [f'{{"$id": "x-coredata:///Part/p{n + 1}", "name": "known {n}", "bin": null}}\n' for n in range(rows)]
    write(folder, "known.ndjson", "".join(known))
    write(folder, "rules.txt", "label: scramble\nname: fake-name\nnote: hash\nimage: hash\n")
    write(folder, "key", "a key for the trials\n")
    if mode is None:
        write_edited(folder)
        return {}
    subprocess.run([binary] + COMMANDS[0].arguments, cwd=folder, check=True, capture_output=True)
    for name in IMAGES:
        write(folder, os.path.join("disk", EXTERNAL, name), "the image " + name)
    path = os.path.join(folder, STORE)
    fill(path, rows)
    store = connect(path)
    unsynced = MODES[mode](folder, store) or {}
    store.close()
    if os.path.exists(os.path.join(folder, "aside")):
        shutil.rmtree(os.path.join(folder, "disk"))
        os.rename(os.path.join(folder, "aside"), os.path.join(folder, "disk"))
    return unsynced


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
