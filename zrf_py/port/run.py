"""Make the report on items; results of unchanged files are reused from the last run."""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from zrf_py.data import release
from zrf_py.paths import base_name
from zrf_py.port.collecting import Collection, Item
from zrf_py.port.look import BROKEN, FAULT, PART, Facts
from zrf_py.port.report import Report
from zrf_py.port.workers import PATIENCE, Doing, look_at_all

MAX_KEPT = 256 << 20
Seen = Callable[[Item], None]
"""Called with each finished item."""


def port(
    places: Sequence[str], collection: Collection, results: Path | None, *, workers: int = 1, picture: bool = False,
    patience: float = PATIENCE, seen: Seen = lambda item: None, doing: Doing = lambda item, text: None,
) -> Report:
    """Look at every item found. Results are appended to the file `results` at once, one per line, and reused from there
    the next time.

    :raises OSError: if that file can't be written.
    """
    began = time.monotonic()
    cached = _cached(results)
    names = {item.path: item.name for item in collection.items}
    facts: dict[Item, Facts] = {}
    waiting = []
    for item in collection.items:
        before = cached.get(_key(item, picture))
        if before is None:
            waiting.append(item)
            continue
        facts[item] = before
        seen(item)
    with _line_by_line(results) as keep:
        for item, answer in look_at_all(waiting, workers, picture, patience, doing=doing):
            if item.kind == "record":
                answer["rules"] = names.get(answer["rules"], base_name(answer["rules"]))
            else:
                answer["included"] = [names[path] for path in answer.get("included", ()) if path in names]
            facts[item] = answer
            if answer["status"] != FAULT:  # not cached: the next release may fix it
                keep(_key(item, picture), answer)
            seen(item)
    _part(facts.values())
    return Report(tuple(places), [facts[i] for i in collection.of("rules")],
                  [facts[i] for i in collection.of("record")], collection.refused, time.monotonic() - began)


def _part(files: Iterable[Facts]) -> None:
    """Mark broken files that another one includes as parts of it, and drop their errors."""
    files = list(files)
    owners = {name: file["name"] for file in files for name in file.get("included", ())
              if file["name"] not in file["included"]}  # of two files that include each other neither is a part
    for file in files:
        if file["status"] == BROKEN and file["name"] in owners:
            file.update(status=PART, part_of=owners[file["name"]], errors=[], more=0)


def _key(item: Item, picture: bool) -> str:
    """Return the cache key of an item: equal for the same file with the same neighbours and release of zrf_py."""
    text = "\0".join((release("**/*.py", "text/*.json", "front/*.json"), item.kind, item.name, item.mark, str(picture)))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def _cached(results: Path | None) -> dict[str, Facts]:
    facts: dict[str, Facts] = {}
    if results is not None and results.exists():
        if results.stat().st_size > MAX_KEPT:
            results.unlink()
            return {}
        for line in results.read_text("utf-8").splitlines():
            with suppress(ValueError, KeyError):  # an interrupted run may have left half a last line
                row = json.loads(line)
                facts[row["key"]] = row["facts"]
    return facts


@contextmanager
def _line_by_line(results: Path | None) -> Iterator[Callable[[str, Facts], None]]:
    if results is None:
        yield lambda key, facts: None
        return
    results.parent.mkdir(parents=True, exist_ok=True)
    with results.open("a", encoding="utf-8") as file:
        file.write("\n" if file.tell() else "")  # an interrupted run may have left half a line
        yield lambda key, facts: _write(file, key, facts)


def _write(file: IO[str], key: str, facts: Facts) -> None:
    file.write(json.dumps({"key": key, "facts": facts}) + "\n")
    file.flush()
