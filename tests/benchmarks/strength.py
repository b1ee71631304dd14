"""Strength of the computer players against other programs, at equal processor time: writes `strength.md`.

    apt-get install stockfish fairy-stockfish fairymax
    python -m tests.benchmarks.strength
    python -m tests.benchmarks.strength --games 400 --only 'chess .*2000'

Both sides have the row's processor time for each turn, or `--cpu` seconds, and one thread each. Openings are random
turns after which a search finds the game even; each is played twice, with colours swapped. Our rules decide results.
Finished games are stored in a file named after the commit, so the same command, or one with more games, resumes there;
the page shows all rows that have games.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from zrf_py.batch.contestants import PlayerLimits
from zrf_py.batch.match import Match, Standing, contest, standing
from zrf_py.batch.store import Store
from zrf_py.batch.workers import Workers, open_workers
from zrf_py.play.game import load
from zrf_py.text.diagnostics import ZrfError

PAGE = Path(__file__).with_name("strength.md")
MARGIN = 50
"""Maximum distance of an opening's value from even, in hundredths."""
MAX_TURNS = 300
COLUMNS = ("game", "opponent", "limit, s", "games", "won, drawn, lost", "score", "Elo (95 %)",
           "used, s a turn, ours : theirs", "games ended by")
OURS = "ai:60cpu"
"""The game's usual search without noise, limited by `--cpu`."""


@dataclass(frozen=True)
class Row:
    """A match: the game, the opponent's name for readers and for `zrf match` (in which `{cpu:g}` stands for the time),
    and the seconds of processor time per turn."""

    game: str
    title: str
    opponent: str
    cpu: float = 0.05


def fairy(game: str, elo: int = 0, cpu: float = 0.05) -> Row:
    """Return a match against Fairy-Stockfish, whose variants are named like our games; `elo` 0 is full strength."""
    weak = f"&UCI_LimitStrength=true&UCI_Elo={elo}" if elo else ""
    return Row(game, f"Fairy-Stockfish, UCI_Elo {elo}" if elo else "Fairy-Stockfish",
               f"uci:fairy-stockfish?UCI_Variant={game}{weak}", cpu)


def uct(game: str) -> Row:
    """Return a match against our plain tree search without knowledge of games (`uct.py`)."""
    return Row(game, "plain UCT", f"uci:{sys.executable} -m tests.benchmarks.uct {game} {{cpu:g}}")


VARIANTS = ("xiangqi", "shogi", "makruk", "minishogi", "breakthrough")
ROWS = [
    *(Row("chess", f"Stockfish, UCI_Elo {elo}", f"uci:stockfish?UCI_LimitStrength=true&UCI_Elo={elo}", 0.1)
      for elo in (2000, 1700)),
    Row("chess", "Fairy-Max", "xboard:fairymax", 0.1),
    fairy("chess", cpu=0.1),
    *(fairy(game, elo) for game in VARIANTS for elo in (0, 1500)),
    Row("makruk", "Fairy-Max", "xboard:fairymax?variant=makruk"),
    *map(uct, ("chess", "xiangqi", "breakthrough", "othello", "connect-four", "five-in-a-row")),
]


def commit() -> str:
    """Return the measured commit, with `+` if files of the package have changed since."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=PAGE.parent, capture_output=True, text=True, check=True).stdout

    root = git("rev-parse", "--show-toplevel").strip()
    changed = git("status", "--porcelain", "--", f"{root}/zrf_py", f"{root}/rules")
    return git("rev-parse", "--short", "HEAD").strip() + "+" * bool(changed)


def line(row: Row, cpu: float, found: Standing) -> str:
    """Return a row of the table; `cpu` limits a turn."""
    rating, reasons = found.rating, ", ".join(f"{reason} {count}" for reason, count in found.reasons)
    cells = (row.game, row.title, f"{cpu:g}", rating.games, f"{found.won}, {found.drawn + found.cut_off}, {found.lost}",
             f"{rating.score:.0%}", rating, f"{found.cpu[0]:.3f} : {found.cpu[1]:.3f}", reasons)
    return f"| {' | '.join(map(str, cells))} |"


def page(lines: list[str], stamp: str, version: str) -> str:
    """Return the whole page."""
    example = next(row for row in ROWS if "UCI_Variant" in row.opponent)
    return f"""# Strength against other programs

