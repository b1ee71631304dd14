"""`zrf words`: a reader who knows only the described kinds of moves finds the interpreter's moves; pictures show
legal moves; all languages have the same sentences."""

from __future__ import annotations

import os
import random
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.playing import RULES, games, random_game, slow
from tests.words_reader import Reader, Seen, seen
from zrf_py.author.words import execution, folding, rows
from zrf_py.author.words import rules as analysis
from zrf_py.author.words.document import Picture, Rules, TextLine
from zrf_py.author.words.forms import Loop, Spot
from zrf_py.author.words.language import LANGUAGES, Language, plain, table
from zrf_py.author.words.merging import Group, grouped, merged
from zrf_py.author.words.reader import Reader as Blocks
from zrf_py.author.words.rules import rules_in_words, sorted_out
from zrf_py.author.words.writing import html, markdown
from zrf_py.cli.main import main
from zrf_py.front import model
from zrf_py.ir.ops import Program, Routine
from zrf_py.library import load_file
from zrf_py.play.game import Game, load, loads
from zrf_py.play.game import Position as PlayPosition
from zrf_py.run.interpret import Walker, drop_squares
from zrf_py.run.position import NOBODY, Move, Position, play

FILES = sorted(RULES.rglob("*.zrf"))
SOME = ("chess", "international-draughts", "checkers", "xiangqi", "shogi", "amazons", "halma", "makruk", "breakthrough",
        "connect-four", "peg-solitaire")
TOLD = ("othello", "chess", "international-draughts", "halma-2p")


Telling = Callable[[int, bool], Iterable[tuple[str, list[Group], list[int]]]]


def told(program: Program, kind: int, drop: bool) -> Iterator[tuple[str, list[Group], list[int]]]:
    """Yield (zone or square where drops begin, or ""; described groups of moves; numbers of their blocks)."""
    blocks = Blocks(program)
    routines = program.game.pieces[kind].drops if drop else program.game.pieces[kind].moves
    for move_type in dict.fromkeys(r.move_type for r in routines):
        of_type = [(n, r) for n, r in enumerate(routines) if r.move_type == move_type]
        forms, intricate = sorted_out(blocks, [r for _, r in of_type], drop)
        for where, found in forms.items():
            numbers = [n for n, r in of_type if r not in intricate
                       and (blocks.restricted(r) if drop else "") == where]
            yield where, grouped(merged(found)), numbers


def written(program: Program, state: Position, side: int, routine: Routine, start: int, drop: bool) -> set[Seen]:
    moves: list[Move] = []
    walker = Walker(program, state, side, moves.append)
    walker.drop = drop
    walker.run(routine, start)
    return {seen(move) for move in moves}


def disagreement(program: Program, state: Position, side: int, told: Telling) -> tuple[int, str]:
    """Return the number of moves compared, and the first man whose moves a reader would not find ("": none)."""
    reader, count = Reader(program, state, side), 0
    for kind in range(len(program.game.pieces)):
        for drop in (False, True):
            routines = program.drops[kind] if drop else program.moves[kind]
            for where, groups, numbers in told(kind, drop) if routines else ():
                if drop:
                    starts = sorted(drop_squares(program, routines[numbers[0]], side))
                else:
                    starts = [s for s, o in enumerate(state.owner) if o == side and state.piece[s] == kind]
                for start in starts:
                    mine = {m for group in groups for m in reader.moves(group, kind, start)}
                    theirs = {m for n in numbers for m in written(program, state, side, routines[n], start, drop)}
                    count += len(theirs)
                    if mine != theirs:
                        name, place = program.game.pieces[kind].name, program.game.board.places[start].name
                        return count, f"{name} {where} {place}: only told {mine - theirs}, not told {theirs - mine}"
    return count, ""


def compared(game: Game, positions: int, plies: int, seed: int) -> int:
    """Compare the description with the interpreter in positions of a random game; return the number of moves."""
    line, count = list(random_game(game, plies, seed)), 0
    once = cache(lambda kind, drop: list(told(game.program, kind, drop)))
    for position in random.Random(seed).sample(line, min(positions, len(line))):
        turns = game.program.game.turns
        if turns and position.state.result is None:
            moves, found = disagreement(game.program, position.state, turns[position.state.turn].side, once)
            assert not found, f"{game.title}: {found}"
            count += moves
    return count


@pytest.mark.parametrize("name", [*SOME[:2], *slow(SOME[2:])])
def test_a_reader_finds_the_moves(name: str) -> None:
    assert compared(Game(load_file(name).programs[0]), 4, 40, seed=3) > 10


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(RULES).with_suffix("").as_posix())
def test_a_reader_finds_the_moves_of_every_title(path: Path) -> None:
    for number, game in enumerate(games(load_file(path))):
        compared(game, *((2, 20) if number else (6, 60)), seed=number)


# ----------------------------------------------------------------------------------------------------------- pictures


def pictures(rules: Rules) -> list[Picture]:
    return [block for section in rules.sections if section.level == 3 for block in section.blocks
            if isinstance(block, Picture)]


ALONE = re.compile(r"(.+?) (.+), alone on ")


def free_of_goals(game: Game, side: int) -> Game:
    """Return the game with this side always to move, without goals and without priorities of moves."""
    rules = game.program.game
    free = replace(rules, ends=(), priorities=(), turns=(model.Turn(side, side, -1),), repeat=0,
                   options=replace(rules.options, maximal_captures=0))
    return Game(replace(game.program, game=free))


def with_men(game: Game, men: dict[int, tuple[int, int]]) -> PlayPosition:
    """Return a position with these men (player, type) and no others."""
    start, kinds = game.start(), game.program.game.pieces
    standing = [men.get(square, (NOBODY, 0)) for square in range(len(start.state.owner))]
    return start.at(replace(
        start.state, owner=tuple(owner for owner, _ in standing), piece=tuple(kind for _, kind in standing),
        attributes=tuple(kinds[kind].attributes if owner != NOBODY else 0 for owner, kind in standing)))


def legal_from(position: PlayPosition, start: int) -> list[Move]:
    return [m.raw for m in position.moves() if not m.raw.is_pass and m.raw.movements and m.raw.key[0] == start]


def wrong_pictures(game: Game) -> tuple[int, list[str]]:
    """Return the number of pictures of lone men, and those that are wrong. A right one has a dot on each square the man
    may go to, and a ring on each where he could capture an enemy (six of the other squares are tried as well)."""
    rules, count, wrong = game.program.game, 0, []
    players, kinds = [p.name.lstrip("?") for p in rules.players], [p.name for p in rules.pieces]
    for picture in pictures(rules_in_words(game)):
        if (named := ALONE.match(picture.caption)) is None:
            continue
        count += 1
        kind, side, start = kinds.index(named[2]), players.index(named[1]), picture.start
        free = free_of_goals(game, side)
        ends = {move.end for move in legal_from(with_men(free, {start: (side, kind)}), start)} - {start}
        if ends != set(picture.quiet):
            wrong.append(f"{picture.caption} dots {ends ^ set(picture.quiet)}")
        enemy = next((n for n, p in enumerate(rules.players) if n != side and p.kind == "player"), None)
        others = [s for s in range(len(rules.board.places)) if s != start and s not in picture.takes]
        others = random.Random(0).sample(others, min(6, len(others)))
        for square in (*picture.takes, *others) if enemy is not None else ():
            theirs = Counter(k for owner, k, _ in rules.setup if owner == enemy) or Counter([kind])
            position = with_men(free, {start: (side, kind), square: (enemy, theirs.most_common(1)[0][0])})
            taken = any(play(game.program, position.state, move).owner.count(enemy) == 0
                        for move in legal_from(position, start))
            if taken != (square in picture.takes):
                wrong.append(f"{picture.caption} ring {rules.board.places[square].name}")
    return count, wrong


@pytest.mark.parametrize("name", ["checkers", *slow(["chess", "xiangqi", "makruk"])])
def test_pictures_show_legal_moves(name: str) -> None:
    count, wrong = wrong_pictures(load(name))
    assert count > 1
    assert not wrong


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(RULES).with_suffix("").as_posix())
def test_pictures_of_every_title_show_legal_moves(path: Path) -> None:
    for game in games(load_file(path)):
        assert not wrong_pictures(game)[1], game.title


@pytest.mark.parametrize("name", [TOLD[0], *slow(TOLD[1:])])
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_complete(name: str, language: str) -> None:
    rules = rules_in_words(load(name), language)
    assert all(section.blocks for section in rules.sections if section.title != rules.sections[3].title)
    page, text = html(rules), markdown(rules)
    assert page.count("<figure") == page.count("</svg>") == text.count("```text") > 0
    assert "\x01" not in text and "{" not in text.replace("\\{", "")
    names = [piece.name for piece in load(name).program.game.pieces if not piece.dummy]
    assert all(kind in text for kind in names)


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(RULES).with_suffix("").as_posix())
def test_every_title_can_be_described(path: Path) -> None:
    """The first title is described in every language, each variant in one of them."""
    for number, game in enumerate(games(load_file(path))):
        for language in [LANGUAGES[number % len(LANGUAGES)]] if number else LANGUAGES:
            text = markdown(rules_in_words(game, language))
            assert "\x01" not in text and len(text) > 500, game.title
            assert f"\n\n- {table(language)['steps.else']}" not in text, "another case without its condition"


