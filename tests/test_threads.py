"""Threads share games, positions and players; every result is the one that a single thread gets.

`ZRF_THREADS_SECONDS=60 python -m pytest -m slow tests/test_threads.py` runs random calls for a minute.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest

import zrf_py
from tests.playing import HANG
from zrf_py import Game, Position
from zrf_py.author import Draft, as_text, explain, markdown, why_end, why_move
from zrf_py.play import engines
from zrf_py.play.advice import analyse
from zrf_py.play.players import player
from zrf_py.play.replay import replay
from zrf_py.play.zsg import record
from zrf_py.solve.solver import solve

THREADS = 8
SECONDS = float(os.environ.get("ZRF_THREADS_SECONDS", "4"))
GAMES = ("chess", "shogi", "international-draughts", "wuerfelhalma", "tictactoe", "breakthrough")
"""In order: games with royal pieces, drops, turns of several legs that must be longest, and dice; two simple ones."""
Call = Callable[[Position], object]

ASKED: dict[str, Call] = {
    "moves": lambda p: [(m.text, p.short(m), m.captures, m.piece, m.becomes, m.is_partial) for m in p.moves()],
    "find": lambda p: [p.find(m.text) == m for m in p.moves()[:5]],
    "play": lambda p: [p.play(m).text for m in p.moves()],
    "outcome": lambda p: (str(p.outcome()), p.repetitions, p.scores(), p.player, p.in_turn),
    "text": lambda p: (p.text, p.game.read(p.text) == p, hash(p.game.read(p.text)) == hash(p), p.pieces()),
    "playout": lambda p: [(q.text, q.repetitions) for q in p.playout(seed=3, max_plies=40).line()],
    "playouts": lambda p: p.outcome() or p.playouts(20, seed=1, max_plies=60),
    "perft": lambda p: (p.perft(1), p.perft(3 if len(p.moves()) < 40 else 2)),
    "perft of turns": lambda p: p.perft(1, turns=True),
    "pickle": lambda p: (pickle.loads(pickle.dumps(p)).text, pickle.loads(pickle.dumps(p)).repetitions),
    "picture": lambda p: p.svg(),
    "random": lambda p: player("random")(p.game.engine, p.state, Random(1), p.earlier()),
    "greedy": lambda p: player("greedy")(p.game.engine, p.state, Random(1), p.earlier()),
    "record": lambda p: replay(p.game, record(p, "", "")).position.text,
    "edits": lambda p: p.game.start().edited(f"(x {next(iter(p.game.start().pieces()), 'a1')})").text,
    "why": lambda p: [as_text(p, why_move(p, m.text)) for m in p.moves()[:2]] + [str(why_end(p))],
}
SEARCHED: dict[str, Call] = {
    "analyse": lambda p: p.outcome() or [(a.moves, a.score, a.depth) for a in analyse(p, nodes=300, lines=2).lines],
    "ai": lambda p: player("ai:200n")(p.game.engine, p.state, Random(1), p.earlier()),
}
DRAFT = Draft.new("men", "Hop")


def authors() -> object:
    """Return the answers to queries about a text of rules, none of them cached by an earlier call."""
    draft = Draft(DRAFT.text.replace("empty?", "emty?"))
    mended = draft.fixed().after
    again = Draft(mended)
    at = again.at("walk n")
    return ([problem.message.message for problem in draft.problems], mended, again.lints, again.formatted().text,
            again.hover(at), [word.word for word in again.complete(at + 3).items], again.signature(at),
            [span.start for span in again.references(at)], again.edited(again.rename(at, "step")).text,
            again.outline()[0].name, markdown(again.words()), str(explain("verify")),
            [result.problem for result in again.test("```moves\ncan: a1 a2\n```")])


LOOSE: dict[str, Callable[[], object]] = {
    "load": lambda: [zrf_py.load(name).start().text for name in GAMES[:3]],
    "loads": lambda: zrf_py.loads(DRAFT.text).start().perft(3),
    "check": lambda: zrf_py.check("chess"),
    "authors": authors,
    "solve": lambda: solve(zrf_py.load("peg-solitaire", "Latin Cross").start()).solution.turns,  # type: ignore[union-attr]
}


def sample(game: Game, seed: int) -> Position:
    """Return a position some way into a game."""
    return game.start().playout(seed=seed, max_plies=6 + 5 * seed)


@contextmanager
def eager_switching() -> Iterator[None]:
    """Make Python switch threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def crowd(work: Callable[[int], None]) -> list[str]:
    """Run threads at the same time; return their errors."""
    wrong: list[str] = []
    begin = threading.Barrier(THREADS)

    def run(number: int) -> None:
        try:
            begin.wait(HANG)
            work(number)
        except BaseException as error:
            wrong.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(THREADS)]
    with eager_switching():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANG)
    return wrong + [f"thread {thread.name} hangs" for thread in threads if thread.is_alive()]


