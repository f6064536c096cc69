"""Tests of the page with the keyboard only, from the first view to a changed row."""

from selenium.webdriver.common.keys import Keys


def tab_to(page, css, text=None):
    """Presses Tab until an element has the focus."""
    for _ in range(60):
        page.press(Keys.TAB)
        focused = page.focused()
        if focused.is_displayed() and page.driver.execute_script("return arguments[0].matches(arguments[1])", focused, css):
            if text is None or text in focused.text:
                assert visible_focus(page), "the focus can be seen"
                return focused
    raise AssertionError(f"Tab does not lead to {css} {text or ''}")


def visible_focus(page):
    return page.driver.execute_script(
        "const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0")


def test_from_the_first_view_to_a_changed_row(page, make_store, serve):
    store = make_store("Company")
    page.open(serve(store, "--write"))
    page.find("table.entities a")
    tab_to(page, "table.entities a", "Employee")
    page.press(Keys.ENTER)
    page.find(".grid-row")
    tab_to(page, ".grid")
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    grid = page.find(".grid")
    page.wait(lambda: page.all(".grid-row.active"), "a row is active")
    assert grid.get_attribute("aria-activedescendant") == page.find(".active-cell").get_attribute("id")
    key = page.find(".grid-row.active .key").text
    page.press(Keys.ENTER)
    page.find("h1", f"Employee/p{key}")
    tab_to(page, "button", "Edit")
    page.press(Keys.ENTER)
    page.find(".editor")
    page.chord(Keys.CONTROL, "a")
    page.press("44", Keys.ENTER)
    page.find(".dialog", "would change")
    page.wait(lambda: page.focused().text == "Write it", "the button has the focus")
    page.press(Keys.ENTER)
    page.gone(".dialog")
    page.find(".values dd", "44")
    assert "44" in store.run("fetch", "Employee", "--select", "age")


def test_a_dialog_is_left_by_escape(page, make_store, serve):
    page.open(serve(make_store("Company"), "--write"), "#/0/row/Employee/p1")
    page.find("button", "Delete")
    tab_to(page, "button", "Delete")
    page.press(Keys.ENTER)
    page.find(".dialog")
    page.press(Keys.ESCAPE)
    page.gone(".dialog")


def test_the_first_key_leads_to_the_content(page, addresses):
    page.open(addresses["Company"])
    page.find("table.entities")
    page.press(Keys.TAB)
    assert page.focused().get_attribute("id") == "skip"
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused().get_attribute("id") == "main", "the content has the focus")


def test_the_ends_of_a_table(page, make_store, serve):
    store = make_store("Todo", data=["seed", "Item=3000", "--seed", "1"])
    page.open(serve(store), "#/0/rows/Item")
    page.find(".summary", "3,000 rows")
    tab_to(page, ".grid")
    page.chord(Keys.CONTROL, Keys.END)
    page.wait(lambda: page.texts(".grid-row.active .key") == ["3000"], "the last row")
    page.chord(Keys.CONTROL, Keys.HOME)
    page.wait(lambda: page.texts(".grid-row.active .key") == ["1"], "the first row")
    page.press(Keys.PAGE_DOWN)
    page.wait(lambda: page.texts(".grid-row.active .key") not in (["1"], []), "a page down")
    page.press(Keys.PAGE_UP)
    page.wait(lambda: page.texts(".grid-row.active .key") == ["1"], "a page up")
