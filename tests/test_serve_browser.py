"""Boards in a real browser: Chromium, driven by Playwright, against the real server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from serving import MARGIN, PEGS, Board, Server, a_page, chromium, until

pytest.importorskip("starlette", reason="boards need the extra `board`")
pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    chromium() is None and os.environ.get("CI") != "true", reason="there is no Chromium on this machine")]


# ---------------------------------------------------------------------------------------------------------------- games


def test_the_gallery_shows_finds_and_opens_games(page: Any) -> None:
    """Games have pictures, are found by words, and open with a click."""
    page.goto("/")
    until(page, "document.querySelector('.card img')?.naturalWidth > 0")
    page.fill("#search", "nine men")
    assert page.locator(".card:visible").count() == 2
    page.click(".card:visible >> nth=0")
    page.wait_for_selector("#board svg[data-ply='0']")
    assert page.text_content("#title") == "Nine Men's Morris"


def test_a_whole_game_is_played_against_the_computer(page: Any) -> None:
    """Breakthrough: the foremost man advances until somebody has won."""
    board = Board.open(page, "breakthrough", players="human,random")
    while not page.query_selector("#dot.over"):
        ply = board.ply
        starts = page.evaluate("""[...document.querySelectorAll('.piece.can')].map(p => p.dataset.place)""")
        board.click(max(starts, key=lambda place: place[1]))
        board.click_target()
        until(page, f"""document.querySelector('#board svg').dataset.ply >= {ply + 2}
                        || !!document.querySelector('#dot.over')""")
    assert "won" in board.status()


def test_a_long_hop_is_played_leg_by_leg(page: Any) -> None:
    """After each leg the piece is selected automatically and its destinations are highlighted; a button ends the
    turn."""
    board = Board.open(page, "halma", ["(White Man d5)", "(White Man f7)", "(White Man h9)", "(White Man j11)"])
    board.go("c4", "e6", "g8", "i10")
    assert board.targets() >= 1
    assert "White: continue" in board.status()
    page.click("#choices button")
    board.at(8)
    assert "Black to move" in board.status()
    assert board.moves()[1] == "c4-e6-g8-i10"


def test_a_drop_and_a_turn_that_must_go_on_are_played(page: Any) -> None:
    """In Platonic Halma men come from the store; a man that jumped into the margin may not stop there."""
    board = Board.open(page, "platonic-simple-2p")
    page.locator(".held.can[data-type=Square]").first.click(force=True)
    assert board.targets() > 4
    board.click("b1")
    board.at(1)
    assert board.piece("b1") == "0:Square"
    page.keyboard.press("Tab")
    page.evaluate("document.querySelector('#board .place[tabindex=\"0\"]').focus()")
    page.keyboard.press("s")
    assert page.evaluate("document.activeElement.dataset.type") == "Triangle"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.place") and board.targets() > 4
    page.keyboard.press("Escape")
    board.click("c10")  # if no piece of the store is chosen first, a menu asks which one
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


def test_promotion_asks_for_the_piece(page: Any) -> None:
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


def test_castling_moves_the_rook(page: Any) -> None:
    board = Board.open(page, "chess", ["(x f1)", "(x g1)"])
    board.go("e1", "g1")
    assert (board.piece("g1"), board.piece("f1"), board.piece("h1")) == ("0:King", "0:Rook", "")


def test_a_click_that_does_nothing_is_explained(page: Any) -> None:
    """The status line says why, until the next click; other clicks that choose no piece need no explanation."""
    board = Board.open(page, "chess")
    for place, words in (("e1", "The piece on e1 can't move now."), ("b1", "White to move"), ("b5", "b5 is not a legal "
                         "destination."), ("b5", "White to move"), ("b1", "White to move"), ("b1", "White to move")):
        board.click(place)
        assert board.status() == words


def test_a_captured_piece_is_dropped(page: Any) -> None:
    """In shogi, a captured bishop is dropped from the hand."""
    board = Board.open(page, "shogi", ["Pawn 7g - 7f", "Pawn 3c - 3d", "Bishop 8h x 2b = Horse", "Silver 3a x 2b"])
    page.locator(".held.can[data-type=Bishop]").first.click(force=True)
    board.click("5e")
    board.at(5)
    assert board.piece("5e") == "0:Bishop"


def test_dice_roll_automatically(page: Any) -> None:
    board = Board.open(page, "wuerfel-2p", ply=2)
    assert all(board.piece(die) for die in ("first-die", "second-die"))
    assert "to move" in board.status()


def test_a_solitaire_is_played_to_its_solution(page: Any) -> None:
    board = Board.open(page, "peg-solitaire")
    for jump in PEGS.split():
        board.go(jump[:2], jump[2:])
    assert board.status().startswith("Solver won")
    until(page, """(() => {
        const [row, list] = ["#list .now", "#list"].map((one) => document.querySelector(one).getBoundingClientRect());
        return document.querySelector("#list").scrollHeight > list.height && row.top > list.top - 1
            && row.bottom < list.bottom + 1;
    })()""")


# ---------------------------------------------------------------------------------------------------------- time travel


def test_looking_back_and_trying_another_move_keeps_the_first(page: Any) -> None:
    """Buttons, keys and the list are used; the old moves become a variation that can be resumed."""
    board = Board.open(page, "chess")
    for move in ("e2 e4", "e7 e5", "g1 f3"):
        board.go(*move.split())
    page.click("#back")
    board.at(2)
    page.keyboard.press("[")
    board.at(1)
    page.keyboard.press("End")
    board.at(3)
    page.click("#list button >> nth=0")
    board.at(1)
    assert len(board.moves()) == 3 and "Earlier position" in board.status()
    board.go("c7", "c5")
    assert len(board.moves()) == 2
    page.click("#variations button:has-text('e5')")
    until(page, "document.querySelectorAll('#list button').length === 3")
    assert board.piece("e5") == "1:Pawn"
    page.click("#return")
    until(page, "document.querySelectorAll('#list button').length === 2")
    assert board.piece("c5") == "1:Pawn"


def test_quick_clicks_back_and_forward_all_count(page: Any) -> None:
    """The later clicks come before the reply to the first."""
    board = Board.open(page, "chess", ["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3"])
    page.evaluate("for (const times of [1, 2]) document.querySelector('#back').click()")
    board.at(1)
    page.evaluate("for (const times of [1, 2, 3, 4]) document.querySelector('#forward').click()")
    board.at(3)


def test_a_new_game_asks_first_and_keeps_the_old_one(page: Any) -> None:
    board = Board.open(page, "chess")
    board.go("e2", "e4")
    old = page.url
    page.click("#new")
    page.click("#sure-no")
    assert board.ply == 1
    page.click("#new")
    page.click("#sure-yes")
    page.wait_for_url(lambda url: "/t/" in url and url != old)
    board.at(0)
    page.goto("/")
    card = page.locator(f"#recent a[href='{old[old.index('/t/'):]}']")
    card.wait_for()
    assert "Black to move, 1 move played" in card.text_content() and "White: Human" in card.text_content()
    until(page, "document.querySelector('#recent img').naturalWidth > 0")


def test_taking_back_against_a_computer_undoes_both_moves(page: Any) -> None:
    board = Board.open(page, "breakthrough", players="human,greedy")
    board.click("a2")
    board.click("a3")
    board.at(2)
    page.click("#undo")
    board.at(0)
    page.wait_for_timeout(150)
    assert board.ply == 0


def test_a_game_is_saved_and_loaded(page: Any, tmp_path: Path) -> None:
    board = Board.open(page, "chess")
    board.go("e2", "e4")
    path = board.save(tmp_path)
    assert "1. Pawn e2 - e4" in path.read_text("cp1252")
    old = page.url
    page.click("#undo")
    board.at(0)
    page.set_input_files("#file", path)
    page.wait_for_url(lambda url: url != old)
    board.at(1)
    assert board.piece("e4") == "0:Pawn"
    board.refuses_junk(tmp_path)
    assert board.ply == 1


def test_a_reload_keeps_the_game(page: Any) -> None:
    board = Board.open(page, "halma", ["(White Man d5)", "(White Man f7)"])
    board.go("c4", "e6")
    page.reload()
    board.at(3)
    assert "continue" in board.status()
    board.click("g8")
    board.at(4)


def test_a_link_opens_a_position(page: Any, browser: Any, server: Server) -> None:
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


def test_two_browsers_play_one_game(page: Any, browser: Any, server: Server) -> None:
    """The owner plays White, the person with the link Black; a visitor without the link only watches."""
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
        assert watcher.is_disabled("#undo") and watcher.locator("#hint:visible").count() == 0
        guest_page.click("#back")
        guest.at(1)
        guest_page.click("#undo")
        page.click("#asked button:has-text('Decline')")
        guest_page.wait_for_selector("#toast:visible")
        assert "declined" in guest_page.text_content("#toast") and board.ply == 2
        guest_page.click("#return")
        guest.at(2)
        guest_page.click("#undo")
        page.click("#asked button:has-text('Accept')")
        board.at(1)
        guest.at(1)
        assert "(not your seat)" in board.status() and not page.locator(".seat .absent").count()
        guest_page.goto("about:blank")
        until(page, "document.querySelector('.seat[data-player=Black] .absent')?.textContent === 'away'")
        assert "(away)" in board.status()
        guest_page.go_back()
        until(page, "!document.querySelector('.seat .absent')")
        assert "(not your seat)" in board.status()


def test_pieces_travel_and_captures_fade(browser: Any, server: Server) -> None:
    with a_page(browser, server, reduced_motion="no-preference") as page:
        board = Board.open(page, "chess", ["(Black Pawn d3)", "(x f1)", "(x g1)"])
        page.evaluate("""() => { window.seen = [];
            let ply = document.querySelector("#board svg").dataset.ply;
            new MutationObserver(() => {
                const now = document.querySelector("#board svg").dataset.ply;
                if (now !== ply) window.seen.push(document.getAnimations().length);
                ply = now;
            }).observe(document.getElementById("board"), { subtree: true, attributeFilter: ["data-ply"] }); }""")
        board.go("e1", "g1")
        board.go("d3", "c2")
        assert page.evaluate("window.seen") == [2, 2]
        until(page, "document.getAnimations().length === 0")
        assert board.piece("c2") == "1:Pawn" and page.locator("#board .piece").count() == 30


def test_moves_are_played_by_keys_and_announced(page: Any) -> None:
    """Places have names, moves are announced, arrow keys and Enter play."""
    board = Board.open(page, "chess")
    page.focus("#board .place[tabindex='0']")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "a8, Black Rook"
    for key in 6 * ["ArrowDown"] + 4 * ["ArrowRight"]:
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "e2, White Pawn, can be selected"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    board.at(1)
    assert page.text_content("#live") == "White: e4. Black to move"
    assert page.evaluate("document.activeElement.dataset.place") == "e4"


def test_pieces_are_dragged_on_a_phone(browser: Any, server: Server) -> None:
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


def test_a_watched_rules_file_is_reloaded(browser: Any, tmp_path: Path) -> None:
    """A mistake is shown while the old board stays; once it is fixed, the game goes on with the same moves and the new
    rules."""
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
            assert board.moves() == ["a1-a2"]
            board.go("c1", "c3")
            page.check("#desk input[value=links]")
            until(page, "document.querySelectorAll('[data-layer=overlays] *').length > 0")
    finally:
        server.end()


def test_a_page_reconnects_after_a_restart_of_the_server(browser: Any, tmp_path: Path) -> None:
    """The game is as it was; a move made while the server was down is removed from the board."""
    server = Server(tmp_path)
    try:
        with a_page(browser, server) as page:
            board = Board.open(page, "chess")
            board.go("e2", "e4")
            server.end()
            page.wait_for_selector("#away:visible")
            for place in ("e7", "e6"):
                board.click(place)
            assert not page.locator("#board .dragged, #board .piece[opacity]").count()
            server = Server(tmp_path, port=server.port)
            page.wait_for_selector("#away", state="hidden")
            board.go("e7", "e5")
    finally:
        server.end()


def test_a_removed_board_is_explained(page: Any) -> None:
    """The reason stands below the title, not where the missing board would be."""
    page.goto("/t/AAAAAAAAAAAAAAAA")
    page.wait_for_selector(".gone main > div > p")
    title, reason = (page.locator(name).bounding_box() for name in ("header.top", ".gone main > div > p"))
    assert title["x"] == reason["x"] and title["y"] + title["height"] <= reason["y"]


NAME = "<svg/onload=alert`4`>"
MARKUP = "<img/src=x/onerror=alert(1)>"


def test_names_are_text_and_never_markup(browser: Any, tmp_path: Path) -> None:
    """Titles, players, pieces, places and notes are full of markup: it is shown as text, and no script runs."""
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


def test_a_search_updates_the_counts_beside_headings(page: Any) -> None:
    page.goto("/")
    page.wait_for_selector(".card")
    page.fill("#search", "6 players")
    assert page.locator(".card:visible").count() == 1
    page.fill("#search", "Würfel")
    assert page.locator(".card:visible").count() == int(page.text_content("#games section:visible small")) > 3


def test_a_broken_file_is_marked_and_opens_once_it_is_fixed(browser: Any, tmp_path: Path) -> None:
    """The card of the file shows the message; a page that can't open the file does so once it is fixed."""
    (tmp_path / "fine.zrf").write_text(RULES % "")
    rules = tmp_path / "broken.zrf"
    rules.write_text(RULES % " (west (verify empty?) add)")
    server = Server(tmp_path / "state", str(tmp_path), "--watch")
    try:
        with a_page(browser, server, "(Not Found)") as page:
            page.goto("/")
            page.wait_for_selector(".fault")
            assert "west" in page.text_content(".fault")
            assert page.locator(".fault").count() == 1
        with a_page(browser, server, "(Bad Request)") as page:
            page.goto("/new?game=file/broken.zrf")
            page.wait_for_selector("#problem:visible")
            assert "west" in page.text_content("#problem pre")
            page.click(".home", trial=True)
            rules.write_text(RULES % "")
            page.wait_for_url("**/t/*")
    finally:
        server.end()


def test_a_removed_board_shows_a_message(page: Any) -> None:
    page.goto("/t/nothinghere123")
    page.wait_for_selector("main > div > p[role=status]")
    assert page.locator("button:visible").count() <= 1 and page.text_content("h1") == "No board"
