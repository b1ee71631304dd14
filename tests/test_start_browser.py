"""Before the first move and beside the game: what people read about it."""

from __future__ import annotations

from typing import Any

import pytest
from serving import Board, a_page, chromium, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine"),
]


def test_rules_are_read_with_pictures_of_moves_before_and_beside_the_game(page: Any) -> None:
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


def test_rules_are_told_in_the_language_of_the_page(browser: Any, server: Any) -> None:
    with a_page(browser, server, locale="de-DE") as page:
        Board.open(page, "tictactoe")
        page.click("text=Über das Spiel")
        page.wait_for_selector("#told figure")
        assert "ist das Spiel unentschieden" in page.text_content("#told")


def test_goals_are_shown_before_the_first_move_in_the_colours_of_who_goes_there(page: Any) -> None:
    board = Board.open(page, "stern-3p")
    rings = page.locator("#board .lit .goal")
    assert rings.count() == 45 and len(set(rings.evaluate_all("all => all.map((e) => e.getAttribute('stroke'))"))) == 3
    board.go("e9", "f10")
    assert not rings.count()


def test_the_page_is_no_longer_than_the_screen(page: Any) -> None:
    Board.open(page, "chess")
    until(page, "document.documentElement.scrollHeight <= innerHeight")
