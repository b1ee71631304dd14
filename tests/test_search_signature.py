"""The search signature: exact results of each kind of search in fixed positions, like the `bench` of chess engines.

Values of finished games and counts of moves are tested elsewhere. These results depend on every heuristic: a change
of the evaluation, of move ordering or of pruning changes the numbers. After an intended change,
`ZRF_WRITE_GOLDEN=1 python -m pytest tests/test_search_signature.py` regenerates them.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

pytest.importorskip("llvmlite", reason="search needs llvmlite")

from tests.playing import ROOT, slow, some_of
from zrf_py.ir.ops import Program
from zrf_py.library import load_file, named
from zrf_py.play.game import loads
from zrf_py.run.position import Position
from zrf_py.run.rules import Rules
from zrf_py.search import fallback
from zrf_py.search.fallback import NODES_PER_LEG, Slow
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits
from zrf_py.search.result import Analysis, Request
from zrf_py.search.traits import ALPHA_BETA, KINDS, SLOW, TREE

GOLDEN = ROOT / "tests" / "golden" / "searches"
GAMES = {
    "chess": (4, 40), "minishogi": (9, 30), "checkers": (12, 45), "amazons": (4,), "connect-four": (3, 14),
    "nine-mens-morris": (6, 30), "five-in-a-row": (7,), "halma-2p": (10, 60), "platonic-adv-2p": (8,), "stern-2p": (5,),
    "highscore-square": (5, 40), "gefangen1-2p": (10, 40), "monks-practice-hands": (6,),
    "catmouse-random": (5,), "gomoku-3p": (8,), "gomoku-team": (9,), "tippy-nl-3p": (20,), "connection-3p": (8,),
    "topsecret-2p": (9,), "dutch-2p": (7,), "peg-solitaire": (4, 20), "othello": (6,), "stern-3p": (6,),
    "rakado-square-2p": (9, 30),
}
"""Games for every kind of search and evaluation; each is searched after these numbers of plies of a random game."""
BRIEF = {"minishogi", "checkers", "connect-four", "gefangen1-2p", "catmouse-random", "dutch-2p", "peg-solitaire"}
"""Games that are also searched without machine code, which is quick there."""
LIMITS = Limits(nodes=700, noise=25)


def program_of(name: str) -> Program:
    path, variant = named(name, None)
    return load_file(path).program(variant)


def positions(program: Program, plies: tuple[int, ...]) -> list[tuple[Position, list[Position]]]:
    """Return the positions of a random game after each number in `plies` (while it lasts), each with its history."""
    rules, random = Rules(program), Random(7)
    position, before = rules.start(), list[Position]()
    found = []
    for ply in range(plies[-1] + 1):
        moves = rules.moves(position)
        if rules.outcome(position) or not moves:
            break
        if ply in plies:
            found.append((position, list(before)))
        before.append(position)
        position = rules.after(position, random.choice(moves))
    return found


def line_of(kind: str, found: Analysis) -> str:
    """Return a search as a line of text: positions, values, depths, and moves by the numbers of their squares."""
    lines = [f"{line.value}/{line.depth} " + " ".join(f"{move.key[0]}-{move.key[1]}" for move in line.moves[:6])
             for line in found.lines]
    expected = f" expects {found.expected.player} {found.expected.value}" if found.expected else ""
    return f"  {kind}: {found.nodes} positions{', proven' if found.proven else ''}{expected}; " + "; ".join(lines)


def signature(name: str) -> list[str]:
    """Return the evaluation of a game and the results of its kinds of search."""
    program = program_of(name)
    search = GameSearch(program)
    assert search.base is not None
    weights = search.base.weights
    squares = crc32(repr((weights.board, weights.hand, weights.lines, search.base.learned)).encode())
    found = [f"{name}: {search.kind}; types {weights.kinds}; {weights.terms}; squares {squares:08x}"]
    kinds = {search.kind, TREE, SLOW if name in BRIEF else TREE}
    if search.traits.players > 1 and not search.traits.chance:
        kinds.add(ALPHA_BETA)
    for position, before in positions(program, GAMES[name]):
        for kind in KINDS:
            if kind in kinds:
                found.append(line_of(kind, search.analyse(position, before, LIMITS, 3, seed=3, kind=kind)))
    return found


@pytest.mark.parametrize("name", some_of(GAMES, 12))
def test_searches_match_the_golden_file(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    text = "\n".join(signature(name)) + "\n"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("name", slow(["chess", "checkers", "minishogi", "xiangqi", "breakthrough"]))
def test_own_code_searches_like_the_generic_kernel(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's own code knows more than the generic kernel, but must not prune differently."""
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    program = program_of(name)
    search = GameSearch(program)
    assert search.base is not None
    places, limits, found = positions(program, (6, 20, 40)), Limits(nodes=6_000), []
    for _ in range(2):
        found.append([line_of(search.kind, search.analyse(position, before, limits, 2, seed=3))
                      for position, before in places])
        search.base.searcher.machine.begin_own()
        search.base.searcher.machine.finish(200)
    assert search.base.searcher.machine.is_own
    assert found[0] == found[1]


