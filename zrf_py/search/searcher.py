"""Native engine with search compiled in: Python interface to the kernels of `alphabeta/` and `mcts/`.

It searches; the evaluation is set by `Weights`.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import ClassVar

from zrf_py.ir.ops import Program
from zrf_py.native.engine import Native
from zrf_py.native.errors import NoRoom
from zrf_py.native.extension import Extension
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import MOVES_ROOM, Layout
from zrf_py.native.machine import Machine
from zrf_py.native.piece_square import Table
from zrf_py.run.goals import repetition
from zrf_py.run.position import Position
from zrf_py.search import memory as n
from zrf_py.search.plan import Found, MctsSettings, Node, Plan, Weights

LARGEST = 1 << 23
"""Most entries of the piece-square table; a game with more isn't searched natively."""

SEARCHING = Extension((
    "zrf_py.search.evaluation.kernel.incremental", "zrf_py.search.alphabeta.kernel.ordering",
    "zrf_py.search.evaluation.kernel.races",
    "zrf_py.search.alphabeta.kernel.values", "zrf_py.search.alphabeta.kernel.table",
    "zrf_py.search.alphabeta.kernel.search", "zrf_py.search.mcts.kernel", "zrf_py.search.evaluation.kernel.learning",
), n.NOTES, n.LATE, (
    ("sum_up", 0), ("position_key", 0), ("search_begin", 3), ("search_go", 1), ("search_clear", 0), ("mcts_begin", 1),
    ("mcts_go", 1), ("learn", 5),
))
"""Kernel modules and entry points that are compiled only for search."""


