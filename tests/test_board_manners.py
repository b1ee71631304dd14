"""Interaction with a board: choices made on it, turning it, the end of a game, its language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from serving import Board, Server, a_page, chromium, until

pytest.importorskip("starlette", reason="boards need the extra `board`")
pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")]


def height(page: Any, place: str) -> float:
    """Return the distance of a place from the top of the page."""
    return float(page.locator(f'#board .place[data-place="{place}"]').bounding_box()["y"])


def test_man_captured_by_a_mill_is_chosen_by_a_click(page: Any) -> None:
    board = Board.open(page, "nine-mens-morris", ["White Man a1", "Black Man b2", "White Man a4", "Black Man b4"])
    board.click("a7")
    assert "choose a move" in board.status() and board.targets() == 2
    assert page.locator("#menu").is_hidden()
    board.click("b4")
    board.at(5)
    assert board.piece("b4") == "" and board.piece("b2") != ""
    assert board.moves()[4] == "a7 xb4"


def test_a_promotion_of_shogi_is_chosen_by_its_picture(page: Any) -> None:
    board = Board.open(page, "shogi", ["Pawn 7g - 7f", "Pawn 3c - 3d"])
    board.click("8h")
    board.click("2b")
    page.wait_for_selector("#menu:visible")
    assert sorted(page.locator("#menu button").all_text_contents()) == ["Bishop", "Horse"]
    assert page.locator("#menu button svg").count() == 2
    page.click("#menu button:has-text('Horse')")
    board.at(3)
    assert board.piece("2b").endswith(":Horse") and board.moves()[2] == "Bx2b+"


def test_piece_menus_omit_the_owner(page: Any) -> None:
    """Each player has piece types of its own, such as the South-Circle, which the menu calls Circle."""
    board = Board.open(page, "platonic-adv-2p")
    board.click("b1")
    page.wait_for_selector("#menu:visible")
    assert page.locator("#menu button").all_text_contents() == ["Triangle", "Square", "Diamond", "Circle"]


def test_promotion_to_a_type_that_is_not_on_the_board(page: Any) -> None:
    board = Board.open(page, "chess", [*(f"(x {place})" for place in ("a7", "a8", "d1")), "(White Pawn a7)"])
    board.click("a7")
    board.click("a8")
    page.wait_for_selector("#menu:visible")
    assert page.locator("#menu button svg").count() == 4


def test_the_result_is_shown_in_words_with_the_pieces_involved(page: Any) -> None:
    board = Board.open(page, "tictactoe", ["X Mark a1", "O Mark b1", "X Mark a2", "O Mark b2"])
    board.click("a3")
    page.wait_for_selector("#ending:visible")
    assert page.text_content("#ending strong") == "X won: three in a row"
    assert page.locator("#board .lit .won").count() == 3
    page.click("#ending button:has-text('View the game')")
    page.wait_for_selector("#ending", state="hidden")


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_result_never_covers_the_board_and_stays_closed(page: Any, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    board = Board.open(page, "tictactoe", ["X Mark a1", "O Mark b1", "X Mark a2", "O Mark b2", "X Mark a3"])
    page.wait_for_selector("#ending:visible")
    assert page.evaluate("""() => {
        const [a, b] = ["ending", "board"].map((id) => document.getElementById(id).getBoundingClientRect());
        return a.left >= b.right || a.top >= b.bottom || a.bottom <= b.top;
    }""")
    assert "X won" in board.status()
    page.keyboard.press("Escape")
    page.wait_for_selector("#ending", state="hidden")
    page.reload()
    board.at(5)
    assert page.is_hidden("#ending")


def test_back_and_forward_change_no_checkbox(page: Any) -> None:
    """Browsers restore checkboxes by their order, but scripts create these boxes in a different order each time."""
    page.goto("/")
    page.click("#games a.card[href='/new?game=chess']")
    page.wait_for_selector("#start input[type=checkbox]")
    page.wait_for_selector("#board .place")
    first = page.evaluate("[...document.querySelectorAll('#desk input')].map((box) => box.checked)")
    page.go_back()
    page.wait_for_selector("#games a.card")
    page.go_forward()
    page.wait_for_selector("#board .place")
    page.wait_for_selector("#start input[type=checkbox]")
    assert page.evaluate("[...document.querySelectorAll('#desk input')].map((box) => box.checked)") == first
    help_boxes = page.locator("#start .checks input")
    assert not any(first) and help_boxes.evaluate_all("all => all.every((box) => box.checked)")


@pytest.mark.parametrize("game", ["wuerfel-2p", "chess"])
def test_players_are_chosen_before_the_first_move_that_is_a_choice(page: Any, game: str) -> None:
    """A roll of the dice doesn't start the game: the panel stays until somebody chooses a move."""
    board = Board.open(page, game)
    page.wait_for_selector("#board .piece.can")
    assert page.is_visible("#start fieldset") and page.is_disabled("#back")
    board.click(page.locator("#board .piece.can").first.get_attribute("data-place"))
    board.click_target()
    page.wait_for_selector("#start", state="hidden")


