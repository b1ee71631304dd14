"""A block of moves and a game -> every line of it done, one after the other; what does not hold is said."""

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random

from zrf_py.author.tests.pages import (
    EXPECTED,
    Block,
    Example,
    Unexpected,
    Wrapped,
    expect,
    is_drawn,
    piece_letters,
    wrap,
)
from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.play.game import Game
from zrf_py.play.perft import perft
from zrf_py.run.engine import Engine
from zrf_py.run.position import NOBODY
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Diagnostic, Report, ZrfError
from zrf_py.text.render import render
from zrf_py.text.source import Source


def run(example: Example, make: Callable[[Program], Engine] = Rules, counts: bool = False) -> Engine | None:
    """Compile the rules of an example, compare their problems with those announced, then do what its moves say.

    The engine that has played the moves is returned, None if there are none.
    """
    wrapped = wrap(example)
    report = Report()
    source = Source("example.zrf", wrapped.text)
    programs = compile_source(source, lambda name, origin: _include(example, name), report)
    compare_problems(example, wrapped, source, report)
    if example.moves is None:
        return None
    expect(programs, "no game")
    wanted = re.search(r"^variant: (.*)", example.moves.text, re.M)
    found = [p for p in programs if not wanted or p.game.title == wanted[1].strip()]
    expect(found, f"no variant {wanted and wanted[1]}")
    engine = make(found[0])
    session = Session(Game(found[0], engine=engine), example.moves)
    session.counts = counts
    session.run()
    return engine


def _include(example: Example, name: str) -> Source | None:
    return Source(name, example.files[name]) if name in example.files else None


def compare_problems(example: Example, wrapped: Wrapped, source: Source, report: Report) -> None:
    expected = Counter(
        (number, *match.groups())
        for number, line in enumerate(example.rules.text.splitlines(), 1)
        for match in EXPECTED.finditer(line)
    )
    unexpected = []
    for diagnostic in report.items:
        key = _key(diagnostic, wrapped, source, example, expected)
        if key:
            expected[key] -= 1
        elif diagnostic.severity != "note":
            unexpected.append(diagnostic)
    expect(not unexpected, "not announced:\n" + render(unexpected))
    missing = [key for key, count in expected.items() if count > 0]
    expect(not missing, f"announced but not reported: {missing}\n" + render(report))


def _key(
    d: Diagnostic, wrapped: Wrapped, source: Source, example: Example, expected: Counter[tuple[object, ...]],
) -> tuple[object, ...] | None:
    line, text = 0, ""
    if d.origin:
        span = d.origin.span
        line = wrapped.line_of(span.start, example.rules.text) if span.source is source else 0
        text = span.text.strip('"')
    for key in ((line, d.severity, d.code, text), (line, d.severity, d.code, None)):
        if expected[key] > 0:
            return key
    if not line:  # a problem of an included file, or of the file as a whole, may be announced on any line
        return next((k for k, n in expected.items() if n > 0 and k[1:3] == (d.severity, d.code)), None)
    return None


