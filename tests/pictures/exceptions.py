"""The files for which another rule applies, each with the reason."""

import tomllib
from collections import Counter
from pathlib import Path

from judge import DIFFERS, UNREAD, Result


class Exceptions:
    """The rows of exceptions.toml, and which of them were needed."""

    def __init__(self, file: Path) -> None:
        rows = tomllib.loads(file.read_text())["exception"]
        self.rows = {name: row for row in rows for name in row["files"]}
        self.needed: Counter[str] = Counter()
        self.names: set[str] = set()

    def same_as(self, name: str) -> str | None:
        """The file with the same image, for a file that Pillow does not read."""
        return self.rows.get(name, {}).get("same_as")

    def verdict(self, result: Result) -> str | None:
        """What is wrong with a file, taking its exception into account."""
        row = self.rows.get(result.name)
        if row is None or (result.wrong is None and "same_as" not in row):
            return result.wrong and f"{result.name}: {result.wrong}"
        self.names.add(result.name)
        self.needed[row["reason"]] += 1
        if result.wrong is None or self.excuses(row, result):
            return None
        return f"{result.name}: {result.verdict}, {result.wrong}; the exception is for something else"

    @staticmethod
    def excuses(row: dict, result: Result) -> bool:
        """Whether the exception covers the problem: a difference up to its limits, or an image that
        Pillow cannot read."""
        if "largest" in row:
            largest, mean = result.difference
            return result.verdict == DIFFERS and largest <= row["largest"] and mean <= row["mean"]
        return result.verdict == UNREAD

    def unneeded(self) -> list[str]:
        """Exceptions for files that have no problem or don't exist."""
        return [f"{name}: needs no exception" for name in self.rows if name not in self.names]

    def used(self) -> list[tuple[int, str]]:
        """How many files each reason was needed for."""
        return [(count, reason) for reason, count in sorted(self.needed.items())]
