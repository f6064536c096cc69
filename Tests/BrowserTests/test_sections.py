"""Tests of sections that change while another process writes."""


def heads(page):
    return page.texts(".section h2")


def test_sections_with_their_rows(page, addresses):
    page.open(
        addresses["Company"], "#/0/sections/Employee?by=department.name&sort=-age"
    )
    page.wait_texts(
        ".section h2",
        [
            "Kitchen 2 rows",
            "Legal & Compliance 2 rows",
            "Research 5 rows",
            "Sales 4 rows",
        ],
    )
    assert page.texts(".section:first-of-type th .object")[0] == "Employee/p10"
    assert page.find(".summary").text == "13 rows in 4 sections, live."


def test_another_process_updates_inserts_and_deletes(page, make_store, serve):
    store = make_store("Todo")
    page.open(serve(store), "#/0/sections/Item?by=done")
    page.wait_texts(".section h2", ["false 8 rows", "true 4 rows"])
    page.find(".section").click()

    store.run("batch-update", "Item", "done=true", "--where", 'name BEGINSWITH "Call"')
    page.wait_texts(".section h2", ["false 7 rows", "true 5 rows"])
    page.wait(
        lambda: "Just now: 1 moved." in page.find(".summary").text,
        "the summary reports the change",
    )

    store.run("insert", "Item", "name=Something new")
    page.find("tr.inserted", "Something new")
    page.wait_texts(".section h2", ["false 8 rows", "true 5 rows"])

    store.run("batch-delete", "Item", "--where", "done == true")
    page.wait_texts(".section h2", ["false 8 rows"])
    page.wait(lambda: "5 deleted" in page.find(".summary").text, "the summary reports the deletion")

    store.run(
        "batch-update", "Item", "priority=7", "--where", 'name == "Something new"'
    )
    page.find("tr.updated", "7")


def test_the_list_is_the_one_that_fetch_prints(page, make_store, serve):
    """After many concurrent writes, each section has the same order as in the output of the command."""
    store = make_store("Todo")
    page.open(serve(store), "#/0/sections/Item?by=priority&sort=-name")
    page.find(".section")
    store.run(
        "batch-update", "Item", "priority:=length:(name)", "--where", "done == false"
    )
    store.run("insert", "Item", "name=Aardvark", "priority=0")
    store.run("batch-delete", "Item", "--where", 'name BEGINSWITH "P"')
    ids = store.run("fetch", "Item", "--sort", "priority,-name", "--ids").split()
    page.wait_texts(".section th .object", [one.split("/", 3)[-1] for one in ids])


def test_focus_stays_in_a_row_that_moves(page, make_store, serve):
    store = make_store("Todo")
    page.open(serve(store), "#/0/sections/Item?by=done&sort=priority")
    page.find(".section th .object", "Item/p3")
    page.driver.execute_script("document.querySelector('tr[data-id$=p3] a').focus()")
    store.run("insert", "Item", "name=First", "priority=-5")
    page.find("tr.inserted", "First")
    assert page.focused().text == "Item/p3"


def test_choosing_and_a_mistake(page, addresses):
    page.open(addresses["Company"], "#/0/sections/Employee")
    page.find(".section")
    by = page.all(".choosers select")[1]
    page.choose(by, "department.floor")
    page.wait(lambda: "by=department.floor" in page.fragment, "the address")
    page.open(
        addresses["Company"], "#/0/sections/Employee?by=department.name&where=agee > 3"
    )
    page.wait_texts(".predicate-mirror mark", ["agee"])
    page.find(".predicate-fault.error", "agee")
    assert not page.all(".failure")


def test_nothing_matches(page, addresses):
    page.open(addresses["Company"], "#/0/sections/Employee?where=age > 300")
    page.find(".sections .empty", "No row matches.")


def test_values_are_text(page, make_store, serve):
    store = make_store("Todo")
    store.run(
        "batch-update", "Item", "note=<img src=x onerror=alert(1)>", "name=<b>bold</b>"
    )
    page.open(serve(store), "#/0/sections/Item?by=note")
    page.wait_texts(".section h2", ["<img src=x onerror=alert(1)> 12 rows"])
    page.find(".section td", "<b>bold</b>")


def test_many_sections_are_cut(page, make_store, serve):
    store = make_store("Todo", data=["seed", "Item=300"])
    store.execute("UPDATE ZITEM SET ZNAME = 'Item ' || (1000 + Z_PK)")
    page.open(serve(store), "#/0/sections/Item?by=name")
    page.find(".summary", "300 rows in 300 sections, live.")
    page.find(".sections + .summary", "200 more sections")
    assert len(page.all(".section")) == 100
