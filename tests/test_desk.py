"""The rules editor in a real browser: a game from an empty file to a win, with a mistake and its fix; the set-up
editor, the stepper, and visitors without access."""

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
from tests.test_hostile import BOMBS
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.setup import set_up
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import new_game
from zrf_py.author.sharing import packed, unpacked
from zrf_py.cli.main import main
from zrf_py.text.source import Source

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


SHOWN = "document.querySelector('.paper:not([hidden])').shadowRoot"
LINE = f"{SHOWN}.querySelector('.cm-line')"


class DeskPage:
    """The rules editor as its user sees it."""

    def __init__(self, page: Any, server: Server, path: Path) -> None:
        self.page, self.path = page, path
        address = re.search(r"http://\S+/desk#\S+", server.said)
        assert address, server.said
        page.goto(address[0])
        page.wait_for_selector(".cm-content")

    def type(self, text: str) -> None:
        """Put a text at the cursor, as one paste."""
        self.page.locator(".paper:not([hidden]) .cm-content").click()
        self.page.keyboard.insert_text(text)

    def clear(self) -> None:
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")

    def text(self) -> str:
        return str(self.path.read_text("utf-8"))

    def says(self, words: str) -> None:
        until(self.page, f"document.querySelector('#problems').textContent.includes({words!r})")

    def saved(self) -> None:
        until(self.page, "document.querySelector('#saved').textContent === 'saved'")

    def turn_to(self, name: str) -> None:
        self.page.select_option("#file", name)
        until(self.page, f"{SHOWN}.querySelector('.cm-content').ariaLabel === {name!r}")

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
def test_a_game_is_written_in_an_empty_file_and_won(desk: DeskPage) -> None:
    """The text is typed with a mistake, which a code action fixes; then the board shows the game, and it is played to
    its end."""
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
def test_no_character_changes_the_order_of_a_line(desk: DeskPage) -> None:
    """Bidirectional control characters are shown as dots, so that rules are read in the order in which they are
    compiled."""
    desk.type(GAME.replace("Race", "Race \u202e").replace("verfy", "verify"))
    until(desk.page, f"{SHOWN}.querySelectorAll('.cm-specialChar').length === 1")
    assert desk.page.evaluate(f"{LINE}.innerText") == '(game (title "Race \u2022")'


@pytest.mark.slow
@in_a_browser
def test_the_board_follows_the_text(desk: DeskPage) -> None:
    """A piece that is added to the text appears on the board; while there is an error, nothing is saved."""
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
def test_problems_hide_no_line_and_a_phone_shows_all_buttons(desk: DeskPage) -> None:
    """The text keeps its height when the list of problems grows; no button lies beyond the edge of a narrow page."""
    page = desk.page
    height = "document.querySelector('#text').clientHeight"
    before = page.evaluate(height)
    desk.type(GAME.replace("(players", "(playrs") + "(piece (name A) (movse (n add)))")
    page.wait_for_selector("#problems .fix >> nth=1")
    assert page.evaluate(height) == before
    page.set_viewport_size({"width": 390, "height": 844})
    for button in page.locator(".top .button, #problems .fix").all():
        box = button.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, button.text_content()


@pytest.mark.slow
@in_a_browser
def test_stepper_goes_forwards_and_backwards(desk: DeskPage) -> None:
    """It explains why a move is not legal, and the cursor of each step is marked on the board."""
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
def test_a_text_too_long_for_the_server_is_reported(desk: DeskPage) -> None:
    """It stays in the page; once it is shorter it is checked again."""
    page = desk.page
    desk.type("; " + "x" * (1 << 20))
    until(page, "document.querySelector('#saved').textContent === 'not checked: the text is longer than 1024 KiB'")
    desk.clear()
    desk.type(GAME.replace("verfy", "verify"))
    desk.saved()
    assert desk.text() == GAME.replace("verfy", "verify")


@pytest.mark.slow
@in_a_browser
@pytest.mark.parametrize("name", ["doubling macros", "many variants", "many flags", "endless chains"])
def test_desk_survives_a_text_that_is_hard_to_compile(name: str, desk: DeskPage) -> None:
    """The server answers about that text, and the next text is checked as usual."""
    page = desk.page
    desk.type(str(BOMBS[name]))
    until(page, "document.body.dataset.known === '1'")
    desk.clear()
    desk.type(GAME)
    desk.says("`verfy` is neither a keyword")