def test_all_languages_have_the_same_sentences() -> None:
    """Every language has every sentence, with the same placeholders."""
    def fields(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english = table("en")
    assert len(LANGUAGES) > 1 and LANGUAGES[0] == "en"
    for said in map(table, LANGUAGES):
        assert said.keys() == english.keys()
        assert not [key for key in said if fields(said[key]) != fields(english[key])]


def test_words_prints_the_rules_in_a_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", "tictactoe", "--lang", "de"]) == 0
    out, err = capsys.readouterr()
    assert "Wie das Spiel endet" in out and "wie in der Regeldatei" in err
    assert main(["words", "chess", "--lang", "de"]) == 0 and capsys.readouterr().out.startswith("# Schach\n")
    assert main(["words", "tictactoe", "--html", "-o", str(tmp_path / "t.html")]) == 0
    assert (tmp_path / "t.html").read_text("utf-8").startswith("<!doctype html>")
    assert main(["words", "tictactoe", "--lang", "xx"]) == 1
    assert "unknown-language" in capsys.readouterr().err


def test_rows_of_squares_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """This holds however many tests name the same squares, and however many pieces have such tests."""
    lines: list[tuple[tuple[int, ...], ...]] = []
    directions = rows._directions
    monkeypatch.setattr(rows, "_directions", lambda blocks, some: lines.append(tuple(some)) or directions(blocks, some))
    text = (RULES / "nine-mens-morris.zrf").read_text("utf-8").partition("(variant")[0]
    more = "(piece (name Rook) (drops (move-type placing) (place)) (moves (move-type moving) (slide n) (fly)))\n"
    rules_in_words(loads(text.replace("  (board-setup", f"  {more}  (board-setup", 1)), "en")
    assert len(lines) == len({*lines}) > 0


TWINS = """
    (define leap ($1 $2 (verify not-friend?) add))
    (define moves-of (moves (leap n ne) (leap n nw)))
    (game (title "Twins") (players White Black) (turn-order White Black)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
        (directions (n 0 -1) (ne 1 -1) (nw -1 -1))))
      (piece (name Left) (moves-of)) (piece (name Right) (moves-of))
      (board-setup (White (Left b1) (Right c1)) (Black (Left b4) (Right c4))))"""


def test_equal_blocks_of_several_pieces_are_analysed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    analysed: list[int] = []
    forms = analysis.forms_of_block
    monkeypatch.setattr(analysis, "forms_of_block", lambda reader, *rest: analysed.append(0) or forms(reader, *rest))
    rules_in_words(loads(TWINS), "en")
    assert len(analysed) == 2


@pytest.mark.parametrize("limit", ["MAX_TESTS", "MAX_ALL_TESTS"])
def test_blocks_that_test_too_many_conditions_are_written_step_by_step(
    limit: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The limits are counts, so that the text doesn't depend on the speed of the machine."""
    text = "In full detail, step by step"
    assert text not in markdown(rules_in_words(loads(TWINS), "en"))
    monkeypatch.setattr(execution, limit, 0)
    assert text in markdown(rules_in_words(loads(TWINS), "en"))


def test_names_of_any_rules_are_escaped(tmp_path: Path) -> None:
    rules = RULES.joinpath("tictactoe.zrf").read_text("utf-8").replace("Tic-Tac-Toe", "<script>*x*")
    (tmp_path / "t.zrf").write_text(rules, "utf-8")
    said = rules_in_words(load(tmp_path / "t.zrf"))
    assert "<script>" not in html(said) and "\\<script\\>\\*x\\*" in markdown(said)


def test_the_number_of_repetitions_is_that_of_the_option() -> None:
    text = (RULES / "tictactoe.zrf").read_text("utf-8").replace('(version "2.0")', '(version "zrf+")')
    game = loads(text.replace("(board", '(option "repetition" 2) (loss-condition (X O) repetition) (board', 1))
    assert "their move leads to a position that has then occurred 2 times" in markdown(rules_in_words(game, "en"))
    assert "dieselbe Stellung zum 2. Mal herbeigeführt hat" in markdown(rules_in_words(game, "de"))


@pytest.mark.slow
def test_the_description_covers_special_rules() -> None:
    """Examples are captured men that return as other types, captures that must go on, and partners who win together."""
    def told(name: str, language: str = "en") -> str:
        return markdown(rules_in_words(load(name), language))

    assert "A captured Dragon comes to the hand as Rook." in told("shogi")
    assert "For Mice the game is lost if eight or fewer of their pieces are left." in told("cat-and-mouse")
    assert "either every square holds a Man or none does: a2 and b1" in told("monks-sol-II-free")
    assert "A: there are pieces of its own side (Red) in the violet zone, there" in told("stern-2p-twocolour-own")
    assert "### Man" not in told("stern-2p-twocolour-own")
    assert "Way A stands for: up right or up left." in (star := told("rakado-star-2p"))
    assert "one square up right or up left from there no S, S-home, N or N-home, five times in succession; one" in star
    assert "- The game is over if none of these holds; the score decides:" in star and "### W" not in star
    assert "partners (‘Rising’), who win and lose together" in (team := told("stern-team"))
    assert "over a piece next to it" in team
    assert "must not leave the board" not in told("highscore-square-legs")
    assert "The counter ‘taken’ of South grows by 2; the piece itself is removed from the board" in told("gefangen2-it")
    assert "exactly one piece is left" in told("solo-halma")
    second = told("super-2p-v2")
    assert "only if never" not in second and "only if always" not in second
    assert "Moves of the kind ‘roaming’:" in second
    assert "- The last player left in the game wins." in told("treff-4p")
    assert "over a piece next to it" in told("treffpunkt") and "over a piece of either side" in told("treff-2p")
    assert "- If several of these hold, the first in this list counts." in told("monks-sol-I")
    assert "only if in at least one direction – up, right, down or left – counting from" in told("topsecret-2p")
    assert "picks a square any distance away in any direction (straight or diagonally)" in told("amazons")
    assert "with another capture if it can" in told("checkers")
    assert "Wer schlagen kann, muss schlagen." in told("checkers", "de")


ALIKE = """(version "zrf+")
(define ahead (relative-config Man n (not (any-owner Man)) (not (any-owner Die)) n (any-owner Man)))
(define thrown ((add-to-counter throws 1) (add $1)))
(game (title "Alike") (players White Black ?Chance)
  (turn-order (?Chance throw) (when (and (ahead) (equal? (counter throws) 9)) (White walk)) (White walk)
    (Black walk))
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("7/6/5/4/3/2/1" (0 10))) (directions (n 0 -1)))
    (zone (name top) (players White Black) (positions a7 b7 c7)))
  (counter throws)
  (piece (name Man) (moves
    (move-type walk)
      (n (verify empty?) n (verify empty?) n (verify (piece? Die c4)) (verify empty?)
        (if (in-zone? top) (change-type Coin) (add-to-counter throws 2)) add)
    (move-type never) (n add)))
  (piece (name Die) (moves (move-type throw) (thrown Die) (thrown Coin)))
  (piece (name Coin) (moves (move-type throw) (thrown Die) (thrown Coin)))
  (board-setup (White (Man a1)) (Black (Man b1)) (?Chance (Die c4)))
  (win-condition (White) (total-piece-count 0 Man)))"""
"""A game with many rules that resemble each other."""


def test_similar_rules_are_described_once(tmp_path: Path) -> None:
    """Turns under conditions have lines of their own; effects are described with their moves; the squares of a path,
    and types with equal moves, are described together; impossible turns are left out."""
    (tmp_path / "alike.zrf").write_text(ALIKE, "utf-8")
    lines = markdown(rules_in_words(load(tmp_path / "alike.zrf"))).splitlines()
    for line in (
        "- Turn 2: White, only if (this pattern is somewhere on the board: on a square a Man "
        "of their own; one square up from there no Man or Die; one square up from there any Man) and "
        "‘throws’ is 9.",
        "- Chance: Die.",
        "- Moves exactly three squares up, over empty squares only; if its target square is in the blue zone, it "
        "becomes Coin and the counter ‘throws’ grows by 2; all this only if a Die is on c4.",
        "### Die and Coin",
        "- Stays where it is; the counter ‘throws’ grows by 1; it becomes Die or Coin.",
        "- For White the game is won if no Man is on the board.",
    ):
        assert line in lines, line
    assert not [line for line in lines if re.search("walk|never", line)], "names of macros and of unused kinds of moves"


@pytest.mark.parametrize(("players", "english", "german"), [
    ("White Black", "changes sides", "wechselt die Seite"),
    ("White ?Grey Black", "goes to the player before its owner in the cycle White, Grey, Black",
     "geht an den Spieler vor seinem Besitzer in der Reihenfolge White, Grey, Black")])
def test_the_new_owner_of_a_flipped_piece_is_described(players: str, english: str, german: str, tmp_path: Path) -> None:
    (tmp_path / "flip.zrf").write_text(f"""
        (game (title "Flip") (players {players}) (turn-order White Black)
          (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1))))
          (piece (name Man) (moves ((flip n) n n add))) (board-setup (White (Man a1)) (Black (Man a2))))""", "utf-8")
    for language, words in (("en", english), ("de", german)):
        assert words in markdown(rules_in_words(load(tmp_path / "flip.zrf"), language))


def test_a_block_with_many_similar_lines_needs_few_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    shape_of = folding.shape_of
    monkeypatch.setattr(folding, "shape_of", lambda lines: compared.append(len(lines)) or shape_of(lines))
    lines = tuple(TextLine("a move is possible there") for _ in range(800))
    folded = folding.Folding(Language("en"), str).blocks([lines])
    assert folded == [lines] and len(compared) < 10


def test_repeated_parts_are_described_once() -> None:
    signs = [folding.sign("m", number) for number in range(3)]
    block = tuple(TextLine(text) for text in ("first", *(f"go {sign}" for sign in signs), "last"))
    (found,) = folding.Folding(Language("en"), lambda sign: sign).blocks([block])
    assert [line.text for line in found][::2] == ["first", "last"] and found[1].inner == (TextLine("go A"),)


IDIOMS = """(version "zrf+")
(define slide ($1 (verify empty?) (while (empty? $1) $1) add))
(define deploy ($1 (verify empty?) (add-copy Man)))
(define arrive (if (in-zone? far) (add Lady) else add))
(define perhaps ($1 (verify empty?) (if (not-in-zone? far) add) (if (in-zone? camp) (add Lady))))
(define leap ($1 $1 $2 (verify not-friend?) add))
(define cannon ($1 (while empty? $1) (verify not-empty?) $1 (while empty? $1) (verify enemy?) add))
(define castle ((verify fresh?) $1 (verify empty?) $1 (verify empty?) $1 (verify friend?) (verify (piece? Tower))
  (verify fresh?) back $1 $1 (set-attribute fresh? false) cascade $1 from back $1 (set-attribute fresh? false) add))
(define hop ($1 (verify enemy?) capture $1 (verify empty?) (if (in-zone? far) (add Lady) else (add-partial hops))))
(define passing ($1 (verify enemy?) (verify (piece? Man)) (verify last-to?) capture n (verify (last-from? n)) add))
(define again ($1 (verify empty?) (next-turn $2) add))
(game (title "Idioms") (description "All that has a name.") (players White Black)
  (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9)
      (dimensions ("a/b/c/d/e" (10 0)) ("5/4/3/2/1" (0 10)))
      (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0) (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1)))
    (symmetry Black (n s) (s n) (ne se) (se ne) (nw sw) (sw nw))
    (zone (name far) (players White) (positions a5 b5 c5 d5 e5))
    (zone (name far) (players Black) (positions a1 b1 c1 d1 e1))
    (zone (name camp) (players White Black) (positions a5 c3 e1)))
  (piece (name Puck) (help "Puck: glides on the ice.") (moves (slide n) (slide s) (slide e) (slide w)))
  (piece (name Camp) (moves (deploy a1) (deploy b3) (deploy c2) (deploy d4)))
  (piece (name Man) (moves (n (verify empty?) (arrive)) (passing e) (passing w))
    (drops ((verify empty?) (verify (position? c3)) add)))
  (piece (name Page) (moves (perhaps e) (perhaps w)))
  (piece (name Lady) (moves (leap n e) (leap n w) (leap s e) (leap s w) (leap e n) (leap e s) (leap w n) (leap w s)))
  (piece (name Gun) (moves (cannon n) (cannon s) (cannon e) (cannon w)))
  (piece (name Tower) (attribute fresh? true) (moves (n (verify empty?) (set-attribute fresh? false) add)))
  (piece (name Lord) (attribute fresh? true) (moves (castle e)))
  (piece (name Draught) (moves (move-type hops) (hop ne) (hop nw)))
  (piece (name Clock) (moves (again n 0) (again s 1) (again e 2) (again w 3)))
  (board-setup
    (White (Puck a1) (Camp b1) (Lord b2) (Tower e2) (Man off 2) (Man c4) (Gun a3) (Draught c1) (Clock d1) (Page e3))
    (Black (Puck e5) (Man d4) (Camp d5) (Lady b5) (Man off 1) (Clock a5)))
  (win-condition (White Black) (or (relative-config Man n Man n Man) (relative-config Man e Man e Man)))
  (draw-condition (White Black) stalemated))"""
"""A game with moves that players have a name for, such as castling."""

NAMES = {
    "en": ("In the author's words: “glides on the ice.”", "In the author's words: “All that has a name.”",
           "Slides straight forward, backward or sideways over empty squares until something stops it: another piece",
           "A new Man of the same side appears on any square of the blue zone; the piece itself stays where it is.",
           "Moves one square forward to an empty square; on the last row it becomes Lady",
           "it may become Lady if its target square is in the red zone; it has to if its target square is on the last",
           "Captures en passant: if the opponent has just moved a Man over a square diagonally forward of this",
           "May be placed from the hand on c3 only, if the square is empty.",
           "Makes a knight's move (two squares along a line and one to the side, over anything in between), to an",
           "Captures by jumping straight forward, backward or sideways: it passes empty squares (or none), then jumps",
           "Castles: moves two squares right, and the Tower three squares right of it moves to the square that this",
           "neither of the two may have moved before",
           "on the last row it becomes Lady, and the turn ends; otherwise the same piece then goes on",
           "the same player moves again", "the turn passes on as usual", "the next turn is skipped",
           "the next two turns are skipped",
           "A player wins if three of their pieces (Man) are in a row, horizontally or vertically",
           "- If the player to move has no legal move, the game is drawn.",
           "In the drawing, forward is up for White and down for Black"),
    "de": ("In den Worten des Autors: „glides on the ice.“",
           "Gleitet gerade nach vorn, nach hinten oder seitwärts über leere Felder, bis ihn etwas aufhält",
           "der Stein darf zu Lady werden, wenn sein Zielfeld in der roten Zone liegt; er muss es, wenn",
           "Auf einem beliebigen Feld der blauen Zone entsteht ein neuer Stein derselben Seite (Man); der Stein",
           "auf der letzten Reihe wird der Stein zu Lady", "Schlägt im Vorbeigehen (en passant)",
           "Darf aus der Hand nur auf c3 eingesetzt werden, wenn das Feld leer ist.", "Macht einen Rösselsprung",
           "dann über einen eigenen oder gegnerischen Stein, dann", "Rochade: zieht zwei Felder weit nach rechts",
           "und der Zug ist zu Ende; sonst", "derselbe Spieler zieht noch einmal", "der nächste Zug wird übersprungen",
           "Ein Spieler gewinnt, wenn drei eigene Steine (Man) waagerecht oder senkrecht in einer Reihe stehen.",
           "Wenn der Spieler am Zug nicht ziehen kann, ist das Spiel unentschieden."),
}


@pytest.fixture
def idioms(tmp_path: Path) -> Game:
    (tmp_path / "idioms.zrf").write_text(IDIOMS, "utf-8")
    return load(tmp_path / "idioms.zrf")


@pytest.mark.parametrize("language", NAMES)
def test_well_known_moves_are_called_by_their_names(language: str, idioms: Game) -> None:
    text = markdown(rules_in_words(idioms, language))
    assert not [words for words in NAMES[language] if words not in text], text
    assert not set("\x01\x02\x03\x04\x05") & set(text)
    assert not re.search(r"[;,] (The|It|Its|Der|Die|Das|Dort|Es|Er) ", text), "a capital in mid-sentence"
    assert not re.search(r"‘(far|camp)’|‚(far|camp)‘|a5, b5", text), "the name of a zone, or a list of squares"


def test_a_reader_finds_the_moves_that_have_a_name(idioms: Game) -> None:
    """Examples are optional promotion, and new men created on squares of the board."""
    assert sum(compared(idioms, 12, 30, seed) for seed in range(3)) > 100


def test_areas_named_by_colours_are_drawn(idioms: Game) -> None:
    """A colour named in a sentence marks squares of a picture: exactly those where the block applies."""
    board = next(section for section in rules_in_words(idioms).sections if section.title == "The board")
    areas = {block.caption: block.quiet for block in board.blocks if isinstance(block, Picture) and block.quiet}
    number = idioms.program.game.symbols.positions.__getitem__
    assert set(map(frozenset, areas.values())) >= {frozenset(map(number, ("a1", "b3", "c2", "d4")))}
    assert all(re.match(r"(Blue|Red|Green|Yellow) zone|\w+: (home|goal) of", caption) for caption in areas), areas


def test_clauses_are_joined_into_sentences() -> None:
    """In a subordinate clause in German, the verb comes last."""
    say = Language("de")
    empty, occupied = say("contents.empty", spot="a1", at="a1"), say("contents.enemy+friend", spot="b2", at="b2")
    assert plain(say.both([empty, occupied])) == "a1 ist leer und b2 ist besetzt"
    assert say("only-if", conditions=say.both([empty, occupied])) == "nur, wenn a1 leer ist und b2 besetzt ist"
    assert say("rise", condition=empty, said=say("deed.flip", at="b2")) == (
        "wenn a1 leer ist, wechselt der Stein auf b2 die Seite")


def test_rows_of_enemies_are_described_in_one_line(tmp_path: Path) -> None:
    """A reader who follows the line flips the pieces that a move flips, in every third position of a game."""
    game = load("othello")
    whole = ("- Is placed on an empty square where it outflanks enemy pieces: a row of one or more of them begins "
             "next to it, in any direction (straight or diagonally), and ends at a piece of its own side. The enemy "
             "pieces of all such rows change sides.")
    assert whole in markdown(rules_in_words(game)).splitlines()
    text = (RULES / "othello.zrf").read_text("utf-8")
    (tmp_path / "rows.zrf").write_text(text.replace("(verify empty?)", "(verify empty? not-friend?)"), "utf-8")
    game = load(str(tmp_path / "rows.zrf"))
    line = ("If a row of one or more enemy pieces A ends at a piece of the player's own, all pieces on the way "
            "change sides, and the flag ‘outflanking’ is set.")
    assert f"  - {line}" in markdown(rules_in_words(game)).splitlines()
    wechseln = "wechseln alle überquerten Steine die Seite, und das Merkzeichen ‚outflanking‘ wird gesetzt."
    assert wechseln in markdown(rules_in_words(game, "de"))
    side_of, links = game.program.game.turns, game.program.game.board.links

    def turned(state: Position, start: int, side: int) -> set[int]:
        found: set[int] = set()
        for ways in links:
            row, at = [], ways[start]
            while at >= 0 and state.owner[at] not in (side, NOBODY):
                row, at = [*row, at], ways[at]
            found |= set(row) if at >= 0 and state.owner[at] == side else set()
        return found

    for position in list(random_game(game, 30, 5))[::3]:
        state, side = position.state, side_of[position.state.turn].side
        mine = {(start, frozenset(turned(state, start, side))) for start, owner in enumerate(state.owner)
                if owner == NOBODY and turned(state, start, side)}
        theirs = {(move.raw.key[1], frozenset(square for name, square, _, _ in move.raw.effects if name == "flip"))
                  for move in position.moves() if not move.raw.is_pass}
        assert mine == theirs


def test_a_distant_square_is_described_by_its_path(tmp_path: Path) -> None:
    """It is not called "its target square", which would say nothing."""
    (tmp_path / "far.zrf").write_text("""
        (game (title "Far") (players White Black) (turn-order White Black)
          (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1))))
          (piece (name Man) (moves (c1 n (verify empty?) add))) (board-setup (White (Man a1)) (Black (Man a2))))""",
                                       "utf-8")
    text = markdown(rules_in_words(load(tmp_path / "far.zrf")))
    assert "The piece on its own square goes to the next square up from c1; only if its target square is empty." in text


def test_a_piece_alone_is_shown_in_the_middle() -> None:
    """A king can move in all directions from nine squares; the middle one is chosen."""
    game = loads("""(game (title "Kings") (players White Black) (turn-order White Black)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("5/4/3/2/1" (0 9)))
                     (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
        (piece (name King) (moves (n add) (e add) (s add) (w add)))
        (board-setup (White (King a1)) (Black (King e5))) (loss-condition (White Black) (captured King)))""")
    starts = [game.program.game.board.places[p.start].name for p in pictures(rules_in_words(game))
              if ALONE.match(p.caption)]
    assert starts == ["c3"]


def test_a_player_with_other_directions_is_described_separately() -> None:
    """Two of Black's four directions are exchanged."""
    game = loads("""(game (title "Turned") (players White Black Red) (turn-order White Black Red)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
                     (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (symmetry Black (n e) (e n)))
        (piece (name Man) (moves (n (verify empty?) add)))
        (board-setup (White (Man a1)) (Black (Man b1)) (Red (Man c1)))
        (loss-condition (White Black Red) stalemated))""")
    sentence, = re.findall(r"Directions are given from the side of [^.]*\.", markdown(rules_in_words(game)))
    assert "White and Red" in sentence and "Black" not in sentence


CHAIN = """(version "2.0")
(define look-near (if (and (enemy? $1) (not (hit? $1))) $1 (if (empty? $1) (set-flag again true)) (go to)))
(define look-far (while (empty? $1) $1) (if (and (enemy? $1) (not (hit? $1))) $1 (if (empty? $1) (set-flag again true)))
                 (go to))
(define row (if hit? capture) (while (on-board? e) e (if hit? capture)))
(define done (if (flag? again) back (set-attribute hit? true) (go to) (add-partial leaps)
              else back capture a5 (row) a4 (row) a3 (row) a2 (row) a1 (row) (go to) (add-partial over)))
(define near ($1 (verify (and enemy? (not hit?))) mark $1 (verify empty?) to (set-flag again false)
              (look-near $1) (look-near $2) (look-near $3) (done)))
(define far ((while (empty? $1) $1) $1 (verify (and enemy? (not hit?))) mark
             (while (empty? $1) $1 to (set-flag again false) (look-far $1) (look-far $2) (look-far $3) (done))))
(game (title "Chain") (players White Black) (turn-order White Black) (move-priorities leaps walks)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("5/4/3/2/1" (0 9)))
         (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  (piece (name Hopper) (attribute hit? false) (moves (move-type leaps) (near n e w) (near e n s) (near s e w)
    (near w n s) (move-type walks) (n (verify empty?) add) (e (verify empty?) add)))
  (piece (name Flier) (attribute hit? false) (moves (move-type leaps) (far n e w) (far e n s) (far s e w) (far w n s)
    (move-type walks) (w (verify empty?) add) (s (verify empty?) add)))
  (board-setup (White (Hopper a1 c1 e1) (Flier b1 d1)) (Black (Hopper b4 d4 c3) (Flier a5 c5)))
  (loss-condition (White Black) stalemated))"""
"""Chains of captures, next to the piece or from afar; captured pieces stay on the board until the turn ends."""

CHAINED = {
    "en": ("- Jumps straight up, down, left or right over an enemy piece next to it, to an empty square directly "
           "behind; the piece jumped over is captured; if it can capture again from there, it has to go on in the "
           "same turn; no piece may be jumped over twice, and all pieces jumped over stay on the board until the "
           "turn ends.",
           "- Captures from any distance straight up, down, left or right: passes empty squares (or none), jumps over "
           "one enemy piece, and lands on any of the empty squares behind it;", "Whoever can capture has to capture."),
    "de": ("kein Stein darf zweimal übersprungen werden", "Schlägt gerade nach oben, unten, links oder rechts aus "
           "beliebiger Entfernung: erst über leere Felder", "Wer schlagen kann, muss schlagen.")}


def test_captures_that_wait_for_the_end_of_the_turn_are_one_sentence(tmp_path: Path) -> None:
    """The reader marks pieces and goes on as long as the same capture is possible. Blocks that don't look in every
    direction are described differently."""
    (tmp_path / "chain.zrf").write_text(CHAIN, "utf-8")
    game = load(tmp_path / "chain.zrf")
    for language, sentences in CHAINED.items():
        text = markdown(rules_in_words(game, language))
        assert not [words for words in sentences if words not in text], text
        assert "hit?" not in text
    assert sum(compared(game, 8, 30, seed) for seed in range(4)) > 100
    (tmp_path / "chain.zrf").write_text(CHAIN.replace("(look-near $3)", ""), "utf-8")
    assert "‘hit?’" in markdown(rules_in_words(load(tmp_path / "chain.zrf"))), "one direction is not looked along"


@pytest.mark.parametrize(("name", "language", "sentences"), [
    ("halma", "en", ("They take turns; White begins.", "It may then go on in the same way, as often as it can in this "
                     "turn, but only if the last step did not begin on its target square.")),
    ("halma", "de", ("Dann darf er in diesem Zug ebenso weiterziehen, so oft er kann, aber nur, wenn",)),
    ("checkers", "en", ("Captures:", "Other moves:", "with another capture if it can.")),
    ("amazons", "en", ("Further steps in the same turn:", "under ‘Further steps in the same turn’, if it can.")),
    ("shogi", "en", ("only if the square is not on the last row, there is no square forward of the square, up to the "
                     "edge, where a Pawn of its own side is on that square",)),
    ("shogi", "de", ("es von dem Feld aus nach vorn bis zum Rand kein Feld gibt, bei dem auf dem jeweiligen Feld",)),
    ("amazons", "de", ("Weitere Schritte im selben Zug:",))])
def test_move_types_are_named_by_their_meaning(name: str, language: str, sentences: tuple[str, ...]) -> None:
    """Names of move types in the rules file are never used; repeated steps are described once."""
    game = load(name)
    text = markdown(rules_in_words(game, language))
    assert not [words for words in sentences if words not in text], text
    assert not [kind for kind in game.program.move_types if re.search(rf"[‘‚]{kind}[’‘]", text)]


SWEEP = """(version "zrf+")
(define rest (if (and (piece? Man) tired? (not-piece? Man w)) (set-attribute tired? false)))
(define row (rest) (while (on-board? e) e (rest)))
(define walk ((verify (not tired?)) $1 (verify (and empty? (equal? (counter open) 1)))
              mark a1 (row) a2 (row) a3 (row) back (set-attribute tired? true) add))
(game (title "Sweep") (players White Black) (turn-order White Black) (counter open 1)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
         (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  (piece (name Man) (attribute tired? false) (moves (walk n) (walk e) (walk s) (walk w)))
  (board-setup (White (Man a1 b1)) (Black (Man c3))))"""


def test_an_effect_on_every_square_is_one_sentence(tmp_path: Path) -> None:
    """A counter that never changes is left out; `words_reader.py` finds the effects of a loop over the whole board."""
    (tmp_path / "sweep.zrf").write_text(SWEEP, "utf-8")
    game = load(tmp_path / "sweep.zrf")
    assert compared(game, 8, 12, seed=1) > 8
    text = markdown(rules_in_words(game))
    assert "‘tired?’ and no Man is on the next square left from that square, the piece on that square" in text
    assert "step by step" not in text and "‘open’ is 1;" not in text


FLAGGED = """(game (title "Flagged") (players White Black) (turn-order White Black)
  (define friend-there? (and (on-board? $1) (not-position-flag? left $1) (or (position-flag? come $1) (friend? $1))))
  (define free-there? (and (on-board? $1) (or (position-flag? left $1) (empty? $1))))
  (define enemy-there? (and (on-board? $1) (not-position-flag? left $1) (enemy? $1)))
  (define pin (if (and (enemy-there? $1) (friend-there? $2) (or (free-there? $3) (free-there? $4))) (capture $1)))
  (define shift ((set-position-flag left true) $1 (verify empty?) (set-position-flag come true)
    (pin n s nn ss) (pin e w ee ww) (pin s n ss nn) (pin w e ww ee)
    (if (friend-there? $1) mark $1 (pin $1 $2 $3 $4) back) add))
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (10 0)) ("5/4/3/2/1" (0 10)))
    (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0) (nn 0 -2) (ss 0 2) (ee 2 0) (ww -2 0))))
  (piece (name Man) (moves (shift n s nn ss) (shift e w ee ww) (shift s n ss nn) (shift w e ww ee)))
  (board-setup (White (Man a1 b1 c1 d1 b2 d3)) (Black (Man a5 b5 c5 d5 b4 c3)))
  (loss-condition (White Black) (pieces-remaining 0)))"""
"""Captures that depend on the board after the move: the square left is free, the target square is taken."""


def test_flagged_squares_are_described_by_the_board() -> None:
    game = loads(FLAGGED)
    text = markdown(rules_in_words(game))
    assert "own square is" not in text and "its target square is not" not in text and "on the board" not in text
    assert "- Moves one square straight up, down, left or right to an empty square; if a piece of its own" in text
    assert compared(game, 12, 60, seed=5) > 100


WORDS = sorted((Path(__file__).parent / "words").glob("*.zrf"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", WORDS, ids=lambda path: path.stem)
def test_pages_match_their_golden_files(path: Path, language: str) -> None:
    """The games together use every kind of path, effect, condition, number, end and option; `ZRF_WRITE_GOLDEN=1`
    regenerates the pages."""
    text = "\n".join(markdown(rules_in_words(game, language)) for game in games(load_file(path)))
    if language != LANGUAGES[0]:
        text = re.sub(r"```text\n.*?```\n+", "", text, flags=re.DOTALL)  # the drawings do not depend on the language
    golden = path.with_suffix(f".{language}.md")
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        golden.write_text(text, "utf-8")
    assert text.splitlines() == golden.read_text("utf-8").splitlines()


@pytest.mark.parametrize("path", [path for path in WORDS if path.stem != "steps"], ids=lambda path: path.stem)
def test_a_reader_finds_the_moves_of_any_men_anywhere(path: Path) -> None:
    """The boards are filled at random with men of every type."""
    choice, count = random.Random(1), 0
    for game in games(load_file(path)):
        if game.program.game.options.recycle_promotions:  # described among general rules, which this reader skips
            continue
        program, kinds = game.program, range(len(game.program.game.pieces))
        playing = [n for n, player in enumerate(program.game.players) if player.kind == "player"]
        once = cache(lambda kind, drop, program=program: list(told(program, kind, drop)))
        for _ in range(8):
            men = {square: (choice.choice(playing), choice.choice(kinds))
                   for square in range(len(program.game.board.places)) if choice.random() < 0.5}
            moves, found = disagreement(program, with_men(game, men).state, choice.choice(playing), once)
            assert not found, f"{game.title}: {found}"
            count += moves
    assert count > 30


@pytest.mark.slow
def test_nearly_all_sentences_occur_on_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that occurs on no page of these tests could be wrong without being noticed."""
    used: set[str] = set()
    monkeypatch.setattr(Language, "__call__", lambda say, key, **_: used.add(key) or key)
    for path in WORDS:
        for game in games(load_file(path)):
            rules_in_words(game)
    othello = (RULES / "othello.zrf").read_text("utf-8")
    for text in (IDIOMS, ALIKE, SWEEP, CHAIN, MILL, TAKEN, SOW, LONG, REST, REACH, KEPT, WHEEL,
                 WHEEL.replace(ROUND, ROLL),
                 othello.replace("      flip\n", "      capture\n"),
                 othello.replace("(pieces-remaining 0)", "(absolute-config (not Disc) (a1 b1))"),
                 othello.replace("  back)", "  back add)").replace("(verify empty?)", "(verify empty? not-friend?)")):
        rules_in_words(loads(text))
    for name in ("othello", "monks-sol-II-free", "peg-solitaire", "halma", "checkers", "amazons", "shogi",
                 "rakado-star-2p"):
        rules_in_words(load(name))
    # needed in long sentences only, but the patched `Language` returns short keys
    used |= {"condition.name", "condition.meaning", "far-square.name", "far-square.meaning", "in-parallel"}
    unused = [key for key in table("en") if key not in used and not key.startswith(("n.", "colour."))]
    assert len(unused) < 73, unused


def test_long_conditions_are_named_and_shared_parts_written_once() -> None:
    """Sentences refer to a condition by its name, which the page explains."""
    english, german = (markdown(rules_in_words(load("wuerfel-2p"), language)) for language in LANGUAGES)
    for page, name in ((english, "[Cc]ondition"), (german, "Bedingung")):
        meanings = dict(re.findall(rf"^{name} ([A-Z]): (.*)\.$", page, re.MULTILINE))
        assert list(meanings) == sorted(meanings) and len(meanings) >= 3
        sentences = "\n".join(line for line in page.splitlines() if line.lstrip().startswith("- "))
        for letter, meaning in meanings.items():
            assert meaning not in sentences and len(re.findall(rf"{name} {letter}\b", page)) >= 2
    assert english.count("Stays where it is;") == 2 and english.count("  - The counter ‘second-die’ becomes 3;") == 1
    assert english.count("- Part 1:") == 1 and english.count("- As in part 1.") >= 1
    assert len(english.split()) < 4_000
    rakado = markdown(rules_in_words(load("rakado-square-2p")))
    assert "two/three/four/five/six squares up" in rakado and "the first ones belong together" in rakado
    assert "\nMoves as described for S, with ‘down’ in place of ‘up’ and ‘N-home’ in place of ‘S-home’.\n" in rakado


def test_a_direction_of_two_steps_is_described_by_its_steps(tmp_path: Path) -> None:
    """Pieces in hand count if the option says so; no direction has to be listed square by square."""
    (tmp_path / "two.zrf").write_text("""
        (game (title "Two") (players White Black) (turn-order White Black) (option "include off-pieces" true)
          (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("4/3/2/1" (0 9)))
                       (directions (n 0 -1) (nn 0 -2) (s 0 1) (ss 0 2)))
                 (symmetry Black (n s) (s n) (nn ss) (ss nn)))
          (piece (name Man) (moves ((verify (enemy? n)) nn (verify empty?) add)) (drops ((verify empty?) add)))
          (board-setup (White (Man a1 off 2)) (Black (Man a2 off 2)))
          (loss-condition (White) (pieces-remaining 1)))""", "utf-8")
    game = load(tmp_path / "two.zrf")
    text = markdown(rules_in_words(game))
    assert "‘nn’" not in text
    assert "Jumps forward over an enemy piece next to it, to an empty square directly behind." in text
    assert compared(game, 4, 6, seed=1) > 4
    assert "For White the game is lost if exactly one of their pieces is left, counting those in the hand." in text
    german = markdown(rules_in_words(game, "de"))
    assert "übrig ist, Steine in der Hand mitgezählt." in german


MILL = """(version "2.0")
(define own (and (friend? $1) (not (position-flag? left $1))))
(define closes? (or (and (own r1) (own r2) (own r3)) (and (own c1) (own c2) (own c3))))
(define safe? (or (and (enemy? r1) (enemy? r2) (enemy? r3)) (and (enemy? c1) (enemy? c2) (enemy? c3))))
(define loose (set-flag open false) on
  (while (not-position-flag? here) (if (and enemy? (not (safe?))) (set-flag open true)) on))
(define take on
  (while (not-position-flag? here)
    (if (and enemy? (or (not (safe?)) (not-flag? open))) mark (while (not-position-flag? here) on) to back capture add)
    on))
(define rest (if (closes?) (set-position-flag here true) (loose) (take) (set-position-flag here false) else add))
(define step ((set-position-flag left true) $1 (verify empty?) (rest)))
(define far ((set-position-flag left true) (set-flag a false) (set-flag b false) on
  (while (not-position-flag? left) (if friend? (if (flag? a) (set-flag b true)) (set-flag a true)) on)
  (verify (not-flag? b)) on (while (not-position-flag? left) (if empty? (rest)) on)))
(define row (links r1 ($1 $2) ($2 $3) ($3 $4) ($4 $1)) (links r2 ($1 $3) ($2 $4) ($3 $1) ($4 $2))
  (links r3 ($1 $4) ($4 $3) ($3 $2) ($2 $1)))
(define file (links c1 ($1 $2) ($2 $3) ($3 $4) ($4 $1)) (links c2 ($1 $3) ($2 $4) ($3 $1) ($4 $2))
  (links c3 ($1 $4) ($4 $3) ($3 $2) ($2 $1)))
(game (title "Mill") (players White Black) (turn-order White Black) (move-priorities drop walk)
  (option "include off-pieces" true)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
         (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0)))
    (row a4 b4 c4 d4) (row a3 b3 c3 d3) (row a2 b2 c2 d2) (row a1 b1 c1 d1)
    (file a4 a3 a2 a1) (file b4 b3 b2 b1) (file c4 c3 c2 c1) (file d4 d3 d2 d1)
    (links on (a1 a2) (a2 a3) (a3 a4) (a4 b1) (b1 b2) (b2 b3) (b3 b4) (b4 c1) (c1 c2) (c2 c3) (c3 c4) (c4 d1) (d1 d2)
      (d2 d3) (d3 d4) (d4 a1)))
  (piece (name Stone) (drops (move-type drop) ((verify empty?) (rest)))
    (moves (move-type walk) (step n) (step e) (step s) (step w) (far)))
  (board-setup (White (Stone off 6)) (Black (Stone off 6))) (loss-condition (White Black) (pieces-remaining 1)))"""
"""Four in a row take one piece, and whoever has few pieces left may go anywhere."""

MILLS = {
    "en": ("- Moves one square straight up, down, left or right to an empty square; if this makes a row of four pieces "
           "of its own side, horizontally or vertically, an enemy piece of the player's choice is captured; if "
           "possible, one that is not in a row of four enemy pieces, horizontally or vertically.",
           "- May be placed from the hand on any empty square; if this makes a row of four pieces",
           "- Goes to any empty square, however far away;",
           "all this only if fewer than two other pieces of its own side are on the board."),
    "de": ("wenn damit eine Reihe von vier eigenen Steinen (waagerecht oder senkrecht) entsteht, wird ein gegnerischer "
           "Stein nach Wahl geschlagen; wenn möglich, einer, der in keiner Reihe von vier gegnerischen Steinen",
           "weniger als zwei andere eigene Steine auf dem Brett sind")}


def test_rows_that_take_a_piece_are_one_sentence(tmp_path: Path) -> None:
    """The reader finds rows on the drawn lines, counts pieces, and captures one of the player's choice."""
    (tmp_path / "mill.zrf").write_text(MILL, "utf-8")
    game = load(tmp_path / "mill.zrf")
    for language, sentences in MILLS.items():
        text = markdown(rules_in_words(game, language))
        assert not [words for words in sentences if words not in text], text
        assert "step by step" not in text and "Schritt für Schritt" not in text
    assert sum(compared(game, 8, 60, seed) for seed in range(4)) > 200
    other = MILL.replace("(and (own c1) (own c2) (own c3))", "(and (own c1) (own c2))")
    (tmp_path / "mill.zrf").write_text(other, "utf-8")
    assert "this makes a row" not in markdown(rules_in_words(load(tmp_path / "mill.zrf"))), "no row of the board"


