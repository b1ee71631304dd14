"""Edits that set up a position, in the notation of saved games:

    (x a1)                    empty a square
    (White King a1)           put a piece on a square
    (store White Pawn 3)      set the number of pieces in a player's store
    (turn Black)              set the player to move
    (position TEXT)           the whole position, read by `position_text.py`

The last three are extensions; how Zillions reads them is untested.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from zrf_py.front.model import MAX_STORE, Game
from zrf_py.ir.ops import Program
from zrf_py.run.position import NOBODY, Position
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import whole_number
from zrf_py.text.suggest import clipped, listing, suggest

Man = tuple[int, int]
"""A piece: the indexes of its player and its type."""


def changed(program: Program, state: Position, line: str) -> Position:
    """Apply one edit, except `(position …)`, to a position and return the new position.

    :raises ZrfError: if the line is not such an edit, a name in it is unknown, or the number is too large.
    """
    words = line.strip().strip("()").split()
    game = program.game
    squares = {" ".join(place.name.split()): i for i, place in enumerate(game.board.places)}
    players = {p.name: i for i, p in enumerate(game.players)}
    kinds = {p.name: i for i, p in enumerate(game.pieces)}
    match words:
        case ["x", *square] if (name := " ".join(square)) in squares:
            return state.with_pieces((squares[name], NOBODY, 0, 0))
        case [player, kind, *square] if player in players and kind in kinds and (name := " ".join(square)) in squares:
            return state.with_pieces((squares[name], players[player], kinds[kind], game.pieces[kinds[kind]].attributes))
        case ["store", player, kind, number] if player in players and kind in kinds and number.isdecimal():
            if (count := whole_number(number)) <= MAX_STORE:
                return _store(state, (players[player], kinds[kind]), count)
        case ["turn", player] if player in players and (turn := turn_of(game, players[player])) >= 0:
            return replace(state, turn=turn, last_from=-1, last_to=-1, chain=None, taken=(), result=None, legs=0,
                           must=False, step=1, origin=None)
    raise ZrfError(f"`{clipped(line.strip())}` is not a valid change to the board", "bad-edit",
                   help=_help(words, players, kinds, squares))


def _help(words: list[str], players: Iterable[str], kinds: Iterable[str], squares: Iterable[str]) -> str:
    """Return a hint: on the only unknown word, on the limit of a store, or else the list of edits."""
    names = {"player": players, "piece": kinds, "place": squares}
    match words:
        case ["x", square]:
            words_of = {"place": square}
        case ["store", player, kind, number]:
            words_of = {"player": player, "piece": kind}
            if number.isdecimal() and player in players and kind in kinds:
                return f"a store holds at most {MAX_STORE:,} pieces of one type"
        case ["turn", player]:
            words_of = {"player": player}
        case [player, kind, square]:
            words_of = {"player": player, "piece": kind, "place": square}
        case _:
            words_of = {}
    wrong = [field for field, word in words_of.items() if word not in names[field]]
    if len(wrong) != 1:
        return "write `(x square)`, `(Player Piece square)`, `(store Player Piece number)` or `(turn Player)`"
    [field] = wrong
    guess = suggest(words_of[field], names[field])
    return f"there is no {field} `{clipped(words_of[field])}`: " + (
        f"did you mean `{guess}`?" if guess else f"the {field}s are {listing(names[field])}")


def _store(state: Position, man: Man, number: int) -> Position:
    stores = [list(row) for row in state.stores]
    stores[man[0]][man[1]] = number
    return replace(state, stores=tuple(map(tuple, stores)))


def turn_of(game: Game, player: int) -> int:
    """Return the index of a turn (-1: none) in which a player moves: if possible, a repeated turn without guards."""
    indexes = [i for i, turn in enumerate(game.turns) if turn.side == player]
    return min(indexes, key=lambda i: (i < game.repeat, bool(game.turns[i].guards), i), default=-1)


def edits(program: Program, state: Position, men: dict[int, Man], stores: Iterable[tuple[Man, int]] = (),
          player: int = -1) -> list[str]:
    """Return the edits that turn `state` into a position with these `men` by square, these `stores`, and this player to
    move (-1: unchanged)."""
    game = program.game
    lines = []
    for at, place in enumerate(game.board.places):
        before = None if state.owner[at] == NOBODY else (state.owner[at], state.piece[at])
        if men.get(at) != before:
            lines.append(f"({_words(game, men[at])} {place.name})" if at in men else f"(x {place.name})")
    lines += [f"(store {_words(game, man)} {number})" for man, number in stores
              if state.stores[man[0]][man[1]] != number]
    if player >= 0 and game.turns and game.turns[state.turn].side != player and turn_of(game, player) >= 0:
        lines.append(f"(turn {game.players[player].name})")
    return lines


def _words(game: Game, man: Sequence[int]) -> str:
    return f"{game.players[man[0]].name} {game.pieces[man[1]].name}"
