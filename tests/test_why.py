"""`zrf why`: its answers agree with the move generator, for legal and illegal moves.

`ZRF_WHY=N` checks the answers about N illegal pairs (a piece and a target square) of every title, however long it
takes: `ZRF_WHY=2000 pytest -k every_title -rP` prints how many pairs were legal, and how many illegal.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playing import RULES, TooSlow, counted, games, random_game, slow, time_limit
from tests.small_games import ENTER
from zrf_py.author.why.ends import Part, why_end
from zrf_py.author.why.explainer import Explainer, why_move
from zrf_py.author.why.page import as_text
from zrf_py.author.why.questions import Question, read_question
from zrf_py.author.why.steps import Answer
from zrf_py.cli.main import main
from zrf_py.library import load_file
from zrf_py.play.game import Game, Position, load, loads
from zrf_py.run import goals
from zrf_py.run.interpret import generate, generate_from
from zrf_py.run.position import DROP, NOBODY, from_store

FILES = sorted(RULES.rglob("*.zrf"))
SOME = ("chess", "checkers", "shogi", "nine-mens-morris", "othello", "halma", "amazons", "xiangqi")
PAIRS, POSITIONS, PLIES = 400, 8, 60
MOVES = 60
"""Maximum number of legal moves of a position whose explanations are checked."""
SECONDS = 10.0
"""Seconds of processor time for a title, after which the comparison ends: some games are slow to explain."""
ILLEGAL = int(os.environ.get("ZRF_WHY", "0"))
MOST_GAMES = 100


def spread(game: Game, count: int, plies: int, seed: int) -> list[Position]:
    """Return positions of a random game, spread over its length, the first included."""
    found = list(random_game(game, plies, seed))
    step = max(1, len(found) // count)
    return found[::step][:count]


def pairs(position: Position, count: int, seed: int) -> Iterator[Question]:
    """Yield at most `count` random questions: a piece of the side to move and a target square, or a drop."""
    program, state = position.game.program, position.state
    side = program.game.turns[state.turn].side
    squares = range(len(state.owner))
    found = [Question("", start=s, end=t) for s in squares if state.owner[s] == side for t in squares]
    found += [Question("", end=t, kind=kind, store=True) for kind, drops in enumerate(program.drops) if drops
              for t in squares]
    return iter(random.Random(seed).sample(found, min(count, len(found))))


def is_legal(position: Position, question: Question) -> bool:
    """Return whether the move generator finds a move that the question is about."""
    for move in (m.raw for m in position.moves()):
        dropped = bool(move.movements) and move.movements[0][0] == DROP
        if question.store and dropped:
            if move.key == (-1, question.end) and from_store(move.movements[0]) == question.kind:
                return True
        elif not question.store and not move.is_pass and move.key == (question.start, question.end):
            return True
    return False


def unexplained(answer: Answer) -> str:
    """Return the gap in an answer: a move or block rejected without a reason, or an empty answer; "" if none."""
    if any(w.verdict.code == "unknown" for told in answer.blocks for w in told.written):
        return "a move is left out for no known reason"
    if not all(told.stop or told.skipped for told in answer.blocks):
        return "a block stops for no reason"
    return "" if answer.blocks or answer.remarks else "nothing is said"


def disagreement(position: Position, questions: Iterator[Question], seen: Counter[bool] | None = None) -> str:
    """Return the first disagreement between `why` and the move generator, or the first gap in an answer; "" if none.

    `seen` counts the pairs that are legal, and those that are not.
    """
    explainer = Explainer(position)
    state, program = position.state, position.game.program
    moves = position.moves()
    for move in random.Random(len(moves)).sample(moves, min(MOVES, len(moves))):
        answer = explainer.answer(Question(move.text, passing=move.raw.is_pass, exact=frozenset({move.raw})))
        if not answer.legal or (not move.raw.is_pass and not any(w.asked for t in answer.blocks for w in t.written)):
            return f"{move.text} is legal; why: {answer.verdict}"
    for question in questions:
        answer = explainer.answer(question)
        if answer.legal != is_legal(position, question):
            return f"{question}: why says {answer.legal}: {answer.verdict}"
        if reason := unexplained(answer):
            return f"{question}: {reason}"
        if seen is not None:
            seen[answer.legal] += 1
    side = program.game.turns[state.turn].side
    traced = [move for run in explainer.runs for move in run.moves]
    if explainer.rules.chosen < 0:
        found = (generate_from(program, state, side, *state.chain) if state.chain
                 else generate(program, state, side, explainer.move_type))
        if traced != found:
            return "the trace writes other moves than the interpreter"
    return ""


@pytest.mark.parametrize("name", [SOME[0], *slow(SOME[1:3]), SOME[3], *slow(SOME[4:])])
def test_answers_agree_with_the_move_generator(name: str) -> None:
    game = Game(load_file(name).programs[0])
    for number, position in enumerate(counted(spread(game, 2, 24, seed=1))):
        if position.outcome() is None:
            assert not disagreement(position, pairs(position, 60, number))


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(RULES).with_suffix("").as_posix())
def test_answers_agree_in_every_title(path: Path) -> None:
    for number, game in enumerate(games(load_file(path))):
        if ILLEGAL:
            agrees_at_length(game)
            continue
        try:
            with time_limit(SECONDS):
                for position in counted(spread(game, 3 if number else POSITIONS, PLIES, seed=number)):
                    if position.outcome() is None:
                        found = disagreement(position, pairs(position, PAIRS // POSITIONS, number))
                        assert not found, f"{game.title}: {found}"
        except TooSlow:
            continue


def agrees_at_length(game: Game) -> None:
    """Compare positions of random games until `ILLEGAL` illegal pairs have been checked."""
    seen: Counter[bool] = Counter()
    for seed in range(MOST_GAMES):
        for position in spread(game, POSITIONS, PLIES, seed):
            if position.outcome() is None and seen[False] < ILLEGAL:
                found = disagreement(position, pairs(position, max(50, ILLEGAL // POSITIONS), seed), seen)
                assert not found, f"{game.title}: {found}"
        if seen[False] >= ILLEGAL:
            break
    print(f"{game.title}: {seen[True]} legal and {seen[False]} illegal pairs in {seed + 1} games")
    assert seen[False] >= ILLEGAL, f"{game.title}: only {seen[False]} illegal pairs in {MOST_GAMES} games"


def verdicts(position: Position, question: str) -> set[str]:
    return {w.verdict.code for told in why_move(position, question).blocks for w in told.written if w.asked}


@pytest.mark.parametrize(("name", "edits", "played", "question", "code"), [
    ("chess", ["(x e2)", "(Black Rook e4)", "(x b1)", "(White Knight e2)"], [], "Nc3", "royal"),
    ("checkers", [], ["b6 c5", "g3 f4", "c5 d4"], "f4 g5", "priority"),
])
def test_rules_beyond_blocks_are_explained(
    name: str, edits: list[str], played: list[str], question: str, code: str,
) -> None:
    position = load(name).start()
    for edit in edits:
        position = position.edited(edit)
    for move in played:
        position = position.play(move)
    assert verdicts(position, question) == {code}


def test_questions_are_read_in_many_forms() -> None:
    position = load("chess").start()
    asked = {text: why_move(position, text) for text in
             ("e2 e4", "e2e4", "e2-e4", "Pawn e2 - e4", "e2", "e4", "Pawn@e4", "Nf3", "Knight@f3")}
    assert all(answer.legal for answer in asked.values())
    for text in ("e2 e5", "e2e5", "Pawn e2 - e5", "Pawn@e5", "Nd3", "N@g1 ", "Queen@d5", "Pass", "e7 e5"):
        assert why_move(position, text).legal is (text == "N@g1 "), text


@pytest.mark.parametrize(("text", "question", "start", "end", "store"), [
    ("xe5", "any piece to e5", "", "e5", False), ("e5!", "any piece to e5", "", "e5", False),
    ("e5=Q", "any piece to e5", "", "e5", False), ("e5", "any piece to e5", "", "e5", False),
    ("e2", "Pawn on e2", "e2", "", False), ("Queen@d1", "Queen on d1", "d1", "", False),
    ("Queen@e5", "Queen to e5", "", "e5", False), ("Rad5", "Rook to d5", "", "d5", False),
    ("N*e5", "Knight from the store to e5", "", "e5", True), ("e3 e4", "e3 - e4", "e3", "e4", False),
    ("Nd2 f3", "Pawn d2 - f3", "d2", "f3", False), ("e4", "any piece to e4", "", "e4", False),
    ("O-O", "O-O", "", "", False), ("pass", "Pass", "", "", False)])
def test_answers_are_about_the_requested_squares_and_piece(
    text: str, question: str, start: str, end: str, store: bool,
) -> None:
    position = load("chess").start()
    read = read_question(position, text)
    names = [place.name for place in position.game.program.game.board.places]
    squares = tuple(names[at] if at >= 0 else "" for at in (read.start, read.end))
    assert (read.text, *squares, read.store) == (question, start, end, store)
    kind = position.game.program.game.pieces[read.kind].name if read.kind >= 0 else ""
    assert kind == "" or question.startswith(kind)
    assert (read.passing, read.castling) == (text == "pass", "O-O" if text == "O-O" else "")


def test_the_condition_that_stops_a_block_is_named() -> None:
    blocks = why_move(load("chess").start(), "a1 a3").blocks
    assert blocks[0].stop == "on a2 at `not-friend?`: a2 holds a White Pawn"
    assert blocks[2].stop.startswith("on a1 at `s`: there is no square")


def test_drop_blocks_that_move_their_cursor_are_explained_from_the_square_where_they_begin() -> None:
    position = loads(ENTER).start()
    shown = {text: as_text(position, why_move(position, text)) for text in ("Man@a2", "Man@b1", "Man@c2")}
    place = "Man from the store (the block begins on a1), drops 2, "
    assert "drops 2" not in shown["Man@b1"] and "drops 1" in shown["Man@b1"]
    assert place in shown["Man@a2"] and "generates 1 other move: White Man a3" in shown["Man@a2"]
    assert "begins on c1" not in shown["Man@c2"] and "stops on c2 at `(position? c1)`" in shown["Man@c2"]


def test_command_explains_illegal_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "chess", "--play", "e2 e4", "e7 e4"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Pawn e7 - e4: not legal (Black to move)") and "stops on e5" in out
    assert main(["why", "chess", "e2 e4", "--full"]) == 0
    assert "generates Pawn e2 - e4" in capsys.readouterr().out


def test_the_page_lists_blocks_that_reach_the_square_or_were_not_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """The block that leaps could reach d1, but this turn is for another type of moves; the steps can't reach d1."""
    (tmp_path / "ride.zrf").write_text("""(game (title "Ride") (players A B) (turn-order (A ride) (B ride))
 (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("1" (0 9))) (directions (e 1 0) (w -1 0))))
 (piece (name Man) (moves (move-type ride) (e add) (w add) (move-type leap) (e e add)))
 (board-setup (A (Man b1)) (B (Man e1))))""", "utf-8")
    assert main(["why", str(tmp_path / "ride.zrf"), "b1 d1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[1] for line in lines if line.startswith("  Man on b1,")] == [" moves 3"]
    assert "    not tried: this turn is for moves of type `ride` only" in lines
    assert lines[-1] == "2 other blocks of this piece never reach that square"


def test_command_refuses_invalid_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "chess", "nonsense"]) == 1
    assert "bad-question" in capsys.readouterr().err
    assert main(["why", "chess"]) == 2
    assert main(["why", "chess", "e2", "--end"]) == 1


