"""Observations of a game: their planes by name and index (for the kernel), and a reference implementation.

An observation is a (planes, squares) array of int8, from the view of the player to move. In this order:

    SEAT TYPE        1 where a piece of that type of that seat stands; seat 0 is the viewer, then the others in the
                     order of players, cyclically, then dice and players without turns
    attribute NAME   1 where a piece has the attribute
    last-from, last-to   1 where the last move began and ended, if the rules test it
    chain            1 within a turn on the only piece that may move, if turns may have several legs
    SEAT hand TYPE   the seat's pieces of this type off the board, on every square (like all planes below)
    SEAT counter NAME    the value of the counter; SEAT is `every` if all players share it
    turn N           1 if entry N of the turn order is to move; with more than `MOST_TURNS` entries, one plane holds N
    must             1 if the turn may not end yet
    SEAT out         1 if the seat is out of the game
    times            occurrences of the position in the game, this one included

Values are clipped to -127 … 127. Planes that a game does not need are left out.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from zrf_py.ir.ops import Program
from zrf_py.native.bitboards.repeats import can_repeat
from zrf_py.native.layout import is_plus, lay_out
from zrf_py.native.legs import asks_last
from zrf_py.play.game import Position as GamePosition
from zrf_py.run.position import Position
from zrf_py.text import arguments

MOST_TURNS = 16
LARGEST = 127


@dataclass(frozen=True)
class Planes:
    """Names, order and contents of a game's planes."""

    program: Program

    @cached_property
    def ordinary(self) -> tuple[int, ...]:
        """Numbers of the ordinary players: those that are neither dice nor neutral."""
        return self.program.game.playing

    def seats(self, viewer: int) -> list[int]:
        """Return all players' numbers: the ordinary ones, beginning with the viewer (if ordinary), then the rest."""
        others = [i for i in range(len(self.program.game.players)) if i not in self.ordinary]
        at = self.ordinary.index(viewer) if viewer in self.ordinary else 0
        return [*self.ordinary[at:], *self.ordinary[:at], *others]

    @cached_property
    def hands(self) -> tuple[int, ...]:
        """Types for which the number of pieces off the board may change."""
        if not lay_out(self.program).params.hands:
            return ()
        game = self.program.game
        recycled = bool(game.options.recycle_captures) or game.options.recycle_promotions
        return tuple(kind for kind in range(len(game.pieces)) if recycled or self.program.drops[kind])

    @cached_property
    def repeats(self) -> bool:
        """True if the rules count repetitions and a position may occur again."""
        return can_repeat(self.program)

    # --------------------------------------------------------------------------------------------------- the order

    @cached_property
    def sections(self) -> dict[str, list[str]]:
        """Names of the planes in order, by section; sections that the game does not need are empty."""
        game, turns = self.program.game, len(self.program.game.turns)
        seats = [self._seat(i) for i in range(len(game.players))]
        return {
            "pieces": [f"{seat} {piece.name}" for seat in seats for piece in game.pieces],
            "attributes": [f"attribute {name}" for name in game.attributes],
            "last": ["last-from", "last-to"] if asks_last(self.program) else [],
            "chain": ["chain"] if self.program.has_legs else [],
            "fills": [f"{seat} hand {game.pieces[kind].name}" for seat in seats for kind in self.hands]
                     + [f"{seat} counter {counter.name}" for counter in game.counters
                        for seat in (seats[: len(self.ordinary)] if counter.each else ["every"])],
            "turn": [f"turn {i}" for i in range(turns)] if 1 < turns <= MOST_TURNS else ["turn"] if turns > 1 else [],
            "must": ["must"] if is_plus(self.program) and self.program.has_legs else [],
            "out": [f"{seat} out" for seat in seats] if any(end.result == "out" for end in game.ends) else [],
            "times": ["times"] if self.repeats else [],
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the planes, by index."""
        return tuple(chain.from_iterable(self.sections.values()))

    @cached_property
    def first(self) -> dict[str, int]:
        """Index of the first plane of each section; -1 for an empty one."""
        firsts = accumulate(map(len, self.sections.values()), initial=0)
        return {section: first if planes else -1
                for (section, planes), first in zip(self.sections.items(), firsts, strict=False)}

    def _seat(self, number: int) -> str:
        if number >= len(self.ordinary):
            return self.program.game.players[self.seats(-1)[number]].name
        return "own" if number == 0 else "other" if len(self.ordinary) == 2 else f"other {number}"

    def fills(self, viewer: int) -> list[int]:
        """Return the indices in `stores` of the values of the hand and counter planes, from the view of a player."""
        game = self.program.game
        types, players = len(game.pieces), len(game.players)
        seats = self.seats(viewer)
        indices = [player * types + kind for player in seats for kind in self.hands]
        for number, counter in enumerate(game.counters):
            at = (types + number) * players
            indices += [at + player for player in seats[: len(self.ordinary)]] if counter.each else [at]
        return indices

    # ------------------------------------------------------------------------------------------------- observations

    def observe(self, position: Position, times: int = 1, viewer: int = -1) -> NDArray[np.int8]:
        """Return the observation of a position, (planes, squares), from the view of `viewer` (-1: the player to move).

        This is the definition; the kernel must write the same.
        """
        game, first = self.program.game, self.first
        viewer = game.turns[position.turn].mover if viewer < 0 and game.turns else viewer
        planes = np.zeros((len(self.names), len(game.board.places)), np.int8)
        owner = np.array(position.owner)
        occupied = np.flatnonzero(owner >= 0)
        planes[self._first_planes[viewer][owner[occupied]] + np.array(position.piece)[occupied], occupied] = 1
        if game.attributes:
            masks = np.array(position.attributes)
            for bit in range(len(game.attributes)):
                planes[first["attributes"] + bit] = masks >> bit & 1
        if self.sections["last"]:
            for plane, square in ((first["last"], position.last_from), (first["last"] + 1, position.last_to)):
                if square >= 0:
                    planes[plane, square] = 1
        if self.sections["chain"] and position.chain:
            planes[first["chain"], position.chain[0]] = 1
        for plane, value in self._filled(position, viewer, times):
            planes[plane] = max(-LARGEST, min(LARGEST, value))
        return planes

    def _filled(self, position: Position, viewer: int, times: int) -> list[tuple[int, int]]:
        """Return (plane, value) of all planes that are constant over the squares."""
        first, planes = self.first, []
        if self.sections["fills"]:
            numbers = [n for row in (*position.stores, *position.counters) for n in row]
            planes = [(first["fills"] + i, numbers[at]) for i, at in enumerate(self.fills(viewer))]
        if (turns := len(self.sections["turn"])) > 1:
            planes.append((first["turn"] + position.turn, 1))
        elif turns:
            planes.append((first["turn"], position.turn))
        if self.sections["must"]:
            planes.append((first["must"], int(position.must)))
        if self.sections["out"]:
            planes += [(first["out"] + i, int(player in position.out)) for i, player in enumerate(self.seats(viewer))]
        return [*planes, (first["times"], times)] if self.repeats else planes

    @cached_property
    def _first_planes(self) -> NDArray[np.int64]:
        """The first plane of each owner's pieces, indexed by viewer and owner."""
        players, types = range(len(self.program.game.players)), len(self.program.game.pieces)
        return np.array([[self.seats(viewer).index(owner) * types for owner in players] for viewer in players])


@lru_cache(maxsize=16)
def planes_of(program: Program) -> Planes:
    """Return the planes of a game (cached)."""
    return Planes(program)


def features(position: GamePosition, player: str = "") -> NDArray[np.int8]:
    """Return the observation of a position, (planes, squares), for `player` (default: the player to move).

    For the player to move, it equals a slot of `Fleet.observation`; `Fleet.planes` names the planes.

    >>> from zrf_py import load
    >>> features(load("tictactoe").start().play("b2")).shape    # 6 planes: marks on the board and in hand, turns
    (6, 9)

    :raises ZrfError: if the game has no such player.
    """
    arguments.want("position", position, GamePosition, "a `zrf_py.Position`, such as `game.start()`")
    planes, names = planes_of(position.game.program), [p.name for p in position.game.program.game.players]
    viewer = names.index(arguments.one_of("player", player, names)) if player else -1
    return planes.observe(position.state, position.repetitions, viewer)
