"""The board first: how large it is, what stands around it, and users' preferences, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from serving import Board, Server, a_page, chromium, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine"),
]

SIZES = {"desk": (1440, 900), "laptop": (1280, 720), "phone": (390, 844), "across": (844, 390)}
BOARD = """(() => {
    const all = [...document.querySelectorAll('#board .place')].map((place) => place.getBoundingClientRect());
    const ends = (side, end) => end(...all.map((box) => box[side]));
    return [ends('right', Math.max) - ends('left', Math.min), ends('bottom', Math.max) - ends('top', Math.min)];
})()"""
"""Width and height of all places together."""
CUT = """(() => {
    const box = (node) => node.getBoundingClientRect();
    const board = box(document.querySelector('#board'));
    const around = [...document.querySelectorAll('.top, .seat, .right, #ribbon')].filter((node) => node.offsetParent);
    const over = around.filter((node) => {
        const b = box(node);
        const isBeside = b.left >= board.right - 1 || b.right <= board.left + 1;
        return !isBeside && b.top < board.bottom - 1 && b.bottom > board.top + 1;
    });
    const wide = [...document.querySelectorAll('.seat, .tool, .top > *, .right > *')].filter((node) => {
        const b = box(node);
        return node.offsetParent && !node.matches('.sr') && (b.right > innerWidth + 1 || b.left < -1);
    });
    return [...over, ...wide].map((node) => node.id || node.className);
})()"""
"""Elements that lie over the board, or do not fit on the screen."""


@pytest.mark.parametrize(("size", "least"), [("desk", 760), ("laptop", 600), ("phone", 380), ("across", 360)])
def test_chess_board_fills_the_room(page: Any, size: str, least: int) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    Board.open(page, "chess")
    wide, high = page.evaluate(BOARD)
    assert wide >= least and high >= least and wide <= width and high <= height


@pytest.mark.share(3)
@pytest.mark.parametrize("game", ["chess", "shogi", "nine-mens-morris", "five-in-a-row", "stern-3p", "super-star-3p",
                                  "halma-4p", "wuerfel-2p", "peg-solitaire"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_covers_the_board_or_is_cut_off(page: Any, size: str, game: str) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    Board.open(page, game, ply=2 if game.startswith("wuerfel") else None)
    until(page, "document.querySelectorAll('.seat').length > 0")
    assert page.evaluate(CUT) == []
    wide, high = page.evaluate(BOARD)
    assert wide <= width and high <= height
    assert max(wide / width, high / height) > .68
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


INSIDE = """(() => {
    const squares = [...document.querySelectorAll('#board .place')].map((node) => node.getBoundingClientRect());
    return [...document.querySelectorAll('#board .labels tspan')].map((node) => {
        const b = node.getBoundingClientRect();
        const [x, y] = [b.left + b.width / 2, b.top + b.height / 2];
        const at = squares.findIndex((s) => s.left <= x && x <= s.right && s.top <= y && y <= s.bottom);
        return [node.textContent, document.querySelectorAll('#board .place')[at]?.dataset.place ?? ''];
    });
})()"""
"""The text of each coordinate, and the place in whose square it stands."""


def test_coordinates_are_inside_the_squares_by_default(page: Any) -> None:
    Board.open(page, "chess")
    own = [*([name, f"{name}1"] for name in "abcdefgh"), *([name, f"a{name}"] for name in "12345678")]
    assert sorted(page.evaluate(INSIDE)) == sorted(own)
    page.click("#turn")
    other = [*([name, f"{name}8"] for name in "abcdefgh"), *([name, f"h{name}"] for name in "12345678")]
    assert sorted(page.evaluate(INSIDE)) == sorted(other)
    page.click("#turn")
    page.click("#options")
    page.check("#settings input[value=outside]", force=True)
    assert {place for _, place in page.evaluate(INSIDE)} == {""}
    page.check("#settings input[name=coordinates][value=none]", force=True)
    assert page.evaluate(INSIDE) == []
    page.reload()
    Board(page).at(0)
    assert page.evaluate(INSIDE) == []


def test_coordinates_stand_beside_a_shogi_board(page: Any) -> None:
    Board.open(page, "shogi")
    assert {place for _, place in page.evaluate(INSIDE)} == {""}


def test_settings_and_kinds_of_players_are_complete_on_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for language in ("en", "de"):
        Board.open(page, "chess")
        page.goto(f"{page.url}?lang={language}")
        page.select_option(".seat[data-player=Black] select", "ai:1")
        page.wait_for_function("document.querySelector('.seat[data-player=Black] select').clientWidth > 170")
        page.click("#options")
        boxes = [page.locator(f"#{name}").bounding_box() for name in ("theme", "full", "settings-close")]
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
        page.click("#settings-close")


def test_players_stand_at_their_sides(page: Any) -> None:
    Board.open(page, "chess")
    top = "document.querySelector('.seat[data-player={}]').getBoundingClientRect().top"
    assert page.evaluate(f"{top.format('Black')} < {top.format('White')}")
    page.click("#turn")
    assert page.evaluate(f"{top.format('White')} < {top.format('Black')}")
    Board.open(page, "stern-3p")
    assert page.locator("#beside .seat").count() == 3 and page.locator(".left .seat").count() == 0
    assert page.locator("#beside .seat.on").get_attribute("data-player") == "South"


def test_the_end_is_a_panel_beside_the_board_which_keeps_its_size(page: Any) -> None:
    """On a phone, where the panel is below the screen, a ribbon at the board shows the result, too."""
    board = Board.open(page, "tictactoe", ["X Mark a1", "O Mark b1", "X Mark a2", "O Mark b2"])
    before = page.locator("#board svg").bounding_box()
    board.click("a3")
    page.wait_for_selector("#ending:visible")
    assert page.locator("#board svg").bounding_box() == before and page.is_hidden("#ribbon")
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_selector("#ribbon:visible")
    assert page.text_content("#ribbon") == "X won: three in a row" and page.evaluate(CUT) == []
    score = page.locator(".seat > :last-child").first.bounding_box()
    assert score["x"] + score["width"] <= 390 - 8
    page.set_viewport_size(size)
    assert page.locator(".seat.won").get_attribute("data-player") == "X"
    page.click("#ending button:has-text('Review')")
    until(page, "document.querySelectorAll('#graph polygon').length > 0")
    page.click("#ending [aria-label=Close]")
    page.wait_for_selector("#ending", state="hidden")
    page.click("#back")
    page.wait_for_selector("#board svg[data-ply='4']")
    assert page.is_hidden("#ending")


def test_an_empty_move_list_has_no_border(page: Any) -> None:
    board = Board.open(page, "chess")
    assert page.is_hidden("#moves")
    board.go("e2", "e4")
    assert page.is_visible("#moves") and page.is_visible("#first")


def test_the_start_is_chosen_and_played_by_keyboard(page: Any) -> None:
    """The user plays Black against a beginner, with a clock: nothing happens before Play; then White moves."""
    board = Board.open(page, "chess")
    page.focus("#start input[name=side]:checked")
    page.keyboard.press("ArrowRight")
    page.focus("#start input[name=rival]:checked")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.focus("#start input[name=time]:checked")
    page.keyboard.press("ArrowRight")
    chosen = "[...document.querySelectorAll('#start input[type=radio]:checked')].map((input) => input.value)"
    assert page.evaluate(chosen) == ["Black", "ai:1", "180 2"] and board.ply == 0
    assert page.input_value(".seat[data-player=White] select") == "human"
    page.focus("#start .main")
    page.keyboard.press("Enter")
    page.wait_for_selector("#start", state="hidden")
    board.at(1)
    assert page.input_value(".seat[data-player=White] select") == "ai:1"
    assert page.locator("#below .seat").get_attribute("data-player") == "Black"
    until(page, "document.querySelector('.seat[data-player=Black] .time.on') !== null")


def test_choices_apply_without_pressing_play(page: Any) -> None:
    """They apply to the next game, too."""
    board = Board.open(page, "chess")
    page.check("#start input[value='ai:1']", force=True)
    board.click("e2")
    board.click("e4")
    board.at(2)
    assert page.input_value(".seat[data-player=Black] select") == "ai:1"
    page.click("#new")
    page.click("#sure-yes")
    page.wait_for_selector("#start:visible")
    assert page.input_value("#start input[name=rival]:checked") == "ai:1"


def test_link_is_offered_as_soon_as_another_person_is_to_play(page: Any) -> None:
    Board.open(page, "chess")
    page.check("#start input[value=link]", force=True)
    page.click("#start .main")
    page.wait_for_selector("#link[open]")
    assert "seat=" in page.input_value("#link-text")


def test_boards_have_colours_to_choose_from(page: Any) -> None:
    fill = "getComputedStyle(document.querySelector('#board [fill=\"#d9c8a8\"]')).fill"
    Board.open(page, "chess")
    wood = page.evaluate(fill)
    page.click("#options")
    seen = {wood}
    for name in ("green", "blue", "grey", "rose", "night"):
        page.check(f"#settings input[value={name}]", force=True)
        seen.add(page.evaluate(fill))
    assert len(seen) == 6
    page.reload()
    Board(page).at(0)
    assert page.evaluate(fill) != wood


def test_moves_are_confirmed_on_request(page: Any) -> None:
    board = Board.open(page, "chess")
    page.click("#options")
    page.check("#confirm")
    page.click("#settings-close")
    board.click("e2")
    board.click("e4")
    page.wait_for_selector("#choices button:has-text('Confirm e4')")
    assert board.ply == 0 and page.locator("#board .ahead").count() == 2
    page.click("#choices button:has-text('Cancel')")
    assert page.locator("#choices button").count() == 0 and page.locator("#board .ahead").count() == 0
    board.click("d2")
    board.click("d4")
    page.click("#choices button:has-text('Confirm d4')")
    board.at(1)
    assert board.moves() == ["d4"]


def test_focus_mode_shows_only_the_board_and_its_controls(page: Any) -> None:
    board = Board.open(page, "chess")
    board.go("e2", "e4")
    page.click("#options")
    page.check("#zen")
    page.click("#settings-close")
    assert page.is_hidden("#moves") and page.is_hidden("#notes") and page.is_visible("#status")
    page.click("#options")
    page.uncheck("#zen")
    assert page.is_visible("#moves")


def test_pieces_are_not_animated_on_request(browser: Any, server: Server) -> None:
    with a_page(browser, server, reduced_motion="no-preference") as page:
        board = Board.open(page, "chess")
        page.evaluate("""() => {
            window.seen = 0;
            const board = document.querySelector("#board");
            new MutationObserver(() => { window.seen += board.getAnimations({ subtree: true }).length; })
                .observe(board, { childList: true, subtree: true });
        }""")
        board.go("e2", "e4")
        assert page.evaluate("window.seen") > 0
        page.click("#options")
        page.check("#settings input[name=motion][value='0']", force=True)
        page.click("#settings-close")
        until(page, "document.getAnimations().length === 0")
        page.evaluate("window.seen = 0")
        board.go("e7", "e5")
        assert page.evaluate("window.seen") == 0


@pytest.mark.parametrize(("game", "kind"), [("tictactoe", "two"), ("stern-3p", "")])
def test_chances_are_a_bar_beside_the_board_for_two_and_below_it_for_more(page: Any, game: str, kind: str) -> None:
    Board.open(page, game)
    page.click("#evaluate")
    page.wait_for_selector("#scale")
    box = page.locator("#scale").bounding_box()
    assert (box["width"] < box["height"]) == (kind == "two") and min(box["width"], box["height"]) > 4
