"""Collect facts about an old rules file: whether it opens and plays, and which files are missing.

This runs in a worker; results are plain values, which are cached and reported.
"""

import base64
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.library import RulesFile, load_file
from zrf_py.paths import base_name, is_near
from zrf_py.play.engines import make_engine
from zrf_py.play.foreign import has_moves, program_of
from zrf_py.play.game import Game, Position
from zrf_py.port.collecting import Item
from zrf_py.port.records import follow_record
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.extras import is_there
from zrf_py.text.source import harmless

PLIES = 400
"""Maximum number of plies of a random game."""
SECONDS = 4.0
"""Seconds of processor time after which a random game is cut off, even in native code."""
MAX_TITLES = 60
MAX_ERRORS = 3
PICTURE = 300, 210
"""Maximum width and height of a picture on the page, in pixels."""
PLAYS, BROKEN, FOREIGN, EMPTY, STUCK, FAULT = "plays", "broken", "program", "empty", "stuck", "fault"
"""Status of a file: it plays; it can't be read; its rules are in an engine DLL; it has no moves; its rules fail during
a game (for example, a block never ends); zrf_py itself fails."""
PART = "part"
"""Status of a file that can't be read alone but is included by another one."""
Facts = dict[str, Any]
Tell = Callable[[str], None]
"""Callback for progress on a file, in words."""


def look_at(item: Item, picture: bool, tell: Tell) -> Facts:
    """Examine a rules file or a saved game; `tell` is called before each random game."""
    if item.kind == "record":
        return asdict(follow_record(item.path, item.name, root=Path(item.root), engine="auto"))
    began = time.perf_counter()
    try:
        file = load_file(item.path, Path(item.root))
    except ZrfError as error:
        return {"name": item.name, "status": BROKEN, "errors": [
            _one_line(d).replace(item.path, base_name(item.path)) for d in error.diagnostics[:MAX_ERRORS]]}
    seconds = time.perf_counter() - began
    warnings = sorted({d.code for d in file.report.items if d.severity == "warning"})
    facts: Facts = {"name": item.name, "seconds": round(seconds, 3), "warnings": warnings}
    errors = file.report.errors
    facts |= {"included": [str(path.resolve()) for path in file.included],
              "errors": [_one_line(d) for d in errors[:MAX_ERRORS]], "more": max(0, len(errors) - MAX_ERRORS),
              "games": len(file.programs), "broken_games": [harmless(p.game.title) for p in file.broken]}
    if not file.programs:
        return {**facts, "status": BROKEN, "errors": facts["errors"] or ["it contains no game"]}
    titles, main = [], file.programs.index(_main(file))
    order = sorted(range(len(file.programs)), key=lambda number: number != main)[:MAX_TITLES]
    for count, number in enumerate(order, 1):
        tell(f"game {count} of {len(order)}")
        titles.append(_title(file, number))
    facts |= {"titles": titles, "program": program_of(_main(file)), "status": _status(file, titles),
              **_assets(file, Path(item.root))}
    if picture:
        facts["picture"] = _picture(file)
    return facts


def _main(file: RulesFile) -> Program:
    """Return the default game, or the first that can be played."""
    return next((p for p in file.programs if p.game.is_default), file.programs[0])


def _one_line(problem: Diagnostic) -> str:
    """Format a problem on one line, with the file's base name and the line number."""
    place = f"{problem.origin.span.place}: " if problem.origin else ""
    return harmless(f"{place}{problem.message}")


def _status(file: RulesFile, titles: list[Facts]) -> str:
    if any(t["fault"] for t in titles):
        return FAULT if any(t["crashed"] for t in titles) else STUCK
    main = _main(file)
    if program_of(main) and not has_moves(main):
        return FOREIGN
    if all(t["moves"] == 0 for t in titles):
        return FOREIGN if program_of(main) else EMPTY
    return PLAYS


def _title(file: RulesFile, number: int) -> Facts:
    """Return the facts about one game of a file, with the result of a random game."""
    program = file.programs[number]
    rules = program.game
    game = Game(program, (), make_engine(program, "auto"), file.path)
    facts: Facts = {
        "title": harmless(rules.title), "players": [harmless(p) for p in game.players],
        "positions": len(rules.board.places), "pieces": len(rules.pieces), "moves": 0, "plies": 0, "end": "",
        "fault": "", "crashed": False}
    began = time.perf_counter()
    try:
        for position in _random_game(game, number, time.process_time() + SECONDS):
            facts["plies"] += position.move is not None
            if position.move is None:
                facts["moves"] = len(position.moves())
            outcome = position.outcome()
            facts["end"] = harmless(outcome) if outcome else ""
    except ZrfError as error:
        facts["fault"] = error.diagnostics[0].message
    except Exception as error:
        facts["fault"], facts["crashed"] = f"{type(error).__name__}: {error}", True
    facts["seconds"] = round(time.perf_counter() - began, 3)
    return facts


def _random_game(game: Game, seed: int, until: float) -> Iterator[Position]:
    position, draw = game.start(), random.Random(seed)
    yield position
    for _ in range(PLIES):
        if time.process_time() > until or (after := position.playout(draw.getrandbits(32), 1)) is position:
            return
        yield (position := after)


def _assets(file: RulesFile, root: Path) -> Facts:
    """Return how many bitmaps and sounds the games name, and which of them are missing."""
    bitmaps: dict[str, None] = {}
    sounds: dict[str, None] = {}
    for program in file.programs:
        rules = program.game
        bitmaps.update(dict.fromkeys(rules.board.images))
        for piece in rules.pieces:
            bitmaps.update((name, None) for names in piece.images.values() for name in names)
        texts = rules.texts.items()
        sounds.update((name, None) for word, name in texts if word.endswith(("-sound", "music")))
    facts: Facts = {}
    for word, names in (("bitmaps", bitmaps), ("sounds", sounds)):
        named = [n for n in names if n.strip()]
        missing = [harmless(n) for n in named if not is_near(n, file.path.parent, root)]
        facts[word] = {"named": len(named), "missing": missing}
    return facts


def _picture(file: RulesFile) -> str:
    """Return a picture of the main game's start position as a `data:` URI; "" if it can't be drawn."""
    from zrf_py.view.png import png
    from zrf_py.view.scene import scene
    from zrf_py.view.svg import svg

    program = _main(file)
    with suppress(ZrfError, ValueError, ArithmeticError):
        drawn = scene(Game(program, (), None, file.path).start())
        if is_there("resvg-py"):
            wide = int(min(PICTURE[0], PICTURE[1] * drawn.width / max(drawn.height, 1)))
            return "data:image/png;base64," + base64.b64encode(png(drawn, width=wide)).decode("ascii")
        return "data:image/svg+xml;base64," + base64.b64encode(svg(drawn).encode("utf-8")).decode("ascii")
    return ""