def test_the_win_of_a_solitaire_names_no_player() -> None:
    words = markdown(rules_in_words(load("monks-sol-II-free")))
    assert "either every square holds a Man or none does: a2 and b1; a3 and c1;" in words
    assert "of their own" not in words and "Solver wins" not in words


TAKEN = """(version "zrf+")
(define held (if (and (on-board? $1) (enemy? $1)) mark $1 (if (and (on-board? $1) (friend? $1))
  (if (piece? Lord) (change-type Ruin) (change-owner) else capture)) back))
(define walk ($1 (verify empty?) (held n) (held e) (held s) (held w) add))
(define far ($1 (verify empty?) $1 (verify not-empty?) $1 (verify empty?) $1 (verify empty?) add))
(define some (if (and friend? (piece? Lord)) (set-flag lord true)))
(define row (some) (while (on-board? e) e (some)))
(define call (mark (set-flag lord false) a1 (row) a2 (row) a3 (row) a4 (row) a5 (row) (verify (flag? lord)) back
              a1 (while (on-board? e) (if empty? add) e) (verify empty?) add))
(define press ($1 (verify empty?) (if (and (in-zone? edge) (not-in-zone? edge n)) (set-attribute tired? true))
               (if (in-zone? edge) must-continue) (add-partial goes)))
(game (title "Taken") (players White Black) (turn-order White Black) (option "pass partial" true)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("5/4/3/2/1" (0 9)))
         (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0)))
         (zone (name edge) (players White Black) (positions a5 b5 c5 d5 e5)))
  (piece (name Man) (moves (walk n) (walk e) (walk s) (walk w)))
  (piece (name Lord) (moves (far n) (far e) (far s) (far w)))
  (piece (name Ruin) (moves (call)))
  (piece (name Elk) (attribute tired? false) (moves (move-type goes) (press n) (press e)))
  (board-setup (White (Man a1 c1 e1 d3) (Lord b1 d1) (Ruin c2) (Elk a2))
               (Black (Man a5 c5 e4) (Lord b4 d4) (Ruin c4))))"""
