"""Saved games read back: random games, saved and replayed by the parser of notation, reach the same positions."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import records
from tests.exporting import paged
from tests.playing import HANG, ROOT, RULES, SAMPLE, games, of_every_kind, slow
from zrf_py.cli.main import main
from zrf_py.library import load_file, shelf
from zrf_py.play.edits import edits
from zrf_py.play.game import Game, Position, load, loads
from zrf_py.play.notation import Part, is_written_so, write_parts
from zrf_py.play.replay import replay
from zrf_py.play.session import Session, read_controllers
from zrf_py.play.zsg import Ply, SavedGame, rules_name

# ---------------------------------------------------------------------------------------------------------- the reader

LISTS = """
(game (title "Lists
  of `names`") (players White x on) (turn-order x repeat White x on)
  (option "pass turn" true) (option "recycle captures" true)
  (board (grid (dimensions ("a/b/c /Man/on/x/-/=" (9 0)) ("3/ /1" (0 9)))
               (directions (e 1 0) (n 0 -1) (s 0 1))))
  (piece (name Man) (drops
    ((verify empty?) mark (while (on-board? e) e (if not-empty? (change-type x) else (create on))) back add)
    ((verify empty?) mark (while (on-board? e) e (if not-empty? change-owner)) n (create White x) back add)
    ((verify empty?) mark (while (on-board? s) s (if enemy? capture else flip)) back add))
   (moves (e (if not-empty? (set-attribute tired? true)) (add x on) s (create Man)) (n (add-partial Man))
          (s (verify empty?) add)) (attribute tired? false))
  (piece (name x) (moves (e add) (n add-copy) (s mark e (change-type on) back add)))
  (piece (name on) (moves (e (if (on-board? n) n (change-type Man) s) add) (n (add-partial Man x on)) (s add)))
  (piece (name =) (moves (n (add Man = on))))
  (piece (name partial) (moves (move-type walk) (e add-partial) (move-type run) (n (add-partial walk))))
  (board-setup (White (Man off 9 a3) (partial a1)) (x (Man off 9) (x b3 Man1)) (on (Man off 9 x1) (on x3) (= on1))))
"""
"""Pieces, players and squares share names; one label of the board is blank, another ends with a blank. Moves make three
or more changes of one kind, followed by placings; some copy, have several legs, or let the player choose a type."""


def test_ambiguous_names_and_lists_of_changes_are_read_back() -> None:
    game = loads(LISTS)
    ends = [records.play(game, 12, Random(seed)) for seed in range(60)]
    assert [records.fault(end) for end in ends] == [""] * len(ends)
    texts = "\n".join(ply.move.text for end in ends for ply in end.line() if ply.move)
    for sample in (r"= x on( +\S+){3,} White x =", r"= on on( +[^ =]+){3,} White x ", "^partial 1 partial ",
                   "^partial 0 on .* = Man$", "= White on ", r"@ \S+ +0 1", "flip on", "White on = $"):
        assert re.search(sample, texts, re.M), sample


@pytest.mark.slow
def test_a_page_reads_back_ambiguous_names_and_lists_of_changes(tmp_path: Path) -> None:
    game = loads(LISTS)
    with paged(game, tmp_path) as page:
        assert [records.fault_in_page(page, records.play(game, 12, Random(seed))) for seed in range(20)] == [""] * 20


@pytest.mark.parametrize(("text", "board"), [
    ("White Dot a1 = Man on a2 b2 c2 d2 e2", "Man: a2 b2 c2 d2 e2; Dot: a1"),
    ("= Man on e2 d2 c2 b2 a2 White Dot a1", "Man: a2 b2 c2 d2 e2; Dot: a1"),
    ("= Man on a2 White Dot a1 = Man on b2 c2 d2 = Man on e2", "Man: a2 b2 c2 d2 e2; Dot: a1")])
def test_a_change_of_many_pieces_is_read_in_any_order(text: str, board: str) -> None:
    game = loads(DOTS)
    found = replay(game, SavedGame("dots.zrf", "", "", (Ply(1, text),)))
    assert found.stop is None
    types: dict[str, list[str]] = {}
    for square, (_, kind) in sorted(found.position.pieces().items()):
        types.setdefault(kind, []).append(square)
    assert {f"{kind}: {' '.join(squares)}" for kind, squares in types.items()} == set(board.split("; "))


@pytest.mark.parametrize("text", [
    "White Dot a1 = Man on a2 b2 c2 d2", "White Dot a1 = Man on a2 b2 c2 d2 e2 e2", "White Dot a1",
    "White Dot a1 = Dot on a2 b2 c2 d2 e2", "Black Dot a1 = Man on a2 b2 c2 d2 e2", ""])
def test_a_move_with_wrong_parts_is_refused(text: str) -> None:
    assert replay(loads(DOTS), SavedGame("dots.zrf", "", "", (Ply(1, text),))).stop


DOTS = """
(game (title "Dots") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (10 0)) ("2/1" (0 10)))
               (directions (e 1 0) (n 0 -1))))
  (piece (name Man))
  (piece (name Dot) (drops ((verify (position? a1)) mark n (while (on-board? e) (change-type Man) e) (change-type Man)
                            back add)))
  (board-setup (White (Dot off 9 b2 c2)) (Black (Dot a2 d2 e2))))
