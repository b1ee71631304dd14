"""Games for learning agents, one or many at a time: seats, opponents, rewards, illegal actions, drawings."""

from __future__ import annotations

from random import Random

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

from tests import small_games  # noqa: E402
from tests.following import plain  # noqa: E402
from zrf_py.envs import features  # noqa: E402
from zrf_py.envs.aec import raw_env  # noqa: E402
from zrf_py.envs.pictures import picture  # noqa: E402
from zrf_py.envs.table import FleetTable  # noqa: E402
from zrf_py.play.game import load, loads  # noqa: E402
from zrf_py.text import arguments  # noqa: E402
from zrf_py.text.diagnostics import ZrfError  # noqa: E402

MARCH = small_games.MARCH.format(ends="(loss-condition (White Black) stalemated)")
"""White has choices, Black at most one move; a player who can't move loses, and White wins by reaching a4."""


def rewards_of(outcome, players) -> list[int]:  # type: ignore[no-untyped-def]
    """Return the rewards of `players`: 1 for a win, -1 for a loss, 0 if the game isn't over or is drawn."""
    if outcome is None or not (outcome.winners or outcome.losers):
        return [0] * len(players)
    if outcome.winners:
        return [1 if name in outcome.winners else -1 for name in players]
    return [-1 if name in outcome.losers else 1 for name in players]


@pytest.mark.parametrize("name", ["tictactoe", "checkers", "tippy-nl-3p"])
def test_single_game_agrees_with_the_interpreter_from_each_seat(name: str) -> None:
    game, random = load(name), Random(5)
    env = raw_env(game, max_plies=20)
    fleet, players = env.fleet, env.possible_agents
    assert players == [p.name for p in game.program.game.players if p.kind == "player"]
    for seed in range(3):
        env.reset(seed)
        position = fleet.position(0)
        for ply in range(21):
            assert plain(fleet.position(0).state) == plain(position.state)
            outcome = position.outcome()
            legal = [] if outcome else sorted(fleet.actions.numbered(tuple(m.raw for m in position.moves())))
            is_cut = outcome is None and ply == 20
            assert set(env.terminations.values()) == {outcome is not None} and set(env.truncations.values()) == {is_cut}
            assert sorted(env.legal.tolist()) == legal
            assert list(env.rewards.values()) == rewards_of(outcome, players)
            for name, seen in [(name, env.observe(name)) for name in players]:
                np.testing.assert_array_equal(seen["observation"], features(position, name))
                shown = legal if position.player == name and not is_cut else []
                assert np.flatnonzero(seen["action_mask"]).tolist() == shown
            if outcome is not None or is_cut:
                break
            assert env.agent_selection == position.player
            action = random.choice(legal)
            with pytest.raises(ZrfError, match="action 100000"):
                env.step(100_000)
            env.step(action)
            moves = fleet.actions.numbered(tuple(m.raw for m in position.moves()))
            position = next(position.play(m) for m in position.moves() if m.raw == moves[action][0])
    env.close()


@pytest.mark.parametrize(("opponent", "seat"), [("random", 0), ("random", 1), ("greedy", 1), (None, 0)])
def test_many_games_of_an_agent_play_like_single_games(opponent: str | None, seat: int) -> None:
    """Each slot plays like a table with one game and the same seed; illegal actions lose the game, and new games
    begin."""
    game = loads(MARCH.replace("White Black)", "Black White)", 2) if seat else MARCH)  # the opponent has no choice
    random, size = Random(3), 3
    many = FleetTable(game, size, opponent, seat, max_plies=9)
    alone = [FleetTable(game, 1, opponent, seat, max_plies=9) for _ in range(size)]
    many.reset([11, 12, 13])
    for slot, table in enumerate(alone):
        table.reset([11 + slot])
    ended = wrong = 0
    for _ in range(40):
        seen, seens = many.see(), [table.see() for table in alone]
        for key in ("observation", "action_mask"):
            np.testing.assert_array_equal(seen[key], np.concatenate([other[key] for other in seens]))
        assert many.over.tolist() == [bool(table.over[0]) for table in alone]
        assert not seen["action_mask"][many.over].any() and seen["action_mask"][~many.over].any(axis=1).all()
        if opponent is not None:
            assert (many.fleet.player == seat)[~many.over].all()
        actions = [random.choice(np.flatnonzero(row).tolist() or [0]) for row in seen["action_mask"]]
        if random.random() < 0.1 and not many.over[0]:
            actions[0] = int(seen["action_mask"][0].argmin())
        over = many.over.copy()
        reward, illegal = many.step(np.array(actions))
        found = [table.step(np.array([action])) for table, action in zip(alone, actions, strict=True)]
        assert reward.tolist() == [float(one[0][0]) for one in found]
        assert illegal.tolist() == [bool(one[1][0]) for one in found]
        for slot in range(size):
            assert illegal[slot] == (not over[slot] and not seen["action_mask"][slot, actions[slot]])
            if illegal[slot]:
                assert reward[slot] == -1 and many.over[slot] and many.fleet.truncated[slot]
            elif not many.fleet.done[slot]:
                assert reward[slot] == 0
        ended, wrong = ended + int(many.over.sum()), wrong + int(illegal.sum())
    assert ended > 10 and wrong
    if many.over.any():
        finished = many.over.copy()
        many.begin(finished)
        assert not (many.over & finished).any()


def test_an_opponent_with_the_first_turn_moves_during_the_reset() -> None:
    """Black, the opponent, moves first: after the reset, each game is one ply old, and it is the agent's turn."""
    rules = MARCH.replace("(turn-order White Black)", "(turn-order Black White)")
    table = FleetTable(loads(rules), 2, "random", 0)
    table.reset(4)
    assert not table.over.any() and (table.fleet.ply == 1).all() and (table.fleet.player == 0).all()


@pytest.mark.parametrize("value", [True, 1.5, "1", None, [1]])
def test_only_whole_numbers_are_accepted(value: object) -> None:
    assert arguments.integer(value) is None
    with pytest.raises(ZrfError, match="size"):
        arguments.whole("size", value if value is not True else 0, 1, 5)


@pytest.mark.parametrize(("value", "is_fine"), [(0, False), (1, True), (5, True), (6, False), (np.int32(3), True)])
def test_numbers_outside_their_range_are_refused(value: int, is_fine: bool) -> None:
    if is_fine:
        assert arguments.whole("size", value, 1, 5) == value
    else:
        with pytest.raises(ZrfError, match="size"):
            arguments.whole("size", value, 1, 5)


def test_boards_are_rendered_as_text_or_pixels() -> None:
    position = load("tictactoe").start().play("b2").play("c3")
    text = picture(position, "ansi")
    assert [line.split() for line in text.splitlines()] == [[".", ".", "O"], [".", "X", "."], [".", ".", "."],
                                                             ["X", "to", "move"]]
    assert picture(position, None) is None
    for mode in ("human", ["ansi"]):
        with pytest.raises(ZrfError, match="`render_mode` can't be"):
            raw_env("tictactoe", render_mode=mode)  # type: ignore[arg-type]
    assert raw_env("tictactoe", render_mode="ansi").render_mode == "ansi"
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    pixels = picture(position, "rgb_array")
    empty = picture(load("tictactoe").start(), "rgb_array")
    assert pixels.shape == empty.shape and pixels.shape[2] == 3 and (pixels != empty).any()