def test_steps_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Each step has its place, cursor, operation and result, and the effects collected so far."""
    assert main(["why", "othello", "f4", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    steps = [step for block in said["blocks"] for step in block["steps"]]
    assert {"place", "cursor", "operation", "answer", "mark", "flags", "position_flags", "captures", "effects",
            "writes"} <= set(steps[0])
    assert any(step["place"] and step["place"]["line"] > 1 for step in steps)
    assert any(step["writes"] for step in steps) == any(block["moves"] for block in said["blocks"])


ENDLESS = """(game (title "Endless") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1" (0 9))) (directions (e 1 0))))
  (piece (name Man) (moves ((while (not-flag? never) from) add))) (board-setup (White (Man a1)) (Black (Man b1))))"""


def test_a_block_that_never_ends_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints a message instead of an answer."""
    (tmp_path / "endless.zrf").write_text(ENDLESS, "utf-8")
    assert main(["why", str(tmp_path / "endless.zrf"), "a1"]) == 1
    assert "endless-block" in capsys.readouterr().err


# --------------------------------------------------------------------------------------------------------------- ends


COMPARED = ("total-piece-count", "less?", "greater?")
"""Comparisons, left out of the test: `less?` and `greater?` may hold although the two numbers differ."""


def leaves(part: Part) -> Iterator[Part]:
    yield from (leaf for inner in part.parts for leaf in leaves(inner)) if part.parts else iter((part,))


