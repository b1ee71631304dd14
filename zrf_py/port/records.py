"""Replay saved games; each result names the rules file that was found for the game."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from zrf_py.archives import on_disk, shown
from zrf_py.library import load_file, shelf
from zrf_py.play.engines import make_engine
from zrf_py.play.foreign import missing_rules, program_of
from zrf_py.play.formats.record_files import Rules, games_in
from zrf_py.play.game import Game
from zrf_py.play.replay import replay
from zrf_py.play.zsg import SavedGame, find_rules
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import clipped

WHOLE, STOPPED, REFUSED, FOREIGN = "whole", "stopped", "refused", "program"
WORDS = {WHOLE: "replayed to the end", STOPPED: "stopped early", REFUSED: "unreadable or without rules",
         FOREIGN: "with rules in an engine DLL"}


@dataclass(frozen=True)
class Record:
    """Result of replaying a saved game: `status` is "whole", "stopped" (a move isn't legal), "refused" (it or its rules
    can't be read) or "program" (rules in a DLL); `why` is the reason ("" for "whole"), `rules` the rules file used."""

    name: str
    status: str
    plies: int = 0
    of: int = 0
    title: str = ""
    rules: str = ""
    why: str = ""


def counted(statuses: Counter[str]) -> str:
    """Return the number of saved games with each status, in words."""
    return ", ".join(f"{statuses[status]} {words}" for status, words in WORDS.items() if statuses[status])


def rules_of(saved: SavedGame, path: str, rules: str | None, root: Path | None = None, instead: str = "") -> Path:
    """Return a saved game's rules file: `rules`, or if that is a folder or None, the one that `find_rules` finds.

    :raises ZrfError: if there is none.
    """
    place = Path(rules) if rules else None
    if place is not None and not place.is_dir():
        return place
    return find_rules(saved, on_disk(Path(path)).parent, shelf().values(), place, root, instead)


def follow_record(path: str, name: str, root: Path | None = None, engine: str = "interpret") -> Record:
    """Return one result for a file: that of the first game that does not replay to its end, else one for all games."""
    records = list(follow_records(path, name, root=root, engine=engine))
    moves = sum(record.plies for record in records)
    return next((r for r in records if r.status != WHOLE), replace(records[0], plies=moves, of=moves))


def follow_records(
    path: str, name: str, rules: str | None = None, root: Path | None = None, variant: str | None = None,
    engine: str = "interpret", game: Rules = None,
) -> Iterator[Record]:
    """Replay each game of a file (by the rules of `game` if it names none); a game that can't be read is REFUSED."""
    try:
        games = games_in(path, name)
    except ZrfError as error:
        yield Record(name, REFUSED, why=error.diagnostics[0].message)
        return
    for label, read in games:
        yield _follow(partial(read, game), path, label, rules, root, variant, engine)


def _follow(
    read: Callable[[], SavedGame], path: str, name: str, rules: str | None, root: Path | None, variant: str | None,
    engine: str,
) -> Record:
    saved: SavedGame | None = None
    rules_file = ""
    try:
        saved = read()
        file = load_file(rules_of(saved, path, rules, root), root)
        rules_file = str(shown(file.path.resolve()))
        file.check()
        program = file.program(variant or saved.variant or None)
        if why := missing_rules(program):
            return Record(name, FOREIGN, 0, saved.plies, program.game.title, rules_file, why)
        result = replay(Game(program, (), make_engine(program, engine, patient=True), file.path), saved)
    except ZrfError as error:
        errors = [d for d in error.diagnostics if d.severity == "error"] or error.diagnostics
        return Record(name, REFUSED, 0, saved.plies if saved else 0, "", rules_file, errors[0].message)
    if result.stop:
        status = FOREIGN if program_of(program) else STOPPED
        return Record(name, status, result.plies, saved.plies, program.game.title, rules_file,
                      f"line {result.stop.entry.line}, `{clipped(result.stop.entry.text)}`: {result.stop.reason}")
    return Record(name, WHOLE, result.plies, saved.plies, program.game.title, rules_file)
