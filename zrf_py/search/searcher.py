"""Native engine with search compiled in: Python interface to the kernels of search.

The evaluation is set from outside, by `Weights`.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, chain, product, starmap, takewhile

from zrf_py.ir.ops import Program
from zrf_py.native.bitboards.graph import words_of
from zrf_py.native.engine import Native
from zrf_py.native.errors import NoRoom
from zrf_py.native.extension import Extension
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import MOVES_ROOM, Layout
from zrf_py.native.machine import Machine
from zrf_py.native.piece_square import TableShape
from zrf_py.run.position import Position
from zrf_py.search import memory as n
from zrf_py.search.plan import MctsSettings, Patterns, Plan, Weights
from zrf_py.search.result import Analysis, Expected, SearchLine

LARGEST = 1 << 23
"""Maximum number of entries of the piece-square table; a game with more isn't searched natively."""

SEARCHING = Extension((
    "zrf_py.search.evaluation.kernel.incremental", "zrf_py.search.alphabeta.kernel.ordering",
    "zrf_py.search.evaluation.kernel.patterns", "zrf_py.search.evaluation.kernel.races",
    "zrf_py.search.alphabeta.kernel.values", "zrf_py.search.alphabeta.kernel.table",
    "zrf_py.search.alphabeta.kernel.search", "zrf_py.search.alphabeta.kernel.lines",
    "zrf_py.search.alphabeta.kernel.deepening", "zrf_py.search.mcts.kernel", "zrf_py.search.mcts.lines",
    "zrf_py.search.evaluation.kernel.learning",
), n.NOTES, n.LATE, (
    ("sum_up", 0), ("position_key", 0), ("alphabeta_begin", 2), ("alphabeta_go", 1), ("alphabeta_lines", 0),
    ("search_clear", 0), ("mcts_begin", 3), ("mcts_go", 1), ("mcts_lines", 0), ("learn", 5), ("lead", 1),
))
"""Kernel modules and entry points that are compiled only for search."""

BEAMS = replace(
    SEARCHING,
    modules=(*SEARCHING.modules, "zrf_py.search.beam.slots", "zrf_py.search.beam.kernel", "zrf_py.search.beam.passes"),
    exports=(*SEARCHING.exports, ("beam_begin", 3), ("beam_go", 1), ("beam_lines", 0)))
"""`SEARCHING` with the kernel of the beam search."""
_PATTERNS = (n.pattern_from, n.pattern_entry, n.pattern_base, n.pattern_digit, n.pattern_stage, n.phase_part)
MakeMachine = Callable[[Program, Extension], Machine]
WIDEST = 1024
"""Maximum number of positions of a generation of a beam."""
MOST_CELLS = 1 << 21
"""Maximum number of squares in all slots of a beam together: on large boards beams are narrower."""