def test_the_page_is_in_german(browser: Any, server: Server) -> None:
    with a_page(browser, server, locale="de-DE") as page:
        board = Board.open(page, "tictactoe", ["X Mark a1", "O Mark b1", "X Mark a2", "O Mark b2"])
        assert "ist am Zug" in board.status() and page.text_content("#moves h2") == "Züge"
        board.click("a3")
        until(page, "document.querySelector('#ending strong')?.textContent === 'X gewinnt: drei in einer Reihe'")
        page.goto("/")
        until(page, "document.querySelector('#recent .words')?.textContent.includes('X gewinnt: drei in einer Reihe')")


def test_german_titles_are_shown_and_searched(browser: Any, server: Server) -> None:
    with a_page(browser, server, locale="de-DE") as page:
        page.goto("/")
        until(page, "document.querySelector('#count').textContent")
        page.fill("#search", "schach")
        assert page.locator(".card:visible b").all_text_contents() == ["Schach"]
        page.fill("#search", "sternhalma zu dritt variante 1")
        assert "Sternhalma zu dritt, Variante 1" in page.locator(".card:visible b").all_text_contents()
        page.fill("#search", "chess")  # titles in the rules files are found, too
        page.click(".card:visible:has-text('Schach')")
        page.wait_for_selector("#board svg .place")
        until(page, "document.querySelector('#title').textContent === 'Schach'")


def test_names_and_numbers_within_sentences_are_german_too(browser: Any, server: Server) -> None:
    with a_page(browser, server, "400 (Bad Request)", locale="de-DE") as page:
        board = Board.open(page, "chess", players="human,greedy")
        board.click("e2")
        board.click("e4")
        board.at(2)
        until(page, "document.querySelector('#status').textContent === 'Weiß ist am Zug'")
        assert page.get_attribute("#list button", "title") == "Weiß"
        page.click("#resign")
        page.click("#sure-yes")
        until(page, "document.querySelector('#ending strong')?.textContent === 'Schwarz gewinnt: Weiß gibt auf'")
        told = page.evaluate("""async () => (await import("/static/words.js")).told(
            "A move of the record is illegal under these rules: move 7, `Man: a2 - a3`: "
            + "passing isn't allowed here")""")
        assert told == ("Ein Zug der Aufzeichnung ist nach diesen Regeln nicht erlaubt: Zug 7, `Man: a2 - a3`: "
                        "Passen ist hier nicht erlaubt")
        page.goto("/new#damaged")
        until(page, "document.body.textContent.includes('dieser Link ist beschädigt, oder sein Text ist zu lang')")


def test_a_king_in_check_is_marked_and_announced(page: Any) -> None:
    board = Board.open(page, "chess", ["Pawn e2 - e4", "Pawn f7 - f6", "Queen d1 - h5"])
    assert "in check" in board.status()
    assert page.locator("#board .lit .check").count() == 1
    assert board.moves()[2] == "Qh5+"


def test_the_board_turns(page: Any) -> None:
    board = Board.open(page, "chess")
    assert height(page, "a1") > height(page, "a8")
    page.click("#turn")
    assert height(page, "a1") < height(page, "a8")
    board.click("e2")
    assert board.targets() == 2
    board.click("e4")
    board.at(1)
    assert height(page, "a1") < height(page, "a8")