"""

NAMES = st.sampled_from(["x", "on", "=", "-", "a", "two words"])
PARTS: st.SearchStrategy[list[Part]] = st.lists(st.one_of(
    st.tuples(st.just("move"), NAMES, NAMES, st.sampled_from("-x"), NAMES),
    st.tuples(st.just("place"), NAMES, NAMES, NAMES), st.tuples(st.just("="), NAMES, NAMES),
    st.tuples(st.sampled_from(["x", "flip"]), NAMES), st.tuples(st.just("#"), NAMES, st.just("+1")),
    st.tuples(st.just("@"), NAMES, st.just("0"), st.just("1"))), max_size=5)


@given(PARTS, PARTS, st.randoms())
def test_a_text_is_read_as_the_parts_it_was_written_from(parts: list[Part], others: list[Part], random: Random) -> None:
    """This holds for any names; a text is read as other parts only if these can be written in the same way."""
    words = write_parts(parts).split()
    assert not is_written_so(words, [*parts, ("x", "further")])
    mixed = random.sample(parts, len(parts))
    assert is_written_so(words, mixed)
    if len(words) != len(write_parts(others).split()) or len(others) > 3:
        return
    assert is_written_so(words, others) or all(write_parts(order).split() != words for order in permutations(others))


def test_ambiguous_texts_are_read_quickly() -> None:
    """The texts have 170 ambiguous parts; the second one has a word too many."""
    parts: list[Part] = [("=", "x", f"x{number}") for number in range(150)] + [("x", "x")] * 20
    assert is_written_so(write_parts(parts).split(), parts[::-1])
    assert not is_written_so([*write_parts(parts).split(), "x"], parts)


TREE = """
import { Tree } from "./tree.mjs";
const position = { ply: () => ["", "", false, false, false, ""] };
const tree = new Tree(position);
const tried = (node) => tree.nodes[node].tried;
const [first, beside] = [tree.add(0, "a1", position), tree.add(0, "b1", position, true)];
const deeper = tree.add(beside, "c1", position, true);
const before = [tried(first), tried(beside), tried(deeper), tree.onward(0)];
const again = [tree.add(0, "b1", position, true), tried(beside)];
const played = [tree.add(0, "b1", position), tried(beside), tried(deeper)];
console.log(JSON.stringify([before, again, played, tree.line(0), tree.beside(deeper), tree.texts(deeper)]));
"""


def test_playing_a_variation_makes_it_the_main_line_of_a_page(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    shutil.copy(ROOT / "zrf_py" / "export" / "static" / "tree.js", tmp_path / "tree.mjs")
    (tmp_path / "tries.mjs").write_text(TREE, "utf-8")
    done = subprocess.run([node, "tries.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=HANG)
    assert json.loads(done.stdout) == [
        [False, True, True, [1]], [2, True], [2, False, True], [2, 3], [[0, "a1"]], ["b1", "c1"]]


# --------------------------------------------------------------------------------------------- set up, saved and loaded


def set_up(game: Game, seed: int) -> Position:
    """Return the end of a random game in which men, stores and the player to move are edited now and then."""
    random, rules = Random(seed), game.program.game
    position = records.play(game, random.randrange(6), random)
    for _ in range(3):
        here, kept = position.state, [i for i, owner in enumerate(position.state.owner) if owner >= 0]
        men = {i: (here.owner[i], here.piece[i]) for i in random.sample(kept, len(kept) * 2 // 3)}
        for square in random.sample(range(len(here.owner)), 3):
            men[square] = random.randrange(len(rules.players)), random.randrange(len(rules.pieces))
        store = (random.randrange(len(rules.players)), random.randrange(len(rules.pieces))), random.randrange(4)
        for line in edits(game.program, here, men, [store], random.randrange(-1, len(rules.players))):
            position = position.edited(line)
        for _ in range(random.randrange(5)):
            if moves := position.moves():
                position = position.play(random.choice(moves))
    return position


def test_edits_in_the_middle_of_a_game_are_read_back(tmp_path: Path) -> None:
    game = loads(LISTS)
    ends = [set_up(game, seed) for seed in range(20)]
    assert [records.fault(end) for end in ends] == [""] * len(ends)
    assert any(before.in_turn and not after.move for end in ends for after, before in pairwise(end.line()))
    with paged(game, tmp_path) as page:
        assert [records.fault_in_page(page, end) for end in ends] == [""] * len(ends)


@pytest.mark.parametrize(("name", "variant"), [
    ("halma", 1), ("booklet/halma", 0), ("LISTS", 0), ("LISTS", 1),
    *slow([("wuerfelhalma", 0), ("shogi", 0), ("gefangen-1", 0)])])
def test_saved_sessions_can_be_loaded(
    name: str, variant: int, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """Another session of the same game loads them, and so does `zrf play`, which finds the variant, and the rules
    file unless it is given, by the names in the record."""
    rules = next(RULES.rglob(f"{name}.zrf"), tmp_path / "löß „ß“ 中.zrf")
    if name == "LISTS":
        rules.write_text(LISTS + '(variant (title "Ein „anderes“ 中\n `Spiel`"))', "utf-8")
    game = load(rules, variant)
    in_record = rules_name(rules, shelf().values())
    for seed in range(4):
        session = Session(game, in_record, read_controllers(game, None), Random(seed))
        session.position = set_up(game, seed) if seed % 2 else records.play(game, 9, Random(seed))
        session.save(tmp_path / "kept.zsg")
        again = Session(game, in_record, read_controllers(game, None), Random(seed))
        again.load(tmp_path / "kept.zsg")
        assert [records.facts(p.state) for p in again.position.line()] == [
            records.facts(p.state) for p in session.position.line()]
        assert main(["play", *[str(rules)] * (seed // 2), "--load", str(tmp_path / "kept.zsg"), "--plies", "0"]) == 0
        assert " ".join(capsys.readouterr().out.split()).startswith(" ".join(game.title.split()))


# --------------------------------------------------------------------------------------------------- games, the command


@pytest.mark.parametrize("path", of_every_kind(sorted(RULES.rglob("*.zrf"))), ids=lambda path: path.stem)
def test_games_of_the_shelf_are_read_back(path: Path) -> None:
    counts = records.Counts()
    for number, game in enumerate(games(load_file(path))):
        counts.add(records.try_title(game.program, 6 if number == 0 else 2, records.SLOW, seed=number, plies=24))
    assert not counts.faults and counts.plies > 3


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in sorted(RULES.rglob("*.zrf")) if path.stem in SAMPLE], ids=str)
def test_games_of_the_shelf_are_read_back_by_a_page(path: Path, tmp_path: Path) -> None:
    game = load(path)
    with paged(game, tmp_path) as page:
        assert [records.fault_in_page(page, records.play(game, 40, Random(seed))) for seed in range(5)] == [""] * 5


CORPUS = os.environ.get("ZRF_CORPUS", "")


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="ZRF_CORPUS names no folder with rules files")
def test_games_of_a_folder_of_rules_files_are_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert records.main([CORPUS, "--games", "2", "--seconds", "1"]) == 0
    assert int(capsys.readouterr().out.split(" titles, ")[0].split()[-1]) > 10