"""Captures between two pieces, jumps amid empty squares, moves to any empty square of a row, conditional effects."""


def test_effects_with_conditions_are_one_sentence(tmp_path: Path) -> None:
    """A reader who follows the sentences finds the moves of the game; effects in all directions are written once."""
    (tmp_path / "taken.zrf").write_text(TAKEN, "utf-8")
    game = load(tmp_path / "taken.zrf")
    assert sum(compared(game, 10, 30, seed) for seed in range(4)) > 100
    text, german = (markdown(rules_in_words(game, language)) for language in LANGUAGES)
    for words in (
        "Moves one square straight up, down, left or right to an empty square; in each direction – way A, way B and "
        "way C – counting squares from its target square, this happens: (if an enemy Lord is on the first square "
        "and a piece of its own side is on the second square, the piece on the first square becomes",
        "(way A, way B, way C) stand for: (up, right, left), (right, up, down), (down, right, left) or (left, up",
        "over a piece of either side two squares away, with only empty squares on both sides of it, to the square just",
        "Goes to any square of the blue zone, however far away; only if a Lord of its own side is on the board",
        "If its target square is in the red zone, the turn may not end with this step",
    ):
        assert words in text, text
    assert "in jeder Richtung – in Richtung A, in Richtung B und in Richtung C –, mit Feldern von seinem Ziel" in german
    assert "step by step" not in text


