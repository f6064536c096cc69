"""Tests of groups and aggregates, with bars."""

from urllib.parse import unquote_plus

from selenium.webdriver.common.keys import Keys


def figures(page, column):
    return page.texts(f".groups tbody td:nth-of-type({column}) .figure")


def test_counts_and_sums_with_bars(page, addresses):
    page.open(
        addresses["Shop"],
        "#/0/groups/Product?by=country&select=count(*)&select=sum(price)&sort=-sum(price)",
    )
    page.find(".summary", "8 groups")
    assert page.texts(".groups tbody th")[:2] == ["France", "Japan"]
    assert figures(page, 1)[:2] == ["3", "2"]
    assert figures(page, 2)[:2] == ["75.1", "33.95"]
    widths = page.driver.execute_script(
        "return [...document.querySelectorAll('.groups td:nth-of-type(2) .bar rect')].map(r => Number(r.getAttribute('width')))"
    )
    assert widths[0] == 100 and 45 < widths[1] < 46


def test_choosing_makes_addresses(page, addresses):
    page.open(addresses["Company"], "#/0/groups/Employee")
    page.find(".groups")
    page.choose(page.find(".chooser select"), "department.name")
    page.find(".summary", "4 groups")
    page.click("button", "+ Value")
    page.wait(lambda: "select=sum" in page.fragment, "another value")
    page.find(".groups th", "sum(age)")
    page.type("[name=having]", "count(*) > 2", Keys.ENTER)
    page.wait_texts(".groups tbody th", ["Research", "Sales"])
    page.click(".groups th button", "department.name")
    page.find(".groups th[aria-sort=ascending]")
    page.click(".groups th button", "department.name")
    page.wait_texts(".groups tbody th", ["Sales", "Research"])
    page.driver.back()
    page.wait_texts(".groups tbody th", ["Research", "Sales"])


def test_a_group_leads_to_its_rows(page, addresses):
    page.open(
        addresses["Company"], "#/0/groups/Employee?by=department.name&where=age > 30"
    )
    page.find(".groups tbody th", "Research")
    target = next(
        one.get_attribute("href")
        for one in page.all(".groups a")
        if "Research" in unquote_plus(one.get_attribute("href"))
    )
    assert unquote_plus(target).endswith(
        '#/0/rows/Employee?where=(age > 30) AND department.name == "Research"'
    )


def test_hostile_values_are_text(page, make_store, serve):
    store = make_store("Shop")
    store.run(
        "insert",
        "Product",
        "title=x",
        "price=1",
        'country=<img src=x onerror=alert(1)>"\\',
    )
    page.open(serve(store), "#/0/groups/Product?by=country")
    page.find(".groups tbody th", '<img src=x onerror=alert(1)>"\\')
    target = next(
        one.get_attribute("href")
        for one in page.all(".groups a")
        if "onerror" in one.get_attribute("href")
    )
    assert unquote_plus(target).endswith(
        'country == "<img src=x onerror=alert(1)>\\"\\\\"'
    )


def test_a_mistake_in_having_is_shown_at_its_place(page, addresses):
    page.open(addresses["Shop"], "#/0/groups/Product?by=country&having=cont(*) > 2")
    assert page.find(".failure mark").text == "cont"
    assert "did you mean 'count'?" in page.find(".failure").text


def test_another_process_writes(page, make_store, serve):
    store = make_store("Shop")
    page.open(serve(store), "#/0/groups/Product")
    page.wait_texts(".groups .figure", ["15"])
    store.run("insert", "Product", "title=x", "price=1")
    page.wait_texts(".groups .figure", ["16"])


def test_the_command_is_the_one_that_ran(page, addresses):
    page.open(
        addresses["Shop"],
        "#/0/groups/Product?by=country&select=max(price)&having=max(price) > 5",
    )
    page.find(".groups")
    page.click(".command summary")
    assert page.find(".command code").text.startswith(
        "storetool fetch Product --group-by=country --select='country,max(price)' --having='max(price) > 5' --limit=500 --store="
    )


def test_the_focus_stays_when_another_process_writes(page, make_store, serve):
    store = make_store("Shop")
    page.open(serve(store), "#/0/groups/Product?by=country")
    page.find(".groups th button", "count(*)")
    page.driver.execute_script(
        "document.querySelector('.groups th.number button').focus()"
    )
    store.run("insert", "Product", "title=x", "price=1", "country=Peru")
    page.find(".groups th", "Peru")
    assert page.focused().text == "count(*)"


def test_long_numbers_are_exact(page, make_store, serve):
    store = make_store("People")
    store.run("insert", "City", "name=Large", "population=9007199254740993")
    page.open(
        serve(store),
        '#/0/groups/City?by=name&select=max(population)&where=name IN {"Large", "Taipei"}',
    )
    page.wait_texts(".groups .figure", ["9007199254740993", "2,494,813"])
    assert page.all(".bar rect")