def test_hands_stay_at_their_owners_sides_when_the_board_turns(page: Any) -> None:
    line = ["Pawn 7g - 7f", "Pawn 3c - 3d", "Bishop 8h x 2b = Horse", "Silver 3a x 2b"]
    Board.open(page, "shogi", line)

    def box(player: int) -> Any:
        return page.locator(f'.held[data-player="{player}"]').bounding_box()

    def upright(node: str) -> bool:
        """Return whether a piece is shown as it is drawn, not turned half way round."""
        return bool(page.evaluate(f"document.querySelector('{node}').getScreenCTM().a > 0"))

    for turned in (False, True):
        own, other = (box(player) for player in ((1, 0) if turned else (0, 1)))
        assert own["y"] > height(page, "5a") and own["y"] > height(page, "5i")
        assert other["y"] < height(page, "5a") and other["y"] < height(page, "5i")
        assert upright("#board .piece use") is not turned
        assert page.locator(".held[data-player='0'] use").get_attribute("href") == "#piece-0-3"
        page.click("#turn")


def test_captured_pieces_stand_beside_their_captor(page: Any) -> None:
    line = ["Pawn e2 - e4", "Pawn d7 - d5", "Pawn e4 x d5", "Queen d8 x d5", "Knight b1 - c3", "Queen d5 x d2"]
    board = Board.open(page, "chess", line)
    taken = page.locator(".seat .taken")
    assert [box.get_attribute("title") for box in taken.all()] == ["Captured: 2 White Pawn", "Captured: 1 Black Pawn"]
    assert taken.nth(1).locator("svg").count() == 1
    board.go("d1", "d2")
    assert taken.nth(1).get_attribute("title") == "Captured: 1 Black Queen, 1 Black Pawn"
    page.click("#first")
    board.at(0)
    assert taken.count() == 0


def test_pieces_in_hand_are_shown_only_there(page: Any) -> None:
    Board.open(page, "shogi", ["Pawn 7g - 7f", "Pawn 3c - 3d", "Bishop 8h x 2b = Horse"])
    assert page.locator(".seat .taken").count() == 0


def test_each_browser_chooses_symbols_or_letters(page: Any) -> None:
    """The choice is stored; games without such symbols offer none."""
    letters = "document.querySelector('#board .piece use').getAttribute('href')"
    drawn = f"document.querySelector({letters}).innerHTML"
    board = Board.open(page, "shogi")
    signs = page.evaluate(drawn)
    page.click("#options")
    page.check("#letters")
    until(page, f"{drawn} !== {signs!r}")
    page.click("#settings-close")
    board.go("7g", "7f")
    assert page.evaluate(drawn) != signs
    Board.open(page, "xiangqi")
    page.click("#options")
    assert page.is_checked("#letters")
    page.uncheck("#letters")
    Board.open(page, "shogi")
    assert page.evaluate(drawn) == signs
    Board.open(page, "chess")
    page.click("#options")
    assert page.locator("#theme").is_visible() and page.locator("#letters").is_hidden()


def test_the_user_playing_black_has_black_below(page: Any) -> None:
    Board.open(page, "chess", players="greedy,human", ply=1)
    assert height(page, "a1") < height(page, "a8")


def test_a_dragged_piece_stays_where_it_is_dropped(browser: Any, server: Server) -> None:
    with a_page(browser, server, reduced_motion="no-preference") as page:
        board = Board.open(page, "chess")
        page.evaluate("""() => {
            window.seen = [];
            new MutationObserver(() => {
                for (const a of document.getAnimations()) window.seen.push(a.effect.getKeyframes()[0].transform);
            }).observe(document.querySelector("#board"), { childList: true, subtree: true });
        }""")
        start = page.locator("#board .place[data-place=e2]").bounding_box()
        end = page.locator("#board .place[data-place=e4]").bounding_box()
        page.mouse.move(start["x"] + 20, start["y"] + 20)
        page.mouse.down()
        page.mouse.move(end["x"] + 20, end["y"] + 20, steps=4)
        page.mouse.up()
        board.at(1)
        page.wait_for_timeout(60)
        assert not [t for t in page.evaluate("window.seen") if t and "translate" in t]


