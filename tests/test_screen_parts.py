"""Contents and messages of the full-screen board while keys are pressed."""

from __future__ import annotations

from types import SimpleNamespace

from textual.pilot import Pilot
from textual.widgets import Static

from tests.test_screen import click, message, play, record
from zrf_py.cli.screen import NOWHERE, BoardApp, BoardWidget, Choice, FileName


def facts(app: BoardApp) -> str:
    return str(app.query_one("#facts", Static).render())


def test_the_screen_shows_a_move_while_it_is_made() -> None:
    """The board shows the cursor, the piece picked up, its targets and the last move; beside the board are the players
    and the record."""
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        name = app.square_name
        assert name(app.cursor) in ("d2", "e2") and app.chosen == NOWHERE and not app._targets()
        assert await message(app) == f"White to move: 20 moves   {name(app.cursor)}"
        await click(app, pilot, "g1")
        assert name(app.chosen) == name(app.cursor) == "g1" and {name(p) for p in app._targets()} == {"f3", "h3"}
        await pilot.press("escape")
        assert app.chosen == NOWHERE and not app._targets()
        await click(app, pilot, "g1")
        await pilot.press("up", "up", "left")
        assert name(app.cursor) == "f3"
        await pilot.press("down", "up", "space")
        assert record(app.session) == ["Knight g1 - f3"] and app.chosen == NOWHERE
        assert await message(app) == "Black to move: 20 moves   f3"
        assert "▶ Black" in facts(app) and "  1 Nf3" in facts(app) and facts(app).startswith(app.session.game.title)
        await pilot.press("r")
        assert await message(app) == "There is nothing to redo."
        await pilot.press("u")
        assert record(app.session) == [] and "▶ White" in facts(app) and "Nf3" not in facts(app)
        await pilot.press("u")
        assert await message(app) == "There is nothing to undo."
        await pilot.press("p")
        assert await message(app) == "The rules do not allow you to pass here."
        await click(app, pilot, "e5")
        assert await message(app) == "No piece can move from or to e5 now; m lists the moves."

    play("chess", script)


def test_a_move_can_be_chosen_from_the_list_or_cancelled() -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        await pilot.press("m")
        await pilot.pause()
        assert isinstance(app.screen, Choice) and app.screen.heading == "Moves" and len(app.screen.texts) == 9
        await pilot.press("escape")
        await pilot.pause()
        assert record(app.session) == []
        await pilot.press("m")
        await pilot.pause()
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert record(app.session) == [app.session.game.start().moves()[2].text]
        await pilot.press("s")
        await pilot.pause()
        assert isinstance(app.screen, FileName)
        await pilot.press("escape")
        await pilot.pause()
        assert "O to move: 8 moves" in await message(app)
        await pilot.press("h")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert (await message(app)).startswith("Suggestion: ")

    play("tictactoe", script)


def test_the_result_is_shown_and_nothing_moves_after_it() -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        for square in ("a1", "a2", "b1", "b2", "c1"):
            await click(app, pilot, square)
        assert await message(app) == f"The game is over: {app.session.position.outcome()}."
        await pilot.press("m", "h")
        await click(app, pilot, "c3")
        assert not isinstance(app.screen, Choice) and len(record(app.session)) == 5
        assert "▶" not in facts(app) and "  5 c1" in facts(app)

    play("tictactoe", script)


def test_a_click_selects_the_square_under_or_near_it_and_none_far_away() -> None:
    async def script(app: BoardApp, pilot: Pilot[None]) -> None:
        number = [p.name for p in app.session.game.program.game.board.places].index("e2")
        app.query_one(BoardWidget).view.spots = {number: (10, 20)}
        picked: list[int] = []
        sent = app.query_one(BoardWidget).post_message
        app.query_one(BoardWidget).post_message = lambda event: (  # type: ignore
            picked.append(event.place) if isinstance(event, BoardWidget.Picked) else sent(event))
        for row, column, meant in ((10, 20, 1), (12, 20, 2), (10, 28, 3), (13, 20, 3), (10, 29, 3), (11, 25, 3),
                                   (11, 24, 4)):
            app.query_one(BoardWidget).on_click(SimpleNamespace(x=column, y=row))  # type: ignore[arg-type]
            await pilot.pause()
            assert len(picked) == meant, (row, column)
        assert set(picked) == {number}

    play("chess", script)
