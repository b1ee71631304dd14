"""Winning chances: they sum to one, are hidden where nothing is known, and are calibrated."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from tests import chances_table
from tests.playing import RULES, slow
from zrf_py.play import chances, learned
from zrf_py.play.game import load, loads
from zrf_py.run.position import Outcome
from zrf_py.search.game_search import search_for
from zrf_py.search.memory import SPREAD, SURE

SEEN = 40
"""Number of new games on which predictions are checked."""


@pytest.mark.parametrize("name", ["tictactoe", *slow(["stern-3p", "stern-team", "halma-4p", "wuerfel-2p"])])
def test_shares_sum_to_one_for_any_number_of_players(name: str) -> None:
    program = load(name).program
    engine = search_for(program).engine
    rows = chances.features(program, engine, engine.start(), 0, 120)
    assert len(rows) == len(program.game.sides) + 1
    weights = [Random(name).uniform(-2, 2) for _ in rows[0]]
    assert sum(chances.softmax(weights, rows)) == pytest.approx(1)


def test_results_become_shares() -> None:
    program = load("stern-team").program
    one, other = program.game.sides
    assert chances.shares_of(program, Outcome(winners=one, losers=(), reason="")) == [1, 0, 0]
    assert chances.shares_of(program, Outcome(winners=(), losers=one, reason="")) == [0, 1, 0]
    assert chances.shares_of(program, Outcome(winners=(*one, *other), losers=(), reason="")) == [0, 0, 1]
    three = load("stern-3p").program
    assert chances.shares_of(three, Outcome(winners=(), losers=three.game.sides[0], reason="")) == [0, 0.5, 0.5, 0]


def test_no_chances_are_shown_where_games_do_not_end() -> None:
    assert not chances.fit(chances.Samples(10, 5, [])).tells


def test_chances_without_information_are_not_shown() -> None:
    assert [chances.Weights([1.0], loss, 0.7).tells for loss in (0.5, 0.69)] == [True, False]


def test_more_games_are_played_where_they_are_short() -> None:
    """64 to 192 games are wanted; playing stops early when more games than a third of these had no result."""
    for games, turns, wanted in ((0, 0, 64), (10, 10, 192), (10, 300, 100), (10, 156, 192), (10, 157, 191),
                                 (50, 9999, 64)):
        assert chances.Samples(games=games, turns=turns).wanted == wanted
    enough = [chances.Samples(games=games, turns=9 * games, endless=endless).are_enough
              for games, endless in ((191, 0), (192, 0), (100, 64), (100, 65))]
    assert enough == [False, True, False, True]


def test_curve_is_recovered_from_games_drawn_from_it() -> None:
    """Values decide the games, and a player with a lead rarely draws. Held-out games are predicted better than from the
    seats alone."""
    random, program = Random(5), load("connect-four").program
    engine = search_for(program).engine
    samples = chances.Samples(games=150)
    for game in range(150):
        value = random.randint(-600, 600)
        rows = chances.features(program, engine, engine.start(), 0, value)
        won = random.random() < 1 / (1 + 2.718281828 ** (-value / 120))
        drawn = random.random() < 0.3 and abs(value) < 150
        samples.rows.append([game, rows, [0.0, 0.0, 1.0] if drawn else [float(won), float(not won), 0.0]])
    weights = chances.fit(samples)
    told = [chances.softmax(weights.weights, chances.features(program, engine, engine.start(), 0, value))
            for value in (-500, 0, 500)]
    assert weights.tells and 0.2 < weights.loss < 0.55 < 0.8 < weights.blind < 1.0
    assert [row[0] for row in told] == pytest.approx([0.02, 0.4, 0.97], abs=0.06)
    assert told[1][2] > 0.12 > told[0][2] and told[2][2] < 0.06
    few = chances.fit(chances.Samples(games=2, rows=samples.rows[:1]))
    assert few.weights == [] and few.loss == inf and not few.tells, "with nothing to hold back"


def test_the_stage_is_the_share_of_pieces_taken_or_of_squares_filled() -> None:
    filled, taken = load("connect-four").start(), load("chess").start()
    for move in ("a1", "a2", "b1"):
        filled = filled.play(move)
    for move in ("e4", "d5", "exd5", "Qxd5"):
        taken = taken.play(move)
    assert [chances.stage(at.game.program, at.state) for at in (load("chess").start(), filled, taken)] == [
        0.0, 3 / 42, 2 / 32]


@pytest.mark.slow
def test_value_weighs_more_late_in_the_game_if_it_decided_only_late_games() -> None:
    """Early results are random, and late ones go to the leader; weights without a stage apply to every stage."""
    random, program = Random(2), load("connect-four").program
    engine = search_for(program).engine
    start = engine.start()
    late = replace(start, owner=(0,) * 36 + start.owner[36:])
    samples = chances.Samples(games=400)
    for game in range(400):
        at, value = (late, start)[game % 2], random.randint(-600, 600)
        is_won = random.random() < 1 / (1 + 2.718281828 ** (-value / 100)) if at is late else random.random() < 0.5
        samples.rows.append([game, chances.features(program, engine, at, 0, value),
                             [float(is_won), float(not is_won), 0.0]])
    weights = chances.fit(samples)
    rows = [chances.features(program, engine, at, 0, 300) for at in (start, late)]
    early, by_then = (chances.softmax(weights.weights, row)[0] for row in rows)
    assert weights.weights[0] >= 0 and weights.weights[-1] > 0 and early < 0.68 and by_then > 0.85
    old = weights.weights[:-1]
    assert chances.softmax(old, rows[0]) == chances.softmax(old, rows[1])


def test_features_of_two_sides_are_the_lead_the_seat_and_its_size() -> None:
    program = load("connect-four").program
    engine = search_for(program).engine
    for mover, sign in ((0, 1), (1, -1)):
        assert chances.features(program, engine, engine.start(), mover, 150) == [
            [1.5 * sign, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [-1.5 * sign, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 1.0, 1.5, 0.0]]


THREE = """(game (title "Three") (players A B C) (turn-order A B C)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("3/2/1" (0 9))) (directions (e 1 0))))
    (piece (name Man) (moves (e (verify not-friend?) add)))
    (board-setup (A (Man a1)) (B (Man a2)) (C (Man a3)))
    (win-condition (A) (absolute-config Man (e1))) (win-condition (B) (absolute-config Man (e2)))
    (win-condition (C) (absolute-config Man (e3))))"""


def test_features_of_three_sides_compare_material_and_progress() -> None:
    game = loads(THREE)
    program, engine = game.program, search_for(game.program).engine
    position = game.start().play(game.start().moves()[0])
    rows = chances.features(program, engine, position.state, 1, 200)
    assert [row[0] for row in rows] == [-1.0, 2.0, -1.0, 0.0] and rows[3] == [0.0] * 5 + [1.0, 2.0, 0.0]
    assert [row[1:3] for row in rows] == [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    assert {row[3] for row in rows} == {0.0}, "all have as many pieces"
    assert rows[0][4] > 0 > rows[1][4] and rows[1][4] == rows[2][4], "only the first has moved"
    assert chances._centred([2, 2, 2]) == [0, 0, 0] and chances._centred([0, 0]) == [0, 0]
    assert chances._centred([9, 10, 11]) == pytest.approx([-0.8, 0, 0.8]) and chances._centred([0, 0, 9]) == [-4, -4, 4]


def test_the_general_curve_gives_three_in_four_at_its_spread() -> None:
    """It never predicts a draw, and makes no prediction for more than two sides."""
    program = load("connect-four").program
    engine = search_for(program).engine
    general = chances.unfitted(program)
    rows = chances.features(program, engine, engine.start(), 0, SPREAD)
    assert general.tells and chances.softmax(general.weights, rows) == pytest.approx([0.75, 0.25, 0])
    three = loads(THREE)
    rows = chances.features(three.program, search_for(three.program).engine, three.start().state, 0, 5)
    assert not chances.unfitted(three.program).tells and len(chances.unfitted(three.program).weights) == len(rows[0])


def test_a_proven_result_is_certain_and_each_line_has_its_value() -> None:
    program = load("connect-four").program
    engine = search_for(program).engine
    start, weights = engine.start(), chances.unfitted(program)

    def told(value: int, proven: bool, line: int | None = None) -> list[float]:
        found = SimpleNamespace(value=value, proven=proven, player_of=lambda program, position: 0)
        return chances.shares(weights, program, engine, start, found, line)  # type: ignore[arg-type]

    assert told(0, True) == told(SURE, True) == [0, 0, 1]
    assert told(SURE + 1, True)[0] == pytest.approx(1) and told(-SURE - 1, True)[1] == pytest.approx(1)
    assert told(0, False) == pytest.approx([0.5, 0.5, 0]) == told(0, True, 0) == told(500, False, 0)
    assert told(0, True, SPREAD) == pytest.approx([0.75, 0.25, 0]) == told(SPREAD, False)


def test_expected_score_of_a_player_includes_a_share_of_the_draws() -> None:
    two, team = load("connect-four").program, load("stern-team").program
    assert [chances.score(two, [0.5, 0.1, 0.4], player) for player in (0, 1)] == pytest.approx([0.7, 0.3])
    one, other = team.game.sides
    assert {round(chances.score(team, [0.6, 0.2, 0.2], player), 9) for player in one} == {0.7}
    assert {round(chances.score(team, [0.6, 0.2, 0.2], player), 9) for player in other} == {0.3}


def test_games_are_played_and_some_of_their_positions_are_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load("tictactoe").program
    engine = search_for(program).engine
    monkeypatch.setattr(chances, "PLAYER", "random")
    samples = chances.Samples()
    chances.play_more(program, engine, samples, 1, -1.0)
    assert samples.games == 1, "at least one"
    for game in range(1, 8):
        chances.play_one(program, engine, samples, Random(game))
    assert samples.games == 8 and samples.endless == 0 and 8 * 5 <= samples.turns <= 8 * 9
    assert {row[0] for row in samples.rows} <= set(range(1, 9)) and len(samples.rows) > 8
    assert all(sum(row[2]) == 1 and len(row[1]) == 3 for row in samples.rows)
    assert all(max(sum(row[0] == game for row in samples.rows) for game in range(1, 9)) <= most for most in (9, 10))
    monkeypatch.setattr(chances, "EACH", 1)
    one = chances.Samples()
    for game in range(4):
        chances.play_one(program, engine, one, Random(game))
    assert len(one.rows) <= 4
    monkeypatch.setattr(chances, "MAX_TURNS", 4)
    cut = chances.Samples()
    chances.play_one(program, engine, cut, Random(1))
    assert (cut.games, cut.endless, cut.turns, cut.rows) == (1, 1, 4, [])
    monkeypatch.setattr(chances, "ENOUGH", 3)
    monkeypatch.setattr(chances, "PLENTY", 3)
    chances.play_more(program, engine, cut, 1, inf)
    assert cut.endless == cut.games == 2, "more than a third"


@pytest.mark.slow
def test_the_fit_recovers_the_curve_that_generated_the_games() -> None:
    """The games are drawn at random from a known curve; a larger lead means a better chance."""
    random, program = Random(1), load("connect-four").program
    engine = search_for(program).engine
    samples = chances.Samples(games=900)
    for game in range(900):
        value = random.randint(-600, 600)
        is_won = random.random() < 1 / (1 + 2.718281828 ** (-value / 150))
        rows = chances.features(program, engine, engine.start(), 0, value)
        samples.rows.append([game, rows, [float(is_won), float(not is_won), 0.0]])
    weights = chances.fit(samples)
    told = [chances.softmax(weights.weights, chances.features(program, engine, engine.start(), 0, value))[0]
            for value in (-600, -150, 0, 150, 600, 1 << 28)]
    assert weights.tells and told == sorted(told) and told[-1] == 1
    assert told[:-1] == pytest.approx([0.02, 0.27, 0.5, 0.73, 0.98], abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect-four", "stern-3p"])
def test_predicted_chances_are_calibrated(name: str) -> None:
    """In held-out games, about as many predictions of 60 to 85 %, or of 10 to 40 %, come true as they claim, whether
    weights are fitted now (connect four) or come with the package. A game for which nothing is predicted is skipped."""
    game = load(name)
    program, engine = game.program, search_for(game.program).engine
    if name == "connect-four":
        samples = chances.Samples()
        chances.play_more(program, engine, samples, 1, inf)
        found = chances.fit(samples)
    else:
        known, _ = learned.weights_of(game, inf)
        assert known
        found = known
    if not found.tells:
        pytest.skip(f"nothing is told here: {found.loss:.3f} against {found.blind:.3f}")
    fresh = chances.Samples()
    for i in range(SEEN):
        chances.play_one(program, engine, fresh, Random(f"fresh {i}"))
    said = [(s, true) for _, rows, was in fresh.rows
            for s, true in zip(chances.softmax(found.weights, rows), was, strict=True)]
    for low, high in ((0.1, 0.4), (0.6, 0.85)):
        group = [(s, true) for s, true in said if low <= s < high]
        if len(group) >= 80:
            mean, came = (sum(x) / len(group) for x in zip(*group, strict=True))
            assert abs(mean - came) < 0.17, f"said {mean:.2f}, came true {came:.2f} of {len(group)}"


# ----------------------------------------------------------------------------------- weights that come with the package

UNLEARNED = 103
"""Maximum number of games of the shelf whose weights are still missing; it may only fall."""
MAN = '(piece (name Man) (moves ({block})))'
RACE = """(game (title "Race") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10))) (directions (n 0 -1))))
  (include "man.inc") (board-setup (White (Man a1)) (Black (Man c1)))
  (win-condition (White Black) (absolute-config Man (a3 c3))))
