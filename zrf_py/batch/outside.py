"""Outside engines as players of a match: `uci:COMMAND` and `xboard:COMMAND`, run as processes of their own.

python-chess has clients for both protocols, but it checks every move on boards of its own, which exist for variants of
one game only, and it needs commands that some engines lack. This client exchanges moves as texts; the rules check them.
An engine that exits, does not answer or makes an illegal move loses the game.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from queue import Empty, Queue
from random import Random

from zrf_py.batch.games import Forfeit
from zrf_py.play.coordinates import Coordinates
from zrf_py.play.players import Legs, Past
from zrf_py.run.engine import Engine
from zrf_py.run.position import Position
from zrf_py.text.diagnostics import ZrfError

PATIENCE = 10.0
"""Seconds to wait for an answer, beyond `STRETCH` times the limit of a turn: the machine may be busy."""
STRETCH = 50
OLD = 2.0
"""Seconds to wait for an XBoard engine to list its features; old engines list none."""
PERIOD = 40
"""Moves per time control, as sent to XBoard engines."""
_FEATURE = re.compile(r'(\w+)=(?:"([^"]*)"|(\S+))')
_LIMITS = {"cpu": float, "time": float, "nodes": int}


class Silent(Forfeit):
    """The engine did not answer in time."""


class Process:
    """A running engine; subclasses implement its protocol in `begin` and `move`."""

    ZERO_FROM = 10**6
    """Minimum number of ranks of a board whose ranks are numbered from 0, not 1."""

    def __init__(self, command: Sequence[str], limits: dict[str, float]) -> None:
        """:raises Forfeit: if it can't be started."""
        self.name = command[0].replace("\\", "/").rpartition("/")[2]
        self.limits = limits
        self.patience = PATIENCE + STRETCH * max(limits.get("cpu", 0), limits.get("time", 0))
        if not shutil.which(command[0]):
            raise Forfeit(f"there is no program `{command[0]}`")
        guard = ["setpriv", "--pdeathsig", "KILL", "--"] if shutil.which("setpriv") else []
        try:
            self.process = subprocess.Popen(  # on Linux the engine is killed when this process ends
                [*guard, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                text=True, errors="replace", start_new_session=True)
        except OSError as error:
            raise Forfeit(f"{self.name} can't be started: {error.strerror}") from None
        self.lines: Queue[str | None] = Queue(10_000)
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def begin(self, options: dict[str, str]) -> None:
        """Greet the engine and set its options, before each game."""
        raise NotImplementedError

    def move(self, texts: Sequence[str]) -> str:
        """Return the engine's move after the moves `texts` from the start.

        :raises Forfeit: if it makes none.
        """
        raise NotImplementedError

    @property
    def seconds(self) -> float:
        """Processor time used so far by all threads, from Linux's clock for each process; 0 on other systems."""
        with suppress(OSError, AttributeError):
            return time.clock_gettime((~self.process.pid << 3) | 2)
        return 0.0

    def _listen(self) -> None:
        assert self.process.stdout
        with suppress(OSError), self.process.stdout as lines:
            while line := lines.readline(100_000):
                self.lines.put(line.strip())
        self.lines.put(None)

    def say(self, *lines: str) -> None:
        with suppress(OSError, ValueError):  # if the engine has ended, `until` reports it
            self.process.stdin.write("".join(f"{line}\n" for line in lines))  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]

    def until(self, *words: str, seconds: float = 0.0, tick: Callable[[], float] = lambda: 1.0) -> str:
        """Return the next line that begins with one of these words. `tick` is called repeatedly; it returns the maximum
        number of seconds until its next call.

        :raises Forfeit: if the engine ends, or there is no such line within `seconds` (0: the usual patience).
        """
        seconds = seconds or self.patience
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                line = self.lines.get(timeout=min(left, tick()))
            except Empty:
                continue
            if line is None:
                raise Forfeit(f"{self.name} has exited")
            self.note(line)
            if line.startswith(words):
                return line
        raise Silent(f"{self.name} did not reply within {seconds:g} s")

    def note(self, line: str) -> None:
        """Handle a line from the engine, whether requested or not."""

    def drop_lines(self) -> None:
        """Discard the lines not read so far."""
        with suppress(Empty):
            while self.lines.get_nowait() is not None:
                pass
            self.lines.put(None)

    def close(self) -> None:
        """End the engine: by its own command, after half a second by force."""
        self.say("quit")
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(0.5)
        with suppress(OSError, AttributeError):
            os.killpg(self.process.pid, signal.SIGKILL)  # kills the processes that the engine has started, too
        self.process.kill()
        self.process.wait()
        with suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]
        for _ in range(100):  # a process that left the group may keep the pipe open
            self.drop_lines()
            self.listener.join(0.01)


