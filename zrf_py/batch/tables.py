"""Write games to a file: JSON lines, numpy archive or Parquet, by file extension.

    .jsonl     one game per line: an object with all columns, those of legs as lists
    .npz       an array for each column. Columns of legs hold the legs of all games one after the other; game i has
               those in [starts[i] : starts[i + 1]]. `text` holds indices in `texts`, `reason` in `reasons`, `players`
               in `names`. reward and players have the shape (games, seats)
    .parquet   a row for each game; the columns of legs, reward and players are lists

The same games give the same bytes.
"""

import json
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO

from zrf_py.batch.selfplay import LEG_COLUMNS, Row
from zrf_py.paths import replacing
from zrf_py.text.diagnostics import ZrfError, writing_result
from zrf_py.text.extras import missing_extra
from zrf_py.text.suggest import suggest

GROUP = 1000
"""Games per Parquet row group, the number held in memory at once."""
STDOUT = "-"
"""Path that stands for standard output, which receives JSON lines."""
Write = Callable[[BinaryIO, Iterable[Row]], int]
"""Function that writes games and returns their number."""


def writer(path: Path) -> Write:
    """Return the writer for a path. Call this before playing games, so that a bad path is reported at once.

    :raises ZrfError: if the format is unknown, its packages are missing, or there is no such folder.
    """
    if str(path) == STDOUT:
        return _write_jsonl
    if path.suffix not in WRITERS:
        guess = suggest(path.suffix, WRITERS)
        raise ZrfError(f"games can't be written in the format `{path.suffix or path.name}`", "usage", help=(
            f"did you mean `{path.stem}{guess}`?" if guess else "file names must end in " + ", ".join(WRITERS)))
    if path.is_dir() or not path.absolute().parent.is_dir():
        problem = f"{path} is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        raise ZrfError(problem, "unwritable", help="choose a file in an existing folder")
    write_rows, package, feature, extra = WRITERS[path.suffix]
    try:
        import_module(package)
    except ImportError:
        raise missing_extra(feature, extra, "or choose a file name that ends in .jsonl") from None
    return write_rows


def write(path: Path, rows: Iterable[Row], write_rows: Write) -> int:
    """Write games, replacing an existing file atomically; return their number.

    :raises ZrfError: if the file can't be written.
    """
    if str(path) == STDOUT:
        return write_rows(sys.stdout.buffer, rows)
    with writing_result(path), replacing(path) as file:
        return write_rows(file, rows)


def _write_jsonl(file: BinaryIO, rows: Iterable[Row]) -> int:
    games = 0
    for row in rows:
        file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        games += 1
    return games


def _numbering() -> defaultdict[str, int]:
    """Return a table that numbers distinct texts in order of first use."""
    return defaultdict(count().__next__)


def _write_npz(file: BinaryIO, rows: Iterable[Row]) -> int:
    import numpy as np

    texts, reasons, names = _numbering(), _numbering(), _numbering()
    legs = {name: array("i") for name in LEG_COLUMNS}
    games = {name: array("q") for name in ("game", "reason", "cut_off", "turns", "opening")}
    starts, reward, players, seats = array("q", [0]), array("b"), array("i"), 0
    for row in rows:
        seats = len(row["reward"])
        reward.extend(row["reward"])
        players.extend(names[name] for name in row["players"])
        for name in games:
            games[name].append(reasons[row[name]] if name == "reason" else int(row[name]))
        for name in legs:
            legs[name].extend(row[name] if name != "text" else [texts[text] for text in row[name]])
        starts.append(starts[-1] + len(row["move"]))
    kinds: dict[str, Any] = {"cut_off": np.bool_, "game": np.int64}
    np.savez_compressed(
        file, allow_pickle=False, starts=np.array(starts), reward=np.array(reward, np.int8).reshape(-1, max(seats, 1)),
        players=np.array(players, np.int32).reshape(-1, max(seats, 1)),
        **{name: np.array(values, kinds.get(name, np.int32)) for name, values in games.items()},
        **{name: np.array(values, np.int32) for name, values in legs.items()},
        texts=np.array([*texts], np.str_), reasons=np.array([*reasons], np.str_), names=np.array([*names], np.str_))
    return len(starts) - 1


def _write_parquet(file: BinaryIO, rows: Iterable[Row]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text, small, integer = pa.string(), pa.int8(), pa.int32()
    schema = pa.schema({
        "game": pa.int64(), "players": pa.list_(text), "reward": pa.list_(small), "reason": text,
        "cut_off": pa.bool_(), "turns": integer, "opening": integer,
        **{name: pa.list_(text if name == "text" else integer) for name in LEG_COLUMNS},
    })
    each, games = iter(rows), 0
    with pq.ParquetWriter(file, schema, compression="zstd") as out:
        while group := list(islice(each, GROUP)):
            out.write_table(pa.Table.from_pylist(group, schema))
            games += len(group)
    return games


WRITERS: dict[str, tuple[Write, str, str, str]] = {
    ".jsonl": (_write_jsonl, "json", "", ""), ".npz": (_write_npz, "numpy", "a file of arrays", "fleet"),
    ".parquet": (_write_parquet, "pyarrow.parquet", "a Parquet file", "data")}
"""Ending → (writer, package that it needs, words for the file in a message, extra that installs the package)."""
