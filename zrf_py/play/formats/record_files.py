"""Reading and writing of files of games and positions in any format. All records are opened here.

| format | ends in | games |
|---|---|---|
| `zsg` | .zsg | any: saved games, as `play/zsg.py` describes them |
| `pgn` | .pgn | the chess family: games in standard algebraic notation |
| `fen` | .fen, .epd | the chess family: positions, one per line |
| `usi` | .usi | the shogi family: games, one per line |
| `sfen` | .sfen | the shogi family: positions, one per line |
| `kif` | .kif, .kifu | the shogi family: a game |
| `pdn` | .pdn | the draughts family |
| `sgf` | .sgf | games of placing pieces |

The headers of a record identify its game, by the table `formats.json` or by its title in the header `Variant`, unless
the caller passes the game.
"""

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from shlex import quote

from zrf_py.archives import rules_in
from zrf_py.catalogue import folded
from zrf_py.front.decode import decode
from zrf_py.library import contents, find, shelf
from zrf_py.play.formats import kif, sgf, usi
from zrf_py.play.formats.conventions import Codec, fits, row_of, rows_for, shelf_rows
from zrf_py.play.formats.forsyth import Fen, Forsyth, Sfen
from zrf_py.play.formats.movetext import read_scores
from zrf_py.play.formats.pdn import OTHER_RESULTS, Pdn
from zrf_py.play.formats.pgn import RESULTS, Pgn
from zrf_py.play.formats.score import Played, Score, followed, misread, played, to_saved
from zrf_py.play.game import Game, Position, load
from zrf_py.play.labels import read_label
from zrf_py.play.replay import replay
from zrf_py.play.zsg import SavedGame, encoded, read_game, rules_name, write_game
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import did_you_mean

SAVED = "zsg"
POSITIONS = ("fen", "sfen")
"""Formats of positions alone."""
Rules = Game | Path | None
"""Rules of a record in another format: a game; or (None) the first bundled rules that fit its headers and allow its
moves; or a folder whose rules are tried before those. A saved game names its rules itself."""


def _positions(text: str, name: str, header: str) -> list[Score]:
    """Parse a text with a position on each line; comments begin with `#` or `;`."""
    lines = (line.partition(";")[0].partition("#")[0].strip() for line in text.lstrip("\ufeff").splitlines())
    return [Score({header: line.removeprefix("sfen ")}, [], number) for number, line in enumerate(lines, 1) if line]


@dataclass(frozen=True)
class Format:
    """A format: endings of its files, its parser, its codec, a pattern that matches the beginning of its texts, and the
    text between games in one file (None: a file holds one game)."""

    endings: tuple[str, ...]
    parse: Callable[[str, str], list[Score]]
    codec: type[Codec]
    begins: str
    together: str | None = ""


_PGN, _PDN = (partial(read_scores, results=results) for results in (RESULTS, (*RESULTS, *OTHER_RESULTS)))
FORMATS = {
    "sgf": Format((".sgf",), sgf.read, sgf.Sgf, r"\s*\(\s*;"),
    "kif": Format((".kif", ".kifu"), kif.read, kif.Kif, r"(?s).{0,2000}(手合割|手数-|の持駒)", None),
    "pdn": Format((".pdn",), _PDN, Pdn, r'(?s).{0,4000}(\[GameType\s+"|\s1\.\s*\d+[-x]\d+\s)', "\n"),
    "pgn": Format((".pgn",), _PGN, Pgn, r'\s*(%[^\n]*\n)*\s*\[\w+\s+"|\s*1\.\s*\w', "\n"),
    "usi": Format((".usi",), usi.read, usi.Usi, r"(\s*#[^\n]*\n)*\s*(position|startpos)\b|\s*sfen\s.*\smoves\s"),
    "sfen": Format((".sfen",), partial(_positions, header="SFEN"), Sfen,
                   r"\s*(sfen\s)?\s*([\w+]+/)+[\w+]+ [bw] (-|\w+) \d+\s"),
    "fen": Format((".fen", ".epd"), partial(_positions, header="FEN"), Fen, r"\s*([\w+~]+/)+[\w+~\[\]]+ [wbr]\b"),
}