def test_arrows_are_drawn_with_the_right_mouse_button(page: Any) -> None:
    Board.open(page, "chess")
    start = page.locator("#board .place[data-place=e2]").bounding_box()
    end = page.locator("#board .place[data-place=e4]").bounding_box()
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down(button="right")
    page.mouse.move(end["x"] + 20, end["y"] + 20)
    page.mouse.up(button="right")
    assert page.locator("#board .drawn path.arrow").count() == 1
    page.mouse.click(end["x"] + 20, end["y"] + 20)
    assert page.locator("#board .drawn path.arrow").count() == 0


def test_squares_of_chess_are_large_enough_for_a_thumb(browser: Any, server: Server) -> None:
    with a_page(browser, server, viewport={"width": 390, "height": 844}) as page:
        Board.open(page, "chess")
        assert page.locator("#board .place[data-place=e2]").bounding_box()["width"] >= 44
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_all_tools_are_in_one_row_on_a_phone(browser: Any, server: Server) -> None:
    with a_page(browser, server, viewport={"width": 390, "height": 844}) as page:
        board = Board.open(page, "shogi", players="human,random")
        board.click("7g")
        board.click("7f")
        board.at(2)
        tools = page.locator(".tool:visible")
        tops = tools.evaluate_all("all => all.map((tool) => tool.getBoundingClientRect().top)")
        assert len(tops) == 7 and len(set(tops)) == 1
        assert tools.evaluate_all("all => all.every((tool) => tool.textContent.trim())")
        assert tools.evaluate_all("all => Math.min(...all.map((tool) => tool.getBoundingClientRect().height))") >= 40


def test_a_chain_is_played_by_a_click_on_its_last_place(page: Any) -> None:
    line = ["(White Man d5)", "(White Man f7)", "(White Man h9)", "(White Man j11)"]
    board = Board.open(page, "halma", line)
    board.click("c4")
    until(page, "document.querySelectorAll('.lit .far').length > 1")
    board.click("i10")
    board.at(7)
    assert board.moves()[1] == "c4-e6-g8-i10"
    assert board.piece("i10") != "" and board.piece("c4") == ""


def test_a_chain_can_be_played_leg_by_leg(page: Any) -> None:
    board = Board.open(page, "halma", ["(White Man d5)", "(White Man f7)"])
    board.go("c4", "e6")
    assert board.moves()[1] == "c4-e6" and "White: continue" in board.status()


def test_no_player_passes_automatically_if_the_rules_are_in_an_engine(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "engine.zrf").write_text(
        '(game (title "Far") (engine "far.dll") (players A B) (turn-order A B) (pass-turn true)'
        ' (board (grid (start-rectangle 0 0 48 48) (dimensions ("a/b" (48 0)) ("1/2" (0 48)))))'
        " (piece (name Man)) (board-setup (A (Man a1)) (B (Man b2))))")
    (tmp_path / "still.zrf").write_text((tmp_path / "engine.zrf").read_text().replace("true", "false"))
    server = Server(tmp_path / "state", str(tmp_path))
    try:
        with a_page(browser, server) as page:
            page.goto("/new?game=file/engine.zrf")
            page.wait_for_selector("#board svg")
            assert "far.dll" in page.text_content("#note") and page.locator("#choices button").count() == 0
            page.wait_for_timeout(1200)
            assert Board(page).ply == 0
            page.goto("/new?game=file/still.zrf")
            page.wait_for_selector("#board svg")
            assert "far.dll" in page.text_content("#note") and page.text_content("#status") == "View only"
            assert page.is_hidden("#ending")
    finally:
        server.end()


def test_visible_bitmaps_are_requested_first(browser: Any, tmp_path: Path) -> None:
    server = Server(tmp_path, str(Path(__file__).parent / "pictures"))
    try:
        with a_page(browser, server) as page:
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url.removeprefix(server.address)))
            page.goto("/new?game=file/bitmaps.zrf")
            page.wait_for_selector("#board svg image", state="attached")
            board = page.evaluate("[...document.querySelectorAll('#board image')].find((i) => !i.closest('symbol'))"
                                  ".getAttribute('href')")
            bitmaps = [address for address in asked if address.startswith("/bitmap/")]
            assert bitmaps[0] == board and len(set(bitmaps)) == 3
    finally:
        server.end()
