"""Position notation for any game, in one line like FEN: all that the rules can test, and nothing else.

    White King e1; White Pawn a2 b2; Black King e8 | turn White 0 | @never-moved e1 a2 b2 | last e7 e5

First the pieces, by player and type (`empty`: none); then these fields, each after a `|`; those with default values may
be left out:

    turn PLAYER N         the player to move, and the index in the turn order, from 0; the index may be left out
    @ATTRIBUTE SQUARE…    squares of the pieces for which the attribute is true
    store PLAYER TYPE N   number of pieces off the board, if it differs from the start
    counter NAME N…       a counter's value for each player; for a shared counter one value is enough
    last FROM TO          the last move, in games that test it
    mover PLAYER          the player of the last turn
    made N…               number of turns made, for each player (ZRF+)
    out PLAYER…           players who are out of the game
    over REASON, won PLAYER…, lost PLAYER…    a goal was reached on the board

and within a turn: `chain SQUARE TYPE` (the piece that may go on, with moves of that type), `must` (it has to), `legs N`
and `step N` (ZRF+), `taken PLAYER TYPE` for each captured piece, `began PLAYER TYPE SQUARE…` for squares that have
changed since the turn began.

Each field occurs at most once (once for each store, counter and attribute); `taken` as often as needed.

Blanks and `; | , %` in names are percent-encoded (`%20`); a lone `%` stands for no square or an empty name.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from zrf_py.data import data_text
from zrf_py.ir.ops import Program
from zrf_py.native.legs import asks_last
from zrf_py.play.edits import changed, turn_of
from zrf_py.run.position import ANY_TYPE, NOBODY, Outcome, Position, initial
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.grouping import by_key
from zrf_py.text.numbers import LARGEST, is_too_large
from zrf_py.text.suggest import listing, suggest

NOTHING = "%"
EMPTY = "empty"
"""First field of a position without pieces."""
FORMS: dict[str, str] = json.loads(data_text("play/position_forms.json"))
"""First word of a field -> the form of the field, for messages."""
Board = tuple[int, ...]


def same(program: Program, state: Position) -> tuple[object, ...]:
    """Return a key that positions share if and only if the rules can't distinguish them; then their texts are equal."""
    plus, chain = program.game.plus, state.chain is not None
    return (state.key(), state.stores, state.mover, state.result,
            (state.last_from, state.last_to) if asks_last(program) else (), state.made if plus else (),
            (state.legs if plus else 0, tuple(sorted(state.taken)), _began(state)) if chain else ())


def _began(state: Position) -> tuple[tuple[int, int, int], ...]:
    """Return (owner, type, square) at the beginning of the turn, for squares that have changed since."""
    if state.origin is None:
        return ()
    owner, piece = state.origin
    return tuple(sorted((owner[i], piece[i] if owner[i] != NOBODY else 0, i) for i in range(len(owner))
                        if (owner[i], piece[i]) != (state.owner[i], state.piece[i])))


def position_text(program: Program, state: Position) -> str:
    """Write a position as one line."""
    return " | ".join(_fields(program, state))


def _fields(program: Program, state: Position) -> Iterable[str]:
    game = program.game
    players, pieces = [_written(p.name) for p in game.players], [_written(p.name) for p in game.pieces]
    squares = [_written(place.name) for place in game.board.places]
    yield _men([(o, p, i) for i, (o, p) in enumerate(zip(state.owner, state.piece, strict=True)) if o != NOBODY],
               players, pieces, squares) or EMPTY
    if game.turns:
        yield f"turn {players[game.turns[state.turn].mover]} {state.turn}"
    for number, attribute in enumerate(game.attributes):
        marked = [squares[i] for i, bits in enumerate(state.attributes) if bits >> number & 1]
        if marked:
            yield f"@{_written(attribute)} {' '.join(marked)}"
    for player, (counts, first) in enumerate(zip(state.stores, initial(program).stores, strict=True)):
        yield from (f"store {players[player]} {pieces[kind]} {count}" for kind, count in enumerate(counts)
                    if count != first[kind])
    for counter, values in zip(game.counters, state.counters, strict=True):
        yield f"counter {_written(counter.name)} {' '.join(map(str, values))}"
    if asks_last(program) and (state.last_from, state.last_to) != (-1, -1):
        yield "last " + " ".join(squares[at] if at >= 0 else NOTHING for at in (state.last_from, state.last_to))
    if state.mover >= 0:
        yield f"mover {players[state.mover]}"
    if game.plus and any(state.made):
        yield f"made {' '.join(map(str, state.made))}"
    if state.out:
        yield f"out {' '.join(players[i] for i in sorted(state.out))}"
    if state.chain:
        yield from _turn(program, state, players, pieces, squares)
    if state.result:
        yield f"over {_written(state.result.reason)}"
        for word, numbers in (("won", state.result.winners), ("lost", state.result.losers)):
            if numbers:
                yield f"{word} {' '.join(players[i] for i in numbers)}"


