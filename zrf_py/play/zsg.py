"""Saved games in the text format of Zillions (ZSG): reader and writer; Zillions opens the files written here.

    Zillions Save Game File Version 0.02 HC
    RulesFile=Checker Games.zrf
    VariantName=Turkish Dama
    (x b6)
    1. Checker a3 - a4
    1. Checker a6 - a5
    2. partial 2 Checker c3 - c5 x c4

    ; 2 Checker b3 - b4

`H` (human) and `C` (computer) are the controllers of the players with turns. Lines in parentheses are edits of the
board, before or between moves. A move has the number of its round; a new round begins whenever the turn order reaches
the turn after `repeat`, even the first time.

Lines with a semicolon are an extension for variations: `; N MOVE` is a move played after entry N (entries are numbered
from 1, and these lines continue the numbers); `; [White "N. N."]` is a header from a record of another format,
`; [Players "human,ai:3"]` names controllers. These lines follow the game; whether Zillions ignores them is untested.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from pathlib import Path

from zrf_py.archives import on_disk, rules_in
from zrf_py.front.decode import decode
from zrf_py.paths import PLACES, base_name, below, parts_of, replace_file, same_name
from zrf_py.play.game import Position
from zrf_py.text.diagnostics import Diagnostic, ZrfError, writing_result
from zrf_py.text.numbers import whole_number

HEADER = "Zillions Save Game File Version 0.02"
ENCODING = "cp1252"
_MOVE = re.compile(r"(\d+)\s*\.\s*(.*)")
_VARIATION = re.compile(r";\s*(\d{1,9})\s+(\S.*)")
_TAG = re.compile(r';\s*\[(\w+)\s+"(.*)"\]')
SEATS = "Players"
MAX_PARENTS = 6
"""Number of parent folders of a saved game in which its rules file is searched for."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of the board: `text` is its line, including the parentheses."""

    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Ply:
    """A recorded move or leg; `round` counts from 1, `line` is its line in the file."""

    round: int
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A parsed saved game; `players` has a letter for each player with turns, such as "HC"."""

    rules_file: str
    variant: str
    players: str
    entries: tuple[Edit | Ply, ...]
    variations: tuple[tuple[int, str], ...] = ()
    """Moves of variations, as (number of the entry or variation it follows, text); numbers go on after the entries."""
    tags: tuple[tuple[str, str], ...] = ()
    """Headers from records of other formats, as (name, value)."""

    @property
    def plies(self) -> int:
        return sum(isinstance(e, Ply) for e in self.entries)

    def seats(self) -> list[str]:
        """Return the controllers of the players with turns, [] if unknown; a computer without a name is ai:5."""
        named = [*dict(self.tags).get(SEATS, "").split(","), *self.players][: len(self.players)]
        return ["human" if c == "H" else "ai:5" if n in "HC" else n for c, n in zip(self.players, named, strict=True)]


def read_game(text: str, name: str = "the saved game") -> SavedGame:
    """Parse the text of a saved game; messages call it `name`. Unknown lines are ignored.

    :raises ZrfError: if it isn't a saved game, or names no rules file.
    """
    lines = text.lstrip("\ufeff").splitlines()
    first = lines[0].strip() if lines else ""
    if not first.lower().startswith("zillions save game"):
        raise ZrfError([Diagnostic("not-a-saved-game", f"{name} is not a saved game", None,
                                   help=f"its first line should be `{HEADER} HC`")])
    words = first.split()
    facts = {"rulesfile": "", "variantname": ""}
    entries: list[Edit | Ply] = []
    variations: list[tuple[int, str]] = []
    tags: list[tuple[str, str]] = []
    for number, line in enumerate(lines[1:], 2):
        line = line.strip(" \t\x1a\0")
        key, equals, value = line.partition("=")
        if equals and key.strip().lower() in facts and not entries:
            facts[key.strip().lower()] = value.strip()
        elif line.startswith("("):
            entries.append(Edit(" ".join(line.split()), number))
        elif match := _MOVE.fullmatch(line):
            entries.append(Ply(whole_number(match[1]), " ".join(match[2].split()), number))
        elif match := _VARIATION.fullmatch(line):
            variations.append((int(match[1]), " ".join(match[2].split())))
        elif match := _TAG.fullmatch(line):
            tags.append((match[1], match[2]))
    if not facts["rulesfile"]:
        raise ZrfError([Diagnostic("not-a-saved-game", f"{name} does not name its rules file", None,
                                   help="its second line should be `RulesFile=game.zrf`")])
    letters = words[-1] if len(words) > 1 and set(words[-1]) <= {"H", "C"} else ""
    return SavedGame(facts["rulesfile"], facts["variantname"], letters, tuple(entries), tuple(variations), tuple(tags))


def encoded(text: str) -> bytes:
    """Encode a saved game: as Windows-1252, or as UTF-8 with a byte order mark if names need it."""
    western, wide = text.encode(ENCODING, errors="replace"), text.encode("utf-8-sig", errors="replace")
    return western if decode(western) == decode(wide) else wide


def write_game(saved: SavedGame) -> str:
    """Write the text of a saved game, with CR LF line ends."""
    lines = [f"{HEADER} {saved.players}".rstrip(), f"RulesFile={saved.rules_file}", f"VariantName={saved.variant}"]
    lines += [e.text if isinstance(e, Edit) else f"{e.round}. {e.text}" for e in saved.entries]
    lines += [f"; {parent} {text}" for parent, text in saved.variations]
    lines += [f'; [{name} "{" ".join(value.split())}"]' for name, value in saved.tags]
    return "\r\n".join(lines) + "\r\n"


def record(position: Position, rules_file: str, controllers: Sequence[str]) -> SavedGame:
    """Return the game that led to a position; each controller is "H", "C", "human" or a computer player."""
    game = position.game.program.game
    entries: list[Edit | Ply] = []
    line = list(position.line())[::-1]
    number = 1
    for after in line[1:]:
        if after.move is None:
            entries.append(Edit(after.change))
            continue
        entries.append(Ply(number, after.move.text))
        if after.state.chain is None and after.state.turn == game.repeat:
            number += 1
    tags = ((SEATS, ",".join(controllers)),) if {*controllers} - {"H", "C", "human", "ai:5"} else ()
    letters = "".join("H" if name in ("H", "human") else "C" for name in controllers)
    return SavedGame(rules_file, " ".join(game.title.replace("`", '"').split()), letters, tuple(entries), tags=tags)


def save_game(path: str | Path, saved: SavedGame) -> None:
    """Write a saved game; an existing file is replaced atomically.

    :raises ZrfError: if it can't be written.
    """
    path = Path(path)
    with writing_result(path):
        replace_file(path, encoded(write_game(saved)))


def rules_name(path: Path, shelf: Iterable[Path]) -> str:
    """Return a rules file's name for a saved game, with its folder before it if the name alone finds another file."""
    named = next(_of_name(shelf, (path.name,)), path)
    return path.name if path == named or path not in shelf else f"{path.parent.name}\\{path.name}"


