"""Tests of views while other processes write, migrate or lock the store, or kill a command."""

import os
import pathlib
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

from conftest import TOOL, Store, start_server
from server import children, wait

COUNT_REQUESTS = """
window.asked = [];
const real = window.fetch;
window.fetch = (url, options) => {
  if (options?.body) window.asked.push(JSON.parse(options.body).words[0]);
  return real(url, options);
};
"""


@pytest.fixture
def counting(page):
    """Logs the requests of the page in window.asked."""
    added = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT_REQUESTS})
    yield lambda word: page.driver.execute_script("return asked.filter((one) => one === arguments[0]).length", word)
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


@pytest.fixture
def delayed(page):
    """Delays the first response of page-rows."""
    source = """
    const real = window.fetch;
    let isFirst = true;
    window.fetch = async (url, options) => {
      const answer = await real(url, options);
      if (isFirst && options?.body?.includes('page-rows')) {
        isFirst = false;
        await new Promise((resolve) => { window.goOn = resolve; });
      }
      options?.signal?.throwIfAborted();
      return answer;
    };
    """
    added = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    yield lambda: page.driver.execute_script("goOn()")
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


class Writer:
    """Writes several times a second until the end of the block."""

    def __init__(self, store, pause=0.1):
        self.store, self.pause, self.writes = store, pause, 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.write)

    def write(self):
        connection = sqlite3.connect(self.store.path, timeout=10)
        while not self.ended.wait(self.pause):
            self.writes += 1
            with connection:
                connection.execute("UPDATE ZITEM SET ZPRIORITY = ? WHERE Z_PK = 1", [self.writes])
        connection.close()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def test_a_write_before_the_first_rows_are_there(page, make_store, serve, delayed):
    store = make_store("Todo")
    page.open(serve(store), "#/0/rows/Item")
    page.find(".summary", "12 rows")
    store.run("insert", "Item", "name=Meanwhile")
    page.find(".summary", "13 rows")
    delayed()
    page.find(".grid-row", "Meanwhile")


def test_a_list_is_read_to_its_end_while_others_write(page, make_store, serve):
    """In a former version, each write restarted the search."""
    store = make_store("Todo", data=["seed", "Item=60000", "--seed", "1"])
    slow = " OR ".join(f'note MATCHES ".*a.*b.*c.*d.*e.*{number}.*"' for number in range(4))
    with Writer(store) as writer:
        page.open(serve(store), f"#/0/rows/Item?where={slow} OR priority >= 0")
        # Each query is a single step, because the rows are drawn again all the time.
        page.wait(lambda: page.texts(".grid-row"), "the first rows")
        page.wait(lambda: page.find(".summary").text.endswith(" rows"), lambda: page.find(".summary").text)
        page.wait(lambda: writer.writes > 20, "it was written to")
        now = writer.writes
        page.wait(lambda: any(int(text) > now for text in page.texts(".grid-row:first-child [role=gridcell]:last-child")), "the row is new")


def test_many_writes_are_few_requests(page, make_store, serve, counting):
    """The page sends at most four requests a second, regardless of the number of writes."""
    store = make_store("Todo")
    address = serve(store)
    for fragment, word in [("#/0/entities", "info"), ("#/0/row/Item/p1", "show"), ("#/0/groups/Item?by=done", "fetch"), ("#/0/rows/Item", "page-keys")]:
        page.open(address, fragment)
        began = time.monotonic()
        page.find("main table, .grid-row, dl.values")
        with Writer(store, 0.02) as writer:
            page.wait(lambda writer=writer: writer.writes >= 60, "sixty writes")
        asked = counting(word)
        assert 2 <= asked <= (time.monotonic() - began) * 4 + 3, f"{word}: {asked} in {time.monotonic() - began} s"


def test_nothing_changes_beside_files_that_somebody_has_left(make_store):
    """The files are an empty -wal and its -shm. SQLite counts each read of the -shm as a change."""
    store = make_store("Todo")
    subprocess.run(["sqlite3", "-readonly", store.path, "SELECT count(*) FROM ZITEM"], check=True, capture_output=True)
    assert pathlib.Path(f"{store.path}-shm").exists()
    words = [TOOL, "page-changes", "--format=ndjson", f"--store={store.path}"]
    following = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert following.stdout.readline().startswith('{"change":0')
    for _ in range(20):
        store.run("info")
    store.run("insert", "Item", "name=Something new")
    assert following.stdout.readline().startswith('{"change":1')
    following.terminate()
    assert len(following.stdout.readlines()) < 5
    following.wait()


