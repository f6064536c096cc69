"""Writes names, values and conditions on a column in the predicate language.

This module doesn't depend on Spark. `filters` converts Spark's filters to these conditions.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from math import isfinite
from uuid import UUID

from .columns import INTEGERS

REFERENCE = datetime(2001, 1, 1, tzinfo=UTC)

# Dates are cut to microseconds, and the text of a Float or a Decimal isn't exactly the number that
# SQLite compares. A slightly wider range matches all rows, and Spark filters them again.
MILLISECOND = Decimal("0.001")
SHARE = Decimal("1e-6")
LEAST = Decimal("1e-37")


@dataclass(frozen=True)
class Condition:
    """A predicate on a column. `exact` is false if it also matches rows that the filter doesn't.

    `missing` is the result for stores whose version lacks the column, which is NULL there.
    """

    text: str
    column: str
    exact: bool
    missing: bool = False


def name(path: str) -> str:
    """Writes a key path. The sign before each name allows keywords as names."""
    return ".".join("#" + _escaped(part) for part in path.split("."))


def _escaped(part: str) -> str:
    written = ""
    for place, character in enumerate(part):
        plain = character.isalpha() or character == "_" or (place > 0 and character.isdigit())
        written += character if plain and character.isascii() else _unit(character)
    return written


def _unit(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def string(text: str) -> str:
    """Writes a string literal. Quotes, backslashes and control characters are escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else _unit(c) for c in escaped) + '"'


def literal(value: object, kind: str) -> str | None:
    """Writes a literal that equals the stored value, or returns None if that isn't possible."""
    if kind == "Boolean" and isinstance(value, bool):
        return "YES" if value else "NO"
    if kind in INTEGERS and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if kind == "Double" and isinstance(value, float) and isfinite(value):
        return repr(value)
    if kind == "String" and isinstance(value, str):
        # NUL ends a text in SQLite, and U+FFFD represents bytes that aren't UTF-8.
        return None if {"\0", "\ufffd"} & set(value) else string(value)
    if kind == "UUID" and isinstance(value, str):
        return string(value) if _is_canonical(value) else None
    return None


def _is_canonical(text: str) -> bool:
    try:
        return str(UUID(text)).upper() == text
    except ValueError:
        return False


def bounds(value: object, kind: str) -> tuple[str, str] | None:
    """Returns a range around a value whose text differs from the stored value, or None."""
    if kind == "Date" and isinstance(value, datetime):
        return _around(_seconds(value), MILLISECOND, 'CAST({}, "NSDate")')
    if kind == "Decimal" and isinstance(value, Decimal) and value.is_finite():
        return _around(value, abs(value) * SHARE + LEAST, "{}")
    if kind == "Float" and isinstance(value, float) and isfinite(value):
        return _around(Decimal(value), abs(Decimal(value)) * SHARE + LEAST, "{}")
    return None


def _seconds(value: datetime) -> Decimal:
    # Spark's timestamps without a time zone are in the time zone of the process.
    since = value.astimezone(UTC) - REFERENCE
    return Decimal(since.days * 86400 + since.seconds) + Decimal(since.microseconds) / 10**6


def _around(value: Decimal, margin: Decimal, form: str) -> tuple[str, str]:
    least, greatest = (repr(float(bound)) for bound in (value - margin, value + margin))
    return form.format(least), form.format(greatest)


def compared(column: str, kind: str, operator: str, value: object) -> Condition | None:
    """Writes `column operator value` for == < <= > >=, or returns None if that isn't possible."""
    key = name(column)
    if (exact := literal(value, kind)) is not None:
        if kind == "UUID" and operator != "==":
            # The order of UUIDs as text differs from their order as bytes.
            return None
        return Condition(f"{key} {operator} {exact}", column, exact=True)
    if (around := bounds(value, kind)) is None:
        return None
    least, greatest = around
    ranges = {
        "==": f"{key} BETWEEN {{{least}, {greatest}}}",
        "<": f"{key} <= {greatest}",
        "<=": f"{key} <= {greatest}",
        ">": f"{key} >= {least}",
        ">=": f"{key} >= {least}",
    }
    return Condition(ranges[operator], column, exact=False)


def member(column: str, kind: str, values: list[object]) -> Condition | None:
    """Writes the condition that `column` is one of the values, which must not include NULL."""
    literals = [literal(value, kind) for value in values]
    if values and None not in literals:
        listed = ", ".join(text for text in literals if text is not None)
        return Condition(f"{name(column)} IN {{{listed}}}", column, exact=True)
    each = [compared(column, kind, "==", value) for value in values]
    if not each or None in each:
        return None
    text = " OR ".join(condition.text for condition in each if condition)
    return Condition(f"({text})", column, exact=False)


def part(column: str, kind: str, operator: str, text: object) -> Condition | None:
    """Writes `column` BEGINSWITH, ENDSWITH or CONTAINS a text.

    Returns None for the empty text, which these operators never match.
    """
    if kind != "String" or not isinstance(text, str) or not text:
        return None
    written = literal(text, kind)
    return (
        Condition(f"{name(column)} {operator} {written}", column, exact=True) if written else None
    )


def absent(column: str, kind: str) -> Condition | None:
    """Writes the condition that `column` is NULL.

    Returns None for bytes, because references to external files are only resolved when reading.
    """
    if kind in ("Binary", "Transformable", "Object ID"):
        return None
    return Condition(f"{name(column)} == nil", column, exact=True, missing=True)


def negated(condition: Condition | None) -> Condition | None:
    """Writes NOT of an exact condition. For NULL both are unknown, as in SQL."""
    if condition is None or not condition.exact:
        return None
    # For a missing column, `== nil` is true, and other conditions are unknown. In both cases, NOT
    # isn't true.
    return Condition(f"NOT ({condition.text})", condition.column, exact=True, missing=False)
