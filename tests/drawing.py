"""A game drawn by clicks in the rules editor of a server or of a site, for tests in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.serving import until
from zrf_py.author.sharing import unpacked


def shared(page: Any) -> str:
    """Return the link that shares the text in the editor."""
    page.evaluate("document.querySelector('#link').value = ''; document.querySelector('#sharing').hidden = true")
    page.click("#share")
    until(page, "document.querySelector('#link').value.includes('#z=')")
    link = str(page.input_value("#link"))
    page.click("#share")
    return link


def text_of(page: Any) -> str:
    """Return the text in the editor, read from the link that shares it."""
    return unpacked(shared(page))


def sound(page: Any) -> None:
    """Wait until the text has no errors and is saved."""
    until(page, "document.querySelector('#problems .error') === null"
                " && document.querySelector('#saved').textContent === 'saved'")


def click(page: Any, board: str, square: str) -> None:
    page.locator(f'#{board} .place[data-place="{square}"]').click(force=True)


def draw_a_game(page: Any) -> None:
    """Draw a hexagonal board of side 4, a painted zone, a rider and a leaper, and a set-up; all by clicks."""
    page.wait_for_selector("#small svg")
    page.click("#small .card:has-text('men, hexagons')")
    sound(page)
    page.click("[data-tab=maker]")
    page.wait_for_selector("#zone-board .place")
    page.select_option("#shape", "hexagon")
    page.fill("#columns", "4")
    page.click("#make-board button")
    until(page, "document.querySelectorAll('#zone-board .place').length === 37")
    sound(page)
    page.fill("#zone-name", "middle")
    for square in ("d4", "e4"):
        click(page, "zone-board", square)
    page.click("#write-zone")
    until(page, "document.querySelector('#zone').options.length === 4")
    sound(page)
    page.click("[data-tab=moves]")
    page.wait_for_selector("#moves-board .quiet")
    for name, reach, takes, squares in (("Rider", "slide", "both", ("e4", "c4")), ("Leaper", "", "move", ("e5", "e6"))):
        page.fill("#new-piece", name)
        page.click("#add-piece")
        until(page, f"document.querySelector('#piece').value === {name!r}")
        sound(page)
        page.select_option("#reach", reach)
        page.select_option("#takes", takes)
        for square in squares:
            click(page, "moves-board", square)
        until(page, f"document.querySelectorAll('#moves-list li').length === {len(squares)}")
        page.click("#write-moves")
        until(page, "document.querySelector('#moves-board .marks.drawn .quiet') !== null")
        sound(page)
    page.click("[data-tab=setup]")
    page.wait_for_selector("#setup-board .place")
    for man, square in (("White Rider", "b3"), ("White Leaper", "c3"), ("Black Rider", "e5"), ("Black Leaper", "f5")):
        page.select_option("#men", label=man)
        click(page, "setup-board", square)
    page.click("#write")
    until(page, "document.querySelector('#setup-board .piece[data-place=f5]') !== null")
    sound(page)


def plays_offline(page: Any, exported: Path) -> None:
    page.context.set_offline(True)
    page.goto(exported.as_uri())
    page.locator("#board .can").first.wait_for()
    page.locator('#board .place[data-place="b3"]').click(force=True)
    page.locator('#board .place[data-place="c3"], #board .place[data-place="a3"]').first.wait_for(state="attached")
    assert page.locator("#board .piece").count() > 4
