"""The native engine with search compiled in: what `kernel/search.py` does, asked from Python.

It knows how to look ahead and nothing of what is worth what: that is told by `Weights`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import ClassVar

from zrf_py.ir.ops import Program
from zrf_py.run.native import machine
from zrf_py.run.native.engine import Native
from zrf_py.run.native.kernel import memory as m
from zrf_py.run.native.kernel import notes as n
from zrf_py.run.native.layout import MOVES_ROOM, Layout
from zrf_py.run.native.plan import Found, Manner, Node, NoRoom, Plan, Table, Weights
from zrf_py.run.position import Position

LARGEST = 1 << 23
"""Numbers in the table of what a piece is worth on a square; a game with more isn't searched."""


def with_search(layout: Layout, program: Program, plan: Plan) -> Layout:
    """The layout with what search needs.

    :raises NoRoom: if that would be too much.
    """
    squares, players, types = len(program.game.board.places), len(program.game.players), len(program.game.pieces)
    size = Table.of(program.game).size
    if size > LARGEST:
        raise NoRoom("worths")
    far = [row for kinds in plan.races.costs for rows in kinds for row in rows] if plan.races else []
    values = [0] * n.PLAN
    values[n.WEIGHED] = 1
    values[n.LINES] = len(plan.lines.players)
    values[n.NULL_MOVE] = int(plan.null_move)
    values[n.COUNTS_LEAVES] = int(plan.counts_leaves)
    values[n.LAST_MATTERS] = int(plan.last_matters)
    values[n.RACES] = int(plan.races is not None)
    values[n.SUMS_TELL] = int(plan.sums_tell)
    values[n.CHOOSY] = int(any(cost < 0 for row in far for cost in row))
    values[n.MANY] = int(sum(p.kind == "player" for p in program.game.players) > 2)
    begins, entries = [0], array("i")
    for row in plan.lines.at or ((),) * squares:
        for entry in row:
            entries.extend(entry)
        begins.append(len(entries) // n.ENTRY)
    tables = {
        n.plan.name: array("q", values), n.line_from.name: array("i", begins),
        n.line_entry.name: entries or array("i", [0]),
        n.line_player.name: array("i", plan.lines.players or (0,)),
        n.line_length.name: array("i", plan.lines.lengths or (0,)),
        n.opponent.name: array("b", _opponents(program)), n.in_team.name: array("b", _teams(program)),
    }
    words = range((squares + 63) // 64)
    goals = plan.races.goals if plan.races else ()
    tables[n.race_cost.name] = array("h", chain.from_iterable(far))
    near = [row for kinds in plan.races.steps for rows in kinds for row in rows] if plan.races else []
    tables[n.race_near.name] = array("Q", (_word(row, w) for row in near for w in words))
    tables[n.race_goal.name] = array("Q", (_word(goal, w) for goal in goals for w in words))
    lines = max(len(plan.lines.players), 1)
    sizes = {
        "worth": size, "hand_worth": players * types, "kind_worth": types + 1,
        "last_matters": 64 * (types + 1), "line_weight": 64, "standing": players + 1, "line_has": lines,
        "line_blocked": lines, "search": n.SEARCH, "killers": 2 * n.MAX_PLY, "order_move": MOVES_ROOM // 2,
        "order_score": MOVES_ROOM // 2, "order_index": MOVES_ROOM // 2, "history": players * n.HISTORY, "past": 4096,
        "line_of_play": n.MAX_PLY * (n.MAX_PLY + 1), "root_skip": n.SKIPS, "share": players, "credit": players,
        "learned": size, "sample_cell": 8 * squares,
        "race_free": len(words), "race_man": squares, "race_choice": squares,
        "turn_leg": n.LONGEST_TURN, "best_leg": n.LONGEST_TURN, "turn_key": n.MET_IN_TURN, "turn_stamp": n.MET_IN_TURN,
        "turn_parent": n.MET_IN_TURN, "turn_record": n.MET_IN_TURN, "turn_number": n.MET_IN_TURN,
        "turn_legs": n.MET_IN_TURN, "walk_record": n.LONGEST_TURN,
    }
    for where in n.NOTES:
        if where.name.startswith("ply_"):
            sizes[where.name] = n.MAX_PLY
    forgotten = [where.name for where in n.NOTES if where not in n.LATE and where.name not in {**tables, **sizes}]
    assert not forgotten, f"arrays without a size: {forgotten}"
    return replace(layout, tables={**layout.tables, **tables}, sizes={**layout.sizes, **sizes})


def _word(squares: Iterable[int], number: int) -> int:
    """A word of a set of squares."""
    return sum(1 << square % 64 for square in squares if square // 64 == number)


def _opponents(program: Program) -> list[int]:
    playing = [i for i, p in enumerate(program.game.players) if p.kind == "player"]
    found = [0] * len(program.game.players)
    if len(playing) == 2:
        found[playing[0]], found[playing[1]] = playing[1], playing[0]
    return found


def _teams(program: Program) -> list[int]:
    players = range(len(program.game.players))
    return [int(program.game.are_together(a, b)) for a in players for b in players]


class Searcher(Native):
    """Looks ahead in one game. Not for two threads at the same time.

    :raises NoRoom: if the game is too large.
    """

    also: ClassVar[tuple[str, ...]] = machine.SEARCHING
    exports: ClassVar = {
        **Native.exports, "weigh_all": 0, "place_key": 0, "search_begin": 3, "search_go": 1, "search_clear": 0,
        "uct_begin": 1, "uct_go": 1, "learn": 4,
    }

    def __init__(self, program: Program, plan: Plan) -> None:
        super().__init__(program)
        self.plan = plan
        self.layout = with_search(self._settle(), program, plan)
        self._skipped: list[int] = []
        self._keys: dict[Position, int] = {}

    def _find(self) -> None:
        super()._find()
        self._search = self._arrays["search"]

    # ----------------------------------------------------------------------------------------------------- weights

    def weigh(self, weights: Weights) -> None:
        """From now on things are worth so much."""
        if not self._arrays:
            self._open()
        table, worth = Table.of(self.program.game), self._arrays["worth"]
        for player, kinds in enumerate(weights.board):
            for kind, row in enumerate(kinds):
                at = table.at(player, kind)
                worth[at : at + table.squares] = row
        self._arrays["hand_worth"][: len(weights.hand) * table.types] = [w for row in weights.hand for w in row]
        self._arrays["kind_worth"][1 : table.types + 1] = weights.kinds
        self._arrays["line_weight"][: len(weights.lines)] = weights.lines
        self._search[n.PER_MOVE] = weights.mobility
        self._search[n.PER_DRIFT] = weights.drift
        self._search[n.PER_STEP] = weights.step
        self._search[n.PER_STRANGER], self._search[n.PER_LOCKED] = weights.stranger, weights.locked
        self._search[n.PER_POINT] = weights.point

    def last_moves_matter(self, which: Sequence[int]) -> None:
        """For each [type + 1][(to - from) & 63]: whether what may follow depends on such a last move."""
        if not self._arrays:
            self._open()
        self._arrays["last_matters"][:] = which

    # ------------------------------------------------------------------------------------------------------ search

    def prepare(self, position: Position, past: Sequence[Position], bits: int) -> None:
        """Begin with a position; `past` are earlier ones that could come again, 1 << bits the size of the table.

        What earlier searches found out is forgotten, so that a search does not depend on what went before.
        """
        self._allot((n.table_key, n.table_data), 1 << bits)
        self._remember(past)
        self._search[n.TABLE_MASK] = (1 << bits) - 1
        self._call["search_clear"]()
        self.skip(())
        self.restart(position)

    def restart(self, position: Position) -> None:
        """Put the root into memory again, after a search was broken off."""
        self._load(position)
        self._call["weigh_all"]()

    def _remember(self, past: Sequence[Position]) -> None:
        """Note the keys of earlier positions."""
        known, keys = self._keys, []
        self._keys = {}
        for before in past[-4000:]:
            if before not in known:
                self.restart(before)
                known[before] = self._call["place_key"]()
            self._keys[before] = known[before]
            keys.append(known[before])
        self._search[n.PAST] = len(keys)
        self._arrays["past"][: len(keys)] = keys

    def noise(self, width: int, seed: int) -> None:
        """Add a random number to every estimate, always the same for the same position and seed."""
        self._search[n.NOISE] = width
        self._search[n.NOISE_SEED] = (seed * 0x9E37_79B9_7F4A_7C15 + 1) % (1 << 63)

    def skip(self, numbers: Sequence[int]) -> None:
        """Leave out these moves of the root."""
        skipped = self._arrays["root_skip"]
        for number in self._skipped:
            skipped[number] = 0
        self._skipped = [number for number in numbers if number < n.SKIPS]
        for number in self._skipped:
            skipped[number] = 1
        self._search[n.SKIPPED] = len(self._skipped)

    def deepen(
        self, position: Position, depth: int, alpha: int, beta: int, slices: Callable[[int], int],
    ) -> Found:
        """Search the root to a depth. `slices` is asked, with the positions visited so far, how many more may be
        visited; 0 ends the search. What was found until then is returned.
        """
        self._call["search_begin"](depth, alpha, beta)
        done = 0
        go = self._call["search_go"]
        while not done and not self._state[m.ERROR]:
            budget = slices(int(self._search[n.VISITED]))
            if budget <= 0:
                break
            done = go(budget)
        error = self._state[m.ERROR]
        if error == m.ENDLESS:
            self._check()
        value, visited = int(self._arrays["ply_best"][0]), int(self._search[n.VISITED])
        found = Found(value, self._line(), visited, bool(done) and not error,
                      bool(self._arrays["ply_sound"][0]))
        if not found.complete:
            self.restart(position)
        return found

    def _line(self) -> tuple[int, ...]:
        row = self._arrays["line_of_play"]
        found = []
        for i in range(n.MAX_PLY):
            if not row[i]:
                break
            found.append(int(row[i]) - 1)
        return tuple(found)

    # -------------------------------------------------------------------------------------------- Monte-Carlo tree

    def plant(self, position: Position, past: Sequence[Position], room: int, seed: int, manner: Manner) -> None:
        """Begin a tree of at most `room` nodes at a position."""
        players = len(self.program.game.players)
        self._allot(n.TREE, room)
        self._allot((n.node_record,), room * n.KEPT_WORDS)
        self._allot((n.node_worth,), room * players)
        self._remember(past)
        for number, value in (
            (n.NODES_ROOM, room), (n.ESTIMATES, int(manner.estimates)), (n.EXPLORE, manner.explore),
            (n.LONGEST, manner.longest), (n.PLAYED_ON, manner.played_on), (n.SPREAD, manner.spread),
            (n.TRIES, manner.tries),
        ):
            self._search[number] = value
        self.restart(position)
        self._call["uct_begin"](seed)

    def follow(self, budget: int) -> tuple[bool, int]:
        """Follow lines for about so many positions: whether the root is proven, positions visited in all.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        done = bool(self._call["uct_go"](budget))
        if self._state[m.ERROR]:
            self._check()
        return done, int(self._search[n.VISITED])

    def nodes_below(self, node: int = 0, player: int | None = None) -> list[Node]:
        """The children of a node of the tree, in the order of generation, with what they came to for `player` (or who
        is to move); empty if none were grown."""
        arrays, players = self._arrays, len(self.program.game.players)
        first, mover = arrays["node_first"][node], arrays["node_mover"][node]
        found = []
        for child in range(first, first + arrays["node_count"][node]):
            visits = int(arrays["node_visits"][child])
            worth, told = (
                arrays["node_worth"][child * players + p] / visits / 65536 if visits else 0.0
                for p in (mover, mover if player is None else player))
            proven, far = int(arrays["node_proven"][child]), int(arrays["node_far"][child])
            found.append(Node(child, visits, worth, told, proven, far, int(mover)))
        return found

    def learn(self, games: int, seed: int, manner: Manner, rate: int) -> None:
        """Correct the worths by what wins in random games, in a game of two players."""
        player = next(i for i, p in enumerate(self.program.game.players) if p.kind == "player")
        for number, value in ((n.LONGEST, manner.longest), (n.SPREAD, manner.spread), (n.TRIES, manner.tries)):
            self._search[number] = value
        for i in range(0, games, 64):
            self.restart(self.start())
            self._call["learn"](seed * 1000003 + i, player, 64, rate)
            self._check()

    def standings(self, position: Position) -> list[int]:
        """What each player's side is worth, for all that the sums tell."""
        if not self._arrays:
            self._open()
        self.restart(position)
        return [int(v) for v in self._arrays["standing"][1 : len(self.program.game.players) + 1]]
