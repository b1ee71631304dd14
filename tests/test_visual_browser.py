"""The visual editors in a browser, with a server: a new game on hexagons is drawn on an empty page, tested, judged,
exported, shared, forked, broken and mended."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.drawing import click, draw_a_game, plays_offline, shared, sound, text_of
from tests.playing import HANG
from tests.serving import PATIENCE, Server, a_page, chromium, until
from zrf_py.cli.main import main

pytest.importorskip("starlette", reason="boards need the extra `board`")

in_a_browser = pytest.mark.skipif(chromium() is None and os.environ.get("CI") != "true",
                                  reason="there is no Chromium on this machine")
SHOWN = "document.querySelector('.paper:not([hidden])').shadowRoot"


def address_of(server: Server) -> str:
    match = re.search(r"http://\S+/desk#\S+", server.said)
    assert match, server.said
    return match[0]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "state", "--edit", str(tmp_path / "own.zrf"))
    yield server
    assert "Traceback" not in server.end()


def written(page: Any, path: Path, has: bool, words: str) -> None:
    """Wait until the file contains these words, or, if `has` is false, no longer contains them."""
    end = time.monotonic() + PATIENCE
    while (words in path.read_text("utf-8")) != has:
        assert time.monotonic() < end, f"in vain: {words}"
        page.wait_for_timeout(20)


@pytest.mark.slow
@in_a_browser
def test_game_is_drawn_tested_judged_exported_and_shared(browser: Any, server: Server, tmp_path: Path) -> None:
    path = tmp_path / "own.zrf"
    with a_page(browser, server, viewport={"width": 1440, "height": 900}) as page:
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(address_of(server))
        draw_a_game(page)
        text = path.read_text("utf-8")
        assert text_of(page) == text
        assert "(name Rider)\n    (moves (slide e) (slide w))" in text and '(include "std/slides.zrf")' in text
        assert "(name Leaper)\n    (moves (walk ne) (leap-to ne nw))" in text
        assert "(zone (name middle) (players White Black) (positions d4 e4))" in text
        remember(page)
        judge(page)
        link = shared(page)
    exported = tmp_path / "own.html"
    assert main(["export", str(path), "-o", str(exported)]) == 0
    with a_page(browser, server) as page:
        page.set_default_timeout(PATIENCE * 1000)
        plays_offline(page, exported)
        page.context.set_offline(False)
    theirs = tmp_path / "theirs.zrf"
    other = Server(tmp_path / "theirs", "--edit", str(theirs))
    try:
        with a_page(browser, other, viewport={"width": 1440, "height": 900}) as page:
            page.set_default_timeout(PATIENCE * 1000)
            page.goto(address_of(other))
            page.wait_for_selector(".cm-content")
            page.evaluate(f"location.hash = {link[link.index('#') + 1:]!r}")
            fork_break_and_mend(page)
            assert theirs.read_text("utf-8") == text.replace("(slide e) (slide w)", "(slide w)")
    finally:
        assert "Traceback" not in other.end()


def remember(page: Any) -> None:
    """Turn the start position into a test, which passes."""
    page.click("[data-tab=play]")
    page.frame_locator("#board").locator('#board .piece[data-place="f5"]').wait_for()
    page.click("#remember")
    until(page, f"{SHOWN}.textContent.includes('```')")
    until(page, "document.querySelector('#tests-now').textContent === 'Tests: 1 passed, 0 failed'")
    page.select_option("#file", index=0)


def judge(page: Any) -> None:
    """Assess the balance with the full report."""
    page.click("[data-tab=judge]")
    page.click("#judge-start")
    page.wait_for_selector("#judge-page", state="visible", timeout=HANG * 1000)
    assert "random games" in page.text_content("#judge-report")


def begin(page: Any, server: Server) -> None:
    """Open the empty rules editor and choose a template."""
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(address_of(server))
    page.wait_for_selector("#small svg")
    page.click("#small .card:has-text('men, squares')")
    sound(page)


def fork_break_and_mend(page: Any) -> None:
    """As another user who has opened the link, remove a slide by a click, misspell a word, apply the fix, and compare
    the text with that of the link."""
    page.wait_for_selector("#came", state="visible")
    page.click("#fork")
    sound(page)
    page.click("[data-tab=moves]")
    page.wait_for_selector("#moves-board .place")
    page.select_option("#piece", "Rider")
    until(page, "document.querySelectorAll('#moves-list li').length === 2")
    page.locator("#moves-list button").first.click()
    until(page, "document.querySelectorAll('#moves-list li').length === 1")
    page.click("#write-moves")
    until(page, f"!{SHOWN}.textContent.includes('(slide e)')")
    sound(page)
    whole = text_of(page)
    page.locator(".paper:not([hidden]) .cm-content").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(whole.replace("(turn-order", "(turn-oder", 1))
    page.locator("#problems .error").first.wait_for()
    page.locator("#problems .fix").first.click()
    sound(page)
    page.click("[data-tab=versions]")
    page.select_option("#against", "link")
    page.click("#changes")
    page.wait_for_selector("#diff .added")
    assert "(slide w)" in page.text_content("#diff .added") and "(slide e)" in page.text_content("#diff .removed")
    page.click("#compare")
    page.wait_for_selector("#two-boards", state="visible")


@pytest.mark.slow
@in_a_browser
def test_visual_editors_work_by_keyboard(browser: Any, server: Server, tmp_path: Path) -> None:
    """Places are reached by arrow keys and chosen by Enter; each announces the move that ends there; edits can be
    undone."""
    with a_page(browser, server, viewport={"width": 390, "height": 844}) as page:
        begin(page, server)
        before = (tmp_path / "own.zrf").read_text("utf-8")
        page.locator("[data-tab=moves]").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#moves-board .place")
        page.locator('#moves-board .place[tabindex="0"]').focus()
        focused = "document.activeElement.dataset.place"
        at = page.evaluate(focused)
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown"):
            page.keyboard.press(key)
        assert page.evaluate(focused) == "c2" and at == "a5"
        page.keyboard.press("Enter")
        until(page, "document.querySelectorAll('#moves-list li').length === 4")
        assert page.evaluate(focused) == "c2"
        label = page.get_attribute('#moves-board .place[data-place="c2"]', "aria-label")
        assert label == "c2 · step s: move or capture"
        page.locator("#write-moves").focus()
        page.keyboard.press("Enter")
        written(page, tmp_path / "own.zrf", True, "(step s)")
        page.locator(".paper:not([hidden]) .cm-content").focus()
        page.keyboard.press("Control+z")
        written(page, tmp_path / "own.zrf", False, "(step s)")
        assert (tmp_path / "own.zrf").read_text("utf-8") == before


@pytest.mark.slow
@in_a_browser
def test_points_are_set_and_joined_by_clicks(browser: Any, server: Server, tmp_path: Path) -> None:
    with a_page(browser, server, viewport={"width": 1440, "height": 900}) as page:
        begin(page, server)
        page.click("[data-tab=maker]")
        page.wait_for_selector("#zone-board .place")
        page.select_option("#shape", "points")
        page.locator("#points-board svg").click(position={"x": 8, "y": 60})
        page.wait_for_selector("#points-board .chosen")
        page.fill("#point-name", "far")
        page.keyboard.press("Tab")
        page.wait_for_selector("#points-board .chosen[data-place=far]")
        click(page, "points-board", "a5")
        until(page, "document.querySelector('#points-board .chosen') === null")
        page.click("#make-board button")
        until(page, "document.querySelector('#zone-board .place[data-place=far]') !== null")
        written(page, tmp_path / "own.zrf", True, "(far ")
        text = (tmp_path / "own.zrf").read_text("utf-8")
        assert re.search(r"\(far( +\d+){4}\)", text) \
            and re.search(r"\(far\s+a5\)", text) and re.search(r"\(a5\s+far\)", text)
        assert "(goal)" in text and "(walk n)" in text