def with_search(layout: Layout, program: Program, plan: Plan) -> Layout:
    """Return the layout extended by the arrays of search.

    :raises NoRoom: if the piece-square table would be too large.
    """
    squares, players, types = len(program.game.board.places), len(program.game.players), len(program.game.pieces)
    if (size := TableShape.of(program.game).size) > LARGEST:
        raise NoRoom("worths")
    far = [row for kinds in plan.races.costs for rows in kinds for row in rows] if plan.races else []
    values = n.Plan.filled(
        lines=len(plan.lines.players), null_move=plan.null_move, counts_leaves=plan.counts_leaves,
        last_matters=plan.last_matters, races=plan.races is not None, sums_suffice=plan.sums_suffice,
        endless=len(program.game.movers) > 1 and not program.aims.repetition,
        many=len(program.game.playing) > 2,
        patterns=len(plan.patterns.squares) if plan.patterns else 0,
        pattern_first=plan.patterns.first if plan.patterns else 0,
        phases=bool(plan.patterns and plan.patterns.parts),
    )
    entries = plan.lines.at or ((),) * squares
    tables = {
        n.plan.name: values,
        n.line_from.name: array("i", accumulate(map(len, entries), initial=0)),
        n.line_entry.name: array("i", chain.from_iterable(chain.from_iterable(entries))) or array("i", [0]),
        n.line_player.name: array("i", plan.lines.players or (0,)),
        n.line_length.name: array("i", plan.lines.lengths or (0,)),
        n.opponent.name: array("b", _opponents(program)),
        n.in_team.name: array("b", starmap(program.game.are_together, product(range(players), repeat=2))),
    }
    words = (squares + 63) // 64
    near = [row for kinds in plan.races.steps for rows in kinds for row in rows] if plan.races else []
    tables |= _pattern_tables(plan.patterns, squares) | {
        n.race_cost.name: array("h", chain.from_iterable(far)),
        n.race_near.name: array("Q", chain.from_iterable(words_of(sum({1 << s for s in row}), words) for row in near)),
        n.race_goal.name: array("Q", chain.from_iterable(
            words_of(sum({1 << s for s in goal}), words) for goal in (plan.races.goals if plan.races else ()))),
    }
    lines = max(len(plan.lines.players), 1)
    sizes = {
        "piece_square": size, "hand_value": players * types, "type_value": types + 1,
        "last_matters": 64 * (types + 1), "line_weight": 64, "standing": players + 1, "line_has": lines,
        "line_blocked": lines, "search": n.Search.size, "ply": n.MAX_PLY * n.Ply.size,
        "killers": 2 * n.MAX_PLY, "order_move": MOVES_ROOM // 2,
        "order_score": MOVES_ROOM // 2, "order_index": MOVES_ROOM // 2, "history": players * n.HISTORY, "past": 4096,
        "pv_table": n.MAX_PLY * (n.MAX_PLY + 1), "root_skip": n.SKIPS, "reward": players, "credit": players,
        "learned": size, "sample_cell": 8 * squares,
        "race_free": words, "race_man": squares, "race_choice": squares,
        "pattern_index": max(1, len(plan.patterns.squares)) if plan.patterns else 1,
        "pattern_weight": len(plan.patterns.weights) if plan.patterns else 1,
        "phase_value": max(1, len(plan.patterns.values)) if plan.patterns else 1,
    }
    forgotten = [note.name for note in n.NOTES if note not in n.LATE and note.name not in {**tables, **sizes}]
    assert not forgotten, f"arrays without a size: {forgotten}"
    return layout.extended(tables, sizes, watched=1, hashes=1, keeps=m.ALL_KEPT)


