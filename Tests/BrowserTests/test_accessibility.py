"""Tests that axe-core doesn't find serious violations in any view, light or dark, wide or narrow."""

import pathlib

import axe_core_python
import pytest

AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()

VIEWS = {
    "entities": ("Company", "#/0/entities", "table.entities"),
    "rows": ("Company", "#/0/rows/Employee", ".grid-row"),
    "rows-mistake": ("Company", "#/0/rows/Employee?where=agee > 3", ".predicate-fault.error"),
    "row": ("Company", "#/0/row/Employee/p1", ".values"),
    "diagram": ("Company", "#/0/diagram", ".diagram svg"),
    "templates": (
        "People",
        "#/0/templates/peopleBornBetween?$FROM=1980-01-01T00:00&$UNTIL=1995-01-01T00:00&run=1",
        ".result [role=row]",
    ),
    "groups": (
        "Shop",
        "#/0/groups/Product?by=country&select=count(*)&select=sum(price)",
        ".groups",
    ),
    "groups-mistake": (
        "Shop",
        "#/0/groups/Product?by=country&where=prise > 3",
        ".predicate-fault.error",
    ),
    "sections": ("Company", "#/0/sections/Employee?by=department.name", ".section"),
    "history": ("Todo", "#/0/history", ".empty"),
    "migration": ("Journal", "#/0/migration?to=Journal 2", ".run"),
    "verify": ("Company", "#/0/verify", ".empty"),
}


def serious_faults(page):
    page.driver.execute_script(AXE)
    result = page.driver.execute_async_script("axe.run().then(arguments[0])")
    return [
        f"{fault['id']}: {node['target']} {node.get('failureSummary', '')}"
        for fault in result["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_no_serious_fault(page, addresses, view, scheme):
    store, fragment, ready = VIEWS[view]
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    width = 420 if scheme == "dark" else 1280
    page.driver.set_window_size(width, 900)
    try:
        page.open(addresses[store], fragment)
        page.find(ready)
        assert serious_faults(page) == []
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        page.driver.set_window_size(1280, 900)


def test_nothing_moves_where_that_is_not_wanted(page, addresses):
    page.open(addresses["Company"], "#/0/sections/Employee?by=department.name")
    page.find(".section")
    motion = (
        "const row = document.querySelector('.section tr:last-child');"
        "row.className = 'inserted'; return getComputedStyle(row).animationName"
    )
    assert page.driver.execute_script(motion) == "changed"
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
    )
    try:
        assert page.driver.execute_script(motion) == "none"
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
