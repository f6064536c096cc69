"""Tests of fetch request templates: a form with types for the variables, the rows, explain."""

from urllib.parse import unquote_plus

from selenium.webdriver.common.keys import Keys


def test_the_models_templates_are_listed(page, addresses):
    page.open(addresses["People"], "#/0/templates")
    page.click(".template-list a", "peopleInCity")
    page.find(".variable", "$CITY")
    assert page.find(".variable .type").text == "String"
    assert page.find(".template-list [aria-current]").text.startswith("peopleInCity")


def test_a_text_finds_rows_and_stands_in_the_address(page, addresses):
    page.open(addresses["People"], "#/0/templates/peopleFR")
    page.type(".variable input", "Ray", Keys.ENTER)
    page.wait_texts(".result [role=rowheader] a", ["1", "12"])
    assert unquote_plus(page.fragment) == "#/0/templates/peopleFR?$NAME=Ray&run=1"
    page.type(".variable input", "Zoë Baumgärtner", Keys.ENTER, over=True)
    page.wait_texts(".result [role=rowheader] a", ["2"])
    page.driver.back()
    page.wait_texts(".result [role=rowheader] a", ["1", "12"])
    assert page.value(".variable input") == "Ray"


def test_the_command_has_the_values(page, addresses):
    page.open(addresses["People"], "#/0/templates/peopleFR?$NAME=Ray's&run=1")
    page.find(".result .summary", "0 rows")
    page.click(".command summary")
    assert page.find(".command code").text.startswith(
        "storetool apply-template peopleFR 'NAME=Ray'\\''s' --store="
    )


def test_dates_have_a_picker_and_are_utc(page, addresses):
    page.open(
        addresses["People"],
        "#/0/templates/peopleBornBetween?$FROM=1990-01-01T00:00:00&$UNTIL=1992-01-01T00:00:00&run=1",
    )
    page.wait_texts(".result [role=rowheader] a", ["2", "4"])
    assert page.find(".variable input").get_attribute("type") == "datetime-local"
    assert page.find(".variable", "UTC")


def test_a_missing_value_is_told_at_its_field(page, addresses):
    page.open(addresses["People"], "#/0/templates/peopleBornBetween")
    page.click("button", "Run")
    page.wait_texts(".field-fault", ["A value is required", "A value is required"])
    assert page.focused().get_attribute("aria-invalid") == "true"


def test_a_wrong_value_is_told_while_it_is_typed(page, addresses):
    page.open(addresses["People"], "#/0/templates/sociablePeople")
    page.type(".variable input", "3.5")
    page.find(".field-fault", "'COUNT' takes an Integer 64, not '3.5'")
    page.type(".variable input", "2", over=True)
    page.gone(".field-fault")
    page.press(Keys.ENTER)
    page.find(".result .summary", "rows")


def test_a_list_and_an_expression(page, addresses):
    page.open(addresses["People"], "#/0/templates/peopleWithNumbers")
    page.type(".variable input", "1, 3", Keys.ENTER)
    page.wait_texts(".result [role=rowheader] a", ["1", "3"])
    page.click(".switch input")
    assert page.value(".variable-input input") == "{1, 3}"
    page.type(".variable-input input", "{2, 1 + 3}", Keys.ENTER, over=True)
    page.wait_texts(".result [role=rowheader] a", ["2", "4"])
    assert "$NUMBERS:={2, 1 + 3}" in unquote_plus(page.fragment)


def test_a_fetched_property_takes_an_object(page, addresses):
    page.open(addresses["Company"], "#/0/templates/Employee.colleagues")
    field = page.find(".variable-input input")
    field.click()
    page.wait(
        lambda: (
            page.driver.execute_script(
                "return document.querySelectorAll('datalist option').length"
            )
            == 13
        ),
        "13 rows to choose from",
    )
    field.send_keys("Employee/p10", Keys.ENTER)
    page.wait_texts(".result [role=rowheader] a", ["11"])


def test_without_variables_the_rows_come_at_once(page, addresses):
    page.open(addresses["Company"], "#/0/templates/unassignedEmployees")
    page.find(".result .summary", "0 rows")


def test_a_refinement_knows_the_variables(page, addresses):
    page.open(addresses["People"], "#/0/templates/peopleMatching?$TEXT=ray&run=1")
    page.wait_texts(".result [role=rowheader] a", ["1", "11", "12"])
    page.type(".predicate-input", "nickname ==[c] $T")
    assert page.find("[role=option]").text.split() == ["TEXT", "String"]
    page.press(Keys.TAB)
    assert page.value(".predicate-input") == "nickname ==[c] $TEXT"
    page.type(
        ".predicate-input",
        'email BEGINSWITH "sugar"',
        Keys.ESCAPE,
        Keys.ENTER,
        over=True,
    )
    page.wait_texts(".result [role=rowheader] a", ["12"])
    assert 'where=email BEGINSWITH "sugar"' in unquote_plus(page.fragment)
    page.type(".predicate-input", "emial == nil", Keys.ESCAPE, Keys.ENTER, over=True)
    page.wait_texts(".predicate-mirror mark", ["emial"])


def test_explain(page, addresses):
    page.open(addresses["People"], "#/0/templates/peopleFR?$NAME=Ray")
    page.click("button", "Explain")
    assert "Z_Person_byName" in page.find(".explain", "SELECT").text
