"""axe-core finds only minor faults on the pages, light or dark; games are played by keyboard, and by thumb on a phone.

axe-core comes from npm into a folder of the test (`ZRF_AXE` may name its `axe.min.js` instead); without npm, or where
it can't be had, these tests are skipped. The rules editor of a site needs `ZRF_PYODIDE`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import Board, Server, a_page, chromium, files_served, until

from tests.playing import HANG, counted
from tests.test_website import GAME, REAL, pyodide, with_pyodide
from zrf_py.export.website import website

pytest.importorskip("starlette", reason="boards need the extra `board`")
pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")]

VERSION = "4"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, as text."""
    named = os.environ.get("ZRF_AXE")
    if named:
        return Path(named).read_text("utf-8")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm on this machine")
    home = tmp_path_factory.mktemp("axe")
    command = [npm, "install", "--prefix", str(home), "--no-save", "--no-audit", "--no-fund", f"axe-core@{VERSION}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    if done.returncode:
        pytest.skip(f"npm can't install axe-core: {done.stderr[-300:]}")
    return (home / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, browser: Any, server: Server) -> Iterator[Any]:
    with a_page(browser, server, color_scheme=request.param, bypass_csp=True) as page:
        yield page


def found(page: Any, axe: str) -> list[str]:
    """Return the findings on a page, except minor ones: a line for each broken rule, and the first element at fault."""
    page.evaluate(axe)
    result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0]['failureSummary'][:300]}"
            for v in result["violations"] if v["impact"] != "minor"]


def test_the_gallery_is_accessible(page: Any, axe: str) -> None:
    page.goto("/")
    page.wait_for_selector("#games .card")
    page.fill("#search", "chess")
    faults = found(page, axe)
    assert not faults


def test_the_start_of_a_game_is_accessible(page: Any, axe: str) -> None:
    Board.open(page, "chess")
    faults = found(page, axe)
    assert not faults
    Board.open(page, "stern-4p")
    faults = found(page, axe)
    assert not faults


def test_a_game_and_its_link_are_accessible(page: Any, axe: str) -> None:
    board = Board.open(page, "chess", players="human,link")
    board.go("e2", "e4")
    faults = found(page, axe)
    assert not faults
    page.click("#share")
    page.wait_for_selector("#link[open]")
    faults = found(page, axe)
    assert not faults


def test_analysis_and_position_editor_are_accessible(page: Any, axe: str) -> None:
    line = [f"{'XO'[i % 2]} Mark {at}" for i, at in enumerate(("a1", "b2", "a2", "a3", "c3"))]
    Board.open(page, "tictactoe", line)
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#best li').length > 0")
    page.click("#review")
    until(page, "document.querySelectorAll('#graph polygon').length > 0")
    page.click("#edit")
    until(page, "document.querySelector('#edit-words').textContent !== ''")
    faults = found(page, axe)
    assert not faults


def test_the_end_of_a_game_is_accessible(page: Any, axe: str) -> None:
    board = Board.open(page, "tictactoe", ["X Mark a1", "O Mark b1", "X Mark a2", "O Mark b2"])
    board.click("a3")
    page.wait_for_selector("#ending:visible")
    faults = found(page, axe)
    assert not faults


# -------------------------------------------------------------------------------------------------------------- a site


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole site with one game."""
    folder = tmp_path_factory.mktemp("website")
    (folder / "hop.zrf").write_text(GAME, "utf-8")
    website(str(folder / "hop.zrf"), folder / "site", REAL or pyodide(folder / "pyodide"))
    return folder / "site"


@pytest.fixture(params=[("light", 1440), ("dark", 390)], ids=["light", "dark"])
def visitor(request: pytest.FixtureRequest, browser: Any, files: Path) -> Iterator[Any]:
    """A visitor's page on the site of `files`."""
    scheme, width = request.param
    with files_served(files) as address:
        context = browser.new_context(base_url=address, color_scheme=scheme, bypass_csp=True, service_workers="block",
                                      viewport={"width": width, "height": 900})
        page = context.new_page()
        page.set_default_timeout(HANG * 1000)
        yield page
        context.close()


def test_every_page_of_a_site_is_accessible(visitor: Any, files: Path, axe: str) -> None:
    names = [path.relative_to(files).as_posix() for path in files.rglob("*.html")]
    faults = {}
    for name in counted((name for name in names if not name.startswith("workshop/")), 25):
        visitor.goto(f"/{name}")
        if "/games/" in name:
            visitor.wait_for_selector("#board .can")
        faults[name] = found(visitor, axe)
    assert not {name: lines for name, lines in faults.items() if lines}


