"""Find puzzles in games of computer players: positions with exactly one winning turn, rated by the levels that find it.

A turn wins if its win is proven; it wins by a margin if it is worth at least `DECISIVE` (five of six games won). All
other turns must be worth less than `SPREAD` (three of four) if the win is proven, and less than `EVEN` (five of eight)
if it is by a margin: in games like chess, a position with a short proven win is usually won by many turns. A win by a
margin that level 1 finds (such as a recapture) is not a puzzle.

A search of `nodes` positions chooses the candidates. To be a puzzle, the win must hold up in searches of `CHECK` times
as many positions, before the turn and after it; every other turn is searched by itself, in as many positions.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from zrf_py.batch.games import mover_of, play, winners
from zrf_py.batch.selfplay import opened
from zrf_py.play.game import Game, Position
from zrf_py.play.players import player
from zrf_py.play.turn_text import turn_text, turns_text
from zrf_py.run.position import Move
from zrf_py.run.position import Position as State
from zrf_py.search.game_search import GameSearch, search_for
from zrf_py.search.limits import STRONGEST, limits
from zrf_py.search.memory import SPREAD
from zrf_py.search.result import SearchLine
from zrf_py.text.diagnostics import ZrfError

CHECK = 10
NODES = 2_000
DECISIVE, EVEN = 2 * SPREAD, SPREAD // 3
"""Minimum value of a turn that counts as winning without a proof, if all other turns are worth less than `EVEN`."""
OPENING = 10
"""Upper bound (exclusive) of the number of random turns at the start of a game; there is at least one."""
LONGEST = 200
"""Number of turns at which a game is cut off."""
PLAYERS = ("ai:3", "ai:2", "ai:4")
"""The players of successive games: stronger and weaker ones leave different chances to win."""
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
    """The legs of the winning turn in the notation of saved games."""
    line: tuple[str, ...]
    """The best line of play, turn by turn."""
    wins_in: int
    """Number of legs to the win; 0 if it is won by a margin."""
    level: int
    """The lowest level of the computer player that finds the turn; `STRONGEST` + 1 if none does."""
    game: int
    """Number of the game in which the position occurred."""


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
        raise ZrfError(f"{game.title} has no puzzles: they are for games of two players without chance", "no-puzzles",
                       help="`zrf solve` solves games for one player")
    number, positions = first, set(earlier)
    while True:
        solutions = set[str]()  # the same win on successive turns is one puzzle
        for state in game_of(game, Random(seed * 1_000_003 + number), PLAYERS[number % len(PLAYERS)]):
            puzzle = puzzle_at(game, state, number, nodes)
            if puzzle and puzzle.position not in positions and puzzle.solution not in solutions:
                positions.add(puzzle.position)
                solutions |= {puzzle.solution, *puzzle.line}
                yield number, puzzle
        yield number, None
        number += 1


def game_of(game: Game, random: Random, name: str) -> list[State]:
    """Play a game with a random opening; return its positions between turns after that opening."""
    opening, states = random.randrange(1, OPENING), list[State]()

    def note(position: State, moves: Sequence[Move], leg: Move, after: State) -> None:
        if position.chain is None:
            states.append(position)

    movers = [mover for side in game.program.game.sides for mover in side]
    play(game.engine, game.engine.start(), dict.fromkeys(movers, opened(player(name), opening)), random, LONGEST, note)
    return states[opening:]


def puzzle_at(game: Game, state: State, number: int, nodes: int = NODES) -> Puzzle | None:
    """Return a position as a puzzle; None if no or several turns win, or if level 1 finds a win by a margin."""
    search = search_for(game.program)
    first = winning_turn(search, state, nodes)
    if not first or (first[1].ends_in is None and finds(search, state, first[0], 1)):
        return None
    win = winning_turn(search, state, CHECK * nodes)
    if not win or win[0] != first[0] or not _stands(search, state, win, nodes) or has_other_win(
            search, state, win, nodes):
        return None
    legs, line = win
    position = Position(game, state)
    level = next((level for level in range(1, STRONGEST + 1) if finds(search, state, legs, level)), STRONGEST + 1)
    return Puzzle(position.text, game.program.game.players[mover_of(game.program, state)].name,
                  turn_text(position, position.named(legs)), tuple(move.text for move in position.named(legs)),
                  tuple(turns_text(position, position.named(line.moves))), line.ends_in or 0, level, number)


Win = tuple[Legs, SearchLine]
"""A winning turn, and the best line that begins with its first leg."""


def winning_turn(search: GameSearch, state: State, nodes: int) -> Win | tuple[()]:
    """Return (legs, line) of the only winning turn; () if none or several win, or if it is forced or ends the game."""
    legs, choices, line = list[Move](), 0, None
    while True:
        choices = max(choices, len(search.engine.moves(state)))
        best, *others = search.analyse(state, (), limits(nodes=nodes), 2).lines
        if best.value < DECISIVE or any(other.value >= _most(best) for other in others):
            return ()
        line = line or best
        legs.append(best.moves[0])
        state = search.engine.after(state, legs[-1])
        if search.engine.outcome(state, 1) is not None:
            return ()
        if state.chain is None:
            return (tuple(legs), line) if choices > 1 else ()


def _most(line: SearchLine) -> int:
    """Return the value that all turns other than the winning one must stay below."""
    return EVEN if line.ends_in is None else SPREAD


def _stands(search: GameSearch, state: State, win: Win, nodes: int) -> bool:
    """Return True if a search after a turn confirms that the turn wins; a proven win must be proven again."""
    side, (legs, line) = mover_of(search.program, state), win
    for leg in legs:
        state = search.engine.after(state, leg)
    value, is_proven = _value(search, state, side, CHECK * nodes)
    return value >= DECISIVE and (is_proven or line.ends_in is None)


def has_other_win(search: GameSearch, state: State, win: Win, nodes: int) -> bool:
    """Return True if an alternative to a leg of the winning turn, searched by itself, wins, too (see `_most`)."""
    side, (legs, line) = mover_of(search.program, state), win
    for leg in legs:
        for move in search.engine.moves(state):
            after = search.engine.after(state, move)
            if move != leg and _value(search, after, side, CHECK * nodes)[0] >= _most(line):
                return True
        state = search.engine.after(state, leg)
    return False


def _value(search: GameSearch, state: State, side: int, nodes: int) -> tuple[int, bool]:
    """Return (value of a position for a player, True if it is proven)."""
    outcome = search.engine.outcome(state, 1)
    if outcome is not None:
        won = [side in search.program.game.sides[number] for number in winners(search.program, outcome)]
        return DECISIVE if any(won) else -DECISIVE if won else 0, True
    best = search.analyse(state, (), limits(nodes=nodes), 1).best
    return best.value if mover_of(search.program, state) == side else -best.value, best.ends_in is not None


def finds(search: GameSearch, state: State, legs: Legs, level: int) -> bool:
    """Return whether a level finds a turn with each of `TRIES` seeds."""
    return all(search.turn(state, (), limits(strength=level), seed) == legs for seed in range(TRIES))
