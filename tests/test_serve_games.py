"""Lists and searches of the gallery, and the rules of saved games."""

from __future__ import annotations

import json
import re
import shutil
import time
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from seats import seated, serving
from starlette.testclient import TestClient

from tests.playing import HANG, counted, random_game
from zrf_py import load
from zrf_py.play.gallery import Games
from zrf_py.play.labels import folded, players_text, read_label
from zrf_py.play.zsg import read_game
from zrf_py.view.describe import describe_game

RULES = """(game (title "{title}") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 48 48) (dimensions ("a/b/c" (48 0)) ("3/2/1" (0 48))) (directions (n 0 -1))))
  (piece (name Man) (moves (n (verify empty?) add)))
  (board-setup (White (Man {at})) (Black (Man c1))))
"""
ENDLESS = """(game (title "Endless") (players W B) (turn-order W B)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10))) (directions (n 0 -1)))
         (links r (a1 b1) (b1 a1)))
  (piece (name M) (moves ({}n (verify empty?) add)))
  (board-setup (W (M a1 b1)) (B (M c1))))
"""


def test_a_card_opens_the_position_that_it_names(site: TestClient) -> None:
    """Files that include a game and add variants are represented by their first variant, in title, picture and
    board."""
    games = {g["id"]: g for g in site.get("/api/games").json()["games"] if g["group"] == "Positions"}
    assert len(games) >= 7
    for id, game in games.items():
        with seated(site, game=id) as board:
            assert board.state["info"]["title"] == game["title"]
        base = site.get(f"/picture/{id.removesuffix('-positions')}").text
        assert site.get(f"/picture/{id}").text != base
    assert "International" in games["international-draughts-positions"]["about"]


@pytest.mark.parametrize("title", ["halma", "booklet/halma"])
def test_saved_game_opens_with_its_own_rules(site: TestClient, title: str) -> None:
    """Two files are called halma.zrf: the saved games of each open with its own rules."""
    games = {g.id: g for g in Games().all()}
    wanted = next(g for g in games.values() if g.path.with_suffix("").as_posix().endswith(f"rules/{title}"))
    with seated(site, game=wanted.id) as board:
        board.play(board.legs()[0], *(["Pass"] if board.state["inTurn"] else []))
        plies, name = board.state["ply"], board.state["info"]["title"]
        saved = site.get(f"/t/{board.id}/game.zsg").text
    with seated(site, zsg=saved) as again:
        assert (again.state["ply"], again.state["info"]["title"], again.state["note"]) == (plies, name, "")
        assert site.get(f"/t/{again.id}/game.zsg").text == saved
    assert read_game(saved).rules_file == f"{title.replace('/', chr(92))}.zrf"


def test_saved_game_opens_with_its_computers(site: TestClient) -> None:
    """As in the terminal, their level is that in the header, else 5; the board saves the game with the same header."""
    text = "Zillions Save Game File Version 0.02 HC\r\nRulesFile=chess.zrf\r\nVariantName=Chess\r\n"
    for header, seat in (("", "ai:5"), ('; [Players "human,ai:3"]\r\n', "ai:3")):
        with seated(site, zsg=text + header) as board:
            assert board.state["seats"] == {"White": "human", "Black": seat}
            assert site.get(f"/t/{board.id}/game.zsg").text == text + header
    with seated(site, zsg=text, seats=["ai:1", "human"]) as board:
        assert board.state["seats"]["Black"] == "human"


