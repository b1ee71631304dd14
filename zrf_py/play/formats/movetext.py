"""Parser and writer of PGN and PDN text: headers, moves, comments, variations.

    [White "Someone"]
    [Result "1-0"]

    1. e4 {a comment} e5 (1... c5 2. Nf3 $1) 2. Nf3 Nc6 1-0
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from zrf_py.play.formats.score import Played, PlayedTurn, Score, ScoreMove, unreadable

WIDTH = 79
"""Maximum number of characters of a line."""
UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
"""Headers that every record has, and their values if unknown."""
LAST = ("Result", "SetUp", "FEN", "Variant", "GameType")
"""Headers that are written from the game, not copied."""
_TOKEN = re.compile(
    r'(?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\])'
    r"|(?P<comment>\{[^}]*\}|;[^\n]*|^%[^\n]*)|(?P<open>\()|(?P<close>\))|\$\d+|<[^>]*>"
    r"|(?P<bad>[{\[])|(?P<number>\d+\s*\.+)(?!\d*\])|(?P<word>[^\s(){};$]+)|\s+", re.M)


@dataclass(frozen=True)
class _Reading:
    """A score being read: `lines` holds the main line and the variations that are open, the innermost last."""

    score: Score
    lines: list[list[ScoreMove]]


def read_scores(text: str, name: str, results: Collection[str]) -> list[Score]:
    """Parse a text of one or more games; `results` are the words that end a game.

    :raises ZrfError: if brackets don't match, or a variation begins before any move.
    """
    text = text.lstrip("\ufeff").replace("\r\n", "\n")
    scores: list[Score] = []
    reading: _Reading | None = None
    line, at = 1, 0
    while match := _TOKEN.match(text, at):
        kind = match.lastgroup if match.lastgroup not in ("name", "value") else "tag"
        if reading and kind == "tag" and reading.score.moves:  # the previous game ends without a result
            _end(reading, name, line)
            reading = None
        if reading is None and kind not in (None, "comment"):
            scores.append(Score({}, [], line))
            reading = _Reading(scores[-1], [scores[-1].moves])
        if reading and kind == "word" and match["word"] in results and len(reading.lines) == 1:
            reading.score.tags.setdefault("Result", match["word"])
            reading = None
        elif reading and kind not in (None, "number"):
            _take(reading, match, name, line, results)
        line += match[0].count("\n")
        at = match.end()
    if reading:
        _end(reading, name, line)
    return scores


def _take(reading: _Reading, match: re.Match[str], name: str, line: int, results: Collection[str]) -> None:
    """Add a token to the game that is being read."""
    lines = reading.lines
    if match["tag"]:
        reading.score.tags[match["name"]] = re.sub(r"\\(.)", r"\1", match["value"])
    elif match["comment"]:
        pass
    elif match["open"]:
        if not lines[-1]:
            raise unreadable(name, line, "a variation begins before any move", "write it after the move it replaces")
        lines.append([])
        lines[-2][-1].variations.append(lines[-1])
    elif match["close"]:
        if len(lines) == 1:
            raise unreadable(name, line, "`)` closes no variation", "remove it")
        lines.pop()
    elif match["bad"]:
        raise unreadable(name, line, f"`{match['bad']}` is not closed", "close it")
    elif (word := match["word"].rstrip("!?")) and word not in (*results, "e.p.", "ep", "+", "#", "+/-", "-/+", "="):
        lines[-1].append(ScoreMove(word, line))


def _end(reading: _Reading, name: str, line: int) -> None:
    if len(reading.lines) > 1:
        raise unreadable(name, line, "a variation is not closed at the end of the game", "add `)`")


def write_score(
    game: Played, tags: dict[str, str], write: Callable[[PlayedTurn], str], mover: Callable[[PlayedTurn], int],
    number: int,
) -> str:
    """Write a game: headers, a blank line, moves.

    :param tags: headers in order, among them Result.
    :param mover: returns the player of a turn, 0 or 1; a turn of player 0 begins a new move number.
    :param number: number of the first move.
    """
    heads = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    lines = [""]
    for token in (*_tokens(game.turns, write, mover, number), tags["Result"]):
        if len(lines[-1]) + len(token) >= WIDTH:
            lines.append("")
        lines[-1] += f" {token}" if lines[-1] else token
    return "\n".join([*heads, "", *lines]) + "\n"


def _tokens(
    turns: list[PlayedTurn], write: Callable[[PlayedTurn], str], mover: Callable[[PlayedTurn], int], number: int,
) -> Iterator[str]:
    is_next = False
    for turn in turns:
        second = mover(turn)
        if not second or not is_next:
            yield f"{number}{'...' if second else '.'}"
        yield write(turn)
        for line in turn.instead:
            first, *rest = [*_tokens(line, write, mover, number)]
            yield f"({first}"
            yield from rest[:-1]
            yield f"{rest[-1]})"
        is_next = not second and not turn.instead
        number += second


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