SOW = """(version "2.0")
(define more (if empty? (create one)) (if (piece? one) (create two)) (if (piece? two) (create three))
  (if (piece? three) (create four)) (if (piece? four) (create five)))
(define next on (more))
(define sow mark on on (set-position-flag last true) back
  (while (not-position-flag? last) (next)) back (change-type one) add)
(game (title "Sow") (players You) (turn-order You) (engine "Sower/axiom.dll")
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("1" (0 9))) (directions (on 1 0)))
         (links on (d1 a1)))
  (piece (name one) (moves ((sow))))
  (piece (name two)) (piece (name three)) (piece (name four)) (piece (name five))
  (board-setup (You (one a1 b1) (three c1)))
  (loss-condition (You) stalemated))"""
"""Types of pieces that are numbers: a move adds one to the number of the next square."""


def test_pieces_used_as_counters_are_described_in_one_sentence() -> None:
    """Consecutive tests of types become a list of pairs: a piece of type A becomes one of type B."""
    game = loads(SOW)
    english, german = (markdown(rules_in_words(game, language)) for language in LANGUAGES)
    listed, = re.findall(r"Do this with each of these as A, B, one after the other: (.*)\.", english)
    pairs = re.findall(r"\((\w+), (\w+)\)", listed)
    assert len(pairs) == 4 and "Der Reihe nach mit jedem dieser Werte als A, B: (one, two)" in german
    kinds = [piece.name for piece in game.program.game.pieces]
    for item, after in pairs:
        before = with_men(game, {0: (0, 0), 1: (0, kinds.index(item))})
        states = [play(game.program, before.state, move.raw) for move in before.moves()
                  if (move.raw.key[0], len(move.raw.effects)) == (0, 3)]
        assert {kinds[state.piece[1]] for state in states} == {after}
    assert "The rules file names a program (Sower/axiom.dll) that has rules of its own" in english
    assert "The file itself gives it no moves." in english