def test_saved_game_with_only_a_name_opens_with_the_rules_that_fit(tmp_path: Path) -> None:
    """There are two files with the same name and title; the moves decide."""
    for folder, at in (("one", "a1"), ("two", "b1")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.zrf").write_text(RULES.format(title="Same", at=at))
    text = "Zillions Save Game File Version 0.02 HH\nRulesFile=same.zrf\nVariantName=Same\n1. Man b1 - b2\n"
    with serving(tmp_path / "state", str(tmp_path)) as site, seated(site, zsg=text) as board:
        assert (board.state["ply"], board.state["note"]) == (1, "")


@pytest.mark.parametrize(("words", "id"), [
    ("3 players", "stern-3p"), ("2 players", "chess"), ("6 players", "gefangen2-6p"), ("dice", "wuerfel-2p"),
    ("wurfel", "wuerfel-2p"), ("wuerfel", "wuerfel-2p"), ("mill", "nine-mens-morris"), ("muhle", "nine-mens-morris"),
    ("chinese checkers", "stern-3p"), ("star", "stern-3p"), ("1 player", "peg-solitaire"), ("booklet", "stern-3p")])
def test_a_search_matches_the_text_of_cards(words: str, id: str) -> None:
    """As in the page, a number of players counts as one word, and each word must begin a word of the game."""
    wanted = folded(words).replace(" players", "players").replace("1 player", "1player").split()
    found = {g.id for g in Games().all() if all(any(w.startswith(x) for w in g.words.split()) for x in wanted)}
    assert id in found and len(found) < 120


def test_a_search_for_go_does_not_match_inside_other_words() -> None:
    assert not any(word.startswith("go") for g in Games().all() if g.id.startswith("gefangen") for word in
                   g.words.split())


def test_numbers_of_players_are_written_as_words() -> None:
    assert [players_text(p) for p in ("1", "2", "4 in 2 teams", "2 and chance", "")] == [
        "1 player", "2 players", "4 players in 2 teams", "2 players and chance", ""]


def test_folders_with_few_games_share_a_heading(tmp_path: Path) -> None:
    for i in range(30):
        folder = tmp_path / (f"game{i}" if i < 20 else "many")
        folder.mkdir(exist_ok=True)
        (folder / f"rules{i}.zrf").write_text(RULES.format(title=f"Game {i}", at="a1"))
    groups = [g.group for g in Games(str(tmp_path)).all() if g.is_own]
    assert sorted({(g, groups.count(g)) for g in groups}) == [
        (tmp_path.name, 20), (f"{tmp_path.name} / many", 10)]


@pytest.mark.parametrize(("most", "heading"), [(2, "many (only the first 2 files)"), (3, "many")])
def test_a_heading_reports_a_folder_that_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, heading: str,
) -> None:
    monkeypatch.setattr("zrf_py.play.gallery.MAX_FILES", most)
    (tmp_path / "many").mkdir()
    for name in "abc":
        (tmp_path / "many" / f"{name}.zrf").write_text(RULES.format(title=name, at="a1"))
    own = [game for game in Games(str(tmp_path / "many")).all() if game.is_own]
    assert [game.title for game in own] == ["a", "b", "c"][:most] and {game.group for game in own} == {heading}


def test_a_file_that_cannot_be_played_has_a_label(tmp_path: Path) -> None:
    path = tmp_path / "odd.zrf"
    path.write_text('; (title "no")\n(game (title "Odd") (players A ?Dice B C)')
    label = read_label(path)
    assert (label.titles, label.variant) == (("Odd",), None)


MISLEADING = {
    "neutral": (("(players White Black)", "(players White Black Nobody)"),),
    "zone": (("(game (title", "(define half (zone (name far) (players White) (positions a3)))\n(game (title"),
             ("(directions (n 0 -1)))", "(directions (n 0 -1))) (half)")),
    "macro": (("(game (title", "(define who (players White Black ?Dice))\n(game (title"),
              ("(players White Black) (turn-order White Black)", "(who) (turn-order (?Dice White) White Black)")),
    "alone": (("(turn-order White Black)", "(turn-order White)"),),
}
"""Changes to a rules file, (old, new), after which the players that its text names are not those with turns."""


def misleading(folder: Path) -> None:
    for name, changes in MISLEADING.items():
        text = RULES.format(title=name, at="a1")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        (folder / f"{name}.zrf").write_text(text)