def test_a_migration_under_an_open_view(page, make_store, serve):
    store = make_store("Journal")
    address = serve(store)
    page.open(address, "#/0/rows/Entry")
    page.find(".grid-row")
    before = page.texts(".grid-head [role=columnheader]")
    store.run("migrate", "run", "--to", "Journal 2", "--no-backup")
    page.wait(lambda: page.texts(".grid-head [role=columnheader]") not in ([], before), lambda: f"{before}")
    columns = page.texts(".grid-head [role=columnheader]")
    page.wait(lambda: len(page.texts(".grid-row:first-child > *")) == len(columns), "a cell for each column")


def lasting(server, count):
    """Waits until the server has this number of child processes for half a second, and returns them.

    One child process follows the changes of the store. Most commands end quickly.
    """
    seen = []

    def last():
        seen.append(set(children(server.pid)))
        return len(seen[-1]) == count and len(seen) > 10 and all(one == seen[-1] for one in seen[-10:])

    wait(last)
    return seen[-1]


def kill_command(server, others):
    """Kills the running command, but not the processes that ran before it."""
    for process in lasting(server, len(others) + 1) - others:
        os.kill(process, signal.SIGKILL)


def test_a_command_that_is_killed_is_no_answer(page, make_store):
    store = make_store("Todo", data=["seed", "Item=60000", "--seed", "1"])
    server, address = start_server(store, "--write")
    page.open(address, "#/0/groups/Item?by=done")
    page.find(".groups")
    others = lasting(server, 1)
    slow = " OR ".join(f'note MATCHES ".*a.*b.*c.*d.*e.*{number}.*"' for number in range(60))
    page.go(f"#/0/groups/Item?by=done&where={slow}")
    kill_command(server, others)
    page.find(".failure", "ended by signal 9")
    server.terminate()
    server.wait()


