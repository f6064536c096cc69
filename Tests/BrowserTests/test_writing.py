"""Tests of writing, which always follows a dry run, and which requires --write."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def company(make_store, serve):
    store = make_store("Company")
    return store, serve(store, "--write")


def fetch(store, entity, *words):
    return store.run("fetch", entity, *words, "--format", "csv", "--no-header").split()


def test_nothing_is_offered_without_write(page, addresses):
    page.open(addresses["Company"], "#/0/rows/Employee")
    page.find(".badge", "Read only")
    page.find(".summary", "13 rows")
    assert not [text for text in page.texts("main button, main a.button") if text.endswith("…")]
    page.open(addresses["Company"], "#/0/insert/Employee")
    page.find(".failure", "--write")


def test_a_value_is_edited(page, company):
    store, address = company
    page.open(address, "#/0/row/Employee/p1")
    page.click("button", "Edit")
    field = next(one for one in page.all(".editor .variable") if one.text.startswith("age"))
    box = field.find_element(By.CSS_SELECTOR, "input[type=number]")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys("99999")
    page.click(".editor button", "Continue")
    page.wait(lambda: "whole number" in field.text, lambda: f"the mistake stands at its field: {field.text}")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys("37")
    page.click(".editor button", "Continue")
    page.find(".dialog", "1 row matches, 1 would change.")
    assert page.texts(".dialog li") == ["age=37 (now 36)"], "no other value is written"
    assert "--dry-run" not in page.texts(".dialog")[0]
    assert fetch(store, "Employee", "--where", "name == 'Ada Lindqvist'", "--select", "age") == ["36"]
    page.click(".dialog button", "Write it")
    page.gone(".dialog")
    page.find(".values dd", "37")
    assert fetch(store, "Employee", "--where", "name == 'Ada Lindqvist'", "--select", "age") == ["37"]


def test_a_date_is_edited_and_one_too_fine_for_a_picker_stays(page, company):
    store, address = company
    store.run("batch-update", "Employee", "--where", "age == 29", "hiredAt=2021-03-15T10:00:00.123456Z")
    page.open(address, "#/0/row/Employee/p2")
    page.click("button", "Edit")
    field = next(one for one in page.all(".editor .variable") if one.text.startswith("hiredAt"))
    box = field.find_element(By.CSS_SELECTOR, "input:not([type=checkbox])")
    assert box.get_property("value") == "2021-03-15T10:00:00.123456"
    page.open(address, "#/0/row/Employee/p1")
    page.click("button", "Edit")
    field = next(one for one in page.all(".editor .variable") if one.text.startswith("hiredAt"))
    box = field.find_element(By.CSS_SELECTOR, "input[type=datetime-local]")
    page.driver.execute_script("arguments[0].value = '2020-02-29T23:30:15'", box)
    page.click(".editor button", "Continue")
    page.find(".dialog li", "hiredAt=2020-02-29T23:30:15")
    page.click(".dialog button", "Write it")
    page.gone(".dialog")
    page.find(".values dd", "2020-02-29 23:30:15")


def test_half_a_date_is_no_date(page, company):
    """Without a month, the browser returns an empty value, which could be mistaken for NULL."""
    store, address = company
    page.open(address, "#/0/row/Employee/p1")
    page.click("button", "Edit")
    field = next(one for one in page.all(".editor .variable") if one.text.startswith("hiredAt"))
    field.find_element(By.CSS_SELECTOR, "input[type=datetime-local]").send_keys(Keys.BACKSPACE)
    page.click(".editor button", "Continue")
    page.find(".field-fault", "This value is incomplete.")
    assert not page.all(".dialog")
    page.open(address, "#/0/insert/Employee")
    page.find(".editor .variable")
    field = next(one for one in page.all(".editor .variable") if one.text.startswith("hiredAt"))
    field.find_element(By.CSS_SELECTOR, "input[type=datetime-local]").send_keys("05")
    page.click(".editor button", "Continue")
    page.find(".field-fault", "This value is incomplete.")


def test_cancel_shows_what_has_been_written_meanwhile(page, company):
    store, address = company
    page.open(address, "#/0/row/Employee/p1")
    page.click("button", "Edit")
    store.run("batch-update", "Employee", "age=61", "--where", 'SELF == "x-coredata:///Employee/p1"')
    page.click(".editor button", "Cancel")
    page.find(".values dd", "61")


def test_what_a_new_row_gets_by_default(page, company):
    store, address = company
    page.open(address, "#/0/insert/Employee")
    page.find(".editor .variable")
    texts = page.texts(".editor .variable")
    assert any(text.startswith("age") and "(default 18)" in text for text in texts)
    assert any(text.startswith("name") and "(required)" in text for text in texts)


def test_a_destination_is_named_by_its_key(page, make_store, serve):
    """A team's name is unique, so a command would take the text 'Team/p2' for a name. The page sends the URI."""
    store = make_store("League")
    page.open(serve(store, "--write"), "#/0/row/Player/p1")
    page.click("button", "Edit")
    field = next(one for one in page.all(".editor .variable") if one.text.startswith("team"))
    box = field.find_element(By.CSS_SELECTOR, "input[type=text]")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys("Team/p2")
    page.click(".editor button", "Continue")
    page.find(".dialog li", "team=x-coredata:///Team/p2")
    page.click(".dialog button", "Write it")
    page.gone(".dialog")
    page.find(".examples a", "Team/p2")