class Session:
    """Does what a block of moves says, line by line."""

    def __init__(self, game: Game, block: Block) -> None:
        self.game = game
        self.position = game.start()
        self.letters = {name: letter for letter, name in
                        piece_letters([p.name for p in game.program.game.pieces]).items()}
        self.block = block
        self.listed: list[str] = []
        self.drawing: list[str] = []
        self.counts = False
        """Whether the engine counts moves by other code than it lists them, which is to be compared, too."""
        self.limits: list[tuple[str, str, int]] = []

    def run(self) -> None:
        for line in [*self.block.text.splitlines(), ""]:
            if line.strip() and is_drawn(line):
                self.drawing.append(line.strip())
                continue
            self.flush_drawing()
            word, colon, rest = line.partition(":")
            rest = rest.split("   ;")[0].strip()
            if colon and hasattr(self, f"do_{word.replace(' ', '_')}"):
                self.flush_list()
                getattr(self, f"do_{word.replace(' ', '_')}")(rest)
            elif line.strip():
                self.listed.append(line.split("   ;")[0].strip())
            else:
                self.flush_list()
        if match := re.search(r"(\S+) to move", self.block.info):
            first = list(self.position.line())[-1]
            expect(first.player == match[1], f"{first.player} is to move, not {match[1]}")

    # ------------------------------------------------------------------------------------------------------ lists

    def texts(self) -> list[str]:
        """The legal moves; the number after `partial` is left out (it is the business of the notation page)."""
        moves = self.position.moves()
        if self.counts:
            following = [self.game.rules.after(self.position.state, move.raw) for move in moves]
            with suppress(ZrfError):  # where a block never ends
                wanted = sum(len(self.game.rules.moves(position)) for position in following)
                found = perft(self.game.engine, self.position.state, 2)
                expect(found == wanted, f"counted {found}, listed {wanted}")
        return [re.sub(r"^partial \d+ ", "partial ", str(m)) for m in moves]

    def flush_list(self) -> None:
        """Compare the moves listed so far with all the legal ones."""
        if self.listed:
            wanted = [] if self.listed == ["none"] else self.listed
            expect(sorted(set(self.texts())) == sorted(wanted), self.moment())
        self.listed = []

    def is_legal(self, text: str) -> bool:
        """Whether a move is legal: in full notation, or as people write it."""
        if text in self.texts():
            return True
        try:
            self.position.find(text)
        except ZrfError as error:
            return error.diagnostics[0].code == "ambiguous-move"
        return True

    def do_can(self, text: str) -> None:
        expect(self.is_legal(text), self.moment())

    def do_among(self, text: str) -> None:
        """Only moves of this list, separated by commas, are legal."""
        expect(set(self.texts()) <= {move.strip() for move in text.split(",")}, self.moment())

    def do_cannot(self, text: str) -> None:
        expect(not self.is_legal(text), self.moment())

    def do_count(self, text: str) -> None:
        expect(len(set(self.texts())) == int(text), self.moment())

    # ----------------------------------------------------------------------------------------------------- actions

    def do_variant(self, text: str) -> None:
        pass

    def do_perft(self, text: str) -> None:
        """`3 8902`: so many ways to play three plies."""
        depth, count = (int(word.replace(",", "")) for word in text.split())
        found = perft(self.game.engine, self.position.state, depth)
        expect(found == count, f"{found} leaves at depth {depth}")

    def do_at_most(self, text: str) -> None:
        """`White King 1`: holds in every position of the games that follow."""
        player, piece, count = text.split()
        symbols = self.game.program.game.symbols
        expect(player in symbols.players and piece in symbols.pieces, f"`{player} {piece}` is not of this game")
        self.limits.append((player, piece, int(count)))

    def do_games(self, text: str) -> None:
        """`20 within 300`: so many random games, each over within so many legs."""
        match = re.fullmatch(r"(\d+) within (\d+)", text)
        if match is None:
            raise Unexpected("say how many and how long: `games: 20 within 300`")
        for seed in range(int(match[1])):
            self.random_game(Random(seed), int(match[2]))

    def random_game(self, random: Random, plies: int) -> None:
        position = self.position
        played: list[str] = []
        while position.outcome() is None:
            expect(len(played) < plies, f"a game that goes on after {plies} legs: {'; '.join(played[:40])} …")
            position = position.play(random.choice(position.moves()))
            played.append(str(position.move))
            men = Counter(position.pieces().values())
            for player, piece, most in self.limits:
                there = men[player, piece]
                expect(there <= most, f"{there} {player} {piece} after {'; '.join(played)}")

    def do_board(self, text: str) -> None:
        """`White King e1 e2, Black Man a3`: these men and no others stand on the board."""
        places = self.game.program.game.board.places
        for square, owner in enumerate(self.position.state.owner):
            if owner != NOBODY:
                self.position = self.position.edited(f"(x {places[square].name})")
        for men in text.split(", "):
            player, piece, *squares = men.split()
            for name in squares:
                self.position = self.position.edited(f"({player} {piece} {name})")

    def do_put(self, text: str) -> None:
        self.position = self.position.edited(f"({text})")

    def do_play(self, text: str) -> None:
        for move in text.split(", "):
            self.position = self.position.play(re.sub(r"^partial ", "partial 0 ", move))

    def do_outcome(self, text: str) -> None:
        found = self.position.outcome()
        outcome = str(found and replace(found, why=None))  # pages are about the rules: they use the rules' words
        expect(text in (outcome, outcome.split(" (")[0]) or (text == "none" and outcome == "None"),
               f"{outcome}\n{self.moment()}")

    def do_fault(self, text: str) -> None:
        try:
            self.position.moves()
        except ZrfError as error:
            expect(error.diagnostics[0].code == text, error)
        else:
            raise Unexpected("no fault")

    def do_to_move(self, text: str) -> None:
        expect(self.position.player == text, self.moment())

    def do_store(self, text: str) -> None:
        player, piece, count = text.split()
        game = self.game.program.game
        symbols = game.symbols
        stores = self.position.state.stores
        expect(stores[symbols.players[player]][symbols.pieces[piece]] == int(count), stores)

    def do_has(self, text: str) -> None:
        square, player, piece = text.split()
        expect(self.position.pieces().get(square) == (player, piece), self.moment())

    def do_links(self, text: str) -> None:
        """`a1: n a2, e b1`: exactly these links leave a square."""
        square, _, listed = text.partition(" ")
        board = self.game.program.game.board
        at = [p.name for p in board.places].index(square)
        wanted = {tuple(item.split()) for item in listed.split(", ")} if listed != "none" else set()
        found = {(name, board.places[table[at]].name)
                 for name, table in zip(board.directions, board.links, strict=True) if table[at] >= 0}
        expect(found == wanted, found)

    def do_squares(self, text: str) -> None:
        found = [p.name for p in self.game.program.game.board.places]
        expect(found == text.split(), " ".join(found))

    # ---------------------------------------------------------------------------------------------------- drawings

    def char(self, square: str) -> str:
        if square not in self.game.program.game.symbols.positions or not any(
            p.name == square for p in self.game.program.game.board.places
        ):
            return "-"
        piece = self.position.pieces().get(square)
        if piece is None:
            return "."
        players = [p.name for p in self.game.program.game.players]
        letter = self.letters[piece[1]]
        return (letter, letter.lower(), "#", "@")[min(players.index(piece[0]), 3)]

    def drawn(self, like: list[list[str]]) -> list[list[str]]:
        height = len(like)
        return [[self.char(f"{chr(97 + j)}{height - i}") for j in range(len(row))] for i, row in enumerate(like)]

    def flush_drawing(self) -> None:
        """Compare a drawn board with the position, and the board drawn beside it with where a piece can go."""
        if not self.drawing:
            return
        halves = [re.split(r" {3,}", row) for row in self.drawing]
        self.drawing = []
        left = [half[0].split() for half in halves]
        expect(left == self.drawn(left), f"drawn:\n{_show(left)}\nfound:\n{_show(self.drawn(left))}")
        if len(halves[0]) > 1:
            right = [half[1].split() for half in halves]
            found = self.targets(left)
            expect(right == found, f"drawn:\n{_show(right)}\nfound:\n{_show(found)}\n{self.moment()}")

    def targets(self, left: list[list[str]]) -> list[list[str]]:
        """The board with `*` where the piece can go and `x` where it would land on another."""
        match = re.match(r"(\S+) (\S+)", self.block.info)
        if match is None:
            raise Unexpected("say which piece: ```moves Rook a1")
        names = [p.name for p in self.game.program.game.board.places]
        square = match[2].rstrip(",")
        start = -1 if square == "dropped" else names.index(square)
        if start >= 0:
            expect(self.position.pieces()[square][1] == match[1], f"{square} holds {self.position.pieces()[square]}")
        ends = {names[m.raw.key[1]] for m in self.position.moves() if m.raw.key[0] == start and not m.raw.is_pass}
        board = [row[:] for row in left]
        for i, row in enumerate(left):
            for j, letter in enumerate(row):
                if f"{chr(97 + j)}{len(left) - i}" in ends:
                    board[i][j] = "*" if letter == "." else "x"
        return board

    def moment(self) -> str:
        return f"{self.position.player} to move; legal: {'; '.join(self.texts()) or 'nothing'}"


def _show(board: list[list[str]]) -> str:
    return "\n".join(" ".join(row) for row in board)
