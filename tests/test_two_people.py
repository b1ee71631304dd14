"""Two people in two browsers: invitations, presence, draws, rematches, clocks, moves made ahead, slow lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from serving import Board, Server, a_page, chromium, until

from tests.exporting import in_node

pytest.importorskip("starlette", reason="boards need the extra `board`")
BROWSER = pytest.mark.skipif(chromium() is None and os.environ.get("CI") != "true",
                             reason="there is no Chromium on this machine")
LATE = """() => {
    const Socket = globalThis.WebSocket;
    globalThis.WebSocket = class extends Socket {
        send(text) { setTimeout(() => super.send(text), 150); }
        addEventListener(kind, run) {
            super.addEventListener(kind, kind === "message" ? (event) => setTimeout(() => run(event), 150) : run);
        }
    };
    globalThis.WebSocket.OPEN = Socket.OPEN;
}"""
"""Script that delays every message of a socket by 150 ms in each direction."""


@contextmanager
def pair(
    browser: Any, server: Server, game: str = "tictactoe", late: bool = False, **wish: Any,
) -> Iterator[tuple[Any, Any]]:
    """Yield the pages of the player who opened a board and of the one who followed the link."""
    made = server.make(game=game, seats=["human", "link"], **wish)
    boards = json.dumps([{"id": made["id"], "token": made["token"]}])
    with a_page(browser, server) as first, a_page(browser, server) as second:
        first.add_init_script(f"if (!localStorage['zrf-boards']) localStorage['zrf-boards'] = {json.dumps(boards)}")
        if late:
            first.add_init_script(f"({LATE})()")
        first.goto(f"/t/{made['id']}")
        until(first, "document.querySelector('.seat .link')")
        first.click(".seat .link")
        until(first, "document.querySelector('#link .qr')")
        assert "Waiting for" in first.text_content("#company")
        second.goto(first.input_value("#link-text").replace("localhost", "127.0.0.1"))
        until(first, "!document.querySelector('#link').open && document.querySelectorAll('.present').length === 2")
        yield first, second


@pytest.mark.slow
@BROWSER
def test_names_presence_and_turn_are_shown(browser: Any, server: Server) -> None:
    with pair(browser, server) as (first, second):
        second.fill("#company input", "Eva")
        second.press("#company input", "Enter")
        until(first, "document.querySelector('.nickname')?.textContent === 'Eva'")
        assert not second.locator("#company input").count()
        assert first.title().startswith("● Your turn") and not second.title().startswith("●")
        Board(first).click("a1")
        Board(second).at(1)
        until(second, "document.title.startsWith('● Your turn')")
        until(first, "!document.title.startsWith('●')")
        second.select_option("#company select", "1")
        until(first, "document.querySelector('#toast').textContent === 'Eva: Good move!'")
        address = second.url
        second.goto("about:blank")
        until(first, "document.querySelector('.absent')")
        until(first, "document.querySelector('#toast').textContent === 'Eva has left.'")
        with a_page(browser, server) as nobody:
            nobody.goto(address)
            until(first, "document.querySelector('.watching')?.textContent === '1 person is watching'")
        second.goto(address)
        until(first, "!document.querySelector('.absent') && !document.querySelector('.watching')")
        until(first, "document.querySelector('.nickname')?.textContent === 'Eva'")  # the name returns with its player


@pytest.mark.slow
@BROWSER
def test_a_name_is_typed_while_others_come_and_go(browser: Any, server: Server) -> None:
    """The typed text stays; a name that the server changes is not sent again and again."""
    with pair(browser, server) as (first, second), a_page(browser, server) as nobody:
        sent: list[str] = []
        second.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(text)))
        second.reload()
        second.click("#company input")
        second.keyboard.type("Eva ")
        nobody.goto(first.url)
        until(second, "document.querySelector('.watching')")
        second.keyboard.type(" \u202eN.")
        nobody.goto("about:blank")
        until(second, "!document.querySelector('.watching')")
        second.keyboard.press("Enter")
        until(first, "document.querySelector('.nickname')?.textContent === 'Eva \ufffdN.'")
        Board(first).click("a1")
        Board(second).at(1)
        assert [json.loads(text)["type"] for text in sent].count("speak") <= 2


@pytest.mark.slow
@BROWSER
def test_a_draw_and_a_rematch_with_other_colours_are_agreed(browser: Any, server: Server) -> None:
    with pair(browser, server) as (first, second):
        assert first.locator("#company button:has-text('Abort')").count()
        for page, place, ply in ((first, "a1", 1), (second, "b2", 2)):
            Board(page).at(ply - 1)
            Board(page).click(place)
            Board(page).at(ply)
        first.click("#company button:has-text('Offer a draw')")
        until(second, "document.querySelector('#asked').textContent.startsWith('X offers a draw.')")
        second.click("#asked button:has-text('Decline')")
        until(first, "document.querySelector('#toast').textContent === 'Draw declined'")
        second.click("#company button:has-text('Offer a draw')")
        until(first, "document.querySelector('#asked button')?.textContent === 'Accept'")
        first.click("#asked button:has-text('Accept')")
        for page in (first, second):
            until(page, "document.querySelector('#ending strong')?.textContent === 'Draw: by agreement'")
        old = first.url
        first.click("#ending button:has-text('Rematch')")
        until(second, "document.querySelector('#asked button')?.textContent === 'Accept'")
        assert first.url == old
        second.click("#asked button:has-text('Accept')")
        for page in (first, second):
            page.wait_for_url(lambda url: url != old)
            Board(page).at(0)
        until(second, "document.title.startsWith('● Your turn')")
        Board(second).click("c3")
        Board(first).at(1)


@pytest.mark.slow
@BROWSER
def test_a_player_loses_on_time(browser: Any, server: Server) -> None:
    """Tenths of seconds are shown near the end, the short time is marked, and the player without time loses."""
    with pair(browser, server, clock=[3, 0]) as (first, second):
        Board(first).click("a1")
        for page in (first, second):
            until(page, "/^0:0[0-3][.][0-9]$/.test(document.querySelector('.seat[data-player=O] .time').textContent)")
            until(page, "document.querySelector('#ending strong')?.textContent === 'X won: O is out of time'")
        assert second.locator(".seat[data-player=O] .time.low").count()


@pytest.mark.slow
@BROWSER
def test_a_premove_is_played_or_dropped(browser: Any, server: Server) -> None:
    """It waits while the opponent thinks, and is played at once if it is legal; otherwise it is dropped."""
    with pair(browser, server, "chess") as (first, second):
        for places in (("e7", "e5"), ("g8", "h6")):
            for place in places:
                Board(second).click(place)
        until(second, "document.querySelectorAll('#board .ahead').length === 2")
        assert Board(second).ply == 0
        for place in ("e2", "e4"):
            Board(first).click(place)
        Board(first).at(2)  # the premove is played so soon that the board before it may never be seen
        assert Board(first).piece("h6") == "1:Knight"
        for place in ("h6", "f5"):
            Board(second).click(place)
        until(second, "document.querySelectorAll('#board .ahead').length === 2")
        for place in ("d1", "h5"):
            Board(first).click(place)
        Board(first).at(4)
        for place in ("f5", "h4"):
            Board(second).click(place)
        Board(first).go("h5", "f5")  # takes the knight
        Board(second).at(5)
        until(second, "!document.querySelector('#board .ahead')")
        assert Board(second).ply == 5


@pytest.mark.slow
@BROWSER
def test_a_move_is_seen_before_the_server_has_answered(browser: Any, server: Server) -> None:
    """The round trip takes 300 ms; a move that the server refuses is taken back."""
    with pair(browser, server, "chess", late=True) as (first, second):
        Board(first).click("e2")
        seen = first.evaluate("""async () => {
            const place = document.querySelector('#board .place[data-place="e4"]').getBoundingClientRect();
            const at = { clientX: place.x + place.width / 2, clientY: place.y + place.height / 2, bubbles: true };
            const began = performance.now();
            const target = document.elementFromPoint(at.clientX, at.clientY);
            for (const kind of ["pointerdown", "pointerup"]) {
                target.dispatchEvent(new PointerEvent(kind, { ...at, button: 0, isPrimary: true }));
            }
            target.dispatchEvent(new MouseEvent("click", at));
            const flying = document.querySelector("#board .dragged");
            const old = document.querySelector('#board .piece[data-place="e2"]')?.getAttribute("opacity");
            return { flying: Boolean(flying), ply: document.querySelector("#board svg").dataset.ply, old,
                     took: performance.now() - began };
        }""")
        assert seen["flying"] and seen["ply"] == "0" and seen["old"] == "0", seen
        print(f"seen after {seen['took']:.1f} ms, on a line of 300 ms")
        Board(first).at(1)
        assert Board(first).piece("e4") == "0:Pawn" and not first.locator("#board .dragged").count()
        Board(second).at(1)
        Board(second).go("e7", "e5")
        Board(first).at(2)
        refused = """() => {
            const late = WebSocket.prototype;
            const { send } = Object.getPrototypeOf(late);
            late.send = function (text) { return send.call(this, text.replace("Pawn d2 - d4", "Pawn d2 - d7")); };
        }"""
        first.evaluate(refused)
        Board(first).click("d2")
        Board(first).click("d4")
        first.wait_for_selector("#toast:visible")
        until(first, "!document.querySelector('#board .dragged') && !document.querySelector('#board .piece[opacity]')")
        assert Board(first).piece("d2") == "0:Pawn" and Board(first).ply == 2


@pytest.mark.slow
@BROWSER
def test_an_open_game_is_listed_in_the_gallery(browser: Any, server: Server, page: Any) -> None:
    with pair(browser, server) as (first, _):
        page.goto("/")
        until(page, "document.querySelector('#count').textContent")
        assert page.locator("#playing:visible").count() == 0
        first.click(".seat .link")
        first.check("#listed")
        first.keyboard.press("Escape")
        until(first, """fetch('/api/playing').then((reply) => reply.json())
            .then(({ boards }) => { globalThis.listed = boards.length; }) && globalThis.listed === 1""")
        page.reload()
        page.click("#playing .card")
        page.wait_for_selector("#board svg[data-ply='0']")
        until(first, "document.querySelector('.watching')")


def test_qr_codes_are_read_by_a_library() -> None:
    """The texts are a seat's link, a short link, the longest possible text, and a longer one, which has no code."""
    cv2 = pytest.importorskip("cv2", reason="reading QR codes needs OpenCV")
    import numpy

    texts = ["http://192.168.178.23:8000/t/AbCdEfGhIjKlMnOp#seat=ZyXwVuTsRqPoNmLk", "http://a", "é" * 53, "x" * 107]
    script = f'import {{ modulesOf }} from "./qr.js";\nfor (const text of {json.dumps(texts)}) show(modulesOf(text));'
    grids = in_node(script, "globalThis.matchMedia = () => ({}); globalThis.document = {};\n")
    assert grids.pop() is None
    for text, grid in zip(texts, grids, strict=False):
        image = numpy.kron(1 - numpy.pad(numpy.array(grid), 4), numpy.ones((8, 8))) * 255
        assert cv2.QRCodeDetector().detectAndDecode(image.astype(numpy.uint8))[0] == text
