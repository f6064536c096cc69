"""Random models, their next versions, and the XML of both."""

import json
from xml.sax.saxutils import quoteattr

from names import other


def model(rng, name):
    """Returns a model with two or three entities.

    name: returns a new name, which begins with a capital letter if its argument is true.
    """
    entities = []
    for _ in range(rng.randint(2, 3)):
        entities.append({
            "name": name(True), "id": None,
            "attributes": [{"name": name(False), "id": None, "default": None} for _ in range(rng.randint(1, 3))],
            "relationships": []})
    one, many = entities[0], entities[1]
    to_many = rng.random() < 0.5
    there, back = name(False), name(False)
    one["relationships"].append({"name": there, "id": None, "to": many["name"], "inverse": back, "many": True})
    many["relationships"].append({"name": back, "id": None, "to": one["name"], "inverse": there, "many": to_many})
    template = {"name": name(False), "entity": one["name"], "attribute": one["attributes"][0]["name"]}
    return {"entities": entities, "templates": [template],
            "configurations": [{"name": name(True), "members": [e["name"] for e in entities]}]}


def copied(value):
    return json.loads(json.dumps(value))


def respelled(model, rng):
    """Returns the next version, with some names in the other form and the old names as renaming identifiers."""
    new = copied(model)
    entities = {}
    for entity in new["entities"]:
        if rng.random() < 0.5 and other(entity["name"]) != entity["name"]:
            entities[entity["name"]] = other(entity["name"])
            entity["id"], entity["name"] = entity["name"], other(entity["name"])
        for attribute in entity["attributes"]:
            if rng.random() < 0.5 and other(attribute["name"]) != attribute["name"]:
                attribute["id"], attribute["name"] = attribute["name"], other(attribute["name"])
    relationships = {}
    for entity in new["entities"]:
        for relationship in entity["relationships"]:
            relationship["to"] = entities.get(relationship["to"], relationship["to"])
            if rng.random() < 0.5 and other(relationship["name"]) != relationship["name"]:
                relationships[relationship["name"]] = other(relationship["name"])
                relationship["id"], relationship["name"] = relationship["name"], other(relationship["name"])
    for entity in new["entities"]:
        for relationship in entity["relationships"]:
            relationship["inverse"] = relationships.get(relationship["inverse"], relationship["inverse"])
    for template in new["templates"]:
        entity = next(e for e in new["entities"] if template["entity"] in (e["name"], e["id"]))
        template["entity"], template["attribute"] = entity["name"], entity["attributes"][0]["name"]
    for configuration in new["configurations"]:
        configuration["members"] = [entities.get(m, m) for m in configuration["members"]]
    return new


def with_attribute(model, name):
    """Returns the model with an additional attribute in its first entity."""
    new = copied(model)
    new["entities"][0]["attributes"].append({"name": name, "id": None, "default": None})
    return new


def xml(model):
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
             '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">']
    for entity in model["entities"]:
        lines.append(f"    <entity name={quoteattr(entity['name'])}{identifier(entity)}>")
        for attribute in entity["attributes"]:
            default = "" if attribute["default"] is None else f" defaultValueString={quoteattr(attribute['default'])}"
            lines.append(f"        <attribute name={quoteattr(attribute['name'])} optional=\"YES\" "
                         f"attributeType=\"String\"{default}{identifier(attribute)}/>")
        for relationship in entity["relationships"]:
            count = 'toMany="YES"' if relationship["many"] else 'maxCount="1"'
            lines.append(
                f"        <relationship name={quoteattr(relationship['name'])} optional=\"YES\" {count} "
                f"deletionRule=\"Nullify\" destinationEntity={quoteattr(relationship['to'])} "
                f"inverseName={quoteattr(relationship['inverse'])} "
                f"inverseEntity={quoteattr(relationship['to'])}{identifier(relationship)}/>")
        lines.append("    </entity>")
    for template in model["templates"]:
        condition = f"{template['attribute']} != nil"
        lines.append(f"    <fetchRequest name={quoteattr(template['name'])} entity={quoteattr(template['entity'])} "
                     f"predicateString={quoteattr(condition)}/>")
    for configuration in model["configurations"]:
        lines.append(f"    <configuration name={quoteattr(configuration['name'])}>")
        lines += [f"        <memberEntity name={quoteattr(m)}/>" for m in configuration["members"]]
        lines.append("    </configuration>")
    return "\n".join(lines + ["</model>", ""])


def identifier(part):
    return f" elementID={quoteattr(part['id'])}" if part["id"] else ""


def declaration(version):
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>_XCCurrentVersionName</key>'
            f"<string>{version}.xcdatamodel</string></dict></plist>\n")
