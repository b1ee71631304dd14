"""Boards as text, small enough for a hover: a square, the squares of a zone, the moves of a piece."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

from zrf_py.front.model import Board
from zrf_py.ir.ops import Program
from zrf_py.play.edits import turn_of
from zrf_py.run.faults import RulesFault
from zrf_py.run.position import NOBODY, Position, initial
from zrf_py.run.rules import Rules
from zrf_py.view.layout import make_layout

MAX_DRAWN = 900
"""Most squares of a board that is drawn."""
MAX_TRIES = 4
"""Squares tried per player to find the one with the most moves."""
EMPTY, HERE, TARGET = "·", "◆", "●"


def drawing(board: Board, marks: Mapping[int, str]) -> str:
    """Draw the board with a character on each marked square; "" if it is too large, or no square is visible."""
    if not 0 < len(board.places) <= MAX_DRAWN:
        return ""
    plan = make_layout(board, 1, 60)
    if not plan.cells:
        return ""
    left = max(map(len, plan.line_labels), default=0)
    lines = []
    for line, gap in enumerate(plan.gaps):
        row: dict[int, str] = {}
        for place, (at, column) in plan.cells.items():
            if at == line and (column not in row or place in marks):
                row[column] = marks.get(place, EMPTY)
        text = _spread(row, plan.xs)
        lines += [""] * gap + [f"{plan.line_labels[line]:>{left}} {text}".rstrip() if left else text]
    if any(plan.column_labels):
        text = _spread(dict(enumerate(plan.column_labels)), plan.xs)
        lines.append(f"{'':{left}} {text}".rstrip())
    return "\n".join(lines)


def _spread(row: Mapping[int, str], xs: Iterable[int]) -> str:
    text = ""
    for column, x in enumerate(xs):
        if row.get(column):
            text = text.ljust(x) + row[column]
    return text


def moves_of(program: Program, kind: int) -> tuple[int, dict[int, str]] | None:
    """Return (square, marks by square) for a piece that stands alone on the board: the marks show it and its targets.

    The piece is of the first player who can have it. None if it has no moves, or no player has a turn.
    """
    game = program.game
    with suppress(RulesFault):
        rules = Rules(program)
        empty = _emptied(program)
        for player in (i for i, p in enumerate(game.players) if p.kind == "player"):
            turn = turn_of(game, player)
            if turn < 0:
                continue
            best: dict[int, str] = {}
            origin = -1
            for square in _middle(game.board)[:MAX_TRIES]:
                owner, piece, attributes = list(empty.owner), list(empty.piece), list(empty.attributes)
                owner[square], piece[square] = player, kind
                attributes[square] = game.pieces[kind].attributes
                state = replace(empty, owner=tuple(owner), piece=tuple(piece), attributes=tuple(attributes), turn=turn)
                targets = {m.key[1]: TARGET for m in rules.candidates(state) if m.key[0] == square and m.key[1] >= 0}
                if len(targets) > len(best):
                    best, origin = targets, square
            if best:
                return origin, {**best, origin: HERE}
    return None


def _emptied(program: Program) -> Position:
    state = initial(program)
    size = len(state.owner)
    stores = tuple(tuple(0 for _ in row) for row in state.stores)
    return replace(state, owner=(NOBODY,) * size, piece=(0,) * size, attributes=(0,) * size, stores=stores)


def _middle(board: Board) -> list[int]:
    """Return the visible squares, sorted by distance from the middle of the picture."""
    places = [(i, p.rectangle) for i, p in enumerate(board.places) if not p.dummy]
    if not places:
        return []
    xs = [(r[0] + r[2]) / 2 for _, r in places]
    ys = [(r[1] + r[3]) / 2 for _, r in places]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    order = sorted(range(len(places)), key=lambda i: (xs[i] - x) ** 2 + (ys[i] - y) ** 2)
    return [places[i][0] for i in order]
