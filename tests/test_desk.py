"""The desk in a real browser: a game written from nothing to a played win, with a mistake and its repair; the set-up
editor, the stepper, and who may not come in."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import PATIENCE, Server, a_page, chromium, until

from tests.playing import HANG, ROOT

pytest.importorskip("starlette", reason="boards need the extra `board`")

BUNDLE = ROOT / "zrf_py" / "serve" / "bundle"
STATIC = ROOT / "zrf_py" / "serve" / "static"

in_a_browser = pytest.mark.skipif(chromium() is None and os.environ.get("CI") != "true",
                                  reason="there is no Chromium on this machine")

GAME = """(game (title "Race")
(description "First to the far side.")
(players White Black) (turn-order White Black)
(board (grid (start-rectangle 0 0 60 60) (dimensions ("a/b/c" (60 0)) ("3/2/1" (0 60)))
(directions (n 0 -1) (s 0 1)))
(symmetry Black (n s) (s n))
(zone (name goal) (players White) (positions a3 b3 c3)) (zone (name goal) (players Black) (positions a1 b1 c1)))
(piece (name Man) (moves (n (verfy empty?) add)))
(board-setup (White (Man a1)) (Black (Man c3)))
(win-condition (White Black) (absolute-config Man (goal))))
"""


class DeskPage:
    """The desk as somebody sits at it."""

    def __init__(self, page: Any, server: Server, path: Path) -> None:
        self.page, self.path = page, path
        address = re.search(r"http://\S+/desk#\S+", server.said)
        assert address, server.said
        page.goto(address[0])
        page.wait_for_selector(".cm-content")

    def type(self, text: str) -> None:
        """Put a text at the cursor, as one paste."""
        self.page.locator(".cm-content").click()
        self.page.keyboard.insert_text(text)

    def text(self) -> str:
        return str(self.path.read_text("utf-8"))

    def says(self, words: str) -> None:
        until(self.page, f"document.querySelector('#problems').textContent.includes({words!r})")

    def saved(self) -> None:
        until(self.page, "document.querySelector('#saved').textContent === 'saved'")

    def tab(self, name: str) -> None:
        self.page.click(f"[data-tab={name}]")

    def board(self) -> Any:
        frame = self.page.frame_locator("#board")
        frame.locator("#board svg").wait_for(timeout=PATIENCE * 1000)
        return frame


@pytest.fixture
def desk(browser: Any, tmp_path: Path) -> Iterator[DeskPage]:
    path = tmp_path / "race.zrf"
    server = Server(tmp_path / "state", "--edit", str(path))
    try:
        with a_page(browser, server, viewport={"width": 1500, "height": 900}) as page:
            yield DeskPage(page, server, path)
    finally:
        assert "Traceback" not in server.end()


@pytest.mark.slow
@in_a_browser
def test_a_game_from_nothing_to_a_win(desk: DeskPage) -> None:
    """It is typed with a mistake, which a code action mends; then the board shows it, and it is played to its end."""
    page = desk.page
    desk.type(GAME)
    desk.says("`verfy` is neither a keyword")
    assert "verfy" not in desk.text()
    page.click("#problems .fix:has-text('Change to `verify`')")
    desk.says("no problems")
    desk.saved()
    assert "(verify empty?)" in desk.text()
    board = desk.board()
    for ply, (start, end) in enumerate((("a1", "a2"), ("c3", "c2"), ("a2", "a3")), 1):
        board.locator(f'#board .place[data-place="{start}"]').click(force=True)
        board.locator(f'#board .place[data-place="{end}"]').click(force=True)
        board.locator(f'#board svg[data-ply="{ply}"]').wait_for(timeout=PATIENCE * 1000)
    board.locator("#dot.over").wait_for(timeout=PATIENCE * 1000)
    assert "White won" in board.locator("#status").text_content()


@pytest.mark.slow
@in_a_browser
def test_the_board_follows_the_text(desk: DeskPage) -> None:
    """Another man in the text is another man on the board; with an error the old board stays, and nothing is saved."""
    desk.type(GAME.replace("verfy", "verify"))
    desk.saved()
    board = desk.board()
    assert board.locator("#board .piece").count() == 2
    desk.tab("setup")
    desk.page.wait_for_selector("#setup-board .place")
    desk.page.select_option("#men", label="White Man")
    desk.page.locator('#setup-board .place[data-place="b1"]').click(force=True)
    desk.page.wait_for_selector("#setup-board .new-man")
    desk.page.click("#write")
    until(desk.page, "document.querySelector('#setup-board .piece[data-place=b1]') !== null")
    desk.saved()
    assert "(White (Man a1 b1))" in desk.text()
    desk.tab("play")
    board.locator('#board .piece[data-place="b1"]').wait_for(timeout=PATIENCE * 1000)
    desk.type("(")
    desk.says("1 problem")
    assert "(White (Man a1 b1))" in desk.text() and not desk.text().startswith("((")


@pytest.mark.slow
@in_a_browser
def test_the_stepper_goes_both_ways(desk: DeskPage) -> None:
    """Why a move is not legal: each step stands in the text and on the board."""
    desk.type(GAME.replace("verfy", "verify").replace("(Black (Man c3))", "(Black (Man c3 a2))"))
    desk.saved()
    page = desk.page
    desk.tab("why")
    page.fill("#question", "a1 a2")
    page.click("#ask button")
    until(page, "document.querySelector('#verdict').textContent.includes('not legal')")
    cursors = []
    for _ in range(2):
        cursors.append(page.get_attribute("#why-board .marked.cursor", "data-square"))
        page.click("#forward")
    assert cursors[0] in ("a1", "a2") and "a2" in (cursors[1], cursors[0])
    assert "empty?" in page.text_content("#step") or "the block ends" in page.text_content("#step")
    page.click("#first")
    assert page.text_content("#number").startswith("1 /")
    assert page.get_attribute("#why-board .marked.cursor", "data-square") == cursors[0]


@pytest.mark.slow
@in_a_browser
def test_the_rules_in_words_follow_the_text(desk: DeskPage) -> None:
    """They stand beside the text, in English or German, with pictures; another rule is another sentence."""
    desk.type(GAME.replace("verfy", "verify"))
    desk.saved()
    page = desk.page
    desk.tab("words")
    page.wait_for_selector("#told h1")
    assert "to an empty square" in page.text_content("#told") and page.locator("#told figure svg").count() >= 2
    page.select_option("#language", "de")
    until(page, "document.querySelector('#told').lang === 'de'")
    assert "Wie das Spiel endet" in page.text_content("#told")
    page.select_option("#language", "en")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    desk.type(GAME.replace("(verfy empty?)", "(verify not-friend?)"))
    until(page, "document.querySelector('#told').textContent.includes('captured')")


@pytest.mark.slow
@in_a_browser
def test_words_are_offered_and_explained(desk: DeskPage) -> None:
    desk.type(GAME.replace("verfy", "verify"))
    desk.saved()
    page = desk.page
    page.keyboard.press("Control+Home")
    page.keyboard.type("(")
    page.wait_for_selector(".cm-tooltip-autocomplete")
    page.keyboard.type("vari")
    until(page, """document.querySelector('#text').shadowRoot.querySelector('[aria-selected] .cm-completionLabel')
        .textContent === 'variant'""")
    page.wait_for_timeout(200)  # for a moment Enter is still a new line, lest it take what has just come up
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#text').shadowRoot.querySelector('.cm-line').textContent.includes('(variant')")


@pytest.mark.slow
@in_a_browser
def test_guests_have_no_desk(browser: Any, tmp_path: Path) -> None:
    """Without the token of the terminal nothing is shown, and a file that others change is not overwritten."""
    path = tmp_path / "race.zrf"
    path.write_text(GAME, "utf-8")
    server = Server(tmp_path / "state", "--edit", str(path))
    try:
        with a_page(browser, server) as page:
            page.goto("/desk#guessed")
            until(page, "document.querySelector('#saved').textContent.includes('watching')")
            assert page.locator(".cm-content").count() == 0
        with a_page(browser, server, viewport={"width": 1500, "height": 900}) as page:
            desk = DeskPage(page, server, path)
            desk.says("verfy")
            path.write_text(GAME.replace("Race", "Other"), "utf-8")
            page.click("#problems .fix:has-text('Change to `verify`')")
            until(page, "document.querySelector('#saved').textContent.includes('changed by another program')")
            assert "Other" in desk.text()
            page.click("#save")
            desk.saved()
            assert "Race" in desk.text()
    finally:
        assert "Traceback" not in server.end()


def test_only_files_of_ones_own_are_edited(tmp_path: Path) -> None:
    from zrf_py.cli.main import main

    assert main(["serve", "--edit"]) == 1
    assert main(["serve", "--edit", "chess"]) == 1
    assert main(["serve", "--edit", str(tmp_path / "no" / "x.zrf"), "--port", "0"]) == 1


@pytest.mark.slow
def test_the_editor_is_what_its_sources_make(tmp_path: Path) -> None:
    """Built again from the packages' exact versions it is the same, byte for byte."""
    if not shutil.which("npm"):
        assert os.environ.get("CI") != "true", "npm is needed"
        pytest.skip("npm is not installed")
    folder = tmp_path / "bundle"
    shutil.copytree(BUNDLE, folder, ignore=shutil.ignore_patterns("node_modules"))
    install = ["npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=HANG)
    if done.returncode and os.environ.get("CI") != "true":
        pytest.skip("the packages of the editor can't be had")
    subprocess.run(["npm", "run", "build", "--", str(tmp_path / "out")], cwd=folder, check=True, timeout=HANG)
    for name in ("desk-editor.js", "desk-editor.LICENSES.txt"):
        made, kept = ((f / name).read_bytes() for f in (tmp_path / "out", STATIC))
        assert hashlib.sha256(made).hexdigest() == hashlib.sha256(kept).hexdigest(), name
