"""A long run over all targets: the number of inputs of each, and a file of counts that is updated during the run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.fuzz.targets import Target
from tests.fuzz.workers import Found, Run, fuzz
from zrf_py.paths import replace_file

SHARES = {"positions": 480, "typed": 300, "records": 150, "front": 40, "engines": 10, "games": 8, "messages": 5,
          "lsp": 4, "mcp": 2, "connections": 1}
"""Each target's share of a thousand inputs: most inputs go to cheap targets."""
PARTS = 4
"""Number of rounds; each round tries a part of every target's inputs, so that the first one tries every target."""
EVERY = 1.0
"""Seconds between two updates of the file."""
Tell = Callable[[str, Run, Found | None], None]


@dataclass
class Kind:
    """Counts of one target."""

    inputs: int = 0
    unfinished: int = 0
    """Number of inputs that took the interpreter too much work."""
    seconds: float = 0.0
    findings: dict[str, str] = field(default_factory=dict)
    """Findings by the number of their input."""

    def __str__(self) -> str:
        return (f"{self.inputs:,} inputs in {self.seconds:.0f} s, {self.unfinished} of too much work, "
                f"{len(self.findings)} findings")


class Tally:
    """Counts by target, in a file; a run with the same seed resumes where the file ends."""

    def __init__(self, path: Path | None, seed: int) -> None:
        self.path, self.seed = path, seed
        self.kinds = {name: Kind() for name in SHARES}
        self.written = 0.0
        if path and path.exists():
            kept = json.loads(path.read_text("utf-8"))
            if kept["seed"] != seed:
                raise SystemExit(f"{path} counts inputs of seed {kept['seed']}: name another file, or that seed")
            self.kinds |= {name: Kind(**counts) for name, counts in kept["kinds"].items()}

    def write(self) -> None:
        """Write the file anew."""
        kept = {"seed": self.seed, "inputs": sum(kind.inputs for kind in self.kinds.values()),
                "kinds": {name: asdict(kind) for name, kind in self.kinds.items()}}
        if self.path:
            replace_file(self.path, json.dumps(kept, indent=1).encode())
        self.written = time.monotonic()

    def run(self, inputs: int, make: Callable[[str], Target], out: Path | None, tell: Tell) -> None:
        """Try inputs until `inputs` have been tried in all, those of earlier runs included."""
        targets: dict[str, Target] = {}
        for part in range(1, PARTS + 1):
            for name, share in SHARES.items():
                numbers = range(self.kinds[name].inputs, inputs * share * part // (sum(SHARES.values()) * PARTS))
                if numbers:
                    targets[name] = targets.get(name) or make(name)
                    self._run(name, targets[name], numbers, out, tell)

    def _run(self, name: str, target: Target, numbers: range, out: Path | None, tell: Tell) -> None:
        kind, began, earlier = self.kinds[name], time.monotonic(), self.kinds[name].seconds
        before = Kind(kind.inputs, kind.unfinished)

        def count(run: Run, found: Found | None) -> None:
            kind.inputs, kind.unfinished = before.inputs + run.done, before.unfinished + run.unfinished
            kind.seconds = round(earlier + time.monotonic() - began, 1)
            if found:
                kind.findings[str(found.number)] = found.what
            if found or time.monotonic() > self.written + EVERY:
                self.write()
            tell(name, run, found)

        fuzz(lambda: target, name, self.seed, numbers, out, count)
        self.write()

    def __str__(self) -> str:
        total = sum(kind.inputs for kind in self.kinds.values())
        return "\n".join([*(f"{name}: {kind}" for name, kind in self.kinds.items()), f"all: {total:,} inputs"])
