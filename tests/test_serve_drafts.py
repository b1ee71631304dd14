"""Positions that are set up; computer players that wait; clocks chosen at the start."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from seats import Seat, seated
from starlette.testclient import TestClient

from zrf_py.play.game import load
from zrf_py.play.players import Greedy
from zrf_py.play.tree import Tree
from zrf_py.run.position import Outcome, Position
from zrf_py.run.rules import Rules
from zrf_py.serve.computers import Computers, Pace
from zrf_py.serve.opponents import RANDOM
from zrf_py.serve.table import Table
from zrf_py.text.diagnostics import ZrfError


def drafted(seat: Seat, player: str, men: dict[str, tuple[str, str]], stores: list[list[int]] | None = None) -> Any:
    info = seat.state["info"]
    players = [p["name"] for p in info["players"]]
    rows = [[info["places"].index(at), players.index(who), info["types"].index(what)]
            for at, (who, what) in men.items()]
    seat.tell(type="draft", men=rows, stores=stores or [], player=player)
    return seat.answer("draft")


def test_a_position_is_set_up_saved_and_played(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        found = drafted(white, "Black", {"a1": ("White", "King"), "h8": ("Black", "King"), "g2": ("Black", "Pawn")})
        assert (found["player"], found["outcome"]) == ("Black", None) and found["moves"] == 3 + 4
        assert white.state["ply"] == 0
    for source in ({"link": found["link"]}, {"zsg": found["text"]}):
        with seated(site, **source) as black:
            assert black.state["player"] == "Black" and black.state["note"] == ""
            black.play(next(leg for leg in black.legs() if "g1" in leg and "Queen" in leg))
            assert black.state["check"]


def test_pieces_off_the_board_are_set_up(site: TestClient) -> None:
    with seated(site, game="platonic-simple-2p") as seat:
        player, kind = seat.state["info"]["stores"][0]
        found = drafted(seat, "", {}, [[player, kind, 1]])
        assert any(change.startswith("(store ") and change.endswith(" 1)") for change in found["line"])


def test_a_finished_position_is_reported_and_nonsense_refused(site: TestClient) -> None:
    with seated(site, game="tictactoe") as seat:
        found = drafted(seat, "O", dict.fromkeys(seat.state["info"]["places"], ("X", "Mark")))
        assert found["outcome"] is not None and found["moves"] == 0
        for wrong in ({"men": [[99, 0, 0]]}, {"men": [[0, 9, 0]]}, {"men": "x"}, {"men": [[0, 0, -1]]}):
            seat.tell(type="draft", **wrong)
            assert seat.answer_to_nonsense() == "bad-message"


def test_a_record_can_set_the_player_to_move() -> None:
    game = load("chess")
    assert game.position("(turn Black)").player == "Black"
    assert len(game.position("(turn Black)").moves()) == 20
    for wrong in ("(turn Green)", "(store White Pawn x)", "(turn)"):
        with pytest.raises(ZrfError, match="not a valid change to the board"):
            game.position(wrong)


def test_takeback_ends_at_the_edited_position(site: TestClient) -> None:
    """Changes in the middle of a game are one step of undo, which never goes back before those at its start."""
    changes = ["(x a2)", "(x b2)"]
    saved = "\r\n".join(["Zillions Save Game File Version 0.02 HH", "RulesFile=chess.zrf", "VariantName=Chess",
                         *changes, "1. Pawn e2 - e4", "1. Pawn e7 - e5", "(x h2)", "(x h7)", "2. Pawn d2 - d4", ""])
    with seated(site, zsg=saved) as seat:
        assert seat.state["ply"] == seat.state["length"] == 7 and not seat.state["note"]
        for there in (6, 4, 3, 2, 2):
            seat.tell(type="undo")
            seat.until(lambda s, there=there: s["ply"] == there)


def test_a_computer_begins_in_a_position_set_up(site: TestClient) -> None:
    with seated(site, game="chess") as white:
        link = drafted(white, "Black", {"a1": ("White", "King"), "h8": ("Black", "King"), "g3": ("Black", "Pawn")})
    with seated(site, link=link["link"], seats=["human", "random"]) as white:
        set_up = len(link["line"])
        white.until(lambda s: s["ply"] == set_up + 1 and s["player"] == "White")


def test_paused_computers_wait(site: TestClient) -> None:
    with seated(site, game="tictactoe", seats=["human", "random"]) as x:
        x.tell(type="pause", on=True, pace=0)
        x.until(lambda s: s["paused"] and s["pace"] == 0)
        x.tell(type="pause", on=False)
        x.until(lambda s: not s["paused"])
        x.play(x.legs()[0])
        x.until(lambda s: s["ply"] == 2)
        x.tell(type="pause", on=True)
        assert x.until(lambda s: s["paused"])["thinking"] == ""


def test_many_rolls_in_a_row_are_shown_faster() -> None:
    computers = Computers.__new__(Computers)
    computers.pace = Pace(leg=0.4, chance=0.6)
    table = Table("id", "chess", None, "owner")
    assert computers._wait(table, RANDOM, 1) == 0  # before anything can be seen
    table.tree = Tree(["Pawn e2 - e4"])
    table.tip = 1
    waits = [computers._wait(table, RANDOM, rolled) for rolled in (1, 3, 4, 17)]
    assert waits == pytest.approx([0.6, 0.6, 0.1, 0.1])
    assert computers._wait(table, "ai:3", 0) == 0.4
    table.pace = 2.0
    assert computers._wait(table, RANDOM, 17) == 2.0


def test_a_player_out_of_time_checks_only_its_best_move() -> None:
    class Counting(Rules):
        asked = 0

        def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
            self.asked += 1
            return super().outcome(position, repetitions)

    engine = Counting(load("chess").program)
    moves = {}
    for seconds in (None, 0.0):
        engine.asked = 0
        [move] = Greedy(engine, seconds=seconds).choose(engine.start(), Random(1))
        moves[seconds] = engine.asked
        assert move in engine.moves(engine.start())
    assert moves[None] >= 20 and moves[0.0] <= 1


def test_the_clock_is_chosen_before_the_first_move(site: TestClient) -> None:
    with seated(site, game="tictactoe") as x:
        x.tell(type="offer", clock=[60, 2], hints=False)
        state = x.until(lambda s: s["clock"] is not None)
        assert state["clock"]["left"] == {"X": 60, "O": 60} and state["may"]["hint"] == "no"
        x.tell(type="offer", clock=None, hints=True)
        assert x.until(lambda s: s["clock"] is None)["may"]["hint"] == "yes"
        x.play(x.legs()[0])
        x.tell(type="offer", clock=[60, 2])
        assert x.answer_to_nonsense() == "too-late"


@pytest.mark.slow
def test_the_position_viewed_last_is_analysed(site: TestClient) -> None:
    with seated(site, game="tictactoe") as x:
        x.play(x.legs()[0])
        x.tell(type="analyse", count=1)
        x.tell(type="goto", ply=0)
        x.tell(type="analyse", count=1)
        found = x.answer("analyse")
        assert found["ply"] == 0 and found["lines"][0]["turns"]
