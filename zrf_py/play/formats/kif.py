"""KIF: games of the shogi family as Japanese programs write them.

    手合割：平手
    先手：名前
       1 ７六歩(77)   ( 0:01/00:00:01)
       2 ３四歩(33)
       3 ２二角成(88)
       4 同　銀(31)
       5 投了
    変化：3手
       3 ４八銀(39)

The signs of the pieces come from `formats.json`. Records of games that begin from another position can't be read.
"""

import re
from collections.abc import Sequence

from zrf_py.play.formats.conventions import Row
from zrf_py.play.formats.forsyth import Forsyth
from zrf_py.play.formats.score import Played, PlayedTurn, Score, ScoreMove, unreadable
from zrf_py.play.formats.usi import squares_of
from zrf_py.play.game import Game, Move, Position
from zrf_py.run.position import Position as State
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import clipped

DIGITS, RANKS = "１２３４５６７８９", "一二三四五六七八九"
SAME, DROP, PROMOTE, STAY = "同", "打", "成", "不成"
BRANCH, HANDICAP = "変化", "手合割"
_MOVE = re.compile(r"\s*(\d+)\s+(\S+(?:[ 　]\S+)?)")
_PLAIN = str.maketrans(DIGITS + "0", "123456789０")


def read(text: str, name: str) -> list[Score]:
    """Parse a record.

    :raises ZrfError: if a variation begins at a move that does not exist.
    """
    score = Score({}, [])
    lines = [(score.moves, 1)]
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        key, *values = re.split("[:：]", line, maxsplit=1)
        value = "".join(values).strip()
        if line.startswith(("*", "&", "#", "まで")):
            continue
        if line.startswith("|"):
            score.start = score.start or line.strip()
        elif key == BRANCH:
            first = int("".join(filter(str.isdecimal, value))[:6] or 0)
            lines.append((_branch(lines, first, name, number), first))
        elif match := _MOVE.match(line):
            if match[2][0] in DIGITS + SAME + "123456789":
                lines[-1][0].append(ScoreMove("".join(match[2].split()), number))
        elif value:
            score.tags[key.strip()] = value
    return [score]


def _branch(lines: list[tuple[list[ScoreMove], int]], first: int, name: str, line: int) -> list[ScoreMove]:
    """Begin a variation at move `first` of the latest line that has such a move; `lines` holds (moves, number of the
    first move)."""
    for moves, start in reversed(lines):
        if 0 <= first - start < len(moves):
            branch: list[ScoreMove] = []
            moves[first - start].variations.append(branch)
            return branch
    raise unreadable(name, line, f"a variation begins at move {first}, which does not exist", "correct its number")


class Kif(Forsyth):
    """Codec of KIF."""

    kind = "kif"

    def __init__(self, game: Game, row: Row) -> None:
        """:raises ZrfError: if the table has no signs for the pieces, or the rules have no Forsyth notation."""
        super().__init__(game, row)
        names: dict[str, list[str]] = self.own.get("names", {})
        missing = [name for kind in self.letters if (name := self.rules.pieces[kind].name) not in names]
        if missing:
            raise self.unfit(f"`formats.json` has no sign for its piece `{missing[0]}`")
        self.names = {kind: names[self.rules.pieces[kind].name] for kind in self.letters}
        self.kinds = {sign: kind for kind, own in self.names.items() for sign in own}
        self.squares = {i: (int(name[0]), ord(name[1]) - 96) for i, name in squares_of(self.grid).items()}
        self.at = {numbers: i for i, numbers in self.squares.items()}
        pieces = "|".join(sorted(self.kinds, key=len, reverse=True))
        self.pattern = re.compile(
            rf"(?:(?P<file>[1-9])(?P<rank>[{RANKS}1-9])|{SAME})(?P<kind>{pieces})"
            rf"(?P<how>{DROP}|{STAY}|{PROMOTE})?(?:\((?P<from>[1-9]{{2}})\))?")

    def start(self, score: Score) -> State | None:
        own = self.headers.get(HANDICAP, "")
        handicap = score.tags.get(HANDICAP, own)
        if score.start or handicap != own:
            raise ZrfError(f"`{clipped(score.start or handicap)}` is not the start position of {self.game.title}",
                           "other-game", help=f"only {own} can be read; write other positions as SFEN or USI")
        return None

    def read(self, position: Position, text: str) -> Sequence[Move]:
        match = self.pattern.fullmatch(text.translate(_PLAIN))
        if not match:
            raise ZrfError(f"`{clipped(text)}` is not a move", "not-a-move",
                           help="write, for example, `７六歩(77)` or `５五角打`")
        end = position.state.last_to
        if match["file"]:
            rank = RANKS.find(match["rank"]) + 1 or int(match["rank"])
            end = self.at.get((int(match["file"]), rank), -1)
        start = self.at.get((int(match["from"][0]), int(match["from"][1])), -1) if match["from"] else -1
        rises = match["how"] == PROMOTE
        return [move for move in position.moves() if move.raw.key == (start, end) and
                move.diff.piece == self.kinds[match["kind"]] and (move.diff.becomes >= 0) == rises][:1]

    def write_move(self, turn: PlayedTurn, last: int) -> str:
        """Write a turn; `last` is the destination of the previous move (-1: none)."""
        [move] = turn.legs
        start, end = move.raw.key
        file, rank = self.squares[end]
        goal = f"{SAME}　" if end == last else DIGITS[file - 1] + RANKS[rank - 1]
        sign = self.names[move.diff.piece][0]
        if start < 0:
            return f"{goal}{sign}{DROP}"
        return f"{goal}{sign}{PROMOTE * (move.diff.becomes >= 0)}({self.squares[start][0]}{self.squares[start][1]})"

    def write(self, played: Played) -> str:
        """Write headers, game and variations, the last variation first. :raises ZrfError: if the start was set up."""
        if played.is_set_up:
            raise self.unfit("this record begins from a set-up position; only the formats usi and sfen express that")
        lines = [f"{key}：{value}" for key, value in (self.headers | played.tags).items()]
        return "\n".join([*lines, "手数----指手---------消費時間--", *self._line(played.turns, 1, -1)]) + "\n"

    def _line(self, turns: Sequence[PlayedTurn], first: int, last: int) -> list[str]:
        lines, branches = [], []
        for number, turn in enumerate(turns, first):
            lines.append(f"{number:4} {self.write_move(turn, last)}")
            for other in turn.instead:
                branches.append(["", f"{BRANCH}：{number}手", *self._line(other, number, last)])
            last = turn.legs[-1].raw.key[1]
        return [*lines, *(line for branch in reversed(branches) for line in branch)]
