"""Game records of any format as data (headers, start, moves with variations); conversion to saved games and back.

The parser of a format returns a `Score`, whose moves are still text. `to_saved` plays them by the rules and returns a
`SavedGame`. In the other direction, `played` turns a saved game into a tree of turns, which the writers write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from zrf_py.play.edits import edits
from zrf_py.play.game import Game, Move, Position
from zrf_py.play.position_text import position_text, same
from zrf_py.play.replay import Stop, follow
from zrf_py.play.zsg import Edit, Ply, SavedGame
from zrf_py.run.position import NOBODY
from zrf_py.run.position import Position as State
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import clipped

MAX_DEPTH = 100
"""Maximum nesting depth of variations; deeper ones are left out."""


@dataclass
class ScoreMove:
    """A move of a record: its text, its line in the file, and the variations that replace it."""

    text: str
    line: int
    variations: list[list[ScoreMove]] = field(default_factory=list)


@dataclass
class Score:
    """A parsed record; `line` is where it begins in the file. Comments are left out."""

    tags: dict[str, str]
    moves: list[ScoreMove]
    line: int = 1
    start: str = ""
    """The start position, in the notation of the format; "": that of the rules."""


ReadMove = Callable[[Position, str], Sequence[Move]]
"""Parser of a turn: returns the legs of the legal turn that a text denotes; () if there is none."""


def unreadable(name: str, line: int, reason: str, help: str) -> ZrfError:
    """Return the error for a line of a record."""
    return ZrfError([Diagnostic("bad-record", f"{name}, line {line}: {reason}", None, help=help)])


def to_saved(game: Game, score: Score, start: State | None, read: ReadMove, name: str, rules: str) -> SavedGame:
    """Play a record and return it as a saved game; `start` is its start position, unless that is the rules' own.

    :raises ZrfError: at the first move that is not legal; the message names its line and similar legal moves.
    """
    return _Player(game, read, name).play(score, start, rules)


def misread(game: Game, score: Score, start: State | None, read: ReadMove, was: Played, has_stores: bool) -> str:
    """Return the name of the first part in which `score`, read back from a text, differs from the game `was`, or "".

    :param start: start position of the score, unless that is the rules' own.
    :param has_stores: True if the format records the pieces off the board.
    """
    player = _Player(game, read, "")
    with suppress(ZrfError):
        player.play(score, start, "")
    texts = [entry.text for entry in player.entries if isinstance(entry, Ply)]
    legs = [leg.text for turn in was.turns for leg in turn.legs]
    if legs != texts:
        number = next((i for i, pair in enumerate(zip(legs, texts, strict=False)) if pair[0] != pair[1]), len(texts))
        return f"move {number + 1}, `{clipped(legs[number])}`" if number < len(legs) else "the end"
    if Counter(_branches(was.turns)) != Counter(text for _, text in player.variations):
        return "a variation"
    ends = [(state.owner, state.piece, state.turn, state.stores if has_stores else ())
            for state in (player.end.state, was.end.state)]
    return "" if ends[0] == ends[1] else "the position"


def _branches(turns: Sequence[PlayedTurn]) -> Iterator[str]:
    """Yield the texts of the moves in all variations of a line of play."""
    for line in (line for turn in turns for line in turn.instead):
        yield from (leg.text for turn in line for leg in turn.legs)
        yield from _branches(line)


class _Player:
    """Replay of a record's moves, which are numbered as in `SavedGame.variations`."""

    def __init__(self, game: Game, read: ReadMove, name: str) -> None:
        self.game, self.read, self.name = game, read, name
        self.entries: list[Edit | Ply] = []
        self.variations: list[tuple[int, str]] = []
        self.end = game.start()
        """Position at the end of the main line."""
        self.waiting: list[tuple[Position, int, list[ScoreMove], int]] = []
        """Variations to play after the game: (position and entry before them, moves, depth)."""

    def play(self, score: Score, start: State | None, rules: str) -> SavedGame:
        position = self.game.start()
        for line in set_up(self.game, start) if start else ():
            position = position.edited(line)
            self.entries.append(Edit(line, score.line))
        self.end = position
        self._play(position, len(self.entries), score.moves, 0, is_main=True)
        while self.waiting:
            before, parent, moves, depth = self.waiting.pop(0)
            self._play(before, parent, moves, depth)
        game = self.game.program.game
        return SavedGame(rules, " ".join(game.title.replace("`", '"').split()), "H" * len(self.game.players),
                         tuple(self.entries), tuple(self.variations), tuple(score.tags.items()))

    def _play(self, position: Position, parent: int, moves: list[ScoreMove], depth: int, is_main: bool = False) -> None:
        number = 1
        for item in moves:
            self.waiting += [(position, parent, v, depth + 1) for v in item.variations if depth < MAX_DEPTH]
            for leg in self._legs(position, item):
                position = position.play(leg) if position.moves() else position.after(leg)
                if is_main:
                    self.end = position
                    self.entries.append(Ply(number, leg.text, item.line))
                else:
                    self.variations.append((parent, leg.text))
                parent = len(self.entries) if is_main else len(self.entries) + len(self.variations)
                number += not position.in_turn and position.state.turn == self.game.program.game.repeat

    def _legs(self, position: Position, item: ScoreMove) -> Sequence[Move]:
        try:
            legs = self.read(position, item.text)
        except ZrfError as error:
            first = error.diagnostics[0]
            raise unreadable(self.name, item.line, first.message, first.help) from None
        if legs:
            return legs
        moves = [position.short(move) for move in position.moves()]
        near = sorted(moves, key=lambda text: -len(set(text) & set(item.text)))[:5]
        reason = f"`{clipped(item.text)}` is not a legal move of {position.player}" if moves else (
            f"`{clipped(item.text)}` comes after the end of the game")
        raise unreadable(self.name, item.line, reason,
                         f"legal moves like it: {', '.join(near)}" if near else "end the record there")


