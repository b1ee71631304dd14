"""Padding that aligns the columns of a form's rows.

Columns are aligned if the author has aligned some (two blanks or a tab within a row), and always in `positions`. Rows
of words only may be a drawing of the board: their words keep their relative places.
"""

from itertools import groupby

from zrf_py.author.format.tree import Item, flat
from zrf_py.front.keywords import BODIES

TABLES = frozenset({"positions"})
"""Forms whose rows are always aligned."""
MIXED = frozenset({"positions", "dimensions", "directions", "links", "board-setup", "image"})
"""Forms whose rows are aligned together although they begin with different words."""
WIDTH = 100


def align(parent: str, items: list[Item], depth: int = 0) -> None:
    """Set `pad` in the rows of a form and of all forms inside it."""
    for item in items:
        if item.items is not None:
            align(item.head, item.items, depth + 1)
    for _, group in groupby(_rows(items), key=lambda row: _kind(row, parent)):
        rows = list(group)
        if len(rows) < 2 or _kind(rows[0], parent) is None:
            continue
        if all(not item.is_form for row in rows for item in row):
            _drawing(rows)
        else:
            _straighten([_cells(row) for row in rows], parent in TABLES, depth)


def _rows(items: list[Item]) -> list[list[Item]]:
    """Return the lines of items after the first, without comments behind code; a blank line adds an empty row."""
    rows: list[list[Item]] = []
    current: list[Item] | None = None
    for item in items:
        if item.is_comment and not item.lines:
            continue
        if item.lines:
            if item.lines > 1:
                rows.append([])
            current = []
            rows.append(current)
        if current is not None:
            current.append(item)
    return rows


def _kind(row: list[Item], parent: str) -> object:
    """Return a key that is equal for rows to align together; None for a row that stays apart, such as one with a long
    item or one that begins with `else`."""
    if not row or any(item.width < 0 for item in row) or (row[0].text == "else" and parent in BODIES):
        return None
    if all(not item.is_form for item in row):
        return "words"
    if len(row) > 1:
        return tuple(item.is_form for item in row)
    inside = row[0].items or []
    head = "" if parent in MIXED else row[0].head
    return (head, *(item.is_form for item in inside))


def _cells(row: list[Item]) -> list[Item]:
    return row if len(row) > 1 else row[0].items or []


def _has_wide_gaps(rows: list[list[Item]]) -> bool:
    return any(item.gap > 1 for row in rows for item in row[1:])


def _drawing(rows: list[list[Item]]) -> None:
    """Keep the places of the words on their lines, relative to the leftmost row."""
    if not _has_wide_gaps(rows) and len({row[0].column for row in rows}) < 2:
        return
    if not _has_wide_gaps(rows):
        return
    left = min(row[0].column for row in rows)
    for row in rows:
        row[0].pad = row[0].column - left
        for item in row[1:]:
            item.pad = item.gap - 1


def _straighten(rows: list[list[Item]], always: bool, depth: int) -> None:
    if not always and not _has_wide_gaps(rows):
        return
    count = len(rows[0])
    texts = [[flat(item) for item in row] for row in rows]
    widths = [max(len(row[n]) for row in texts) for n in range(count)]
    if sum(widths) + count + 2 * depth + 4 > WIDTH:
        return
    for n in range(1, count):
        right = all(row[n].kind == "NUMBER" for row in rows)
        for row, text in zip(rows, texts, strict=True):
            if right:
                row[n].pad += widths[n] - len(text[n])
            if not (n > 1 and all(r[n - 1].kind == "NUMBER" for r in rows)):
                row[n].pad += widths[n - 1] - len(text[n - 1])