def _turn(
    program: Program, state: Position, players: Sequence[str], pieces: Sequence[str], squares: Sequence[str],
) -> Iterable[str]:
    """Yield the fields that exist only within a turn."""
    assert state.chain
    square, kind = state.chain
    yield f"chain {squares[square]}" + ("" if kind == ANY_TYPE else f" {_written(program.move_types[kind])}")
    if state.must:
        yield "must"
    if program.game.plus:
        yield f"legs {state.legs}"
    if state.step != 1:
        yield f"step {state.step}"
    yield from (f"taken {players[player]} {pieces[kind]}" for player, kind in sorted(state.taken))
    if began := _began(state):
        yield "began " + _men(began, players, pieces, squares)


def _men(
    men: Iterable[tuple[int, int, int]], players: Sequence[str], pieces: Sequence[str], squares: Sequence[str],
) -> str:
    """Write pieces (owner, type, square), grouped by player and type."""
    groups = by_key(((owner, kind), squares[square]) for owner, kind, square in sorted(men))
    return "; ".join(f"{f'{players[owner]} {pieces[kind]}' if owner >= 0 else NOTHING} {' '.join(on)}"
                     for (owner, kind), on in groups.items())


def _written(name: str) -> str:
    return "".join(f"%{ord(c):02X}" if c in ";|,%" or (c.isspace() and ord(c) < 128) else c for c in name) or NOTHING


def read_position(program: Program, text: str) -> Position:
    """Parse a line into a position.

    :raises ZrfError: if it is not a position of this game; the message names the field.
    """
    return _FieldReader(program).read(text)


def edited(program: Program, state: Position, line: str) -> Position:
    """Return the position after an edit (`edits.py`), which may also be `(position TEXT)`.

    :raises ZrfError: if the line is not an edit, or a name in it is unknown.
    """
    match = re.fullmatch(r"\(position\s+(.*)\)", line.strip())
    return read_position(program, match[1]) if match else changed(program, state, line)


