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

The headers of a record identify its game, by the table `formats.json`, unless the caller passes the game.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote

from zrf_py.catalogue import folded
from zrf_py.front.decode import decode
from zrf_py.library import contents, find, shelf
from zrf_py.paths import base_name
from zrf_py.play.formats import kif, sgf, usi
from zrf_py.play.formats.conventions import Codec, Row, fits, row_of, shelf_rows
from zrf_py.play.formats.forsyth import Fen, Forsyth, Sfen
from zrf_py.play.formats.movetext import read_scores
from zrf_py.play.formats.pdn import OTHER_RESULTS, Pdn
from zrf_py.play.formats.pgn import RESULTS, Pgn
from zrf_py.play.formats.score import Played, Score, misread, played, to_saved
from zrf_py.play.game import Game, Position, load
from zrf_py.play.replay import replay
from zrf_py.play.zsg import SavedGame, encoded, read_game, rules_name, write_game
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import did_you_mean

SAVED = "zsg"
POSITIONS = ("fen", "sfen")
"""Formats of positions alone."""


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
    "pdn": Format((".pdn",), _PDN, Pdn, r'(?s).{0,4000}\[GameType\s+"', "\n"),
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


def games_in(path: str | Path) -> list[Callable[[Game | None], SavedGame]]:
    """For each game of a file, return a function that plays it by the rules of its argument, like `load_record`.

    :raises ZrfError: if the file can't be read, or holds no game.
    """
    return list(_scores(_text_in(Path(path)), Path(path).name))


def load_record(path: str | Path, game: Game | None = None, number: int = 1) -> SavedGame:
    """Read game `number` (from 1) of a file by the rules of `game`, or (None) by the first bundled rules that fit its
    headers and allow its moves.

    :raises ZrfError: if it can't be read, or a move isn't legal; the message names the line."""
    games = games_in(path)
    if not 1 <= number <= len(games):
        raise ZrfError(f"{Path(path).name} has no game {number}: the last one is {len(games)}", "no-such-game")
    return games[number - 1](game)


def load_records(path: str | Path, game: Game | None = None) -> Iterator[SavedGame]:
    """Like `load_record`, for all games of a file; an illegal move is an error when its game is reached."""
    return (read(game) for read in games_in(path))


def _text_in(path: Path) -> str:
    """Return the text of a file of records.

    :raises ZrfError: if it is not a regular file (a pipe would wait for a writer), or can't be read.
    """
    if path.exists() and not path.is_file():
        raise ZrfError(f"{path} is not a file", "not-a-file", help="`-` reads standard input")
    return text_of(contents(path, "saved game"))


def load_position(path: str | Path, game: Game) -> Position:
    """Return the position at the end of a record of a game, with its history.

    :raises ZrfError: if the record belongs to another variant, or a move is illegal.
    """
    return position_in(_text_in(Path(path)), str(path), game)


def position_in(text: str, path: str, game: Game) -> Position:
    """Like `load_position`, for the text of a record."""
    return position_after(read_record(text, base_name(path), game), path, game)


def position_after(saved: SavedGame, path: str, game: Game) -> Position:
    """Return the position at the end of a record, which was read from `path`.

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
    return next(_scores(text, name))(game)


def text_of(data: bytes) -> str:
    """Decode a record: UTF-8; else code page 932 if the text then begins like KIF; else like a rules file."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        japanese = data.decode("cp932", errors="replace")
        return japanese if re.match(FORMATS["kif"].begins, japanese) else decode(data)


def _scores(text: str, name: str) -> Iterator[Callable[[Game | None], SavedGame]]:
    """For each game of a text, yield a function that plays it.

    :raises ZrfError: if the text holds none.
    """
    kind = format_of(name, text)
    if kind == SAVED:
        yield lambda game: read_game(text, name)
        return
    scores = FORMATS[kind].parse(text, name)
    if not scores:
        raise ZrfError([Diagnostic("not-a-saved-game", f"{name} holds no game", None,
                                   help=f"it should hold {kind.upper()}: `zrf help convert` lists the formats")])
    for score in scores:
        yield lambda game, score=score: _saved(kind, score, name, game)  # type: ignore[misc]


def _saved(kind: str, score: Score, name: str, game: Game | None) -> SavedGame:
    """Play a score by the rules of `game`, or (None) by the first bundled rules that allow it; else raise an error."""
    if game:
        title = score.tags.get("Variant", "")
        if game.path and title != game.title and title in game.variants:
            game = load(game.path, title)
        return _played_by(kind, score, name, game, row_of(game))
    first: ZrfError | None = None
    for row in shelf_rows():
        if fits(row, kind, score.tags):
            try:
                return _played_by(kind, score, name, load(row["rules"], row["title"]), row)
            except ZrfError as error:
                first = first or error
    named = next((f"{key} `{score.tags[key]}`" for key in ("Variant", "GameType", "GM", kif.HANDICAP)
                  if key in score.tags), "this format")
    raise first or ZrfError([Diagnostic("other-game", f"{name}, line {score.line}: no bundled game has {named}", None,
                                        help="name the rules with `--rules`")])


def _played_by(kind: str, score: Score, name: str, game: Game, row: Row) -> SavedGame:
    codec = FORMATS[kind].codec(game, row)
    path = game.path or (find(row["rules"]) if "rules" in row else Path(f"{game.title}.zrf"))
    rules = rules_name(path, shelf().values())
    try:
        start = codec.start(score)
    except ZrfError as error:
        problem = error.diagnostics[0]
        raise ZrfError([Diagnostic(problem.code, f"{name}, line {score.line}: {problem.message}", None,
                                   help=problem.help)]) from None
    return to_saved(game, score, start, codec.read, name, rules)


def written(games: Sequence[tuple[Game, SavedGame]], kind: str, name: str) -> bytes:
    """Return the contents of a file of games in a format; `name` is their source, for messages.

    :raises ZrfError: if a game can't be expressed, or a file of this format can't hold several.
    """
    together = FORMATS[kind].together if kind in FORMATS else None
    if len(games) > 1 and together is None:
        raise ZrfError(f"{name} holds {len(games)} games, but a file of the format {kind} holds only one", "usage",
                       help="choose one with `--number`, or name a folder")
    if kind == SAVED:
        return encoded(write_game(games[0][1]))
    texts = []
    for count, (game, saved) in enumerate(games, 1):
        source = f"{name}, game {count}," if len(games) > 1 else name
        texts.append(_written(game, played(game, saved, name), kind, source))
    return (together or "").join(texts).encode()


def _written(game: Game, record: Played, kind: str, source: str) -> str:
    """Write a game, check that the text reads back as the same game (in formats of positions: as its last position),
    and return the text.

    :raises ZrfError: if the format can't express a move or the position; the message names it.
    """
    codec = FORMATS[kind].codec(game, row_of(game))
    text = codec.write(record)
    if kind in POSITIONS:
        record = Played(record.end, True, [], {})
    try:
        [score] = FORMATS[kind].parse(text, source)
        part = misread(game, score, codec.start(score), codec.read, record, isinstance(codec, Forsyth))
    except ZrfError:
        part = "the start position"
    if part:
        raise ZrfError([Diagnostic("no-such-format", f"{source} can't be written as {kind}: {part} would be "
                                   "different after reading it back", None, help="`--to zsg` writes any game")])
    return text
