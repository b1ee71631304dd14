"""Search: its results, limits and incremental sums."""

from __future__ import annotations

from ctypes import c_int64
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import zrf_py
from tests.engines import checked
from tests.playing import counted, slow
from tests.python_machine import PythonMachine
from zrf_py.batch.games import Played, play
from zrf_py.ir.ops import Program
from zrf_py.library import load_file, named
from zrf_py.native import Native
from zrf_py.native import code as machine
from zrf_py.play.advice import analyse
from zrf_py.play.players import player
from zrf_py.run.position import NOT_PARTIAL, Position
from zrf_py.run.rules import Rules
from zrf_py.search import memory as notes
from zrf_py.search import preparation
from zrf_py.search.alphabeta.kernel.search import FULL_WINDOW, NULL_MOVE
from zrf_py.search.base import Base
from zrf_py.search.chance import is_drawn, next_player
from zrf_py.search.driver import Driver
from zrf_py.search.evaluation.deadlines import deadlines
from zrf_py.search.evaluation.kernel.races import HOPELESS
from zrf_py.search.evaluation.mobility import Trials
from zrf_py.search.evaluation.weights import WAY, crowded_races, race_steps, weights
from zrf_py.search.fallback import Slow
from zrf_py.search.game_search import GameSearch, may_return, search_for
from zrf_py.search.limits import GLANCE, NODES, Limits, limits
from zrf_py.search.preparation import last_moves
from zrf_py.search.result import Analysis, Request, SearchLine
from zrf_py.search.searcher import Searcher
from zrf_py.search.traits import ALPHA_BETA, SLOW, TREE, game_traits
from zrf_py.text.diagnostics import ZrfError


def program_of(name: str) -> Program:
    path, variant = named(name, None)
    return load_file(path).program(variant)


SMALL = """(game (title "Small") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
                 (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
    {moves} (loss-condition (Black) (pieces-remaining 0)))"""
"""Rules of a game on nine squares; `moves` stands for its pieces and its setup."""


@pytest.mark.parametrize(("name", "kind"), [
    ("chess", ALPHA_BETA), ("halma", ALPHA_BETA), ("peg-solitaire", TREE),
    ("stern-3p", ALPHA_BETA), ("tippy-nl-3p", TREE), ("gomoku-3p", ALPHA_BETA),
    ("wuerfel-2p-norepeat", TREE), ("platonic-adv-2p", ALPHA_BETA),
])
def test_the_kind_of_search_follows_from_the_rules(name: str, kind: str) -> None:
    assert game_traits(program_of(name)).kind == kind


def test_more_mobile_pieces_are_worth_more() -> None:
    program = program_of("chess")
    worth = {piece.name: value for piece, value in zip(program.game.pieces, weights(program).kinds, strict=True)}
    assert worth["Pawn"] * 2 < worth["Knight"] <= worth["Bishop"] < worth["Rook"] < worth["Queen"]


def test_only_some_last_moves_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """In chess, these are pawn moves by two squares, which allow en passant; squares are numbered by columns."""
    program = program_of("chess")
    pawn = next(i for i, piece in enumerate(program.game.pieces) if piece.name == "Pawn")
    monkeypatch.setattr(preparation, "LOOKING", 0.0)
    assert all(last_moves(Native(program), Random(1)))
    monkeypatch.setattr(preparation, "LOOKING", 1000.0)
    found = last_moves(Native(program), Random(1))
    assert {at for at, matters in enumerate(found) if matters} == {64 * (pawn + 1) + step for step in (2, 62)}


LAST_MOVES = """(game (title "Last") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("1/2" (0 9))) (directions (n 0 -1) (e 1 0))))
    (piece (name Man) BLOCKS) (board-setup BOARD) (loss-condition (White Black) stalemated))"""


