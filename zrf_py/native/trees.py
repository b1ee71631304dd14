"""Encode goals and numbers as rows of integers, as `kernel/goals.py` and `kernel/numbers.py` read them."""

from __future__ import annotations

from zrf_py.front import model
from zrf_py.ir.ops import COMPARING, Program
from zrf_py.native.errors import TooLarge
from zrf_py.native.kernel import goals as g
from zrf_py.native.kernel import memory as m
from zrf_py.text.numbers import LARGEST

_KINDS = ("number", "counter", "count", "turns-made", "legs-made", "store", "at", "sum", "difference", "product")
"""The kinds in the order of `kernel/numbers.py`."""


class Numbers:
    """The array `numbers` under construction: each distinct number once."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.places: dict[model.Number, int] = {}

    def place(self, number: model.Number) -> int:
        """Return the index of a number, after appending it if it is new; raise `TooLarge` if it does not fit."""
        index = self.places.get(number)
        if index is None:
            row = self._row(number)
            index = self.places[number] = len(self.rows)
            self.rows.extend(row)
        return index

    def _row(self, number: model.Number) -> list[int]:
        kind = _KINDS.index(number.kind)
        if number.kind in ("sum", "difference", "product"):
            return [kind, len(number.parts), *(self.place(part) for part in number.parts)]
        if number.kind == "number" and abs(number.a) > LARGEST:
            raise TooLarge("a number")
        return [kind, number.a, number.b, number.c]


_OWNERS = {"own": g.OWN, "opponent": g.OPPONENT, "any-owner": g.ANY_OWNER}
_WORDS = {"stalemated": m.STALEMATED, "repetition": m.REPETITION, "checkmated": m.CHECKMATED}
_JOINS = {"and": g.GOAL_AND, "or": g.GOAL_OR, "not": g.GOAL_NOT}


class Trees:
    """The array `goal` under construction."""

    def __init__(self, numbers: Numbers, starts: Starts) -> None:
        self.numbers = numbers
        self.starts = starts
        self.rows: list[int] = []

    def add(self, goal: model.Goal) -> int:
        """Append a goal; return its index."""
        row = self._row(goal)
        begin = len(self.rows)
        self.rows.extend(row)
        return begin

    def _row(self, goal: model.Goal) -> list[int]:
        match goal:
            case model.AllOf(word, parts):
                return [_JOINS[word], len(parts), *(self.add(part) for part in parts)]
            case model.Absolute(tests, places):
                return [g.GOAL_ABSOLUTE, len(places), len(tests), *(int(part) for place in places for part in place),
                        *(part for o in tests for part in _occupant(o))]
            case model.Relative(items):
                occupants = dict.fromkeys(item for item in items if not isinstance(item, int))
                row = [g.GOAL_RELATIVE, len(items), self.starts.add(goal), len(occupants)]
                for item in (*items, *occupants):
                    row += (g.DIRECTION, 2 * item, 0) if isinstance(item, int) else _occupant(item)
                return row
            case model.Count(everybody, number, piece):
                return [g.GOAL_COUNT, int(everybody), number, piece]
            case model.Taken(royal, pieces):
                return [g.GOAL_TAKEN, int(royal), len(pieces), *pieces]
            case model.StateGoal(word):
                return [g.GOAL_STATE, _WORDS[word]]
            case model.Compare(word, left, right):
                return [g.GOAL_COMPARE, COMPARING.index(word), self.numbers.place(left), self.numbers.place(right)]


def _occupant(occupant: model.Occupant) -> tuple[int, int, int]:
    return _OWNERS[occupant.owner], occupant.piece, int(occupant.negated)


class Starts:
    """Inverse index of relative configurations: for each player and square, the squares from which they test it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.begins: list[int] = [0]
        self.squares: list[int] = []

    def add(self, goal: model.Relative) -> int:
        """Append the table of a goal; return its index in `begins`."""
        at = len(self.begins) - 1
        for player in range(len(self.program.game.players)):
            for starts in self._of_player(goal, player):
                self.squares.extend(starts)
                self.begins.append(len(self.squares))
        return at

    def _of_player(self, goal: model.Relative, player: int) -> list[list[int]]:
        steps = self.program.steps[player]
        lookers: list[list[int]] = [[] for _ in self.program.game.board.places]
        for start in range(len(lookers)):
            square, tested = start, set()
            for item in goal.items:
                if isinstance(item, int):
                    square = steps[2 * item][square]
                    if square < 0:
                        break
                else:
                    tested.add(square)
            else:
                for square in tested:
                    lookers[square].append(start)
        return lookers
