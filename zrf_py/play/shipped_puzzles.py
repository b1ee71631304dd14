"""The puzzles that ship with the package: `rules/puzzles/NAME.jsonl`, made by `zrf puzzles`, for games of the shelf.

A puzzle's record begins with the edit that sets up its position, by which `puzzle_at` recognises the puzzle.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from zrf_py.data import data_file
from zrf_py.library import contents, shelf_name
from zrf_py.text.diagnostics import ZrfError

FOLDER = "rules/puzzles"


def puzzles_of(path: Path | None, title: str) -> list[dict[str, Any]]:
    """Return the puzzles for a game of a rules file, the easiest first, as `batch/winning_turns.py` describes them."""
    return _read(shelf_name(path)).get(title, [])


@lru_cache(maxsize=64)
def _read(name: str) -> dict[str, list[dict[str, Any]]]:
    """Return the puzzles for a file of the shelf, by the title of their game."""
    try:
        text = contents(data_file(FOLDER) / f"{name.replace('/', '-')}.jsonl").decode()
    except (FileNotFoundError, ZrfError):
        return {}
    head, *rows = map(json.loads, text.splitlines())
    return {head["game"]: sorted(rows, key=lambda row: row["level"])}


def puzzle_at(path: Path | None, title: str, record: list[str]) -> dict[str, Any] | None:
    """Return the puzzle with which a record begins, its `number` (from 1) and the total (`of`); None without one."""
    rows = puzzles_of(path, title) if record and record[0].startswith("(position ") else []
    return next(({**row, "number": number, "of": len(rows)} for number, row in enumerate(rows, 1)
                 if _edit(row) == record[0]), None)


def record_of(path: Path | None, title: str, number: Any) -> list[str]:
    """Return the record that sets up puzzle `number` (from 1).

    :raises ZrfError: if there is no such puzzle.
    """
    rows = puzzles_of(path, title)
    if type(number) is not int or not 1 <= number <= len(rows):
        raise ZrfError("there is no such puzzle", "no-such-puzzle")
    return [_edit(rows[number - 1])]


def _edit(row: dict[str, Any]) -> str:
    return f"(position {row['position']})"