@pytest.mark.parametrize(("blocks", "board", "places"), [
    ("(drops ((verify (and empty? (not-last-to? e))) add))", "(White (Man off 9)) (Black (Man off 9))",
     {64 + square + 1 for square in range(2, 8)}),
    ("(moves (n (verify empty?) capture add) (e (verify (and empty? (not-last-to? e))) add))",
     "(White (Man a2 a1)) (Black (Man d2))", {63}),
], ids=["drops", "men-that-vanish"])
def test_last_moves_without_a_start_or_a_piece_may_matter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, blocks: str, board: str, places: set[int],
) -> None:
    """A drop counts as a move from square -1; an empty destination counts as a type of its own, at index 0. In both
    games, a man may not enter the square to the left of the last destination; squares are numbered by columns."""
    path = tmp_path / "last.zrf"
    path.write_text(LAST_MOVES.replace("BLOCKS", blocks).replace("BOARD", board), "utf-8")
    monkeypatch.setattr(preparation, "LOOKING", 1000.0)
    matters = last_moves(Native(load_file(path).program(None)), Random(1))
    assert {at for at, is_seen in enumerate(matters) if is_seen} == places


def test_goal_square_is_better_than_any_square_before_it() -> None:
    program = program_of("platonic-simple-2p")
    goal = program.game.board.zones[program.game.symbols.zones["goal"]][0]
    for row in counted(weights(program).board[0]):
        assert min(row[s] for s in goal) > max(w for s, w in enumerate(row) if s not in goal)


# ------------------------------------------------------------------------------------------------------------- results


def test_tictactoe_is_a_draw() -> None:
    found = analyse(zrf_py.load("tictactoe").start(), depth=100)
    assert found.proven and found.lines[0].score == 0 and found.lines[0].ends_in is None


def test_losing_replies_are_found() -> None:
    found = analyse(zrf_py.load("tictactoe").start().play("b2"), depth=100, lines=8)
    assert [line.score_text for line in found.lines] == ["+0.00"] * 4 + ["loses in 6"] * 4


