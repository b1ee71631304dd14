"""Parser of typed moves, legal or not, into squares and pieces. Used by `Position.find`, `why` and tests.

    b2-b4  b2 b4  b2xb4  b2b4  b2 x b4      from one square to another
    Hb2xb4  Hxb4  Nbd7  exd5  e7e8q         with the letter or name of the type, part of the square, a promotion
    P*5e  Sente Pawn 5e  N@f3               a drop
    O-O  0-0-0                              castling, if the rules can move two pieces at once
    King e1 - g1 Rook h1 - f1               full notation of saved games, and several legs: `c3-c5-e5`, `a1-a4 xd7`
    pass

Only names of the game are accepted: `e2e9` is not a move on a board with eight ranks.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.play.letters import move_letters, without_player
from zrf_py.play.move import Move

ANY = -1
LONGEST = 400
"""Maximum length of a move's text, in characters."""
PARTS = re.compile(r"^[A-Za-z]{1,2}(?=\d)|(?<=[A-Za-z])\d+$|^\d+(?=[A-Za-z])|(?<=\d)[a-z]$")
"""The file and the rank of a square's name: `a` and `10` of `a10`, `5` and `e` of `5e`."""
CASTLING = re.compile(r"[O0]-[O0](-[O0])*[+#!?]*")


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move as described by a text. Squares are numbers (ANY: not given); `kinds` and `becomes` are the possible
    types before and after the move (empty: not given)."""

    start: int = ANY
    end: int = ANY
    kinds: frozenset[int] = frozenset()
    part: str = ""
    """File or rank of the start square: a prefix or suffix of its name."""
    drop: bool = False
    becomes: frozenset[int] = frozenset()
    others: tuple[str, ...] = ()
    """Further names (players, types, squares) and counters with values that the move's notation must contain."""
    passing: bool = False
    castling: str = ""
    """Castling: `O-O`, with as many O as in the text; else ""."""


