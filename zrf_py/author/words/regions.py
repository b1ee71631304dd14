"""Phrases for zones and other sets of squares: rows, home and goal by name; others by the colour of their picture."""

import re
from collections.abc import Iterable

from zrf_py.author.words.compass import Compass
from zrf_py.author.words.language import Language, table
from zrf_py.front.model import steps_from
from zrf_py.ir.ops import Program

Sets = tuple[frozenset[int], ...]
"""A set of squares for each player, or one for everybody."""
TINTS = ("#4a86e0", "#e0604f", "#43a35c", "#ecc92f", "#9a62d2", "#ee9336", "#3dbfb8", "#8f5d3a", "#8b8f94", "#1d3f94",
         "#14602c", "#26241f")
"""Colours of zones, in the order of their words (`colour.0` …)."""


class Regions:
    """Names the regions of one board; `pictured` are those whose squares only a picture shows, in order of use."""

    def __init__(self, program: Program, say: Language, compass: Compass) -> None:
        self.game, self.say, self.compass = program.game, say, compass
        self.pictured: dict[Sets, tuple[str, str]] = {}
        """Sets of squares → caption key and name of the colour, in the order of the colours."""
        named = [player.name for player in self.game.players] + [piece.name for piece in self.game.pieces]
        names = {*re.findall(r"[^\W\d_]+", " ".join(named).lower())}
        self.colours = [n for n in range(len(TINTS)) if names.isdisjoint(
            (say(f"colour.{n}"), table("en")[f"colour.{n}"]))] or [*range(len(TINTS))]
        """Numbers of the colours in the order of use, without those in names of players or pieces (unless all are)."""
        self._in_play, self._linked = _in_play(program), program.neighbours
        self._rows = sorted({self._height(square) for square in self._in_play}, reverse=True)
        self._starts = [frozenset(place for owner, _, place in self.game.setup if owner == player)
                        for player in range(len(self.game.players))]

    def zone(self, number: int) -> str:
        """Return a phrase for being in a zone, such as `on the last row`."""
        sets = tuple(map(frozenset, self.game.board.zones[number]))
        if (rows := self._as_rows(sets)) is not None:
            return rows
        if sets not in self.pictured:
            used = [key for key, _ in self.pictured.values()]
            is_home = all(squares == start for squares, start in zip(sets, self._starts, strict=True) if squares)
            plain = "zone.marked" if len({*filter(None, sets)}) < 2 else "zone.own"
            key = "zone.home" if is_home else "zone.goal" if self._is_goal(sets) else plain
            self.pictured[sets] = plain if key in used else key, self._colour()
        key, colour = self.pictured[sets]
        return self.say(key, colour=colour)

    def marked(self, squares: Iterable[int]) -> str:
        """Return the name of the colour in which pictures mark these squares for all players, chosen on first use."""
        sets = (frozenset(squares),)
        if sets not in self.pictured:
            self.pictured[sets] = "zone.set", self._colour()
        return self.pictured[sets][1]

    def among(self, squares: frozenset[int]) -> str:
        """Return a phrase for being on one of these squares; "" if pieces that can move never stand elsewhere."""
        rest = any(self._linked[square] for square in self._in_play - squares)
        return " " + self.say("zone.marked", colour=self.marked(squares)) if rest else ""

    def _colour(self) -> str:
        """Return the word for the next colour; when all are in use, with a number."""
        again, number = divmod(len(self.pictured), len(self.colours))
        return self.say(f"colour.{self.colours[number]}") + f" {again + 1}" * bool(again)

    def _as_rows(self, sets: Sets) -> str | None:
        """Return the phrase for rows that are the same from each player's side; None if they are not whole rows, or are
        several rows in the middle."""
        spans = {self._span(player, squares) for player, squares in enumerate(sets) if squares}
        span = spans.pop() if len(spans) == 1 else None
        if span is None:
            return None
        first, last = span
        count = last - first + 1
        if last == len(self._rows):
            return self.say("zone.last" if count == 1 else "zone.lasts", count=self.say.count(count))
        if first == 1:
            return self.say("zone.first" if count == 1 else "zone.firsts", count=self.say.count(count))
        return self.say("zone.row", count=first) if count == 1 else None

    def _span(self, player: int, squares: frozenset[int]) -> tuple[int, int] | None:
        """Return (first row, last row), from 1 at the player's side, if the squares fill these rows; else None."""
        ahead = self._ahead(player)
        rows = self._rows if ahead > 0 else self._rows[::-1]
        numbers = [rows.index(y) + 1 for y in {self._height(s) for s in squares & self._in_play}] if ahead else []
        if not numbers:
            return None
        first, last = min(numbers), max(numbers)
        block = {s for s in self._in_play if first <= rows.index(self._height(s)) + 1 <= last}
        return (first, last) if block == squares & self._in_play else None

    def _ahead(self, player: int) -> int:
        """Return 1 if a player's forward is up the board, -1 if down; 0 if neither or players don't face each other."""
        if self.compass.facing:
            for direction, word in enumerate(self.compass.word):
                if "up" in word:
                    seen = self.compass.word[self.game.board.symmetry[player][direction]]
                    return 1 if "up" in seen else -1 if "down" in seen else 0
        return 0

    def _height(self, square: int) -> int:
        _, top, _, bottom = self.game.board.places[square].rectangle
        return top + bottom

    def _is_goal(self, sets: Sets) -> bool:
        """Return whether each player's squares are those where another player starts."""
        others = [(squares, start) for squares, start in zip(sets, self._starts, strict=True) if squares]
        return all(squares in self._starts and squares != start for squares, start in others)


def _in_play(program: Program) -> frozenset[int]:
    """Return squares that pieces start on or blocks jump to, and linked ones; all squares if pieces can be added."""
    game = program.game
    everywhere = frozenset(range(len(game.board.places)))
    if game.stores or program.uses("create") or not game.setup:
        return everywhere
    start = {place for _, _, place in game.setup} | {op.a for op in program.ops if op.name == "jump"}
    tables = (*game.board.links, *game.board.reverse)
    return frozenset(steps_from(start, lambda square: (table[square] for table in tables if table[square] >= 0)))