def _distance(position: zrf_py.Position) -> int:
    """Return the plies to the end with best play: positive if the player to move wins, negative if the opponent does;
    0 for a draw, -100 if the game is over and lost."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if not outcome.winners else -100
    found = []
    for move in position.moves():
        found.append(_seen_before(_distance(position.play(move))))
    wins, losses = [d for d in found if d > 0], [d for d in found if d < 0]
    return min(wins) if wins else 0 if 0 in found else min(losses)


def _seen_before(after: int) -> int:
    """Return a distance as the other player sees it, one move earlier."""
    return 0 if after == 0 else 1 if after == -100 else 1 - after if after < 0 else -1 - after


def test_a_tree_proves_the_exact_values() -> None:
    """The best move has its true result, as has each move reported as won or lost; no end is reported too soon."""
    choose, seen = Random(5), set()
    for _ in range(7):
        position = zrf_py.load("tictactoe").start()
        for _ in range(4):
            position = position.play(choose.choice(position.moves()))
        found = analyse(position, nodes=30_000, kind=TREE, lines=9)
        assert found.proven
        distance, best = _distance(position), found.lines[0]
        assert _sign(best.ends_in) == _sign(distance) and (distance or best.score == 0)
        for line in found.lines:
            distance = _seen_before(_distance(position.play(line.moves[0])))
            if line.ends_in:
                assert _sign(line.ends_in) == _sign(distance) and abs(line.ends_in) >= abs(distance)
            seen.add((_sign(line.ends_in), abs(line.ends_in or 0)))
    assert {sign for sign, _ in seen} == {-1, 0, 1} and len(seen) > 5


def _sign(distance: int | None) -> int:
    return 0 if not distance else 1 if distance > 0 else -1


def test_a_proven_end_has_the_exact_distance() -> None:
    """The distance equals that of an exhaustive search in Python."""
    choose, lengths = Random(3), set()
    for _ in range(6):
        position = zrf_py.load("tictactoe").start()
        for _ in range(4):
            position = position.play(choose.choice(position.moves()))
        distance, found = _distance(position), analyse(position, depth=100)
        assert found.lines[0].ends_in == (distance or None)
        if distance:  # a win by a move first searched with reduced depth is found one depth later
            assert found.lines[0].depth <= abs(distance) + 1
        lengths.add(distance)
    assert len(lengths) >= 3


def test_with_three_players_wins_are_hastened_and_losses_delayed() -> None:
    """White is two steps from the goal; the others can only wait."""
    position = zrf_py.loads("""(game (title "Three") (players White Black Red) (turn-order White Black Red)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
                   (directions (n 0 -1) (e 1 0) (w -1 0))) (zone (name goal) (players White) (positions a4)))
      (piece (name Man) (moves (n (verify empty?) add)))
      (piece (name Clock) (moves (e (verify empty?) add) (w (verify empty?) add)))
      (board-setup (White (Man a2) (Clock d1)) (Black (Clock b2)) (Red (Clock c3)))
      (win-condition (White) (absolute-config Man (goal))) (draw-condition (Black) (pieces-remaining 9)))""").start()
    seen = []
    for move in ("a2-a3", "b2-c2", "c3-d3"):
        seen.append(analyse(position, depth=9).lines[0].ends_in)
        position = position.play(move)
    assert [*seen, analyse(position, depth=9).lines[0].ends_in] == [4, -3, -2, 1]


def python_searcher(base: Base) -> Searcher:
    """Return a searcher whose kernel runs as Python, so that its parts can be called one by one."""
    return Searcher(base.program, base.searcher.plan, PythonMachine)


def test_null_moves_never_follow_each_other() -> None:
    """At the same ply a null move is tried after a normal move, but not after a null move."""
    base = Base(program_of("chess"))
    searcher = python_searcher(base)
    searcher.prepare(searcher.engine.start(), (), 10)
    searcher.weigh(base.weights)
    phases = {"full window": FULL_WINDOW, "null move": NULL_MOVE}
    tried = {}
    for name, phase in phases.items():
        searcher.restart(searcher.engine.start())
        here, before = (notes.Ply.over(searcher.machine.arrays["ply"], at * notes.Ply.size) for at in (2, 1))
        before.phase, here.phase, here.depth = phase, FULL_WINDOW, 6
        here.alpha, here.beta, here.static, here.legal, here.chained, here.checked = -1, 0, 500, 30, 0, 0
        tried[name] = searcher.machine.code.function("try_null_move", 1)(2), here.phase
    assert tried == {"full window": (1, NULL_MOVE), "null move": (0, FULL_WINDOW)}


def test_mobility_covers_the_whole_side_after_a_turn_of_two_legs() -> None:
    """In Amazons, the opponent's mobility is compared with the number of moves of all amazons, not with the number of
    shots of one amazon after its move."""
    base = Base(program_of("amazons"))
    searcher, start = base.searcher, base.searcher.engine.start()
    searcher.weigh(base.weights)
    searcher.prepare(start, (), 10)
    searcher.deepen(1, 2)
    searcher.go(ALPHA_BETA, 3)
    root, shot, other = (notes.Ply.over(searcher.machine.arrays["ply"], at * notes.Ply.size) for at in range(3))
    assert (root.mover, shot.mover, shot.chained, other.chained) == (root.mover, root.mover, 1, 0)
    fresh = len(searcher.engine.moves(start))
    assert other.mover != root.mover and fresh == other.seen != shot.legal


@pytest.mark.parametrize("count", [1, 3])
def test_a_search_suspended_at_every_position_finds_the_same_lines(count: int) -> None:
    """It finds the same lines after equally many positions, with one position at a time or all at once."""
    base = Base(program_of("tictactoe"))
    searcher, start, found = base.searcher, base.searcher.engine.start(), []
    for budget in (1, 700):
        searcher.prepare(start, (), 12)
        searcher.deepen(count, None)
        while searcher.visited < 700 and not searcher.go(ALPHA_BETA, min(budget, 700 - searcher.visited)):
            pass
        found.append(searcher.result(ALPHA_BETA, start, 0.0))
    assert found[0] == found[1] and found[0].nodes == 700 and len(found[0].lines) == count


def test_captures_by_the_least_valuable_piece_are_tried_first() -> None:
    base = Base(program_of("chess"))
    position = zrf_py.load("chess").read("White King a1; White Queen d1; White Pawn c4; Black Rook d5; Black King h8")
    searcher = python_searcher(base)
    searcher.prepare(position.state, (), 10)
    searcher.weigh(base.weights)
    searcher.restart(position.state)
    base_of_records = searcher.machine.code.function("legal", 0)()
    searcher.machine.code.function("score_moves", 4)(1, base_of_records, -1, 0)
    scores = dict(zip((str(move) for move in position.moves()), searcher.machine.arrays["order_score"], strict=False))
    by_pawn, by_queen, best, *_ = scores["Pawn c4 x d5"], scores["Queen d1 x d5"], *sorted(scores.values())[::-1]
    assert best == by_pawn > by_queen > 0


@pytest.mark.parametrize("kind", [ALPHA_BETA, TREE])
def test_a_win_is_taken_and_a_loss_prevented(kind: str) -> None:
    position = zrf_py.load("connect-four").start()
    for move in ("d1", "a1", "d2", "a2", "d3"):
        position = position.play(move)
    assert "d4" in analyse(position, nodes=3000, kind=kind).lines[0].moves[0]
    won = analyse(position.play("g1"), nodes=3000, kind=kind).lines[0]
    assert won.ends_in == 1 and "d4" in won.moves[0]


def test_distances_to_a_goal_follow_the_moves_of_the_piece() -> None:
    """A diamond, which moves diagonally, has no way to goal squares of the other colour."""
    program = program_of("platonic-simple-2p")
    races = crowded_races(program, race_steps(program, Trials(program)) or ())
    kind = next(i for i, piece in enumerate(program.game.pieces) if piece.name == "Diamond")
    squares = {place.name: i for i, place in enumerate(program.game.board.places)}
    assert squares["f10"] in races.goals[0] and squares["f10"] not in races.goals[1]
    ways = races.costs[0][kind][squares["d8"]]
    assert ways[squares["f10"]] == round(100 * 2**WAY) and ways[squares["g10"]] == -1


@pytest.mark.parametrize("name", ["stern-2p", "platonic-simple-2p"])
def test_a_race_is_valued_by_the_ways_of_the_men_outside_the_goal(name: str) -> None:
    """Each man takes the nearest free square of the goal; men that can reach fewest of these choose first."""
    searcher = Base(program_of(name)).searcher
    races, random, position = searcher.plan.races, Random(2), searcher.engine.start()
    assert races
    leads = set()
    for _ in counted(range(30)):
        values = []
        for owner, goal in enumerate(races.goals[:2]):
            free = [s for s in sorted(goal) if position.owner[s] != owner]
            men = [races.costs[owner][position.piece[s]][s] for s in range(len(position.owner))
                   if position.owner[s] == owner and s not in goal]
            cost = 0
            for ways in sorted(men, key=lambda ways: sum(ways[s] >= 0 for s in free)):
                nearest = min((s for s in free if ways[s] >= 0), key=lambda s: ways[s], default=-1)
                cost += ways[nearest] if nearest >= 0 else HOPELESS
                free = [s for s in free if s != nearest]
            values.append(-(cost * searcher.search.per_step // 100))
        lead = searcher.lead(position, 0)
        standing = searcher.machine.arrays["standing"]
        assert lead == standing[1] - standing[2] + values[0] - values[1]
        leads.add(values[0] - values[1])
        position = searcher.engine.after(position, random.choice(searcher.engine.moves(position)))
    assert len(leads) > 5


def test_leaving_a_yard_late_lowers_the_evaluation() -> None:
    """BrainKing's rule: a player with a man still in the home yard after 30 turns has lost."""
    program = program_of("bk-8x8")
    yards = [set(zone) for zone in program.game.board.zones[program.game.symbols.zones["home"]]]
    assert [(d.player, set(d.squares), d.turns) for d in deadlines(program)] == [(0, yards[0], 30), (1, yards[1], 30)]
    base = Base(program)
    start = base.searcher.engine.start()

    def stands(made: int) -> list[int]:
        position = replace(start, made=(made, 0))
        base.weigh(position)
        base.searcher.machine.make_ready()
        base.searcher.restart(position)
        return [int(v) for v in base.searcher.machine.arrays["standing"][1 : len(program.game.players) + 1]]

    early, late, too_late = stands(0), stands(25), stands(31)
    assert early[0] > late[0] > too_late[0] and early[1] == too_late[1]
    assert not deadlines(program_of("stern-2p"))


