"""Advice of computers to browsers: best lines, chances of all players, the review of a game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from seats import Seat, seated, serving
from starlette.testclient import TestClient

from zrf_py.author.sharing import pack


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    patch = pytest.MonkeyPatch()
    patch.setenv("ZRF_CACHE", str(tmp_path_factory.mktemp("cache")))
    with serving(tmp_path_factory.mktemp("boards")) as site:
        yield site
    patch.undo()


def worth(seat: Seat) -> dict[str, int]:
    """Return the evaluation of the position shown: percentages by player, "" for the draw."""
    state = seat.until(lambda s: s["worth"] is not None)
    return {" ".join(part["players"]): part["percent"] for part in state["worth"]["chances"]}


@pytest.mark.slow
def test_best_lines_contain_the_places_of_their_moves(site: TestClient) -> None:
    """X wins at once with the third of a row."""
    line = [f"{player} Disk {at}" for player, at in zip("XOXO", ("a1", "b1", "a2", "b2"), strict=True)]
    with seated(site, game="tictactoe") as x:
        piece = x.state["info"]["types"]
    line = [text.replace("Disk", piece["XO".index(text[0])] if len(piece) > 1 else piece[0]) for text in line]
    with seated(site, link=pack("tictactoe", None, line)) as x:
        assert x.state["note"] == ""
        x.tell(type="analyse")
        found = x.answer("analyse")
        best, second, *_ = found["lines"]
        text, _, to, goes_on = best["moves"][0]
        assert (found["player"], x.state["info"]["places"][to], best["chance"]) == ("X", "a3", 1.0)
        assert not goes_on and best["ends"] == 1
        assert text in x.legs() and second["chance"] <= 1


@pytest.mark.slow
def test_chances_sum_to_a_hundred_and_follow_the_game(site: TestClient) -> None:
    with seated(site, game="tictactoe") as x:
        x.tell(type="evaluate", on=True)
        first = worth(x)
        assert set(first) == {"X", "O", ""} and sum(first.values()) == 100
        for at in ("a1", "b1", "a2", "c3"):
            x.play(next(leg for leg in x.legs() if leg.endswith(at)))
        later = worth(x)
        assert sum(later.values()) == 100 and later["X"] > max(first["X"], later["O"], later[""])
        x.play(next(leg for leg in x.legs() if leg.endswith("a3")))
        assert worth(x)["X"] == 100
        x.tell(type="goto", ply=0)
        assert worth(x) == first
        x.tell(type="review")
        told = [x.answer("review") for _ in range(6)]
        assert [t["ply"] for t in told] == list(range(6)) and all(t["of"] == 6 for t in told)
        assert told[-1]["chances"][0]["percent"] == 100
