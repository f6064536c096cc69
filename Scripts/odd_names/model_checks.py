"""Checks of commands that only use models."""

import os
import shutil
from xml.sax.saxutils import quoteattr

import models
from names import STEMS, nfc, nfd, other, shown


def check_models(case, path, first, second):
    """Checks the commands of `model`, and `generate`, on a bundle with two versions."""
    run, file = case.run, case.file
    run("model", "check", path, status=(0, 1))
    run("model", "show", path)
    hashes = [run("model", "hash", path, "--model-version", version).stdout for version in (first, second)]
    diff = run("model", "diff", first, second, "--model", path)
    case.expect((hashes[0] == hashes[1]) == ("the version hashes are equal" in diff.stderr),
                "model diff and model hash disagree:", *hashes, diff.stderr)
    run("model", "lock", path)
    lock = run("model", "lock", path)
    case.expect("0 versions added" in lock.stderr, "a version is locked twice:", lock.stderr)
    for key, words in (("docs.md", ["model", "docs"]), ("plan.svg", ["model", "diagram", "--changed", first])):
        output = file(*os.path.splitext(key))
        run(*words, path, "--output", output)
        case.expect(os.path.isfile(case.at(output)), f"{words} doesn't write a file")
        run(*words, path, "--output", output)
    run("model", "format", path, status=(0, 1))
    compiled, again = file("compiled", ".momd"), file("again", ".xcdatamodeld")
    run("model", "compile", path, "--output", compiled)
    run("model", "decompile", compiled, "--output", again)
    for copy in (compiled, again):
        copied = run("model", "hash", copy, "--model-version", second).stdout
        case.expect(copied == hashes[1], f"{copy!r} has other hashes:", copied, hashes[1])
    compared = run("model", "diff", f"{path}/{second}.xcdatamodel", f"{again}/{second}.xcdatamodel")
    case.expect(not compared.stdout, "a compiled model differs:", compared.stdout)
    # Otherwise two models would match the stores of the case.
    for copy in (compiled, again):
        shutil.rmtree(case.at(copy))
    generated = file("generated")
    run("generate", path, "--output", generated)
    case.expect(os.listdir(case.at(generated)), "generate doesn't write files")
    run("migrate", "new", first, second, "--model", path, "--migrations", file("migrations"))


def check_predicates(case, model, path, version):
    entity = model["entities"][0]
    attribute = entity["attributes"][0]["name"]
    text = f'{attribute} == "{case.rng.choice(STEMS)}"'
    run = case.run
    case.expect(attribute in run("predicate", "parse", text).stdout, "predicate parse changes a name")
    case.expect(attribute in run("predicate", "format", text).stdout, "predicate format changes a name")
    run("predicate", "check", text, "--entity", entity["name"], "--model", path, "--model-version", version)


def check_merge(case, model):
    """Checks that a merge keeps a default value in another form, which one side has changed."""
    text = case.rng.choice(STEMS)
    sides = [models.copied(model) for _ in range(3)]
    for side, form in zip(sides, (nfc, nfc, nfd)):
        side["entities"][0]["attributes"][0]["default"] = form(text)
    sides[1]["entities"][1]["attributes"][0]["default"] = "ours"
    paths = [case.file(name, ".xml") for name in ("base", "ours", "theirs")]
    for side, path in zip(sides, paths):
        case.write(path, models.xml(side))
    merged = case.run("model", "merge", *paths).stdout
    wanted = f"defaultValueString={quoteattr(nfd(text))}"
    case.expect(wanted in merged and 'defaultValueString="ours"' in merged, f"a merge drops {wanted}:", merged)
    output = case.file("merged", ".xml")
    case.run("model", "merge", *paths, "--output", output, "--path", output)
    case.expect(case.read(output) == merged, "model merge --output differs from the merge:", merged)
    # A conflict is reported with the name of the file.
    sides[1]["entities"][0]["attributes"][0]["default"] = "conflict"
    case.write(paths[1], models.xml(sides[1]))
    done = case.run("model", "merge", *paths, "--path", output, status=(1,))
    case.expect(shown(output) in done.stderr, "a conflict doesn't name the file:", done.stderr)


