"""Search every position of the sets, and compare the results with the known answers.

    python -m tests.tactics.run [chess|connect-four|othello]

A `Task` is a position, the right answer and a limit of nodes; an `Answer` is what the search found.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.tactics.positions import from_columns, from_discs, from_fen
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game, Position, load
from zrf_py.run.position import Move

HERE = Path(__file__).resolve().parent
NODES = {"chess-2": 300_000, "chess-3": 3_000_000, "connect-four": 1_000_000, "othello": 12_000_000}
"""Maximum number of positions that a search may visit, as stated at the top of the files."""


@dataclass(frozen=True)
class Answer:
    """Result of a search: the first move; 1 for a certain win, 0 for a draw, -1 for a loss (else None); the number of
    plies to the end, if known; and the nodes used."""

    move: Move
    value: int | None
    plies: int | None
    nodes: int


Solve = Callable[[Position, int], Answer]
"""(position, nodes) -> answer."""


@dataclass(frozen=True)
class Task:
    """A position; `value` and `plies` as in `Answer` (plies 0: any number); `moves` are the right ones (empty: any)."""

    set: str
    name: str
    position: Position
    value: int
    plies: int
    moves: frozenset[str]
    nodes: int

    def wrong(self, answer: Answer) -> str:
        """Return the mistake in an answer; empty if it is right."""
        if answer.value != self.value:
            return f"value {answer.value} instead of {self.value}"
        if self.plies and answer.plies != self.plies:
            return f"the end after {answer.plies} plies instead of {self.plies}"
        text = _squares(self.position, answer.move)
        if self.moves and text not in self.moves:
            return f"{text} instead of {' or '.join(sorted(self.moves))}"
        return ""


def _squares(position: Position, move: Move) -> str:
    """Return the squares of the first movement: `e2e4`, only `e4` for a drop, `pass` if there is no movement."""
    places = position.game.program.game.board.places
    return "".join(places[s].name for s in move.key if s >= 0) if move.movements else "pass"


def rows(name: str) -> Iterator[list[str]]:
    """Yield the words of each line of a set."""
    for line in (HERE / name).read_text("utf-8").splitlines():
        words = line.partition("#")[0].split()
        if words:
            yield words


def _game(name: str) -> Game:
    game = load(name)
    return Game(game.program, game.variants, make_engine(game.program, "auto"), game.path)


def chess() -> Iterator[Task]:
    game = _game("chess")
    for number, board, side, mate, *keys in rows("chess-mates.txt"):
        position = from_fen(game, f"{board} {side}")
        yield Task(f"chess-{mate}", number, position, 1, 2 * int(mate) - 1, frozenset(k[:4] for k in keys),
                   NODES[f"chess-{mate}"])


def connect_four() -> Iterator[Task]:
    game = _game("connect-four")
    for columns, score in rows("connect-four.txt"):
        played, value = len(columns), int(score)
        plies = 0
        if value > 0:
            plies = 2 * (22 - value - played // 2) - 1
        elif value < 0:
            plies = 2 * (22 + value - (played + 1) // 2)
        yield Task("connect-four", columns, from_columns(game, columns), (value > 0) - (value < 0), plies, frozenset(),
                   NODES["connect-four"])


def othello() -> Iterator[Task]:
    """Yield the positions; only the winner counts, so that every move that keeps the result is right."""
    game = _game("othello")
    for name, board, side, *moves in rows("othello.txt"):
        values = {m[:2]: int(m[2:]) for m in moves}
        value = _sign(max(values.values()))
        right = frozenset(square for square, v in values.items() if _sign(v) == value)
        yield Task("othello", name, from_discs(game, board, side), value, 0, right, NODES["othello"])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


SETS = {"chess": chess, "connect-four": connect_four, "othello": othello}


def searcher() -> Solve:
    """Return a function that solves positions with the search of zrf_py.

    :raises ImportError: if that can't be imported.
    """
    from zrf_py.search.game_search import GameSearch
    from zrf_py.search.limits import Limits

    searches: dict[int, GameSearch] = {}

    def solve(position: Position, nodes: int) -> Answer:
        program = position.game.program
        search = searches.setdefault(id(program), GameSearch(program))
        found = search.analyse(position.state, limits=Limits(nodes=nodes))
        line = found.best
        ends = line.ends_in
        whole = found.proven or found.nodes < nodes  # a search that ends by itself has searched everything
        value = 1 if ends and ends > 0 else -1 if ends else 0 if whole and line.value == 0 else None
        return Answer(line.moves[0], value, abs(ends) if ends is not None else None, found.nodes)

    return solve


def main(wanted: list[str]) -> int:
    solve = searcher()
    failed = 0
    for name in wanted or SETS:
        began, count, right, most = time.monotonic(), 0, 0, 0
        for task in SETS[name]():
            answer = solve(task.position, task.nodes)
            wrong = task.wrong(answer)
            count, right, most = count + 1, right + (not wrong), max(most, answer.nodes)
            if wrong:
                print(f"{task.set} {task.name}: {wrong}; {answer.nodes:,} nodes", flush=True)
        failed += count - right
        print(f"{name}: {right} of {count}, at most {most:,} nodes each, {time.monotonic() - began:.1f} s", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