def test_weights_show_whether_a_game_has_captures() -> None:
    assert not weights(program_of("bk-8x8")).takes
    assert weights(program_of("breakthrough")).takes and weights(program_of("checkers")).takes


def test_a_position_may_return_only_with_the_same_number_of_pieces() -> None:
    position = zrf_py.load("tictactoe").start()
    assert may_return(position.state, [position.state]) == [position.state]
    assert may_return(position.play("b2").state, [position.state]) == []


@pytest.mark.parametrize("kind", ["alphabeta", "mcts"])
def test_a_player_who_will_lose_by_repetition_delays_the_loss(kind: str) -> None:
    """Black's man would repeat the start on c3, and be under attack on c1; if repetition does not count, nothing is
    lost."""
    rules = SMALL.format(moves="""OPTION
        (piece (name Man) (moves (n (verify empty?) add) (s (verify empty?) add)))
        (piece (name Guard) (moves (e (verify enemy?) add)))
        (board-setup (White (Man a1) (Guard b1)) (Black (Man c3)))
        (loss-condition (White Black) repetition)""")
    for option in ("", '(option "repetition" 3)', '(option "repetition" none)'):
        position = zrf_py.loads('(version "zrf+") ' + rules.replace("OPTION", option)).start()
        for move in ("a1-a2", "c3-c2", "a2-a1"):
            position = position.play(move)
        line = analyse(position, nodes=2000, kind=kind).lines[0]
        if "none" in option:
            assert line.moves[0] == "Man c2 - c3" and not line.ends_in
        elif kind == "alphabeta":
            assert line.moves[0] == "Man c2 - c1" and (line.ends_in or 0) < 0


