"""The error of this package: location, cause and remedy."""

from difflib import get_close_matches


class StoretoolError(Exception):
    """An error with its location, its cause and its remedy."""

    def __init__(self, cause: str, *, place: str = "", code: str = "", remedy: str = "") -> None:
        # Pickling requires all four as arguments of Exception. Spark workers pickle errors.
        super().__init__(cause, place, code, remedy)
        self.cause, self.place, self.code, self.remedy = cause, place, code, remedy

    def __reduce__(self) -> tuple:
        return _restored, (self.cause, self.place, self.code, self.remedy)

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        code = f" [{self.code}]" if self.code else ""
        remedy = f"\n  help: {self.remedy}" if self.remedy else ""
        return f"{place}{self.cause}{code}{remedy}"


def _restored(cause: str, place: str, code: str, remedy: str) -> StoretoolError:
    return StoretoolError(cause, place=place, code=code, remedy=remedy)


def nearest(name: str, known: list[str]) -> str:
    """Returns a remedy for a misspelled name: the nearest known name, otherwise all names."""
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    return "available: " + ", ".join(sorted(known)) if known else ""