class MoveReader:
    """Parser for the moves of one program; its regular expressions are built from the game's names."""

    def __init__(self, program: Program) -> None:
        game = program.game
        self.program = program
        self.names = [" ".join(place.name.split()) for place in game.board.places]
        self.squares = {name: i for i, name in enumerate(self.names)}
        self.kinds: dict[str, frozenset[int]] = {}
        for kind, letter in move_letters(game).items():
            for name in {letter, game.pieces[kind].name}:
                self.kinds[name] = self.kinds.get(name, frozenset()) | {kind}
        self.unlettered = self.kinds.pop("", frozenset())
        names = [*self.names, *(name for name, kinds in self.kinds.items() if not kinds <= self.unlettered)]
        for kind in self.unlettered:  # drawings use a letter for these types, too
            initial = without_player(game, game.pieces[kind].name)[:1].upper()
            if not any(name.startswith(initial) for name in names):
                self.kinds[initial] = self.kinds.get(initial, frozenset()) | {kind}
        self.players = [player.name for player in game.players]
        squares, kinds, players = map(_either, (self.names, self.kinds, self.players))
        counters = _either([*(counter.name for counter in game.counters), "next-turn"])
        parts = _either({part for name in self.squares for part in PARTS.findall(name)})
        pattern = (rf"(?:(?P<player>{players})[\s:]+)?(?:(?P<kind>{kinds})\s*)?"
                   rf"(?:(?P<start>{squares})(?:\s*(?:-+>?|→|[x×:])\s*|\s*)|(?P<part>{parts})?"
                   rf"\s*(?P<mark>[-x×:*@→])?\s*)(?P<end>{squares})")
        item = (rf"\s*(?:=\s*(?P<becomes>{kinds}|{players})(?!\w)|(?:on|flip)\b|[-x×:→,*]*\s*(?P<square>{squares})"
                rf"|(?P<name>{players}|{kinds})(?!\w)|#?\s*(?P<counter>{counters})\s*=?\s*(?P<value>[-+]?\d+)"
                rf"|@\s*(?:{squares})\s+\d+\s+\d+(?!\w)|[-+=#!?…]|e\.p\.)")
        self._ways = re.compile(pattern), re.compile(pattern, re.IGNORECASE)
        self._items = re.compile(item), re.compile(item, re.IGNORECASE)
        self._folded_squares = {name.casefold(): i for name, i in reversed(self.squares.items())}
        self._folded_kinds = {name.casefold(): kinds for name, kinds in reversed(self.kinds.items())}

    def read(self, text: str) -> TypedMove | None:
        """Parse a move; None if the text is not a move of this game."""
        words = text.split()
        if words[:1] == ["partial"]:
            words = words[2:] if words[1:2] and words[1].isdigit() else words[1:]
        text = " ".join(words)
        if text.casefold() == "pass":
            return TypedMove(passing=True)
        if CASTLING.fullmatch(text):
            castling = text.replace("0", "O").rstrip("+#!?")
            return TypedMove(castling=castling) if self.program.uses("cascade") else None
        if not text or len(text) > LONGEST:
            return None
        return next((entry for exact in (0, 1) for entry in self._readings(text, exact)), None)

    def _readings(self, text: str, folded: int) -> Iterator[TypedMove]:
        if (head := self._ways[folded].match(text)) and (rest := self._rest(text, head.end(), folded)) is not None:
            yield self._typed(head, *rest)
        if rest := self._rest(text, 0, folded):
            squares = [self.squares[name] for name in rest[1] if name in self.squares]
            if squares or any(" " in name for name in rest[1]):
                yield TypedMove(end=squares[0] if squares else ANY, others=rest[1])

    def _typed(self, head: re.Match[str], becomes: frozenset[int], others: tuple[str, ...]) -> TypedMove:
        start, part, player, kind, mark = head.group("start", "part", "player", "kind", "mark")
        kinds = self._kinds(kind) if kind else self.unlettered if part else frozenset()
        drop = start is None and (mark in ("*", "@") or bool(kind and player))
        return TypedMove(self._square(start) if start else ANY, self._square(head["end"]), kinds, part or "", drop,
                         becomes, (*([player] if player else []), *others))

    def _rest(self, text: str, at: int, folded: int) -> tuple[frozenset[int], tuple[str, ...]] | None:
        """Parse the rest of a text from `at` on: (types of a promotion, other names); None if a word is unknown."""
        becomes, others, first = frozenset[int](), list[str](), at
        while at < len(text):
            item = self._items[folded].match(text, at)
            if item is None:
                return None
            attached = at == first and item.start("name") == at > 0
            name = item["becomes"] or (item["name"] if attached else None)
            if name and not becomes and self._kinds(name):
                becomes = self._kinds(name)
            elif item["counter"]:
                others.append(f"{item['counter']} {item['value']}")
            elif square := item["square"]:
                others.append(self.names[self._square(square)])
            elif name := name or item["name"]:
                others.append(name)
            at = item.end()
        return becomes, tuple(others)

    def _square(self, name: str) -> int:
        return self.squares.get(name, self._folded_squares.get(name.casefold(), ANY))

    def _kinds(self, name: str) -> frozenset[int]:
        return self.kinds.get(name) or self._folded_kinds.get(name.casefold(), frozenset())

    def fits(self, entry: TypedMove, move: Move) -> bool:
        """Return True if a move matches the description; never for castling, which `read_short` finds."""
        if move.raw.is_pass or entry.castling or entry.passing:
            return entry.passing and move.raw.is_pass
        start, end = move.raw.key
        if entry.end not in (ANY, end) or entry.start not in (ANY, start) or (entry.drop and start >= 0):
            return False
        if entry.part and (start < 0 or not (self.names[start].startswith(entry.part)
                                             or self.names[start].endswith(entry.part))):
            return False
        becomes = move.diff.becomes
        if entry.becomes and becomes not in entry.becomes:
            return False
        if entry.kinds and (move.diff.piece not in entry.kinds
                            or (entry.start != ANY and not entry.becomes and becomes >= 0)):
            return False  # `Pawn e7 - e8` in full is a move without a promotion; `e7 e8` may have one
        return all(re.search(rf"(?<!\S){re.escape(name)}(?!\S)", move.text, re.IGNORECASE) for name in entry.others)

    def unknown(self, text: str) -> str:
        """Return the first unknown word of a text, or ""."""
        names = {*self.squares, *self.kinds, *self.players}
        return next((word for word in re.split(r"[\s,;:=×→*@+#]+|(?<=\d)x(?=\w)|-", text)
                     if word not in names and word.casefold() not in ("", "x", "pass") and not word.isdigit()), "")


def _either(names: Iterable[str]) -> str:
    """Return a regular expression for any of the names, longest first; without names it never matches."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name) or r"(?!)"


def split_moves(text: str, names: Iterable[str] = ()) -> list[str]:
    """Split a text at `;` and `,` into moves; only at `;` if any of the names (of squares) contains a comma."""
    pattern = ";" if any("," in name for name in names) else "[;,]"
    return [move.strip() for move in re.split(pattern, text) if move.strip()]
