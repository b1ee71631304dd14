"""Games of computer players → puzzles: positions with exactly one winning turn, rated by the levels that find it.

A search of `nodes` positions chooses the candidates. To be a puzzle, the win must be proven by searches of `CHECK`
times as many positions, before the turn and after it, and none of the other turns may be worth `SPREAD` (three of four
games won) to searches of as many positions, one for each turn.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from zrf_py.batch.games import mover_of
from zrf_py.play.game import Game, Position
from zrf_py.play.players import player
from zrf_py.play.turn_text import turn_text, turns_text
from zrf_py.run.position import Move
from zrf_py.run.position import Position as State
from zrf_py.search.game_search import GameSearch, search_for
from zrf_py.search.limits import STRONGEST, limits
from zrf_py.search.result import SPREAD
from zrf_py.text.diagnostics import Diagnostic, ZrfError

CHECK = 10
NODES = 2_000
OPENING = 10
"""Most random turns at the start of a game."""
LONGEST = 200
"""Number of turns at which a game is cut off."""
PLAYERS = ("ai:3", "ai:2", "ai:4")
"""The players of games in turn: stronger and weaker ones leave different chances to win."""
TRIES = 3
"""Number of seeds with which a level must find the turn."""
Legs = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one winning turn."""

    position: str
    """The position as `Position.text` writes it."""
    player: str
    solution: str
    """The winning turn in short notation."""
    moves: tuple[str, ...]
    """Its legs in the notation of saved games."""
    line: tuple[str, ...]
    """The best line of play, turn by turn."""
    wins_in: int
    """Number of moves and legs to the win."""
    level: int
    """The lowest level of the computer player that finds the turn; `STRONGEST` + 1 if none does."""
    game: int
    """Number of the game in which the position occurred."""

    def as_data(self) -> dict[str, Any]:
        """Return the puzzle as JSON data."""
        return asdict(self)


def puzzles(
    game: Game, seed: int, nodes: int = NODES, first: int = 0, earlier: Iterable[str] = (),
) -> Iterator[tuple[int, Puzzle | None]]:
    """Play games without end; yield (number of the game, puzzle), and (number, None) after each game.

    The same seed gives the same puzzles. `first` is the number of the first game, `earlier` has the positions of the
    puzzles before it.

    :raises ZrfError: if the rules are not for two players, or there is chance in them.
    """
    traits = search_for(game.program).traits
    if traits.players != 2 or traits.chance:
        raise ZrfError([Diagnostic("no-puzzles", f"{game.title} has no puzzles: they are for games of two players "
                                   "without chance", None, help="`zrf solve` solves games for one player")])
    number, positions = first, set(earlier)
    while True:
        solutions = set[str]()  # a threat that stands for some turns is one puzzle
        for state in game_of(game, Random(seed * 1_000_003 + number), PLAYERS[number % len(PLAYERS)]):
            puzzle = puzzle_at(game, state, number, nodes)
            if puzzle and puzzle.position not in positions and puzzle.solution not in solutions:
                positions.add(puzzle.position)
                solutions.add(puzzle.solution)
                yield number, puzzle
        yield number, None
        number += 1


def game_of(game: Game, random: Random, name: str) -> Iterator[State]:
    """Play a game with a random opening; yield its positions between turns."""
    engine, state, past = game.engine, game.engine.start(), list[State]()
    opening, choose = random.randrange(1, OPENING), player(name)
    for turn in range(LONGEST):
        past.append(state)
        for leg in (player("random") if turn < opening else choose)(engine, state, random, past[:-1]):
            state = engine.after(state, leg)
        if engine.outcome(state, 1) is not None or state.chain is not None:
            return
        if turn >= opening:
            yield state


def puzzle_at(game: Game, state: State, number: int, nodes: int = NODES) -> Puzzle | None:
    """Return the puzzle that a position is; None if it is none."""
    search = search_for(game.program)
    legs = winning_turn(search, state, nodes)
    if not legs or winning_turn(search, state, CHECK * nodes) != legs or not _is_proven(
            search, state, legs, CHECK * nodes) or has_other_win(search, state, legs, nodes):
        return None
    position = Position(game, state)
    line = search.analyse(state, (), limits(nodes=CHECK * nodes)).best
    return Puzzle(position.text, game.program.game.players[mover_of(game.program, state)].name,
                  turn_text(position, position.named(legs)), tuple(move.text for move in position.named(legs)),
                  tuple(turns_text(position, line.moves)), line.ends_in or 0, level_of(search, state, legs), number)


def winning_turn(search: GameSearch, state: State, nodes: int) -> Legs:
    """Return the turn that wins if it is proven to, and no other leg is worth as much; () if there is none, if it ends
    the game at once, or if there is no choice."""
    legs, choices = list[Move](), 0
    while True:
        choices = max(choices, len(search.engine.moves(state)))
        best, *others = search.analyse(state, (), limits(nodes=nodes), 2).lines
        if best.ends_in is None or best.ends_in < 0 or any(line.value >= SPREAD for line in others):
            return ()
        legs.append(best.moves[0])
        state = search.engine.after(state, legs[-1])
        if search.engine.outcome(state, 1) is not None:
            return ()
        if state.chain is None:
            return tuple(legs) if choices > 1 else ()


def _is_proven(search: GameSearch, state: State, legs: Legs, nodes: int) -> bool:
    """Return True if a search of the position after a turn proves that the turn wins."""
    side = mover_of(search.program, state)
    for leg in legs:
        state = search.engine.after(state, leg)
    ends_in = search.analyse(state, (), limits(nodes=nodes)).best.ends_in
    return ends_in is not None and (ends_in > 0) == (mover_of(search.program, state) == side)


def has_other_win(search: GameSearch, state: State, legs: Legs, nodes: int) -> bool:
    """Return True if another leg at some point of a turn, searched by itself, is worth about as much as a win."""
    side = mover_of(search.program, state)
    for leg in legs:
        for move in search.engine.moves(state):
            if move != leg and _value(search, search.engine.after(state, move), side, CHECK * nodes) >= SPREAD:
                return True
        state = search.engine.after(state, leg)
    return False


def _value(search: GameSearch, state: State, side: int, nodes: int) -> int:
    """Return the value of a position for a player."""
    outcome = search.engine.outcome(state, 1)
    if outcome is not None:
        return SPREAD if side in outcome.winners else -SPREAD
    value = search.analyse(state, (), limits(nodes=nodes)).value
    return value if mover_of(search.program, state) == side else -value


def level_of(search: GameSearch, state: State, legs: Legs) -> int:
    """Return the lowest level that finds a turn with each of `TRIES` seeds."""
    return next((level for level in range(1, STRONGEST + 1)
                 if all(search.turn(state, (), limits(strength=level), seed) == legs for seed in range(TRIES))),
                STRONGEST + 1)
