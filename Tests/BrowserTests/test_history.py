"""Tests of the timeline of the persistent history."""

import pytest
from selenium.webdriver.common.keys import Keys


@pytest.fixture(scope="module")
def history(make_store, serve):
    store = make_store("Todo", history=True)
    store.run("batch-update", "Item", "done=true", "--where", 'name BEGINSWITH "Call"')
    store.run("insert", "Item", "name=Soon gone")
    store.run("batch-delete", "Item", "--where", 'name == "Soon gone"')
    return store, serve(store)


def counts(page):
    return page.texts(".change-counts")


def tokens(page):
    return page.texts(".transaction .token")


def test_the_latest_comes_first(page, history):
    page.open(history[1], "#/0/history")
    page.wait(lambda: tokens(page) == ["4", "3", "2", "1"], "four transactions")
    assert [one.split("\n")[0] for one in counts(page)] == ["−1", "+1", "~1", "+12"]
    assert page.find(".summary").text == "4 transactions, 15 changes in total"
    assert page.all(".strip rect")


def test_a_transaction_opens_to_its_changes(page, history):
    page.open(history[1], "#/0/history")
    page.find(".transaction")
    page.driver.execute_script(
        "document.querySelectorAll('.transaction summary')[2].focus()"
    )
    page.press(Keys.ENTER)
    assert page.find(".change-table tbody tr").text.split() == [
        "update",
        "Item/p2",
        "done",
    ]
    assert (
        page.find(".change-table a").get_attribute("href").endswith("#/0/row/Item/p2")
    )


def test_filters_are_the_commands(page, history):
    page.open(history[1], "#/0/history")
    page.find(".transaction")
    page.choose(page.find("[name=change]"), "update")
    page.wait_texts(".transaction .token", ["2"])
    page.click(".command summary")
    assert page.find(".command code").text.startswith(
        "storetool history --change=update --store="
    )
    page.click("button", "Clear")
    page.find(".transaction .token", "4")
    page.type("[name=object]", "Item/p13", Keys.ENTER)
    page.wait_texts(".transaction .token", ["4", "3"])
    page.type("[name=object]", Keys.BACKSPACE * 10)
    page.type("[name=since]", "3", Keys.ENTER)
    page.wait_texts(".transaction .token", ["4"])
    page.driver.back()
    page.wait_texts(".transaction .token", ["4", "3"])


def test_a_wrong_filter_is_told(page, history):
    page.open(history[1], "#/0/history?property=nonsense")
    page.find(".failure", "nonsense")


def test_nothing_matches(page, history):
    page.open(history[1], "#/0/history?author=nobody")
    page.find(".timeline .empty", "No transaction matches.")


def test_another_process_writes(page, make_store, serve):
    store = make_store("Todo", history=True)
    page.open(serve(store), "#/0/history")
    page.wait_texts(".transaction .token", ["1"])
    store.run("insert", "Item", "name=new")
    page.wait_texts(".transaction .token", ["2", "1"])


def test_a_large_history_comes_in_pages(page, make_store, serve):
    store = make_store("Todo", history=True)
    store.execute(
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) SELECT i, 16002, 1, 700000000 + i FROM n;"
        "INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
        "SELECT 100 + Z_PK, 16001, 1, 1, 1, 1 + Z_PK % 12, Z_PK FROM ATRANSACTION WHERE Z_PK > 1;"
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 4000 WHERE Z_ENT > 16000"
    )
    page.open(serve(store), "#/0/history")
    page.find(".transaction .token", "3000")
    assert tokens(page) == [str(one) for one in range(3000, 2950, -1)]
    page.click(".pager a", "Older")
    page.find(".transaction .token", "2950")
    assert tokens(page) == [str(one) for one in range(2950, 2900, -1)]
    page.click(".pager a", "Newest")
    page.find(".transaction .token", "3000")
    # If few transactions match, the search continues until a page is full or the beginning is reached.
    page.open(page.driver.current_url.split("#")[0], "#/0/history?change=insert")
    page.wait_texts(".transaction .token", ["1"])
    page.gone(".pager a")


def test_a_store_without_history(page, addresses):
    page.open(addresses["People"], "#/0/history")
    page.find(".empty", "This store doesn’t have a persistent history.")


def test_an_open_transaction_stays_open(page, make_store, serve):
    store = make_store("Todo", history=True)
    page.open(serve(store), "#/0/history")
    page.click(".transaction summary")
    page.find(".change-table")
    store.run("insert", "Item", "name=new")
    page.wait_texts(".transaction .token", ["2", "1"])
    assert "Item/p12" in page.find(".change-table").text
    assert page.focused().tag_name == "summary"
