"""Beam search for races of more than two players."""

from __future__ import annotations

from ctypes import c_int64
from dataclasses import replace

import pytest

import zrf_py
from tests.engines import checked
from tests.playing import counted
from zrf_py.ir.ops import Program
from zrf_py.native import code as machine
from zrf_py.native.border import _cells
from zrf_py.native.kernel import memory
from zrf_py.play.advice import analyse
from zrf_py.run.position import NOBODY, NOT_PARTIAL, Position
from zrf_py.run.rules import Rules
from zrf_py.search import base
from zrf_py.search import memory as notes
from zrf_py.search.base import Base
from zrf_py.search.beam.passes import ANSWERED
from zrf_py.search.driver import Driver
from zrf_py.search.evaluation import weights as worth
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits
from zrf_py.search.result import Request
from zrf_py.search.searcher import Searcher
from zrf_py.search.traits import ALPHA_BETA, BEAM
from zrf_py.text.diagnostics import ZrfError

pytestmark = pytest.mark.slow

RACES = ("stern-3p", "halma-4p", "stern-team", "monks-4p-solo")


def program_of(name: str) -> Program:
    return zrf_py.load(name).program


def slot(searcher: Searcher, number: int) -> tuple[list[int], list[int], int]:
    """Return the cells, the stores and the place in the turn order of a position in the beam."""
    assert searcher.machine.layout
    params, arrays = searcher.machine.layout.params, searcher.machine.arrays
    squares, stores, keeps = params.squares, params.stores, params.keeps
    return (arrays["beam_cell"][number * squares : (number + 1) * squares],
            arrays["beam_stores"][number * stores : (number + 1) * stores],
            arrays["beam_state"][number * keeps + memory.PositionFields.turn])


def memory_of_slot(searcher: Searcher, number: int) -> notes.BeamSlot:
    return notes.BeamSlot.over(searcher.machine.arrays["beam"], number * notes.BeamSlot.size)


def same(position: Position) -> tuple[list[int], list[int], int]:
    """Return the data that `slot` returns, computed from a position of the interpreter."""
    rows = [*position.stores, *position.counters, position.made]
    return _cells(position.owner, position.piece), [n for row in rows for n in row], position.turn


@pytest.mark.parametrize("name", RACES[:2])
def test_the_beam_keeps_reachable_positions(name: str) -> None:
    """After each pass in which other players move, the interpreter replays every fourth position leg by leg."""
    base = Base(program_of(name))
    searcher, rules = base.searcher, Rules(base.program)
    start, arrays, search = searcher.engine.start(), searcher.machine.arrays, searcher.search
    mover = rules.turns[start.turn].mover
    searcher.prepare(start, (), 16)
    searcher.widen(1, 3, None, is_forced=False)
    tried = 0
    while tried < 12:
        assert not searcher.go(BEAM, 10**6, 100_000) and search.at < 0
        slots = arrays["beam_list"][: search.beam_count]
        values = [memory_of_slot(searcher, number).value for number in slots]
        assert len(slots) <= search.beam_width and values == sorted(values, reverse=True)
        for number in slots[::4] if search.beam_width >= ANSWERED else ():
            position, at = start, number * notes.KEPT_LEGS
            for leg in arrays["beam_way"][at : at + memory_of_slot(searcher, number).legs]:
                before, position = position, rules.after(position, rules.moves(position)[leg])
            assert slot(searcher, number) == same(position)
            assert position.chain is None and rules.turns[before.turn].mover == mover
            tried += 1
    assert search.beam_width > ANSWERED and search.beam_depth == 3


def test_beam_search_serves_races_of_more_than_two_players() -> None:
    assert GameSearch(program_of("stern-3p")).kind == BEAM
    two = GameSearch(program_of("stern-2p"))
    assert two.kind == ALPHA_BETA
    with pytest.raises(ZrfError, match="more than two"):
        two.analyse(two.engine.start(), kind=BEAM)


def test_own_turns_are_seen_far_ahead() -> None:
    """The three best lines differ; the first contains the moves of all players up to the next own turn."""
    search = GameSearch(program_of("stern-3p"))
    found = search.analyse(search.engine.start(), limits=Limits(nodes=20_000), count=3)
    assert len(found.lines) == 3 and found.best.depth >= 3
    assert len({line.moves for line in found.lines}) == 3
    assert [move.side for move in found.best.moves if move.partial == NOT_PARTIAL][:4] == [0, 1, 2, 0]


