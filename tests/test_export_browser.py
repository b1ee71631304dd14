"""Exported pages in a real browser, opened from the disk."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from serving import MARGIN, PATIENCE, PEGS, Board, chromium, until

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")
pytest.importorskip("playwright.sync_api", reason="the package playwright isn't installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    chromium() is None and os.environ.get("CI") != "true", reason="there is no Chromium on this machine")]

import zrf_py  # noqa: E402
from tests.exporting import bench, compare  # noqa: E402
from zrf_py.export import link_of  # noqa: E402
from zrf_py.export import page as exported  # noqa: E402
from zrf_py.export.contents import contents  # noqa: E402
from zrf_py.view.scene import scene  # noqa: E402
from zrf_py.view.svg import Style, svg  # noqa: E402

Open = Callable[..., Board]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the pages for the tests of this file, each made once."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def opened(browser: Any, folder: Path) -> Any:
    """`opened(game, line, seats)` opens the game's page in a browser of its own; errors and requests to the
    network fail the test."""
    contexts, complaints = [], []

    def begin(game: str | Path, line: Iterable[str] = (), seats: dict[str, str] | None = None,
              **settings: Any) -> Board:
        path = folder / f"{Path(game).stem}.html"
        if not path.exists():
            path.write_text(exported(game), "utf-8")
        context = browser.new_context(**{"reduced_motion": "reduce", "offline": True, **settings})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: complaints.append(asked.url) if asked.url.startswith("http") else None)
        moves = list(line)
        piece = f"#{link_of(zrf_py.load(game).title, moves, seats)}" if moves or seats else ""
        page.goto(path.as_uri() + piece)
        board = Board(page)
        until(page, f"Number(document.querySelector('#board svg')?.dataset.ply ?? -1) >= {len(moves)}")
        return board

    yield begin
    for context in contexts:
        context.close()
    assert not complaints


def at_once(board: Board) -> None:
    """Let computers and dice move without delay."""
    board.page.select_option("#pace select", "0")


def test_a_whole_game_is_played_against_the_computer(opened: Open) -> None:
    board = opened("breakthrough", seats={"Black": "ai:2"})
    at_once(board)
    page = board.page
    while not page.query_selector("#dot.over"):
        ply = board.ply
        starts = page.evaluate("[...document.querySelectorAll('.piece.can')].map(p => p.dataset.place)")
        board.click(max(starts, key=lambda place: place[1]))
        board.click_target()
        until(page, f"""document.querySelector('#board svg').dataset.ply >= {ply + 2}
                        || !!document.querySelector('#dot.over')""")
    assert "won" in board.status()
    assert page.is_visible("#ending")


def test_a_long_hop_is_played_leg_by_leg(opened: Open) -> None:
    board = opened("halma", ["(White Man d5)", "(White Man f7)", "(White Man h9)", "(White Man j11)"])
    board.go("c4", "e6", "g8", "i10")
    assert board.targets() >= 1
    assert "White: continue" in board.status()
    board.page.click("#choices button")
    board.at(8)
    assert "Black to move" in board.status()
    assert board.moves()[1] == "c4-e6-g8-i10"


def test_a_drop_and_a_turn_that_must_go_on_are_played(opened: Open) -> None:
    board = opened("platonic-simple-2p")
    board.page.locator(".held.can[data-type=Square]").first.click(force=True)
    assert board.targets() > 4
    board.click("b1")
    board.at(1)
    assert board.piece("b1") == "0:Square"
    board = opened("platonic-simple-2p", MARGIN)
    ply = board.ply
    board.go("h1", "j3")
    assert board.page.locator("#choices button").count() == 0
    assert board.targets() == 1
    board.click("h3")
    board.at(ply + 2)


def test_promotion_and_castling_are_played(opened: Open) -> None:
    board = opened("chess", ["(x a7)", "(x a8)", "(White Pawn a7)", "(x f1)", "(x g1)"])
    board.click("a7")
    board.click("a8")
    assert sorted(board.page.locator("#menu button").all_text_contents()) == ["Bishop", "Knight", "Queen", "Rook"]
    board.page.click("#menu button:has-text('Knight')")
    board.at(6)
    assert board.piece("a8") == "0:Knight"
    board.go("h7", "h6")
    board.go("e1", "g1")
    assert (board.piece("g1"), board.piece("f1"), board.piece("h1")) == ("0:King", "0:Rook", "")
    assert board.moves()[-1] == "O-O"


def test_a_piece_is_dropped_from_the_hand(opened: Open) -> None:
    board = opened("shogi", ["Pawn 7g - 7f", "Pawn 3c - 3d", "Bishop 8h x 2b = Horse", "Silver 3a x 2b"])
    board.page.locator(".held.can[data-type=Bishop]").first.click(force=True)
    board.click("5e")
    board.at(5)
    assert board.piece("5e") == "0:Bishop"


def test_dice_roll_by_themselves_before_a_man_moves(opened: Open) -> None:
    board = opened("wuerfel-2p")
    board.at(2)
    assert all(board.piece(die) for die in ("first-die", "second-die"))
    assert "to move" in board.status()
    board.page.locator(".piece.can").first.click(force=True)
    board.click_target()
    until(board.page, "document.querySelector('#board svg').dataset.ply > 2")
    assert len(board.moves()) >= 2


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["chess", "peg-solitaire", "shogi"])
def test_start_is_shown_before_the_engine_is_loaded(opened: Open, browser: Any, folder: Path, name: str,
                                                     width: int) -> None:
    """The board looks the same after loading, to the last pixel, and can then be played on."""
    size = {"width": width, "height": 820}
    board = opened(name, viewport=size)
    board.page.wait_for_selector(".can")
    after = board.page.locator("#board").screenshot()
    context = browser.new_context(viewport=size, reduced_motion="reduce", offline=True)
    page = context.new_page()
    page.add_init_script("window.Worker = class { postMessage() {} };")
    page.goto((folder / f"{name}.html").as_uri())
    page.wait_for_selector("#board svg")
    assert page.locator("#board .piece").count() == len(zrf_py.load(name).start().pieces())
    assert page.locator("#board").screenshot() == after
    context.close()


@pytest.mark.parametrize(("name", "plies"),
                         [("chess", 30), ("shogi", 40), ("checkers", 30), ("platonic-simple-2p", 20)])
def test_an_updated_drawing_equals_a_new_one(opened: Open, name: str, plies: int) -> None:
    """After each of many moves, the pieces on the board and the marks are the same, in the same order."""
    random, position = Random(4), zrf_py.load(name).start()
    board = opened(name)
    first = board.page.query_selector("#board svg")
    for ply in range(1, plies + 1):
        position = position.play(random.choice(position.moves()))
        board.page.evaluate("move => zrfAlone.worker.postMessage(move)",
                            {"type": "play", "ply": ply - 1, "move": position.move.text})
        board.at(ply)
        drawn = svg(scene(position, held=False), style=Style(every=True))
        assert board.page.evaluate(LOOKS, drawn), (ply, position.move.text)
    assert board.page.evaluate("first => first.isConnected", first)


LOOKS = """text => {
    const parts = ["class", "data-place", "data-index", "data-player", "data-type", "data-count", "transform"];
    const changing = '[data-layer="marks"] > *, [data-layer="pieces"] > *';
    const looks = (svg) => JSON.stringify([...svg.querySelectorAll(changing)]
        .map((node) => [...parts.map((name) => node.getAttribute(name)?.replace(/ ?can$/, "")), node.textContent]));
    const anew = new DOMParser().parseFromString(text, "image/svg+xml");
    return looks(document.querySelector("#board svg")) === looks(anew);
}"""


def test_a_solitaire_is_played_to_its_solution(opened: Open) -> None:
    board = opened("peg-solitaire")
    for jump in PEGS.split():
        board.go(jump[:2], jump[2:])
    assert board.status().startswith("Solver won")


def test_a_game_goes_to_another_browser_in_a_link(opened: Open, browser: Any) -> None:
    """One player moves and sends the address; the other opens it, answers and sends it back."""
    board = opened("chess")
    board.go("e2", "e4")
    board.page.click("#share")
    board.page.wait_for_selector("#link[open]")
    link = board.page.input_value("#link-text")
    until(board.page, "location.hash.length > 1")
    assert link == board.page.url
    context = browser.new_context()
    other = Board(context.new_page())
    other.page.goto(link)
    other.at(1)
    other.go("e7", "e5")
    until(other.page, f"location.href !== {link!r}")
    board.page.click("#link-close")
    board.page.goto(other.page.url)
    board.at(2)
    assert board.piece("e5") == "1:Pawn"
    board.page.reload()
    board.at(2)
    context.close()


def test_history_undo_hint_and_balance_work_in_a_page(opened: Open) -> None:
    board = opened("chess")
    for move in ("e2 e4", "e7 e5", "g1 f3"):
        board.go(*move.split())
    page = board.page
    page.keyboard.press("[")
    board.at(2)
    page.click("#list button >> nth=0")
    board.at(1)
    board.go("c7", "c5")
    page.click("#variations button:has-text('e5')")
    until(page, "document.querySelectorAll('#list button').length === 3")
    assert board.piece("e5") == "1:Pawn"
    page.click("#return")
    until(page, "document.querySelectorAll('#list button').length === 2")
    page.click("#undo")
    board.at(1)
    page.click("#hint")
    page.wait_for_selector("#toast:visible")
    assert "Hint: " in page.text_content("#toast")
    page.click("#evaluate")
    until(page, "/%/.test(document.querySelector('#worth span').textContent)")


def test_a_clock_runs_against_the_greedy_player(opened: Open) -> None:
    """The clock of the player to move runs from the first move on, and a new game begins with full clocks."""
    board = opened("breakthrough")
    page = board.page
    page.check("#start input[value='180 2']", force=True)
    page.click("#start button.main")
    page.wait_for_selector(".time")
    page.select_option(".seat[data-player=Black] select", "greedy")
    at_once(board)
    board.click("a2")
    board.click("a3")
    board.at(2)
    until(page, "document.querySelector('.seat[data-player=White] .time.on') !== null")
    page.click("#resign")
    page.click("#sure-yes")
    page.wait_for_selector("#ending:visible")
    page.click("#ending button.main")
    board.at(0)
    assert page.locator(".time").all_text_contents() == ["3:00", "3:00"]


def test_expired_clock_ends_the_game(opened: Open) -> None:
    board = opened("tictactoe")
    board.page.evaluate("document.querySelector('#start input[name=time]:not(:checked)').value = '1 0'")
    board.page.check("#start input[value='1 0']", force=True)
    board.page.click("#start button.main")
    board.page.wait_for_selector(".time")
    board.click("b2")
    board.page.wait_for_selector("#ending:visible")
    assert board.status() == "X won: O is out of time"


def test_best_lines_and_game_review(opened: Open) -> None:
    board = opened("tictactoe")
    for place in ("b2", "a1", "c2", "c3", "a2"):
        ply = board.ply
        board.click(place)
        board.at(ply + 1)
    page = board.page
    page.click("#first")
    board.at(0)
    page.click("#analysis summary")
    page.click("#lines")
    until(page, "document.querySelectorAll('#best button').length === 3")
    page.click("#review")
    until(page, "!document.getElementById('graph').hidden")
    page.click("#lines")
    board.at(0)


def test_a_position_is_set_up_and_played(opened: Open) -> None:
    board = opened("chess")
    page = board.page
    page.click("#analysis summary")
    page.click("#edit")
    page.click("#edit-empty")
    for man, place in (("White King", "e1"), ("Black King", "e8"), ("White Pawn", "a7")):
        page.click(f"#palette button[title='{man}']")
        board.click(place)
        page.wait_for_selector(f'#board .piece[data-place="{place}"]', state="attached")
    until(page, "!document.getElementById('edit-play').disabled")
    page.click("#edit-play")
    until(page, """document.getElementById("editor").hidden
                   && Number(document.querySelector("#board svg").dataset.ply) > 20""")
    board.click("a7")
    board.click("a8")
    page.click("#menu button:has-text('Queen')")
    until(page, """document.querySelector('#board .piece[data-place="a8"]')?.dataset.type === 'Queen'""")
    until(page, "[...document.querySelectorAll('#list li')].map((row) => row.textContent).join() ==="
                " 'Position set up,1.a8=Q+'")
    page.click("#undo")
    until(page, "document.querySelectorAll('#list .undone').length === 1")
    assert board.piece("a7") and page.is_disabled("#undo") and page.is_disabled("#back")
    page.reload()
    until(page, "document.querySelector('#list')?.textContent === 'Position set up'")
    assert board.piece("a7")


def test_a_game_is_saved_and_loaded(opened: Open, tmp_path: Path) -> None:
    board = opened("chess")
    board.go("e2", "e4")
    path = board.save(tmp_path)
    assert "1. Pawn e2 - e4" in path.read_text("cp1252")
    board.page.click("#undo")
    board.at(0)
    board.page.set_input_files("#file", path)
    board.at(1)
    assert board.piece("e4") == "0:Pawn"
    board.refuses_junk(tmp_path)
    assert board.ply == 1


@pytest.mark.parametrize("piece", ["x", "AAAA", "%00<script>", "q" * 70_000])
def test_a_damaged_link_is_reported_and_the_game_starts(opened: Open, piece: str) -> None:
    board = opened("tictactoe")
    board.page.evaluate("piece => { location.hash = piece; }", piece)
    board.page.wait_for_selector("#note:visible")
    assert "damaged" in board.page.text_content("#note")
    board.click("b2")
    board.at(1)


def test_links_of_other_games_or_with_illegal_moves_are_reported(opened: Open) -> None:
    board = opened("tictactoe")
    go = "piece => { location.hash = piece; }"
    board.page.evaluate(go, link_of("Chess", ["Pawn e2 - e4"], {}))
    until(board.page, "document.getElementById('note').textContent.includes('another game')")
    board.page.evaluate(go, link_of("Tic-Tac-Toe", ["X Mark b2", "X Mark b2"], {"X": "ai:99", "nobody": "human"}))
    until(board.page, "document.getElementById('note').textContent.includes('move 2')")
    assert board.ply == 1


def test_variants_are_chosen_on_the_german_page(opened: Open) -> None:
    board = opened("checkers", locale="de-DE")
    assert board.page.get_attribute("html", "lang") == "de"
    assert "ist am Zug" in board.status()
    titles = board.page.locator("#variant option").all_text_contents()
    for title in titles[1:3]:
        board.page.select_option("#variant", title)
        until(board.page, f"document.title === {title!r}")
        board.at(0)
    board.page.locator("#board .place.can").first.click(force=True)
    until(board.page, "document.querySelector('.lit .go') !== null")
    board.click_target()
    board.at(1)
    board.page.click("#new")
    assert board.page.text_content("#sure-words") == (
        "Eine neue Partie beginnen? Speichere sie vorher, wenn du sie behalten willst.")
    assert board.page.text_content("#sure-yes") == "Neue Partie"


def test_errors_of_a_page_are_in_german(opened: Open) -> None:
    board = opened("tictactoe", locale="de-DE")
    board.page.evaluate("piece => { location.hash = piece; }", link_of("Tic-Tac-Toe", ["X Mark b2", "X Mark b2"], {}))
    until(board.page, "document.getElementById('note').textContent.includes('nicht erlaubt: Zug 2, `X Mark b2`')")
    assert "kein erlaubter Zug" in board.page.text_content("#note")


def test_an_address_that_changes_while_the_page_opens_is_followed(opened: Open) -> None:
    board = opened("tictactoe")
    address, link = board.page.url, link_of("Tic-Tac-Toe", ["X Mark b2"], {})
    for pause in range(8):
        board.page.goto("about:blank")
        board.page.goto(address)
        board.page.wait_for_timeout(4 * pause)
        board.page.evaluate("piece => { location.hash = piece; }", link)
        board.at(1)


def test_captured_pieces_are_shown_beside_their_captor(opened: Open) -> None:
    board = opened("chess", ["Pawn e2 - e4", "Pawn d7 - d5", "Pawn e4 x d5"])
    taken = board.page.locator(".seat .taken")
    assert taken.count() == 1 and "Black Pawn" in taken.text_content()
    assert board.page.locator("#below .seat").locator(".taken svg").count() == 1
    board.page.keyboard.press("[")
    until(board.page, "!document.querySelector('.seat .taken')")


NAME = "<svg/onload=alert`4`>"
MARKUP = "<img/src=x/onerror=alert(1)>"


def test_names_are_text_and_never_markup(opened: Open, folder: Path) -> None:
    """Titles, players, pieces, places and notes are full of markup: it is shown as text, and no script runs."""
    rules = folder / "evil.zrf"
    rules.write_text(f"""(game (title "{MARKUP}<script>alert(2)</script>")
      (description "{MARKUP}") (history "<script>alert(3)</script>") (strategy "</script>{MARKUP}")
      (players {NAME} B<script>) (turn-order {NAME} B<script>)
      (board (positions (a{NAME} 0 0 48 48) (b'><script> 48 0 96 48)) (links n (a{NAME} b'><script>)))
      (piece (name M{NAME}) (help "{MARKUP}") (moves (n (verify empty?) add)))
      (board-setup ({NAME} (M{NAME} a{NAME}))))""")
    board = opened(rules)
    page = board.page
    assert MARKUP in page.text_content("#title")
    page.click(".piece", force=True)
    board.click_target()
    board.at(1)
    until(page, "location.hash.length > 1")
    page.reload()
    board.at(1)
    assert page.locator("[onerror], [onload], #board script, h1 script, aside script").count() == 0


def test_bitmaps_of_the_rules_are_in_the_page(opened: Open, folder: Path) -> None:
    Image = pytest.importorskip("PIL.Image")
    Image.new("RGB", (96, 48), (200, 180, 140)).save(folder / "board.bmp")
    Image.new("RGB", (40, 40), (10, 90, 200)).save(folder / "man.bmp")
    rules = folder / "pictures.zrf"
    rules.write_text("""(game (title "Pictures") (players A B) (turn-order A B)
      (board (image "board.bmp") (positions (p 0 0 48 48) (q 48 0 96 48)) (links e (p q)))
      (piece (name Man) (image A "man.bmp" B "man.bmp") (moves (e (verify empty?) add)))
      (board-setup (A (Man p))))""")
    board = opened(rules)
    images = board.page.evaluate("[...document.querySelectorAll('#board image')].map(i => i.getAttribute('href'))")
    assert len(images) >= 2 and all(image.startswith("data:image/png;base64,") for image in images)


def test_an_ignored_engine_dll_is_reported(opened: Open, folder: Path) -> None:
    rules = folder / "foreign.zrf"
    rules.write_text("""(game (title "Foreign") (engine "clever.dll") (players A B) (turn-order A B)
      (board (positions (p 0 0 48 48) (q 48 0 96 48)) (links e (p q)))
      (piece (name Man) (moves (e (verify empty?) add)))
      (board-setup (A (Man p))))""")
    board = opened(rules)
    assert "clever.dll" in board.page.text_content("#note")


@pytest.mark.share(3)
@pytest.mark.parametrize("name", ["tictactoe", "chess", "shogi", "halma", "othello", "checkers", "connect-four",
                                  "wuerfel-2p", "peg-solitaire", "stern-4p"])
def test_the_engine_in_the_browser_agrees_with_python(browser: Any, name: str) -> None:
    """This compares perft, random games from the same seed, and searches of 1,000 positions, in Chromium."""
    game = zrf_py.load(name)
    payload, tables = contents([game])
    data = base64.b64encode(payload.packed(tables)).decode()
    context = browser.new_context()
    page = context.new_page()
    script = bench('import { unpack } from "./unpack.js";\nexport const begun = true;\n'
                   "globalThis.zrfPage = unpack(Uint8Array.from(atob(globalThis.zrfData), (c) => c.charCodeAt(0)));\n")
    page.evaluate("data => { globalThis.zrfData = data; }", data)
    page.add_script_tag(content=script)
    until(page, "!!globalThis.zrfAsk")

    def ask(*question: Any) -> Any:
        answer = page.evaluate("question => zrfAsk(question)", list(question))
        assert "error" not in answer, answer["error"]
        return answer["ok"]

    ask("open", 0)
    compare(ask, game)
    context.close()