def format_of(path: str | Path, text: str = "") -> str:
    """Return the format of a file by its ending, else by its text; `zsg` if it is none of `FORMATS`."""
    ending = Path(path).suffix.lower()
    by_ending = next((name for name, format in FORMATS.items() if ending in format.endings), "")
    by_text = (name for name, format in FORMATS.items() if re.match(format.begins, text)) if ending != ".zsg" else ()
    return by_ending or next(iter(by_text), SAVED)


def wanted_format(name: str) -> str:
    """Return the format that the user has chosen by its name or by a file ending.

    :raises ZrfError: if there is none.
    """
    word = name.lower().removeprefix(".")
    match = next((key for key, format in FORMATS.items() if word == key or f".{word}" in format.endings), "")
    if not match and word != SAVED:
        raise ZrfError(f"there is no format `{name}`", "no-such-format", help=did_you_mean(
            word, [SAVED, *FORMATS], f"the formats are {', '.join([SAVED, *FORMATS])}"))
    return match or SAVED


def games_in(path: str | Path, name: str = "") -> list[tuple[str, Callable[[Rules], SavedGame]]]:
    """For each game of a file, return (`name`, with the number of the game if there are several; a function that plays
    the game by the rules of its argument, like `load_record`).

    :raises ZrfError: if it is not a regular file (a pipe would wait for a writer), can't be read, or holds no game.
    """
    place = Path(path)
    if place.exists() and not place.is_file():
        raise ZrfError(f"{path} is not a file", "not-a-file", help="`-` reads standard input")
    games = _scores(text_of(contents(place, "saved game")), place.name)
    return [(f"{name}, game {count}" if len(games) > 1 else name, read) for count, read in enumerate(games, 1)]


def load_record(path: str | Path, rules: Rules = None) -> SavedGame:
    """Read the first game of a file.

    :raises ZrfError: if it can't be read, or a move isn't legal; the message names the line."""
    return games_in(path)[0][1](rules)


def position_after(saved: SavedGame, path: str, game: Game) -> Position:
    """Return the position at the end of a record, which was read from `path`, with its history.

    :raises ZrfError: if the record belongs to another variant, or a move is illegal.
    """
    if saved.variant and folded(saved.variant) != folded(game.title):
        raise ZrfError(f"{path} is a game of `{saved.variant}`, not of `{game.title}`", "other-game",
                       help=f"`zrf play --load {quote(path)}` starts the right game")
    result = replay(game, saved)
    if result.stop:
        raise ZrfError([Diagnostic(
            "bad-record", f"{path}, line {result.stop.entry.line}: {result.stop.reason}", None,
            notes=(f"recorded: {result.stop.entry.text}",), help=f"`zrf replay {quote(path)}` shows the board there")])
    return result.position


def is_record(text: str, path: str | Path) -> bool:
    """Return True if a text is a record, judging by its beginning and the ending of its file."""
    return format_of(path, text) != SAVED or text.lstrip("\ufeff")[:18].lower() == "zillions save game"


def read_record(text: str, name: str = "the saved game", game: Game | None = None) -> SavedGame:
    """Parse the first game of a record by the rules of `game` (None: of a bundled game); raise ZrfError if none fit."""
    return _scores(text, name)[0](game)