def check_renumber(case, model):
    """Checks a merge in which both sides have added a version."""
    first, added, free = case.name(True), case.name(True), case.name(True)
    path, theirs = case.file("renumbered", ".xcdatamodeld"), case.file("other", ".xml")
    mine, yours = case.name(), case.name()
    case.bundle(path, {first: model, added: models.with_attribute(model, mine)}, added)
    case.write(theirs, models.xml(models.with_attribute(model, yours)))
    case.run("model", "renumber", added, free, "--model", path, "--theirs", theirs, "--base", first, status=(0, 1))
    ours = case.read(f"{path}/{added}.xcdatamodel/contents")
    both = case.read(f"{path}/{free}.xcdatamodel/contents")
    case.expect(quoteattr(mine) in ours and quoteattr(yours) not in ours, "our version isn't kept:", ours)
    case.expect(quoteattr(mine) in both and quoteattr(yours) in both, "a side is lost:", both)


def check_twins_in_model(case, model):
    twins = models.copied(model)
    entity = twins["entities"][0]
    kind = case.rng.choice(["entity", "attribute", "relationship", "template", "configuration"])
    if kind == "entity":
        twins["entities"].append({**models.copied(entity), "relationships": [], "name": other(entity["name"])})
    elif kind == "attribute":
        attribute = entity["attributes"][0]
        entity["attributes"].append({**attribute, "name": other(attribute["name"])})
    elif kind == "relationship":
        name = other(entity["relationships"][0]["name"])
        entity["attributes"].append({"name": name, "id": None, "default": None})
    elif kind == "template":
        template = twins["templates"][0]
        twins["templates"].append({**template, "name": other(template["name"])})
    else:
        configuration = twins["configurations"][0]
        twins["configurations"].append({**configuration, "name": other(configuration["name"])})
    path = case.file("twins", ".xcdatamodel")
    case.write(f"{path}/contents", models.xml(twins))
    for words in (["model", "check"], ["model", "hash"], ["model", "show"], ["model", "docs"], ["model", "diagram"],
                  ["generate"], ["create", case.store("twins"), "--model"]):
        case.refused(*words, path)


def check_twin_versions(case, model, name):
    if other(name) == name:
        return
    path = case.file("versions", ".xcdatamodeld")
    case.bundle(path, {name: model, other(name): model}, name)
    for command in ("check", "hash", "lock", "show"):
        case.refused("model", command, path)


def check_byte_versions(case, model):
    """Checks versions whose folder names aren't UTF-8: they are different versions, or the bundle is rejected."""
    path = case.file("bytes", ".xcdatamodeld")
    names = case.rng.sample(["\udcff", "\udcfe", "v\udce9", "\\xFF", "\ufffd"], 3)
    attributes = [case.name() for _ in names]
    case.bundle(path, {n: models.with_attribute(model, a) for n, a in zip(names, attributes)}, "unknown")
    for words in (["check"], ["hash"], ["show"], ["docs"], ["diagram"], ["lock"], ["format"],
                  ["compile", "--output", case.file("bytes", ".momd")]):
        case.run("model", *words, path, status=None)
    for name, attribute in zip(names, attributes):
        done = case.run("model", "show", path, "--model-version", shown(name), status=None)
        case.expect(done.returncode == REFUSED_VERSION or attribute in done.stdout,
                    f"{name!r} shows another version:", done.stdout, done.stderr)
        alone = case.run("model", "show", f"{path}/{name}.xcdatamodel")
        case.expect(attribute in alone.stdout, f"{name!r} is another model:", alone.stdout)


REFUSED_VERSION = 65