LONG = """(version "zrf+")
(define some (if (friend? e) (flip e)) (if (friend? e) (flip e)) (if (friend? e) (flip e)) (if (friend? e) (flip e)))
(define more (some) (some) (some) (some))
(define many (more) (more) (more) (more) (more) (more) (more) (more))
(game (title "Long") (counter heat 5) (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
               (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
  (piece (name Man) (attribute tired? false) (moves
    (n (verify empty?) (many) (if (enemy? w) (capture w)) (change-type King s) (set-attribute tired? true)
       (create Man n) add)
    (s (verify empty?) (add King))))
  (piece (name King) (moves (w (verify empty?) add) (s (many) (verify not-friend?) (change-owner e) (add King Man))
    (e (many) (verify empty?) (set-counter heat 1) (add-to-counter heat 2)
       (next-turn 1) add)))
  (board-setup (White (Man a1 b1 c1 d1)) (Black (Man a4 b4 c4 d4))) (draw-condition (White Black) stalemated))"""


def test_long_blocks_are_described_by_their_effects() -> None:
    """The text lists every effect of the block's moves, and no other."""
    game = loads(LONG)
    text = markdown(rules_in_words(game))
    start = "The rules of these moves are too long to be listed step by step. These rules look from square to square "
    assert (start + "up. Pieces may change sides. Pieces may be captured. Pieces may become King. Pieces may become, "
            "or cease to be: tired?. New pieces may appear: Man.") in text
    assert (start + "down or right. Pieces may change sides. Pieces may change to the mover's side. "
            "The piece may become Man or King. Counters may change: heat. Counters may grow: heat. "
            "The order of turns may change.") in text
    german = markdown(rules_in_words(game, "de"))
    assert "Schritt für Schritt. Sie gehen von Feld zu Feld nach unten oder nach rechts. Steine können" in german
    names = {name for seed in range(6) for position in random_game(game, 12, seed) for move in position.moves()
             for name, *_ in move.raw.effects}
    assert names == {"flip", "change-type", "set-attribute", "create", "change-owner", "set-counter",
                     "add-to-counter", "next-turn"}