@pytest.mark.slow
@in_a_browser
def test_frames_have_the_shape_of_cells_and_steps_quote_the_file(desk: DeskPage) -> None:
    """On hexagons a frame is a hexagon; a step quotes the file and shows whether its test holds; an empty question gets
    a hint."""
    desk.type(formatted(new_game("race", "Race", 5, "hexagons")))
    desk.saved()
    page = desk.page
    desk.tab("why")
    page.click("#ask button")
    assert "a1 a2" in page.text_content("#verdict")
    page.fill("#question", "b1 d3")
    page.click("#ask button")
    until(page, "document.querySelector('#verdict').textContent.includes('not legal')")
    block = page.locator("#block option").filter(has_text="moves 5").get_attribute("value")
    page.select_option("#block", block)
    frame = page.locator("#why-board .marked.cursor")
    assert frame.get_attribute("d").count("L") == 5
    square = frame.get_attribute("data-square")
    assert frame.get_attribute("d") == page.locator(f'#why-board .place[data-place="{square}"]').get_attribute("d")
    page.click("#forward")
    assert re.match(r"not-empty\? \(in jump\) · no: c2 is empty", page.text_content("#step"))


@pytest.mark.slow
@in_a_browser
def test_an_empty_file_begins_with_a_game(desk: DeskPage, tmp_path: Path) -> None:
    """Each card offers a template of `zrf new` or a bundled file; a click puts it on the board at once, and can be
    undone."""
    page = desk.page
    page.wait_for_selector("#small svg")
    assert page.locator("#small .card").count() == 12
    page.click("#small .card:has-text('drops, hexagons')")
    desk.saved()
    desk.board()
    assert main(["new", str(tmp_path / "new" / "race.zrf"), "--kind", "drops", "--board", "hexagons"]) == 1  # no folder
    (tmp_path / "new").mkdir()
    assert main(["new", str(tmp_path / "new" / "race.zrf"), "--kind", "drops", "--board", "hexagons"]) == 0
    assert desk.text() == (tmp_path / "new" / "race.zrf").read_text("utf-8")
    assert not page.is_visible("#start")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+z")
    page.wait_for_selector("#start", state="visible")
    page.click("#shelf .card:has(b:text-is('Tic-Tac-Toe'))")
    desk.saved()
    assert desk.text() == (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8")


@pytest.mark.slow
@in_a_browser
def test_unsaved_changes_are_marked_and_survive_a_reload(desk: DeskPage) -> None:
    """With saving by hand, unsaved changes are marked; the browser keeps them and restores them after a reload."""
    page = desk.page
    page.uncheck("#auto")
    desk.type(GAME.replace("verfy", "verify"))
    desk.says("no problems")
    until(page, "document.querySelector('#saved').textContent === 'not saved'")
    page.wait_for_timeout(800)
    assert desk.text() == ""
    page.reload()
    page.wait_for_selector("#kept", state="visible")
    assert not page.is_checked("#auto") and "race.zrf" in page.text_content("#kept-why")
    page.click("#put-back")
    desk.says("no problems")
    page.click("#save")
    desk.saved()
    assert desk.text() == GAME.replace("verfy", "verify")
    desk.board()
    assert page.is_disabled("#revert"), "the file was empty"
    page.reload()
    page.wait_for_selector(".cm-content")
    desk.type("; more")
    page.click("#revert")
    until(page, "document.querySelector('#saved').textContent === 'saved'")
    assert page.is_disabled("#revert") and desk.text() == GAME.replace("verfy", "verify")


TESTS = """# Start

```moves
count: 1
```

# Wrong

```moves
count: 7
```
"""


@pytest.mark.slow
@in_a_browser
def test_a_test_leads_to_its_line(desk: DeskPage) -> None:
    """The page of tests is written beside the rules; each result is a button that goes to its line and shows the
    failure."""
    page = desk.page
    desk.type(GAME.replace("verfy", "verify"))
    desk.saved()
    desk.turn_to("race.md")
    desk.type(TESTS)
    until(page, f"{SHOWN}.textContent.includes('Wrong')")
    desk.saved()
    assert desk.path.with_suffix(".md").read_text("utf-8") == TESTS
    desk.tab("run")
    page.click("#run-tests")
    page.wait_for_selector("#results li")
    assert [row.inner_text().split() for row in page.locator("#results .go").all()] == [
        ["passed", "Start", "race.md:3"], ["failed", "Wrong", "race.md:10"]]
    assert "expected: 7\nfound: 1" in page.locator("#results li").nth(1).text_content()
    desk.turn_to("race.zrf")
    assert "White" in page.evaluate(f"{SHOWN}.textContent")
    page.click("#results .go >> nth=1")
    until(page, f"{SHOWN}.querySelector('.cm-activeLine')?.textContent === 'count: 7'")
    page.keyboard.insert_text("count: 1")
    desk.saved()
    page.click("#run-tests")
    until(page, "document.querySelector('#said').textContent.includes('2 passed, 0 failed')")


@pytest.mark.slow
@in_a_browser
def test_random_games_remembered_positions_and_two_versions_are_shown(desk: DeskPage) -> None:
    """The results of random games stand below the text; the position on the board becomes a test, which runs after
    each change and fails with other rules; then the saved version and the text are shown where they differ."""
    page = desk.page
    desk.type(GAME.replace("verfy", "verify"))
    desk.saved()
    until(page, "document.querySelector('#margin-line').textContent.includes('moves on average')")
    assert "White wins 100%" in page.text_content("#margin-line")
    board = desk.board()
    board.locator('#board .place[data-place="a1"]').click(force=True)
    board.locator('#board .place[data-place="a2"]').click(force=True)
    board.locator('#board svg[data-ply="1"]').wait_for(timeout=PATIENCE * 1000)
    page.click("#remember-move")
    until(page, f"{SHOWN}.textContent.includes('play: Man a1 - a2')")
    page.click("#remember")
    until(page, f"{SHOWN}.textContent.includes('Man c3 - c2')")
    until(page, "document.querySelector('#tests-now').textContent === 'Tests: 2 passed, 0 failed'")
    until(page, "document.querySelector('#saved').textContent === 'saved'")
    page.uncheck("#auto")
    desk.turn_to("race.zrf")
    page.locator(".paper:not([hidden]) .cm-content").click()
    desk.clear()
    desk.type(GAME.replace("(verfy empty?)", "n (verify empty?)"))
    until(page, "document.querySelector('#tests-now').textContent === 'Tests: 0 passed, 2 failed'")
    page.click("#tests-now")
    assert "found: " in page.text_content("#results li:last-child pre")
    desk.tab("versions")
    page.click("#compare")
    page.wait_for_selector("#two-boards", state="visible")
    assert "in only one version: at the start" in page.text_content("#compared")
    assert (page.text_content("#old-only"), page.text_content("#new-only")) == ("before: a1-a2", "now: a1-a3")
    squares = page.locator("#new-board .marked").evaluate_all("(them) => them.map((it) => it.dataset.square)")
    assert squares == ["a1", "a3"]
    page.click("#changes")
    page.wait_for_selector("#diff .added")
    assert "n (verify empty?)" in page.text_content("#diff .added")


@pytest.mark.slow
@in_a_browser
def test_a_text_opened_by_a_link_is_forked(desk: DeskPage) -> None:
    """In a tab that already has a text, the text of the link is only offered, and changes nothing until it is
    accepted."""
    page = desk.page
    first, second = GAME.replace("verfy", "verify"), GAME.replace("verfy", "verify").replace("Race", "Other race")
    desk.type(first)
    desk.saved()
    page.click("#share")
    until(page, "document.querySelector('#link').value.includes('#z=')")
    assert unpacked(page.input_value("#link")) == first
    assert "works only on this computer" in page.text_content("#link-words")
    page.fill("#link", "#z=nothing")
    page.click("#open-link")
    until(page, "document.querySelector('#saved').textContent === 'this link is damaged'")
    page.evaluate(f"location.hash = 'z={packed(second)}'")
    page.wait_for_selector("#came", state="visible")
    page.click("#differs")
    page.wait_for_selector("#diff .added")
    assert "Other race" in page.text_content("#diff .removed") and desk.text() == first
    page.reload()
    page.wait_for_selector("#came", state="visible")
    desk.saved()
    assert desk.text() == first
    page.click("#fork")
    until(page, "document.querySelector('#game').value === 'Other race'")
    desk.saved()
    assert desk.text() == second
    desk.tab("versions")
    page.click("#changes")
    until(page, "document.querySelector('#compared').textContent === 'The texts are identical.'")


@pytest.mark.slow
@in_a_browser
def test_the_full_report_shows_progress_and_can_be_stopped(desk: DeskPage) -> None:
    page = desk.page
    desk.type(GAME.replace("verfy", "verify"))
    desk.saved()
    desk.tab("judge")
    page.click("#judge-start")
    page.wait_for_selector("#judge-page", state="visible")
    assert "Race (race.zrf): 200 random games" in page.text_content("#judge-report")
    assert page.get_attribute("#judge-page", "download") == "Race.html" and page.text_content("#judge-now") == ""
    page.select_option("#file", "race.zrf")
    desk.clear()
    page.wait_for_selector("#start", state="attached")
    desk.type((ROOT / "rules" / "chess.zrf").read_text("utf-8"))
    until(page, "document.querySelector('#game').value === 'Chess'")
    page.click("#judge-start")
    until(page, "/\\d+ \\/ \\d+/.test(document.querySelector('#judge-now').textContent)")
    page.click("#judge-stop")
    until(page, "document.querySelector('#judge-report').textContent === 'the analysis was stopped'")


@pytest.mark.slow
@in_a_browser
def test_an_included_file_is_edited_on_the_same_page(desk: DeskPage) -> None:
    """Once it is saved, the problems and the board are those of the game with the new text."""
    page = desk.page
    part = desk.path.with_name("men.inc")
    part.write_text("(piece (name Man) (moves (n (verfy empty?) add)))\n", "utf-8")
    desk.type(GAME.replace("(piece (name Man) (moves (n (verfy empty?) add)))", '(include "men.inc")'))
    desk.says("verfy")
    desk.turn_to("men.inc")
    until(page, f"{SHOWN}.textContent.includes('verfy')")
    page.locator(".paper:not([hidden]) .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    desk.type("(piece (name Man) (moves (n (verify empty?) add)))")
    desk.saved()
    assert "verify" in part.read_text("utf-8")
    desk.says("no problems")
    desk.turn_to("race.zrf")
    desk.saved()
    desk.board()


@pytest.mark.slow
@in_a_browser
def test_explanations_are_not_cut_off_and_disappear_on_typing(desk: DeskPage) -> None:
    """The explanation of a word in the first line is not cut off at the upper edge and disappears on typing; long lines
    wrap."""
    desk.type("(version \"2.0\")\n" + GAME.replace("verfy", "verify").replace("First", "First of all of them " * 20))
    desk.saved()
    page = desk.page
    page.keyboard.press("Control+Home")
    page.locator(".cm-line").first.locator("span:has-text('version')").hover()
    meaning = page.locator(".cm-tooltip-hover pre")
    meaning.wait_for()
    page.wait_for_timeout(300)
    box, text = meaning.bounding_box(), page.locator("#text").bounding_box()
    assert box["y"] >= text["y"] and box["x"] >= text["x"]
    page.keyboard.type(";")
    meaning.wait_for(state="detached")
    assert page.evaluate(f"{SHOWN}.querySelector('.cm-scroller').scrollWidth <= {SHOWN}.host.clientWidth")


@pytest.mark.slow
@in_a_browser
def test_the_rules_in_words_follow_the_text(desk: DeskPage) -> None:
    """They stand beside the text, in English or German, with pictures; if a rule changes, so does its sentence."""
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
def test_completions_are_offered_and_explained(desk: DeskPage) -> None:
    desk.type(GAME.replace("verfy", "verify"))
    desk.saved()
    page = desk.page
    page.keyboard.press("Control+Home")
    page.keyboard.type("(")
    page.wait_for_selector(".cm-tooltip-autocomplete")
    page.keyboard.type("vari")
    until(page, """document.querySelector('.paper').shadowRoot.querySelector('[aria-selected] .cm-completionLabel')
        .textContent === 'variant'""")
    page.wait_for_timeout(200)  # right after the list opens, Enter still starts a new line
    page.keyboard.press("Enter")
    until(page, f"{LINE}.textContent.includes('(variant')")


@pytest.mark.slow
@in_a_browser
def test_guests_cannot_edit_rules(browser: Any, tmp_path: Path) -> None:
    """Without the token from the terminal nothing is shown; and a file that another program changes is overwritten
    only on request."""
    path = tmp_path / "race.zrf"
    path.write_text(GAME, "utf-8")
    server = Server(tmp_path / "state", "--edit", str(path))
    try:
        with a_page(browser, server) as page:
            page.goto("/desk#guessed")
            until(page, "document.querySelector('#saved').textContent.includes('only the person who started')")
            assert page.locator(".cm-content").count() == 0
        with a_page(browser, server, viewport={"width": 1500, "height": 900}) as page:
            desk = DeskPage(page, server, path)
            desk.says("verfy")
            page.uncheck("#auto")
            page.click("#problems .fix:has-text('Change to `verify`')")
            path.write_text(GAME.replace("Race", "Other"), "utf-8")
            page.wait_for_selector("#theirs", state="visible")
            page.click("#save")
            assert "Other" in desk.text()
            page.click("#overwrite")
            desk.saved()
            assert "Race" in desk.text()
    finally:
        assert "Traceback" not in server.end()


@pytest.mark.slow
@in_a_browser
def test_a_link_states_its_reach_and_a_visitor_sees_the_rules(browser: Any, tmp_path: Path) -> None:
    """In the network the link begins with the server's address there; a visitor reads why the rules can't be played
    here, keeps changes in the browser, and can download the file."""
    path = tmp_path / "race.zrf"
    path.write_text(GAME.replace("verfy", "verify"), "utf-8")
    server = Server(tmp_path / "state", "--edit", str(path), "--host", "0.0.0.0")
    try:
        with a_page(browser, server, viewport={"width": 1500, "height": 900}) as page:
            page.goto(server.said.split()[2].replace(server.address, f"http://127.0.0.1:{server.port}"))
            page.wait_for_selector(".cm-content")
            page.click("#share")
            until(page, "document.querySelector('#link').value.includes('#z=')")
            link = page.input_value("#link")
            assert link.startswith(f"{server.address}/desk#z=") and not server.address.startswith("http://127.")
            assert "Anyone who opens this link can read the rules." in page.text_content("#link-words")
        with a_page(browser, server, "Opener-Policy", viewport={"width": 390, "height": 844}) as page:
            for expected in (path.read_text("utf-8"), "; mine"):
                page.goto(link)
                page.wait_for_selector(".cm-content")
                assert "Only the person who started this server" in page.text_content("#visit")
                assert not any(map(page.is_visible, ("#came", "#side", "#save")))
                if page.is_visible("#put-back"):
                    page.click("#put-back")
                with page.expect_download() as download:
                    page.click("#take")
                assert expected in download.value.path().read_text("utf-8")
                page.locator(".cm-content").click()
                page.keyboard.insert_text("; mine")
                until(page, "Object.keys(localStorage).some((name) => localStorage[name].includes('; mine'))")
                page.goto("about:blank")
        assert path.read_text("utf-8") == GAME.replace("verfy", "verify")
    finally:
        assert "Traceback" not in server.end()


SETUP = """(board-setup ; the start
  (White (Man c1 a1 ; corners
     b1 off 3))
  (Black (Man c3)))"""


@pytest.mark.parametrize(("added", "gone", "store", "after"), [
    ({}, [], 3, SETUP),
    ({}, ["a1"], 3, SETUP.replace("c1 a1", "c1")),
    ({}, ["b1"], 3, SETUP.replace("     b1 off", " off")),
    ({"a2": "White"}, ["c1"], 3, SETUP.replace("c1 a1", "a1").replace("off 3", "off 3 a2")),
    ({"a3": "Black", "b3": "Black"}, [], 2, SETUP.replace("c3", "c3 a3 b3").replace("off 3", "off 2")),
    ({"c3": "White"}, [], 0, SETUP.replace(" (Man c3)", "").replace(" off 3", " c3")),
    ({"b2": "Grey"}, [], 3, SETUP.replace("(Man c3))", "(Man c3))\n  (Grey (Man b2))")),
])
def test_only_changed_lines_are_written(added: dict[str, str], gone: list[str], store: int, after: str) -> None:
    """Squares stay in their author's order, and comments on their lines; the new text has the requested set-up."""
    text = GAME.replace("verfy", "verify").replace("(players White Black) (turn", "(players White Black Grey) (turn")
    text = re.sub(r"\(board-setup.*", lambda _: SETUP, text)
    analysis = analyse(Source("race.zrf", text))
    men = {square: man for square, man in setup_of(analysis).items() if square not in gone}
    men |= {square: (player, "Man") for square, player in added.items()}
    made = text
    edits = set_up(analysis, "Race", men, {("White", "Man"): store})
    for edit in sorted(edits, key=lambda e: e.span.start, reverse=True):
        made = made[: edit.span.start] + edit.text + made[edit.span.end :]
    assert made == text.replace(SETUP, after)
    again = analyse(Source("race.zrf", made))
    assert setup_of(again) == men and sum(n for *_, n in again.stages.programs[0].game.stores) == store


def setup_of(analysis: Analysis) -> dict[str, tuple[str, str]]:
    """Return the set-up of the first game of a text."""
    assert not analysis.errors, analysis.errors
    game = analysis.stages.programs[0].game
    return {game.board.places[at].name: (game.players[p].name, game.pieces[k].name) for p, k, at in game.setup}


def test_only_the_users_own_files_are_edited(tmp_path: Path) -> None:
    assert main(["serve", "--edit"]) == 1
    assert main(["serve", "--edit", "chess"]) == 1
    assert main(["serve", "--edit", str(tmp_path / "no" / "x.zrf"), "--port", "0"]) == 1


@pytest.mark.slow
def test_the_editor_is_built_from_its_sources(tmp_path: Path) -> None:
    """A build from the exact versions of the packages gives the same files, byte for byte."""
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
