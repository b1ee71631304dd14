"""The full-screen board: key presses and clicks in Textual's test driver."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest
from textual.pilot import Pilot
from textual.widgets import Label, OptionList, Static

from tests.playing import slow
from zrf_py.cli.common import open_game
from zrf_py.cli.draw import BoardView
from zrf_py.cli.screen import BoardApp, BoardWidget
from zrf_py.play.session import Session, read_controllers

App: TypeAlias = tuple[BoardApp, Pilot[None]]


def play(name: str, script: Callable[[BoardApp, Pilot[None]], Awaitable[None]], players: str = "human",
         size: tuple[int, int] = (100, 40)) -> Session:
    """Run a script of keys and clicks in a full-screen game; return the final session."""
    game = open_game(name)
    session = Session(game, f"{name}.zrf", read_controllers(game, players), Random(1))

    async def run() -> None:
        app = BoardApp(session, BoardView(game.program, color=True, room=1_000))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(run())
    return session


def record(session: Session) -> list[str]:
    return [p.move.text for p in list(session.position.line())[::-1] if p.move]


async def click(app: BoardApp, pilot: Pilot[None], square: str) -> None:
    number = [p.name for p in app.session.game.program.game.board.places].index(square)
    row, column = app.view.spots[number]
    await pilot.click(BoardWidget, offset=(column, row))
    await pilot.pause()


async def message(app: BoardApp) -> str:
    return str(app.query_one("#message", Static).render())


def test_moves_are_made_and_undone_by_keys() -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        await click(app, pilot, "e2")
        await pilot.press("up", "up", "enter")
        await pilot.press("u", "r")
        assert "Black to move: 20 moves" in await message(app)

    assert record(play("chess", script)) == ["Pawn e2 - e4"]


def test_the_colours_are_explained() -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await pilot.pause()
        rows = app.screen.query_one(OptionList).options
        assert [str(row.prompt) for row in rows][:2] == [
            " W   the piece that moved last, where it is now", " ·   the square that it left"]
        await pilot.press("escape", "m")
        assert "Moves" in str(app.screen.query_one(Label).render())

    play("chess", script)


def test_a_move_is_made_by_mouse() -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        for square in ("e2", "e4", "a1", "e7", "e5"):
            await click(app, pilot, square)
        await click(app, pilot, "d5")
        assert "No piece can move from or to d5" in await message(app)

    assert record(play("chess", script)) == ["Pawn e2 - e4", "Pawn e7 - e5"]


def test_a_target_without_a_chosen_piece_names_the_pieces() -> None:
    """The same message appears if the chosen piece can't move there."""
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        for squares in (["e4"], ["a2", "e4"]):
            for square in squares:
                await click(app, pilot, square)
            assert "First choose a piece that can move to e4: e2." in await message(app)
        await click(app, pilot, "c3")
        assert "First choose a piece that can move to c3: b1, c2." in await message(app)

    assert not record(play("chess", script))


def test_a_turn_of_several_legs_is_played() -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        app.session.position = app.session.position.edited("(White Man e5)")
        app.changed()
        for square in ("b2", "d4"):  # over c3; the next leg could go over e5
            await click(app, pilot, square)
        assert "may continue, or p to stop" in await message(app)
        await pilot.press("p")
        assert "Black to move" in await message(app)

    assert record(play("halma", script))[-1] == "Pass"


@pytest.mark.slow
def test_a_promotion_is_chosen() -> None:
    """The pawn may become one of four pieces."""
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        for change in ("(x e8)", "(White Pawn e7)", "(Black King a5)"):
            app.session.position = app.session.position.edited(change)
        app.changed()
        for square in ("e7", "e8"):
            await click(app, pilot, square)
        await pilot.press("down", "enter")

    [move] = record(play("chess", script))
    assert move.startswith("Pawn e7 - e8 = ")


def test_a_computer_answers() -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        await click(app, pilot, "b2")
        for _ in range(100):
            await app.workers.wait_for_complete()
            await pilot.pause()
            if len(record(app.session)) == 2:
                break

    assert len(record(play("tictactoe", script, players="human,greedy"))) == 2


def test_a_game_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        await click(app, pilot, "b2")
        await pilot.press("s", "enter")
        await pilot.pause()
        assert "Saved as game.zsg" in await message(app)

    play("tictactoe", script)
    assert "b2" in (tmp_path / "game.zsg").read_text()


@pytest.mark.parametrize(("size", "columns", "lines"), [
    ((80, 24), 52, 18), *slow([((60, 16), 28, 10), ((120, 40), 76, 34)])])
def test_squares_fill_the_screen(size: tuple[int, int], columns: int, lines: int) -> None:
    """The board grows with the terminal, and clicks still select the right squares."""
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        await pilot.pause()
        board = app.query_one(BoardWidget)
        assert abs(board.size.width - columns) <= 3 and board.size.height == lines
        for square in ("e2", "e4", "e7", "e5"):
            await click(app, pilot, square)

    assert record(play("chess", script, size=size)) == ["Pawn e2 - e4", "Pawn e7 - e5"]


@pytest.mark.parametrize("name", ["chess", *slow(["stern-3p", "shogi"])])
def test_boards_fit_a_small_terminal(name: str) -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        await pilot.pause()
        field, board = app.query_one("#field"), app.query_one(BoardWidget)
        assert board.size.width <= field.size.width and board.size.height <= field.size.height

    play(name, script, size=(80, 24))