def test_a_tree_detects_repetitions_in_the_past_and_in_the_search() -> None:
    """Each man has only two squares, so Black's second move returns to the start and wins by repetition."""
    position = zrf_py.loads(SMALL.format(moves="""
        (piece (name Man) (moves (n (verify empty?) add) (s (verify empty?) add)))
        (piece (name Rock))
        (board-setup (White (Man a1) (Rock a3)) (Black (Man c3) (Rock c1)))
        (win-condition (White Black) repetition)""")).start()
    for wins in (False, True, False, True):
        (line,) = analyse(position, nodes=2000, kind=TREE).lines
        assert line.score > 100 if wins else line.score < -100
        position = position.play(line.moves[0])


@pytest.mark.parametrize("kind", [ALPHA_BETA, TREE])
def test_legs_of_one_turn_do_not_negate_the_value(kind: str) -> None:
    """Two legs of one player win: one to the east, then one north onto the last man."""
    position = zrf_py.loads(SMALL.format(moves="""
        (piece (name Man) (moves (move-type step) (e (verify empty?) (add-partial take)) (n (verify empty?) add)
                                 (move-type take) (n (verify enemy?) add)))
        (board-setup (White (Man a1 a3)) (Black (Man b2)))""")).start()
    line = analyse(position, nodes=2000, kind=kind).lines[0]
    assert line.moves[:2] == ("partial 2 Man a1 - b1", "Man b1 x b2") and (line.ends_in or 0) > 0


# ----------------------------------------------------------------------------------------------------------- limits


