"""Tests of forms: their fields, and that typed values aren't lost."""

import base64
import json

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import Store

PLACES = """<?xml version="1.0" encoding="UTF-8"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
    <entity name="Place" syncable="YES">
        <attribute name="name" attributeType="String" minValueString="2" maxValueString="40"/>
        <attribute name="note" optional="YES" attributeType="String" defaultValueString="none"/>
        <attribute name="picture" optional="YES" attributeType="Binary"/>
        <attribute name="position" optional="YES" attributeType="Composite" composite="Position"/>
        <attribute name="shown" transient="YES" optional="YES" attributeType="String"/>
    </entity>
    <composite name="Position">
        <attribute name="latitude" optional="YES" attributeType="Double" minValueString="-90" maxValueString="90"/>
        <attribute name="longitude" optional="YES" attributeType="Double"/>
    </composite>
</model>
"""


@pytest.fixture
def places(tmp_path, serve):
    path = tmp_path / "Places.xcdatamodeld/Places.xcdatamodel/contents"
    path.parent.mkdir(parents=True)
    path.write_text(PLACES)
    store = Store(tmp_path, path.parents[1].with_suffix(""))
    store.run("insert", "Place", "name=Uppsala", "position.latitude=59.86")
    return store, serve(store, "--write")


def field(page, name):
    return page.wait(
        lambda: next((one for one in page.all(".variable") if one.text.split()[0] == name), None),
        lambda: f"no field {name}: {page.texts('.variable')}",
    )


def box(page, name):
    return field(page, name).find_element(By.CSS_SELECTOR, ".variable-input :is(input, textarea, select)")


def switch(page, name, text):
    next(one for one in field(page, name).find_elements(By.CSS_SELECTOR, ".switch") if one.text == text).click()


def write(page):
    page.click("button[type=submit]", "Continue")
    confirm(page)


def confirm(page):
    page.click(".dialog button:enabled", "Write it")
    page.gone(".dialog")


def row(store, key):
    shown = json.loads(store.run("show", f"Place/p{key}", "--format", "json"))
    return {one["attribute"]: one["value"] for one in shown["attributes"]}


def test_what_a_form_can_say_of_a_new_row(page, places):
    store, address = places
    page.open(address, "#/0/insert/Place")
    field(page, "name")
    assert [one.split()[0] for one in page.texts(".variable")] == ["name", "note", "picture", "position.latitude", "position.longitude"]
    assert "at least 2 characters, at most 40 characters" in field(page, "name").text
    box(page, "name").send_keys("Lund")
    switch(page, "note", "NULL")
    switch(page, "note", "empty text")
    assert not box(page, "note").is_enabled()
    box(page, "position.latitude").send_keys("55.7")
    write(page)
    page.find("h1", "Place/p2")
    assert row(store, 2) == {
        "name": "Lund", "note": "", "picture": None, "position.latitude": 55.7, "position.longitude": None,
    }
    page.open(address, "#/0/insert/Place")
    box(page, "name").send_keys("Lund")
    switch(page, "note", "NULL")
    write(page)
    page.find("h1", "Place/p3")
    assert row(store, 3)["note"] is None


def test_a_file_becomes_a_value(page, places, tmp_path):
    store, address = places
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(bytes(range(256)) * 2000)
    large.write_bytes(bytes(800_000))
    page.open(address, "#/0/row/Place/p1")
    page.click("button", "Edit")
    switch(page, "picture", "NULL")
    box(page, "picture").send_keys(str(large))
    page.wait(lambda: "too large" in field(page, "picture").text, "the error is shown")
    box(page, "picture").send_keys(str(small))
    page.wait(lambda: "too large" not in field(page, "picture").text, "the error is removed")
    page.click("button[type=submit]", "Continue")
    (word,) = page.wait(lambda: page.texts(".dialog li"), "the value is shown")
    assert word.startswith("picture=AAECAwQF") and len(word) < 3000
    confirm(page)
    assert base64.b64decode(row(store, 1)["picture"]) == small.read_bytes()
    page.find(".values .preview")


def test_what_is_typed_is_there_again(page, places):
    _, address = places
    page.open(address, "#/0/insert/Place")
    box(page, "name").send_keys("Kiruna")
    switch(page, "note", "empty text")
    page.click("nav a", "Model")
    page.find("h1", "Model")
    page.driver.back()
    page.find("h1", "New Place")
    assert box(page, "name").get_property("value") == "Kiruna"
    assert not box(page, "note").is_enabled()
    page.driver.refresh()
    assert box(page, "name").get_property("value") == "Kiruna"
    page.find(".head button", "Copy command")
    page.click("a.button", "Cancel")
    page.find("h1", "Place")
    page.driver.back()
    assert box(page, "name").get_property("value") == "", "the input was discarded"


def test_an_edited_row_is_there_again(page, places):
    store, address = places
    page.open(address, "#/0/row/Place/p1")
    page.click("button", "Edit")
    box(page, "name").send_keys(Keys.CONTROL, "a")
    box(page, "name").send_keys("Umeå")
    page.click("nav a", "Model")
    page.find("h1", "Model")
    page.driver.back()
    assert box(page, "name").get_property("value") == "Umeå"
    write(page)
    page.find(".values dd", "Umeå")
    assert row(store, 1)["name"] == "Umeå"
    page.click("nav a", "Model")
    page.find("h1", "Model")
    page.driver.back()
    page.find(".values dd", "Umeå")
    assert not page.all(".editor"), "it is written"


def test_values_for_many_rows_stay_until_they_are_written(page, places):
    store, address = places
    page.open(address, "#/0/rows/Place")
    page.find(".grid-row")
    page.change_these("position.latitude", "91")
    page.wait(lambda: "90" in field(page, "position.latitude").find_element(By.CSS_SELECTOR, ".field-fault").text, "an error")
    box(page, "position.latitude").send_keys(Keys.BACKSPACE)
    page.click(".dialog button", "Continue")
    page.find(".dialog", "1 row matches, 1 would change.")
    page.press(Keys.ESCAPE)
    page.gone(".dialog .dry-run")
    assert box(page, "position.latitude").get_property("value") == "9"
    page.click(".dialog button", "Continue")
    confirm(page)
    assert row(store, 1)["position.latitude"] == 9


def test_elements_of_a_composite_are_columns(page, places):
    _, address = places
    page.open(address, "#/0/rows/Place?columns=name,position.latitude")
    page.find(".grid-row", "59.86")
    page.open(address, "#/0/groups/Place?by=position.latitude")
    page.find("table", "59.86")
