"""Tests of the diagram of a model: links, moving, zooming, and the filter of its SVG."""

import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


def view_box(page):
    page.find(".diagram svg")
    return [
        float(one)
        for one in page.driver.execute_script(
            "return document.querySelector('.diagram svg').getAttribute('viewBox')"
        ).split()
    ]


def test_an_entity_leads_to_its_rows(page, addresses):
    page.open(addresses["Company"], "#/0/diagram")
    page.find(".diagram svg")
    labels = page.driver.execute_script(
        "return [...document.querySelectorAll('.entity-link')].map(a => a.getAttribute('aria-label'))"
    )
    assert sorted(labels) == [
        "Rows of Department",
        "Rows of Employee",
        "Rows of Manager",
    ]
    link = page.find(".entity-link", "budget")
    ActionChains(page.driver).move_to_element(link).click().perform()
    page.wait(lambda: page.fragment == "#/0/rows/Manager", "the rows of Manager")


def test_keys_move_and_zoom(page, addresses):
    page.open(addresses["Company"], "#/0/diagram")
    before = view_box(page)
    page.driver.execute_script("document.querySelector('.diagram').focus()")
    page.press(Keys.ARROW_RIGHT)
    moved = view_box(page)
    assert moved[0] > before[0] and moved[2:] == before[2:]
    page.press("+")
    assert view_box(page)[2] < moved[2]
    page.press("0")
    assert view_box(page) == before


def test_the_mouse_moves_and_does_not_follow_a_link(page, addresses):
    page.open(addresses["Company"], "#/0/diagram")
    before = view_box(page)
    link = page.find(".entity-link", "budget")
    ActionChains(page.driver).move_to_element(link).click_and_hold().move_by_offset(
        80, 40
    ).move_by_offset(20, 10).release().perform()
    after = view_box(page)
    scale = float(page.find(".zoom").text.split()[0]) / 100
    assert round((before[0] - after[0]) * scale) == 100
    assert round((before[1] - after[1]) * scale) == 50
    assert page.fragment == "#/0/diagram"


def test_the_wheel_keeps_what_is_under_the_pointer(page, addresses):
    page.open(addresses["Company"], "#/0/diagram")
    page.find(".entity-link")
    title = "return (r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('.entity-link [font-weight=bold]').getBoundingClientRect())"
    x, y = page.driver.execute_script(title)
    zoomed = page.find(".zoom").text
    page.driver.execute_script(
        "document.querySelector('.diagram').dispatchEvent(new WheelEvent('wheel', { deltaY: -200, clientX: arguments[0], clientY: arguments[1], cancelable: true }))",
        x,
        y,
    )
    assert page.find(".zoom").text != zoomed
    now = page.driver.execute_script(title)
    assert abs(now[0] - x) < 1 and abs(now[1] - y) < 1


def test_tab_goes_from_entity_to_entity_and_brings_them_into_sight(page, addresses):
    page.open(addresses["Company"], "#/0/diagram")
    page.find(".entity-link")
    page.driver.execute_script("document.querySelector('.diagram').focus()")
    for _ in range(8):
        page.press("+")
    page.press(Keys.TAB)
    assert page.focused().tag_name == "a"
    inside = page.driver.execute_script(
        "const a = document.activeElement.getBoundingClientRect(), f = document.querySelector('.diagram').getBoundingClientRect();"
        "return a.left < f.right && a.right > f.left && a.top < f.bottom && a.bottom > f.top"
    )
    assert inside


HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="alert(1)" style="x">
<script>alert(1)</script><style>* { fill: red }</style><foreignObject><b>x</b></foreignObject>
<a xlink:href="javascript:alert(1)"><rect width="1" height="2" onclick="alert(1)" fill="url(#x)" class="kept"/></a>
<image href="http://example.com/x.png"/><text x='1'>&lt;b&gt; &amp;&#65;&#x1F514;</text></svg>"""


def read_svg(page, text):
    return page.driver.execute_async_script(
        "const [text, done] = [arguments[0], arguments[1]];"
        "import('./parts/svg-reader.js').then(({ readSVG }) => { try { done(readSVG(text).outerHTML) } catch (e) { done(e.name + ': ' + e.message) } })",
        text,
    )


def test_only_what_a_picture_needs_is_let_through(page, addresses):
    page.open(addresses["Company"], "#/0/diagram")
    page.find(".diagram svg")
    assert read_svg(page, HOSTILE) == (
        '<svg viewBox="0 0 10 10"><rect width="1" height="2" class="kept"></rect><text x="1">&lt;b&gt; &amp;A🔔</text></svg>'
    )


def test_what_is_not_closed_is_refused(page, addresses):
    page.open(addresses["Company"], "#/0/diagram")
    page.find(".diagram svg")
    for text in [
        "<svg><g></svg>",
        "<svg",
        "<svg a=b></svg>",
        "plain",
        "<g></g>",
        "<svg></svg></g>",
        '<svg a="<"></svg>',
    ]:
        assert read_svg(page, text).startswith("SyntaxError"), json.dumps(text)


def test_two_fingers_zoom(page, addresses):
    page.open(addresses["Company"], "#/0/diagram")
    before = view_box(page)
    x, y = page.driver.execute_script(
        "return (r => [r.x + r.width / 2, r.y + r.height - 40])(document.querySelector('.diagram').getBoundingClientRect())"
    )
    for kind, apart in [("touchStart", 40), ("touchMove", 60), ("touchMove", 80)]:
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
        page.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
        )
    page.driver.execute_cdp_cmd(
        "Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}
    )
    page.wait(
        lambda: 1.8 < before[2] / view_box(page)[2] < 2.2,
        lambda: f"{before} {view_box(page)}",
    )
