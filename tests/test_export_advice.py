"""Advice in exported pages, run in node: best lines, the greedy player's values, chances; all equal to Python's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")

import zrf_py
from tests.exporting import Paged, in_node, measured_once, paged, plain
from tests.playing import counted
from tests.test_search_signature import TINY
from zrf_py.export.contents import prepare
from zrf_py.play import chances, learned
from zrf_py.play.advice import Advice, Line, analyse
from zrf_py.play.game import Game, Position
from zrf_py.play.players import Greedy
from zrf_py.play.review import Evaluation, judge
from zrf_py.play.turns import search_turns
from zrf_py.run.rules import Rules
from zrf_py.search.game_search import search_for
from zrf_py.serve import opponents

MANY = ["shogi", "halma", "othello", "wuerfel-2p", "platonic-adv-3p", "monks-sol-I", "stern-team", "checkers"]


@pytest.fixture(autouse=True)
def _measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured_once(monkeypatch)


def rounded(value: Any) -> Any:
    """Return a value as it comes back from JSON, with fractions rounded to six places."""
    return json.loads(json.dumps(value), parse_float=lambda text: round(float(text), 6) + 0.0)


def advised(page: Paged, position: Position) -> None:
    """Compare all advice about a position, from the page and from Python."""
    program, state = position.game.program, position.state
    greedy = Greedy(Rules(program))
    players = range(len(program.game.players))
    counted = [(greedy.material(state, p), greedy.progress(state, p)) for p in players]
    assert rounded(page("counted")) == rounded(counted)
    mover = program.game.turns[state.turn].mover
    turns = [(len(turn.legs), greedy.rate(turn.end, mover)) for turn in search_turns(greedy.engine, state)]
    assert sorted(rounded(page("turns"))) == sorted(rounded(turns))
    found = analyse(position, nodes=1000, lines=3)
    assert rounded(page("lines", 1000, 3)) == rounded(opponents.lines_json(position, found))
    assert rounded(page("shares", 1000, 3)) == rounded(found.shares)
    features = chances.features(program, search_for(program).engine, state, mover, 150)
    assert rounded(page("features", mover, 150)) == rounded(features)


def agree(game: Game, folder: Path, plies: int) -> None:
    random = Random(4)
    with paged(game, folder) as page:
        position = game.start()
        for ply in range(plies):
            if position.outcome():
                break
            if ply % 4 == 0:
                advised(page, position)
            move = random.choice(position.moves())
            position = position.play(move)
            page("play", [move.text])


def test_a_page_gives_the_same_advice_as_python(tmp_path: Path) -> None:
    agree(zrf_py.load("tictactoe"), tmp_path, 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["race-with-hops", "race-with-chance", "race-with-captures"])
def test_pages_of_small_races_give_the_same_advice_as_python(name: str, tmp_path: Path) -> None:
    agree(zrf_py.loads(TINY[name]), tmp_path, 21)


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_pages_of_many_kinds_give_the_same_advice_as_python(name: str, tmp_path: Path) -> None:
    agree(zrf_py.load(name), tmp_path, 10)


LATE = """(version "zrf+")
(game (title "Late") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c" (40 0)) ("4/3/2/1" (0 40)))
    (directions (n 0 -1) (s 0 1) (e 1 0)))
    (zone (name home) (players White) (positions a1 c2)) (zone (name home) (players Black) (positions a4 b4 c4)))
  (piece (name Man) (moves (n (verify empty?) add) (s (verify empty?) add)))
  (piece (name King) (moves (e (verify empty?) add)))
  (board-setup (White (Man a1 b1) (King a2)) (Black (Man a4 b4) (King a3)))
  (loss-condition (White) (and (greater? (turns-made White) 7) (greater? (count White Man home) 0)))
  (loss-condition (Black) (and (greater? (turns-made Black) 7) (greater? (count Black home) 0)))
  (loss-condition (White Black) stalemated))"""
WEIGHED = """import { Searcher } from "./searcher.js";
const { search, game, values, made } = GIVEN;
const table = Int32Array.from(values);
const searcher = new Searcher({ game: { ...game, search }, array: (name) => ({ piece_square: table })[name] });
for (const turns of made) {
  searcher.weigh({ stores: [5, 5, ...turns] });
  show(Array.from(table));
}"""


def test_penalties_for_late_men_are_the_same_in_pages() -> None:
    """Before each search a page sets the same weights of squares as Python, also after a return to an earlier turn."""
    game = zrf_py.loads(LATE)
    base, facts, start = search_for(game.program).base, game.program.game, game.start().state
    assert base and len(base.deadlines) == 2
    prepared = prepare(game).facts
    table = base.searcher.machine.arrays["piece_square"]
    base.searcher.weigh(replace(base.weights, board=base.learned or base.weights.board))
    named = {"players": facts.players, "types": facts.pieces, "places": facts.board.places}
    made = [(white, black) for white in (0, 3, 7, 8, 2) for black in (0, 9)]
    given = {"search": prepared, "values": list(table), "made": made,
             "game": {kind: [one.name for one in every] for kind, every in named.items()}}
    shown = in_node(WEIGHED.replace("GIVEN", json.dumps(given)))
    for turns, row in zip(made, shown, strict=True):
        base.weigh(replace(start, made=turns))
        assert row == list(table)
    assert len({tuple(row) for row in shown}) == 8, "each turn costs, up to the last one in time"


WEIGHTS = [0.4, -0.3, 0.0, 0.0, -1.0, -0.1]
JUDGED = """import { judge } from "./judging.js";
const chances = (x) => [["X"], ["O"], []].map((players, i) => ({ players, share: x[i] }));
const told = ([shares, moves, ends]) => ({
  chances: chances(shares), proven: false,
  lines: moves.map((move, i) => ({ moves: [[move]], turns: [move], ends, chance: .5 - i / 10 })) });
