"""The lists of moves that `Position.moves` returns, and positions that are reached by a move's number."""

from __future__ import annotations

import pickle
import threading
from random import Random
from typing import Any

import pytest

import zrf_py
from tests.playing import counted, slow, some_of
from zrf_py import Game, Position, ZrfError
from zrf_py.native.kernel.memory import LEVELS
from zrf_py.play import engines
from zrf_py.play.move import Listed, Moves
from zrf_py.run.position import Position as State
from zrf_py.run.rules import Rules

GAMES = ("tictactoe", "connect-four", "chess", "shogi", "othello", "checkers", "international-draughts", "wuerfelhalma",
         "breakthrough", "halma", "nine-mens-morris", "amazons")
"""Games with drops, royal pieces, passes, turns of several legs, forced longest captures, dice, removals."""
FIELDS = tuple(State.__dataclass_fields__)


@pytest.fixture(params=["native", "interpreted"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Use native code from the first list of moves on, or never; the value is "native" or "interpreted"."""
    if request.param == "native":
        pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    monkeypatch.setattr(engines, "PATIENCE", 0.0 if request.param == "native" else 1e9)
    return str(request.param)


def fields(state: State) -> dict[str, object]:
    return {name: getattr(state, name) for name in FIELDS}


def line(game: Game, seed: int, plies: int) -> tuple[list[Position], list[State], list[int]]:
    """Play a random game by numbers of moves, and the same game by the interpreter alone; return the positions of both
    and the numbers."""
    random, rules, here = Random(seed), Rules(game.program), game.start()
    numbers: list[int] = []
    positions, states = [here], [rules.start()]
    while len(numbers) < plies and here.outcome() is None:
        moves = rules.moves(states[-1])
        assert len(here.moves()) == len(moves)
        numbers.append(random.randrange(len(moves)))
        here = here.play(numbers[-1])
        positions.append(here)
        states.append(rules.after(states[-1], moves[numbers[-1]]))
    return positions, states, numbers


@pytest.mark.parametrize("name", some_of(GAMES, 4))
@pytest.mark.parametrize("seed", [1, *slow([2])])
def test_positions_by_number_match_the_interpreter(engine: str, name: str, seed: int) -> None:
    """Lengths, states, lists and results match; states are read in any order, long after later moves were played."""
    game = zrf_py.load(name)
    positions, states, numbers = line(game, seed, 25 if engine == "interpreted" else 60)
    rules = Rules(game.program)
    last = positions[-1].outcome()
    raw = rules.outcome(states[-1], positions[-1].repetitions)
    assert (last.reason if last else None) == (raw.reason if raw else None)
    order = [*range(len(positions))]
    Random(seed).shuffle(order)
    for at in order:
        here, moves = positions[at], rules.moves(states[at])
        assert fields(here.state) == fields(states[at])
        assert [move.raw for move in here.moves()] == list(moves)
        assert here.player == game.program.game.players[game.program.game.turns[states[at].turn].mover].name
        if at:
            assert here.move is not None
            assert here.move.raw == rules.moves(states[at - 1])[numbers[at - 1]]
            assert here.move == here.previous.moves()[numbers[at - 1]]


@pytest.mark.parametrize("name", GAMES)
def test_texts_of_a_list_match_those_of_single_moves(engine: str, name: str) -> None:
    from zrf_py.play.notation import move_text

    game = zrf_py.load(name)
    for here in counted(line(game, 3, 12 if engine == "interpreted" else 40)[0]):
        assert [move.text for move in here.moves()] == [move_text(game.program, here.state, m) for m in here.legal]


def test_a_list_of_moves_is_an_immutable_sequence(engine: str) -> None:
    here = zrf_py.load("chess").start()
    moves = here.moves()
    listed = list(moves)
    assert isinstance(moves, Moves) and len(moves) == len(listed) == 20 and moves
    assert moves == listed and listed == moves and moves == tuple(listed) and tuple(listed) == moves
    assert moves == here.moves() and moves != listed[:-1] and moves != listed[::-1] and moves != "moves"
    assert moves[3] == listed[3] and moves[-1] == listed[-1] and moves[2:9:3] == listed[2:9:3]
    assert listed[7] in moves and moves.index(listed[7]) == 7 and moves.count(listed[7]) == 1
    assert [*reversed(moves)] == listed[::-1] and moves + moves[:1] == [*listed, listed[0]]
    assert moves[:1] + moves == [listed[0], *listed] and repr(moves) == repr(listed)
    for wrong in (20, -21, 10**30):
        with pytest.raises(IndexError):
            moves[wrong]
    with pytest.raises(TypeError):
        moves[0] = listed[1]  # type: ignore[index]
    with pytest.raises(TypeError):
        hash(moves)
    over = here.game.read("White King g1; Black King g8; Black Queen g2 | turn White").moves()
    assert over.__class__ is Moves and (len(over), [*over]) == (len([*over]), list(over))


def test_a_list_stays_valid_after_the_game_went_on(engine: str) -> None:
    game = zrf_py.load("chess")
    here, kept = game.start(), []
    for ply in range(30):
        kept.append((here.moves(), [move.text for move in by_the_rules(here)]))
        here = here.play(ply % len(here.moves()))
    game.start().play(5).play(7).moves()  # starts another line in the same native memory
    Random(1).shuffle(kept)
    for moves, texts in counted(kept):
        assert [move.text for move in moves] == texts


def by_the_rules(here: Position) -> list[Any]:
    from zrf_py.play.move import Move

    return [Move(raw, here.game.program, here.state) for raw in Rules(here.game.program).moves(here.state)]


def test_a_tree_search_can_play_by_number(engine: str) -> None:
    """Moves are played in the order of a tree search: down and back up, several plies deep."""
    game = zrf_py.load("tictactoe")

    def leaves(here: Position, depth: int) -> int:
        if depth == 0 or here.outcome():
            return 1 if depth == 0 else 0
        return sum(leaves(here.play(number), depth - 1) for number in range(len(here.moves())))

    depth = 3 if engine == "interpreted" else 6
    assert leaves(game.start(), depth) == game.start().perft(depth)
    assert {here.text for move in game.start().moves() for here in [game.start().play(move)]} == {
        game.start().play(move.text).text for move in game.start().moves()}


def test_few_texts_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are too many, the cache is cleared; the texts stay right."""
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    monkeypatch.setattr("zrf_py.play.node.MOST_TEXTS", 50)
    game, random = zrf_py.load("othello"), Random(1)
    position = game.start()
    for _ in range(40):
        moves = position.moves()
        assert [move.text for move in moves] == [move.text for move in game.read(position.text).moves()]
        position = position.play(random.choice(moves))
    assert len(game.texts) <= 50 + 30


def test_moves_are_given_as_numbers_moves_or_texts(engine: str) -> None:
    here = zrf_py.load("chess").start()
    move = here.moves()[9]
    assert isinstance(move, Listed)
    same = [here.play(9), here.play(move), here.play(move.text), here.play(here.short(move)), here.after(move),
            zrf_py.load("chess").start().play(move), here.play(by_the_rules(here)[9])]
    assert len({position.text for position in same}) == 1 and len({*same}) == 1
    for wrong in (-1, 20, 10**30, True, None, 1.5):
        with pytest.raises(ZrfError):
            here.play(wrong)  # type: ignore[arg-type]
    with pytest.raises(ZrfError):
        same[0].play(here.moves()[0])


def test_numpy_integers_are_accepted(engine: str) -> None:
    numpy = pytest.importorskip("numpy")
    here = zrf_py.load("tictactoe").start()
    assert here.play(numpy.int64(4)) == here.play(4)


def test_positions_lists_and_moves_are_pickled(engine: str) -> None:
    positions = line(zrf_py.load("international-draughts"), 5, 20)[0]
    for here in positions[::4]:
        again = pickle.loads(pickle.dumps(here))
        assert again == here and again.repetitions == here.repetitions and again.text == here.text
        assert [step.text for step in again.line()] == [step.text for step in here.line()]
        moves = pickle.loads(pickle.dumps(here.moves()))
        assert isinstance(moves, Moves) and moves == here.moves()
        assert [pickle.loads(pickle.dumps(move)) for move in here.moves()] == here.moves()
    won = zrf_py.load("tictactoe").start()
    for square in ("b2", "a1", "c2", "a3", "a2"):
        won = won.play(square)
    ending = won.outcome()
    again = pickle.loads(pickle.dumps(ending))
    assert again == ending and str(again) == str(ending) == "X won (three in a row)"
    assert ending and again.why == ending.why


@pytest.mark.own_code
@pytest.mark.slow
def test_lines_longer_than_native_memory_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two knights move to and fro: the game is over at the third repetition, but `play` goes on."""
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    monkeypatch.setattr(engines, "PATIENCE", 0.0)
    here = zrf_py.load("chess").start()
    texts = ("Knight g1 - f3", "Knight g8 - f6", "Knight f3 - g1", "Knight f6 - g8")
    for ply in range(LEVELS + 10):
        moves = here.moves()
        here = here.play(next(i for i, m in enumerate(moves) if m.text.startswith(texts[ply % 4])))
    assert here.state.made == ((LEVELS + 10) // 2, (LEVELS + 10) // 2)
    assert here.repetitions == 1 + (LEVELS + 10 - 2) // 4


def test_the_third_repetition_on_a_line_is_detected(engine: str) -> None:
    for begin in ((), ("e4", "e5"), ("e4", "(x e4)")):
        here = zrf_py.load("chess").start()
        for text in begin:
            here = here.edited(text) if text.startswith("(") else here.play(text)
        reasons: list[str | None] = []
        for text in ("Nf3 Nf6 Ng1 Ng8" if here.player == "White" else "Nf6 Nf3 Ng8 Ng1").split() * 2:
            here = here.play(text)
            outcome = here.outcome()
            reasons.append(outcome.reason if outcome else None)
        assert reasons == [None] * 7 + ["repetition"], (begin, reasons)


def test_threads_share_lists_and_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
    monkeypatch.setattr(engines, "PATIENCE", 0.0)
    game = zrf_py.load("chess")
    positions, states, _ = line(game, 7, 30)
    lists = [here.moves() for here in positions]
    texts = [[move.text for move in zrf_py.load("chess").read(here.text).moves()] for here in positions]
    wrong: list[str] = []

    def work(seed: int) -> None:
        random = Random(seed)
        try:
            for _ in range(150):
                at = random.randrange(len(lists))
                if [move.text for move in lists[at]] != texts[at]:
                    wrong.append(f"list {at}")
                number = random.randrange(len(lists[at]))
                if positions[at].play(number).state.made != positions[at].play(lists[at][number]).state.made:
                    wrong.append(f"play {at} {number}")
                if fields(positions[at].state) != fields(states[at]):
                    wrong.append(f"state {at}")
        except BaseException as error:
            wrong.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
