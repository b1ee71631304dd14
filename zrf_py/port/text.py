"""The report as lines for a terminal: a table of the files, the problems, a note on rules in engine DLLs."""

from collections.abc import Iterator

from zrf_py.port.look import PLIES, SECONDS, Facts
from zrf_py.port.records import FOREIGN, WHOLE
from zrf_py.port.report import WORDS, Report
from zrf_py.text.numbers import number
from zrf_py.text.source import harmless

Row = tuple[str, str, str, str, str, str, str]
HEADINGS: Row = ("File", "", "Games", "Random games", "Saved", "Missing", "Seconds")


def rows(report: Report) -> Iterator[Row]:
    """Yield a row for each rules file."""
    for file in report.files:
        titles = file.get("titles", [])
        saved = report.of_file(file)
        complete = sum(r["status"] == WHOLE for r in saved)
        missing = [f"{word}: {len(file[word]['missing'])}" for word in ("bitmaps", "sounds")
                   if file.get(word, {}).get("missing")]
        seconds = file.get("seconds", 0) + sum(t["seconds"] for t in titles)
        yield (harmless(file["name"]), WORDS[file["status"]], str(file.get("games", "")),
               random_games(titles) if titles and file["status"] != FOREIGN else "",
               f"{complete} of {len(saved)}" if saved else "",
               ", ".join(missing), f"{seconds:.1f}")


def random_games(titles: list[Facts]) -> str:
    """Return a phrase with the numbers of random games that ended, and of those cut off at a limit of moves or time."""
    cut = [t["plies"] for t in titles if t["moves"] and not t["end"] and not t["fault"]]
    ended = f"{sum(bool(t['end']) for t in titles)} of {len(titles)} end"
    return f"{ended}, {len(cut)} {cut_off(cut)}" if cut else ended


def cut_off(plies: list[int]) -> str:
    """Return at which limits random games of these lengths were cut off: `cut off after 9 to 20 moves (4 s each)`."""
    least, most = min(plies), max(plies)
    moves = number(most, "move") if least == most else f"{least} to {number(most, 'move')}"
    reason = "" if least >= PLIES else f" ({SECONDS:g} s each)" if most < PLIES else f" (or after {SECONDS:g} s)"
    return f"cut off after {moves}{reason}"


def problems(report: Report) -> Iterator[str]:
    """Yield the problems of archives, rules files and saved games, one per line."""
    yield from map(harmless, _problems(report))


def _problems(report: Report) -> Iterator[str]:
    for name, why in report.refused:
        yield f"{name}: can't be opened: {why}"
    for file in report.files:
        yield from file_problems(file)
    for record in report.records:
        if record["status"] not in (WHOLE, FOREIGN):
            far = f"after {record['plies']} of {record['of']} moves, " if record["plies"] else ""
            yield f"{record['name']}: {far}{record['why']}"


def file_problems(file: Facts) -> Iterator[str]:
    """Yield the problems of a rules file, one per line."""
    base = file["name"].rsplit("/", 1)[-1]
    for error in file.get("errors", ()):  # most begin with the name of the file, without its folder
        yield file["name"].removesuffix(base) + error if error.startswith(f"{base}:") else f"{file['name']}: {error}"
    if file.get("more"):
        yield f"{file['name']}: and {number(file['more'], 'more error')}"
    if file.get("broken_games") and file.get("games"):
        yield f"{file['name']}: because of these errors, these games can't be played: {', '.join(file['broken_games'])}"
    for title in file.get("titles", ()):
        if title["fault"]:
            yield f"{file['name']}: {title['title']}: {title['fault']}"


def foreign_line(report: Report) -> str:
    """Return a note on the files whose rules are in an engine DLL; "" if there are none."""
    names = [f["name"].rsplit("/", 1)[-1] for f in report.files if f["status"] == "program"]
    if not names:
        return ""
    return (f"No piece has moves in {len(names)} of the files: their rules are in an engine DLL, which zrf never runs, "
            f"so their boards can be viewed but not played: {harmless(', '.join(dict.fromkeys(names)))}.")
