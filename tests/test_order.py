"""The order in which a file names squares and directions has no effect on the game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from tests.playing import ROOT, counted
from zrf_py.author.why.ends import why_end
from zrf_py.author.why.explainer import why_move
from zrf_py.author.why.page import as_text
from zrf_py.envs.actions import Actions
from zrf_py.native import Native
from zrf_py.play import standing
from zrf_py.play.aims import goal_places
from zrf_py.play.game import Game, Position, loads
from zrf_py.play.players import piece_values
from zrf_py.play.prisoners import taken
from zrf_py.train.geometry import lines_of
from zrf_py.view.describe import describe_ply

GAMES = {"rules/tictactoe": 6, "rules/breakthrough": 8, "rules/othello": 6, "rules/checkers": 10,
         "tests/words/effects": 6, "tests/words/ends": 6, "tests/words/flags": 6,
         "tests/words/ways": 6}
"""Rules files with a board that is a grid, and the plies of a game of each; none of them reads a flag before it sets it
(such a flag keeps its value from square to square, so that the order of squares counts)."""


def form(text: str, head: str) -> str:
    """Return the first form in `text` that begins with `(` and `head`."""
    begin = text.index(f"({head}")
    depth = 0
    for at in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return text[begin : at + 1]
    raise AssertionError(head)


def in_other_order(text: str, seed: int) -> str:
    """Return the rules with squares and directions named one by one, in an order drawn by the seed."""
    board = loads(text).program.game.board
    draw = Random(seed)
    places, ways = draw.sample(range(len(board.places)), len(board.places)), [*range(len(board.directions))]
    draw.shuffle(ways)
    names = [place.name for place in board.places]
    rows = [f"({names[at]} {' '.join(map(str, board.places[at].rectangle))})" for at in places]
    links = [f"(links {board.directions[way]} {pairs})" for way in ways if (pairs := " ".join(
        f"({names[at]} {names[board.links[way][at]]})" for at in places if board.links[way][at] >= 0))]
    grid = form(text, "grid")
    return text.replace(grid, f"(positions {' '.join(rows)}) {' '.join(links)}" + "\n" * grid.count("\n"), 1)


def faces(position: Position) -> Iterator[Any]:
    """Yield everything that people see of a position and its moves; lists without an order of their own are sorted."""
    yield sorted((move.text, position.short(move)) for move in position.moves())
    yield position.player, str(position.outcome()), position.scores(), sorted(position.pieces().items())
    yield re.sub(r"best match from \w+", "best match", as_text(position, why_end(position), True))  # there may be ties
    game, state = position.game, position.state
    yield standing.shown(game.program, state, position.outcome() is not None)
    names = [place.name for place in game.program.game.board.places]
    yield sorted(names[at] for at in goal_places(game.program))
    if position.previous:
        yield describe_ply(position.previous, position)
        yield sorted(taken(position).items())


def played(game: Game, plies: int) -> Iterator[Position]:
    position, draw = game.start(), Random(8)
    for _ in range(plies):
        yield position
        moves = sorted(position.moves(), key=lambda move: move.text)
        if not moves or position.outcome():
            break
        position = position.play(draw.choice(moves))


def lines(game: Game) -> set[tuple[str, ...]]:
    """Return the full lines of the board, each as the names of its squares, from the end whose name sorts first."""
    names = [place.name for place in game.program.game.board.places]
    found = [tuple(names[square] for square in line) for line in lines_of(game.program)]
    assert len(found) == len({min(line, line[::-1]) for line in found})
    return {min(line, line[::-1]) for line in found}


@pytest.mark.parametrize("name", GAMES)
def test_the_order_of_squares_does_not_change_a_game(name: str) -> None:
    text = (ROOT / f"{name}.zrf").read_text("utf-8")
    game, other = loads(text), loads(in_other_order(text, 3))
    native = Native(other.program)
    assert sorted(Actions.of(game.program).texts) == sorted(Actions.of(other.program).texts)
    assert lines(game) == lines(other) and piece_values(game.program) == pytest.approx(piece_values(other.program))
    for one, two in counted(zip(played(game, GAMES[name]), played(other, GAMES[name]), strict=True)):
        assert list(faces(one)) == list(faces(two))
        assert native.perft(two.state, 2) == one.perft(2)
        for move in sorted(move.text for move in one.moves())[:2]:
            assert as_text(one, why_move(one, move), True) == as_text(two, why_move(two, move), True)
