"""Reviews: no move of book lines is marked, blunders lose most, and all advice about a position agrees.

`reviewed.json` has the lines: openings, known traps of chess, and games of a strong player with planted blunders. That
the blunder loses most in its line was confirmed by Stockfish for chess and by Fairy-Stockfish for shogi and xiangqi,
with 100,000 positions or more; in the other games, searches of 150,000 positions chose the blunders.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from zrf_py.play import advice
from zrf_py.play.game import Position, load
from zrf_py.play.review import MARKS, Judged, review
from zrf_py.serve import opponents

LINES: dict[str, list[dict[str, Any]]] = json.loads(Path(__file__).with_name("reviewed.json").read_text("utf-8"))
GAMES = sorted({line["game"] for line in LINES["blunders"]})
SMALL = MARKS[-1][0]
TEN_POINTS = 0.1
LEAST = 0.04
"""Minimum loss of expected score by a blunder: low, since in a long race one bad turn loses less than in chess."""


def of(kind: str, game: str) -> list[dict[str, Any]]:
    return [line for line in LINES[kind] if line["game"] == game]


def played(line: dict[str, Any]) -> Position:
    position = load(line["game"]).start()
    for move in line["moves"]:
        position = position.play(move)
    return position


def judged(line: dict[str, Any]) -> list[Judged]:
    found = list(review(played(line)))
    assert len(found) == len(line["moves"])
    return found


def fall(move: Judged) -> float:
    """Return the loss of expected score by a move, at least 0."""
    return max(0.0, move.before - move.after)


def stands(line: dict[str, Any]) -> None:
    """Check that no move of a book line is marked or loses more than `SMALL`."""
    marked = [(move.text, fall(move)) for move in judged(line) if move.mark or fall(move) > SMALL]
    assert not marked, f"{line['game']}: {' '.join(line['moves'])}"


def falls(line: dict[str, Any]) -> None:
    """Check that the blunder of a line loses most, and that a better move is named exactly if the blunder is marked."""
    found = judged(line)
    worst = max(range(len(found)), key=lambda i: fall(found[i]))
    move = found[worst]
    assert worst + 1 == line["blunder"], f"{line['game']}: {' '.join(line['moves'])}: {move}"
    assert fall(move) > LEAST and bool(move.better) == bool(move.mark)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit a review to a fifteenth of the usual number of positions."""
    monkeypatch.setattr(advice, "LOOK_NODES", 2_000)


def test_a_failed_first_choice_is_marked_and_the_move_before_it_is_not() -> None:
    """In Réti–Tartakower, the search before 8… Nxe4?? prefers this move and overlooks the mate in three that it allows;
    8. O-O-O is not marked for that. Nor is 9. Qd8+, although the search of its forced reply finds no mate."""
    position = load("chess").start()
    for move in ["e4", "c6", "d4", "d5", "Nc3", "dxe4", "Nxe4", "Nf6", "Qd3", "e5", "dxe5", "Qa5+", "Bd2", "Qxe5"]:
        position = position.play(move)
    begin = len([*position.line()])
    for move in ("O-O-O", "Nxe4", "Qd8+"):
        position = position.play(move)
    texts = [at.move.text for at in position.line() if at.move][2::-1]
    looks = [  # (White's chance, Black's chance, legs to a proven end or None, best lines with the mover's chance)
        (0.49, 0.49, None, [("f2-f3", 0.5), ("g1-f3", 0.38)]),
        (0.36, 0.63, None, [(texts[1], 0.64), ("c8-f5", 0.48)]),
        (1.0, 0.0, 5, [(texts[2], 1.0), ("d1-e1", 0.43)]),
        (0.16, 0.83, None, [("e8-d8", 0.83)]),
    ]

    def stored(at: Position) -> advice.Advice:
        white, black, ends, lines = looks[max(0, len([*at.line()]) - begin)]
        best = tuple(advice.Line((text,), 0.0, ends, 5, (text,), chance) for text, chance in lines)
        return advice.Advice(best, 30_000, 1.0, False, "alphabeta", at.player, None, (white, black, 0.02))

    *_, castles, takes, checks = review(position, stored)
    assert (castles.mark, takes.mark, takes.better, checks.mark) == ("", "??", "c8-f5", "")
    assert takes.before == pytest.approx(0.48) and takes.after == pytest.approx(0.01)


@pytest.mark.usefixtures("hurried")
def test_a_short_search_marks_blunders_but_no_opening_moves() -> None:
    stands(min(of("book", "checkers"), key=lambda line: len(line["moves"])))
    for game in ("chess", "checkers"):
        falls(min(of("blunders", game), key=lambda line: len(line["moves"])))


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted({line["game"] for line in LINES["book"]}))
def test_book_moves_lose_nothing(game: str) -> None:
    for line in of("book", game):
        stands(line)


@pytest.mark.share(2)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_blunders_lose_most(game: str) -> None:
    for line in of("blunders", game):
        falls(line)


def test_there_are_enough_book_lines_and_blunders() -> None:
    assert len(LINES["book"]) >= 20 and len({str(line) for line in LINES["blunders"]}) >= 50 and len(GAMES) == 6


@pytest.mark.usefixtures("hurried")
def test_balance_and_first_line_agree_after_a_short_search() -> None:
    agree_on_chances("chess")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_balance_and_first_line_agree(game: str) -> None:
    agree_on_chances(game)


def agree_on_chances(game: str) -> None:
    """Compare the chances of the player to move with those of the best line, near the end of a line with a blunder,
    where static values and searches differ most."""
    position: Position | None = played(of("blunders", game)[0])
    for _ in range(4):
        assert position is not None
        found = opponents.look(position, learn=False)
        if found["chances"] and found["lines"]:
            own = next(part["share"] for part in found["chances"] if found["player"] in part["players"])
            own += found["chances"][-1]["share"] / 2
            assert abs(own - found["lines"][0]["chance"]) < TEN_POINTS
            assert [line["chance"] for line in found["lines"]] == sorted(
                (line["chance"] for line in found["lines"]), reverse=True)
        position = position.previous