def test_computer_players_do_not_hop_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    search = GameSearch(zrf_py.load("bk-8x8").program)

    def hop(position: Position, *rest: object) -> Analysis:
        """Choose the last of the legs after which the turn may go on, like a player that always hops back."""
        moves = search.engine.moves(position)
        last = ([m for m in moves if m.partial != NOT_PARTIAL] or [*moves])[-1:]
        return Analysis((SearchLine(0, last, 0),), 0, 0.0, False)

    monkeypatch.setattr(search, "analyse", hop)
    position = search.engine.start()
    for _ in range(6):
        legs = search.turn(position)
        assert 1 <= len(legs) < 30
        for leg in legs:
            position = search.engine.after(position, leg)
        assert position.chain is None


def test_equal_nodes_and_seeds_give_the_same_game() -> None:
    program = program_of("breakthrough")

    def played() -> Played:
        engine = Native(program)
        return play(engine, engine.start(), dict.fromkeys((0, 1), player("ai:2")), Random(7), 14)

    assert len(played().moves) == 14 and played().moves == played().moves


def test_no_limit_of_nodes_is_exceeded() -> None:
    position = zrf_py.load("chess").start()
    for count in (1, 20, 777):
        assert analyse(position, nodes=count).nodes <= count
    assert analyse(position, strength=3).nodes <= NODES[2]


def test_the_time_limit_covers_the_whole_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    search = GameSearch(zrf_py.load("bk-8x8").program)
    asked: list[Limits] = []

    def one_leg(position: Position, past: object, limits: Limits, *rest: object) -> Analysis:
        """Choose, after 0.6 s, a leg that lets the turn go on, or else any."""
        asked.append(limits)
        clock[0] += 0.6
        moves = search.engine.moves(position)
        going_on = [m for m in moves if search.engine.after(position, m).chain is not None]
        return Analysis((SearchLine(0, (*going_on, *moves)[:1], 1),), 0, 0.0, False)

    clock = [0.0]
    monkeypatch.setattr("zrf_py.search.game_search.time.perf_counter", lambda: clock[0])
    monkeypatch.setattr(search, "analyse", one_leg)
    position = zrf_py.load("bk-8x8").start()
    for edit in ("(Black Man e3)", "(Black Man f5)"):  # b2-d2-f4-f6
        position = position.edited(edit)
    assert len(search.turn(position.state, limits=Limits(time=1.0))) == 3
    assert [(a.time, a.nodes) for a in asked] == [(1.0, None), (pytest.approx(0.4), None), (None, GLANCE)]


@pytest.mark.parametrize(("name", "kind"), [
    ("breakthrough", "alphabeta"), ("tictactoe", "slow"),
    *slow([("chess", "alphabeta"), ("chess", "mcts"), ("stern-3p", "beam")])])
def test_the_best_line_comes_first_wherever_a_search_ends(name: str, kind: str) -> None:
    position = zrf_py.load(name).start()
    random = Random(name)
    for turn in range(4):
        for nodes in (300, 900, 2_900):
            found = analyse(position, nodes=nodes, kind=kind, lines=4, seed=turn).lines
            worths = [line.score for line in found]
            assert worths == sorted(worths, reverse=True)
            assert len({line.moves[0] for line in found}) == len(found)
        position = position.play(random.choice(position.moves()))



@pytest.mark.parametrize("kind", [ALPHA_BETA, TREE])
def test_immediate_win_is_found_without_any_time(kind: str) -> None:
    position = zrf_py.load("connect-four").start()
    for move in ("d1", "a1", "d2", "a2", "d3", "a3"):
        position = position.play(move)
    assert "d4" in analyse(position, time=1e-9, kind=kind).lines[0].moves[0]


def test_a_search_can_be_stopped() -> None:
    calls = iter(range(1000))
    found = analyse(zrf_py.load("chess").start(), time=60, stop=lambda: next(calls) > 3)
    assert found.lines and found.seconds < 30


@pytest.mark.parametrize("wrong", [{"time": 0}, {"nodes": 0}, {"depth": 101}, {"strength": 11}])
def test_senseless_limits_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ZrfError):
        limits(**wrong)