HOPS = "(n (verify not-empty?) n (verify empty?) (add-partial)) (e (verify not-empty?) e (verify empty?) (add-partial))"
HOMES = {"White": ("d1 e1", "a5 b5"), "Black": ("a1 a2", "e5 e4"), "Red": ("a5 b5", "d1 e1")}
"""The start squares and the goal squares of each player's men in a small race."""


def race(players: str, order: str = "", step: str = "empty?", more: str = "", option: str = "") -> str:
    """Return rules for a race of two men each on a 5 x 5 board; the first player with both on goal squares wins."""
    names = players.split()
    homes = {name: HOMES[name.lstrip("?")] for name in names}
    return f"""(game (title "Little race") (players {players}) (turn-order {order or players}) {option}
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("5/4/3/2/1" (0 9)))
        (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
      (piece (name Man) (moves {" ".join(f"({way} (verify {step}) add)" for way in "nesw")} {more}))
      (board-setup {" ".join(f"({name} (Man {home}))" for name, (home, _) in homes.items())})
      {" ".join(f"(win-condition ({name}) (absolute-config Man ({goal})))" for name, (_, goal) in homes.items())})"""


TINY = {
    "race-for-three": race("White Black Red"), "race-for-two": race("White Black", option='(option "pass turn" true)'),
    "race-with-hops": race("White Black Red", more=HOPS, option='(option "pass partial" true)'),
    "race-with-chance": race("White Black ?Red", "White ?Red Black ?Red"),
    "race-with-captures": race("White Black Red", step="not-friend?"),
}
"""Rules of small games that the searches play to the end against themselves."""


def played(program: Program, kind: str) -> str:
    """Return the values, depths, moves and result of a game that a kind of search plays against itself."""
    search, rules, before = GameSearch(program), Rules(program), list[Position]()
    position, found = rules.start(), list[str]()
    while len(before) < 60 and not rules.outcome(position) and rules.moves(position):
        analysis = search.analyse(position, before, Limits(nodes=150, noise=25), 2, seed=3, kind=kind)
        best = analysis.lines[0]
        move = best.moves[0]
        second = f"|{analysis.lines[1].value}" if len(analysis.lines) > 1 else ""
        proven = "!" if analysis.proven else ""
        found.append(f"{move.key[0]}-{move.key[1]} {best.value}/{best.depth}{second} {analysis.nodes}{proven}")
        before.append(position)
        position = rules.after(position, move)
    return f"{kind}: {'; '.join(found)}; {rules.outcome(position)}"


@pytest.mark.parametrize("name", TINY)
def test_searches_of_small_games_match_the_golden_file(name: str) -> None:
    program = loads(TINY[name]).program
    search = GameSearch(program)
    kinds = {search.kind, TREE} | ({ALPHA_BETA} if not search.traits.chance else set())
    found = [played(program, kind) for kind in KINDS if kind in kinds]
    path, text = GOLDEN / f"{name}.txt", "\n".join(found) + "\n"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_a_search_without_machine_code_uses_its_time_and_reports_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock advances 0.01 s per reading: the search takes five seconds, and reports a result after each second
    but the last."""
    times = count()
    monkeypatch.setattr(fallback.time, "perf_counter", lambda: next(times) / 100)
    program, shown = loads(TINY["race-for-two"]).program, list[Analysis]()
    rules = Rules(program)
    found = Slow(rules).analyse(Request(rules.start(), (), Limits(time=5), 1, 1, shown.append, None))
    assert len(shown) == 4 and 4.8 < found.seconds < 5 and found.nodes > 400 * NODES_PER_LEG
    assert [round(one.seconds) for one in shown] == [1, 2, 3, 4]
    assert (Limits().time, Limits().nodes, Limits().depth, Limits().noise) == (None, None, None, 0)
    stops = iter([False, False, True])
    stopped = Slow(rules).analyse(Request(rules.start(), (), Limits(time=5), 1, 1, None, lambda: next(stops)))
    assert NODES_PER_LEG < stopped.nodes < 20 * NODES_PER_LEG


def test_pass_is_preferred_as_the_way_out_of_a_cycle() -> None:
    """This is checked in every position in the middle of a chain, up to four plies from the start."""
    program = loads(TINY["race-with-hops"]).program
    search, rules = GameSearch(program), Rules(program)
    hops = [(position, move) for position, _ in _all_positions(rules, 3)
            for move in rules.moves(position) if rules.after(position, move).chain]
    assert hops
    for before, hop in hops:
        position = rules.after(before, hop)
        leg, after = search._way_out(position, {before.key()})
        moves = rules.moves(position)
        assert leg.is_pass and after.key() == rules.after(position, leg).key() and leg in moves


def _all_positions(rules: Rules, depth: int) -> list[tuple[Position, int]]:
    """Return every position up to a depth, with its depth."""
    found = [(rules.start(), 0)]
    for position, ply in found:
        if ply < depth and not rules.outcome(position):
            found += [(rules.after(position, move), ply + 1) for move in rules.moves(position)]
    return found