def _pattern_tables(patterns: Patterns | None, squares: int) -> dict[str, "array[int]"]:
    """Return the constant arrays of the learned patterns."""
    if patterns is None:
        return {where.name: array("b" if where.bits == 8 else "i", (0,)) for where in _PATTERNS}
    entries: list[list[int]] = [[] for _ in range(squares)]
    for number, row in enumerate(patterns.squares):
        for place, square in enumerate(row):
            entries[square] += number, patterns.radix**place
    return {
        n.pattern_from.name: array("i", accumulate((len(row) // 2 for row in entries), initial=0)),
        n.pattern_entry.name: array("i", chain.from_iterable(entries)) or array("i", (0,)),
        n.pattern_base.name: array("i", patterns.bases or (0,)), n.pattern_digit.name: array("b", patterns.digits),
        n.pattern_stage.name: array("i", (stage * patterns.size for stage in patterns.stages)),
        n.phase_part.name: array("i", patterns.parts or (0,)),
    }


def _opponents(program: Program) -> list[int]:
    """Return the opponent of each player in a game for two; 0 for other players, and in other games."""
    playing = program.game.playing
    other = dict(zip(playing, reversed(playing), strict=True)) if len(playing) == 2 else {}
    return [other.get(player, 0) for player in range(len(program.game.players))]


class Searcher:
    """Native search for one game. Not thread-safe."""

    def __init__(self, program: Program, plan: Plan, machine: MakeMachine = Machine) -> None:
        """:param machine: factory for native memory and code.
        :raises NoRoom: if the game is too large."""
        self.program = program
        self.plan = plan
        self.machine = machine(program, BEAMS if plan.beam else SEARCHING)
        self.machine.settle(lambda layout: with_search(layout, program, plan))
        self.engine = Native(program, machine=self.machine)
        """Rules engine that shares the native memory."""
        self._keys: dict[Position, int] = {}

    @property
    def search(self) -> n.Search:
        """Parameters and counters of the kernels."""
        return n.Search.over(self.machine.arrays["search"])

    def weigh(self, weights: Weights) -> None:
        """Set the evaluation weights."""
        self.machine.make_ready()
        table, values = TableShape.of(self.program.game), self.machine.arrays["piece_square"]
        for player, kinds in enumerate(weights.board):
            for kind, row in enumerate(kinds):
                at = table.at(player, kind)
                values[at : at + table.squares] = row
        self.machine.arrays["hand_value"][: len(weights.hand) * table.types] = [w for row in weights.hand for w in row]
        self.machine.arrays["type_value"][1 : table.types + 1] = weights.kinds
        self.machine.arrays["line_weight"][: len(weights.lines)] = weights.lines
        for name in n.TERMS:
            setattr(self.search, name, weights.terms.get(name, 0))
        self.search.per_arrival = n.ARRIVING if max(values) - min(values) >= n.ARRIVING else 0

    def use_patterns(self, patterns: Patterns) -> None:
        """Set the learned `weights` and `values`; all other fields of `patterns` must be as in the plan."""
        self.machine.make_ready()
        self.machine.arrays["pattern_weight"][:] = patterns.weights
        if patterns.parts:
            self.machine.arrays["phase_value"][:] = patterns.values

    def lead(self, position: Position, player: int) -> int:
        """Return the value of a position to one of two players by the sums alone, without search and patterns."""
        self.restart(position)
        return self.machine.call["lead"](player)

    def measured(self) -> dict[str, bytes]:
        """Return the contents of the arrays set by `weigh`, `use_patterns` and `last_moves_matter`, by name."""
        self.machine.make_ready()
        numbers = n.Search.filled(**{name: getattr(self.search, name) for name in n.TERMS})
        names = ("piece_square", "hand_value", "type_value", "line_weight", "last_matters", "pattern_weight",
                 "phase_value")
        return {n.search.name: numbers.tobytes(), **{name: bytes(self.machine.arrays[name]) for name in names}}

    def last_moves_matter(self, table: Sequence[int]) -> None:
        """Set the table of last moves on which the legal replies depend, in the format of `preparation.last_moves`."""
        self.machine.make_ready()
        self.machine.arrays["last_matters"][:] = table

    def prepare(self, position: Position, past: Sequence[Position], bits: int) -> None:
        """Prepare to search a position, with a transposition table of 1 << `bits` entries; `past` as in `Request`.

        Tables are cleared, so that a search does not depend on earlier ones.
        """
        self.machine.allot((n.table_key, n.table_data), 1 << bits)
        self._remember(past)
        self.search.table_mask = (1 << bits) - 1
        self.machine.call["search_clear"]()
        self.restart(position)

    def restart(self, position: Position) -> None:
        """Load a position as the root, and compute its evaluation sums."""
        self.engine.border.load(position)
        self.machine.call["sum_up"]()

    def _remember(self, past: Sequence[Position]) -> None:
        """Store the keys of earlier positions."""
        old_keys, keys = self._keys, []
        self._keys = {}
        for before in past[-4000:]:
            if before not in old_keys:
                self.restart(before)
                old_keys[before] = self.machine.call["position_key"]()
            self._keys[before] = old_keys[before]
            keys.append(old_keys[before])
        self.search.past = len(keys)
        self.machine.arrays["past"][: len(keys)] = keys

    def noise(self, width: int, seed: int) -> None:
        """Add noise of this width to each evaluation; it depends only on the position and the seed."""
        self.search.noise = width
        self.search.noise_seed = (seed * 0x9E37_79B9_7F4A_7C15 + 1) % (1 << 63)

    def deepen(self, count: int, depth: int | None) -> None:
        """Start alpha-beta at the prepared position, for `count` lines, at most to `depth` (None: without limit)."""
        self._make_room(count)
        self.machine.call["alphabeta_begin"](count, depth or 0)

    def widen(self, count: int, depth: int | None, nodes: int | None, is_forced: bool) -> None:
        """Start a beam at the prepared position, for `count` lines, to `depth` own turns, within `nodes` positions
        (None: without limit). A forced move gets one pass unless a depth is given."""
        self._make_room(count)
        room = max(8, min(WIDEST, MOST_CELLS // len(self.program.game.board.places) // 2))
        slots = 2 * room + 3
        self.machine.allot((n.beam,), slots * n.BeamSlot.size)
        self.machine.allot((n.beam_heap, n.beam_list), slots)
        assert self.machine.layout is not None
        params = self.machine.layout.params
        sizes = params.squares, params.squares, params.stores, params.keeps, n.KEPT_LEGS
        for storage, each in zip(n.BEAM_ROWS, sizes, strict=True):
            self.machine.allot((storage,), slots * each)
        self.search.beam_room, self.search.beam_end, self.search.beam_limit = room, 2 * room, nodes or n.MANY
        self.machine.call["beam_begin"](count, depth or 0, 1 if is_forced and not depth else room)

    def _make_room(self, lines: int) -> None:
        self.machine.allot((n.pv_line,), 2 * lines * n.PvLine.size)
        self.machine.allot((n.pv_moves,), 2 * lines * n.MAX_PLY)

    def go(self, kind: str, budget: int, left: int = n.MANY) -> bool:
        """Continue a search of this `kind` for about `budget` positions; return True if it is over or has no room.

        `left` is an estimate of the positions that may still be visited.

        :raises RulesFault: if a block of the rules does not terminate.
        """
        self.search.beam_left = left
        done = bool(self.machine.call[f"{kind}_go"](budget))
        if self.machine.state.error == m.ENDLESS:
            self.engine.border.check()
        return done or bool(self.machine.state.error)

    def result(self, kind: str, position: Position, seconds: float) -> Analysis:
        """Return the lines found so far, as a result after `seconds`; reload the root `position`."""
        self.machine.call[f"{kind}_lines"]()
        search, lines = self.search, []
        for at in range(max(1, search.lines)):
            row = n.PvLine.over(self.machine.arrays["pv_line"], at * n.PvLine.size)
            moves, after = [], position
            for number in takewhile(bool, self.machine.arrays["pv_moves"][at * n.MAX_PLY : (at + 1) * n.MAX_PLY]):
                moves.append(self.engine.moves(after)[number - 1])
                after = self.engine.after(after, moves[-1])
            lines.append(SearchLine(row.value, tuple(moves), row.depth))
        self.restart(position)
        expected = Expected(search.worth_to, search.value) if search.worth_to >= 0 else None
        return Analysis(tuple(lines), search.visited, seconds, bool(search.settled), expected)

    @property
    def visited(self) -> int:
        """Positions visited in this search."""
        return int(self.search.visited)

    def begin_tree(
        self, position: Position, past: Sequence[Position], room: int, settings: MctsSettings, seed: int = 0,
        count: int = 1, worth_to: int = -1,
    ) -> None:
        """Start a tree of at most `room` nodes at a position, for `count` lines; where chance is to move, their values
        are those of the player `worth_to`."""
        self._make_room(count)
        self.machine.allot((n.tree,), room * n.TreeNode.size)
        self.machine.allot((n.node_record,), room * n.KEPT_WORDS)
        self.machine.allot((n.node_reward,), room * len(self.program.game.players))
        self._remember(past)
        self.search.nodes_room, self.search.estimates = room, settings.estimates
        self.search.explore, self.search.rollout_legs = settings.explore, settings.rollout_legs
        self._play(settings)
        self.restart(position)
        self.machine.call["mcts_begin"](count, seed + 1, worth_to)

    def _play(self, settings: MctsSettings) -> None:
        search = self.search
        search.longest, search.tries = settings.longest, settings.tries

    def learn(self, seed: int, first: int, games: int, settings: MctsSettings, rate: int, most: int) -> int:
        """Learn square weights from random games, for two players; return the number of positions visited.

        Games are numbered from `first`, and their randomness depends on seed and number alone, not on how many are
        played per call. No game is begun after `most` positions.

        :raises RulesFault: if a block of the rules does not terminate (`NoRoom`: if native memory is too small).
        """
        player = self.program.game.playing[0]
        self._play(settings)
        self.restart(self.engine.start())
        visited = self.machine.call["learn"](seed * 1_000_003 + first, player, games, rate, most)
        self.engine.border.check()
        return visited

    def piece_squares(self) -> list[list[list[int]]]:
        """Return the current piece-square table, [player][type][square]."""
        table, values = TableShape.of(self.program.game), self.machine.arrays["piece_square"]
        return [[values[table.at(player, kind) : table.at(player, kind) + table.squares] for kind in range(table.types)]
                for player in range(table.players)]
