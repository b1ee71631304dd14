"""The signature of search: what each kind finds in fixed positions, to the last number, as chess engines have `bench`.

Values of finished games and the rules' own counts are tested elsewhere. Here every heuristic leaves its mark: a change
of the evaluation, of the order of moves or of what is pruned changes the numbers. After such a change that is meant,
`ZRF_WRITE_GOLDEN=1 python -m pytest tests/test_search_signature.py` writes them again.
"""

from __future__ import annotations

import os
from random import Random
from zlib import crc32

import pytest

pytest.importorskip("llvmlite", reason="search needs llvmlite")

from tests.playing import ROOT
from zrf_py.ir.ops import Program
from zrf_py.library import load_file, named
from zrf_py.run.position import Position
from zrf_py.run.rules import Rules
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits
from zrf_py.search.result import Analysis
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
"""Games of every kind of search and evaluation, and the plies of a random game after which they are searched."""
BRIEF = {"minishogi", "checkers", "connect-four", "gefangen1-2p", "catmouse-random", "dutch-2p", "peg-solitaire"}
"""Those that the search without machine code is tried on, too, as it is quick there."""
LIMITS = Limits(nodes=700, noise=25)


def program_of(name: str) -> Program:
    path, variant = named(name, None)
    return load_file(path).program(variant)


def positions(program: Program, plies: tuple[int, ...]) -> list[tuple[Position, list[Position]]]:
    """The positions of a random game after so many plies, each with those before it, as far as the game goes on."""
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
    """One search as a line of text: positions, values, depths and moves by their numbers of squares."""
    lines = [f"{line.value}/{line.depth} " + " ".join(f"{move.key[0]}-{move.key[1]}" for move in line.moves[:6])
             for line in found.lines]
    expected = f" expects {found.expected.player} {found.expected.value}" if found.expected else ""
    return f"  {kind}: {found.nodes} positions{', proven' if found.proven else ''}{expected}; " + "; ".join(lines)


def signature(name: str) -> list[str]:
    """The evaluation of a game, and what the searches that serve it find."""
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


@pytest.mark.parametrize("name", GAMES)
def test_searches_find_what_they_have_found(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    text = "\n".join(signature(name)) + "\n"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
