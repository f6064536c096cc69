"""Fixtures of the tests of the page: stores, servers and a browser.

The environment variable STORETOOL specifies the program.
"""

import pathlib
import sqlite3
import subprocess

import pytest

from page import Page, make_driver
from server import TOOL, Server
from server import make_store as make_store_of_items

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "Models"

HISTORY_TABLES = """
CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER,
  ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
  ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR,
  ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
"""


class Store:
    """A store for a single test, and the commands that another process runs on it.

    `model` is the name of a sample model, or a path without suffix.
    """

    def __init__(self, folder, model, version=None, data=None, history=False):
        self.model = MODELS / f"{model}.xcdatamodeld"
        self.path = folder / f"{self.model.stem}.sqlite"
        self.run(
            "create",
            *([] if version is None else ["--model-version", version]),
            positional=True,
        )
        if history:
            self.execute(HISTORY_TABLES)
        if data:
            self.run(*data)

    def run(self, *words, positional=False):
        place = [str(self.path)] if positional else ["--store", str(self.path)]
        done = subprocess.run(
            [TOOL, *words, *place, "--model", str(self.model)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def execute(self, sql):
        connection = sqlite3.connect(self.path)
        with connection:
            connection.executescript(sql)
        connection.close()

    def query(self, sql):
        connection = sqlite3.connect(self.path)
        rows = connection.execute(sql).fetchall()
        connection.close()
        return rows


DATA = {
    "People": ["import", str(MODELS / "Data/People.ndjson")],
    "Company": ["import", str(MODELS / "Data/Company.json"), "--entity", "Department"],
    "BubbleTea": ["import", str(MODELS / "Data/BubbleTea.json"), "--entity", "Venue", "--root", "response.venues"],
    "League": ["import", str(MODELS / "Data/League.json"), "--entity", "Team"],
    "Shop": ["batch-insert", "Product", str(MODELS / "Data/Shop.csv")],
    "Todo": ["batch-insert", "Item", str(MODELS / "Data/Todo.ndjson")],
    "Journal": ["import", str(MODELS / "Data/Journal.ndjson")],
}
# The data of Journal is for the first version of the model.
FIRST_VERSIONS = {"Journal": "Journal"}


@pytest.fixture(scope="session")
def make_store(tmp_path_factory):
    """make_store("Todo", history=True) creates a store with the sample data of its model."""

    def make(model, **options):
        options.setdefault("data", DATA[model])
        options.setdefault("version", FIRST_VERSIONS.get(model))
        return Store(tmp_path_factory.mktemp(model), model, **options)

    return make


def start_server(store, *words):
    """Starts a server. Returns its process and the address of the page."""
    server = subprocess.Popen(
        [TOOL, "browse", "--no-open", str(store.path), "--model", str(store.model), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return server, server.stdout.readline().strip()


@pytest.fixture(scope="session")
def serve():
    """serve(store, "--write") starts a server and returns the address of its page."""
    servers = []

    def start(store, *words):
        server, address = start_server(store, *words)
        servers.append(server)
        return address

    yield start
    for server in servers:
        server.terminate()
    for server in servers:
        server.wait()


@pytest.fixture(scope="session")
def addresses(make_store, serve):
    """addresses["People"] is the address of a page of a store that tests don't change."""

    class Addresses(dict):
        def __missing__(self, model):
            self[model] = serve(make_store(model))
            return self[model]

    return Addresses()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server for tests without a browser."""
    server = Server(make_store_of_items(tmp_path_factory.mktemp("attacks")))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def driver():
    one = make_driver()
    yield one
    one.quit()


@pytest.fixture
def page(driver):
    """The browser. The test fails if its console contains messages at the end."""
    one = Page(driver)
    yield one
    one.leave()
    assert one.complaints() == []