for (const [before, after, text] of %s) {
  const { known, ...judged } = judge(told(before), told(after), "X", text);
  show({ ...judged, known: known.chances.map(({ share }) => share) });
}"""


def test_pages_show_the_same_chances_as_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages show fitted chances, or the search's if no games were played, or none if the games played allow no fit."""
    game = zrf_py.load("tictactoe")
    position = game.start().play("b2")
    assert position.previous and position.move

    def told(known: chances.Weights | None) -> Any:
        monkeypatch.setattr(learned, "weights_of", lambda game, seconds=0.0: (known, chances.Samples()))
        with paged(game, tmp_path) as page:
            page("play", [position.move.text])
            return page("look")

    there = told(chances.Weights(WEIGHTS, 0.5, 1.0))
    assert rounded(there) == rounded(plain(opponents.look(position, learn=False)))
    assert [side["players"] for side in there["chances"]] == [["X"], ["O"], []]
    untold = told(chances.Weights([], 1.0, 1.0))
    here = plain(opponents.look(position, learn=False))
    assert rounded(untold) == rounded({name: value for name, value in here.items() if name != "more"})
    assert sum(side["percent"] for side in told(None)["chances"]) == 100


@pytest.mark.parametrize("winners", range(1, 7))
def test_percentages_of_a_page_sum_to_a_hundred(winners: int) -> None:
    """`winners` of seven players share a win; each percentage is the player's share, rounded up or down."""
    script = f"""import {{ Adviser }} from "./advice.js";
const numbers = [...Array(7).keys()];
const game = {{ sides: numbers.map((one) => [one]), players: numbers.map((one) => ({{ name: `p${{one}}` }})) }};
const outcome = () => ({{ winners: numbers.slice(0, {winners}), losers: numbers.slice({winners}) }});
new Adviser(game, null, null).look({{ outcome }}).then(({{ chances }}) => show(chances));"""
    (chances,) = in_node(script)
    assert [one["players"] for one in chances] == [*([f"p{number}"] for number in range(7)), []]
    assert sum(one["percent"] for one in chances) == 100
    for number, one in counted(enumerate(chances), 8):
        assert abs(one["share"] - (number < winners) / winners) < 1e-9
        assert abs(one["percent"] - 100 * one["share"]) < 1


def test_pages_judge_moves_as_python_does() -> None:
    """Pages compute the same chances, marks and better moves from the same lines, even if two searches contradict each
    other."""
    position = zrf_py.load("tictactoe").start().play("a1")
    text = position.move.text if position.move else ""
    shares = [(0.5, 0.3, 0.2), (0.44, 0.36, 0.2), (0.3, 0.3, 0.4), (0.47, 0.33, 0.2), (0.0, 1.0, 0.0), (0.6, 0.2, 0.2)]
    best = [(moves, ends) for moves in ((text,), ("b2",), (text, "b2"), ("b2", text)) for ends in (None, 2)]
    replies = [((), None), (("c3",), None), (("c3",), -1), (("c3", "b2"), None)]
    asked = [((was, *lines), (now, *reply), text)
             for was in shares for now in shares for lines in best for reply in replies]

    def seen(shares: tuple[float, ...], moves: tuple[str, ...], ends: int | None) -> Evaluation:
        lines = tuple(Line((move,), 0.0, ends, 1, (move,), 0.5 - i / 10) for i, move in enumerate(moves))
        return Evaluation(shares, Advice(lines, 1, 0.0, False, "", "X", None, shares) if lines else None)

    here = []
    for before, after, _ in asked:
        judged, known = judge(seen(*before), seen(*after), position, 0)
        here.append({"before": judged.before, "after": judged.after, "mark": judged.mark, "better": judged.better,
                     "known": list(known.shares)})
    there = in_node(JUDGED % json.dumps(asked))
    assert rounded(here) == rounded(there) and {"", "?!", "?", "??"} == {judged["mark"] for judged in here}


@pytest.mark.slow
def test_pieces_in_hand_distinguish_positions(tmp_path: Path) -> None:
    """The same board with other pieces in hand is not a repetition if captured men change hands."""
    game = zrf_py.load("shogi")
    position = game.start().edited("(store Sente Pawn 1)")
    with paged(game, tmp_path) as page:
        page("play", ["(store Sente Pawn 1)"])
        assert page("view")["repetitions"] == position.repetitions == 1
        page("play", ["(store Sente Pawn 0)"])
        assert page("view")["repetitions"] == 2