def test_a_finished_game_is_not_searched() -> None:
    position = zrf_py.load("tictactoe").start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        position = position.play(move)
    with pytest.raises(ZrfError, match="over"):
        analyse(position)


@pytest.mark.parametrize("name", ["ai:0", "ai:11", "ai:x", "al", "ai:5:6:7:x"])
def test_unknown_players_are_refused(name: str) -> None:
    with pytest.raises(ZrfError, match="there is no player"):
        player(name)


def test_games_too_large_for_the_native_engine_are_searched() -> None:
    rules = Rules(program_of("connect-four"))
    position = rules.start()
    for number in (3, 0, 3, 0, 3, 6):
        position = rules.after(position, rules.moves(position)[number])
    found = Slow(rules).analyse(Request(position, limits=Limits(nodes=20_000)))
    assert found.best.moves[0] == rules.moves(position)[3]


def test_without_machine_code_each_move_is_tried_whatever_the_limit() -> None:
    rules = Rules(program_of("tictactoe"))
    found = Slow(rules).analyse(Request(rules.start(), count=9, limits=Limits(nodes=1)))
    assert {line.moves[0] for line in found.lines} == set(rules.moves(rules.start()))
    more = Slow(rules).analyse(Request(rules.start(), count=9, limits=Limits(nodes=8_000)))
    assert found.nodes < more.nodes <= 10_000


# ------------------------------------------------------------------------------------------------------ native memory


@pytest.mark.parametrize("name", ["chess", "connect-four", "bk-8x8"])
def test_sums_and_hash_match_the_board(name: str) -> None:
    """Updated move by move, they equal those computed from the board."""
    searcher = Base(program_of(name)).searcher
    random, position = Random(3), searcher.engine.start()
    for _ in range(40):
        moves = searcher.engine.moves(position)
        if not moves:
            break
        searcher.restart(position)
        number = random.randrange(len(moves))
        after = searcher.engine.after(position, moves[number])
        kept = _follow(searcher, position, number)
        searcher.restart(after)
        assert kept == _sums(searcher)
        position = after


def _follow(searcher: Searcher, position: object, number: int) -> list[int]:
    """Return the sums after a move was made in native memory."""
    call, state = searcher.machine.call, searcher.machine.state
    searcher.restart(position)  # type: ignore[arg-type]
    before = _sums(searcher)
    at = call["legal"]()
    for _ in range(number):
        head = searcher.machine.moves[at]
        at += 2 + (head & 4095) + (head >> 12 & 4095) + (head >> 24 & 4095)
    call["after"](at)
    found = _sums(searcher)
    call["unmake"]()
    assert _sums(searcher) == before
    assert not state.error
    return found


