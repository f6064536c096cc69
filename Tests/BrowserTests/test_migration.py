"""Tests of the list of versions, and of the plan of a migration."""

import pytest


@pytest.fixture
def journal(addresses):
    return addresses["Journal"]


def test_path_losses_costs_and_steps(page, journal):
    page.open(journal, "#/0/migration")
    page.find(".path li", "Journal → Journal 4 inferred")
    page.find(".path li", "Journal 4--Journal 5.xml")
    assert "Entry.mood 2 values" in page.find(".losses").text
    assert "Backup" in page.find(".plan-view .facts").text
    page.find("tr", "ZENTRY")
    page.find("h2", "59 steps")
    page.click(".steps summary", "creates ZPAGE")
    page.find(".steps pre", "CREATE TABLE ZPAGE")


def test_a_loss_is_allowed_and_the_command_says_so(page, journal):
    page.open(journal, "#/0/migration")
    page.find(".run", "The migration is rejected")
    page.click(".losses input")
    page.wait(lambda: "allow=Entry.mood" in page.fragment, "the address")
    page.find(".run", "The command creates a backup first.")
    assert page.find(".command-to-run pre").text.startswith(
        "storetool migrate run --allow-loss=Entry.mood --store="
    )
    page.driver.back()
    page.find(".run", "The migration is rejected")


def test_another_target(page, journal):
    page.open(journal, "#/0/migration")
    page.wait(
        lambda: (
            [one.strip() for one in page.find("[name=to]").text.splitlines()]
            == ["Journal 5, the current version", "Journal 2", "Journal 3", "Journal 4"]
        ),
        "the other versions",
    )
    page.choose(page.find("[name=to]"), "Journal 3")
    page.find(".path li", "Journal → Journal 3")
    page.click(".command summary")
    assert page.find(".command code").text.startswith(
        "storetool migrate plan --to='Journal 3' --store="
    )


def test_an_unknown_version(page, journal):
    page.open(journal, "#/0/migration?to=Nonsense")
    page.find(".failure", "its versions are: 'Journal', 'Journal 2'")
    page.find("[name=to]")


def test_nothing_to_migrate(page, addresses):
    page.open(addresses["People"], "#/0/migration")
    page.find(".empty", "The store already has version ‘People’.")


def test_a_migration_by_another_process_is_followed(page, make_store, serve):
    store = make_store("Journal")
    page.open(serve(store), "#/0/rows/Entry")
    page.find("[role=columnheader]", "mood")
    store.run("migrate", "run", "--to", "Journal 2")
    page.go("#/0/entities")
    page.find("table.entities", "Photo")
    page.click("nav a", "Model")
    page.find(".diagram svg", "weather")