class _FieldReader:
    """Parser of a line's fields."""

    def __init__(self, program: Program) -> None:
        game = self.game = program.game
        self.program = program
        self.players = {_written(p.name): i for i, p in enumerate(game.players)}
        self.pieces = {_written(p.name): i for i, p in enumerate(game.pieces)}
        self.squares = {_written(place.name): i for i, place in enumerate(game.board.places)}
        self.attributes = {f"@{_written(name)}": i for i, name in enumerate(game.attributes)}
        self.counters = {_written(counter.name): i for i, counter in enumerate(game.counters)}
        self.types = {_written(name): i for i, name in enumerate(program.move_types)}

    def read(self, text: str) -> Position:
        by_key = dict[tuple[str, ...], str]()
        state = initial(self.program).emptied()
        for number, field in enumerate(map(str.strip, text.split("|")), 1):
            words = field.split()
            try:
                if number == 1:
                    owner, piece = self._men("" if field == EMPTY else field, state.owner, state.piece)
                    state = replace(state, owner=owner, piece=piece)
                    continue
                state = replace(state, **self._field(state, words))
            except (ValueError, KeyError, IndexError) as error:
                raise self._bad(field, number, error) from None
            key = tuple(words[: {"store": 3, "counter": 2}.get(words[0], 1)])  # the field's identity; it may occur once
            if key in by_key and key != ("taken",):
                raise ZrfError(f"`{field[:200]}` (field {number}) comes after `{by_key[key][:200]}`, but a position of "
                               f"{self.game.title} has only one such field", "bad-position", help="remove one of them")
            by_key[key] = field
        return replace(state, origin=state.origin or (owner, piece)) if state.chain else state

    def _field(self, state: Position, words: list[str]) -> dict[str, Any]:
        """Parse a field into changed attributes of the position.

        :raises KeyError, ValueError, IndexError: if the field is invalid.
        """
        match words:
            case ["turn", player]:
                return {"turn": _number(turn_of(self.game, self.players[player]), 0)}
            case ["turn", player, at] if self.game.turns[_number(at, 0)].mover == self.players[player]:
                return {"turn": int(at)}
            case [name, *on] if name in self.attributes:
                bits = list(state.attributes)
                for square in _once(on):
                    bits[self.squares[square]] |= 1 << self.attributes[name]
                return {"attributes": tuple(bits)}
            case ["store", player, kind, count]:
                stores = [list(row) for row in state.stores]
                stores[self.players[player]][self.pieces[kind]] = _number(count)
                return {"stores": tuple(map(tuple, stores))}
            case ["counter", name, *values] if len(values) == len(self.players):
                counters = list(state.counters)
                counters[self.counters[name]] = tuple(map(_number, values))
                return {"counters": tuple(counters)}
            case ["counter", name, value] if not self.game.counters[index := self.counters[name]].each:
                shared = (_number(value), *state.counters[index][1:])
                return {"counters": (*state.counters[:index], shared, *state.counters[index + 1:])}
            case ["last", start, end]:
                squares = self.squares | {NOTHING: -1}
                return {"last_from": squares[start], "last_to": squares[end]}
            case ["made", *values] if len(values) == len(self.players):
                return {"made": tuple(_number(value, 0) for value in values)}
            case ["mover", player]:
                return {"mover": self.players[player]}
            case ["out", *players]:
                return {"out": frozenset(self.players[player] for player in _once(players))}
            case ["over", reason]:
                return {"result": Outcome((), (), unquote(reason) if reason != NOTHING else "")}
            case ["won" | "lost" as word, *players] if state.result:
                numbers = tuple(self.players[player] for player in _once(players))
                changes: Any = {"winners" if word == "won" else "losers": numbers}
                return {"result": replace(state.result, **changes)}
        return self._in_turn(state, words)

    def _in_turn(self, state: Position, words: list[str]) -> dict[str, Any]:
        """Parse a field that exists only within a turn."""
        match words:
            case ["chain", square, *kinds] if len(kinds) < 2:
                return {"chain": (self.squares[square], self.types[kinds[0]] if kinds else ANY_TYPE)}
            case ["must"]:
                return {"must": True}
            case ["legs", count]:
                return {"legs": _number(count, 0)}
            case ["step", count]:
                return {"step": _number(count)}
            case ["taken", player, kind]:
                return {"taken": (*state.taken, (self.players[player], self.pieces[kind]))}
            case ["began", *men]:
                return {"origin": self._men(" ".join(men), state.owner, state.piece)}
        raise ValueError

    def _men(self, text: str, owner: Board, piece: Board) -> tuple[Board, Board]:
        """Put the pieces of a text on a board (owners and types); return the new board."""
        owners, pieces = list(owner), list(piece)
        filled: list[str] = []
        for group in text.split(";") if text else []:
            owner_name, *rest = group.split()
            man = (NOBODY, 0) if owner_name == NOTHING else (self.players[owner_name], self.pieces[rest.pop(0)])
            if not rest:
                raise ValueError
            for square in rest:
                at = self.squares[square]
                owners[at], pieces[at] = man
            filled += rest
        _once(filled)
        return tuple(owners), tuple(pieces)

    def _bad(self, field: str, number: int, error: Exception) -> ZrfError:
        """Return the error for an invalid field; it names the field's first unknown word, if there is one."""
        if isinstance(error, _Twice):
            return ZrfError(f"`{field[:200]}` (field {number}) lists `{error}` twice", "bad-position",
                            help="remove one of them")
        tables = {"players": self.players, "pieces": self.pieces, "squares": self.squares, "counters": self.counters}
        names = {*self.attributes, *self.types, *FORMS}.union(*tables.values())
        words = [word for word in field.replace(";", " ").split() if word != NOTHING and not word.lstrip("-").isdigit()]
        unknown, form = [word for word in words if word not in names], FORMS.get(words[0]) if words else None
        guess = _MEANT.get(unknown[0]) or suggest(unknown[0], names) if unknown else None
        too_large = any(word.lstrip("-").isdecimal() and is_too_large(word) for word in field.split())
        return ZrfError([Diagnostic(
            "bad-position", f"`{field[:200]}` (field {number}) is not part of a position of {self.game.title}"
            + (f": there is no `{unknown[0][:100]}`" if unknown else "" if field else ": it is empty"), None,
            help="separate groups of pieces with `;`: `White King g1; Black King e8`" if "," in "".join(unknown[:1])
            else f"did you mean `{guess}`?" if guess else f"numbers go from -{LARGEST:,} to {LARGEST:,}" if too_large
            else "; ".join(f"{kind} are {listing(of, 4)}" for kind, of in tables.items() if of)
            if unknown and (form or number == 1) else f"write {form}" if form
            else "after the pieces, write for example `| turn PLAYER | store PLAYER PIECE 2`")])


_MEANT = dict.fromkeys(("hand", "off", "stock", "pocket", "reserve"), "store")
"""Synonyms for pieces off the board -> the word in position texts: `store White Man 3`."""


class _Twice(ValueError):
    """A field lists the same square or player twice; the argument is the repeated name."""


def _once(names: list[str]) -> list[str]:
    """Return the names unchanged; raise `_Twice` if a name is listed twice."""
    if len(set(names)) < len(names):
        raise _Twice(Counter(names).most_common(1)[0][0])
    return names


def _number(number: str | int, least: int = -LARGEST) -> int:
    """Parse an integer between `least` and `LARGEST`.

    :raises ValueError: for anything else.
    """
    value = int(number)
    if not least <= value <= LARGEST:
        raise ValueError
    return value
