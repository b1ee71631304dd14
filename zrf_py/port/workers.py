"""Collect the facts of items on all processors: a file that hangs or ends its process costs only that process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from functools import partial

from zrf_py.hosts import Late, Lost, Pool
from zrf_py.port.collecting import Item
from zrf_py.port.look import FAULT, Facts, Tell, look_at
from zrf_py.port.records import REFUSED

PATIENCE = 600.0
"""Seconds that a file may take before its process is killed."""


Work = Callable[[Item, bool, Tell], Facts]
"""(item, whether to draw a picture, callback for progress) → facts; a function at the top level of a module, so that
other processes can import it."""
Doing = Callable[[Item, str], None]
"""Callback for progress, in any thread: the item, and its progress in words."""


def look_at_all(
    items: Sequence[Item], count: int, picture: bool, patience: float = PATIENCE, work: Work = look_at,
    doing: Doing = lambda item, text: None,
) -> Iterator[tuple[Item, Facts]]:
    """Yield each item with its facts, in order of completion; at most `count` processes run."""
    pool = Pool(count)
    try:
        running = {pool.submit(work, item, picture, seconds=patience, tell=partial(doing, item)): item
                   for item in items}
        for future in as_completed(running):
            item = running.pop(future)
            yield item, _facts(item, future, patience)
    finally:
        pool.close()


def _facts(item: Item, future: Future[Facts], patience: float) -> Facts:
    """Return the facts of an item, or the reason why there are none."""
    try:
        return future.result()
    except Late:
        why = f"it took longer than {patience:.0f} s"
    except Lost:
        why = "the process that examined it ended unexpectedly"
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    if item.kind == "record":
        return {"name": item.name, "status": REFUSED, "plies": 0, "of": 0, "title": "", "rules": "", "why": why}
    return {"name": item.name, "status": FAULT, "errors": [why]}
