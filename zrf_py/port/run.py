"""Collect the facts of items, using all processors, and make the report; results for unchanged files are reused from
the last run. A file that makes its process hang or crash costs only that process."""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from zrf_py.archives import shown
from zrf_py.data import release
from zrf_py.hosts import Late, Lost, Pool
from zrf_py.paths import base_name
from zrf_py.port.collecting import Collection, Item
from zrf_py.port.look import BROKEN, FAULT, PART, Facts, Tell, look_at
from zrf_py.port.records import REFUSED
from zrf_py.port.report import Report
from zrf_py.text.diagnostics import writing

PATIENCE = 600.0
"""Seconds that a file may take before its process is killed."""


Work = Callable[[Item, bool, Tell], Facts]
"""(item, whether to draw a picture, callback for progress) → facts; defined at the top level of a module, so that
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
    """Return the facts of an item; if they could not be collected, facts that give the reason."""
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


MAX_KEPT = 256 << 20
OnItem = Callable[[Item], None]
"""Called with each finished item."""


def port(
    places: Sequence[str], collection: Collection, results: Path | None, *, workers: int = 1, picture: bool = False,
    patience: float = PATIENCE, tick: OnItem = lambda item: None, doing: Doing = lambda item, text: None,
) -> Report:
    """Examine every item. Each result but a `FAULT` is appended to the file `results` at once; the next run reuses it.

    :raises ZrfError: if that file can't be written.
    """
    began = time.monotonic()
    cached = _cached(results)
    names = {str(path): i.name for i in collection.items for path in (i.path, shown(Path(i.path)).resolve())}
    facts: dict[Item, Facts] = {}
    waiting = []
    for item in collection.items:
        before = cached.get(_key(item, picture))
        if before is None:
            waiting.append(item)
            continue
        facts[item] = before
        tick(item)
    with _line_by_line(results) as keep:
        for item, answer in look_at_all(waiting, workers, picture, patience, doing=doing):
            if item.kind == "record":
                answer["rules"] = names.get(answer["rules"], base_name(answer["rules"]))
            else:
                answer["included"] = [names[path] for path in answer.get("included", ()) if path in names]
            facts[item] = answer
            if answer["status"] != FAULT:  # not cached: the next release may fix it
                keep(_key(item, picture), answer)
            tick(item)
    _part(facts.values())
    return Report(tuple(places), [facts[i] for i in collection.of("rules")],
                  [facts[i] for i in collection.of("record")], collection.refused, time.monotonic() - began)


def _part(files: Iterable[Facts]) -> None:
    """Give a broken file that another one includes the status `PART`, and drop its errors."""
    files = list(files)
    owners = {name: file["name"] for file in files for name in file.get("included", ())
              if file["name"] not in file["included"]}  # of two files that include each other, neither is a part
    for file in files:
        if file["status"] == BROKEN and file["name"] in owners:
            file.update(status=PART, part_of=owners[file["name"]], errors=[], more=0)


def _key(item: Item, picture: bool) -> str:
    """Return the cache key of an item; it depends on kind, name, `mark` and `picture`, and on the release of zrf_py."""
    text = "\0".join((release("**/*.py", "text/*.json", "front/*.json"), item.kind, item.name, item.mark, str(picture)))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def _cached(results: Path | None) -> dict[str, Facts]:
    facts: dict[str, Facts] = {}
    if results is not None and results.exists():
        if results.stat().st_size > MAX_KEPT:
            results.unlink()
            return {}
        for line in results.read_text("utf-8").splitlines():
            with suppress(ValueError, KeyError):  # an interrupted run may have cut off the last line
                row = json.loads(line)
                facts[row["key"]] = row["facts"]
    return facts


@contextmanager
def _line_by_line(results: Path | None) -> Iterator[Callable[[str, Facts], None]]:
    if results is None:
        yield lambda key, facts: None
        return
    with writing(results):
        results.parent.mkdir(parents=True, exist_ok=True)
        file = results.open("a", encoding="utf-8")

    def keep(key: str, facts: Facts) -> None:
        with writing(results):
            print(json.dumps({"key": key, "facts": facts}), file=file, flush=True)

    with file:
        file.write("\n" if file.tell() else "")  # an interrupted run may have cut off the last line
        yield keep
