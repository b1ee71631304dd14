"""Published counts of move sequences, up to depths that take seconds.

`ZRF_PERFT_NODES` sets the largest number of leaves that the interpreter counts, `ZRF_PERFT_NATIVE_NODES` the same
for the native engine; larger counts are skipped. See `perft_tables.py` for the format of the tables.
"""

from __future__ import annotations

import os
import re
from itertools import takewhile

import pytest

from tests.perft_tables import Table, loaded, read_tables, rules_path
from zrf_py.ir.ops import Program
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game, Position, load
from zrf_py.play.notation import move_text
from zrf_py.play.perft import divide, perft
from zrf_py.run import position as run
from zrf_py.run.engine import Engine
from zrf_py.text.diagnostics import ZrfError

NODES = {
    "interpret": int(os.environ.get("ZRF_PERFT_NODES", "5000")),
    "native": int(os.environ.get("ZRF_PERFT_NATIVE_NODES", "1000000")),
}
TURNS = max(20_000, NODES["interpret"])
EDIT = re.compile(r"\([^()]*\)")


def cases() -> list[tuple[str, Table, int, int]]:
    """Return (engine, table, depth, count) for each engine and table: the first and the deepest count within the
    limit."""
    found = []
    for engine, limit in NODES.items():
        for table in read_tables():
            # The interpreter's turns, and all paths, are assembled in Python, leg by leg.
            most = min(limit, TURNS) if table.turns else limit
            counts = list(takewhile(lambda c: c[1] <= most, table.counts))  # noqa: B023 - used at once
            found += [(engine, table, *c) for c in sorted({*counts[:1], *counts[-1:]})]
    return found


def engine_or_skip(program: Program, name: str) -> Engine:
    """Return an engine; if the native one is missing, skip the test."""
    try:
        return make_engine(program, name)
    except ZrfError as error:
        if error.diagnostics[0].code != "no-native-engine":
            raise
        pytest.skip(error.summary())


def start_of(table: Table, engine_name: str) -> tuple[Engine, Position]:
    """Return an engine and the position from which a table counts."""
    program = loaded(rules_path(table.file)).program(table.variant)
    engine = engine_or_skip(program, engine_name)
    position = Game(program, engine=engine).start()
    for line in table.edits:
        for edit in EDIT.findall(line):
            position = position.edited(edit)
    return engine, position


def explained(table: Table, engine: Engine, position: Position, depth: int) -> str:
    """Return the position and the count below each first move, for comparison with another program."""
    pieces = ", ".join(f"{square} {' '.join(piece)}" for square, piece in position.pieces().items())
    lines = [f"{table.file}, {table.variant or 'first game'}, {position.player} to move: {pieces}"]
    for legs, count in divide(engine, position.state, depth, bool(table.turns)):
        state, texts = position.state, []
        for leg in legs:
            texts.append(move_text(engine.program, state, leg))
            state = engine.after(state, leg)
        lines.append(f"  {'; '.join(texts)}: {count}")
    return "\n".join(lines)


def count_paths(engine: Engine, position: Position, depth: int) -> int:
    """Count like `perft` of whole turns, but every sequence of legs is a turn of its own."""

    def walk(state: run.Position, left: int) -> int:
        if left == 0:
            return 1
        total = 0
        for move in engine.moves(state):
            after = engine.after(state, move)
            total += walk(after, left if after.chain is not None else left - 1)
        return total

    return walk(position.state, depth)


QUICK = 400
"""Maximum number of leaves that the interpreter counts in quick tests."""
LONG = "fourteen-captures"
"""Name of a table whose position has few moves, which take long to find."""


def is_slow(engine_name: str, table: Table, depth: int, count: int) -> bool:
    return engine_name == "native" or count > QUICK or LONG in str(table)


@pytest.mark.parametrize(("engine_name", "table", "depth", "count"), [
    pytest.param(*case, marks=[pytest.mark.slow] if is_slow(*case) else []) for case in cases()
], ids=str)
def test_counts_match_the_published_ones(engine_name: str, table: Table, depth: int, count: int) -> None:
    engine, position = start_of(table, engine_name)
    if table.turns == "paths":
        found = count_paths(engine, position, depth)
    else:
        found = perft(engine, position.state, depth, bool(table.turns))
    assert found == count, explained(table, engine, position, depth)


@pytest.mark.parametrize("table", read_tables(), ids=str)
def test_each_table_has_a_source_counts_and_a_file(table: Table) -> None:
    """A count without a source proves nothing."""
    assert table.source, "each table names its source; `ours` where we made the numbers"
    assert table.counts
    assert rules_path(table.file)


def test_tictactoe_has_the_known_numbers_of_games_and_positions() -> None:
    """There are 255,168 games and 5,478 positions, including the empty board."""
    game = load("tictactoe")
    engine = game.engine
    games_below: dict[object, int] = {}

    def games(state: run.Position) -> int:
        key = state.key()
        if key not in games_below:
            moves = engine.moves(state)
            games_below[key] = sum(games(engine.after(state, m)) for m in moves) if moves else 1
        return games_below[key]

    assert games(game.start().state) == 255_168
    assert len(games_below) == 5_478
