"""Pages in a real Firefox: an exported game, the gallery, a game by link against Chromium, the rules editor, a site."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("websockets", reason="Firefox is driven by the package `websockets`, in the extra `board`")
pytest.importorskip("starlette", reason="boards need the extra `board`")

from tests.firefox import NARROW, WIDE, Firefox, firefox, started
from tests.serving import FLAGS, Board, Server, a_page, chromium, files_served
from zrf_py.export import link_of
from zrf_py.export import page as exported
from zrf_py.export.website import website

pytestmark = [pytest.mark.slow, pytest.mark.skipif(firefox() is None, reason="there is no Firefox on this machine")]
RULES = """(game (title "Race") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 60 60) (dimensions ("a/b/c" (60 0)) ("3/2/1" (0 60)))
    (directions (n 0 -1) (s 0 1))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man c3)))
  (loss-condition (White Black) stalemated))
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with started(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_an_exported_game_is_played_by_clicks_and_keys(browser: Firefox, tmp_path: Path, size: tuple[int, int]) -> None:
    """One move is made with the pointer and one with the arrow keys and Enter; the computer answers each."""
    path = tmp_path / "chess.html"
    path.write_text(exported("chess"), "utf-8")
    with browser.page(size) as page:
        page.goto(f"{path.as_uri()}#{link_of('Chess', (), {'Black': 'ai:1'})}")
        page.go("e2", "e4")
        page.at(2)
        page.until("document.activeElement.dataset.place === 'e4' && document.querySelector('#board .can')")
        page.press("ArrowLeft", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "ArrowUp", "Enter")
        page.at(4)
        moves = page.evaluate("[...document.querySelectorAll('#list button')].map((it) => it.textContent)")
        assert len(moves) == 4 and [moves[0], moves[2]] == ["e4", "d4"]


def test_a_card_of_the_gallery_leads_to_a_game(browser: Firefox, server: Server) -> None:
    with browser.page() as page:
        page.goto(server.address)
        page.until("document.querySelectorAll('#games .card').length > 10")
        page.click("#search")
        page.press(*"schach")
        page.until("document.querySelector('#games li:not([hidden]) .card b').textContent === 'Chess'")
        page.click("#games li:not([hidden]) .card")
        page.until("location.pathname.startsWith('/t/')")
        page.go("e2", "e4")
        page.at(1)


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")
def test_firefox_and_chromium_play_a_game_by_link(browser: Firefox, server: Server) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
    with api.sync_playwright() as driver, browser.page() as guest:
        chrome = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        with a_page(chrome, server) as page:
            host = Board.open(page, "tictactoe", players="human,link")
            page.click(".seat .link")
            guest.goto(page.input_value("#link-text"))
            page.keyboard.press("Escape")
            for ply, (mine, theirs) in enumerate((("a1", "b2"), ("a2", "b1"))):
                host.click(mine)
                guest.at(2 * ply + 1)
                guest.go(theirs)
                host.at(2 * ply + 2)
            host.click("a3")
            guest.until("/won|wins/.test(document.querySelector('#status').textContent)")
        chrome.close()


def test_an_error_in_the_rules_is_seen_and_mended(browser: Firefox, tmp_path: Path) -> None:
    """An error is typed into the editor; the fix in the list of problems removes it, and the board follows."""
    path = tmp_path / "race.zrf"
    path.write_text(RULES, "utf-8")
    server = Server(tmp_path / "state", "--edit", str(path))
    try:
        with browser.page() as page:
            page.goto(server.said.split()[2])
            page.until("document.querySelector('#count').textContent === 'no problems'")
            page.click(".paper:not([hidden])")
            page.press("Control+a")
            page.press(*RULES.replace("stalemated", "stalemeted").replace("\n", " "))
            page.until("document.querySelector('#problems').textContent.includes('stalemeted')")
            page.click("#problems .fix")
            page.until("document.querySelector('#count').textContent === 'no problems'")
            page.until("document.querySelector('#saved').textContent === 'saved'")
            assert "stalemated)" in path.read_text("utf-8")
            board = page.frame()
            board.go("a1", "a2")
            board.at(1)
    finally:
        assert "Traceback" not in server.end()


@pytest.mark.skipif("ZRF_PYODIDE" not in os.environ, reason="ZRF_PYODIDE doesn't name Pyodide's unpacked npm package")
def test_a_site_opens_and_its_rules_editor_plays(browser: Firefox, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "race.zrf").write_text(RULES, "utf-8")
    website(str(tmp_path / "games"), tmp_path / "site", os.environ["ZRF_PYODIDE"])
    with files_served(tmp_path / "site") as address, browser.page() as page:
        page.goto(f"{address}/index.html")
        page.until("document.querySelector('h1').textContent === 'Board games in your browser'")
        page.click("a[href='workshop/index.html'].card")
        page.until("document.body?.dataset.python && document.querySelector('#small .card svg')")
        page.click("#small .card")
        page.until("document.querySelector('#count').textContent === 'no problems'")
        board = page.frame()
        board.go("a1", "a2")
        board.at(1)
