"""Creates stores, and reads their rows with the program."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fleet:
    """The program and a model."""

    program: str
    model: Path

    def run(self, *arguments: str, given: str = "") -> str:
        done = subprocess.run(
            [self.program, *arguments], input=given, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    def create(self, store: Path, version: str = "Kinds 2", rows: list[dict] | None = None) -> Path:
        model = ("--model", str(self.model), "--model-version", version)
        store.parent.mkdir(parents=True, exist_ok=True)
        self.run("create", *model, str(store))
        records = "\n".join(json.dumps(row) for row in rows or [])
        if records:
            self.run(
                "batch-insert", "Item", "-", "--input", "ndjson", "--store", str(store), *model,
                given=records,
            )  # fmt: skip
        return store

    def fetch(self, store: Path, *arguments: str) -> list[dict]:
        text = self.run(
            "fetch", "Item", *arguments, "--model", str(self.model), "--store", str(store),
            "--format", "ndjson",
        )  # fmt: skip
        return [json.loads(line) for line in text.splitlines()]