def test_a_write_that_is_killed_is_not_said_to_be_written(page, make_store):
    store = make_store("Todo", data=["seed", "Item=60000", "--seed", "1"])
    server, address = start_server(store, "--write")
    page.open(address, "#/0/rows/Item")
    page.find(".grid-row")
    page.change_these("note", "x")
    page.find(".dialog", "would change")
    others = lasting(server, 1)
    lock = sqlite3.connect(store.path, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    page.click(".dry-run + .buttons button:enabled", "Write it")
    kill_command(server, others)
    page.find(".dialog .failure", "check the rows before you try again")
    assert page.texts("#status") != ["Written."]
    lock.execute("ROLLBACK")
    lock.close()
    assert store.query("SELECT count(*) FROM ZITEM WHERE ZNOTE = 'x'") == [(0,)]
    server.terminate()
    server.wait()


def test_a_dry_run_that_nobody_waits_for_ends(page, make_store):
    store = make_store("Todo", data=["seed", "Item=60000", "--seed", "1"])
    server, address = start_server(store, "--write")
    slow = " OR ".join(f'note MATCHES ".*a.*b.*c.*d.*e.*{number}.*"' for number in range(60))
    page.open(address, f"#/0/rows/Item?where={slow}")
    page.click(".work button", "Stop")
    lasting(server, 1)
    page.click("button", "Delete these")
    lasting(server, 2)
    page.click(".dialog button", "Cancel")
    wait(lambda: len(children(server.pid)) == 1)
    server.terminate()
    server.wait()


def test_what_others_have_set_is_shown_before_it_is_replaced(page, make_store, serve):
    store = make_store("Company")
    page.open(serve(store, "--write"), "#/0/row/Employee/p1")
    page.click("button", "Edit")
    field = page.wait(lambda: next((one for one in page.all(".editor .variable") if one.text.startswith("age")), None), "its field")
    box = field.find_element("css selector", "input[type=number]")
    box.clear()
    box.send_keys("50")
    store.run("batch-update", "Employee", "age=61", "--where", 'SELF == "x-coredata:///Employee/p1"')
    page.click(".editor button", "Continue")
    page.find(".dialog li .bad", "another program has changed it to 61")


def test_rows_of_no_section_name_are_all_there(page, make_store, serve):
    """NULL and the empty text are different sections."""
    store = make_store("Todo", data=["insert", "Item", "name=One", "note="])
    store.run("insert", "Item", "name=Two")
    page.open(serve(store), "#/0/sections/Item?by=note")
    page.wait_texts(".section h2", ["No value 1 row"] * 2)
    page.wait(lambda: {"One", "Two"} <= set(page.texts(".section td")), lambda: page.texts(".section td"))


BOXES = """<?xml version="1.0" encoding="UTF-8"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
    <entity name="Box" syncable="YES">
        <attribute name="in" optional="YES" attributeType="String"/>
        <attribute name="size" optional="YES" attributeType="{type}"/>
        <relationship name="last" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Box" inverseName="some" inverseEntity="Box"/>
        <relationship name="some" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Box" inverseName="last" inverseEntity="Box"/>
    </entity>
</model>
"""


def boxes(folder, **values):
    path = folder / "Boxes.xcdatamodeld/Boxes.xcdatamodel/contents"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(BOXES.format(**values))
    return path.parents[1].with_suffix("")


@pytest.fixture
def box_store(tmp_path):
    store = Store(tmp_path, boxes(tmp_path, type="Double"))
    store.run("insert", "Box", "in=one", "size=0.00000012345")
    store.run("insert", "Box", "in=two", "size=2.5")
    return store


def test_names_that_are_words_of_the_language(page, box_store, serve):
    address = serve(box_store)
    page.open(address, "#/0/rows/Box")
    page.click(".grid-head button", "in")
    page.find(".grid-head [aria-sort=ascending]", "in")
    page.wait(lambda: "one" in page.texts(".grid-row [role=gridcell]"), "it is sorted")
    page.click(".chooser-menu summary", "Columns")
    boxes_ = page.all(".column-list input")
    for one in boxes_[1:3]:
        one.click()
    page.click(".column-list button", "Show these")
    page.find(".grid-head", "#in")
    page.type("[role=combobox]", "i")
    page.find("[role=option]", "#in")
    page.open(address, "#/0/groups/Box")
    page.choose(page.find("[aria-label='Group by, 1'], .chooser select"), "#in")
    page.click("table.groups a", "rows")
    page.find(".summary", "1 row")


def test_small_numbers_are_whole(page, box_store, serve):
    page.open(serve(box_store), "#/0/row/Box/p1")
    page.find("dl.values dd", "1.2345e-7")
    page.open(serve(box_store), "#/0/rows/Box")
    page.find(".grid-row", "0.00000012345")


def test_only_functions_that_an_entity_has_values_for(page, tmp_path, serve):
    store = Store(tmp_path, boxes(tmp_path, type="Binary"))
    page.open(serve(store), "#/0/groups/Box?by=size")
    page.click("button", "Value")
    page.find(".result .empty")
    assert "select=max%28%23in%29" in page.fragment
    assert page.driver.execute_script("return [...document.querySelectorAll('[aria-label=\"Function 2\"] option')].map((one) => one.value)") == ["count", "min", "max"]


def test_a_store_without_its_model_says_who_wrote_it(page, make_store, tmp_path):
    store = make_store("Todo")
    lone = tmp_path / "lone.sqlite"
    lone.write_bytes(store.path.read_bytes())
    server = subprocess.Popen(
        [TOOL, "browse", "--no-open", lone], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )
    page.open(server.stdout.readline().strip(), "#/0/migration")
    page.find(".failure", "no model")
    page.find(".versions dt", "Core Data version")
    server.terminate()
    server.wait()


def test_a_store_of_an_unknown_version_is_read_by_the_closest(page, make_store, tmp_path):
    """Checks all views, and the copied command."""
    store = make_store("Todo")
    model = tmp_path / "Todo.xcdatamodeld"
    for version in (store.model).glob("*.xcdatamodel"):
        text = (version / "contents").read_text().replace('name="note" optional="YES"', 'name="note" optional="NO"')
        (model / version.name).mkdir(parents=True)
        (model / version.name / "contents").write_text(text)
    server, address = start_server(type("Named", (), {"path": store.path, "model": model}), "--closest")
    for view in ["rows/Item", "row/Item/p1", "templates", "groups/Item?by=done", "sections/Item?by=done", "diagram", "verify", "history"]:
        page.open(address, f"#/0/{view}")
        page.find("main .view > *:not(.loading)")
        assert not [text for text in page.texts(".failure") if "unknown-version" in text], view
    page.open(address, "#/0/rows/Item")
    page.find(".grid-row")
    page.type(".predicate textarea, .predicate input", "done == tru")
    page.find(".predicate", "has no property 'tru'")
    page.find(".command summary").click()
    assert "--closest" in page.find(".command pre").text
    server.terminate()
    server.wait()


