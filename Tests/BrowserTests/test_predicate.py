"""Tests of the field for a predicate: completion, marks under errors, explain."""

import pytest
from selenium.webdriver.common.keys import Keys

FIELD = ".predicate-input"


@pytest.fixture
def field(page, addresses):
    page.open(addresses["Company"], "#/0/groups/Employee")
    page.find(".groups")
    return page


def marks(page):
    return page.texts(".predicate-mirror mark")


def test_tab_takes_the_first_candidate(field):
    field.type(FIELD, "sal")
    assert field.find("[role=option]").text.split() == ["salary", "Decimal"]
    field.press(Keys.TAB)
    assert field.value(FIELD) == "salary"
    field.gone("[role=listbox]")
    assert field.focused().get_attribute("role") == "combobox"


def test_arrows_choose_along_a_key_path(field):
    field.type(FIELD, "department.")
    field.find("[role=option]", "floor")
    field.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    active = field.find("[role=option][aria-selected=true]")
    assert active.text.split() == ["name", "String"]
    assert field.focused().get_attribute(
        "aria-activedescendant"
    ) == active.get_attribute("id")
    field.press(Keys.ENTER)
    assert field.value(FIELD) == "department.name"
    assert "where" not in field.fragment, "Enter in the list does not submit"


def test_escape_closes_the_list_and_control_space_opens_it(field):
    field.type(FIELD, "age ")
    field.chord(Keys.CONTROL, " ")
    field.find("[role=option]", "BETWEEN")
    assert field.focused().get_attribute("aria-expanded") == "true"
    field.press(Keys.ESCAPE)
    field.gone("[role=listbox]")
    assert field.value(FIELD) == "age "
    assert field.focused().get_attribute("aria-expanded") == "false"


def test_the_end_of_an_earlier_request_does_not_close_the_list(field):
    """The first request for completions waits until the next one aborts it."""
    field.driver.execute_script(
        "const real = window.fetch; window.fetch = (url, options) => {"
        "  if (window.isHeld || !options?.body?.includes('page-complete')) return real(url, options);"
        "  window.isHeld = true;"
        "  return new Promise((_, refuse) => options.signal.addEventListener('abort', () => refuse(options.signal.reason)));"
        "}"
    )
    field.type(FIELD, "s")
    field.wait(lambda: field.driver.execute_script("return window.isHeld"), "no request")
    field.type(FIELD, "al")
    assert field.find("[role=option]").text.split() == ["salary", "Decimal"]


def test_tab_leaves_where_there_is_nothing_to_complete(field):
    field.type(FIELD, "age > 30 ")
    field.gone("[role=listbox]")
    field.press(Keys.TAB)
    assert field.focused().text == "Apply"


def test_a_click_takes_a_candidate(field):
    field.type(FIELD, "hir")
    field.click("[role=option]", "hiredAt")
    assert field.value(FIELD) == "hiredAt"
    assert field.focused().get_attribute("role") == "combobox"


def test_all_mistakes_are_marked_at_their_places(field):
    field.type(FIELD, 'nmae == "x" AND agee > 3', Keys.ESCAPE)
    field.wait_texts(".predicate-mirror mark", ["nmae", "agee"])
    assert "did you mean 'name'?" in field.find(".predicate-faults").text
    assert field.find(FIELD).get_attribute("aria-invalid") == "true"


def test_marks_stand_under_the_letters_beyond_the_basic_plane(field):
    """A bell is one Unicode scalar, but two UTF-16 units in JavaScript."""
    field.driver.execute_script(
        "const f = document.querySelector(arguments[0]); f.focus(); f.value = arguments[1];"
        "f.dispatchEvent(new Event('input'))",
        FIELD,
        'name == "🔔🔔" AND agee > 3',
    )
    field.wait_texts(".predicate-mirror mark", ["agee"])
    field.click(".predicate-fault .link")
    assert (
        field.driver.execute_script(
            "const f = document.activeElement; return f.value.slice(f.selectionStart, f.selectionEnd)"
        )
        == "agee"
    )


def test_the_mark_is_where_the_letters_are(field):
    """The letters of the text under the field have the same positions as in the field, scrolled or not."""
    text = "name == '" + "x" * 300 + "' AND agee > 3"
    field.type(FIELD, text, Keys.ESCAPE)
    field.wait_texts(".predicate-mirror mark", ["agee"])
    mark, box, shift = field.driver.execute_script(
        "const m = document.querySelector('.predicate-mirror mark').getBoundingClientRect();"
        "const f = document.querySelector(arguments[0]);"
        "return [m.right, f.getBoundingClientRect().right, f.scrollLeft]",
        FIELD,
    )
    assert shift > 0
    assert 0 < box - mark < 80


def test_what_is_not_yet_written_is_no_mistake(field):
    field.type(FIELD, "age > ")
    field.find(".predicate-fault.note", "found the end of the text")
    assert marks(field) == []
    assert field.find(FIELD).get_attribute("aria-invalid") == "false"
    field.press(Keys.ESCAPE, Keys.ENTER)
    field.find(".predicate-fault.error", "found the end of the text")


def test_enter_asks_and_back_goes_back(field):
    field.type(FIELD, "age > 50", Keys.ESCAPE, Keys.ENTER)
    field.wait_texts(".groups td.number .figure", ["3"])
    assert "where=age" in field.fragment
    field.driver.back()
    field.wait_texts(".groups td.number .figure", ["13"])
    assert field.value(FIELD) == ""


def test_a_variable_has_no_value_here(field):
    field.type(FIELD, "name == $WHO")
    field.find(".predicate-fault", "$WHO has no value here")


def test_explain_shows_sql_plan_and_indexes(field):
    field.type(FIELD, 'department.name == "Research"', Keys.ESCAPE)
    button = field.find("button", "Explain")
    button.click()
    panel = field.find(".explain", "SELECT")
    assert "?1 = 'Research'" in panel.text
    assert "ZEMPLOYEE_ZDEPARTMENT_INDEX" in panel.text
    assert "SCAN" in panel.text and "reads every row" in panel.text
    assert button.get_attribute("aria-expanded") == "true"
    field.type(FIELD, "age > 30", over=True)
    field.wait(
        lambda: "?1 = 30" in field.find(".explain").text,
        "the explanation follows the text",
    )
    button.click()
    field.gone(".explain")
