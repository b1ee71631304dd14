"""SGF (FF[4]): games in which pieces are only placed.

    (;FF[4]GM[4]SZ[15]PB[Someone]PW[Another];B[hh];W[hg](;B[ii])(;B[gg]C[a comment]))

Points are two letters, from the top left corner. The first player of the rules is B, the second W; `B[]` is a pass.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from zrf_py.play.formats.conventions import Codec, Row
from zrf_py.play.formats.forsyth import bad_position
from zrf_py.play.formats.score import Played, PlayedTurn, Score, ScoreMove, unreadable
from zrf_py.play.game import Game, Move, Position
from zrf_py.run.position import NOBODY, initial
from zrf_py.run.position import Position as State
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import clipped

COLOURS = ("B", "W")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
HEADERS = {key: key for key in ("GM", "SZ", "PB", "PW")} | {
    "VARIANT": "Variant", "EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round", "RE": "Result"}
_TOKEN = re.compile(r"(?P<mark>[();])|(?P<name>[A-Za-z]+)\s*|\[(?P<value>(?:[^\]\\]|\\.)*)\]|(?P<space>\s+)|(?P<bad>.)",
                    re.S)
Properties = dict[str, list[str]]


@dataclass(frozen=True)
class _Node:
    """A node of the tree: its properties, its line in the file, and the nodes after it."""

    properties: Properties
    line: int
    after: list["_Node"] = field(default_factory=list)


def read(text: str, name: str) -> list[Score]:
    """Parse a collection of games.

    :raises ZrfError: at a character that is not SGF, or a bracket that is not closed.
    """
    return [_score(root) for root in _trees(text, name)]


def _trees(text: str, name: str) -> list[_Node]:
    """Parse the text into the trees' root nodes."""
    top = _Node({}, 1)
    open_at: list[_Node] = []
    node, prop, line, at = top, "", 1, max(text.find("("), 0)
    line += text.count("\n", 0, at)
    while match := _TOKEN.match(text, at):
        match match.lastgroup, match[0].strip():
            case "mark", "(":
                open_at.append(node)
            case "mark", ")" if open_at:
                node = open_at.pop()
            case "mark", ";" if open_at:
                node.after.append(new := _Node({}, line))
                node = new
            case "name", word if open_at:
                prop = "".join(c for c in word if c.isupper())
            case "value", _ if open_at and prop:
                node.properties.setdefault(prop, []).append(re.sub(r"\\(\n|.)", r"\1", match["value"], flags=re.S))
            case "space", _:
                pass
            case _, bad:
                raise unreadable(name, line, f"`{clipped(bad)}` is not SGF here", "a game is `(;FF[4]SZ[15];B[hh])`")
        line += match[0].count("\n")
        at = match.end()
    if open_at:
        raise unreadable(name, line, "the game is not closed at the end of the file", "add `)`")
    return top.after


def _score(root: _Node) -> Score:
    """Return the score of a game tree; set-up stones count only in the root node."""
    own = root.properties
    tags = {"SZ": "19"} | {long: own[short][0] for short, long in HEADERS.items() if short in own}
    set_up = [f"{key}:{''.join(value.split())}" for key in ("AB", "AW", "AE", "PL") for value in own.get(key, ())]
    return Score(tags, _moves(root), root.line, " ".join(set_up))


def _moves(node: _Node) -> list[ScoreMove]:
    """Return the moves that begin at a node; the first branch is the main line."""
    moves: list[ScoreMove] = []
    siblings: list[_Node] = []
    while True:
        if text := next((c + value for c in COLOURS for value in node.properties.get(c, ())), ""):
            item = ScoreMove(text, node.line)
            moves.append(item)
            item.variations = [line for sibling in siblings if (line := _moves(sibling))]
        if not node.after:
            return moves
        node, *siblings = node.after