def test_properties_to_change_can_be_left_out_again(page, company):
    store, address = company
    page.open(address, "#/0/rows/Employee?where=age > 40")
    page.find(".grid-row")
    page.click("button", "Change these")
    page.find(".dialog", "Where age > 40")
    page.click(".dialog button", "Continue")
    page.find(".dialog .field-fault", "Add at least one property")
    page.choose(page.find(".dialog select"), "salary")
    page.click(".dialog button", "Add")
    page.click(".dialog .variable button")
    page.gone(".dialog .variable")
    page.press(Keys.ESCAPE)
    page.gone(".dialog")


def test_a_row_is_inserted(page, company):
    store, address = company
    page.open(address, "#/0/rows/Department")
    page.click("a.button", "Insert")
    page.find("h1", "New Department")
    page.click(".editor button", "Continue")
    page.find(".field-fault", "'name' requires a value")
    field = next(one for one in page.all(".editor .variable") if one.text.startswith("name"))
    field.find_element(By.CSS_SELECTOR, "textarea").send_keys("Garage")
    page.click(".editor button", "Continue")
    page.find(".dialog", "name=Garage")
    assert "Garage" not in fetch(store, "Department", "--select", "name")
    page.click(".dialog button", "Write it")
    page.find("h1", "Department/p6")
    assert "Garage" in fetch(store, "Department", "--select", "name")


def test_rows_are_changed_together(page, company):
    store, address = company
    page.open(address, "#/0/rows/Employee?where=age > 40")
    page.find(".grid-row")
    page.change_these("salary", "5")
    page.find(".dialog", "would change")
    assert "5" not in fetch(store, "Employee", "--select", "salary")
    page.click(".dialog button", "Write it")
    page.gone(".dialog")
    assert set(fetch(store, "Employee", "--where", "age > 40", "--select", "salary")) == {"5"}
    assert "5" not in fetch(store, "Employee", "--where", "age <= 40", "--select", "salary")


def test_delete_rules_are_shown_first(page, company):
    store, address = company
    page.open(address, "#/0/row/Department/p1")
    page.click("button", "Delete")
    page.find(".dialog .failure", "the Deny rule of 'Department.employees' prevents the deletion")
    assert not page.find(".dialog button.danger").is_enabled()
    page.click(".dialog button", "Cancel")
    page.open(address, "#/0/rows/Employee?where=age < 30")
    page.find(".grid-row")
    page.click("button", "Delete these")
    page.find(".dialog .consequences")
    page.click(".dialog button.danger", "Delete")
    page.find(".summary", "0 rows")
    assert fetch(store, "Employee", "--where", "age < 30", "--count") == ["0"]


def consequences(page):
    page.find(".dialog .consequences")
    rows = page.texts(".dialog .consequences td")
    return [tuple(rows[start : start + 3]) for start in range(0, len(rows), 3)]