def _sums(searcher: Searcher) -> list[int]:
    return [searcher.machine.call["position_key"](), *searcher.machine.arrays["standing"][1:]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bk-8x8", "gomoku-3p"])
def test_no_access_of_search_is_out_of_bounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search runs in code that checks every index."""
    monkeypatch.setattr(machine, "kept_game", checked)
    base = Base(program_of(name))
    for kind in (ALPHA_BETA, TREE):
        Driver(base, kind).analyse(Request(base.searcher.engine.start(), limits=Limits(nodes=5000), count=2))
        assert c_int64.from_address(base.searcher.machine.code.symbol("outside")).value == 0


def test_games_with_dice_are_searched() -> None:
    """The search draws dice rolls at random, and a limit of 50 positions ends it."""
    found = search_for(program_of("wuerfel-2p-norepeat"))
    start = found.rules.start()
    assert found.kind == TREE and found.analyse(start, limits=Limits(nodes=50)).lines


@pytest.mark.parametrize("name", ["wuerfel-2p", "tictactoe"])
def test_a_depth_alone_ends_every_search(name: str) -> None:
    """A tree of playouts has no depth: without another limit it ends after a second."""
    found = analyse(zrf_py.load(name).start(), depth=1, kind=TREE, stop=(ends := iter([False] * 100_000)).__next__)
    assert found.lines and found.seconds < 20 and next(ends) is False, "it ended by itself"


@pytest.mark.parametrize("kind", [TREE, SLOW])
def test_at_a_chance_node_values_are_for_the_next_player(kind: str, tmp_path: Path) -> None:
    """With heads White reaches his goal; with tails he cannot move, which loses."""
    found = analyse(coin(tmp_path), nodes=20_000, lines=5, kind=kind)
    assert found.worth_to == "White" and found.expected == 0
    assert [line.moves[0] for line in found.lines] == ["?Coin Head coin", "?Coin Tail coin"]
    assert [line.chance for line in found.lines] == [pytest.approx(1, abs=0.02), pytest.approx(0, abs=0.02)]


def test_values_are_for_the_player_to_move(tmp_path: Path) -> None:
    found = analyse(coin(tmp_path).play("?Coin Head coin"), nodes=100)
    assert found.worth_to == "White" and found.expected is None and found.lines[0].ends_in == 1


def test_the_next_player_is_found_after_several_dice() -> None:
    """Two dice are rolled before each turn, and neither is the next player."""
    rules = Rules(program_of("wuerfel-2p-norepeat"))
    places = [replace(rules.start(), turn=turn) for turn in range(6)]
    assert [is_drawn(rules.program, place) for place in places] == [True, True, False] * 2
    assert [next_player(rules, place) for place in places] == [0, 0, 0, 1, 1, 1]


COIN = """(game (title "Coin") (players White Black ?Coin) (turn-order ?Coin White ?Coin Black)
  (board (positions (a 0 0 9 9) (b 10 0 19 9) (coin 20 0 29 9)) (links e (a b))
    (zone (name the-coin) (players ?Coin) (positions coin)))
  (piece (name Head) (drops ((verify (in-zone? the-coin)) add)))
  (piece (name Tail) (drops ((verify (in-zone? the-coin)) add)))
  (piece (name Man) (moves (e (verify (piece? Head coin)) (verify empty?) add)))
  (board-setup (?Coin (Head off 9) (Tail off 9)) (White (Man a)))
  (win-condition (White) (absolute-config Man (b))) (loss-condition (White Black) stalemated))
"""


def coin(folder: Path) -> zrf_py.Position:
    path = folder / "coin.zrf"
    path.write_text(COIN, "utf-8")
    return zrf_py.load(path).start()


def test_the_search_of_a_game_is_cached() -> None:
    program = program_of("tictactoe")
    assert search_for(program) is search_for(program)
    assert notes.Search.size > notes.Search.tries


def test_a_level_limits_the_nodes() -> None:
    assert limits(nodes=10**9, strength=2).nodes == NODES[1] and limits(nodes=5, strength=2).nodes == 5


def test_a_draw_searched_to_the_end_is_certain() -> None:
    """Two squares are empty: one move prevents every line, the other lets the opponent complete one."""
    position = zrf_py.load("tictactoe").start()
    for move in ("b2", "a1", "a2", "c2", "b1", "b3", "c1"):
        position = position.play(move)
    ends = [position.play(first).play(last).outcome() for first, last in (("a3", "c3"), ("c3", "a3"))]
    found = analyse(position, nodes=1_000)
    assert [end.winners for end in ends if end] == [(), ("X",)] and found.lines[0].moves[0].endswith("a3")
    assert found.is_certain and found.lines[0].ends_in is None
    assert not analyse(zrf_py.load("tictactoe").start(), nodes=20).is_certain


def test_a_losing_move_is_not_a_win_without_machine_code() -> None:
    """White's only move loses."""
    rules = Rules(zrf_py.loads("""(game (title "Last") (players White Black) (turn-order White Black)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1" (0 9))) (directions (e 1 0))))
        (piece (name Man) (moves (e (verify empty?) add))) (board-setup (White (Man a1)))
        (loss-condition (White) (absolute-config Man (b1))))""").program)
    found = Slow(rules).analyse(Request(rules.start(), limits=Limits(nodes=50)))
    assert found.best.moves == tuple(rules.moves(rules.start())) and found.best.value < 0
