"""How strong the computer players are against named engines, at equal processor time: writes `strength.md`.

    apt-get install stockfish fairy-stockfish fairymax
    python -m tests.benchmarks.strength --games 40 --cpu 0.05
    python -m tests.benchmarks.strength --games 400 --cpu 0.1 --only 'chess .*1700'

Both sides play `--cpu` seconds of processor time a turn (each engine one thread). Openings are random and even by a
search, each played twice with colours changed; our rules judge. Finished games are kept in a file named by the commit:
the same command, or one with more games, goes on from there, and the page has all rows that have games.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from zrf_py.batch.contestants import PlayerLimits
from zrf_py.batch.match import Match, Standing, contest, standing
from zrf_py.batch.store import Store
from zrf_py.batch.workers import open_workers
from zrf_py.play.game import load
from zrf_py.text.diagnostics import ZrfError

PAGE = Path(__file__).with_name("strength.md")
MARGIN = 50
"""Openings are valued within so many hundredths of even."""
MAX_TURNS = 300
COLUMNS = ("game", "opponent", "games", "won, drawn, lost", "score", "Elo (95 %)",
           "processor s a turn, ours : theirs", "games ended by")
OURS = "ai:60cpu"
"""The game's usual search without noise; what limits it is `--cpu`."""


@dataclass(frozen=True)
class Row:
    """A match: the game, the opponent as people call it, and as `zrf match` does."""

    game: str
    title: str
    opponent: str


def fairy(game: str, elo: int = 0) -> Row:
    """Fairy-Stockfish, whose variants have the names of our games, in full or limited strength."""
    weak = f"&UCI_LimitStrength=true&UCI_Elo={elo}" if elo else ""
    return Row(game, f"Fairy-Stockfish, UCI_Elo {elo}" if elo else "Fairy-Stockfish",
               f"uci:fairy-stockfish?UCI_Variant={game}{weak}")


ROWS = [
    Row("chess", "Stockfish, UCI_Elo 1700", "uci:stockfish?UCI_LimitStrength=true&UCI_Elo=1700"),
    Row("chess", "Fairy-Max", "xboard:fairymax"),
    fairy("chess"),
    *(fairy(game, elo) for game in ("xiangqi", "shogi", "makruk") for elo in (1500, 0)),
    Row("makruk", "Fairy-Max", "xboard:fairymax?variant=makruk"),
    *(fairy(game, elo) for game in ("minishogi", "breakthrough") for elo in (1500, 0)),
]


def commit() -> str:
    """The commit that is measured, with `+` if files of the package have changed since."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=PAGE.parent, capture_output=True, text=True, check=True).stdout

    root = git("rev-parse", "--show-toplevel").strip()
    changed = git("status", "--porcelain", "--", f"{root}/zrf_py", f"{root}/rules")
    return git("rev-parse", "--short", "HEAD").strip() + "+" * bool(changed)


def line(row: Row, found: Standing) -> str:
    """A row of the table."""
    rating, reasons = found.rating, ", ".join(f"{reason} {count}" for reason, count in found.reasons)
    drawn = found.drawn + found.cut_off
    return (f"| {row.game} | {row.title} | {rating.games} | {found.won}, {drawn}, {found.lost} | {rating.score:.0%} | "
            f"{rating} | {found.cpu[0]:.3f} : {found.cpu[1]:.3f} | {reasons} |")


def page(lines: list[str], cpu: float, stamp: str, version: str) -> str:
    """The whole page."""
    return f"""# Strength against named engines

Each row is a match of the strongest computer player (`ai`, the game's usual search, no noise) against another program
at {cpu:g} s of processor time a turn, one thread each, commit {stamp}. Random openings of four turns, kept if a search
of 2,500 positions values them within {MARGIN / 100:g} of even, each played twice with colours changed; our rules judge;
a game of more than {MAX_TURNS} turns is drawn. Intervals: 95 %, from pairs of games. Engines: {version}.

| {" | ".join(COLUMNS)} |
|{"---|" * len(COLUMNS)}
{chr(10).join(lines)}

**Samples are small: read the intervals**, not the scores; where all games were lost, only a bound is known. `UCI_Elo`
scales are calibrated at longer times, Fairy-Stockfish's not at all for variants: such rows are yardsticks for our own
progress, not ratings. Fairy-Max can't be stopped by processor time; it is told a time that makes it use the same on
average. Turns take less where a move is forced or the game is decided. A reason that names an engine is a game it lost
for an illegal move or for silence.

Again: `python -m tests.benchmarks.strength --games 40 --cpu {cpu:g}` (`--help` for more); a row is a match like

    zrf match {OURS} '{ROWS[3].opponent}' \\
        --game {ROWS[3].game} --cpu {cpu:g} --even {MARGIN / 100:g} --max-turns {MAX_TURNS}
"""


def versions() -> str:
    """The engines' versions, by their packages."""
    names = ["stockfish", "fairy-stockfish", "fairymax"]
    query = ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names]
    found = subprocess.run(query, capture_output=True, text=True)
    return ", ".join(found.stdout.split("\n")[:-1]) or "of unknown versions"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=40, help="games of each row")
    parser.add_argument("--cpu", type=float, default=0.05, help="seconds of processor time a turn, for both")
    parser.add_argument("--only", default="", help="regular expression: rows to play, such as `chess` or `Max`")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--results", help="SQLite file of finished games")
    args = parser.parse_args()
    os.environ["PATH"] += os.pathsep + "/usr/games"
    stamp = commit()
    store = Store(args.results or Path(tempfile.gettempdir()) / f"zrf-strength-{stamp}.sqlite")
    workers, lines = open_workers(args.workers), []
    try:
        for row in ROWS:
            match = Match((OURS, row.opponent), PlayerLimits(cpu=args.cpu), max_turns=MAX_TURNS, margin=MARGIN)
            program = load(row.game).program
            try:
                if re.search(args.only, f"{row.game} {row.title}"):
                    found = contest(program, match, args.games, None, workers, store)
                else:
                    found = standing(program, store.results(match.job(program), 10**6))
            except ZrfError as error:  # such an engine isn't installed
                print(error.summary())
                continue
            if found.rating.games:
                lines.append(line(row, found))
                print(lines[-1], flush=True)
                PAGE.write_text(page(lines, args.cpu, stamp, versions()), "utf-8")
    finally:
        workers.close()


if __name__ == "__main__":
    main()