def test_what_goes_along_is_shown_with_its_rule(page, make_store, serve):
    page.open(serve(make_store("BubbleTea"), "--write"), "#/0/row/Venue/p1")
    page.click("button", "Delete")
    assert sorted(consequences(page)) == [
        ("1", "Category is deleted", "Venue.categories: Cascade"),
        ("1", "Location is deleted", "Venue.location: Cascade"),
        ("1", "PriceInfo is deleted", "Venue.priceInfo: Cascade"),
        ("1", "Stats is deleted", "Venue.stats: Cascade"),
        ("1", "Venue is deleted", ""),
    ]


def test_what_becomes_null_is_shown_with_its_rule(page, make_store, serve):
    address = serve(make_store("People"), "--write")
    page.open(address, "#/0/row/City/p1")
    page.click("button", "Delete")
    assert consequences(page) == [("1", "City is deleted", ""), ("3", "Person.city becomes NULL", "City.people: Nullify")]
    page.open(address, '#/0/rows/Person?where=name == "Ray"')
    page.find(".grid-row")
    page.click("button", "Delete these")
    assert consequences(page) == [("2", "Person is deleted", ""), ("4", "a member is removed from Group.members", "Person.groups: Nullify")]


def test_nothing_to_do_is_not_done(page, company):
    page.open(company[1], "#/0/rows/Employee?where=age > 200")
    page.find(".summary", "0 rows")
    page.click("button", "Delete these")
    page.find(".dialog p", "no rows would be deleted")
    assert not page.find(".dialog button.danger").is_enabled()
    page.click(".dialog button", "Cancel")
    page.open(company[1], "#/0/row/Department/p1")
    page.click(".members summary")
    page.type(".members input", "Employee/p1")
    page.click(".members button", "Link")
    page.find(".dialog p", "No links would change.")
    assert not page.find(".dialog button", "Write it").is_enabled()


def test_members_are_linked(page, company):
    store, address = company
    page.open(address, "#/0/row/Department/p2")
    page.click(".members summary")
    page.type(".members input", "Employee/p1")
    page.click(".members button", "Link")
    page.wait_texts(".dialog .dry-run > p", ["1 link would be created.", "1 existing link would be replaced."])
    page.click(".dialog button", "Write it")
    page.gone(".dialog")
    page.find(".examples a", "Employee/p1")
    page.find(".examples .row-name", "Ada Lindqvist")
    where = "name == 'Ada Lindqvist'"
    assert fetch(store, "Employee", "--where", where, "--select", "department")[0].endswith("/p2")


def test_what_is_typed_stays_when_another_writes(page, company):
    store, address = company
    page.open(address, "#/0/row/Department/p2")
    page.click(".members summary")
    page.type(".members input", "Employee/p")
    store.run("batch-update", "Department", "name=Elsewhere", "--where", 'SELF == "x-coredata:///Department/p2"')
    page.open_second(address, "#/0/row/Department/p2")
    page.find(".values dd", "Elsewhere")
    page.close_second()
    page.type(".members input", "1")
    assert page.value(".members input") == "Employee/p1"
    page.click(".members summary")
    store.run("batch-update", "Department", "name=Nowhere", "--where", 'SELF == "x-coredata:///Department/p2"')
    page.find(".values dd", "Nowhere")


def test_what_was_not_shown_is_not_changed(page, company):
    """Another process writes between the dry run and the confirmation."""
    store, address = company
    page.open(address, "#/0/rows/Employee?where=age < 30")
    page.find(".grid-row")
    page.click("button", "Delete these")
    assert consequences(page) == [("4", "Employee is deleted", "")]
    store.run("insert", "Employee", "name=Newcomer", "age=19")
    page.click(".dialog button.danger", "Delete")
    page.find(".dialog .failure", "5 rows would be deleted, but 4 were expected")
    assert fetch(store, "Employee", "--count") == ["14"]
    page.click(".dialog button", "Try again")
    page.wait(lambda: consequences(page) == [("5", "Employee is deleted", "")], "it is counted again")
    page.click(".dialog button.danger", "Delete")
    page.find(".summary", "0 rows")
    assert fetch(store, "Employee", "--count") == ["9"]
