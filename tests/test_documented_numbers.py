"""Numbers in the documentation, such as limits and levels that users rely on, equal those in the code."""

from __future__ import annotations

from statistics import NormalDist

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("starlette")

from tests.playing import ROOT
from zrf_py import archives, hosts
from zrf_py.author import sharing
from zrf_py.author.editor import room, workshop
from zrf_py.author.format import layout
from zrf_py.author.trials import margin, trying
from zrf_py.batch import elo, match, outside, runner, sprt, winning_turns
from zrf_py.cli import match as cli_match
from zrf_py.envs import names
from zrf_py.envs.actions import OTHERS
from zrf_py.native import making
from zrf_py.play import advice, chances, review
from zrf_py.run import faults
from zrf_py.search import memory, preparation
from zrf_py.serve import company, computers, lines, lobby, pool, reads, referee, rematch, sockets, store, worker
from zrf_py.serve.limits import Limits
from zrf_py.train import games as labelled
from zrf_py.train import geometry, rounds

MIB, KIB = 1 << 20, 1 << 10


def said(page: str) -> str:
    """Return the text of a page on one line, without asterisks and backticks."""
    return " ".join((ROOT / page).read_text("utf-8").replace("*", "").replace("`", "").split())


def whole(value: float) -> str:
    """Return a number as the documentation writes it."""
    assert value == int(value)
    return f"{int(value):,}"


def percent(share: float) -> str:
    return f"{share * 100:.0f} %"


LIMITS = Limits()
SERVE: list[tuple[str, tuple[float, ...]]] = [
    ("a message, a request's body | {} MiB, a message at most {} frames; a saved game {} KiB, a link {} KiB ({} MiB "
     "unpacked), a record {} moves",
     (LIMITS.message_bytes / MIB, LIMITS.message_parts, rematch.MAX_TEXT / KIB,
      sharing.MAX_PACKED / KIB, sharing.MAX_TEXT / MIB, lines.MAX_PLIES)),
    ("the next request must begin within {} s; its head must be complete {} s after its first byte, its body {} s "
     "later; the client must accept a response within {} s, a state within {} s; join must come within {} s; sockets "
     "are pinged every {} s",
     (LIMITS.head_seconds, LIMITS.head_seconds, LIMITS.body_seconds, LIMITS.take_seconds, sockets.SEND_SECONDS,
      LIMITS.join_seconds, LIMITS.ping_seconds)),
    ("connections | {}, and {} per visitor", (LIMITS.connections, LIMITS.connections_each)),
    ("per visitor: {} in progress, {} a second and bursts of {}; further ones wait up to {} s",
     (LIMITS.requests_each, *LIMITS.requests, LIMITS.turn_seconds)),
    ("sockets | {}, and {} per visitor; of these, sockets without a seat: {} per table, {} per visitor",
     (LIMITS.sockets, LIMITS.sockets_each, LIMITS.watchers, LIMITS.watchers_each)),
    ("messages | {} a second, bursts of {}; expensive messages count more; after {} in excess",
     (*LIMITS.messages, LIMITS.excess_messages)),
    ("{} units a second and bursts of {} per visitor: rules in words cost {}, a saved game {}, a sound {}, a board's "
     "picture {};",
     (*LIMITS.reading, reads.COSTS["words"], reads.COSTS["write"], reads.COSTS["sound"], reads.COSTS["picture"])),
    ("new tables | {} a second, bursts of {} per visitor; {} in memory, {} on disk, {} per visitor, {} MiB each. If a "
     "visitor has more than {} boards without a move, the oldest of them are deleted; a game is stored for {} days",
     (*LIMITS.new_tables, lobby.MAX_TABLES, store.MAX_STORED, store.MAX_OF_MAKER, store.MAX_BYTES / MIB,
      store.MAX_UNUSED, store.KEPT_DAYS)),
    ("a query about rules | {} s, a computer's turn {} s, then the process is killed; {} GiB of address space",
     (referee.RULES_SECONDS, computers.THINK_SECONDS, hosts.MEMORY / KIB / MIB)),
    ("a block may run {} steps", (faults.FUEL,)),
    ("set the sender's name (at most {} characters)", (company.MAX_NAME,)),
    ("one search of {} positions with three lines", (advice.LOOK_NODES,)),
    ("unless the limit of {} s ends the search first", (advice.LOOK_SECONDS,)),
    ("fitted to the results of {} to {} games", (chances.ENOUGH, chances.PLENTY)),
    ("a text that takes more than {} s or {} GiB gets a message", (room.SECONDS, hosts.MEMORY / KIB / MIB)),
    ("zrf judge on {} random games", (trying.JUDGED,)),
    ("Texts of more than {} MiB are refused while they are unpacked", (sharing.MAX_TEXT / MIB,)),
]
ELSEWHERE: list[tuple[str, str, tuple[float, ...]]] = [
    ("zrf_py/author/editor/README.md", "takes longer than {} s, or needs more than {} GiB, that process is killed",
     (room.SECONDS, hosts.MEMORY / KIB / MIB)),
    ("zrf_py/author/README.md", "Lines have at most {} columns", (layout.WIDTH,)),
    ("zrf_py/batch/README.md", "up to {} random openings are tried: each is valued by a search of {} positions",
     (match.MANY_TRIES, match.NODES)),
    ("zrf_py/batch/README.md", "An engine has {} s plus fifty times the limit", (outside.PATIENCE,)),
    ("zrf_py/envs/README.md", "further legs take one of {} additional numbers", (OTHERS,)),
    ("zrf_py/native/README.md", "A block has the same limit as in the interpreter ({} operations)", (faults.FUEL,)),
    ("zrf_py/native/README.md", "or compilation exceeds {} s or {} GiB",
     (making.SECONDS, making.MEMORY / KIB / MIB)),
    ("zrf_py/search/README.md", "would take more than {} s of an idle processor", (preparation.SECONDS,)),
    ("zrf_py/search/README.md", "(a sequential test, {} against {} Elo, at most {} games)",
     (rounds.TEST.elo0, rounds.TEST.elo1, rounds.GATE_GAMES)),
    ("zrf_py/search/README.md", "full lines of {} to {} squares and windows", (geometry.SHORTEST, geometry.LONGEST)),
    ("zrf_py/search/README.md", "The target is the value of a search of {} positions", (labelled.LABEL_NODES,)),
    ("grammar/porting.md", "have more than {} files, or that unpack to more than {} GiB or {} times their size ({} MiB "
     "are always allowed;",
     (archives.MAX_FILES, archives.MAX_BYTES / KIB / MIB, archives.MAX_RATIO, archives.FREE_BYTES / MIB)),
    ("grammar/porting.md", "unpack to {} MiB more than ten times their sizes", (archives.ROOM / MIB,)),
    ("grammar/porting.md", "or larger than {} MiB | not unpacked", (archives.MAX_FILE / MIB,)),
]


