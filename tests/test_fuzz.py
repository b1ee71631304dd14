"""The fuzzer detects planted faults, and short runs find no faults in zrf_py. Long runs: `python -m tests.fuzz`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

if sys.platform == "win32":
    pytest.skip("needs fork and limits of memory", allow_module_level=True)
pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")
pytest.importorskip("starlette", reason="boards need the extra `board`")

from tests.fuzz import TARGETS, workers
from tests.fuzz.mutations import KINDS, form_at, spoil
from tests.fuzz.reduce import reduced, smaller
from tests.fuzz.tally import SHARES, Tally
from tests.fuzz.targets import Finding, Records
from tests.fuzz.work import TooMuchWork, bounded
from tests.fuzz.workers import fuzz, input_of
from zrf_py.library import load_file
from zrf_py.run import interpret
from zrf_py.run.rules import Rules

INPUTS = int(os.environ.get("ZRF_FUZZ", "150"))


class Planted:
    """A target whose inputs are numbers; `DOINGS` has the behaviour for each."""

    ending = ".txt"

    def make(self, random: Random) -> bytes:
        return b"%d" % random.randrange(10**6)

    def run(self, data: bytes) -> None:
        DOINGS.get(int(data), lambda: None)()


def raise_finding() -> None:
    raise Finding("planted")


DOINGS: dict[int, Callable[[], object]] = {}


def planted(monkeypatch: pytest.MonkeyPatch, at: int, doing: Callable[[], object]) -> workers.Run:
    monkeypatch.setitem(DOINGS, int(input_of(Planted(), "planted", 1, at)), doing)
    return fuzz(Planted, "planted", 1, range(10))


def test_a_failing_input_is_reported_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    run = planted(monkeypatch, 3, raise_finding)
    assert run.done == 10 and [one.number for one in run.found] == [3] and "planted" in run.found[0].what


def test_an_input_that_ends_the_process_is_found_and_the_rest_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    run = planted(monkeypatch, 9, lambda: os._exit(7))
    assert run.done == 10 and [one.number for one in run.found] == [9] and "ended with 7" in run.found[0].what


@pytest.mark.slow
def test_an_input_that_hangs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "HANG", 5)
    run = planted(monkeypatch, 9, lambda: time.sleep(600))
    assert run.done == 10 and [one.number for one in run.found] == [9] and "hangs" in run.found[0].what


def test_an_input_that_computes_for_ever_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def compute() -> None:
        while True:
            pass

    monkeypatch.setattr(workers, "SECONDS", 0.2)
    run = planted(monkeypatch, 4, compute)
    assert run.done == 10 and [one.number for one in run.found] == [4] and "takes longer" in run.found[0].what


class SlowToBegin(Planted):
    def __init__(self) -> None:
        time.sleep(6)


@pytest.mark.slow
def test_a_process_that_starts_slowly_is_not_taken_for_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "HANG", 5)
    run = fuzz(SlowToBegin, "planted", 1, range(3))
    assert run.done == 3 and not run.found


def raise_too_much_work() -> None:
    raise TooMuchWork


def test_input_with_too_much_work_is_counted_but_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    run = planted(monkeypatch, 4, raise_too_much_work)
    assert (run.done, run.unfinished, run.found) == (10, 1, [])


def test_findings_are_reported_as_they_occur(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DOINGS, int(input_of(Planted(), "planted", 1, 3)), raise_finding)
    told: list[tuple[int, int]] = []
    fuzz(Planted, "planted", 1, range(10),
         tell=lambda run, found: told.append((run.done, found.number if found else -1)))
    assert told == [(n, 3 if n == 4 else -1) for n in range(1, 11)]


def test_work_is_counted_in_operations_of_the_interpreter() -> None:
    program = load_file("tictactoe").programs[0]
    rules, table = Rules(program), interpret.TABLE
    with pytest.raises(TooMuchWork), bounded(10):
        rules.moves(rules.start())
    assert interpret.TABLE is table
    with bounded(1_000):
        assert len(rules.moves(rules.start())) == 9


def test_only_failing_inputs_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(DOINGS, int(input_of(Planted(), "planted", 1, 3)), raise_finding)
    fuzz(Planted, "planted", 1, range(10), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["planted-1-3.txt"]
    assert (tmp_path / "planted-1-3.txt").read_bytes() == input_of(Planted(), "planted", 1, 3)


@pytest.mark.parametrize("kind", dict.fromkeys(KINDS), ids=lambda kind: kind.__name__)
def test_each_kind_of_mutation_changes_most_inputs(kind: Callable[..., bytes]) -> None:
    source, donors = b'(game (title "a b") (players X O))', [b"(game (players A) (turn-order A))"]
    changed = [kind(source, donors, Random(seed)) != source for seed in range(60)]
    assert sum(changed) > 40


def test_the_same_seed_makes_the_same_input() -> None:
    donors = [b"(a (b c))", b"(a d)"]
    assert [spoil(donors[0], donors, Random(s)) for s in range(50)] == \
        [spoil(donors[0], donors, Random(s)) for s in range(50)]


def test_mutations_find_the_end_of_a_form() -> None:
    assert form_at(b'(a (b ")") c) d', 0) == b'(a (b ")") c)'
    assert form_at(b"(a (b", 3) == b"(b"


def test_findings_are_minimised_form_by_form() -> None:
    source = b'(game (title "a") (piece (name A) (moves (n (verify empty?) add) (s flip add))) (piece (name B)))'
    small = reduced(source, lambda text: b"flip" in text and b"(piece" in text)
    assert b"".join(small.split()) == b"((piece((flip))))"
    assert reduced(source, lambda text: text == source) == source


def test_inputs_that_end_the_process_are_minimised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dies(Planted):
        def run(self, data: bytes) -> None:
            if b"die" in data:
                os._exit(7)
            raise Finding("planted")

    assert smaller(Dies(), b"(a (b c) (d (die)) 2)", "the process ended with 7").split() == [b"(", b"((die)))"]
    assert smaller(Dies(), b"(a (b c) 2)", "tests.fuzz.targets.Finding: planted") == b""
    assert smaller(Dies(), b"(a (b c) 2)", "tests.fuzz.targets.Finding: another") == b"(a (b c) 2)"


@pytest.mark.slow
def test_a_long_run_resumes_from_its_file_of_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path, order = tmp_path / "counts.json", list[str]()
    monkeypatch.setitem(DOINGS, int(input_of(Planted(), "mcp", 1, 0)), raise_finding)

    def stop(name: str, run: workers.Run, found: workers.Found | None) -> None:
        order.append(name)
        if len(order) == 700:
            raise KeyboardInterrupt

    first = Tally(path, 1)
    with pytest.raises(KeyboardInterrupt):
        first.run(1_000, lambda name: Planted(), None, stop)
    first.write()
    Tally(path, 1).run(1_000, lambda name: Planted(), None, stop)
    kept = json.loads(path.read_text("utf-8"))
    assert kept["inputs"] == len(order) == 1_000
    assert {name: kind["inputs"] for name, kind in kept["kinds"].items()} == SHARES
    assert [*kept["kinds"]["mcp"]["findings"]] == ["0"]
    assert set(TARGETS) == set(SHARES) and sum(SHARES.values()) == 1_000
    with pytest.raises(SystemExit, match="seed 1"):
        Tally(path, 2)


def test_a_move_recorded_as_a_leg_is_written_as_a_move() -> None:
    target = Records(None)
    number = [one.game.title for one in target.recorded].index("Halma")
    target.run(bytes([number]) + b"Zillions Save Game File Version 0.02 HC\r\nRulesFile=halma.zrf\r\n"
               b"VariantName=Halma\r\n1. partial 2 Man b5 - c5\r\n1. Man l15 - l14\r\n")


def test_messages_are_json_and_of_several_kinds() -> None:
    target = TARGETS["messages"](None)
    kinds = {str(json.loads(text).get("type")) if text.startswith("{") and text.endswith("}") else None
             for number in range(40) for text in json.loads(input_of(target, "messages", 1, number))[1]}
    assert len([kind for kind in kinds if isinstance(kind, str)]) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_short_run_finds_no_fault(name: str) -> None:
    run = fuzz(lambda: TARGETS[name](None), name, 1, range(INPUTS))
    assert run.done == INPUTS and run.unfinished < INPUTS / 10
    assert not run.found, "\n\n".join(f"--first {one.number}: {one.what}" for one in run.found)
