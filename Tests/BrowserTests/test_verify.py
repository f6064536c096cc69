"""Tests of the findings of verify, grouped, with their rows."""

import pytest


@pytest.fixture(scope="module")
def damaged(make_store, serve):
    store = make_store("Company")
    store.execute(
        "UPDATE ZEMPLOYEE SET ZDEPARTMENT = 99 WHERE Z_PK IN (2, 3); UPDATE ZEMPLOYEE SET ZNAME = NULL WHERE Z_PK = 4;"
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1"
    )
    return serve(store)


def test_findings_are_grouped_errors_first(page, damaged):
    page.open(damaged, "#/0/verify")
    page.find(".summary", "3 errors, 1 warning")
    assert page.texts(".finding-group h2 code") == [
        "verify.short-counter",
        "verify.dangling-reference",
        "verify.missing-value",
    ]
    assert len(page.all(".finding-group.error")) == 2
    page.find(".mended")
    assert page.texts(".finding-group:nth-of-type(1) > ul > li") == [
        "Z_MAX of 'Department' is 1, but key 5 is in use a repair fixes it",
        "Z_MAX of 'Employee' is 1, but key 13 is in use a repair fixes it",
    ]


def test_rows_are_links_and_the_remedy_is_a_command(page, damaged):
    page.open(damaged, "#/0/verify")
    page.find(".finding-group.warning .remedy", "Set the value")
    assert page.texts(".finding-group.error .examples a") == [
        "Employee/p2",
        "Employee/p3",
    ]
    assert (
        page.find(".examples a").get_attribute("href").endswith("#/0/row/Employee/p2")
    )
    assert page.find(".command-to-run pre").text.startswith(
        "storetool verify --repair --dry-run --store="
    )


def test_what_a_repair_mends_is_marked(page, damaged):
    """A repair sets Employee.department to NULL, because it is optional. It doesn't invent a missing name."""
    page.open(damaged, "#/0/verify")
    page.find(".mended", "a repair fixes it")
    assert len(page.all(".finding-group.error .mended")) == 3
    assert not page.all(".finding-group.error .remedy")
    assert not page.all(".finding-group.warning .mended")


def test_a_repair_is_shown_before_it_is_done(page, make_store, serve):
    store = make_store("Company")
    store.execute(
        "UPDATE ZEMPLOYEE SET ZDEPARTMENT = 99 WHERE Z_PK = 2; UPDATE ZEMPLOYEE SET ZNAME = NULL WHERE Z_PK = 4"
    )
    page.open(serve(store, "--write"), "#/0/verify")
    page.click("button", "Repair…")
    page.find(".dialog li", "1 reference to missing rows of 'Department'")
    page.find(".dialog p", "1 finding would remain.")
    assert store.query("SELECT ZDEPARTMENT FROM ZEMPLOYEE WHERE Z_PK = 2") == [(99,)]
    page.click(".dialog button", "Write it")
    page.wait_texts(".summary", ["0 errors, 1 warning"])
    page.wait_texts(".finding-group h2 code", ["verify.missing-value"])
    assert store.query("SELECT ZDEPARTMENT FROM ZEMPLOYEE WHERE Z_PK = 2") == [(None,)]


def test_nothing_was_found_and_it_can_be_asked_again(page, addresses):
    page.open(addresses["Company"], "#/0/verify")
    page.find(".empty", "no findings")
    page.click("button", "Verify again")
    page.find(".empty", "no findings")


def test_it_can_be_stopped(page, make_store, serve):
    """The page delays the request, because a store that takes long enough would make the test slow."""
    page.open(serve(make_store("Company")), "#/0/entities")
    page.driver.execute_script(
        "const real = window.fetch; window.fetch = (url, options) => JSON.parse(options?.body ?? '{}').words?.[0] === 'verify'"
        " ? new Promise((_, refuse) => options.signal.addEventListener('abort', () => refuse(options.signal.reason)))"
        " : real(url, options)"
    )
    page.go("#/0/verify")
    page.click("button", "Stop")
    page.find(".summary", "Stopped.")
    page.find("button", "Verify again")