def set_up(game: Game, state: State) -> list[str]:
    """Return the edits that turn the start position into `state`: one per square if possible, else `(position …)`."""
    men = {i: (owner, state.piece[i]) for i, owner in enumerate(state.owner) if owner != NOBODY}
    stores = [((player, kind), count) for player, row in enumerate(state.stores) for kind, count in enumerate(row)]
    side = game.program.game.turns[state.turn].side if game.program.game.turns else -1
    lines = edits(game.program, game.start().state, men, stores, side)
    if same(game.program, game.position("\n".join(lines)).state) == same(game.program, state):
        return lines
    return [f"(position {position_text(game.program, state)})"]


@dataclass
class PlayedTurn:
    """A turn of a record: the position before it, its legs, the position after it, and the lines that replace it."""

    before: Position
    legs: tuple[Move, ...]
    after: Position
    instead: list[list[PlayedTurn]] = field(default_factory=list)


@dataclass
class Played:
    """The turns of a saved game. `start` is the position before the first; `is_set_up` is True if edits led to it."""

    start: Position
    is_set_up: bool
    turns: list[PlayedTurn]
    tags: dict[str, str]

    @property
    def end(self) -> Position:
        return self.turns[-1].after if self.turns else self.start


def played(game: Game, saved: SavedGame, name: str) -> Played:
    """Play a saved game and return its turns.

    :raises ZrfError: if a move is illegal, or an edit follows the first move.
    """
    first = sum(isinstance(entry, Edit) for entry in saved.entries)
    for entry in saved.entries[first:]:
        if isinstance(entry, Edit):
            raise unreadable(name, entry.line, f"`{clipped(entry.text)}` changes the board in the middle of the game",
                             "only `--to zsg` can express that")
    positions, children = followed(game, saved, name)
    return Played(positions[first], first > 0, _line(positions, children, first), dict(saved.tags))


def followed(game: Game, saved: SavedGame, name: str) -> tuple[list[Position], dict[int, list[int]]]:
    """Play a saved game; return the positions after its entries and moves of variations, by number (0: the start), and
    the numbers that follow each number.

    :raises ZrfError: if a move is illegal, or an edit is impossible; the message names its line.
    """
    positions = [game.start()]
    children: dict[int, list[int]] = {}
    steps = [(number - 1, entry) for number, entry in enumerate(saved.entries, 1)]
    steps += [(parent, Ply(0, text)) for parent, text in saved.variations]
    for number, (parent, entry) in enumerate(steps, 1):
        step = follow(positions[parent], entry) if parent < len(positions) else Stop(entry, "no entry precedes it")
        if isinstance(step, Stop):
            raise unreadable(name, entry.line, f"`{clipped(entry.text)}`: {step.reason}",
                             f"`zrf replay {name}` shows the board there")
        positions.append(step[0])
        children.setdefault(parent, []).append(number)
    return positions, children


def _line(positions: list[Position], children: dict[int, list[int]], at: int) -> list[PlayedTurn]:
    """Return the main line that begins at a position, each turn with its alternatives."""
    line: list[PlayedTurn] = []
    while ways_on := list(_turns(positions, children, at, ())):
        (at, path), *others = ways_on
        instead = [[_turn(positions, rest), *_line(positions, children, end)] for end, rest in others]
        line.append(_turn(positions, path))
        line[-1].instead = instead
    return line


def _turns(
    positions: list[Position], children: dict[int, list[int]], at: int, path: tuple[int, ...],
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield (last node, nodes) of the turns that begin at a node, the main one first."""
    for child in children.get(at, ()):
        if positions[child].in_turn and children.get(child):
            yield from _turns(positions, children, child, (*path, child))
        else:
            yield child, (*path, child)


def _turn(positions: list[Position], path: tuple[int, ...]) -> PlayedTurn:
    first, last = positions[path[0]], positions[path[-1]]
    assert first.previous
    return PlayedTurn(first.previous, tuple(p.move for i in path if (p := positions[i]).move), last)