def test_equal_limits_and_seeds_give_the_same_lines() -> None:
    search = GameSearch(program_of("stern-3p"))
    limits = Limits(nodes=3000, noise=40)
    first, other, again = (search.analyse(search.engine.start(), limits=limits, seed=s, count=4) for s in (1, 2, 1))
    assert first.lines == again.lines != other.lines


def near_the_goal(name: str, free: tuple[str, ...], strangers: tuple[str, ...], outside: tuple[str, ...]) -> Position:
    """Return a position in which South fills his goal, except for the squares `free` and `strangers`, and has men on
    `outside`; the others stand as at the start, except for men of the second player on `strangers`."""
    program = program_of(name)
    start = Rules(program).start()
    at = {place.name: i for i, place in enumerate(program.game.board.places)}
    zones = program.game.symbols.zones
    goal = set(program.game.board.zones[zones["goal-Man"]][0])
    left = {at[s] for s in free + strangers}
    owner = [NOBODY if o == 0 or s in left else o for s, o in enumerate(start.owner)]
    for square in (goal - left) | {at[s] for s in outside}:
        owner[square] = 0
    for name_of_square in strangers:
        owner[owner.index(1)] = NOBODY
        owner[at[name_of_square]] = 1
    kind = next(i for i, piece in enumerate(program.game.pieces) if piece.name == "Man")
    return replace(start, owner=tuple(owner), piece=tuple(kind if o != NOBODY else 0 for o in owner))


@pytest.mark.parametrize("limits", [Limits(nodes=20, noise=900), Limits(nodes=2000), Limits(time=1e-9)])
def test_immediate_win_is_taken(limits: Limits) -> None:
    position = near_the_goal("stern-3p", ("m13",), (), ("l12",))
    search = GameSearch(program_of("stern-3p"))
    found = search.analyse(position, limits=limits)
    assert found.proven and found.best.ends_in == 1
    after = search.engine.after(position, found.best.moves[0])
    assert after.result and after.result.winners == (0,)


def test_the_beam_avoids_permanent_blockades(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rival's man in the tip of the goal has one way out: occupying that scores best at depth 1, but would lock
    him in for good."""
    program = program_of("stern-3p")
    position = near_the_goal("stern-3p", ("p14",), ("q13",), ("l12", "l10"))
    at = {place.name: i for i, place in enumerate(program.game.board.places)}
    monkeypatch.setattr(base, "kept", lambda program, measure: measure())  # ignore measurements on the disk

    def shuts_in() -> bool:
        search, after = GameSearch(replace(program)), position
        for leg in search.turn(position, limits=Limits(depth=1)):
            after = search.engine.after(after, leg)
        return after.owner[at["p14"]] == 0

    monkeypatch.setattr("zrf_py.search.base.kept", lambda program, measure: measure())  # as above
    assert not shuts_in()
    monkeypatch.setattr(worth, "LOCKED", 0)
    assert shuts_in()


def test_unfinished_turn_is_completed() -> None:
    """After a first hop the best line continues from there to the end of the turn, and never back to the start."""
    search = GameSearch(program_of("stern-3p"))
    position = search.engine.start()
    hops = [move for move in search.engine.moves(position) if move.partial != NOT_PARTIAL]
    for hop in counted(hops[:4], 4):
        under_way = search.engine.after(position, hop)
        assert under_way.chain is not None
        best = search.analyse(under_way, limits=Limits(nodes=3000)).best
        after = under_way
        for leg in best.moves[: [move.partial for move in best.moves].index(NOT_PARTIAL) + 1]:
            after = search.engine.after(after, leg)
            assert after.owner != position.owner
        assert after.chain is None


def test_no_limit_is_exceeded() -> None:
    position = zrf_py.load("stern-3p").start()
    for count in (1, 20, 777):
        assert analyse(position, nodes=count).nodes <= count
    calls = iter(range(1000))
    found = analyse(position, time=60, stop=lambda: next(calls) > 3)
    assert found.lines and found.seconds < 30


@pytest.mark.parametrize("name", ["stern-3p", "halma-4p"])
def test_no_access_is_out_of_bounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search runs in code that checks every index."""
    monkeypatch.setattr(machine, "kept_game", checked)
    base = Base(program_of(name))
    found = Driver(base, BEAM).analyse(Request(base.searcher.engine.start(), limits=Limits(nodes=8000), count=2))
    assert found.best.depth > 1 and ANSWERED < found.nodes <= 8000
    assert c_int64.from_address(base.searcher.machine.code.symbol("outside")).value == 0