RUNS = """(version "zrf+") (game (title "Runs") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
    (zone (name top) (players White Black) (positions a4 b4 c4 d4))
    (zone (name third) (players White Black) (positions a3 b3 c3 d3)))
  (piece (name Man) (moves (n (verify empty?) add (while {test} n add))))
  (board-setup (White (Man a1 b1)) (Black (Man c1 d1))) (draw-condition (White Black) stalemated))"""


def test_a_zone_where_runs_end_anyway_is_not_mentioned() -> None:
    """A test for a zone on the last rank has no effect, but one for a zone on the way stops the run."""
    games = [loads(RUNS.replace("{test}", test)) for test in (
        "(empty? n)", "(and (empty? n) (not-in-zone? top))", "(and (empty? n) (not-in-zone? third))")]
    run = "then over any number of empty squares (or none) up, then one square up"
    assert [run in markdown(rules_in_words(game)) for game in games] == [True, True, False]
    plain, idle, stopped = (game.start().perft(2) for game in games)
    assert plain == idle > stopped


WALL = """(version "2.0")
(define slide (while (and (on-board? e) (empty? e)) e (verify (not-position-flag? wall))))
(game (title "Wall") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f" (9 0)) ("2/1" (0 9)))
               (directions (e 1 0) (w -1 0))))
  (piece (name Man) (moves (d1 (set-position-flag wall true) (go from) (slide) (verify empty?) add)
                           (w (verify empty?) add)))
  (board-setup (White (Man a1 b2)) (Black (Man f1 e2))) (loss-condition (White Black) stalemated))"""


def test_a_loop_tests_square_flags_set_before_it() -> None:
    game = loads(WALL)
    assert sum(compared(game, 8, 8, seed) for seed in range(3)) > 30
    assert "and the next square right from that square is not d1, to an empty square" in markdown(rules_in_words(game))


REST = """(version "zrf+")
(define rest (if tired? (set-attribute tired? false)))
(define row (rest) (while (on-board? e) e (rest)))
(define some (if (piece? Lord) (set-flag lord true)))
(define seek (some) (while (on-board? e) e (some)))
(game (title "Rest") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
         (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0) (se 1 1) (sw -1 1) (ne 1 -1) (nw -1 -1)))
         (symmetry Black (n s) (s n) (ne se) (se ne) (nw sw) (sw nw))
         (zone (name camp) (players White Black) (positions a1 b2)))
  (piece (name Man) (attribute tired? false) (moves
      (sw (verify empty?) add) (se (verify empty?) (verify (enemy? n)) add)
      (n (verify empty?) mark a1 (row) a2 (row) a3 (row) back (set-attribute tired? true) add)
      (s (verify empty?) mark (set-flag lord false) a1 (seek) a2 (seek) a3 (seek) back (verify (not-flag? lord)) add))
    (drops (camp (verify empty?) add) (c3 (verify empty?) add)))
  (piece (name Lord) (moves (se (verify empty?) add) (sw (verify empty?) add) (n (verify empty?) add)))
  (piece (name King) (moves (n (verify not-friend?) add) ((while (enemy? n) n) (verify enemy?) add)))
  (board-setup (White (Man b1 off 2) (Lord a2) (King c1)) (Black (Man b3 off 2) (Lord c2) (King a3)))
  (loss-condition (White Black) (checkmated King)))"""
"""A game with pieces that go backward, effects on all squares (tired men rest), drops on a zone or square, a king."""


def test_effects_on_all_squares_or_none_are_described(tmp_path: Path) -> None:
    """A reader who follows these sentences finds the moves; drops are described under the squares that allow them."""
    game = loads(REST)
    assert sum(compared(game, 10, 12, seed) for seed in range(3)) > 30
    text = markdown(rules_in_words(game))
    for words in (
        "no piece is ‘tired?’ any longer", "only if there is no square where a Lord is on that square",
        "Moves one square forward or diagonally backward to an empty square.", "one square backward left to an empty",
        "Only in the blue zone:", "On c3:", "Goes over a row of enemy pieces (or none) forward",
        "has no legal move and is not in check, the game is drawn",
    ):
        assert words in text, text
    assert "kein Stein ist mehr ‚tired?‘" in markdown(rules_in_words(game, "de"))


LONE = """(game (title "Alone") (players White Black) (turn-order White Black)
 (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (e 1 0))))
 (piece (name Man) (moves (n (verify empty?) add))) (piece (name King) (moves (e (verify not-friend?) add)))
 (board-setup (White (Man a1)) (Black (King b2))) ({condition}))"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_goal_with_one_part_is_described_like_the_part(language: str) -> None:
    """`and` and `or` around a single part have no effect."""
    for goal in ("(absolute-config Man (a2))", "(absolute-config (any-owner Man) (a2 b2))", "(captured King)",
                 "(checkmated King)", "repetition", "(pieces-remaining 1)", "(pieces-remaining 1 King)",
                 "(total-piece-count 3)", "(not (absolute-config Man (a2)))"):
        plain, *wrapped = (markdown(rules_in_words(loads(LONE.format(condition=f"loss-condition (White) {form}")),
                                                   language)) for form in (goal, f"(and {goal})", f"(or {goal})"))
        assert wrapped == [plain] * 2, goal


REACH = """(version "2.0")
(define by ($1 (verify empty?) add))
(define guard ((verify (or (piece? Lord n) (piece? Lord s) (piece? Lord e) (piece? Lord w))) $1 (verify empty?) add))
(define between ($1 (verify empty?) to mark (take n) back (take s) back (take e) back (take w) add))
(define take (if (enemy? $1) $1 (if (friend? $1) capture)))
(define four (or (relative-config Man $1 Lord $1 (not (any-owner Man)) $1 Lord)
                 (relative-config Man $2 Lord $2 (not (any-owner Man)) $2 Lord)))
(game (title "Reach") (players White Black) (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
      (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0)))
    (zone (name deep) (players White Black) (positions b2 c3)))
  (piece (name Man) (moves (guard n) (guard s) (guard e) (guard w)))
  (piece (name Lord) (moves (between n) (between s)))
  (piece (name Page) (moves (by n)))
  (board-setup (White (Man a1 c1) (Page d1) (Lord b1)) (Black (Man a4 c4) (Page d4) (Lord b4)))
  (win-condition (White Black) (four n e)))"""
"""A game with conditions and patterns in several directions."""


def test_conditions_in_several_directions_are_described_once() -> None:
    """Conditions and patterns that differ only in direction are one clause; `words_reader.py` reads the same moves."""
    game = loads(REACH)
    text = markdown(rules_in_words(game))
    assert "in at least one direction – up, down" in text and "its own square, a Lord is on the first square" in text
    assert "that has a piece of the player's own directly behind it is" in text
    assert "one square up or right from there a Lord of their own; one square the same way from there" in text
    assert sum(compared(game, 6, 20, seed) for seed in range(3)) > 40
    german = markdown(rules_in_words(game, "de"))
    assert "mindestens in einer Richtung" in german
    assert "dass auf dem ersten Feld ein Stein der Art Lord steht" in german


KEPT = """(version "2.0")
(define take ($1 (verify enemy?) cascade h1 (while not-empty? keep) add))
(define step ($1 (verify empty?) add))
(define far ($1 (verify enemy?) cascade h1 keep (while not-empty? keep) add))
(define last ($1 (verify enemy?) cascade h1 (while (and not-empty? (not-position? h3)) keep) (verify empty?) add))
(define seize ($1 (verify enemy?) cascade h1 keep (while (and not-empty? (not-position? h3)) keep) (verify empty?) add))
(define anywhere (h1 (while on-board? (verify empty?) (verify (not-position? h3)) add keep)))
(game (title "Kept") (players White Black) (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
    (positions (h1 90 0 99 9) (h2 90 10 99 19) (h3 90 20 99 29))
    (links keep (h1 h2) (h2 h3))
    (zone (name held) (players White Black) (positions h1 h2 h3)))
  (piece (name Man) (moves (take n) (take e) (step n) (step e)))
  (piece (name Rook) (moves (far n) (far e) (step n) (step e)))
  (piece (name Page) (moves (last n) (step e) (anywhere)))
  (piece (name Lord) (moves (seize n) (step e)))
  (board-setup (White (Man a1 b1) (Rook c1) (Page a2)) (Black (Man a3) (Rook b3) (Lord c2)))
  (loss-condition (White Black) (pieces-remaining 0)))"""
"""A game in which captured pieces are kept on the first empty square of a row beside the board."""


def test_the_end_of_a_slide_is_named_by_its_obstacle() -> None:
    game = loads(KEPT)
    text = markdown(rules_in_words(game))
    assert "the piece on its target square goes to the first empty square from h1 on, going down; all this" in text
    assert "goes to the first empty square down from h1;" in text and "where it is empty or it is h3" in text
    assert sum(compared(game, 6, 20, seed) for seed in range(3)) > 30


def test_a_run_that_tests_the_next_square_is_not_named_by_an_obstacle() -> None:
    """The run ends one square before the obstacle: beside the enemy, not on its square."""
    game = loads("""(game (title "Near") (players White Black) (turn-order White Black)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("5/4/3/2/1" (0 9)))
        (directions (n 0 -1) (s 0 1))))
      (piece (name Man) (moves (mark (while (empty? n) n) (set-flag near (enemy? n)) back s (verify empty?)
        (verify (flag? near)) add)))
      (board-setup (White (Man a2)) (Black (Man a5))) (loss-condition (White Black) stalemated))""")
    assert [str(move) for move in game.start().moves()] == ["Man a2 - a1"]
    text = markdown(rules_in_words(game))
    assert "the square reached from its own square by going on up as long as the next square up from that" in text
    assert "where it is occupied" not in text


WHEEL = """(game (title "Wheel") (players A B) (turn-order A B)
 (board (positions (a 40 0 50 10) (b 80 40 90 50) (c 40 80 50 90) (d 0 40 10 50) (e 40 40 50 50))
   (links round (a b) (b c) (c d) (d a)) (links anti (b a) (c b) (d c) (a d))
   (links in (a e) (b e) (c e) (d e)) (links out (e a)) (links right (e b)) (links down (e c)) (links left (e d)))
 (piece (name Man) (moves (round (verify empty?) add) (anti (verify empty?) add))) (board-setup (A (Man a)) (B (Man c)))
 (loss-condition (A B) stalemated))"""
"""A board whose directions are not named after points of the compass."""
ROUND = "(round (verify empty?) add) (anti (verify empty?) add)"
ROLL = " ".join(f"({name} (verify empty?) add)" for name in ("round", "anti", "in", "out", "right", "down", "left"))


def test_moves_on_an_irregular_board_are_along_lines() -> None:
    """Moves along all links of a board are described without naming its directions."""
    text = markdown(rules_in_words(loads(WHEEL.replace(ROUND, ROLL))))
    assert "- Moves one square along any line to an empty square." in text and "‘round’" not in text
    some = markdown(rules_in_words(loads(WHEEL)))
    assert "- Moves one square in the direction ‘round’ or ‘anti’ to an empty square." in some
    assert "- In the direction ‘round’: a-b-c-d-a." in some


@pytest.mark.parametrize(("names", "german"), [
    ("Dame", "zur Dame"), ("Turm oder Dame", "zum Turm oder zur Dame"), ("Queen, Rook oder Page", "zu Queen, Rook"),
    ("Dame, Turm oder Hofnarr", "zur Dame, zum Turm oder zu Hofnarr")])
def test_german_names_have_a_gender_where_it_is_known(names: str, german: str) -> None:
    assert plain(Language("de")("becomes", types=names)).startswith(f"der Stein wird {german}")


@pytest.mark.parametrize(("colour", "language"), [("blue zone", "en"), ("blauen Zone", "de")])
def test_zones_of_sentences_are_tinted_on_the_board(colour: str, language: str) -> None:
    """A square that belongs to several zones has a stripe of each; the legend names the first player's zones."""
    game = load("platonic-simple-2p")
    rules = rules_in_words(game, language)
    assert colour in markdown(rules)
    board, first, second, third = (block for section in rules.sections if section.level == 2
                                   for block in section.blocks if isinstance(block, Picture))
    tinted = (picture.svg.partition('class="tints"')[2] for picture in (board, first, second, third))
    counts = [Counter(re.findall(r'<rect [^>]*fill="(#\w+)"', svg.partition("</g>")[0])) for svg in tinted]
    assert sorted(counts[0].values()) == [8, 8, 36] and sorted(counts[1].values()) == [8, 8]
    assert sorted(counts[3].values()) == [36]
    page = html(rules)
    assert board.colours and board.colours in page and board.colours not in markdown(rules)
    names = {"en": ("Blue", "Red", "Green"), "de": ("Blau", "Rot", "Grün")}[language]
    assert all(name in board.colours for name in names)