@pytest.mark.parametrize("patience", [0.0, 0.05], ids=["machine code", "both"])
def test_threads_share_one_game(monkeypatch: pytest.MonkeyPatch, patience: float) -> None:
    monkeypatch.setattr(engines, "PATIENCE", patience)
    alone = zrf_py.load("chess")
    wanted = [[m.text for m in alone.start().playout(seed=i, max_plies=30).moves()] for i in range(THREADS)]
    counted = alone.start().perft(3)
    shared = zrf_py.load("chess")
    start = shared.start()
    found: dict[int, list[str]] = {}

    def work(number: int) -> None:
        for _ in range(4):
            found[number] = [m.text for m in start.playout(seed=number, max_plies=30).moves()]
            assert found[number] == wanted[number]
        assert start.perft(3) == counted

    assert crowd(work) == []
    assert found == dict(enumerate(wanted))


def test_repetitions_are_counted_separately_in_each_thread() -> None:
    """All threads continue from one position, whose history they share."""
    there, back = ("Knight g1 - f3", "Knight g8 - f6"), ("Knight f3 - g1", "Knight f6 - g8")
    start = zrf_py.load("chess").start()

    def work(number: int) -> None:
        for _ in range(15):
            position = start
            for times in range(2, 5):
                for move in (*there, *back):
                    position = position.play(move)
                assert (position.repetitions, start.repetitions) == (times, 1)

    assert crowd(work) == []


def test_threads_reuse_the_engines_of_finished_threads() -> None:
    game = zrf_py.load("tictactoe")
    assert isinstance(game.engine, engines.Auto)
    if game.engine.native() is None:
        pytest.skip("the native engine needs llvmlite")
    seen = set()
    for _ in range(5):
        thread = threading.Thread(target=lambda: seen.add(id(game.engine.answering)))  # type: ignore[attr-defined]
        thread.start()
        thread.join()
    assert len(seen) == 1 and id(game.engine.answering) not in seen


@pytest.mark.slow
def test_every_public_call_works_in_eight_threads() -> None:
    drawn = [(name, seed) for name in GAMES for seed in (0, 1, 2)]
    alone = {name: zrf_py.load(name) for name in GAMES}
    wanted: dict[tuple[str, str, int], object] = {
        (call, name, seed): ASKED[call](sample(alone[name], seed)) for call in ASKED for name, seed in drawn}
    searched = [(call, name, seed) for call in SEARCHED for name, seed in drawn if name != "chess"]
    for call, name, seed in searched:  # the first call learns weights
        SEARCHED[call](sample(alone[name], seed))
        wanted[call, name, seed] = SEARCHED[call](sample(alone[name], seed))
    loose = {call: LOOSE[call]() for call in LOOSE}
    cases, end, done = [*wanted], time.monotonic() + SECONDS, [0] * THREADS
    while time.monotonic() < end:
        games = {name: zrf_py.load(name) for name in GAMES}  # new games begin in the interpreter and switch engines
        shared = {(name, seed): sample(games[name], seed) for name, seed in drawn}

        until = time.monotonic() + SECONDS / 3

        def work(
            number: int, shared: dict[tuple[str, int], Position] = shared, until: float = until,
        ) -> None:
            random = Random(f"{number} {until}")
            while time.monotonic() < until:
                call, name, seed = random.choice(cases)
                answer = {**ASKED, **SEARCHED}[call](shared[name, seed])
                assert answer == wanted[call, name, seed], (call, name, seed)
                if not random.randrange(30):
                    call = random.choice([*loose])
                    assert LOOSE[call]() == loose[call], call
                done[number] += 1

        assert crowd(work) == []
    assert min(done) > 0
