"""The action space of a game: numbers and texts for its legs, and lookup tables for the kernel.

An action's number is the index of its name in the sorted list of all names of the game (`names.py`). In some
games `OTHERS` spare numbers follow: where more legs share a name than the name has numbers, the surplus legs get spare
numbers, in move-generation order. The number of the pass is the last.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from zrf_py.envs.names import Name, may_choose_type, names_of
from zrf_py.ir.ops import RETYPING, Program
from zrf_py.native.kernel import masks as k
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import Layout
from zrf_py.run.position import DROP, KEEP, NOT_PARTIAL, Move, from_store
from zrf_py.text.diagnostics import ZrfError

VERSION = 2
"""Version of the numbering; a stored number is valid for one version only."""
OTHERS = 64
"""Number of spare actions, for legs whose name has too few numbers of its own."""
LAST, SAME_NAME, SAME_PAIR = 0, 1, 2
"""Parts of its name that an action shares with the next action: none; from, to and type; or only from and to."""


@dataclass(frozen=True)
class Actions:
    """The action space of a game: `names`, then `others` spare numbers, then the pass if the game has one."""

    program: Program
    names: Sequence[Name]
    others: int
    can_pass: bool

    @staticmethod
    @lru_cache(maxsize=16)
    def of(program: Program) -> Actions:
        """Return the action space of a program, which is built once: the analysis of some games takes many seconds.

        :raises ZrfError: like `names_of`.
        """
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
        """The text of each action, by number; all are different."""
        others = (f"other {number + 1}" for number in range(self.others))
        return (*map(self._text, self.names), *others, *(["Pass"] if self.can_pass else []))

    def _text(self, name: Name) -> str:
        """Return the text of a name: `e2-e4`, `e7-e8=Queen`, `Man@c3`, `b2` for a leg that stays there, `a3-c5 (2)`."""
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
        """Actions by their texts."""
        return {text: number for number, text in enumerate(self.texts)}

    # ------------------------------------------------------------------------------------------------------- moves

    @cached_property
    def _by_name(self) -> dict[Name, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def _chooses_type(self) -> bool:
        return may_choose_type(self.program)

    def first(self, move: Move) -> int:
        """Return the first number of a leg's name.

        :raises ZrfError: if the name has no number, which would be a fault of this package.
        """
        if not (move.movements or move.effects or move.captures) and self.can_pass:
            return self.pass_action
        name = self.name(move)
        if name not in self._by_name:
            raise ambiguous(str(name))
        return self._by_name[name]

    def name(self, move: Move) -> Name:
        """Return the name of a leg other than a pass."""
        kind = KEEP
        if move.movements:
            mode, start, end, kind = movement = move.movements[0]
            if mode == DROP:
                own = from_store(movement)
                start, kind = len(self.program.game.board.places) + own, KEEP if kind == own else kind
        else:
            start = move.start
            squares = [at for name, at, *_ in move.effects if name != "next-turn" and not name.endswith("-counter")]
            end = next(iter((*squares, *move.captures)), move.end if move.end >= 0 else start)
        if self._chooses_type:
            for name, square, a, _ in move.effects:
                kind = a if name in RETYPING and square == end else kind
        return Name(start, end, kind)

    def number(self, move: Move, moves: tuple[Move, ...]) -> int:
        """Return the action of `move`, one of the legal moves `moves` of a position.

        :raises ZrfError: if the position has more legs of one name than there are numbers.
        """
        action = self.first(move)
        if not self.others or action == self.pass_action:
            return action
        return next(number for number, others in self.numbered(moves).items() if _is_same(others[0], move))

    def numbered(self, moves: tuple[Move, ...]) -> dict[int, list[Move]]:
        """Map actions to the legal moves of a position; equivalent moves, of several blocks, have the same action.

        :raises ZrfError: if there are more legs of one name than there are numbers.
        """
        legal: dict[int, list[Move]] = {}
        for move in moves:
            action = self.first(move)
            while action in legal and not _is_same(legal[action][0], move):
                action = self._next(action)
            legal.setdefault(action, []).append(move)
        return legal

    def _next(self, action: int) -> int:
        """Return the next number to try for a leg when a different leg of the same name has `action`."""
        count = len(self.names)
        if action + 1 < count and self.names[action + 1].way:
            return action + 1
        following = count if action < count else action + 1
        if following >= count + self.others:
            raise ambiguous(f"`{self.texts[action]}`")
        return following

    # ----------------------------------------------------------------------------------------------------- tables

    def tables(self) -> tuple[array[int], array[int], array[int]]:
        """Return the values of the constant arrays `leg_pair`, `leg_kind` and `leg_more` of `kernel/memory.py`."""
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
        return pairs, kinds + array("i", [KEEP]) * (rest + 1), more + array("b", [LAST]) * (rest + 1)

    def yields(self, layout: Layout) -> array[int]:
        """Return the actions of legs, indexed [`Yield` of `native/bitboards/sets.py`][start][index in its types].

        -1: these three do not determine the action. The array is empty if fleets don't list legs by bitboards.
        """
        tables, params, squares = layout.tables, layout.params, len(self.program.game.board.places)
        setting = layout.setting
        if not setting.sets or params.must_finish or self._chooses_type or self.program.uses("cascade"):
            return array("i")
        actions, most, own = array("i"), setting.most_types, layout.tables[m.routine_type.name]
        routines = tables[k.yield_routine.name]
        ends = list(zip(tables[k.yield_from.name], tables[k.yield_end.name], strict=True))
        types = tables[k.yield_types.name]
        for number, routine in enumerate(routines):
            for start, end in ends[number * squares : (number + 1) * squares]:
                for kind in types[number * most : (number + 1) * most]:
                    name = Name(squares + own[routine], end) if routine >= params.routines else Name(start, end, kind)
                    is_fixed = end >= 0 and (routine >= params.routines or (start >= 0 and start != end))
                    actions.append(self._by_name.get(name, -1) if is_fixed else -1)
        return actions


def ambiguous(text: str) -> ZrfError:
    """Return the error for a position with more legs of one name than there are numbers for it."""
    return ZrfError(f"{text}: more legs share a name than there are action numbers", "too-many-actions", help="one "
                    "block of the rules has many different effects for one movement; use `Position` to play this game")


def _is_same(first: Move, second: Move) -> bool:
    same = (first.movements, first.effects, sorted(first.captures), first.partial, first.must, first.is_pass) == (
        second.movements, second.effects, sorted(second.captures), second.partial, second.must, second.is_pass)
    return same and (first.partial == NOT_PARTIAL or first.end == second.end) and (
        bool(first.movements) or (first.start, first.end) == (second.start, second.end))