@with_pyodide
def test_the_rules_editor_of_a_site_is_accessible(visitor: Any, axe: str) -> None:
    """It is checked empty, on each of its tabs, and with a link to share; the frame of the board is checked, too."""
    visitor.goto("/workshop/index.html")
    visitor.wait_for_selector("#small .card svg")
    faults = {"empty": found(visitor, axe)}
    visitor.click("#small .card")
    visitor.frame_locator("#board").locator("#board .can").first.wait_for()
    shown = {"play": "#board", "maker": "#zone-board svg", "moves": "#moves-board svg", "setup": "#setup-board svg",
             "why": "#ask", "run": "#run-tests", "judge": "#judge-report", "versions": "#compare", "words": "#told h2"}
    assert len(shown) == visitor.locator("[role=tab]").count()
    for name, selector in shown.items():
        visitor.click(f"[data-tab={name}]")
        visitor.wait_for_selector(selector)
        faults[name] = found(visitor, axe)
    visitor.click("#share")
    until(visitor, "document.querySelector('#link').value.includes('#z=')")
    faults["share"] = found(visitor, axe)
    assert not {name: lines for name, lines in faults.items() if lines}


# ---------------------------------------------------------------------------------------------------------- by keyboard


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(80):
        if page.evaluate("selector => Boolean(document.activeElement?.matches(selector))", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"no Tab leads to {selector}")


def test_a_game_is_found_and_played_to_its_end_by_keyboard(browser: Any, server: Server) -> None:
    with a_page(browser, server) as page:
        page.goto("/")
        page.wait_for_selector("#games .card")
        tab_to(page, "#search")
        page.keyboard.type("tic-tac")
        tab_to(page, "#games a.card[href*='tictactoe']")
        page.keyboard.press("Enter")
        page.wait_for_url("**/t/*")
        board = Board(page)
        board.at(0)
        tab_to(page, "#start input[type=radio]")
        tab_to(page, "#board .place")
        places = ["a1", "b1", "a2", "b2", "a3"]
        for ply, place in enumerate(places, 1):
            walk_to(page, place)
            page.keyboard.press("Enter")
            board.at(ply)
        page.wait_for_selector("#ending:visible")
        tab_to(page, "#ending button")
        page.keyboard.press("Enter")


def walk_to(page: Any, place: str) -> None:
    """Move the focus to a place of the board with arrow keys."""
    where = "at => { const b = at.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }"
    for _ in range(20):
        here = page.evaluate(f"({where})(document.activeElement)")
        goal = page.locator(f"#board .place[data-place='{place}']").evaluate(where)
        dx, dy = goal[0] - here[0], goal[1] - here[1]
        if abs(dx) < 5 and abs(dy) < 5:
            return
        across = abs(dx) > abs(dy)
        page.keyboard.press(("ArrowRight" if dx > 0 else "ArrowLeft") if across else
                            ("ArrowDown" if dy > 0 else "ArrowUp"))
    pytest.fail(f"arrow keys don't lead to {place}")


# ------------------------------------------------------------------------------------------------------------- by thumb


@pytest.mark.parametrize(("game", "places"), [("stern-2p", None), ("shogi", ("7g", "7f"))])
def test_a_move_is_made_by_thumb(browser: Any, server: Server, game: str, places: tuple[str, str] | None) -> None:
    """A tap need not hit the middle of a place; nothing reaches beyond the screen."""
    with a_page(browser, server, **PHONE) as page:
        board = Board.open(page, game)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        if places is None:
            start = page.locator("#board .piece.can").first.get_attribute("data-place")
            tap(page, str(start))
            spot = page.evaluate("""() => {
                const lit = document.querySelector(".lit .go").getBoundingClientRect();
                return [lit.x + lit.width / 2, lit.y + lit.height / 2];
            }""")
            page.touchscreen.tap(*spot)
        else:
            for place in places:
                tap(page, place)
        page.wait_for_selector("#board svg:not([data-ply='0'])")
        assert board.ply >= 1


def tap(page: Any, place: str) -> None:
    box = page.locator(f"#board .place[data-place='{place}']").bounding_box()
    page.touchscreen.tap(box["x"] + 0.7 * box["width"], box["y"] + 0.6 * box["height"])