@pytest.mark.parametrize(("page", "sentence", "values"), [
    *(("zrf_py/serve/README.md", *row) for row in SERVE), *ELSEWHERE])
def test_documented_limits_are_those_of_the_code(page: str, sentence: str, values: tuple[float, ...]) -> None:
    assert sentence.format(*map(whole, values)) in said(page)


def test_documented_shares_are_those_of_the_code() -> None:
    """Small numbers that the pages write as words are included."""
    served = said("zrf_py/serve/README.md")
    marks = {mark: percent(loss) for loss, mark in review.MARKS}
    assert f"?! from {marks['?!']}, ? from {marks['?']}, ?? from {marks['??']}" in served
    assert f"contradicts the one before it by {percent(review.CONTRADICTION)} or more" in served
    assert f"takes more than {computers.READY_SECONDS} s to compile" in served
    assert f"more than {pool.QUICK} s of processor time shares two processes" in served
    assert f"interpreter calls of more than {worker.UNNOTICED} s add up" in served
    assert computers.FIRST_SECONDS == margin.SECONDS == 1 and advice.LOOK_LINES == 3 and "at most one second" in served
    assert f"takes more than {workshop.QUICK_FROM} s to compile" in said("zrf_py/author/editor/README.md")
    assert workshop.PAUSE == 1 / 5 and "a fifth of a second after" in said("zrf_py/author/editor/README.md")
    batch = said("zrf_py/batch/README.md")
    assert f"an error probability of {percent(sprt.ERROR)} either way" in batch
    assert f"VALUE is {cli_match.EVEN} unless given" in batch and outside.STRETCH == 50
    assert "lost three processes" in batch and runner.LOSSES + 1 == 3
    assert 2 * (NormalDist().cdf(elo.Z) - 0.5) == pytest.approx(0.95, abs=1e-3) and "95% confidence" in batch
    assert archives.USUAL_RATIO == 10 and names.MOST_WAYS == 8 and "at most eight" in said("zrf_py/envs/README.md")


def test_puzzles_are_as_clear_as_documented() -> None:
    """The values of searches are converted to expected scores by the formula of the tree search."""
    page = said("grammar/formats.md")

    def expected(value: int) -> float:
        return 1 / 2 + value / (value + memory.SPREAD) / 2

    assert "by a margin, if its expected score is at least 5/6" in page
    assert "an expected score of 3/4 or more; beside a win by a margin, none may have 5/8" in page
    assert [expected(value) for value in (winning_turns.DECISIVE, memory.SPREAD, winning_turns.EVEN)] == pytest.approx(
        [5 / 6, 3 / 4, 5 / 8])
    assert winning_turns.CHECK == 10 and "ten times as many positions" in page
    assert winning_turns.TRIES == 3 and "with each of three seeds" in page
