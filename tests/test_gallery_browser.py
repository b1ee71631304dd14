"""The gallery in a real browser: cards, search, filters, large folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from serving import Board, Server, a_page, chromium, until

from zrf_py.port.page import as_page
from zrf_py.port.report import Report

pytest.importorskip("starlette", reason="boards need the extra `board`")
pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")]

RULES = """(game (title "{title}") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 48 48) (dimensions ("a/b/c" (48 0)) ("3/2/1" (0 48))) (directions (n 0 -1))))
  (piece (name Man) (moves (n {condition} add)))
  (board-setup (White (Man a1)) (Black (Man c3))))
"""
FILES, BROKEN = 250, 5


def test_card_opens_the_game_in_its_title(page: Any) -> None:
    """Even if one file includes the game of another, each card opens its own game."""
    page.goto("/")
    card = page.locator("#games a.card[href*='international-draughts-positions']")
    card.wait_for()
    title = card.locator("b, h3, strong").first.text_content().strip()
    card.click()
    page.wait_for_url("**/t/*")
    board = Board(page)
    board.at(0)
    assert page.title() == title
    men = page.locator("#board .piece").count()
    Board.open(page, "international-draughts")
    assert 0 < men < page.locator("#board .piece").count()


@pytest.mark.parametrize("game", ["halma", "halma-2p"])
def test_saved_game_opens_in_the_gallery_with_its_own_rules(page: Any, game: str, tmp_path: Path) -> None:
    """Two rules files are called halma.zrf."""
    board = Board.open(page, game)
    title = page.title()
    board.click(page.locator("#board .piece.can").first.get_attribute("data-place"))
    until(page, "document.querySelectorAll('.lit .go').length > 0")
    board.click_target()
    board.at(1)
    path = board.save(tmp_path)
    old = page.url
    page.goto("/")
    page.wait_for_selector(".card")
    page.set_input_files("input[type=file]", path)
    page.wait_for_url(lambda url: "/t/" in url and url != old)
    board.at(1)
    assert page.title() == title
    assert page.locator("#note:visible").count() == 0


@pytest.mark.parametrize(("words", "id"), [
    ("3 players", "stern-3p"), ("dice", "wuerfel-2p"), ("wurfel", "wuerfel-2p"), ("mill", "nine-mens-morris"),
    ("chinese checkers", "stern-3p"), ("1 player", "peg-solitaire")])
def test_a_search_filters_cards_by_their_text(page: Any, words: str, id: str) -> None:
    page.goto("/")
    page.wait_for_selector(".card")
    every = page.locator("#games .card:visible").count()
    page.fill("#search", words)
    assert page.locator(f"#games .card[href*='{id}']:visible").count() >= 1
    shown = page.locator("#games .card:visible").count()
    counted = page.locator("#games section:visible small").all_text_contents()
    assert shown == sum(map(int, counted)) < every


def test_a_large_folder_with_a_folder_for_each_game_is_shown(browser: Any, tmp_path: Path) -> None:
    """Cards of different folders share rows; cards of broken files show the error message."""
    for number in range(FILES):
        folder = tmp_path / "kept" / f"game {number}"
        folder.mkdir(parents=True)
        condition = "(verify empty?" if number % (FILES // BROKEN) == 7 else "(verify empty?)"
        (folder / "rules.zrf").write_text(RULES.format(title=f"Game {number}", condition=condition))
    server = Server(tmp_path / "state", str(tmp_path / "kept"))
    try:
        with a_page(browser, server, "(Not Found)", viewport={"width": 1280, "height": 800}) as page:
            page.goto("/")
            page.wait_for_selector(".card")
            own = page.locator("#games section").first
            assert own.locator(".card").count() == FILES
            card = own.locator(".card").first.bounding_box()
            rows = own.bounding_box()["height"] / card["height"]
            assert rows < FILES / 3, "fewer than three cards stand beside each other"
            broken = own.locator(".card", has_text="Game 7").first
            broken.scroll_into_view_if_needed()
            page.wait_for_selector(".fault")
            assert page.text_content(".fault").strip()
    finally:
        server.end()


BROKEN_WORDS = """(places) => [...document.querySelectorAll(places)].flatMap((home) => {
  const found = [], walker = document.createTreeWalker(home, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const word of walker.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, word.index);
      range.setEnd(walker.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word[0]);
    }
  }
  return found;
})"""


def test_lists_on_a_phone_break_no_word(browser: Any, tmp_path: Path) -> None:
    """Names of files in the gallery and in the report on old files are broken at slashes and full stops; one row of the
    report's table has its parts below each other."""
    for name in ("Axiomatic.Luzhanqi", "Luzhanqi"):
        (tmp_path / "kept").mkdir(exist_ok=True)
        (tmp_path / "kept" / f"{name}.zrf").write_text(RULES.format(title="Hop", condition="(verify empty?)"))
    record = {"name": "kept/SavedGames/Thai Checkers.zsg", "title": "Dameo", "status": "stopped", "plies": 81,
              "of": 106, "why": "move 82, `Checker f7 - f8 = King`, isn't legal", "rules": "kept/Luzhanqi.zrf"}
    (tmp_path / "report.html").write_text(as_page(Report(("kept",), [], [record], [], 1.0)))
    server = Server(tmp_path / "state", str(tmp_path / "kept"))
    try:
        with a_page(browser, server, viewport={"width": 390, "height": 844}) as page:
            page.goto("/")
            until(page, "document.querySelectorAll('#games section:first-child .words').length === 2", 60)
            words = page.locator("#games section:first-child .words")
            assert all(".zrf" in text for text in words.all_text_contents())
            assert page.evaluate(BROKEN_WORDS, "#games .words") == []
            page.goto((tmp_path / "report.html").as_uri())
            assert page.evaluate(BROKEN_WORDS, "td") == []
            assert page.locator("td:visible").count() == 4 and page.locator("th:visible").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
    finally:
        server.end()


def test_versions_of_a_game_share_one_card(page: Any) -> None:
    """A file has one card until its button is pressed, or somebody searches; the heading counts all versions."""
    page.goto("/")
    page.wait_for_selector("#games .card")
    of_halma = page.locator("#games .card[href*='halma-']:visible")
    button = page.locator("#games .versions:visible").first
    before, count = page.locator("#games .card:visible").count(), int(button.text_content().split()[0])
    assert count > 1 and of_halma.count() < 40
    assert sum(map(int, page.locator("#games section:visible small").all_text_contents())) > before
    button.click()
    assert page.locator("#games .card:visible").count() == before + count - 1
    assert page.locator("#games .versions[aria-expanded=true]").count() == 1
    page.locator("#games .versions[aria-expanded=true]").click()
    assert page.locator("#games .card:visible").count() == before


def test_games_are_filtered_by_players_chance_and_family(page: Any) -> None:
    page.goto("/")
    page.wait_for_selector("#games .card")

    def counted(label: str, value: str) -> int:
        page.select_option(f"#filters select[aria-label='{label}']", value)
        return sum(map(int, page.locator("#games section:visible small").all_text_contents()))

    every = counted("Chance", "")
    by_chance = [counted("Chance", value) for value in ("with", "without")]
    assert min(by_chance) > 3 and sum(by_chance) == every
    counted("Chance", "")
    three = counted("Players", " 3players")
    assert 0 < three < every and page.locator("#games .card[href*='stern-3p']:visible").count() == 1
    counted("Players", "")
    family = page.locator("#filters select[aria-label='Family'] option").nth(1)
    assert counted("Family", family.get_attribute("value")) < every
    assert page.locator("#games section:visible").count() == 1