def _of_name(paths: Iterable[Path], parts: tuple[str, ...], near: Path = Path()) -> Iterator[Path]:
    """Yield the files named like the last of `parts` (in any case): first those in folders named like the others, then
    those that share more folders with `near`, then by depth."""
    steps = [part.casefold() for part in parts if part not in (".", "..")]

    def rank(path: Path) -> tuple[bool, int, int]:
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(path.resolve().parts, near.parts, strict=False))
        return [part.casefold() for part in path.parts[-len(steps) :]] != steps, -len(list(shared)), len(path.parts)

    return iter(sorted((path for path in paths if path.name.casefold() == parts[-1].casefold()), key=rank))


def _within(folder: Path | None, parts: tuple[str, ...], near: Path) -> Iterator[Path | None]:
    """Yield the files of a name in a folder (None: nowhere), its subfolders and archives there; see `_of_name`."""
    if folder:
        yield from _of_name(below(folder), parts, near)
        yield same_name(folder, parts)
        yield from map(on_disk, _of_name((path for path, _ in rules_in(folder)), parts, near))


def find_rules(saved: SavedGame, beside: Path, shelf: Iterable[Path] = (), given: Path | None = None,
               root: Path | None = None, instead: str = "") -> Path:
    """Find the rules file of a saved game, ignoring case; the help of the error shows the command `instead`, if given.

    The search covers the folder `given` by the user, if any, then `PLACES`; `beside` is the folder of the saved game,
    and `root` the folder or archive that is read, if any.

    :raises ZrfError: if there is none.
    """
    name = base_name(saved.rules_file)
    parts = parts_of(saved.rules_file) or (name,)
    near = beside.resolve()
    tries: Iterator[Path | None] = chain(
        _within(given, parts, near),
        (same_name(beside, parts), same_name(near, (name,))),
        _within(root, parts, near),
        (same_name(place, steps) for place in [*near.parents][:MAX_PARENTS] for steps in ((name,), parts)),
        _of_name(shelf, parts))
    for path in tries:
        if name and path is not None and path.is_file():
            return path
    raise ZrfError([Diagnostic(
        "missing-rules", f"the rules file `{saved.rules_file}` of the saved game is missing", None,
        notes=(f"searched: {f'{given}, ' if given else ''}{PLACES}",),
        help=f"name it: `{instead}`" if instead else "give its path, or its folder, with `--rules`")])
