"""Boards in a real browser: Chromium, driven by Playwright, against the real server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from serving import FLAGS, Board, Server, chromium, until

pytest.importorskip("starlette", reason="boards need the extra `board`")
playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("boards"))
    yield server
    said = server.end()
    assert "Traceback" not in said, said


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def a_page(browser: Any, server: Server, **settings: Any) -> Iterator[Any]:
    """A page of somebody who has never been here; what the browser complains about fails the test."""
    context = browser.new_context(**{"base_url": server.address, "reduced_motion": "reduce", **settings})
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    yield page
    context.close()
    assert not [c for c in complaints if "ERR_CONNECTION_REFUSED" not in c]


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    with a_page(browser, server) as page:
        yield page


# ---------------------------------------------------------------------------------------------------------------- games


def test_gallery(page: Any) -> None:
    """Games have pictures, are found by words, and open with a click."""
    page.goto("/")
    until(page, "document.querySelector('.card img')?.naturalWidth > 0")
    page.fill("#search", "nine men")
    assert page.locator(".card:visible").count() == 2
    page.click(".card:visible >> nth=0")
    page.wait_for_selector("#board svg[data-ply='0']")
    assert page.text_content("#title") == "Nine Men's Morris"


def test_a_whole_game_against_the_computer(page: Any) -> None:
    """Breakthrough: the foremost man goes on until somebody has won."""
    board = Board.open(page, "breakthrough", players="human,random")
    while not page.query_selector("#dot.over"):
        ply = board.ply
        starts = page.evaluate("""[...document.querySelectorAll('.piece.can')].map(p => p.dataset.place)""")
        board.click(max(starts, key=lambda place: place[1]))
        board.click_target()
        until(page, f"""document.querySelector('#board svg').dataset.ply >= {ply + 2}
                        || !!document.querySelector('#dot.over')""")
    assert "won" in board.status()


def test_a_long_hop_leg_by_leg(page: Any) -> None:
    """After each leg the piece is taken up by itself and what follows is lit; the turn is ended by a button."""
    board = Board.open(page, "halma", ["(White Man d5)", "(White Man f7)", "(White Man h9)", "(White Man j11)"])
    board.go("c4", "e6", "g8", "i10")
    assert board.targets() >= 1
    assert "White: go on" in board.status()
    page.click("#choices button")
    board.at(8)
    assert "Black to move" in board.status()
    assert board.moves()[4] == "partial 2 Man c4 - e6"


def test_drops_and_a_leg_that_must_go_on(page: Any) -> None:
    """Platonic Halma: men come from the store; who jumped into the margin may not stop there."""
    board = Board.open(page, "platonic-simple-2p")
    page.locator("#board .store.can[data-type=Square]").first.click(force=True)
    assert board.targets() > 4
    board.click("b1")
    board.at(1)
    assert board.piece("b1") == "0:Square"
    page.keyboard.press("Tab")
    page.evaluate("document.querySelector('#board .place[tabindex=\"0\"]').focus()")
    page.keyboard.press("s")
    assert "Triangle" in page.text_content("#live")
    board.click("c10")  # without choosing from the store first one is asked
    assert page.locator("#menu button").count() == 4
    page.click("#menu button:has-text('Diamond')")
    board.at(2)
    board = Board.open(page, "platonic-simple-2p", MARGIN)
    ply = board.ply
    board.go("h1", "j3")
    assert page.locator("#choices button").count() == 0
    assert board.targets() == 1
    board.click("h3")
    board.at(ply + 2)


MARGIN = """South Square b1; North Triangle f10; South Square d1; North Triangle e10; South Circle g1; North Circle d10;
South Diamond f1; North Circle b10; South Diamond h1; North Square i10; South Triangle c1; North Diamond c10;
South Triangle e1; North Diamond h10; South Circle i1; North Square g10; Diamond h1 - i2 @ i2 0 1;
Triangle e10 - d9 @ d9 0 1; Circle g1 - g2 @ g2 0 1; partial 1 Circle d10 - d8 @ d8 0 1; Square d1 - d2 @ d2 0 1;
Circle d8 - c9; Square b1 - b2 @ b2 0 1; Circle b10 - b9 @ b9 0 1; Square b2 - b3; Circle b9 - b8; Circle g2 - g3;
Circle c9 - c8; Circle g3 - h4; Circle b8 - b7; Circle h4 - h3; Circle c8 - b8; Circle h3 - i3;
Square g10 - g9 @ g9 0 1; Circle i1 - h1; Circle b7 - c7""".replace("\n", " ").split("; ")


def test_promotion_is_asked(page: Any) -> None:
    board = Board.open(page, "chess", ["(x a7)", "(x a8)", "(White Pawn a7)"])
    board.click("a7")
    board.click("a8")
    names = page.locator("#menu button").all_text_contents()
    assert sorted(names) == ["Bishop", "Knight", "Queen", "Rook"]
    page.keyboard.press("Escape")
    board.click("a7")
    board.click("a8")
    page.click("#menu button:has-text('Knight')")
    board.at(4)
    assert board.piece("a8") == "0:Knight"


def test_castling(page: Any) -> None:
    board = Board.open(page, "chess", ["(x f1)", "(x g1)"])
    board.go("e1", "g1")
    assert (board.piece("g1"), board.piece("f1"), board.piece("h1")) == ("0:King", "0:Rook", "")


def test_a_drop(page: Any) -> None:
    """Shogi: a pawn from the hand."""
    board = Board.open(page, "shogi", ["(x 5g)", "(Sente Pawn P-1)"])
    board.go("P-1", "5e")
    assert board.piece("5e") == "0:Pawn"


def test_dice_roll_by_themselves(page: Any) -> None:
    board = Board.open(page, "wuerfel-2p", ply=2)
    assert all(board.piece(die) for die in ("first-die", "second-die"))
    assert "to move" in board.status()


PEGS = """d2d4 b3d3 c1c3 e1c1 d3b3 a3c3 e3e1 g3e3 c4c2 c1c3 a4c4 c4c2 e4c4 g4e4 e4e2 e1e3 c5c3 c2c4 a5c5 d5b5 e6e4
g5e5 c7c5 c4c6 e7c7 c7c5 b5d5 d5f5 e3e5 f5d5 d6d4"""


def test_a_solitaire_to_its_solution(page: Any) -> None:
    board = Board.open(page, "peg-solitaire")
    for jump in PEGS.split():
        board.go(jump[:2], jump[2:])
    assert board.status().startswith("Solver won")


# ---------------------------------------------------------------------------------------------------------- time travel


def test_undo_and_redo(page: Any) -> None:
    """With buttons, keys and the list; what was taken back stays until another move is made."""
    board = Board.open(page, "chess")
    for move in ("e2 e4", "e7 e5", "g1 f3"):
        board.go(*move.split())
    page.click("#undo")
    board.at(2)
    page.keyboard.press("u")
    board.at(1)
    page.keyboard.press("End")
    board.at(3)
    page.click("#list button >> nth=0")
    board.at(1)
    assert len(board.moves()) == 3
    page.click("#redo")
    board.at(2)
    board.go("b1", "c3")
    assert board.moves()[2:] == ["Knight b1 - c3"]


def test_against_a_computer_one_takes_back_both(page: Any) -> None:
    board = Board.open(page, "breakthrough", players="human,greedy")
    board.click("a2")
    board.click("a3")
    board.at(2)
    page.click("#undo")
    board.at(0)
    page.wait_for_timeout(150)
    assert board.ply == 0


def test_save_and_load(page: Any, tmp_path: Path) -> None:
    board = Board.open(page, "chess")
    board.go("e2", "e4")
    with page.expect_download() as download:
        page.click("#save")
    path = tmp_path / "kept.zsg"
    download.value.save_as(path)
    assert "1. Pawn e2 - e4" in path.read_text("cp1252")
    page.click("#new")
    board.at(0)
    page.set_input_files("#file", path)
    board.at(1)
    assert board.piece("e4") == "0:Pawn"
    junk = tmp_path / "junk.zsg"
    junk.write_bytes(bytes(range(256)) * 4)
    page.set_input_files("#file", junk)
    page.wait_for_selector("#toast:visible")
    assert "is not a saved game" in page.text_content("#toast")
    assert board.ply == 1


def test_reload_in_mid_game(page: Any) -> None:
    board = Board.open(page, "halma", ["(White Man d5)", "(White Man f7)"])
    board.go("c4", "e6")
    page.reload()
    board.at(3)
    assert "go on" in board.status()
    board.click("g8")
    board.at(4)


def test_a_position_by_link(page: Any, browser: Any, server: Server) -> None:
    board = Board.open(page, "chess")
    board.go("e2", "e4")
    page.click("#share")
    page.wait_for_selector("#link[open]")
    link = page.input_value("#link-text")
    with a_page(browser, server) as other:
        other.goto(link)
        copy = Board(other)
        copy.at(1)
        copy.go("e7", "e5")
    assert board.ply == 1


# --------------------------------------------------------------------------------------------------------------- people


def test_two_browsers_in_one_game(page: Any, browser: Any, server: Server) -> None:
    """The owner plays White, whoever has the link Black; somebody without it only watches."""
    board = Board.open(page, "chess", players="human,link")
    page.click("button:has-text('Link for this seat')")
    link = page.input_value("#link-text")
    page.click("#link-close")
    with a_page(browser, server) as guest_page, a_page(browser, server) as watcher:
        guest_page.goto(link)
        guest = Board(guest_page)
        guest.at(0)
        assert "seat=" not in guest_page.url
        guest.click("e7")
        assert guest.targets() == 0
        board.go("e2", "e4")
        guest.at(1)
        guest.go("e7", "e5")
        board.at(2)
        watcher.goto(page.url)
        Board(watcher).at(2)
        assert watcher.locator("#board .can").count() == 0
        assert watcher.is_disabled("#undo")


def test_pieces_travel_and_what_is_taken_fades(browser: Any, server: Server) -> None:
    with a_page(browser, server, reduced_motion="no-preference") as page:
        board = Board.open(page, "chess", ["(Black Pawn d3)", "(x f1)", "(x g1)"])
        page.evaluate("""() => { window.seen = [];
            new MutationObserver(() => window.seen.push(document.getAnimations().length))
                .observe(document.getElementById("board"), { childList: true }); }""")
        board.go("e1", "g1")
        board.go("d3", "c2")
        assert page.evaluate("window.seen") == [2, 2]
        until(page, "document.getAnimations().length === 0")
        assert board.piece("c2") == "1:Pawn" and page.locator("#board .piece").count() == 30


def test_keyboard_and_screen_reader(page: Any) -> None:
    """Places have names, moves are told, arrow keys and Enter play."""
    board = Board.open(page, "chess")
    page.focus("#board .place[tabindex='0']")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "a8, Black Rook"
    for key in 6 * ["ArrowDown"] + 4 * ["ArrowRight"]:
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "e2, White Pawn, may be chosen"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    board.at(1)
    assert page.text_content("#live") == "White: Pawn e2 - e4. Black to move"
    assert page.evaluate("document.activeElement.dataset.place") == "e4"


def test_drag_and_a_phone(browser: Any, server: Server) -> None:
    with a_page(browser, server, viewport={"width": 390, "height": 800}) as page:
        board = Board.open(page, "chess")
        place = page.locator("#board .place[data-place=e2]").bounding_box()
        to = page.locator("#board .place[data-place=e4]").bounding_box()
        page.mouse.move(place["x"] + 9, place["y"] + 9)
        page.mouse.down()
        page.mouse.move(to["x"] + 5, to["y"] + 9, steps=4)
        assert board.targets() == 2
        page.mouse.up()
        board.at(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


# -------------------------------------------------------------------------------------------------------- author's desk

RULES = """(game (title "Little") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 48 48) (dimensions ("a/b/c" (48 0)) ("3/2/1" (0 48))) (directions (n 0 -1) (e 1 0)))
    (symmetry Black (n n)))
  (piece (name Man) (moves (n (verify empty?) add)%s))
  (board-setup (White (Man a1 b1)) (Black (Man c1))))
