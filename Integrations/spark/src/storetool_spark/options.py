"""The options of the data sources."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import StoretoolError, nearest
from .stores import paths_of

COMMON = (
    "path", "paths", "model", "entity", "filter", "storetool", "storeColumn", "partitionBytes",
    "partitionStores",
)  # fmt: skip
OF_ROWS = (*COMMON, "version", "where", "columns", "strings", "decimal", "pushdown")
OF_HISTORY = (*COMMON, "since", "changes")


@dataclass(frozen=True)
class Options:
    """The options of a query: its stores, their model and the program."""

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
    since: str | None = None
    changes: bool = True
    partition_bytes: int = 16 << 20
    partition_stores: int = 128
    hadoop: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_history(cls, given: Mapping[str, str]) -> "Options":
        """Reads the options of a query of histories. The entity is optional."""
        return cls._read(given, OF_HISTORY)

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "Options":
        """Reads the options of a query of the rows of an entity."""
        options = cls._read(given, OF_ROWS)
        _required({"entity": options.entity}, "entity", "Item")
        return options

    @classmethod
    def _read(cls, given: Mapping[str, str], names: tuple[str, ...]) -> "Options":
        """Rejects unknown options. Options that begin with `fs.` are settings of Hadoop."""
        lowered = {name.lower(): value for name, value in given.items()}
        known = [name.lower() for name in names]
        hadoop = {name: value for name, value in given.items() if name.startswith("fs.")}
        for name in lowered:
            if name not in known and not name.startswith("fs."):
                raise StoretoolError(
                    f"unknown option '{name}'",
                    code="spark.unknown-option",
                    remedy=nearest(name, list(names)),
                )
        return cls(
            paths=paths_of(lowered),
            model=_required(lowered, "model", "Model.xcdatamodeld"),
            entity=lowered.get("entity", ""),
            version=lowered.get("version"),
            where=lowered.get("where"),
            columns=_names(lowered.get("columns", "")),
            strings=_names(lowered.get("strings", "")),
            filter=lowered.get("filter"),
            program=lowered.get("storetool"),
            decimal=_decimal(lowered.get("decimal", "38,18")),
            store_column=lowered.get("storecolumn", "store"),
            pushdown=_truth(lowered, "pushdown", "false"),
            since=lowered.get("since"),
            changes=_truth(lowered, "changes", "true"),
            partition_bytes=_number(lowered, "partitionBytes", 16 << 20),
            partition_stores=_number(lowered, "partitionStores", 128),
            hadoop=hadoop,
        )

    @classmethod
    def of(cls, paths: list[str], entity: str, options: Mapping[str, str]) -> "Options":
        """Reads the options from the arguments of a call."""
        return cls.read({**options, "paths": json.dumps(paths), "entity": entity})


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _required(given: Mapping[str, str], name: str, example: str) -> str:
    if value := given.get(name):
        return value
    raise StoretoolError(
        f"missing option '{name}'",
        code="spark.missing-option",
        remedy=f"add .option('{name}', '{example}')",
    )


def _number(given: Mapping[str, str], name: str, default: int) -> int:
    text = given.get(name.lower(), str(default))
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise StoretoolError(
        f"invalid value '{text}' for the option '{name}'",
        code="spark.wrong-option",
        remedy="use a number greater than 0",
    )


def _truth(given: Mapping[str, str], name: str, default: str) -> bool:
    text = given.get(name, default).lower()
    if text in ("true", "false"):
        return text == "true"
    raise StoretoolError(
        f"invalid value '{text}' for the option '{name}'",
        code="spark.wrong-option",
        remedy="use true or false",
    )


def _decimal(text: str) -> tuple[int, int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 2 and all(part.isdecimal() for part in parts):
        precision, scale = int(parts[0]), int(parts[1])
        if 0 < precision <= 38 and scale <= precision:
            return precision, scale
    raise StoretoolError(
        f"invalid value '{text}' for the option 'decimal'",
        code="spark.wrong-option",
        remedy="use precision and scale, at most 38, for example '38,18'",
    )