@pytest.mark.parametrize("name", [
    "tictactoe", "connect-four", *slow(["halma", "nine-mens-morris", "chess"])])
def test_ends_agree_with_the_outcome(name: str) -> None:
    """A condition holds when the game has ended, and none while it goes on; a part of a condition (unless `COMPARED`)
    holds exactly if the actual number is the required one."""
    game = Game(load_file(name).programs[0])
    for seed in range(4):
        for position in random_game(game, 120, seed):
            ends = why_end(position)
            assert bool(ends.outcome) or not any(end.goal.holds for end in ends.ends)
            for end in ends.ends:
                for part in leaves(end.goal):
                    if part.want and part.words.split()[0] not in COMPARED:
                        assert part.holds == (part.have == part.want), part
        if position.state.result is not None:
            assert any(end.goal.holds for end in ends.ends)


def test_progress_towards_a_row_is_reported() -> None:
    position = load("tictactoe").start()
    for move in ("b2", "a1", "c2", "a2"):
        position = position.play(move)
    rows = [part for end in why_end(position).ends if end.player == "X" for part in leaves(end.goal)]
    assert max(part.have for part in rows if part.want == 3) == 2
    assert goals.board_result(position.game.program, position.state) is None
    assert all(owner == NOBODY for owner in load("tictactoe").start().state.owner)


LONGEST = """(game (title "Longest") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("3/2/1" (0 9)))
    (directions (n 0 -1) (e 1 0) (w -1 0))))
  (piece (name Man) (moves (e (verify enemy?) capture e (verify empty?) (add-partial))
                           (n (verify enemy?) capture n (verify empty?) (add-partial)))) {more}
  (board-setup (White (Man a1)) (Black ({black}))) (option "maximal captures" {option}))"""


@pytest.mark.parametrize(("option", "black", "more", "reason"), [
    ("true", "Man b1 d1 a2", "", "has more legs: 2 against 1"),
    ("2", "Stone a2) (Lord b1", "(piece (name Stone)) (piece (name Lord) (moves (n add) (e add)))",
     "pieces of a higher value"),
])
def test_maximal_captures_are_explained(option: str, black: str, more: str, reason: str) -> None:
    position = loads(LONGEST.format(option=option, black=black, more=more)).start()
    assert reason in str(why_move(position, "a1 - a3"))
