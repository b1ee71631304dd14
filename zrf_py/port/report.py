"""Report on files and saved games: their facts, totals, and the saved games of each rules file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zrf_py import __version__
from zrf_py.port.look import BROKEN, EMPTY, FAULT, FOREIGN, PART, PLAYS, STUCK, Facts
from zrf_py.port.records import FOREIGN as FOREIGN_RECORD
from zrf_py.port.records import STOPPED, WHOLE, counted
from zrf_py.text.numbers import number

WORDS = {
    PLAYS: "plays", PART: "part of another", FOREIGN: "rules in a DLL", EMPTY: "no moves", BROKEN: "doesn't open",
    STUCK: "rules fail", FAULT: "zrf fails",
}
"""Labels of the statuses of files, in the order of the report."""
DO = {
    PLAYS: "playable", PART: "included by others", FOREIGN: "with rules in an engine DLL", EMPTY: "without moves",
    BROKEN: "that can't be opened", STUCK: "with rules that fail in play", FAULT: "on which zrf fails",
}


@dataclass(frozen=True)
class Report:
    """Results of `look_at` for `files` and `records`, in the order found; `refused` as in `Collection`."""

    places: tuple[str, ...]
    files: Sequence[Facts]
    records: Sequence[Facts]
    refused: Sequence[tuple[str, str]]
    seconds: float

    @property
    def kinds(self) -> Counter[str]:
        return Counter(f["status"] for f in self.files)

    @property
    def replays(self) -> Counter[str]:
        return Counter(r["status"] for r in self.records)

    @property
    def is_good(self) -> bool:
        """True if a file was found, all files and archives open, no rules fail in play or make zrf_py fail, and every
        saved game replays to its end or belongs to an engine DLL."""
        kinds, replays = self.kinds, self.replays
        bad = kinds[BROKEN] + kinds[STUCK] + kinds[FAULT] + replays.total() - replays[WHOLE] - replays[FOREIGN_RECORD]
        return bool(self.files or self.records) and not (self.refused or bad)

    def of_file(self, file: Facts) -> list[Facts]:
        """Return the saved games of a rules file."""
        return [r for r in self.records if r["rules"] == file["name"]]

    def totals(self) -> dict[str, Any]:
        titles = [t for f in self.files for t in f.get("titles", ())]
        return {
            "files": len(self.files), **{kind: self.kinds[kind] for kind in WORDS},
            "games": sum(f.get("games", 0) for f in self.files), "random_games": len(titles),
            "ended": sum(bool(t["end"]) for t in titles), "plies": sum(t["plies"] for t in titles),
            "bitmaps_missing": sum(len(f["bitmaps"]["missing"]) for f in self.files if "bitmaps" in f),
            "sounds_missing": sum(len(f["sounds"]["missing"]) for f in self.files if "sounds" in f),
            "records": len(self.records), "records_whole": self.replays[WHOLE],
            "records_stopped": self.replays[STOPPED], "records_of_programs": self.replays[FOREIGN_RECORD],
            "archives_refused": len(self.refused),
        }

    def as_data(self) -> dict[str, Any]:
        """Return the report as JSON values, without its pictures."""
        return {
            "zrf": __version__, "places": list(self.places), "seconds": round(self.seconds, 1),
            "totals": self.totals(),
            "files": [{k: v for k, v in f.items() if k != "picture"} for f in self.files],
            "records": list(self.records),
            "refused": [{"name": name, "why": why} for name, why in self.refused],
        }


def sentence(report: Report) -> str:
    """Summarise the report in one line."""
    if not report.files and not report.records:
        return "there are no rules files (.zrf) and no saved games (.zsg)"
    total, kinds = report.totals(), report.kinds
    parts = [f"{kinds[kind]} {DO[kind]}" for kind in WORDS if kinds[kind]]
    counts = f"{number(total['files'], 'rules file')} ({number(total['games'], 'game')})"
    text = f"{counts}: {', '.join(parts)}" if parts else "no rules files"
    if total["records"]:
        text += f"; {number(total['records'], 'saved game')}: {counted(report.replays)}"
    return text