"""


@pytest.fixture
def _knows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(learned, "_known", {})


@pytest.mark.usefixtures("_knows_nothing")
def test_weights_of_the_shelf_are_shipped_and_fit_no_other_rules(tmp_path: Path) -> None:
    """Comments, blanks and the folder don't matter, but a removed goal does."""
    text = (RULES / "tictactoe.zrf").read_text("utf-8")
    found, samples = learned.weights_of(load("tictactoe"))
    assert found and not samples.games
    for name, changed, is_known in (
        ("moved", text, True), ("noted", "; mine\n" + text.replace("\n\n", "\n  \n; a remark \"\n"), True),
        ("other", text.replace("(relative-config (three-along n))", ""), False),
    ):
        path = tmp_path / f"{name}.zrf"
        path.write_text(changed, "utf-8")
        assert (learned.weights_of(load(path))[0] is not None) == is_known, name


@pytest.mark.usefixtures("_knows_nothing")
def test_an_included_file_is_part_of_the_rules(tmp_path: Path) -> None:
    (tmp_path / "race.zrf").write_text(RACE)
    keys = []
    for block in ("n add", "n n add"):
        (tmp_path / "man.inc").write_text(MAN.format(block=block))
        keys.append(learned.key_of(load(tmp_path / "race.zrf")))
    assert len(set(keys)) == 2


