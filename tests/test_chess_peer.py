"""Our rules of chess against python-chess: the same legal moves at every ply of random games."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.playing import counted
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game, Move, load
from zrf_py.text.diagnostics import ZrfError

pytestmark = pytest.mark.slow

chess = pytest.importorskip("chess")

GAMES = {"interpret": 4, "native": 50}
PLIES = {"interpret": 40, "native": 120}
KINDS = {"Knight": "n", "Bishop": "b", "Rook": "r", "Queen": "q"}


def uci(game: Game, move: Move) -> str:
    """Return a move as python-chess writes it; castling is the king's movement."""
    names = [place.name for place in game.program.game.board.places]
    _, start, end, kind = move.raw.movements[0]
    return names[start] + names[end] + (KINDS[game.program.game.pieces[kind].name] if kind >= 0 else "")


@pytest.mark.parametrize("engine", ["interpret", "native"])
def test_moves_equal_those_of_python_chess(engine: str) -> None:
    program = load("chess").program
    try:
        game = Game(program, engine=make_engine(program, engine))
    except ZrfError as error:
        pytest.skip(error.summary())
    for seed in counted(range(GAMES[engine])):
        choice = random.Random(seed)
        board, position = chess.Board(), game.start()
        for _ in counted(range(PLIES[engine])):
            ours = {uci(game, move): move for move in position.moves()}
            assert len(ours) == len(position.moves())
            theirs = Counter(move.uci() for move in board.legal_moves)
            assert Counter(ours.keys()) == theirs, f"seed {seed}: {board.fen()}"
            if not ours:
                assert board.is_checkmate() == (str(position.outcome()).find("checkmate") >= 0)
                break
            played = choice.choice(sorted(ours))
            position = position.play(ours[played])
            board.push_uci(played)
