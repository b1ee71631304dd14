"""Slow requests of the rules editor about a text, answered in JSON in the same way by every host.

A host runs `answer` where it may take long: a server in a process with a deadline of `SECONDS`, a browser in a
worker that it may restart.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from zrf_py.author.draft import Draft
from zrf_py.author.tests.pages import is_drawn
from zrf_py.front.decode import decode
from zrf_py.library import contents
from zrf_py.play.engines import make_engine
from zrf_py.play.game import Game, Position
from zrf_py.text.diagnostics import ZrfError

MAX_PLIES = 4_000
LISTED = 200
"""Maximum number of legal moves that a test lists; if there are more, it states only their number."""


def reached(game: Game, record: Sequence[str]) -> Position:
    """Return the position after a record: moves, or edits of the board in parentheses, in the notation of saved games.

    :raises ZrfError: if a move is not legal, or an edit not valid.
    """
    position = game.start()
    for text in record[:MAX_PLIES]:
        position = position.edited(text) if text.startswith("(") else position.play(text)
    return position


def remembered(game: Game, record: Sequence[str], last: bool = False) -> str:
    """Return a block of tests about the position after a record: its result, or its legal moves.

    Only the number of moves is tested if there are more than `LISTED`, or if one could be read as a row of a drawn
    board. With `last` the block tests the last move instead: that it is legal, and where it puts pieces.

    :raises ZrfError: if a move is not legal, or there is none for `last`.
    """
    if last and (not record or record[-1].startswith("(")):
        raise ZrfError("no move has been played here", "no-such-move", help="play one, or test the position")
    position = reached(game, record)
    lines = [f"variant: {game.title}"] if len(game.variants) > 1 else []
    if last and position.previous:
        before = position.previous
        lines += [f"position: {before.text}", f"play: {record[-1]}"]
        then, now = before.pieces(), position.pieces()
        lines += [f"has: {square} {' '.join(man)}" for square, man in now.items() if then.get(square) != man]
    else:
        lines += [f"position: {position.text}", *_expected(position)]
    return "\n".join(["```moves", *lines, "```", ""])


def _expected(position: Position) -> list[str]:
    """Return the lines that state the result, or the legal moves."""
    if outcome := position.outcome():
        return [f"outcome: {replace(outcome, _end=None)}"]
    texts = sorted({re.sub(r"^partial \d+ ", "partial ", str(move)) for move in position.moves()})
    if len(texts) > LISTED or any(is_drawn(text) for text in texts):
        return [f"count: {len(texts)}"]
    return texts or ["none"]


Message = dict[str, Any]
Report = Callable[[Message], None]
SECONDS = {"margin": 20.0, "judge": 1800.0, "tests": 30.0, "remember": 20.0, "compare": 20.0, "changes": 10.0}
"""Seconds allowed for each question."""
COMPARING = 3.0
JUDGED = 200
"""Number of random games in the full report; its other kinds of games are scaled down accordingly."""


def answer(question: str, text: str, path: Path, message: Message, report: Report = lambda _: None) -> Any:
    """Answer a question about the games of a text, whose file is or would be `path`.

    :param message: `title`: the game; `page` (for `tests`): the page of tests, None for the file beside the rules;
        `moves` and `last` (for `remember`): as in `remembered`; `old` (for `compare`, `changes`): the other text.
    :param report: receives the progress of long work.
    :raises ZrfError: if the text has errors, or the question can't be answered.
    :raises KeyError: if there is no such question.
    """
    from zrf_py.author.trials.versions import as_data, changed_lines, compare  # imported late: few processes need it

    if question == "tests":
        return _tests(Draft(text, path), message.get("page"))
    if question == "changes":
        return changed_lines(str(message["old"]), text)
    game = Draft(text, path).game(str(message["title"]))
    match question:
        case "margin":
            from zrf_py.author.trials.margin import margin

            return margin(make_engine(game.program, "auto"))
        case "judge":
            return _judged(game, path, report)
        case "remember":
            return {"block": remembered(game, list(map(str, message["moves"])), bool(message.get("last")))}
        case "compare":
            return as_data(compare(_old(message, path), game, seconds=COMPARING))
    raise KeyError(question)


def _old(message: Message, path: Path) -> Game:
    """Return the game of the other text with the same title, or its default one.

    :raises ZrfError: if that text has errors.
    """
    old = Draft(str(message["old"]), path)
    if old.errors:
        raise ZrfError("the other version has errors", "rules-with-errors")
    try:
        return old.game(str(message["title"]))
    except ZrfError:
        return old.game()


def _tests(draft: Draft, page: str | None) -> list[Message]:
    """Return the result of each test: `name`, `file`, `line`, and `problem`, which is "" for a test that passed."""
    assert draft.path
    file = draft.path.with_suffix(".md")
    if page is None:
        page = decode(contents(file)) if file.is_file() else ""
    rows = []
    for result in draft.test(page):
        place, _, line = result.place.rpartition(":")
        rows.append({"name": result.name, "file": Path(place).name, "line": int(line), "problem": result.problem})
    return rows


def _judged(game: Game, path: Path, report: Report) -> Message:
    """Return the report of `zrf judge` on fewer games, as `text` and as a `page`; `report` receives the progress."""
    from zrf_py.batch.contestants import ladder
    from zrf_py.batch.jobs import Job, Result, do_task
    from zrf_py.batch.judge.judging import GameCounts, judge
    from zrf_py.batch.judge.page import as_page
    from zrf_py.batch.judge.text import as_text

    def play(job: Job, tasks: int, title: str) -> dict[int, Result]:
        results = {}
        for number in range(tasks):
            report({"title": title, "done": number, "of": tasks})
            results[number] = do_task(job.work, job.packed, job.parameters, number)
        return results

    counts = GameCounts(JUDGED, JUDGED // 10, JUDGED // 25, JUDGED // 25, ladder(game.program))
    judged = judge(game.program, path.name, counts, play)
    return {"text": as_text(judged, 78), "page": as_page(judged)}