@pytest.mark.usefixtures("_knows_nothing")
def test_learned_weights_are_cached_until_the_fit_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    game, played = load("tictactoe"), []
    monkeypatch.setattr(learned, "shipped", dict)
    monkeypatch.setattr(chances, "ENOUGH", 2)
    monkeypatch.setattr(chances, "PLENTY", 2)
    monkeypatch.setattr(learned, "fit", lambda samples: played.append(samples.games) or chances.Weights([1.0], 1, 2))
    assert learned.weights_of(game)[0] is None
    for again in (False, True):
        monkeypatch.setattr(learned, "_known", {})
        assert learned.weights_of(game, inf if not again else 0.0)[0] == chances.Weights([1.0], 1, 2)
    assert played == [2]
    learned.key_of.cache_clear()
    monkeypatch.setattr(learned, "VERSION", "of another fit")
    assert learned.weights_of(game)[0] is None
    learned.key_of.cache_clear()


@pytest.mark.slow
def test_shipped_weights_belong_to_games_of_the_shelf() -> None:
    """The table has no other games, and at most `UNLEARNED` are missing; `python -m tests.chances_table` adds them."""
    rows = {row["rules"]: row for row in json.loads(chances_table.TABLE.read_text("utf-8"))}
    games = {learned.key_of(game): (name, game) for name, _, game in chances_table.learners()}
    assert not rows.keys() - games.keys()
    assert sum(key not in rows for key in games) <= UNLEARNED
    for key, row in rows.items():
        name, game = games[key]
        assert row["game"] == f"{name}: {game.title}"
        assert len(row["weights"]) in (0, len(game.program.game.sides) + 4, len(game.program.game.sides) + 5)
        assert learned.shipped()[key].tells == bool(row["weights"])