class Uci(Process):
    """Engine that speaks the Universal Chess Interface."""

    lead = 0.0
    """Processor seconds used between `stop` and the answer, estimated from turn to turn."""

    def begin(self, options: dict[str, str]) -> None:
        self.say("uci")
        names = {}
        while (line := self.until("option name ", "uciok")) != "uciok":
            name = line.removeprefix("option name ").partition(" type ")[0]
            names[name.casefold()] = name
        for name, value in options.items():
            if name.casefold() not in names:
                raise ZrfError(f"the engine {self.name} has no option `{name}`", "usage",
                               help="it has " + ", ".join(names.values()))
            self.say(f"setoption name {names[name.casefold()]} value {value}")
        self.say("ucinewgame", "isready")
        self.until("readyok")

    def move(self, texts: Sequence[str]) -> str:
        self.say("isready")
        self.until("readyok")  # skips unrequested lines
        nodes, cpu, clock = (self.limits.get(name) for name in ("nodes", "cpu", "time"))
        began = self.seconds
        most = min(clock or self.patience, self.patience - PATIENCE / 2)
        self.say(" ".join(["position startpos", *["moves"] * bool(texts), *texts]),
                 f"go movetime {max(1, round(1000 * most))}" + (f" nodes {nodes}" if nodes else ""))
        line = self.until("bestmove", tick=self._stopper(cpu))
        if cpu and (over := self.seconds - began - cpu) > -cpu / 5:  # otherwise the engine stopped by itself
            self.lead = min(cpu / 2, max(0.0, self.lead + over / 4))
        return [*line.split(), "nothing"][1]

    def _stopper(self, cpu: float | None) -> Callable[[], float]:
        """Return a `tick` for `until` that sends `stop` after `cpu` - `lead` processor seconds (None: never)."""
        end, is_stopped = self.seconds + (cpu or 0.0) - self.lead, cpu is None

        def tick() -> float:
            nonlocal is_stopped
            left = end - self.seconds
            if left <= 0 and not is_stopped:
                self.say("stop")
                is_stopped = True
            return 1.0 if is_stopped else max(0.0005, left / 2)

        return tick


class Xboard(Process):
    """Engine that speaks the protocol of XBoard, old or new.

    Many such engines can't be stopped in time. If processor time is limited, the time sent to them is adapted from
    move to move, so that they use the limit on average. Limits of positions are ignored.
    """

    ZERO_FROM = 10

    def note(self, line: str) -> None:
        if line.startswith("feature "):
            self.features |= {name: text or word for name, text, word in _FEATURE.findall(line)}

    def begin(self, options: dict[str, str]) -> None:
        self.features: dict[str, str] = {}
        self.say("xboard", "protover 2")
        with suppress(Silent):
            while self.features.get("done") != "1":
                self.until("feature ", seconds=self.patience if "done" in self.features else OLD)
        variant = options.get("variant")
        if variant and variant not in self.features.get("variants", variant).split(","):
            raise ZrfError(f"the engine {self.name} has no variant `{variant}`", "usage",
                           help="it has " + self.features["variants"])
        self.pace = self.limits.get("cpu") or self.limits["time"]
        self.sent = self.moves = 0
        self.used = self.announced = 0.0
        minutes, seconds = divmod(max(1, round(PERIOD * self.pace)), 60)
        self.say("new", *[f"variant {variant}"] * bool(variant),
                 *(f"option {name}={value}" for name, value in options.items() if name != "variant"),
                 "force", "easy", "nopost", f"level {PERIOD} {minutes}:{seconds:02d} 0")

    def move(self, texts: Sequence[str]) -> str:
        self.drop_lines()
        before = "usermove " if self.features.get("usermove") == "1" else ""
        clock = max(1, round(100 * self.pace * (PERIOD - self.moves % PERIOD)))
        began = self.seconds
        news = (before + text.replace("0000", "@@@@") for text in texts[self.sent :])  # from UCI's pass to XBoard's
        self.say("force", *news, f"time {clock}", f"otim {clock}", "go")
        line = self.until("move ", "resign", "Illegal", "Error", "1-0", "0-1", "1/2-1/2")
        if line[0] in "01":  # some engines claim a result and still move
            with suppress(Silent):
                line = self.until("move ", seconds=OLD)
        if not line.startswith("move "):
            raise Forfeit(f"{self.name} answers `{line}`")
        self.sent, self.moves = len(texts) + 1, self.moves + 1
        if cpu := self.limits.get("cpu"):
            self.used, self.announced = self.used + self.seconds - began, self.announced + self.pace
            due = min(2 * cpu, max(cpu / 2, cpu * (self.moves + 1) - self.used))
            self.pace = min(20 * cpu, due * self.announced / max(1e-6, self.used))
        return line.split()[1]


