"""Converts the filters that Spark pushes down to conditions of the predicate language."""

from collections.abc import Callable

from pyspark.sql import datasource as spark

from . import predicates
from .columns import DEFAULTS, Column
from .predicates import Condition

_COMPARISONS: dict[type, str] = {
    spark.EqualTo: "==",
    spark.GreaterThan: ">",
    spark.GreaterThanOrEqual: ">=",
    spark.LessThan: "<",
    spark.LessThanOrEqual: "<=",
}

_PARTS: dict[type, str] = {
    spark.StringStartsWith: "BEGINSWITH",
    spark.StringEndsWith: "ENDSWITH",
    spark.StringContains: "CONTAINS",
}


def condition(pushed: spark.Filter, columns: dict[str, Column]) -> Condition | None:
    """Returns a condition that matches at least the rows of a filter, or None."""
    if isinstance(pushed, spark.Not):
        return predicates.negated(condition(pushed.child, columns))
    path = pushed.attribute
    column = columns.get(path[0]) if len(path) == 1 else None
    # If a column is read as another type, Spark compares values of that type.
    if column is None or column.type != DEFAULTS.get(column.kind):
        return None
    if isinstance(pushed, spark.IsNull):
        return predicates.absent(column.name, column.kind)
    if isinstance(pushed, spark.IsNotNull):
        return predicates.negated(predicates.absent(column.name, column.kind))
    if isinstance(pushed, spark.In):
        values = list(pushed.value)
        # NOT IN is never true for a list with NULL. Spark evaluates that.
        return None if None in values else predicates.member(column.name, column.kind, values)
    if type(pushed) in _PARTS:
        return predicates.part(column.name, column.kind, _PARTS[type(pushed)], pushed.value)
    if type(pushed) in _COMPARISONS:
        return predicates.compared(
            column.name, column.kind, _COMPARISONS[type(pushed)], pushed.value
        )
    return None


_TESTS: dict[type, Callable[[str, object], bool]] = {
    spark.EqualTo: lambda path, value: path == value,
    spark.IsNotNull: lambda path, value: True,
    spark.EqualNullSafe: lambda path, value: path == value,
    spark.In: lambda path, values: path in values,
    spark.StringStartsWith: lambda path, value: path.startswith(value),
    spark.StringEndsWith: lambda path, value: path.endswith(value),
    spark.StringContains: lambda path, value: value in path,
}


def of_path(pushed: spark.Filter, column: str) -> Callable[[str], bool] | None:
    """Returns the test of a filter on the column with the store's path. It selects stores."""
    if getattr(pushed, "attribute", None) != (column,) or type(pushed) not in _TESTS:
        return None
    test = _TESTS[type(pushed)]
    return lambda path: test(path, getattr(pushed, "value", None))
