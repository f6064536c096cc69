"""Tests of the rows of an entity: tables of any length, columns, sorting, predicates."""

import json
import os
import sqlite3
import subprocess

import pytest
from selenium.webdriver.common.keys import Keys

from conftest import TOOL, start_server

CELLS = ".grid-row [role=gridcell]"


@pytest.fixture(scope="module")
def big(make_store, serve):
    """A store with 60,000 items. The page loads distant rows later."""
    store = make_store("Todo", data=["seed", "Item=60000", "--seed", "1"])
    return store, serve(store)


def shown_keys(page):
    return [int(text) for text in page.texts(".grid-row .key")]


def test_all_columns(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Employee")
    page.find(".summary", "13 rows")
    page.find(".grid-row")
    heads = [text.split(" ")[0] for text in page.texts(".grid-head > *")]
    assert heads == ["Key", "age", "hiredAt", "name", "salary", "department"]
    page.wait_texts(
        ".grid-row:first-child > *", ["1", "36", "2019-09-01 00:00:00", "Ada Lindqvist", "71,500", "Department/p1"])
    grid = page.find(".grid")
    assert (grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")) == ("14", "6")


def test_sorting_is_in_the_address_and_goes_back(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Employee")
    page.click(".heading", "age")
    page.wait(lambda: page.texts(".grid-row:first-child > *")[1:2] == ["22"], "youngest first")
    assert page.fragment == "#/0/rows/Employee?sort=age"
    assert page.find("[role=columnheader][aria-sort=ascending]").text.startswith("age")
    page.click(".heading", "age")
    page.wait(lambda: page.texts(".grid-row:first-child > *")[1:2] == ["61"], "oldest first")
    assert page.fragment == "#/0/rows/Employee?sort=-age"
    page.driver.back()
    page.wait(lambda: page.fragment.endswith("sort=age"), "back")
    page.wait(lambda: page.texts(".grid-row:first-child > *")[1:2] == ["22"], "youngest first again")
    page.driver.back()
    page.wait(lambda: page.texts(".grid-row:first-child > *")[1:2] == ["36"], "as at first")
    page.driver.forward()
    page.wait(lambda: page.fragment.endswith("sort=age"), "forward")


def test_a_predicate_chooses(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Employee")
    page.type(".predicate-input", 'department.name == "Research" AND age > 30', Keys.ENTER)
    page.find(".summary", "3 rows")
    assert "where=department.name" in page.fragment
    page.driver.get(page.driver.current_url)
    page.find(".summary", "3 rows")


def test_a_predicate_s_mistake_stands_under_its_place(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Employee?where=agee > 3")
    page.find(".predicate-fault.error", "'Employee' has no property 'agee'")
    page.find(".predicate-fault.error", "did you mean 'age'")
    assert page.texts(".predicate-mirror mark") == ["agee"] or page.all(".predicate-mirror *")


def test_columns_are_chosen(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Employee")
    page.click(".chooser-menu summary")
    for name in ["age", "hiredAt", "salary", "department"]:
        page.click(f".column-list input[value='{name}']")
    page.click(".column-list input[value='department.name']")
    page.click(".column-list button", "Show these")
    page.wait(lambda: [text.split(" ")[0] for text in page.texts(".grid-head > *")] == ["Key", "name", "department.name"], "two columns")
    page.wait_texts(".grid-row:first-child > *", ["1", "Ada Lindqvist", "Research"])
    assert page.fragment == "#/0/rows/Employee?columns=name%2Cdepartment.name"


def test_the_command_prints_the_same(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Employee?where=name CONTAINS \"'\"&sort=-age")
    page.find(".summary", "1 row")
    page.click(".command summary")
    command = page.find(".command code").text
    assert command.startswith("storetool fetch Employee --where='name CONTAINS \"'\\''\"' --sort=-age --store=")
    assert shell(command) == ["Dana O'Brien"]


def shell(command):
    """Runs a command in a shell, and returns the names in its output."""
    tool = os.environ.get("STORETOOL", "storetool")
    done = subprocess.run(
        ["bash", "-c", f'storetool() {{ "{tool}" "$@" --format=ndjson; }}; {command}'], capture_output=True, text=True, check=True)
    return [json.loads(line)["name"] for line in done.stdout.splitlines()]


def test_a_row_opens(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Employee")
    page.click(".grid-row .key a", "3")
    page.find("h1", "Employee/p3")
    page.driver.back()
    page.find("h1", "Employee")
    page.click(".grid-row .object", "Department/p1")
    page.find("h1", "Department/p1")


def test_any_place_of_a_long_table(page, big):
    page.open(big[1], "#/0/rows/Item")
    page.find(".summary", "60,000 rows")
    page.find(".grid-row")
    scroll = "const g = document.querySelector('.grid'); g.scrollTop = g.scrollHeight * arguments[0]"
    for share in [0.5, 1, 0.25, 0]:
        page.driver.execute_script(scroll, share)
        page.wait(lambda share=share: abs(shown_keys(page)[0] - share * 60_000) < 700, lambda: f"{shown_keys(page)[:3]}")
        page.wait(lambda: "…" not in page.texts(CELLS), "all of it is read")
    page.type(".go-to input", "43,210", Keys.ENTER)
    page.wait(lambda: 43_210 in shown_keys(page), "row 43,210")
    assert page.driver.execute_script("return document.querySelectorAll('.grid-row').length") < 60


def test_back_from_a_row_leads_to_its_place(page, big):
    page.open(big[1], "#/0/rows/Item")
    page.find(".summary", "60,000 rows")
    page.type(".go-to input", "43,210", Keys.ENTER)
    page.wait(lambda: page.texts(".grid-row.active .key") == ["43210"], "the row")
    page.press(Keys.ARROW_DOWN)
    page.wait(lambda: page.texts(".grid-row.active .key a") == ["43211"], "it is read")
    page.press(Keys.ENTER)
    page.find("h1", "Item/p43211")
    page.driver.back()
    page.wait(lambda: page.texts(".grid-row.active .key") == ["43211"], lambda: f"{shown_keys(page)}")
    page.click("nav a", "Entities")
    page.click("table.entities a", "Item")
    page.find(".summary", "60,000 rows")
    page.wait(lambda: shown_keys(page)[:1] == [1], lambda: f"{shown_keys(page)}")


def test_the_head_stays_at_the_end(page, addresses):
    page.driver.set_window_size(900, 500)
    try:
        page.open(addresses["People"], "#/0/rows/Person")
        page.find(".summary", "16 rows")
        page.type(".go-to input", "16", Keys.ENTER)
        page.wait(lambda: 16 in shown_keys(page), "the last row")
        places = "const top = (css) => document.querySelector(css).getBoundingClientRect().top; return top('.grid-head') - top('.grid')"
        assert page.driver.execute_script(places) == 1
    finally:
        page.driver.set_window_size(1280, 900)


def test_a_scaled_table_reaches_every_row(page, big):
    """In a table of more than eight million pixels, a pixel of the scroll bar represents several pixels of the table."""
    page.open(big[1], "#/0/rows/Item")
    page.find(".summary", "60,000 rows")
    count = page.driver.execute_async_script("""
        const done = arguments[0];
        import('./parts/table-scroll.js').then(({ TableScroll, rowHeight }) => {
          const scroll = new TableScroll([], () => {});
          scroll.element.style.height = '400px';
          document.querySelector('main').append(scroll.element);
          scroll.count = 3_000_000;
          const found = [];
          for (const row of [0, 1, 2, 1_499_999, 2_999_990, 5]) {
            scroll.reveal(row);
            found.push(row >= Math.floor(scroll.first) && row < scroll.first + scroll.visible);
          }
          scroll.first = 1_000_000;
          scroll.element.dispatchEvent(new WheelEvent('wheel', { deltaY: rowHeight * 3, cancelable: true }));
          done([found, Math.round(scroll.first), scroll.element.scrollHeight < 9_000_000]);
        });""")
    assert count == [[True] * 6, 1_000_003, True]


def test_a_search_is_stopped(page, make_store, serve):
    """The predicate is slow, and another process locks the store for a while."""
    store = make_store("Todo", data=["seed", "Item=60000", "--seed", "1"])
    slow = " OR ".join(f'note MATCHES ".*a.*b.*c.*d.*e.*{number}.*"' for number in range(60))
    page.open(serve(store), f"#/0/rows/Item?where={slow}")
    page.find(".work progress")
    page.wait(lambda: float(page.find(".work progress").get_property("value")) > 0, "some of it is searched")
    page.click(".work button", "Stop")
    page.gone(".work")
    page.find(".summary", "the search was stopped")


def test_it_changes_with_the_store(page, make_store, serve):
    store = make_store("Todo")
    page.open(serve(store), "#/0/rows/Item?sort=name")
    page.find(".grid-row")
    before = int(page.find(".summary", "row").text.split()[0])
    store.run("insert", "Item", "name=AAA first of all")
    page.find(".summary", f"{before + 1} rows")
    page.find(f"{CELLS}", "AAA first of all")
    store.run("batch-update", "Item", "--where", 'name BEGINSWITH "AAA"', "name=買買 last of all")
    page.type(".go-to input", str(before + 1), Keys.ENTER)
    page.find(CELLS, "買買 last of all")
    page.wait(lambda: page.texts(".grid-row.active")[0].count("買買 last"), lambda: f"{page.texts('.grid-row')}")


def test_images_and_long_values(page, make_store, serve):
    store = make_store("Todo", data=["insert", "Item", "name=" + "long " * 400])
    page.open(serve(store), "#/0/rows/Item")
    page.wait(lambda: any(text.endswith("… (2,000 characters)") for text in page.texts(CELLS)), "it is cut")


def test_markup_is_text(page, make_store, serve):
    store = make_store("Todo", data=["insert", "Item", "name=<img src=x onerror=document.title=1><script>document.title=2</script>"])
    page.open(serve(store), "#/0/rows/Item")
    page.find(CELLS, "<script>document.title=2</script>")
    page.open(page.driver.current_url.split("#")[0], "#/0/row/Item/p1")
    page.find("dd", "<img src=x")
    assert page.driver.title.startswith("Item/p1")


def test_a_store_that_is_gone(page, make_store, serve):
    store = make_store("Todo")
    address = serve(store)
    store.path.rename(store.path.with_suffix(".away"))
    page.open(address, "#/0/entities")
    page.find(".failure", "Todo.sqlite")


def test_a_store_that_goes_and_comes_back(page, make_store, serve):
    store = make_store("Todo")
    page.open(serve(store), "#/0/rows/Item")
    page.find(".summary", "12 rows")
    away = store.path.with_suffix(".away")
    store.path.rename(away)
    page.find(".failure", "Todo.sqlite")
    away.rename(store.path)
    page.gone(".failure")
    store.run("insert", "Item", "name=Back again")
    page.find(".summary", "13 rows")


def test_a_store_that_was_written_during_a_request_is_read_again(page, make_store, serve):
    """The first request for rows fails. The page repeats it after the next change."""
    store = make_store("Todo")
    page.open(serve(store), "#/0/entities")
    page.find("h1", "Entities")
    page.driver.execute_script(
        "const real = window.fetch; window.fetch = (url, options) => {"
        "  if (window.hasFailed || !options?.body?.includes('page-rows')) return real(url, options);"
        "  window.hasFailed = true;"
        "  const diagnostic = { severity: 'error', code: 'store.written-meanwhile', message: 'written' };"
        "  const frames = [{ diagnostic }, { end: { status: 75 } }];"
        "  return Promise.resolve(new Response(frames.map((frame) => JSON.stringify(frame)).join('\\n')));"
        "};"
        "location.hash = '#/0/rows/Item';"
    )
    page.find(".failure", "store.written-meanwhile")
    store.run("insert", "Item", "name=New")
    page.gone(".failure")
    page.find(".summary", "13 rows")


def test_a_locked_store_is_tried_again(page, make_store, serve):
    store = make_store("Todo")
    store.execute("PRAGMA journal_mode=DELETE")
    address = serve(store)
    connection = sqlite3.connect(store.path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        page.open(address, "#/0/rows/Item")
        page.find(".failure", "store.locked")
    finally:
        connection.execute("ROLLBACK")
        connection.close()
    page.click(".failure button", "Try again")
    page.find(".summary", "12 rows")


def test_a_server_that_has_ended_is_said(page, make_store):
    server, address = start_server(make_store("Todo"))
    page.open(address, "#/0/rows/Item")
    page.find(".summary", "12 rows")
    assert not page.texts("#lost")[0]
    server.terminate()
    server.wait()
    page.find("#lost", "storetool isn’t running")
    page.click("nav a", "Groups")
    page.find(".failure", "storetool isn’t running")


def test_no_such_entity(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Nobody")
    page.find(".failure", "doesn’t have an entity")
    for view in ["groups", "sections"]:
        page.open(addresses["Company"], f"#/0/{view}/Nobody")
        page.find(".failure", "doesn’t have an entity")
    page.open(addresses["Company"], "#/0/templates/Nobody")
    page.find(".bad", "doesn’t have a template")
    for view in ["nonsense", "constructor", "__proto__"]:
        page.open(addresses["Company"], f"#/0/{view}")
        page.find(".failure", f"The view “{view}” doesn’t exist.")
        assert page.texts("h1") == [view]
    page.open(addresses["Company"], "#/7/entities")
    page.find(".failure", "Store 8 doesn’t exist. This page has 1 store.")
    page.open(addresses["Company"], "#/0/row/Employee/1")
    page.find(".failure", "isn’t an object")


def test_a_store_without_its_model(page, make_store, serve):
    """Views of the file's content work. Views that require a model show why it is missing, and what to do."""
    store = make_store("Company")
    store.execute("DELETE FROM Z_MODELCACHE")
    store.model = store.model.parent / "Todo.xcdatamodeld"
    address = serve(store)
    page.open(address)
    page.find("table.entities", "Employee")
    assert not page.all("table.entities a")
    page.open(address, "#/0/verify")
    page.find(".findings .empty", "most checks of rows were skipped")
    for view in ["rows/Employee", "diagram", "templates", "groups", "sections"]:
        page.open(address, f"#/0/{view}")
        page.find(".failure", "store.unknown-version")


def test_a_model_that_is_guessed_is_said_to_be(page, make_store, serve, tmp_path):
    store = make_store("Company")
    store.execute("DELETE FROM Z_MODELCACHE")
    server = subprocess.Popen(
        [TOOL, "browse", "--no-open", str(store.path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=tmp_path)
    try:
        address = server.stdout.readline().strip()
        for view in ["entities", "rows/Employee", "diagram"]:
            page.open(address, f"#/0/{view}")
            page.find(".diagnostic", "some names and types are guesses")
    finally:
        server.terminate()
        server.wait()


def test_stores_of_the_same_name(page, make_store, serve):
    stores = [make_store("Company"), make_store("Company")]
    page.open(serve(stores[0], str(stores[1].path)), "#/1/rows/Employee")
    page.find(".grid-row")
    names = page.driver.execute_script("return [...document.querySelectorAll('#top option')].map(e => e.textContent)")
    assert names == ["/".join(store.path.parts[-2:]) for store in stores]
    overflow = "const e = document.documentElement; return [e.scrollHeight > e.clientHeight, e.scrollWidth > e.clientWidth]"
    assert page.driver.execute_script(overflow) == [False, False], "the table alone is scrolled"


def test_several_stores(page, make_store, serve):
    stores = [make_store("Company"), make_store("Company")]
    stores[1].run("batch-update", "Employee", "age=20", "--where", "TRUEPREDICATE")
    page.open(serve(stores[0], str(stores[1].path)), "#/0/rows/Employee")
    page.find(CELLS, "36")
    chooser = page.find("#top select")
    page.driver.execute_script("arguments[0].value = '1'; arguments[0].dispatchEvent(new Event('change'))", chooser)
    page.click("table.entities a", "Employee")
    page.wait(lambda: page.texts(".grid-row:first-child > *")[1:2] == ["20"], "the other store")
    assert page.fragment == "#/1/rows/Employee"
