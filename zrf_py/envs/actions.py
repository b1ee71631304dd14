"""The actions of a game: the names of its legs, numbered; as text; and as tables for the kernel.

The number of an action is the place of its name among all names of the game in order (`names.py`). Behind them come
`OTHERS` numbers for legs whose name has none left, in the order of the rules, and the pass.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from zrf_py.envs.names import Name, may_choose_type, names_of
from zrf_py.ir.ops import Program
from zrf_py.native.kernel import masks as k
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import Layout
from zrf_py.run.position import DROP, KEEP, NOT_PARTIAL, Move, from_store
from zrf_py.text.diagnostics import Diagnostic, ZrfError

VERSION = 2
"""The way in which actions are numbered: another one makes other numbers."""
OTHERS = 64
"""Legs of a position whose name has no number left."""
LAST, SAME_NAME, SAME_PAIR = 0, 1, 2
"""Whether the next action has the same from and to, and the same type as well."""


@dataclass(frozen=True)
class Actions:
    """Every action of a game. `others` are the numbers behind those of `names`; the pass, if there is one, is last."""

    program: Program
    names: Sequence[Name]
    others: int
    can_pass: bool

    @staticmethod
    def of(program: Program) -> Actions:
        """The actions of a program."""
        options = program.game.options
        can_pass = options.pass_turn != "never" or options.pass_partial or program.uses("add-pass")
        names = names_of(program)
        clash = any(name.way for name in names) or program.uses("cascade")
        return Actions(program, names, OTHERS if clash else 0, can_pass)

    def __len__(self) -> int:
        return len(self.names) + self.others + self.can_pass

    @property
    def pass_action(self) -> int:
        """The action of a pass; -1 if there is none."""
        return len(self) - 1 if self.can_pass else -1

    # -------------------------------------------------------------------------------------------------------- text

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Each action as it is read; no two are the same."""
        others = (f"other {number + 1}" for number in range(self.others))
        return (*map(self._text, self.names), *others, *(["Pass"] if self.can_pass else []))

    def _text(self, name: Name) -> str:
        """A name as it is read: `e2-e4`, `e7-e8=Queen`, `Man@c3`, `b2` for a leg that stays there, `a3-c5 (2)`."""
        places, pieces = self.program.game.board.places, self.program.game.pieces
        end = places[name.end].name
        kind = "" if name.kind == KEEP else f"={pieces[name.kind].name}"
        if name.start >= len(places):
            text = f"{pieces[name.start - len(places)].name}{kind}@{end}"
        else:
            text = (end if name.start == name.end else f"{places[name.start].name}-{end}") + kind
        return f"{text} ({name.way + 1})" if name.way else text

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Text → action."""
        return {text: number for number, text in enumerate(self.texts)}

    # ------------------------------------------------------------------------------------------------------- moves

    @cached_property
    def _by_name(self) -> dict[Name, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def _chooses_type(self) -> bool:
        return may_choose_type(self.program)

    def first(self, move: Move) -> int:
        """The first number of the name of a leg.

        :raises ZrfError: if it has none, which would be a fault of this package.
        """
        if not (move.movements or move.effects or move.captures) and self.can_pass:
            return self.pass_action
        name = self.name(move)
        if name not in self._by_name:
            raise ambiguous(str(name))
        return self._by_name[name]

    def name(self, move: Move) -> Name:
        """The name of a leg that is no pass."""
        kind = KEEP
        if move.movements:
            how, start, end, kind = movement = move.movements[0]
            if how == DROP:
                own = from_store(movement)
                start, kind = len(self.program.game.board.places) + own, KEEP if kind == own else kind
        else:
            start = move.start
            squares = [effect[1] for effect in move.effects if _has_square(effect[0])]
            end = next(iter((*squares, *move.captures)), move.end if move.end >= 0 else start)
        if self._chooses_type:
            for name, square, a, _ in move.effects:
                kind = a if name == "change-type" and square == end else kind
        return Name(start, end, kind)

    def number(self, move: Move, moves: tuple[Move, ...]) -> int:
        """The action of one of the legal moves of a position.

        :raises ZrfError: if the position has more legs of one name than there are numbers.
        """
        action = self.first(move)
        if not self.others or action == self.pass_action:
            return action
        return next(number for number, other in self.numbered(moves).items() if _is_same(other, move))

    def numbered(self, moves: tuple[Move, ...]) -> dict[int, Move]:
        """The legal moves of a position by their actions; of moves that do the same the first one.

        :raises ZrfError: if there are more legs of one name than there are numbers.
        """
        found: dict[int, Move] = {}
        for move in moves:
            action = self.first(move)
            while action in found and not _is_same(found[action], move):
                action = self._next(action)
            found.setdefault(action, move)
        return found

    def _next(self, action: int) -> int:
        """The number for another leg of the name of an action, if that one is taken."""
        count = len(self.names)
        if action + 1 < count and self.names[action + 1].way:
            return action + 1
        following = count if action < count else action + 1
        if following >= count + self.others:
            raise ambiguous(f"`{self.texts[action]}`")
        return following

    # ----------------------------------------------------------------------------------------------------- tables

    def tables(self) -> Tables:
        """The tables in which the kernel looks actions up."""
        squares, types = len(self.program.game.board.places), len(self.program.game.pieces)
        pairs = array("i", [-1]) * ((squares + types) * squares)
        kinds, more = array("i"), array("b")
        for action, name in enumerate(self.names):
            at = name.start * squares + name.end
            if pairs[at] < 0:
                pairs[at] = action
            kinds.append(name.kind)
            following = self.names[action + 1] if action + 1 < len(self.names) else None
            together = following is not None and following[:2] == name[:2]
            more.append(SAME_NAME if following and following.way else SAME_PAIR if together else LAST)
        rest = len(self) - len(self.names)
        return Tables(pairs, kinds + array("i", [KEEP]) * (rest + 1), more + array("b", [LAST]) * (rest + 1))

    def yields(self, layout: Layout) -> array[int]:
        """
        The action of each record that a block writes on a square, for games that list legs by sets of squares: where
        blocks begin says all that names hold. Empty for other games.
        """
        tables, params, squares = layout.tables, layout.params, len(self.program.game.board.places)
        setting = k.Setting.over(array("q", tables[k.setting.name]))
        if not setting.sets or params.must_finish or self._chooses_type or self.program.uses("cascade"):
            return array("i")
        found, most, own = array("i"), setting.most_types, layout.tables[m.routine_type.name]
        routines = tables[k.yield_routine.name]
        ends = list(zip(tables[k.yield_from.name], tables[k.yield_end.name], strict=True))
        types = tables[k.yield_types.name]
        for number, routine in enumerate(routines):
            for start, end in ends[number * squares : (number + 1) * squares]:
                for kind in types[number * most : (number + 1) * most]:
                    name = Name(squares + own[routine], end) if routine >= params.routines else Name(start, end, kind)
                    known = end >= 0 and (routine >= params.routines or (start >= 0 and start != end))
                    found.append(self._by_name.get(name, -1) if known else -1)
        return found


@dataclass(frozen=True)
class Tables:
    """The constant arrays of `kernel/memory.py` that begin with `leg_`."""

    pair: array[int]
    kind: array[int]
    more: array[int]


def ambiguous(text: str) -> ZrfError:
    """The refusal of a position in which there are more legs of one name than numbers for them."""
    return ZrfError([Diagnostic(
        "too-many-actions", f"{text}: there are more legs than numbers for them", None,
        help="the rules let one block do many different things with the same movement; play the game with `Position`")])


def _has_square(effect: str) -> bool:
    return effect != "next-turn" and not effect.endswith("-counter")


def _is_same(one: Move, other: Move) -> bool:
    same = (one.movements, one.effects, sorted(one.captures), one.partial, one.must, one.is_pass) == (
        other.movements, other.effects, sorted(other.captures), other.partial, other.must, other.is_pass)
    return same and (one.partial == NOT_PARTIAL or one.end == other.end) and (
        bool(one.movements) or (one.start, one.end) == (other.start, other.end))
