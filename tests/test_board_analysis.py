"""Analysis in the page: best lines with arrows, a game reviewed, a position set up, computers that wait, the clock."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from serving import Board, Server, a_page, chromium, until

pytest.importorskip("starlette", reason="boards need the extra `board`")
pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")]

WON = ["X Mark a1", "O Mark b1", "X Mark a2", "O Mark b2"]
"""Moves after which X can win at once, by a3."""


def test_best_lines_have_arrows_and_follow_the_board(page: Any) -> None:
    board = Board.open(page, "breakthrough")
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#best li').length === 3")
    assert page.locator("#board .lines .arrow").count() == 3
    first = page.text_content("#best li >> nth=0")
    page.click("#best button >> nth=0")
    board.at(1)
    assert board.moves()[0] in str(first)
    until(page, "document.querySelectorAll('#board .lines .arrow').length === 3")
    assert "Black" in page.text_content("#lines-words")
    page.click("#lines")
    assert page.locator("#board .lines").count() == 0 and page.locator("#best li").count() == 0


def test_a_forced_end_is_shown_and_a_line_is_played_by_a_click(page: Any) -> None:
    board = Board.open(page, "tictactoe", WON)
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#best li').length > 0")
    assert "wins in 1" in page.text_content("#best li >> nth=0")
    page.click("#best button >> nth=0")
    board.at(5)
    assert board.piece("a3") and page.text_content("#ending strong") == "X won: three in a row"


def test_chances_of_all_players_sum_to_a_hundred(page: Any) -> None:
    """Each player and the draw have a share; the shares follow the game, and the winner of a won game has 100 %."""
    board = Board.open(page, "tictactoe", WON)
    page.click("#evaluate")
    said = "document.querySelector('#worth span').textContent"
    until(page, rf"/X \d+% · O \d+% · Draw \d+%/.test({said})")
    shares = [int(part.split()[-1][:-1]) for part in page.evaluate(said).split(" · ")]
    assert sum(shares) == 100 and shares[0] > shares[1]
    assert page.locator("#scale.two .share").count() == 3
    board.click("a3")
    until(page, f"{said} === 'X 100% · O 0% · Draw 0%'")


def test_a_game_is_reviewed(page: Any) -> None:
    """The graph has a point for every position; the move that lets O win is listed, and a click on it goes there."""
    line = [f"{'XO'[i % 2]} Mark {at}" for i, at in enumerate(("a1", "b2", "a2", "a3", "c3", "c1"))]
    board = Board.open(page, "tictactoe", line)
    page.click("#ending button:has-text('View the game')")
    page.click("#analysis summary")
    page.click("#review")
    until(page, "document.querySelectorAll('#graph polygon').length === 3 &&"
                " document.querySelector('#review-words').textContent.startsWith('Review finished')")
    points = str(page.get_attribute("#graph polygon >> nth=0", "points")).split()
    assert len(points) == 2 * 7
    assert "O 100%" in page.get_attribute("#graph", "aria-label")
    fall = page.text_content("#falls li >> nth=-1")
    assert fall == "3. c3??: X from 50% to 0%; better: c1"
    assert page.get_attribute("#list [data-ply='5']", "data-mark") == "??"
    page.click("#falls button >> nth=-1")
    board.at(5)
    box = page.locator("#graph").bounding_box()
    page.mouse.click(box["x"] + 2, box["y"] + 20)
    board.at(0)


def test_a_position_is_set_up_and_played(page: Any) -> None:
    board = Board.open(page, "chess")
    page.click("#analysis summary")
    page.click("#edit")
    page.click("#edit-empty")
    for man, place in (("White King", "e1"), ("Black King", "e8"), ("White Pawn", "a7"), ("White Rook", "h4")):
        page.click(f"#palette [aria-label='{man}']")
        board.click(place)
        until(page, f"document.querySelector('.piece[data-place={place}]') !== null")
    page.click("#palette [aria-label='Move pieces']")
    board.click("h4")
    board.click("h5")
    until(page, "document.querySelector('.piece[data-place=h5]') && !document.querySelector('.piece[data-place=h4]')")
    page.click("#palette [aria-label='Remove pieces']")
    board.click("h5")
    until(page, "!document.querySelector('.piece[data-place=h5]')")
    page.select_option("#edit-turn", "Black")
    until(page, "document.querySelector('#edit-words').textContent.startsWith('Black to move, 5 ')")
    page.select_option("#edit-turn", "White")
    until(page, "document.querySelector('#edit-words').textContent.startsWith('White to move, 9 ')")
    with page.expect_download() as kept:
        page.click("#edit-save")
    assert "White Rook" not in kept.value.path().read_text("cp1252")
    old = page.url
    page.click("#edit-play")
    page.wait_for_url(lambda url: "/t/" in url and url != old)
    page.wait_for_selector("#board .piece[data-place=a7]")
    ply = board.ply
    board.click("a7")
    board.click("a8")
    page.click("#menu button:has-text('Queen')")
    board.at(ply + 1)
    assert "in check" in board.status()


PAWN_ENDING = ["(x a2)", "(x b2)", "(White Pawn a4)", "(x g7)", "(turn Black)"]
MOVES_SHOWN = "[...document.querySelectorAll('#list li')].map((row) => row.textContent)"


def test_a_position_that_is_set_up_is_one_row_and_moves_are_counted_from_it(page: Any, tmp_path: Path) -> None:
    """Neither undo nor stepping back goes beyond the position that was set up."""
    board = Board.open(page, "chess", PAWN_ENDING)
    assert page.evaluate(MOVES_SHOWN) == ["Position set up"]
    assert page.get_attribute("#list button", "title") == "Changes to the board: 5"
    assert page.is_disabled("#undo") and page.is_disabled("#back") and page.is_visible("#start")
    board.go("b8", "c6")
    board.go("e2", "e4")
    page.keyboard.press("End")
    assert page.evaluate(MOVES_SHOWN) == ["Position set up", "1.Nc6", "2.e4"] and page.is_hidden("#start")
    page.click("#first")
    board.at(5)
    assert page.is_disabled("#back") and "Moves played: 0" in str(page.text_content("#live"))
    page.click("#list button >> nth=1")
    board.at(6)
    page.keyboard.press("[")
    board.at(5)
    page.click("#last")
    board.at(7)
    text = board.save(tmp_path).read_text("cp1252")
    assert [line for line in text.splitlines() if line.startswith("(")] == PAWN_ENDING
    for ply in (6, 5):
        page.click("#undo")
        board.at(ply)
    assert page.is_disabled("#undo") and board.piece("a4")
    page.set_input_files("#file", files=[{"name": "game.zsg", "mimeType": "", "buffer": text.encode("cp1252")}])
    board.at(7)
    assert page.evaluate(MOVES_SHOWN) == ["Position set up", "1.Nc6", "2.e4"]


def test_a_game_from_a_position_set_up_is_reviewed_from_there(page: Any) -> None:
    board = Board.open(page, "tictactoe", ["(X Mark a1)", "(O Mark b1)", *WON[2:]])
    page.click("#analysis summary")
    page.click("#review")
    until(page, "document.querySelectorAll('#graph polygon').length === 3 &&"
                " document.querySelector('#review-words').textContent.startsWith('Review finished')")
    points = str(page.get_attribute("#graph polygon >> nth=0", "points")).split()
    assert len(points) == 2 * 3 and points[0].startswith("0,") and points[2].startswith("300,")
    assert board.ply == 4


def test_editing_a_position_for_analysis_leaves_the_game_unchanged(page: Any) -> None:
    board = Board.open(page, "halma")
    board.go("c4", "d5")
    page.click("#analysis summary")
    page.click("#edit")
    page.click("#edit-empty")
    until(page, "document.querySelectorAll('#board .piece').length === 0")
    page.click("#edit-done")
    assert board.piece("d5") and board.ply == 1 and len(board.moves()) == 1


def test_computers_pause_and_move_at_the_chosen_pace(page: Any) -> None:
    board = Board.open(page, "breakthrough", players="greedy,random", ply=0)
    page.click("#pause")
    until(page, "document.querySelector('#pause').getAttribute('aria-pressed') === 'true'")
    page.wait_for_timeout(200)
    ply = board.ply
    page.wait_for_timeout(300)
    assert board.ply == ply
    page.select_option("#pace select", "0")
    page.click("#pause")
    until(page, f"Number(document.querySelector('#board svg').dataset.ply) > {ply + 1}")


def test_a_clock_runs_out_in_the_page(page: Any, server: Server) -> None:
    made = server.make(game="chess", clock=[1, 0])
    page.goto("/")
    page.evaluate("made => localStorage.setItem('zrf-boards', JSON.stringify([made]))", made)
    page.goto(f"/t/{made['id']}")
    board = Board(page)
    board.at(0)
    assert page.text_content("[data-player=White] .time") == "0:01.0"
    board.go("e2", "e4")
    page.wait_for_selector("#ending:visible")
    assert page.text_content("#ending strong") == "White won: Black is out of time"
    assert page.text_content("[data-player=Black] .time") == "0:00.0"


def test_time_and_help_are_chosen_at_the_start(page: Any) -> None:
    board = Board.open(page, "chess")
    page.check("#start input[value='300 3']", force=True)
    page.uncheck("#start label:has-text('Hints') input")
    page.wait_for_selector("#hint", state="hidden")
    board.go("e2", "e4")
    until(page, "document.querySelector('[data-player=White] .time')?.textContent === '5:00'")
    assert page.locator("#start").is_hidden()


def test_resigning_asks_for_confirmation(page: Any) -> None:
    board = Board.open(page, "chess", players="human,random")
    board.click("e2")
    board.click("e4")
    board.at(2)
    assert page.locator("#board .lit .cursor").count() == 0
    page.click("#resign")
    assert [page.text_content(f"#sure-{answer}") for answer in ("yes", "no")] == ["Resign", "Continue playing"]
    page.click("#sure-no")
    assert page.locator("#ending").is_hidden()
    page.click("#resign")
    page.click("#sure-yes")
    page.wait_for_selector("#ending:visible")
    assert page.text_content("#ending strong") == "Black won: White resigned"
    assert page.is_hidden("#resign")
    page.click("#ending button:has-text('View the game')")
    board.at(0)
    assert page.is_hidden("#resign")


def test_watchers_have_no_analysis_of_a_game_between_people(page: Any, browser: Any, server: Server) -> None:
    board = Board.open(page, "chess", players="human,link")
    assert page.locator("#lines").is_hidden() and page.locator("#review").is_hidden()
    with a_page(browser, server) as watcher:
        watcher.goto(page.url)
        Board(watcher).at(board.ply)
        assert watcher.locator("#lines").is_hidden()


def test_the_first_preparation_of_a_computer_is_announced(page: Any) -> None:
    page.add_init_script("""new MutationObserver(() => {
        window.said = [...(window.said ?? []), document.querySelector("#status")?.textContent];
    }).observe(document, { subtree: true, childList: true, characterData: true });""")
    Board.open(page, "othello", players="ai:1,human", ply=1)
    said = page.evaluate("window.said")
    assert any("is preparing" in (words or "") for words in said), set(said)
