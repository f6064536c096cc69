"""Checks of commands that use one or two stores."""

import csv
import io
import json

from names import VALUES, nfc, nfd, other, shown

HISTORY = [
    "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
    "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB)",
    "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
    "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
    "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB)",
    "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)",
]


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class StoreChecks:
    """Runs all commands on a store of a model's first version, and migrates it to the second version."""

    def __init__(self, case, first, second, old, new):
        self.case, self.run, self.store = case, case.run, case.store
        self.first, self.second, self.old, self.new = first, second, old, new
        self.one = old["entities"][0]
        self.link = f"{self.one['name']}.{self.one['relationships'][0]['name']}"
        # The texts by entity and attribute.
        self.texts = {}

    def check(self):
        self.create()
        self.reads()
        self.templates()
        self.links()
        self.explains()
        self.records()
        self.copies()
        self.history()
        self.repair()
        self.anonymize()
        self.migrate()

    def create(self):
        a = self.store("a")
        self.run("create", a, "--model-version", self.first)
        for entity in self.old["entities"]:
            for row in range(2):
                words = []
                for attribute in entity["attributes"]:
                    text = self.case.rng.choice([nfc, nfd])(self.case.rng.choice(VALUES)) + str(row)
                    self.texts.setdefault((entity["name"], attribute["name"]), []).append(text)
                    words.append(f"{attribute['name']}={text}")
                self.run("insert", entity["name"], *words, "--store", a, "--model-version", self.first)

    def rows(self, entity, store, *words):
        return lines(self.run("fetch", entity, *words, "--store", store).stdout)

    def reads(self):
        case, a = self.case, self.store("a")
        info = self.run("info", a).stdout
        case.expect(json.dumps(shown(a.rsplit("/", 1)[-1]), ensure_ascii=False)[1:-1] in info,
                    "info names another store:", info)
        self.run("verify", a)
        for entity in self.old["entities"]:
            name, attribute = entity["name"], entity["attributes"][0]["name"]
            texts = self.texts[name, attribute]
            found = self.rows(name, a, "--where", f"{attribute} == \"{texts[0]}\"")
            case.expect(len(found) == texts.count(texts[0]), f"fetch finds other rows with {texts[0]!r}:", found)
            twin = other(texts[0])
            found = self.rows(name, a, "--where", f"{attribute} == \"{twin}\"")
            case.expect(twin == texts[0] or not found, f"fetch confuses {twin!r} with {texts[0]!r}:", found)
            self.run("batch-update", name, f"{attribute}=changed", "--where", "FALSEPREDICATE", "--store", a)
            self.run("batch-delete", name, "--where", "FALSEPREDICATE", "--store", a)
            shown_row = self.run("show", f"{name}/p1", "--store", a).stdout
            case.expect(name in shown_row and attribute in shown_row and texts[0] in shown_row,
                        "show prints other names:", shown_row)

    def templates(self):
        template, a = self.old["templates"][0], self.store("a")
        found = self.run("apply-template", template["name"], "--store", a, "--model-version", self.first).stdout
        self.case.expect(len(lines(found)) == 2, "a template finds other rows:", found)
        self.case.expect(template["name"] in self.run("templates", a).stdout, "a template has another name")

    def links(self):
        """Links and unlinks the two sides of a relationship."""
        name, words = self.one["relationships"][0]["name"], ["--store", self.store("a")]
        every = ["TRUEPREDICATE", "TRUEPREDICATE", *words]
        count = ["--where", f"{name}.@count > 0", "--count"]
        self.run("unlink", self.link, *every)
        # A row has several partners only if both sides are to-many.
        self.run("link", self.link, *every, status=(0, 1, 65))
        self.run("unlink", self.link, *every)
        rows = self.rows(self.one["name"], self.store("a"), *count)
        self.case.expect(json.dumps(rows) in ('[0]', '[{"count": 0}]'), "unlink doesn't remove links:", rows)

    def explains(self):
        words = ["--store", self.store("a"), "--model-version", self.first]
        entity, attribute = self.one["name"], self.one["attributes"][0]["name"]
        table = next(t for t, c in self.case.schema(self.store("a"))
                     if nfc(t) == nfc("Z" + entity.upper()) and c == "Z_PK")
        for line in (["fetch", entity], ["apply-template", self.old["templates"][0]["name"]],
                     ["batch-insert", entity], ["batch-update", entity, f"{attribute}=x"],
                     ["batch-delete", entity, "--where", "TRUEPREDICATE"],
                     ["link", self.link, "TRUEPREDICATE", "TRUEPREDICATE"],
                     ["unlink", self.link, "TRUEPREDICATE", "TRUEPREDICATE"]):
            explained = self.run("explain", *line, *words).stdout
            self.case.expect(table in explained or table in explained.encode().decode("unicode_escape", "ignore"),
                             f"explain {line} doesn't name {table!r}:", explained)

    def records(self):
        """Imports and exports files of records."""
        case, run, store = self.case, self.run, self.store("i")
        export, words = case.file("export", ".json"), ["--model-version", self.first]
        case.write(export, run("export", "--store", self.store("a")).stdout)
        run("create", store, *words)
        run("import", export, "--store", store, *words)
        for entity in self.old["entities"]:
            rows = self.rows(entity["name"], store)
            case.expect(len(rows) == 2, f"import created other rows of {entity['name']!r}:", rows)
            for attribute in entity["attributes"]:
                before = self.texts[entity["name"], attribute["name"]]
                after = [row.get(attribute["name"]) for row in rows]
                case.expect(sorted(before) == sorted(map(str, after)), "import changes values:", before, after)
        run("seed", f"{self.one['name']}=5", "--store", store, *words)
        entity, attribute = self.one["name"], self.one["attributes"][0]["name"]
        for number, extension in enumerate((".ndjson", ".json", ".csv")):
            path, text = case.file("records", extension), nfd("é") + extension
            record = {attribute: text}
            table = io.StringIO()
            csv.writer(table).writerows([[attribute], [text]])
            case.write(path, table.getvalue() if extension == ".csv" else
                       json.dumps(record if extension == ".ndjson" else [record]))
            command = ["batch-insert", entity, path] if number % 2 == 0 else ["import", path, "--entity", entity]
            run(*command, "--store", store)
            rows = self.rows(entity, store, "--where", f'{attribute} == "{text}"')
            case.expect(len(rows) == 1, f"{command} inserts other rows:", rows)
        # A command must not read a file with a similar name instead of a missing one.
        for words in (["batch-insert", entity], ["import", "--entity", entity]):
            missing = case.file("missing", ".ndjson")
            run(words[0], *([entity, missing] if words[0] == "batch-insert" else [missing, "--entity", entity]),
                "--store", store, status=(66,))

    def copies(self):
        case, a, b = self.case, self.store("a"), self.store("b")
        case.copy(a, b)
        diff = self.run("diff", a, b)
        summary = lines(diff.stdout)[-1]
        case.expect(not any(summary[key] for key in ("added", "removed", "changed", "leftOut")),
                    "a copy differs:", diff.stdout)
        self.run("compact", b)
        self.run("verify", b)

    def history(self):
        case, store = self.case, self.store("h")
        words = ["--store", store, "--model-version", self.first]
        name, attribute = self.one["name"], self.one["attributes"][0]["name"]
        self.run("create", store, "--model-version", self.first)
        case.execute(store, *HISTORY)
        self.run("insert", name, f"{attribute}=one", *words)
        self.run("batch-update", name, f"{attribute}=two", *words)
        changes = lines(self.run("history", "--changes", "--entity", name, "--property", attribute, *words).stdout)
        case.expect([(c["entity"], c["properties"]) for c in changes] == [(name, [attribute])],
                    "history lists other changes:", changes)
        self.run("history", "--statistics", *words)
        self.run("history", "--prune", "--before", "2", *words)
        left = lines(self.run("history", *words).stdout)
        case.expect([t["transaction"] for t in left] == [2], "history prunes other transactions:", left)

    def repair(self):
        case, store = self.case, self.store("r")
        case.copy(self.store("a"), store)
        case.execute(store, "UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
        self.run("verify", store, status=(1,))
        self.run("verify", "--repair", store, status=(0, 1))
        self.run("verify", store)

    def anonymize(self):
        case, run, a, output = self.case, self.run, self.store("a"), self.store("anonymous")
        rules, key = case.file("rules", ".txt"), case.file("key")
        case.write(rules, run("anonymize", "--print-rules", a).stdout)
        case.write(key, "k" * 32)
        run("anonymize", a, "--rules", rules, "--key-file", key, "--output", output)
        run("verify", output)
        for (entity, attribute), before in self.texts.items():
            after = [row.get(attribute) for row in self.rows(entity, output)]
            case.expect(len(after) == 2 and not set(after) & set(before), "anonymize keeps values:", before, after)

    def migrate(self):
        case, run, a, new = self.case, self.run, self.store("a"), ["--to", self.second]
        run("migrate", "status", a, *new)
        run("migrate", "plan", a, *new)
        script = run("migrate", "script", a, *new).stdout
        baseline = case.file("baseline")
        run("migrate", "matrix", "--rows", "2", "--baseline", baseline, "--write-baseline")
        matrix = run("migrate", "matrix", "--rows", "2", "--baseline", baseline)
        case.expect(all(pair["result"] == "proved" for pair in lines(matrix.stdout)), "a pair isn't proved:",
                    matrix.stdout)
        scripted = self.store("scripted")
        case.copy(a, scripted)
        database = case.database(scripted)
        database.executescript(script)
        database.close()
        backup = self.store("backup")
        run("migrate", a, *new, "--backup", backup)
        run("diff", backup, self.store("b"))
        fresh = self.store("fresh")
        run("create", fresh, "--model-version", self.second)
        for store in (a, scripted):
            case.expect(case.schema(store) == case.schema(fresh), f"{store!r} has other names:", case.schema(store),
                        case.schema(fresh))
            for entity in self.new["entities"]:
                rows = self.rows(entity["name"], store)
                for attribute in entity["attributes"]:
                    before = self.texts[entity["id"] or entity["name"], attribute["id"] or attribute["name"]]
                    after = sorted(str(row.get(attribute["name"])) for row in rows)
                    case.expect(after == sorted(before), f"{entity['name']}.{attribute['name']} changes:", before,
                                after)
            run("verify", store)
        run("diff", a, self.store("b"), status=(0, 1, 65))


def check_twins_in_store(case, version, model):
    store = case.store("twins")
    case.run("create", store, "--model-version", version)
    names = [(table, column) for table, column in case.schema(store)
             if column.startswith("Z") and other(column) != column]
    tables = sorted({table for table, _ in case.schema(store) if other(table) != table})
    table, column = case.rng.choice(names)
    if tables and case.rng.random() < 0.5:
        table = case.rng.choice(tables)
        case.execute(store, f'CREATE TABLE "{other(table)}" (secret TEXT)')
    else:
        case.execute(store, f'ALTER TABLE "{table}" ADD COLUMN "{other(column)}" TEXT')
    entity = model["entities"][0]["name"]
    for words in (["verify", store], ["fetch", entity, "--store", store], ["export", "--store", store],
                  ["show", f"{entity}/p1", "--store", store], ["history", store], ["seed", f"{entity}=1", "--store", store],
                  ["anonymize", store, "--output", case.store("twin-copy")], ["migrate", store], ["compact", store],
                  ["diff", store, store], ["insert", entity, "--store", store], ["verify", "--repair", store]):
        case.refused(*words)
    info = case.run("info", store).stdout
    missing = [name for name in tables if json.dumps(name, ensure_ascii=False)[1:-1] not in info]
    case.expect(not missing, f"info doesn't list {missing}:", info)