Each row is a match of the strongest computer player (`ai`: the game's usual search, without noise) against another
program, at equal processor time per turn and with one thread each, at commit {stamp}. The openings are four random
turns, used if a search of 2,500 positions values them within {MARGIN / 100:g} of even; each is played twice with
colours swapped. Our rules decide, and a game of more than {MAX_TURNS} turns is a draw. Intervals are 95 % confidence
intervals from pairs of games. Engines: {version}.

| {" | ".join(COLUMNS)} |
|{"---|" * len(COLUMNS)}
{chr(10).join(lines)}

**The samples are small**, so read the intervals rather than the scores; if all games were lost, only a bound is
known. The `UCI_Elo` scale is calibrated at longer times, and that of Fairy-Stockfish is not calibrated for variants:
these rows measure our own progress and are not ratings. Fairy-Stockfish 11.1 has no network. Fairy-Max can't be
stopped by processor time; it is sent a time that makes it use the same amount on average. Turns take less time if a
move is forced or the game is decided. If the last column names an engine, the engine lost those games by an illegal
move or by not answering. Plain UCT is our own tree search in machine code, with random playouts and no knowledge
except the rules (`tests/benchmarks/uct.py`).

To repeat: `python -m tests.benchmarks.strength` (`--help` for more). A row is a match like

    zrf match {OURS} '{example.opponent}' \
        --game {example.game} --cpu {example.cpu:g} --even {MARGIN / 100:g} --max-turns {MAX_TURNS}
"""


def versions() -> str:
    """Return the engines' versions, as their packages state them."""
    names = ["stockfish", "fairy-stockfish", "fairymax"]
    query = ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names]
    found = subprocess.run(query, capture_output=True, text=True)
    return ", ".join(found.stdout.split("\n")[:-1]) or "of unknown versions"


class Matches:
    """The rows' matches: resumed from a store, and written to the page."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args, self.stamp = args, commit()
        self.store = Store(args.results or Path(tempfile.gettempdir()) / f"zrf-strength-{self.stamp}.sqlite")
        self.lines: dict[Row, str] = {}

    def add(self, row: Row, workers: Workers | None = None) -> None:
        """Add the stored games of a row; with `workers`, play the missing ones first."""
        cpu, program = self.args.cpu or row.cpu, load(row.game).program
        match = Match((OURS, row.opponent.format(cpu=cpu)), PlayerLimits(cpu=cpu), max_turns=MAX_TURNS, margin=MARGIN)
        try:
            if workers:
                found = contest(program, match, self.args.games, None, workers, self.store)
            else:
                found = standing(program, self.store.results(match.job(program), 10**6))
        except ZrfError as error:  # for example, the engine isn't installed
            print(error.summary())
            return
        if found.rating.games:
            self.lines[row] = line(row, cpu, found)
            print(self.lines[row], flush=True)

    def write(self) -> None:
        lines = [self.lines[row] for row in ROWS if row in self.lines]
        PAGE.write_text(page(lines, self.stamp, versions()), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=40, help="games of each row")
    parser.add_argument("--cpu", type=float, help="seconds of processor time a turn, for both (default: the row's own)")
    parser.add_argument("--only", default="", help="regular expression: rows to play, such as `chess` or `Max`")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--results", help="SQLite file of finished games")
    args = parser.parse_args()
    os.environ["PATH"] += os.pathsep + "/usr/games"
    matches, workers = Matches(args), open_workers(args.workers)
    try:
        for row in ROWS:
            matches.add(row)
        for row in ROWS:
            if re.search(args.only, f"{row.game} {row.title}"):
                matches.add(row, workers)
                matches.write()
    finally:
        workers.close()


if __name__ == "__main__":
    main()
