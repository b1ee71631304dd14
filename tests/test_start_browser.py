"""The rules, goals and sounds of a game on its page, before the first move and during the game."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any

import pytest
from serving import Board, Server, a_page, chromium, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine"),
]


def test_rules_with_pictures_of_moves_are_shown_before_and_during_the_game(page: Any) -> None:
    board = Board.open(page, "chess")
    page.click("text=Rules, with pictures")
    page.wait_for_selector("#told figure")
    text = page.text_content("#notes")
    assert all(word in text for word in ("Description", "History", "Strategy", "Queen: Any distance"))
    queen = page.locator("#told h3", has_text="Queen").locator("xpath=following-sibling::figure[1]")
    assert queen.locator("svg").count() == 1 and "Queen" in queen.text_content()
    assert page.evaluate("document.querySelector('#told').scrollWidth <= document.querySelector('#notes').clientWidth")
    board.go("e2", "e4")
    assert page.locator("#told figure").first.is_visible()


def test_rules_are_shown_in_the_language_of_the_page(browser: Any, server: Any) -> None:
    with a_page(browser, server, locale="de-DE") as page:
        Board.open(page, "tictactoe")
        page.click("text=Über das Spiel")
        page.wait_for_selector("#told figure")
        assert "ist das Spiel unentschieden" in page.text_content("#told")


def test_goals_are_shown_in_the_colours_of_their_players(page: Any) -> None:
    board = Board.open(page, "stern-3p")
    rings = page.locator("#board .lit .goal")
    assert rings.count() == 45 and len(set(rings.evaluate_all("all => all.map((e) => e.getAttribute('stroke'))"))) == 3
    board.go("e9", "f10")
    assert not rings.count()


def test_the_page_fits_the_height_of_the_screen(page: Any) -> None:
    Board.open(page, "chess")
    until(page, "document.documentElement.scrollHeight <= innerHeight")


SOUNDING = """(game (title "Loud") (players A B) (turn-order A B)
  (move-sound "Audio\\Step.wav") (drop-sound "../secret.wav")
  (board (grid (start-rectangle 0 0 48 48) (dimensions ("a/b/c" (48 0)) ("2/1" (0 48))) (directions (e 1 0))))
  (piece (name Man) (moves (e (verify empty?) add))) (board-setup (A (Man a1)) (B (Man a2))))"""


def test_sounds_of_the_rules_file_play_once_sound_is_switched_on(browser: Any, tmp_path: Path) -> None:
    folder = tmp_path / "games" / "loud"
    (folder / "audio").mkdir(parents=True)
    for path in (folder / "audio" / "step.wav", tmp_path / "games" / "secret.wav"):
        with wave.open(str(path), "wb") as sound:
            sound.setparams((1, 1, 8000, 80, "NONE", ""))
            sound.writeframes(bytes([128] * 80))
    (folder / "loud.zrf").write_text(SOUNDING)
    server = Server(tmp_path / "state", str(folder / "loud.zrf"))
    try:
        with a_page(browser, server, "404") as page:
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.goto(server.said.split()[2])
            board = Board(page)
            board.at(0)
            board.go("a1", "b1")
            assert not any("/sound/" in url for url in asked)
            page.click("#options")
            page.check("#sound")
            page.click("#settings-close")
            board.go("a2", "b2")
            page.wait_for_timeout(500)
            heard = [url for url in asked if "/sound/" in url]
            assert heard and all(url.endswith("/sound/move") for url in heard)
            status = "(kind) => fetch(`${location.pathname}/sound/${kind}`).then((answer) => answer.status)"
            assert [page.evaluate(status, kind) for kind in ("move", "drop", "end")] == [200, 404, 404]
    finally:
        server.end()
