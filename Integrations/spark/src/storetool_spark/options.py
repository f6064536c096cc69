"""The options of the data sources, as a value."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import StoretoolError, nearest
from .stores import paths_of

KNOWN = (
    "path", "paths", "model", "version", "entity", "where", "columns", "strings", "filter",
    "storetool", "decimal", "storeColumn", "partitionBytes", "partitionStores",
    "pushdown", "since", "changes",
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """What a query says about stores, their model and the program."""

    paths: list[str]
    model: str
    entity: str
    version: str | None = None
    where: str | None = None
    columns: list[str] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    filter: str | None = None
    program: str | None = None
    decimal: tuple[int, int] = (38, 18)
    store_column: str = "store"
    pushdown: bool = False
    partition_bytes: int = 16 << 20
    partition_stores: int = 128
    hadoop: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "Options":
        """The options of a query; a misspelt one is an error. Those of Hadoop begin with `fs.`."""
        lowered = {name.lower(): value for name, value in given.items()}
        known = {name.lower(): name for name in KNOWN}
        hadoop = {name: value for name, value in given.items() if name.startswith("fs.")}
        for name in lowered:
            if name not in known and not name.startswith("fs."):
                raise StoretoolError(
                    f"there is no option '{name}'",
                    code="spark.unknown-option",
                    remedy=nearest(name, list(KNOWN)),
                )
        return cls(
            paths=paths_of(lowered),
            model=_required(lowered, "model", "Model.xcdatamodeld"),
            entity=_required(lowered, "entity", "Item"),
            version=lowered.get("version"),
            where=lowered.get("where"),
            columns=_names(lowered.get("columns", "")),
            strings=_names(lowered.get("strings", "")),
            filter=lowered.get("filter"),
            program=lowered.get("storetool"),
            decimal=_decimal(lowered.get("decimal", "38,18")),
            store_column=lowered.get("storecolumn", "store"),
            pushdown=_truth(lowered, "pushdown"),
            partition_bytes=_number(lowered, "partitionBytes", 16 << 20),
            partition_stores=_number(lowered, "partitionStores", 128),
            hadoop=hadoop,
        )

    @classmethod
    def of(cls, paths: list[str], entity: str, options: Mapping[str, str]) -> "Options":
        """The same options as arguments of a call."""
        return cls.read({**options, "paths": json.dumps(paths), "entity": entity})


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _required(given: Mapping[str, str], name: str, example: str) -> str:
    if value := given.get(name):
        return value
    raise StoretoolError(
        f"the option '{name}' is missing",
        code="spark.missing-option",
        remedy=f".option('{name}', '{example}')",
    )


def _number(given: Mapping[str, str], name: str, default: int) -> int:
    text = given.get(name.lower(), str(default))
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise StoretoolError(
        f"the option '{name}' is '{text}'", code="spark.wrong-option", remedy="a number above 0"
    )


def _truth(given: Mapping[str, str], name: str) -> bool:
    text = given.get(name.lower(), "false").lower()
    if text in ("true", "false"):
        return text == "true"
    raise StoretoolError(
        f"the option '{name}' is '{text}'", code="spark.wrong-option", remedy="true or false"
    )


def _decimal(text: str) -> tuple[int, int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 2 and all(part.isdecimal() for part in parts):
        precision, scale = int(parts[0]), int(parts[1])
        if 0 < precision <= 38 and scale <= precision:
            return precision, scale
    raise StoretoolError(
        f"the option 'decimal' is '{text}'",
        code="spark.wrong-option",
        remedy="digits in all and behind the point, up to 38: '38,18'",
    )