PROTOCOLS = {"uci": Uci, "xboard": Xboard}


def is_outside(name: str) -> bool:
    """Return whether a player is an outside engine."""
    return name.partition(":")[0] in PROTOCOLS


def start(name: str, seconds: float | None, nodes: int | None, cpu: float | None) -> Process:
    """Start the engine that a player's name, `PROTOCOL:COMMAND?NAME=VALUE&…`, describes; return it ready for a game.

    `cpu`, `time` and `nodes` among the names are limits per turn, in place of the parameters; other names are options.

    :raises Forfeit: if the engine does not start or answer.
    :raises ZrfError: if the name is malformed or lacks a limit that works here, or the engine lacks an option.
    """
    protocol, _, rest = name.partition(":")
    command, _, query = rest.partition("?")
    options = dict(part.partition("=")[::2] for part in query.split("&") if part)
    limits = {key: value for key, value in (("time", seconds), ("nodes", nodes), ("cpu", cpu)) if value}
    try:
        limits |= {key: read(options.pop(key)) for key, read in _LIMITS.items() if key in options}
        if not (words := shlex.split(command)):
            raise ValueError
    except ValueError:
        raise ZrfError(f"`{name}` is not an external engine", "usage",
                       help="write, for example, `uci:stockfish?Skill Level=3&cpu=0.1`") from None
    if not all(0 < limit < 1e15 for limit in limits.values()) or not limits.keys() & (
            {"cpu", "time"} if protocol == "xboard" else set(_LIMITS)):
        raise ZrfError(f"`{name}` needs a limit for its turns", "usage", help="add `--cpu SECONDS` or `--time SECONDS`")
    if "cpu" in limits and sys.platform != "linux":
        raise ZrfError("processor time of other programs can be measured only on Linux", "usage", help="use `--time`")
    process = PROTOCOLS[protocol](words, limits)
    try:
        process.begin(options)
    except BaseException:
        process.close()
        raise
    return process


class OutsidePlayer:
    """An outside engine in one game; counts turns and processor seconds. `opening` holds the positions that precede
    those of `past`. The engine is started at its first turn."""

    def __init__(self, starting: Callable[[], Process], opening: Sequence[Position]) -> None:
        self.turns, self.seconds = 0, 0.0
        self.starting = starting
        self.opening = opening
        self.texts: list[str] = []
        self.process: Process | None = None

    def __call__(self, engine: Engine, position: Position, random: Random, past: Past = ()) -> Legs:
        if self.process is None:
            self.process = self.starting()
            self.coordinates = Coordinates(engine.program, self.process.ZERO_FROM)
        line = [*self.opening, *past, position]
        self.texts += [self.coordinates.between(engine, *two) for two in pairwise(line[len(self.texts) :])]
        began = self.process.seconds
        text = self.process.move(self.texts)
        self.seconds += max(0.0, self.process.seconds - began)
        self.turns += 1
        move = self.coordinates.read(engine, position, text)
        if move is None:
            raise Forfeit(f"{self.process.name} plays `{text}`, which is not legal")
        self.texts.append(text)
        return (move,)

    def close(self) -> None:
        if self.process:
            self.process.close()