def test_cards_count_the_players_of_the_checked_game(tmp_path: Path) -> None:
    """Until the game is checked its card has no number of players; afterwards a search by number finds it."""
    misleading(tmp_path)
    (tmp_path / "broken.zrf").write_text('(game (title "Broken") (players White Black)')
    with serving(tmp_path / "state", str(tmp_path)) as site:
        first = site.get("/api/games").json()
        assert not [g["about"] for g in first["games"] if g["id"].startswith("file/") and "player" in g["about"]]
        end = time.monotonic() + HANG
        while (answer := site.get("/api/games").json())["waiting"] and time.monotonic() < end:
            time.sleep(0.05)
    assert not answer["waiting"], "each file is checked once, even one that can't be played"
    own = {g["title"]: g for g in answer["games"] if g["id"].startswith("file/")}
    assert {title: g["about"] for title, g in own.items()} == {
        "neutral": "2 players · 3 x 3 · neutral.zrf", "zone": "2 players · 3 x 3 · zone.zrf",
        "macro": "2 players and chance · 3 x 3 · macro.zrf", "alone": "1 player · 3 x 3 · alone.zrf",
        "Broken": "broken.zrf"}
    assert {title for title, g in own.items() if "2players" in g["words"].split()} == {"neutral", "zone", "macro"}


@pytest.mark.parametrize("name", ["chess", "tictactoe", "stern-3p", "peg-solitaire"])
def test_cards_of_the_shelf_match_the_checked_games(name: str) -> None:
    """They are read from a table, so that no game need be checked for the gallery."""
    from zrf_py.play.facts import facts_of

    facts = facts_of(load(name).program)
    about = next(game.about for game in Games().all() if game.id == name)
    assert about == f"{players_text(facts.players)} · {facts.board}"


def test_player_counts_match_the_players_who_move() -> None:
    """In random games, exactly as many players move as `facts_of` counts."""
    from zrf_py.play.facts import facts_of

    for name in counted(["chess", "peg-solitaire", "wuerfel-2p", "stern-3p", "gefangen2-4p", "othello"], 6):
        moved = {position.player for position in random_game(load(name), 60, 7) if not position.outcome()}
        chance = {player for player in moved if player.startswith("?")}
        assert facts_of(load(name).program).players.split(" in ")[0] == (
            f"{len(moved - chance)}{' and chance' if chance else ''}"), name


@pytest.mark.slow
def test_a_broken_file_shows_the_reason_instead_of_a_picture(tmp_path: Path) -> None:
    (tmp_path / "broken.zrf").write_text('(game (title "Broken")')
    with serving(tmp_path / "state", str(tmp_path)) as site:
        answer = site.get("/picture/file/broken.zrf")
        assert answer.status_code == 404 and answer.json()["error"]["summary"]


def test_a_bitmap_that_is_no_longer_readable_is_not_found(tmp_path: Path) -> None:
    shutil.copytree(Path(__file__).parent / "pictures", tmp_path / "pictures")
    with serving(tmp_path / "state", str(tmp_path / "pictures")) as site, seated(site, game="file/bitmaps.zrf") as seat:
        found = set(re.findall(r"/bitmap/\w+", json.dumps(seat.state)))
        assert len(found) > 1 and all(site.get(name).content.startswith(b"\x89PNG") for name in found)
        for path in (tmp_path / "pictures").glob("*.bmp"):
            path.write_bytes(b"no bitmap")
        assert {site.get(name).status_code for name in found} == {404}


