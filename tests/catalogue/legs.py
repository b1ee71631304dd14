"""Turns of several legs, given by the squares on which a man starts and ends; and positions with a few men."""

from __future__ import annotations

from collections import deque

from zrf_py.play.game import Game, Move, Position
from zrf_py.play.turns import turns


def turn_by(position: Position, start: str, end: str) -> tuple[tuple[str, ...], Position] | None:
    """Return (shortest path to `end`, without `start`; position after the turn); None if there is no such turn."""
    first = [(move, position.play(move)) for move in position.moves() if squares_of(position.game, move)[0] == start]
    ways = deque((after, (squares_of(position.game, move)[1],)) for move, after in first)
    seen: set[object] = set()
    while ways:
        here, way = ways.popleft()
        if not here.in_turn:
            if way[-1] == end:
                return way, here
            continue
        if way[-1] == end and (stop := stopped(here)) is not None:
            return way, stop
        key = here.state.key(), here.state.last_from
        if key not in seen:
            seen.add(key)
            for move in here.moves():
                if not move.raw.is_pass:
                    ways.append((here.play(move), (*way, squares_of(position.game, move)[1])))
    return None


def stopped(position: Position) -> Position | None:
    """Return the position after ending the turn here; None if it may not end here."""
    passes = [move for move in position.moves() if move.raw.is_pass]
    return position.play(passes[0]) if passes else None


def squares_of(game: Game, move: Move) -> tuple[str, str]:
    """Return the squares where the move's first movement starts and ends; "" stands for no square."""
    places = game.program.game.board.places
    names = [places[square].name if square >= 0 else "" for square in move.raw.key]
    return names[0], names[1]


def with_men(game: Game, men: dict[str, str], piece: str = "Man") -> Position:
    """Return the start position with only these men on the board, given as square → player."""
    position = game.start()
    for square in position.pieces():
        position = position.edited(f"(x {square})")
    for square, player in men.items():
        position = position.edited(f"({player} {piece} {square})")
    return position


def board(game: Game, men: dict[str, str]) -> Position:
    """Return the start position with these men ("Blue" or "Blue Marked" → squares) and chance players' pieces only."""
    position = game.start()
    for square, (player, _) in position.pieces().items():
        if not player.startswith("?"):
            position = position.edited(f"(x {square})")
    for man, squares in men.items():
        for square in squares.split():
            player, kind = f"{man} Man".split()[:2]
            position = position.edited(f"({player} {kind} {square})")
    return position


def journeys(position: Position) -> set[tuple[str, str]]:
    """Return the journeys (from, to) that a man can make in one turn; ("", "") is a pass."""
    names = [place.name for place in position.game.program.game.board.places]
    found = set()
    for turn in turns(position.game.engine, position.state):
        legs = [leg for leg in turn.legs if not leg.is_pass]
        found.add((names[legs[0].key[0]], names[legs[-1].key[1]]) if legs else ("", ""))
    return found