"""


def test_watching_a_rules_file(browser: Any, tmp_path: Path) -> None:
    """A mistake is shown over the old board; put right, the game goes on with the same moves and the new rules."""
    rules = tmp_path / "little.zrf"
    rules.write_text(RULES % "")
    server = Server(tmp_path / "state", str(rules), "--watch")
    try:
        with a_page(browser, server) as page:
            board = Board.open(page, "file/little.zrf")
            board.go("a1", "a2")
            rules.write_text(RULES % " (west (verify empty?) add)")
            page.wait_for_selector("#broken:visible")
            assert "west" in page.text_content("#broken pre")
            assert str(tmp_path) not in page.text_content("#broken pre")
            rules.write_text(RULES % " (n n (verify empty?) add)")
            page.wait_for_selector("#broken", state="hidden")
            assert board.moves() == ["Man a1 - a2"]
            board.go("c1", "c3")
            page.check("#desk input[value=links]")
            until(page, "document.querySelectorAll('[data-layer=overlays] *').length > 0")
    finally:
        server.end()


def test_a_restart_of_the_server(browser: Any, tmp_path: Path) -> None:
    """The page comes back by itself, with the game as it was."""
    server = Server(tmp_path)
    try:
        with a_page(browser, server) as page:
            board = Board.open(page, "chess")
            board.go("e2", "e4")
            server.end()
            page.wait_for_selector("#away:visible")
            server = Server(tmp_path, port=server.port)
            page.wait_for_selector("#away", state="hidden")
            board.go("e7", "e5")
    finally:
        server.end()


NAME = "<svg/onload=alert`4`>"
MARKUP = "<img/src=x/onerror=alert(1)>"


def test_names_are_text_and_never_markup(browser: Any, tmp_path: Path) -> None:
    """Titles, players, pieces, places and notes full of markup: it is shown, and nothing runs."""
    (tmp_path / "evil.zrf").write_text(f"""(game (title "{MARKUP}<script>alert(2)</script>")
      (description "{MARKUP}") (history "<script>alert(3)</script>") (strategy "</script>{MARKUP}")
      (players {NAME} B<script>) (turn-order {NAME} B<script>)
      (board (positions (a{NAME} 0 0 48 48) (b'><script> 48 0 96 48)) (links n (a{NAME} b'><script>)))
      (piece (name M{NAME}) (help "{MARKUP}") (moves (n (verify empty?) add)))
      (board-setup ({NAME} (M{NAME} a{NAME}))))""")
    server = Server(tmp_path / "state", str(tmp_path))
    try:
        with a_page(browser, server) as page:
            page.goto("/")
            page.wait_for_selector(".card")
            assert MARKUP in page.text_content(".card b")
            board = Board.open(page, "file/evil.zrf")
            assert MARKUP in page.text_content("#title")
            page.click(".piece", force=True)
            board.click_target()
            board.at(1)
            assert page.locator("[onerror], [onload], #board script, h1 script, aside script").count() == 0
    finally:
        server.end()
