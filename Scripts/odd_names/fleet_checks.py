"""Checks of commands that process, serve or list several stores."""

import http.client
import json
import os
import plistlib
import subprocess
import urllib.parse

from names import FILE_STEMS, nfc, nfd, other, shown


def check_settings(case, path):
    done = case.run("settings", environment={"STORETOOL_STORE": case.store("a")})
    found = {line["setting"]: line["value"] for line in map(json.loads, done.stdout.splitlines())}
    case.expect(found["store"] == shown(case.store("a")), "settings names another store:", done.stdout)
    case.expect(os.path.basename(found["model"]) == shown(os.path.basename(path)), "settings names another model:",
                done.stdout)


def check_simulators(case, model):
    """Checks a folder of Xcode's simulators, with a device, an app and a store with odd names."""
    root, app = case.file("devices"), "com.example." + case.name()
    device = f"{root}/{case.stem()}"
    container = f"{device}/data/Containers/Data/Application/{case.stem()}"
    store = f"{container}/Library/{case.stem()}.sqlite"
    name = case.name()
    for path, values in ((f"{device}/device.plist", {"name": name, "UDID": "D1", "state": 3}),
                         (f"{container}/.com.apple.mobile_container_manager.metadata.plist",
                          {"MCMMetadataIdentifier": app})):
        os.makedirs(os.path.dirname(case.at(path)), exist_ok=True)
        with open(case.at(path), "wb") as file:
            plistlib.dump(values, file)
    os.makedirs(os.path.dirname(case.at(store)))
    case.copy(case.store("h"), store)
    found = [json.loads(line) for line in case.run("simulators", "--root", root).stdout.splitlines()]
    wanted = [(name, app, shown(store))]
    case.expect([(row["device"], row["id"], row["store"]) for row in found] == wanted, "simulators lists other stores:",
                found, wanted)
    done = case.run("fetch", model["entities"][0]["name"], "--count", "--simulator", app,
                    environment={"STORETOOL_SIMULATORS": root})
    case.expect(done.stdout.strip().isdigit(), "--simulator doesn't find a store:", done.stdout)
    case.run("simulators", other(app), "--root", root, status=(66,) if other(app) != app else (0,))


def check_each(case, version, model):
    """Checks stores with similar names: each is processed once, and returns its own row."""
    folder = case.file("fleet")
    os.makedirs(case.at(folder))
    stems = [nfc("é"), nfd("é"), "\udce9", *case.rng.sample(FILE_STEMS, 4)]
    stores = [f"{folder}/{stem}{number}.sqlite" for number, stem in enumerate(stems)]
    stores += [f"{folder}/{form('é')}.sqlite" for form in (nfc, nfd)]
    entity, attribute = model["entities"][0]["name"], model["entities"][0]["attributes"][0]["name"]
    for store in stores:
        case.copy(case.store("h"), store)
    journal, count = case.file("journal"), len(stores)
    words = ["each", folder, "--journal", journal, "--", "batch-update", entity, f"{attribute}={nfd('é')}"]
    done = case.run(*words)
    case.expect(f"{count} stores: {count} done" in done.stderr, "each skips stores:", done.stderr)
    case.expect(f"{count} done in previous runs" in case.run(*words).stderr, "each repeats stores")
    # The same arguments in another form are another command.
    case.run(*words[:-1], f"{attribute}={nfc('é')}", status=(64,))
    path = case.file("list")
    with open(case.at(path), "wb") as file:
        file.write(b"".join(os.fsencode(store) + b"\0" for store in stores))
    done = case.run("each", "--from", path, "--ordered", "--", "fetch", entity, "--select", attribute)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    wanted = [{"store": shown(store), attribute: nfd("é")} for store in stores]
    case.expect(rows == wanted, "each fetches other rows:", rows, wanted)


def check_browse(case, model):
    """Sends the requests of the page by HTTP."""
    entity, attribute = model["entities"][0]["name"], model["entities"][0]["attributes"][0]["name"]
    store = case.store("b")
    case.count += 1
    case.used_commands.add(("browse",))
    process = subprocess.Popen(
        [case.commands.binary, "browse", store, "--no-open"], cwd=case.folder, env=case.environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        address = process.stdout.readline().decode().strip()
        case.expect(address, "browse doesn't serve")
        url = urllib.parse.urlsplit(address)
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
        connection.request("GET", url.path)
        page = connection.getresponse()
        page.read()
        case.expect(page.status == 200, "browse doesn't serve the page:", page.status)
        for words, wanted in ((["page-rows", entity, f"--select={attribute}"], attribute), (["info"], entity),
                              (["show", f"{entity}/p1"], attribute)):
            connection.request(
                "POST", url.path + "api/run", json.dumps({"words": words}).encode(),
                {"Origin": f"http://{url.netloc}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode()
            case.expect(answer.status == 200 and wanted in text and '"status":0' in text.replace(" ", ""),
                        f"the page doesn't get {words}:", answer.status, text)
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()