def text_of(data: bytes) -> str:
    """Decode a record: UTF-8; else code page 932 if the text then begins like KIF; else like a rules file."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        japanese = data.decode("cp932", errors="replace")
        return japanese if re.match(FORMATS["kif"].begins, japanese) else decode(data)


def _scores(text: str, name: str) -> list[Callable[[Rules], SavedGame]]:
    """For each game of a text, return a function that plays it.

    :raises ZrfError: if the text holds none.
    """
    kind = format_of(name, text)
    if kind == SAVED:
        return [lambda rules: read_game(text, name)]
    scores = FORMATS[kind].parse(text, name)
    if not scores:
        raise ZrfError([Diagnostic("not-a-saved-game", f"{name} holds no game", None,
                                   help=f"it should hold {kind.upper()}: `zrf help convert` lists the formats")])
    return [partial(_saved, kind, score, name) for score in scores]


def _saved(kind: str, score: Score, name: str, rules: Rules) -> SavedGame:
    """Play a score by the `rules`, or by the first of several that allow it; else raise an error."""
    title = score.tags.get("Variant", "")
    if isinstance(rules, Game):
        if rules.path and title != rules.title and title in rules.variants:
            rules = load(rules.path, title)
        return _played_by(kind, score, name, rules)
    titles = {folded(title), *(folded(row["title"]) for row in rows_for(rules) if fits(row, kind, score.tags))}
    inside = _titles_in(rules) if rules else {}
    choices = [(path, own) for path, every in inside.items() for own in every if folded(own) in titles]
    first: ZrfError | None = None
    for path, own in [*choices, *((row["rules"], row["title"]) for row in shelf_rows() if fits(row, kind, score.tags))]:
        try:
            return _played_by(kind, score, name, load(path, own), inside)
        except ZrfError as error:
            first = first or error
    named = next((f"{key} `{score.tags[key]}`" for key in ("Variant", "GameType", "GM", kif.HANDICAP)
                  if key in score.tags), "this format")
    place = f"no game in {rules} and " if rules else ""
    raise first or ZrfError(f"{name}, line {score.line}: {place}no bundled game has {named}", "other-game",
                            help="name the rules file with `--rules`, and a variant with `--variant`")


@cache
def _titles_in(folder: Path) -> dict[Path, tuple[str, ...]]:
    """Return the titles in each readable rules file of a folder, its subfolders, and archives there."""
    titles: dict[Path, tuple[str, ...]] = {}
    for path, problems in rules_in(folder):
        with suppress(ZrfError):
            titles |= {} if problems else {path: read_label(path).titles}
    return titles


def _played_by(kind: str, score: Score, name: str, game: Game, inside: Collection[Path] = ()) -> SavedGame:
    row = row_of(game)
    codec = FORMATS[kind].codec(game, row)
    path = game.path or (find(row["rules"]) if "rules" in row else Path(f"{game.title}.zrf"))
    rules = rules_name(path, inside if path in inside else shelf().values())
    try:
        start = codec.start(score)
    except ZrfError as error:
        problem = error.diagnostics[0]
        raise ZrfError([Diagnostic(problem.code, f"{name}, line {score.line}: {problem.message}", None,
                                   help=problem.help)]) from None
    return to_saved(game, score, start, codec.read, name, rules)


def written(game: Game, saved: SavedGame, kind: str, name: str) -> bytes:
    """Return the contents of a file with one game; messages call it `name`. Every move must be legal. In other formats
    than that of saved games, the text must read back as the same game (in formats of positions: as its last position).

    :raises ZrfError: if the format can't express a move or the position; the message names it.
    """
    if kind == SAVED:
        followed(game, saved, name)
        return encoded(write_game(saved))
    record = played(game, saved, name)
    codec = FORMATS[kind].codec(game, row_of(game))
    text = codec.write(record)
    if kind in POSITIONS:
        record = Played(record.end, True, [], {})
    try:
        [score] = FORMATS[kind].parse(text, name)
        part = misread(game, score, codec.start(score), codec.read, record, isinstance(codec, Forsyth))
    except ZrfError:
        part = "the start position"
    if part:
        raise ZrfError([Diagnostic("no-such-format", f"{name} can't be written as {kind}: {part} would be "
                                   "different after reading it back", None, help="`--to zsg` writes any game")])
    return text.encode()