def with_search(layout: Layout, program: Program, plan: Plan) -> Layout:
    """Return the layout extended by the arrays of search.

    :raises NoRoom: if the piece-square table would be too large.
    """
    squares, players, types = len(program.game.board.places), len(program.game.players), len(program.game.pieces)
    size = Table.of(program.game).size
    if size > LARGEST:
        raise NoRoom("worths")
    far = [row for kinds in plan.races.costs for rows in kinds for row in rows] if plan.races else []
    values = n.Plan.filled(
        lines=len(plan.lines.players), null_move=plan.null_move, counts_leaves=plan.counts_leaves,
        last_matters=plan.last_matters, races=plan.races is not None, sums_tell=plan.sums_tell,
        choosy=any(cost < 0 for row in far for cost in row),
        endless=len({turn.mover for turn in program.game.turns}) > 1 and not repetition(program.game),
        many=sum(p.kind == "player" for p in program.game.players) > 2,
    )
    params = array("q", layout.tables[m.params.name])
    known = m.Params.over(params)
    known.watched = known.hashes = 1
    known.keeps = m.ALL_KEPT
    begins, entries = [0], array("i")
    for row in plan.lines.at or ((),) * squares:
        for entry in row:
            entries.extend(entry)
        begins.append(len(entries) // n.ENTRY)
    tables = {
        m.params.name: params, n.plan.name: array("q", values), n.line_from.name: array("i", begins),
        n.line_entry.name: entries or array("i", [0]),
        n.line_player.name: array("i", plan.lines.players or (0,)),
        n.line_length.name: array("i", plan.lines.lengths or (0,)),
        n.opponent.name: array("b", _opponents(program)), n.in_team.name: array("b", _teams(program)),
    }
    words = range((squares + 63) // 64)
    goals = plan.races.goals if plan.races else ()
    tables[n.race_cost.name] = array("h", chain.from_iterable(far))
    near = [row for kinds in plan.races.steps for rows in kinds for row in rows] if plan.races else []
    tables[n.race_near.name] = array("Q", chain.from_iterable(_words(row, len(words)) for row in near))
    tables[n.race_goal.name] = array("Q", chain.from_iterable(_words(goal, len(words)) for goal in goals))
    lines = max(len(plan.lines.players), 1)
    sizes = {
        "piece_square": size, "hand_value": players * types, "type_value": types + 1,
        "last_matters": 64 * (types + 1), "line_weight": 64, "standing": players + 1, "line_has": lines,
        "line_blocked": lines, "search": n.Search.size, "ply": n.MAX_PLY * n.Ply.size,
        "killers": 2 * n.MAX_PLY, "order_move": MOVES_ROOM // 2,
        "order_score": MOVES_ROOM // 2, "order_index": MOVES_ROOM // 2, "history": players * n.HISTORY, "past": 4096,
        "pv_table": n.MAX_PLY * (n.MAX_PLY + 1), "root_skip": n.SKIPS, "reward": players, "credit": players,
        "learned": size, "sample_cell": 8 * squares,
        "race_free": len(words), "race_man": squares, "race_choice": squares,
    }
    forgotten = [where.name for where in n.NOTES if where not in n.LATE and where.name not in {**tables, **sizes}]
    assert not forgotten, f"arrays without a size: {forgotten}"
    return replace(layout, tables={**layout.tables, **tables}, sizes={**layout.sizes, **sizes})


def _words(squares: Iterable[int], count: int) -> list[int]:
    """Return a set of squares as a bitboard of `count` words."""
    words = [0] * count
    for square in squares:
        words[square >> 6] |= 1 << (square & 63)
    return words


def _opponents(program: Program) -> list[int]:
    playing = [i for i, p in enumerate(program.game.players) if p.kind == "player"]
    opponents = [0] * len(program.game.players)
    if len(playing) == 2:
        opponents[playing[0]], opponents[playing[1]] = playing[1], playing[0]
    return opponents


def _teams(program: Program) -> list[int]:
    players = range(len(program.game.players))
    return [int(program.game.are_together(a, b)) for a in players for b in players]


class Searcher:
    """Native search for one game. Not thread-safe."""

    also: ClassVar[Extension] = SEARCHING

    def __init__(
        self, program: Program, plan: Plan, machine: Callable[[Program, Extension], Machine] = Machine,
    ) -> None:
        """:param machine: factory for native memory and code.
        :raises NoRoom: if the game is too large."""
        self.program = program
        self.plan = plan
        self.machine = machine(program, self.also)
        self.machine.settle(lambda layout: with_search(layout, program, plan))
        self.engine = Native(program, machine=self.machine)
        """Rules engine that shares the native memory."""
        self._skipped: list[int] = []
        self._keys: dict[Position, int] = {}

    @property
    def search(self) -> n.Search:
        """Parameters and counters of the kernels."""
        return n.Search.over(self.machine.arrays["search"])

    # ----------------------------------------------------------------------------------------------------- weights

    def weigh(self, weights: Weights) -> None:
        """Set the evaluation weights."""
        self.machine.make_ready()
        table, values = Table.of(self.program.game), self.machine.arrays["piece_square"]
        for player, kinds in enumerate(weights.board):
            for kind, row in enumerate(kinds):
                at = table.at(player, kind)
                values[at : at + table.squares] = row
        self.machine.arrays["hand_value"][: len(weights.hand) * table.types] = [w for row in weights.hand for w in row]
        self.machine.arrays["type_value"][1 : table.types + 1] = weights.kinds
        self.machine.arrays["line_weight"][: len(weights.lines)] = weights.lines
        for name in n.TERMS:
            setattr(self.search, name, weights.terms.get(name, 0))

    def measured(self) -> dict[str, bytes]:
        """Return the values set by `weigh` and `last_moves_matter` as array contents by name, for export."""
        self.machine.make_ready()
        numbers = array("q", n.Search.filled(**{name: getattr(self.search, name) for name in n.TERMS}))
        names = ("piece_square", "hand_value", "type_value", "line_weight", "last_matters")
        return {n.search.name: numbers.tobytes(), **{name: bytes(self.machine.arrays[name]) for name in names}}

    def last_moves_matter(self, which: Sequence[int]) -> None:
        """Set for each [type + 1][(to - from) & 63] whether the legal replies depend on such a last move."""
        self.machine.make_ready()
        self.machine.arrays["last_matters"][:] = which

    # ------------------------------------------------------------------------------------------------------ search

    def prepare(self, position: Position, past: Sequence[Position], bits: int) -> None:
        """Start searching a position; `past`: earlier ones that may be repeated, 1 << `bits`: size of the table.

        Tables are cleared, so that a search does not depend on earlier ones.
        """
        self.machine.allot((n.table_key, n.table_data), 1 << bits)
        self._remember(past)
        self.search.table_mask = (1 << bits) - 1
        self.machine.call["search_clear"]()
        self.skip(())
        self.restart(position)

    def restart(self, position: Position) -> None:
        """Reload the root, after an aborted search."""
        self.engine.border.load(position)
        self.machine.call["sum_up"]()

    def _remember(self, past: Sequence[Position]) -> None:
        """Store the keys of earlier positions."""
        known, keys = self._keys, []
        self._keys = {}
        for before in past[-4000:]:
            if before not in known:
                self.restart(before)
                known[before] = self.machine.call["position_key"]()
            self._keys[before] = known[before]
            keys.append(known[before])
        self.search.past = len(keys)
        self.machine.arrays["past"][: len(keys)] = keys

    def noise(self, width: int, seed: int) -> None:
        """Add noise of this width to the evaluation, a function of position and seed."""
        self.search.noise = width
        self.search.noise_seed = (seed * 0x9E37_79B9_7F4A_7C15 + 1) % (1 << 63)

    def skip(self, numbers: Sequence[int]) -> None:
        """Exclude these moves of the root."""
        skipped = self.machine.arrays["root_skip"]
        for number in self._skipped:
            skipped[number] = 0
        self._skipped = [number for number in numbers if number < n.SKIPS]
        for number in self._skipped:
            skipped[number] = 1
        self.search.skipped = len(self._skipped)

    def deepen(
        self, position: Position, depth: int, alpha: int, beta: int, slices: Callable[[int], int],
    ) -> Found:
        """Search the root to a depth. `slices` maps the positions visited so far to the number that may follow; 0 ends
        the search."""
        self.machine.call["search_begin"](depth, alpha, beta)
        done = 0
        go = self.machine.call["search_go"]
        while not done and not self.machine.state.error:
            budget = slices(int(self.search.visited))
            if budget <= 0:
                break
            done = go(budget)
        error = self.machine.state.error
        if error == m.ENDLESS:
            self.engine.border.check()
        root = n.Ply.over(self.machine.arrays["ply"])
        result = Found(root.best, self._line(), self.search.visited, bool(done) and not error, bool(root.proven))
        if not result.complete:
            self.restart(position)
        return result

    def _line(self) -> tuple[int, ...]:
        row = self.machine.arrays["pv_table"]
        numbers = []
        for i in range(n.MAX_PLY):
            if not row[i]:
                break
            numbers.append(int(row[i]) - 1)
        return tuple(numbers)

    # -------------------------------------------------------------------------------------------- Monte-Carlo tree

    def begin_tree(
        self, position: Position, past: Sequence[Position], room: int, seed: int, settings: MctsSettings,
    ) -> None:
        """Start a tree of at most `room` nodes at a position."""
        players = len(self.program.game.players)
        self.machine.allot((n.tree,), room * n.TreeNode.size)
        self.machine.allot((n.node_record,), room * n.KEPT_WORDS)
        self.machine.allot((n.node_reward,), room * players)
        self._remember(past)
        self.search.nodes_room, self.search.estimates = room, settings.estimates
        self.search.explore, self.search.rollout_legs = settings.explore, settings.rollout_legs
        self._play(settings)
        self.restart(position)
        self.machine.call["mcts_begin"](seed)

    def _play(self, settings: MctsSettings) -> None:
        search = self.search
        search.longest, search.spread, search.tries = settings.longest, settings.spread, settings.tries

    def follow(self, budget: int) -> tuple[bool, int]:
        """Run simulations for about `budget` positions; return (root is proven, positions visited in total).

        :raises RulesFault: if a block of the rules does not terminate.
        """
        done = bool(self.machine.call["mcts_go"](budget))
        if self.machine.state.error:
            self.engine.border.check()
        return done, int(self.search.visited)

    def children_of(self, node: int = 0, player: int | None = None) -> list[Node]:
        """Return the children of a tree node in generation order, with rewards for `player` (default: the one to move);
        empty if not expanded."""
        rewards, players = self.machine.arrays["node_reward"], len(self.program.game.players)
        above = self._tree_node(node)
        seats = above.mover, above.mover if player is None else player
        children = []
        for number in range(above.first, above.first + above.count):
            child = self._tree_node(number)
            visits = child.visits
            reward, for_player = (rewards[number * players + p] / visits / 65536 if visits else 0.0 for p in seats)
            children.append(Node(number, visits, reward, for_player, child.proven, child.distance, above.mover))
        return children

    def _tree_node(self, number: int) -> n.TreeNode:
        return n.TreeNode.over(self.machine.arrays["tree"], number * n.TreeNode.size)

    def learn(self, seed: int, first: int, games: int, settings: MctsSettings, rate: int, most: int) -> int:
        """Learn square weights from random games, for two players; return the positions visited.

        Games are numbered from `first`, and their randomness depends on seed and number alone, not on how many are
        played per call. No game is begun after `most` positions.

        :raises RulesFault: if a block of the rules does not terminate.
        """
        player = next(i for i, p in enumerate(self.program.game.players) if p.kind == "player")
        self._play(settings)
        self.restart(self.engine.start())
        visited = self.machine.call["learn"](seed * 1_000_003 + first, player, games, rate, most)
        self.engine.border.check()
        return visited

    def piece_squares(self) -> list[list[list[int]]]:
        """Return the current piece-square table, [player][type][square]."""
        table, values = Table.of(self.program.game), self.machine.arrays["piece_square"]
        return [[values[table.at(player, kind) : table.at(player, kind) + table.squares] for kind in range(table.types)]
                for player in range(table.players)]