def unexplained(text: str) -> list[str]:
    """Return the references to moves, conditions, squares, parts, zones and rules that a page doesn't explain."""
    kinds = {f"kind {n}" for n in re.findall(r"moves? of kind (\d+)", text) if f"\nMoves of kind {n}:" not in text}
    conditions = {f"condition {letter}" for letter in re.findall(r"condition ([A-Z]) holds", text)
                  if f"\nCondition {letter}: " not in text}
    squares = {f"square {c}" for c in re.findall(r"[Ss]quare ([N-Z])\b", text) if f"\nSquare {c} is " not in text}
    parts = {f"part {n}" for n in re.findall(r"As in part (\d+)", text) if f"- Part {n}:" not in text}
    zones = {zone for zone in re.findall(r"the ([\w ]{3,10} zone)\b", text) if zone.capitalize() not in text}
    further = {f for f in re.findall(r"under ‘(Further.*?)’", text) if f"\n{f}:" not in text}
    return sorted(kinds | conditions | squares | parts | zones | further)


PLAYABLE = ("chess", "nine-mens-morris", "xiangqi", "platonic-simple-2p", "wuerfel-2p", "rakado-star-2p", "stern-2p",
            "monks-sol-I", "catmouse", "international-draughts")


@pytest.mark.parametrize("name", [*PLAYABLE[:2], *slow(PLAYABLE[2:])])
def test_descriptions_define_their_terms(name: str) -> None:
    """Every colour marks squares of a picture, and every number and letter is explained."""
    text = markdown(rules_in_words(load(name)))
    assert not unexplained(text)
    assert not re.search(r"\barea\b|\ban One\b|reached from", text)
    assert not re.search(r"\{|\}|only if (never|always)", text)


@pytest.mark.parametrize("count", [10, 30])
def test_a_move_with_many_conditions_is_described_step_by_step(count: int) -> None:
    """Nobody would read a sentence with thirty conditions, and joining hundreds of them would take minutes."""
    asked = " ".join(f"(if (or a{i} (enemy? n)) (set-flag f{i} true)) (verify (or a{i} (flag? f{i}) (friend? e)))"
                     for i in range(count))
    attributes = " ".join(f"(attribute a{i} false)" for i in range(count))
    text = markdown(rules_in_words(loads(f"""(version "2.0") (game (title "Many") (players A B) (turn-order A B)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (e 1 0))))
      (piece (name Man) {attributes} (moves ({asked} n (verify empty?) add)))
      (board-setup (A (Man a1)) (B (Man b2))))""")))
    assert ("step by step" in text) is (count == 30)


def test_a_drop_described_step_by_step_begins_at_its_first_square() -> None:
    """The description begins on the square that the block names first."""
    text = markdown(rules_in_words(loads("""(version "zrf+")
      (define further (if (greater? (counter die) $1) n))
      (game (title "Enter") (players A ?D) (turn-order ?D A) (counter die)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("4/3/2/1" (0 9))) (directions (n 0 -1))))
        (piece (name Die) (moves ((set-counter die 1) add-pass) ((set-counter die 2) add-pass)))
        (piece (name Man) (drops (a1 n (while (and (flag? on) (empty? n)) n) (further 1) (further 2) (further 3)
          (verify not-friend?) add)))
        (board-setup (A (Man off 3)) (?D (Die b1))))""")))
    assert "step by step" in text and "- Look at a1.\n- Look one square up" in text


def test_the_hash_of_a_deeply_nested_value_is_computed_once() -> None:
    run = Loop((1,))
    for _ in range(100):  # visiting each would take 2 ** 100 steps
        run = Loop((run, run), most=True)
    assert hash(run) == hash(run) != hash(replace(run, most=False))
    assert {Spot(path=(run,)): 1}[Spot(path=(run,))] == 1


FIRST_GAMES = """(version "zrf+")
(define calm (if (equal? (counter c) 1) (set-counter c 0)))
(define may (if (in-zone? camp) (calm) (add Dragon)) (calm) add)
(define nip (if (enemy? $1) $1 (if (friend? $1) capture) back))
(define jump ($1 (verify empty?) mark (nip n) (nip e) (nip s) (nip w) add))
(game (title "First") (players Blue Red) (turn-order (Blue going) (Red staying)) (counter c)
  (board (grid (start-rectangle 0 0 48 48) (dimensions ("a/b/c/d" (48 0)) ("4/3/2/1" (0 48)))
    (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0)))
    (links on) (links up (a1 a2) (a2 c4)) (links down (d4 d3)) (symmetry Blue (on up)) (symmetry Red (on down))
    (zone (name camp) (players Blue) (positions a4 b3)) (zone (name camp) (players Red) (positions a1 b2)))
  (piece (name Rook) (help "Rook of the camp: steps") (moves (move-type going) (n (verify empty?) (may))
    (move-type staying) (s add)))
  (piece (name Dragon) (help "Dragon: jumps") (moves (move-type going) (jump n) (jump e) (jump s) (jump w)))
  (piece (name Ball) (moves (move-type going) (on (verify not-empty?) capture add)))
  (board-setup (Blue (Rook a1) (Ball b1)) (Red (Rook b4) (Dragon d4)))
  (loss-condition (Blue Red) stalemated))"""


def test_passages_that_a_new_author_misread_are_clear() -> None:
    """Zones are not named like players, optional promotion is described as such, the author's texts are complete."""
    text = markdown(rules_in_words(loads(FIRST_GAMES)))
    for words in (
        "Green zone of Blue.",
        "if ‘c’ is 1, the counter ‘c’ becomes 0; it may become Dragon if its target square is in the green zone of its "
        "side.",
        "“Rook of the camp: steps”", "“jumps”",
        "In the direction ‘on’: for Blue a1-a2-c4; for Red d4-d3.",
        "each enemy piece next to it (in any direction but back) that has a piece of the player's own directly",
        "the piece on its target square is captured, and the piece itself is removed, too",
        "Moves of the kind ‘staying’:",
    ):
        assert words in text, text
    assert "way A" not in text and "blue zone" not in text.lower() and "red zone" not in text.lower()
