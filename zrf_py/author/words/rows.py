"""Recognise tests that a square belongs to a row of a given number of pieces of one side."""

from dataclasses import replace

from zrf_py.author.words.forms import NEVER, Condition, Fact, Form, Many, Spot
from zrf_py.author.words.logic import joined, negated
from zrf_py.author.words.reader import Reader
from zrf_py.front.model import Number

SIDES = {"friend?": 0, "enemy?": 1}


def with_rows(reader: Reader, form: Form) -> Form:
    """Replace conditions of a form by "row?" facts where possible."""
    return replace(form, facts=_named(reader, form.facts),
                   deeds=tuple(replace(deed, fact=_with_rows(reader, deed.fact)) for deed in form.deeds))


def _with_rows(reader: Reader, condition: Condition) -> Condition:
    if isinstance(condition, Fact):
        return replace(condition, inner=_with_rows(reader, condition.inner)) if condition.inner else condition
    if condition.word == "or":
        return negated(joined("and", _named(reader, tuple(map(negated, condition.parts)))))
    return joined("and", _named(reader, condition.parts))


def _named(reader: Reader, parts: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Put "row?" facts in place of conditions that must all hold; several of them together may negate one row."""
    for size in range(len(parts), 0, -1):
        for n in range(len(parts) - size + 1):
            row = _row(reader, negated(joined("and", parts[n : n + size])))
            if row is not None:
                return (*_named(reader, parts[:n]), negated(row), *_named(reader, parts[n + size:]))
    return tuple(_with_rows(reader, part) if isinstance(part, Fact) or len(parts) > 1 or part.word == "or" else part
                 for part in parts)


def _row(reader: Reader, condition: Condition) -> Fact | None:
    """Return the "row?" fact that equals a condition "all squares of one of these sets hold pieces of one side", where
    the sets are the rows through a square in some directions; None for any other condition."""
    if not isinstance(condition, Many) or condition.word != "or":
        return None
    lines: list[tuple[int, ...]] = []
    common: set[tuple[Spot, str]] = set()
    others: set[Spot | None] = set()
    spots: set[Spot | None] = set()
    for part in condition.parts:
        facts = [f for f in (part.parts if isinstance(part, Many) else (part,)) if isinstance(f, Fact) and f.spot]
        pieces = {f.spot: f for f in facts if f.name in SIDES and f.want}
        apart = {f.spot: f.other for f in facts if f.name == "same?" and not f.want}
        if len(pieces) + len(apart) != len(part.parts if isinstance(part, Many) else (part,)):
            return None
        others |= set(apart.values())
        spots |= pieces.keys() - apart.keys()
        common |= {(replace(spot, path=spot.path[:-1]), f.name) for spot, f in pieces.items() if spot}
        lines.append(tuple(m for spot in pieces if spot for m in spot.path[-1:] if isinstance(m, int)))
    if (key := tuple(lines)) not in reader.rows:
        reader.rows[key] = _directions(reader, lines)
    directions, other = reader.rows[key], next(iter(others), None)
    fits = len(common) == 1 and len(others) < 2 and all(not other or reader.same(s, other) == NEVER for s in spots if s)
    if not fits or not directions:
        return None
    ((spot, side),) = common
    numbers = tuple(Number("number", n) for n in (SIDES[side], *directions))
    return Fact("row?", True, spot, len(lines[0]) + 1, numbers, other)


def _directions(reader: Reader, lines: list[tuple[int, ...]]) -> list[int]:
    """Return the directions whose rows are those of `lines` (each: motions to its other squares); [] if none fit."""
    board, count = reader.game.board, len(lines[0]) + 1
    squares = range(len(board.places))
    tables = [reader.steps[0][motion] for motion in range(2 * len(board.links))]
    pairs = {(s, frozenset((s, *(tables[m][s] for m in line)))) for s in squares for line in lines}
    rows = {row for _, row in pairs if -1 not in row and len(row) == count}
    if any(len(line) + 1 != count for line in lines) or {(s, row) for row in rows for s in row} - pairs:
        return []
    straight: dict[int, set[frozenset[int]]] = {}
    for direction, table in enumerate(board.links):
        for square in squares:
            row = [square]
            while len(row) < count and row[-1] >= 0:
                row.append(table[row[-1]])
            if -1 not in row:
                straight.setdefault(direction, set()).add(frozenset(row))
    fits = [d for d, some in straight.items() if some <= rows and all(len(row) == count for row in some)]
    return fits if set().union(*(straight[d] for d in fits)) == rows else []