@pytest.mark.slow
def test_endless_rules_are_reported_and_block_no_other_board(tmp_path: Path) -> None:
    """Rules that are endless at the start are reported on the card and instead of the board; if they are endless only
    after a move, beside the board, which stays unchanged."""
    ring = "(while (on-board? r) r) "
    (tmp_path / "start.zrf").write_text(ENDLESS.format(ring))
    (tmp_path / "later.zrf").write_text(ENDLESS.format(f"(if (not-empty? a2) mark a1 {ring} back) "))
    with serving(tmp_path / "state", str(tmp_path)) as site, seated(site, game="tictactoe") as other:
        card, board = site.get("/picture/file/start.zrf"), site.post("/api/tables", json={"game": "file/start.zrf"})
        assert (card.status_code, board.status_code) == (404, 400)
        said = card.json()["error"]
        assert said["code"] == "endless-block" and said["summary"].startswith("the rules fail in this position: ")
        assert "start.zrf:4:" in said["text"] and "start.zrf:4:" in board.json()["error"]["text"]
        assert site.get("/picture/file/later.zrf").text.startswith("<svg")
        with seated(site, game="file/later.zrf") as white:
            white.tell(type="play", ply=0, move="M a1 - a2")
            other.play(other.legs()[0])
            while (message := white.read())["type"] != "problem":
                pass
            assert message["summary"] == said["summary"]
            white.play("M b1 - b2")
            white.tell(type="seat", player="B", who="ai:3")
            white.until(lambda s: s["player"] == "W")
            white.tell(type="play", ply=white.state["ply"], move="M a1 - a2")
            assert white.answer_to_nonsense() == "endless-block"


@pytest.mark.slow
def test_board_reports_that_a_game_needs_an_engine(tmp_path: Path) -> None:
    named = '(engine "Engines\\far.dll") (players'
    text = RULES.format(title="Moved by an engine", at="a1").replace("(players", named, 1)
    (tmp_path / "engine.zrf").write_text(text)
    with serving(tmp_path / "state", str(tmp_path)) as site, seated(site, game="file/engine.zrf") as board:
        assert "far.dll" in board.state["note"] and "does not run" in board.state["note"]
        board.play(board.legs()[0])
        assert "far.dll" in board.state["note"]


def test_pieces_are_named_by_their_texts() -> None:
    """Types that are the same piece of different players share one name and one line of the notes on pieces."""
    told = describe_game(load("platonic-adv-2p"))
    assert [line.split(":")[0] for _, line in told["help"]] == ["Triangle", "Square", "Diamond", "Circle", "Circle"]
    pieces = next(note["lines"] for note in told["notes"] if note["name"] == "Pieces")
    assert [line.split(":")[0] for line in pieces] == ["Triangle", "Square", "Diamond", "Circle"]
    assert dict(zip(told["types"], told["called"], strict=True))["South-Circle"] == "Circle"
    chess = describe_game(load("chess"))
    assert chess["called"] == chess["types"]


@pytest.mark.parametrize(("text", "about", "lines"), [
    ("DEFINITIONS\\\nTwo people play; the third waits.", "Two people play; the third waits.", 2),
    ("Two people play, the stones of the third are nobody's and\\\nstand in the way. Who cannot move has lost.",
     "Two people play, the stones of the third are nobody's and stand in the way. Who cannot move has lost.", 1),
    ("Object\\\n\\\nCapture all. Be quick. Be brave.", "Capture all. Be quick.", 2), ("", "", 0), ("Object", "", 1)])
def test_descriptions_are_paragraphs(text: str, about: str, lines: int, tmp_path: Path) -> None:
    path = tmp_path / "t.zrf"
    path.write_text(RULES.format(title="T", at="a1").replace("(players", f'(description "{text}") (players', 1))
    told = describe_game(load(path))
    assert told["about"] == about
    assert sum(len(note["lines"]) for note in told["notes"]) == lines


def test_dice_rolls_do_not_begin_a_game(site: TestClient) -> None:
    """The time can still be set before the first choice, even if dice have been rolled for it."""
    with seated(site, game="wuerfel-2p") as board:
        while not board.state["ply"] or board.state["player"].startswith("?"):
            board.read()
        board.tell(type="offer", clock=[60, 0])
        board.until(lambda state: state["clock"])
