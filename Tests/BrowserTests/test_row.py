"""Tests of the view of one row: values of every kind, relationships in both directions, its command."""

import base64
import plistlib
import struct
import subprocess
import zlib

import pytest

from conftest import TOOL
from test_accessibility import serious_faults

MODEL = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="Album" representedClassName="Album" syncable="YES">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="photos" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Photo" inverseName="album" inverseEntity="Photo"/>
    </entity>
    <entity name="Photo" representedClassName="Photo" syncable="YES">
        <attribute name="image" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="tags" optional="YES" attributeType="Transformable"/>
        <attribute name="text" optional="YES" attributeType="Binary"/>
        <attribute name="views" optional="YES" attributeType="Integer 64"/>
        <relationship name="album" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Album" inverseName="photos" inverseEntity="Album"/>
    </entity>
</model>
"""


def png():
    """Returns a PNG with four red pixels."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0\xff\0\0" * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def base64_of(data):
    return base64.b64encode(data).decode()


class Album:
    def __init__(self, folder):
        self.model = folder / "Album.xcdatamodel"
        self.model.mkdir()
        (self.model / "contents").write_text(MODEL)
        self.path = folder / "Album.sqlite"
        self.run("create", str(self.path))
        self.run("insert", "Album", "title=Sea")
        tags = plistlib.dumps({"tags": ["beach", "dog"], "stars": 4}, fmt=plistlib.FMT_BINARY)
        self.run(
            "insert", "Photo", "image=" + base64_of(png()), "tags=" + base64_of(tags),
            "text=" + base64_of(b'{"a": [1, 2]}'), "views=9007199254740993", 'album:=(title == "Sea")')
        for number in range(29):
            self.run("insert", "Photo", f"views={number}", 'album:=(title == "Sea")')

    def run(self, *words):
        place = [] if words[0] == "create" else ["--store", str(self.path)]
        done = subprocess.run([TOOL, *words, *place, "--model", str(self.model)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def album(tmp_path_factory, serve):
    store = Album(tmp_path_factory.mktemp("album"))
    return store, serve(store, "--write")


def test_images_are_shown_in_the_table_and_in_the_row(page, album):
    for fragment in ["#/0/rows/Photo", "#/0/row/Photo/p1"]:
        page.open(album[1], fragment)
        drawn = "return [...document.querySelectorAll('main img')].map(i => [i.naturalWidth, i.alt, i.src.slice(0, 5)])"
        page.wait(
            lambda drawn=drawn: page.driver.execute_script(drawn) == [[2, "Image in image", "blob:"]], "it is drawn")


def test_plain_data_is_json(page, album):
    page.open(album[1], "#/0/row/Photo/p1")
    page.find(".preview pre", '"beach"')
    page.find(".preview pre", '"a": [')
    page.find(".values dd", "9007199254740993")


def test_relationships_lead_both_ways(page, album):
    page.open(album[1], "#/0/row/Photo/p1")
    page.click(".examples a", "Album/p1")
    page.find("h1", "Album/p1")
    page.click(".links a", "All 30 members")
    page.find("h1", "Photo")
    page.find(".summary", "30 rows")
    assert page.value(".predicate-input") == 'album == "x-coredata:///Album/p1"'
    page.driver.back()
    page.find("h1", "Album/p1")
    page.click(".examples a", "Photo/p2")
    page.find("h1", "Photo/p2")


def test_a_row_that_is_gone(page, album):
    page.open(album[1], "#/0/row/Photo/p99")
    page.find(".failure", "p99")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forms_and_dialogs_have_no_serious_fault(page, album, scheme):
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        page.open(album[1], "#/0/insert/Photo")
        page.find(".editor")
        assert serious_faults(page) == []
        page.open(album[1], "#/0/row/Album/p1")
        page.click("button", "Edit")
        page.find(".editor")
        assert serious_faults(page) == []
        page.click(".editor button", "Cancel")
        page.click("button", "Delete")
        page.find(".dialog .consequences")
        assert serious_faults(page) == []
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_command_is_copied(page, album):
    page.open(album[1], "#/0/row/Photo/p2")
    page.find(".values")
    page.driver.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    page.click("button.copy")
    page.find("button.copy", "Copied")
    text = page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))")
    assert text.startswith("storetool show Photo/p2 --members=20 --store=")


def test_where_the_clipboard_is_not_for_us(page, album):
    """The page shows and selects the command, so that the user can copy it."""
    page.open(album[1], "#/0/row/Photo/p2")
    page.find(".values")
    page.driver.execute_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    page.click("button.copy")
    page.find(".command code", "storetool show Photo/p2")
    assert page.driver.execute_script("return getSelection().toString()").startswith("storetool show Photo/p2")
