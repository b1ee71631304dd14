"""Saved games in the original program's text form: read, and written so that it opens there too.

    Zillions Save Game File Version 0.02 HC
    RulesFile=Checker Games.zrf
    VariantName=Turkish Dama
    (x b6)
    1. Checker a3 - a4
    1. Checker a6 - a5
    2. partial 2 Checker c3 - c5 x c4

`H` and `C` say who is a human and who the computer, a letter for each player that has turns. Lines in parentheses
change the board, before or between moves. A move's number counts the rounds of the turn order: a new one begins
with the turn after `repeat`, also the first time.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from zrf_py.play.game import Position
from zrf_py.text.diagnostics import Diagnostic, ZrfError

HEADER = "Zillions Save Game File Version 0.02"
ENCODING = "cp1252"
_MOVE = re.compile(r"(\d+)\s*\.\s*(.*)")
MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the board, in parentheses."""

    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Ply:
    """A move or leg as it was recorded; `round` counts from 1."""

    round: int
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class SavedGame:
    """What a saved game says; `players` has a letter for each player, such as "HC"."""

    rules_file: str
    variant: str
    players: str
    entries: tuple[Edit | Ply, ...]

    @property
    def plies(self) -> int:
        return sum(isinstance(e, Ply) for e in self.entries)


def read_game(text: str, name: str = "the saved game") -> SavedGame:
    """
    Read the text of a saved game.

    :raises ZrfError: if it isn't one.
    """
    lines = text.lstrip("\ufeff").splitlines()
    first = lines[0].strip() if lines else ""
    if not first.lower().startswith("zillions save game"):
        raise ZrfError([Diagnostic("not-a-saved-game", f"{name} is not a saved game", None,
                                   help=f"its first line should be `{HEADER} HC`")])
    words = first.split()
    facts = {"rulesfile": "", "variantname": ""}
    entries: list[Edit | Ply] = []
    for number, line in enumerate(lines[1:], 2):
        line = line.strip(" \t\x1a\0")
        key, equals, value = line.partition("=")
        if equals and key.strip().lower() in facts and not entries:
            facts[key.strip().lower()] = value.strip()
        elif line.startswith("("):
            entries.append(Edit(" ".join(line.split()), number))
        elif found := _MOVE.fullmatch(line):
            entries.append(Ply(int(found[1]), " ".join(found[2].split()), number))
    if not facts["rulesfile"]:
        raise ZrfError([Diagnostic("not-a-saved-game", f"{name} does not name its rules file", None,
                                   help="its second line should be `RulesFile=game.zrf`")])
    letters = words[-1] if len(words) > 1 and set(words[-1]) <= {"H", "C"} else ""
    return SavedGame(facts["rulesfile"], facts["variantname"], letters, tuple(entries))


def write_game(saved: SavedGame) -> str:
    """The text of a saved game, with the line ends of the original."""
    lines = [f"{HEADER} {saved.players}".rstrip(), f"RulesFile={saved.rules_file}", f"VariantName={saved.variant}"]
    lines += [e.text if isinstance(e, Edit) else f"{e.round}. {e.text}" for e in saved.entries]
    return "\r\n".join(lines) + "\r\n"


def record(position: Position, rules_file: str, controllers: str) -> SavedGame:
    """The game that led to a position, as it is saved."""
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
    return SavedGame(rules_file, game.title.replace("`", '"'), controllers, tuple(entries))


# --------------------------------------------------------------------------------------------------------------- files


def load_game(path: str | Path) -> SavedGame:
    """
    Read a saved game from disk.

    :raises ZrfError: if it can't be read or isn't one.
    """
    path = Path(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ZrfError(f"{path} is too large for a saved game", "too-large")
        data = path.read_bytes()
    except OSError as error:
        raise ZrfError(f"{path} can't be read: {error.strerror or error}", "unreadable") from None
    return read_game(data.decode(ENCODING, errors="replace"), path.name)


def save_game(path: str | Path, saved: SavedGame) -> None:
    """
    Write a saved game; an existing file is replaced at once or not at all.

    :raises ZrfError: if it can't be written.
    """
    path = Path(path)
    try:
        replace_file(path, write_game(saved).encode(ENCODING, errors="replace"))
    except OSError as error:
        raise ZrfError(f"{path} can't be written: {error.strerror or error}", "unwritable") from None


def replace_file(path: Path, data: bytes) -> None:
    """Write beside the file, then put the new one in its place."""
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)  # with the usual permissions
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def find_rules(saved: SavedGame, beside: Path, shelf: Iterable[Path] = ()) -> Path:
    """
    The rules file of a saved game: near the saved game, whatever its capitals, or on the shelf.

    :raises ZrfError: if there is none.
    """
    wanted = saved.rules_file.replace("\\", "/").rsplit("/", 1)[-1].casefold()
    folders = [beside, *list(beside.resolve().parents)[:1]]
    for folder in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.name.casefold() == wanted and path.is_file():
                return path
    for path in shelf:
        if path.name.casefold() == wanted:
            return path
    raise ZrfError([Diagnostic("missing-rules", f"the rules file `{saved.rules_file}` of the saved game is missing",
                               None, help="put it beside the saved game, or name it with `--rules FILE`")])