class Sgf(Codec):
    """Codec of SGF."""

    kind = "sgf"

    def __init__(self, game: Game, row: Row) -> None:
        """:raises ZrfError: if the board is not a full grid, or pieces can move, or there are several types."""
        super().__init__(game, row)
        kinds = [kind for kind, piece in enumerate(self.rules.pieces) if not piece.dummy]
        if not self.grid.is_full or len(kinds) != 1 or self.rules.pieces[kinds[0]].moves:
            raise self.unfit("it is not a game of placing pieces of one type")
        self.stone = kinds[0]
        self.points = {i: LETTERS[x] + LETTERS[self.grid.ranks - 1 - y] for i, (x, y) in self.grid.cells.items()}
        self.squares = {point: i for i, point in self.points.items()}

    def size(self) -> str:
        """Return the size of the board, as in the property SZ."""
        x, y = self.grid.files, self.grid.ranks
        return str(x) if x == y else f"{x}:{y}"

    def start(self, score: Score) -> State | None:
        if score.tags.get("SZ") != self.size():
            raise ZrfError(f"the record's board has size {score.tags.get('SZ')}, but that of {self.game.title} "
                           f"has size {self.size()}", "other-game", help="name the rules with `--rules`")
        if not score.start:
            return None
        state = initial(self.game.program)
        men = {i: (owner, state.piece[i]) for i, owner in enumerate(state.owner) if owner != NOBODY}
        mover = 0
        for key, value in (word.split(":", 1) for word in score.start.split()):
            if key == "PL":
                mover = int(value.upper()[:1] == "W")
            elif (square := self.squares.get(value)) is None:
                raise bad_position(f"{key}[{value}]", "this is not a point of the board", "write, for example, `hh`")
            elif key == "AE":
                men.pop(square, None)
            else:
                men[square] = self.players[COLOURS.index(key[1])], self.stone
        return self.placed(men, mover)

    def read(self, position: Position, text: str) -> Sequence[Move]:
        colour, point = text[0], text[1:].strip()
        if COLOURS[self.mover(position)] != colour:
            return ()
        if point == "" or (point == "tt" and point not in self.squares):
            return tuple(move for move in position.moves() if move.raw.is_pass)[:1]
        moves = [move for move in position.moves() if move.raw.key[1] == self.squares.get(point, -1)]
        return tuple(moves) if len(moves) == 1 else ()

    def write(self, played: Played) -> str:
        root: dict[str, Sequence[str]] = {"FF": ["4"], "CA": ["UTF-8"], "AP": ["zrf_py"]}
        tags = played.tags | self.headers | {"SZ": self.size()}
        root |= {short: [tags[long]] for short, long in HEADERS.items() if long in tags and long != "Result"}
        if outcome := played.end.outcome():
            first = self.rules.players[self.players[0]].name
            root["RE"] = [("B+" if first in outcome.winners else "W+") if outcome.winners else "0"]
        elif result := played.tags.get("Result"):
            root["RE"] = [result]
        if played.is_set_up:
            root |= self._set_up(played.start)
        text = "".join(key + "".join(f"[{_escaped(value)}]" for value in values) for key, values in root.items())
        return f"(;{text}{self._text(played.turns)})\n"

    def _set_up(self, position: Position) -> dict[str, Sequence[str]]:
        """Return the properties that set up a position."""
        start, state = initial(self.game.program), position.state
        pieces: dict[str, Sequence[str]] = {
            f"A{colour}": [self.points[i] for i, owner in enumerate(state.owner) if owner == player]
            for colour, player in zip(COLOURS, self.players, strict=True)}
        pieces["AE"] = [self.points[i] for i, owner in enumerate(state.owner) if owner == NOBODY != start.owner[i]]
        return {key: points for key, points in pieces.items() if points} | {"PL": [COLOURS[self.mover(position)]]}

    def _text(self, turns: Sequence[PlayedTurn]) -> str:
        """Write turns; at a turn with variations, the line from there on and each variation are branches."""
        text = ""
        for number, turn in enumerate(turns):
            colour = COLOURS[self.mover(turn.before)]
            node = f";{colour}[{self.points.get(turn.legs[0].raw.key[1], '')}]" + "\n" * (number % 10 == 9)
            if turn.instead:
                lines = [node + self._text(turns[number + 1 :]), *map(self._text, turn.instead)]
                return text + "".join(f"({line})" for line in lines)
            text += node
        return text


def _escaped(value: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", value)
