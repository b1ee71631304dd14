"""Action numbers and observation layouts stay the same: trained networks depend on them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from tests.following import follow
from tests.playing import ROOT, counted, random_game, slow
from tests.test_made_up_rules import program as made_up
from zrf_py.envs import actions, names, reach
from zrf_py.envs.actions import Actions
from zrf_py.envs.arguments import playable
from zrf_py.envs.planes import Planes
from zrf_py.ir.ops import Program
from zrf_py.play.game import load, loads
from zrf_py.text.diagnostics import ZrfError

GAMES = ["tictactoe", "connect-four", "checkers", "chess", "othello"]
GOLDEN = ROOT / "tests" / "golden" / "actions"


@pytest.mark.parametrize("name", GAMES)
def test_numbers_and_planes_match_the_golden_file(name: str) -> None:
    """This compares the names of the planes, the number of actions, a hash of all their texts, and every 25th text."""
    program = load(name).program
    texts = Actions.of(program).texts
    lines = [*Planes(program).names, f"{len(texts)} actions",
             hashlib.sha256("\n".join(texts).encode()).hexdigest()]
    lines += [f"{number} {texts[number]}" for number in range(0, len(texts), 25)]
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    assert path.read_text("utf-8").splitlines() == lines


def test_a_leg_has_the_first_number_of_its_name_unless_that_is_taken() -> None:
    """Two blocks may write the same steps and hops of a star; legs that do the same have one number."""
    game = load("booklet/sternhalma")
    actions, position = Actions.of(game.program), game.start().state
    moves = game.engine.moves(position)
    assert any(name.way for name in actions.names)
    found = actions.numbered(moves)
    assert len(set(found)) == len(moves) and {actions.number(move, moves) for move in moves} == set(found)
    assert all(actions.names[action].way == 0 for action in found)


@pytest.mark.parametrize("name", ["nine-mens-morris", "gefangen2-2p"])
def test_a_number_leads_back_to_its_leg(name: str) -> None:
    """This holds even where legs with one name differ in what they capture: these have numbers of their own."""
    game, shared = load(name), 0
    actions = Actions.of(game.program)
    for position in counted(random_game(game, 60, 3)):
        moves = tuple(move.raw for move in position.moves()) if position.outcome() is None else ()
        legs = actions.numbered(moves)
        numbers = [actions.number(move, moves) for move in moves]
        assert [legs[number][0].captures for number in numbers] == [move.captures for move in moves]
        assert [legs[number][0].movements for number in numbers] == [move.movements for move in moves]
        shared += len(moves) - len(set(map(actions.first, moves)))
    assert shared > 10


def test_observations_put_the_viewer_first() -> None:
    """The player to move is "own", whichever player it is; a named viewer sees the same board from its side."""
    planes, position = Planes(load("tictactoe").program), load("tictactoe").start()
    own, other = (planes.names.index(f"{seat} Mark") for seat in ("own", "other"))
    for ply, move in enumerate(("b2", "a1", "c3")):
        position = position.play(move)
        counts = [[sum(planes.observe(position.state, viewer=viewer)[plane]) for plane in (own, other)]
                  for viewer in (-1, 0, 1)]
        mine, his = ply // 2 + 1, (ply + 1) // 2
        assert counts[1:] == [[mine, his], [his, mine]] and counts[0] == counts[1 if position.player == "X" else 2]


def test_a_player_may_be_named_like_a_plane() -> None:
    """The pieces of a player without turns have planes of their own, which start with its name."""
    game = loads("""(game (title "Names") (players White Black turn) (turn-order White Black)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1" (0 9))) (directions (e 1 0))))
      (piece (name Man) (moves (e (verify empty?) add)))
      (board-setup (White (Man a1)) (turn (Man c1))) (win-condition (White) (captured Man)))""")
    planes = Planes(game.program)
    observation = planes.observe(game.start().state)
    filled = {name: row.tolist() for name, row in zip(planes.names, observation, strict=True)}
    assert filled["turn Man"] == [0, 0, 1] and filled["turn 0"] == [1, 1, 1] and filled["turn 1"] == [0, 0, 0]


def test_game_with_too_many_paths_is_refused_with_a_message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    monkeypatch.setattr(reach, "MAX_WORK", 1000)
    with pytest.raises(ZrfError, match="too many paths for its legs to be numbered"):
        Actions.of(load("chess").program)


def test_relations_compose_like_sets_of_pairs() -> None:
    squares, draw = reach.Squares(load("tictactoe").program, 0), Random(3)
    size = squares.size

    def pairs(relation: int) -> set[tuple[int, int]]:
        return {divmod(bit, size) for bit in reach.bits(relation)}

    for _ in range(40):
        starts, ends = (draw.getrandbits(size * size) & draw.getrandbits(size * size) for _ in range(2))
        shared = {(end, start) for end, at in pairs(ends) for start, index in pairs(starts) if index == at}
        assert pairs(squares.composed(starts, ends)) == shared and shared


def test_environments_of_one_game_share_its_action_space(monkeypatch: pytest.MonkeyPatch) -> None:
    analysed: list[Program] = []

    def names_of(program: Program) -> list[names.Name]:
        analysed.append(program)
        return names.names_of(program)

    monkeypatch.setattr(actions, "names_of", names_of)
    game = load("tictactoe")
    assert playable(game, None)[1].texts == playable(game, None)[1].texts
    assert analysed == [game.program]


@pytest.mark.parametrize("name", ["gefangen2-2p", "shogi", *slow(["chess"])])
def test_names_of_widened_states_cover_all_legs(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A coarser analysis, used if the exact one takes too many steps, names more legs; fleets play as before."""
    game = load(name)
    exact = {found[:3] for found in names._names(game.program)}
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    monkeypatch.setattr(reach, "MOST_VISITS", 0)
    widened = {found[:3] for found in names._names(game.program)}
    assert exact < widened
    follow(game, 2, 30, seed=5)


def test_names_are_analysed_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The second time, the names are read from disk, in the same order; a damaged file is written anew."""
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    programs = [load(name).program for name in ("chess", "tictactoe", "checkers")]
    first = [names.names_of(program) for program in programs]
    analysed = [names._names(program) for program in programs]
    assert first == analysed and all(first)
    with monkeypatch.context() as patch:
        patch.setattr(reach, "MAX_WORK", 0)
        assert [names.names_of(program) for program in programs] == first
        for path in tmp_path.rglob("*.names"):
            path.write_bytes(path.read_bytes()[:-1])
        with pytest.raises(ZrfError):
            names.names_of(programs[0])
    assert names.names_of(programs[0]) == first[0]


def test_action_texts_are_distinct_and_the_pass_comes_last() -> None:
    for seed in counted(range(30)):
        actions = Actions.of(made_up(seed))
        assert len(set(actions.texts)) == len(actions.texts) == len(actions)
        assert [actions.numbers[text] for text in actions.texts] == [*range(len(actions))]
        assert actions.pass_action == (actions.numbers["Pass"] if actions.can_pass else -1)
        spare = [text for text in actions.texts if text.startswith("other ")]
        assert len(spare) == actions.others and actions.texts[len(actions.names):][:len(spare)] == tuple(spare)
