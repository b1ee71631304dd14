"""External engines: move texts compared with other programs; misbehaving engines; where they may be started."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from queue import Empty
from typing import Any

import pytest

from tests.playing import HANG, counted, slow
from zrf_py.batch import outside
from zrf_py.batch.contestants import NO_LIMITS, PlayerLimits
from zrf_py.batch.match import Match, one_game
from zrf_py.cli.main import main
from zrf_py.ir.ops import Program
from zrf_py.play.coordinates import Coordinates
from zrf_py.play.engines import make_engine
from zrf_py.play.game import load, loads
from zrf_py.play.players import player
from zrf_py.play.session import read_controllers
from zrf_py.run.engine import Engine
from zrf_py.text.diagnostics import ZrfError

FAKE = Path(__file__).with_name("fake_engine.py")
ENGINES = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
GAME = "breakthrough"


def fake(way: str, protocol: str = "uci", options: str = "time=0.2") -> str:
    return f"{protocol}:{shlex.join([sys.executable, str(FAKE), way])}?{options}"


@cache
def engine_of(game: str) -> Engine:
    return make_engine(load(game).program, "auto")


def game_with(name: str, number: int = 0, limits: PlayerLimits = NO_LIMITS, opponent: str = "random") -> dict[str, Any]:
    """Return the result of one game of a match between an external engine and another player."""
    engine = engine_of(GAME)
    return one_game(engine, Match((name, opponent), limits, opening=2, max_turns=200).parameters, number)


SILENT = ("silent", "mute")


@pytest.fixture(autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait briefly if no answer is expected, and long otherwise, so that a busy machine fails no test."""
    is_silent = any(way in request.node.name for way in SILENT)
    monkeypatch.setattr(outside, "PATIENCE", 1.0 if is_silent else HANG)
    monkeypatch.setattr(outside, "STRETCH", 1)
    monkeypatch.setattr(outside, "OLD", 0.6)


def children() -> set[int]:
    """Return the processes whose parent is this one, including zombies."""
    path = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return {int(pid) for pid in path.read_text().split()} if path.exists() else set()


# --------------------------------------------------------------------------------------------------- misbehaviour


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
@pytest.mark.parametrize(("way", "reason"), [
    ("dies", "has exited"), ("silent", "did not reply within"), ("illegal", "plays `a1a8`, which is not legal"),
    ("lies", "which is not legal"), ("babble", "which is not legal"), ("none", ""), ("claims", ""),
    ("stillborn", "has exited"), ("mute", "did not reply within"),
])
def test_faulty_engines_lose_and_leave_no_process(way: str, reason: str, protocol: str) -> None:
    before = children()
    for number in (0, 1):
        result = game_with(fake(way, protocol), number)
        assert result["points"] == 0.0 and not result["cut_off"]
        assert reason in result["reason"]
    assert children() == before
    if way in ("none", "claims"):
        said = {"uci": {"none": "(none)", "claims": "nothing"}, "xboard": {"none": "resign", "claims": "1-0 {White"}}
        assert said[protocol][way] in result["reason"]


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
@pytest.mark.parametrize("way", ["well", "stubborn", *slow(["early", "chatty"])])
def test_odd_but_working_engines_do_not_lose(way: str, protocol: str) -> None:
    """`early` writes a move before its turn, `chatty` 30,000 lines a turn, `stubborn` does not exit."""
    before = children()
    result = game_with(fake(way, protocol))
    assert "fake" not in result["reason"] and "legal" not in result["reason"]
    assert result["used"][0][0] > 5
    assert children() == before


def test_the_fake_engine_can_win() -> None:
    """If it could not even beat a player that is certain to lose, its losses in other tests would prove nothing."""
    results = [game_with(fake("well"), number, opponent=fake("illegal")) for number in (0, 1)]
    assert [r["points"] for r in results] == [1.0, 1.0]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="measures other processes as only Linux can")
@pytest.mark.slow
def test_an_engine_is_stopped_when_its_processor_time_is_used_up() -> None:
    result = game_with(fake("busy", options="cpu=0.05"))
    turns, seconds = result["used"][0]
    assert turns > 5 and 0.03 < seconds / turns < 0.3


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="measures other processes as only Linux can")
def test_engine_that_cannot_be_stopped_gets_a_clock_that_fits_its_use() -> None:
    """The engine uses a third of its share of the clock, so it is sent a longer clock, until it uses its limit."""
    result = game_with(fake("hasty", "xboard", "cpu=0.05"), opponent=fake("well"))
    turns, seconds = result["used"][0]
    assert turns > 20 and 0.04 < seconds / turns < 0.07


def test_an_engine_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    if not shutil.which("setpriv"):
        pytest.skip("setpriv isn't installed")
    program = ("from zrf_py.batch import outside; import sys, time; "
               f"p = outside.start({fake('stubborn')!r}, None, None, None); print(p.process.pid, flush=True); "
               "time.sleep(1000)")
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + HANG
    while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
        time.sleep(0.05)
        if (stat := Path(f"/proc/{pid}/stat")).exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
            break  # a zombie: it has ended, but its new parent has not reaped it yet
    else:
        assert not Path(f"/proc/{pid}").exists()


@pytest.mark.skipif(not shutil.which("setsid"), reason="setsid isn't installed")
def test_a_process_that_keeps_the_pipe_open_does_not_block_the_match(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    keeper = f"setsid sh -c 'echo $$ > {pid}; exec sleep 1000' & exec {shlex.join([sys.executable, str(FAKE), 'well'])}"
    process = outside.start(f"uci:{shlex.join(['sh', '-c', keeper])}?time=0.2", None, None, None)
    end = time.monotonic() + HANG
    while not (pid.exists() and pid.read_text().strip()) and time.monotonic() < end:
        time.sleep(0.01)
    try:
        process.close()
        assert process.process.returncode is not None and process.listener.is_alive()
    finally:
        os.kill(int(pid.read_text()), signal.SIGKILL)


def test_xboard_engines_get_a_pass_in_their_own_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    process = outside.start(fake("well", "xboard"), None, None, None)
    sent: list[str] = []
    try:
        with monkeypatch.context() as patched:
            patched.setattr(process, "say", lambda *lines: sent.extend(lines))
            patched.setattr(process, "until", lambda *_, **__: "move a2a3")
            process.move(["a1a2", "0000"])
    finally:
        process.close()
    assert sent[:3] == ["force", "usermove a1a2", "usermove @@@@"] and sent[-1] == "go"


def test_processor_time_is_0_where_it_cannot_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    process = outside.start(fake("well"), None, None, None)
    try:
        monkeypatch.delattr(outside.time, "clock_gettime")
        assert process.seconds == 0
    finally:
        process.close()


class Script:
    """Lines of an engine, each with the second at which it comes; the clock advances while they are awaited."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *lines: tuple[float, str]) -> None:
        self.now, self.lines = 0.0, list(lines)
        self.sent: list[str] = []
        for name, value in {"PATIENCE": 10.0, "OLD": 2.0, "STRETCH": 1}.items():
            monkeypatch.setattr(outside, name, value)
        monkeypatch.setattr(outside.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(outside.Process, "seconds", 0.0)

    def get(self, timeout: float) -> str:
        at, line = self.lines[0] if self.lines else (1e9, "")
        if at > self.now + timeout:
            self.now += timeout
            raise Empty
        self.now = max(self.now, at)
        self.lines.pop(0)
        return line

    def get_nowait(self) -> None:
        raise Empty

    def engine(self, kind: type[outside.Process]) -> outside.Process:
        """Return an engine of class `kind` whose output is these lines, with a limit of two seconds for a move."""
        engine = kind.__new__(kind)
        engine.name, engine.limits, engine.patience = "script", {"time": 2.0}, 12.0
        engine.lines, engine.say = self, lambda *lines: self.sent.extend(lines)  # type: ignore[assignment]
        return engine


FEATURES = 'feature usermove=1 variants="normal,suicide" done='


@pytest.mark.parametrize(("lines", "seconds", "sent"), [
    ([], 2.0, "a2a3"), ([(1.9, FEATURES + "1")], 1.9, "usermove a2a3"), ([(2.1, FEATURES + "1")], 2.0, "a2a3"),
    ([(0.5, FEATURES + "0"), (9.0, "feature done=1")], 9.0, "usermove a2a3"),
    ([(0.5, FEATURES + "0"), (30.0, "feature done=1")], 12.5, "usermove a2a3")])
def test_an_xboard_engine_gets_time_to_list_its_features(
    lines: list[tuple[float, str]], seconds: float, sent: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has two seconds to begin its list, since old engines have none, and then the usual time to complete it."""
    script = Script(monkeypatch, *lines)
    engine = script.engine(outside.Xboard)
    engine.begin({})
    assert script.now == pytest.approx(seconds)
    assert script.sent[:2] == ["xboard", "protover 2"] and script.sent[-1] == "level 40 1:20 0"
    script.lines = [(script.now + 3, "move b7b6")]
    script.sent.clear()
    assert engine.move(["a2a3"]) == "b7b6" and script.sent == ["force", sent, "time 8000", "otim 8000", "go"]
    script.lines = [(script.now + 3, "move b6b5")]
    script.sent.clear()
    assert engine.move(["a2a3", "b7b6", "a3a4"]) == "b6b5" and script.sent[2] == "time 7800"


@pytest.mark.parametrize(("lines", "answer"), [
    ([(1.0, "1-0 {mate}"), (2.9, "move a2a3")], "a2a3"), ([(1.0, "1-0 {mate}"), (3.1, "move a2a3")], "1-0 {mate}"),
    ([(1.0, "resign"), (1.1, "move a2a3")], "resign"), ([(11.9, "move a2a3")], "a2a3"),
    ([(12.1, "move a2a3")], "12 s")])
def test_an_xboard_engine_may_claim_a_result_and_still_move(
    lines: list[tuple[float, str]], answer: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = Script(monkeypatch)
    engine = script.engine(outside.Xboard)
    engine.begin({})
    script.now, script.lines = 0.0, lines
    if answer == "a2a3":
        assert engine.move([]) == answer
    else:
        with pytest.raises(outside.Forfeit, match=answer):
            engine.move([])


def test_uci_engine_receives_the_time_of_its_turn_and_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(monkeypatch, (1, "id name Script"), (2, "option name Hash Size type spin"), (3, "uciok"),
                    (4, "readyok"), (5, "readyok"), (6, "info"), (7, "bestmove a2a3 ponder b7b6"), (8, "readyok"),
                    (20.1, "bestmove a3a4"))
    engine = script.engine(outside.Uci)
    engine.begin({"hash size": "16"})
    assert script.sent == ["uci", "setoption name Hash Size value 16", "ucinewgame", "isready"]
    script.sent.clear()
    assert engine.move(["b2b3"]) == "a2a3"
    assert script.sent == ["isready", "position startpos moves b2b3", "go movetime 2000"]
    engine.limits = {"nodes": 50}
    script.sent.clear()
    with pytest.raises(outside.Silent, match="within 12 s"):
        engine.move([])
    assert script.sent == ["isready", "position startpos", "go movetime 7000 nodes 50"] and script.now == 20
    script.lines = [(script.now, "uciok")]
    with pytest.raises(ZrfError, match="has no option `hash size`"):
        engine.begin({"hash size": "16"})


# ------------------------------------------------------------------------------------------------------- the command


def test_a_match_against_an_engine_reports_why_games_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["match", "random", fake("illegal"), "--game", GAME, "--games", "4", "--workers", "2", "--json",
                 "--results", str(tmp_path / "r")])
    assert code == 0
    found = json.loads(capsys.readouterr().out)
    assert found["won"] == 4
    assert any("plays `a1a8`, which is not legal" in reason for reason, _ in found["reasons"])


@pytest.mark.parametrize(("name", "said"), [
    (fake("well", options=""), "needs a limit for its turns"),
    (fake("well", "xboard", "nodes=100"), "needs a limit for its turns"),
    ("uci:?cpu=1", "is not an external engine"),
    (fake("well", "xboard", "cpu=0"), "needs a limit for its turns"),
    (fake("well", options="time=nan"), "needs a limit for its turns"),
    (fake("well", options="cpu=soon"), "is not an external engine"),
    ("uci:'x?cpu=1", "is not an external engine"),
    (fake("well", options="time=1&Even Name=2"), "has no option `Even Name`"),
    (fake("well", "xboard", "time=1&variant=third"), "has no variant `third`"),
    ("uci:no-such-program-anywhere?cpu=1", "there is no program `no-such-program-anywhere`"),
    (fake("stillborn"), "can't play this game: python"), (fake("mute"), "did not reply within"),
])
def test_unplayable_engines_are_refused_at_once(name: str, said: str) -> None:
    with pytest.raises(ZrfError) as error:
        Match((name, "random")).job(load(GAME).program)
    assert said in error.value.summary() and not children()


@pytest.mark.skipif(os.name == "nt", reason="Windows recognises programs by the extension")
def test_programs_that_cannot_be_started_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "engine"
    broken.write_bytes(b"\x7fELF and nothing more")
    broken.chmod(0o755)
    monkeypatch.setattr(outside.shutil, "which", lambda name: None if name == "setpriv" else name)
    with pytest.raises(ZrfError, match="engine can't be started"):
        Match((f"uci:{broken}?cpu=1", "random")).job(load(GAME).program)


def test_options_are_sent_by_their_own_names() -> None:
    Match((fake("well", options="time=1&odd name=3"), "random")).job(load(GAME).program)
    Match((fake("well", "xboard", "time=1&variant=other"), "random")).job(load(GAME).program)


@pytest.mark.parametrize("game", ["checkers", "amazons", "stern-3p", "wuerfel-2p"])
def test_games_that_engines_cannot_play_are_refused(game: str) -> None:
    with pytest.raises(ZrfError, match="two sides, without chance or turns of several moves"):
        Match((fake("well"), "random")).job(load(game).program)


def test_external_engines_are_started_only_by_matches() -> None:
    """Names of players from other sources (a page, a saved game, a tool for language models) start no process."""
    from zrf_py.serve import opponents
    from zrf_py.serve.table import Table

    name = fake("well")
    for refuse in (lambda: player(name), lambda: read_controllers(load(GAME), name),
                   lambda: opponents.choose(load(GAME).start(), name, 1, 1.0)):
        with pytest.raises(ZrfError, match="there is no player"):
            refuse()
    table = Table("x" * 12, GAME, None, "", seats={})
    table.info = {"players": [{"name": "White", "kind": "player"}]}
    table.sit({"White": name})
    assert table.seats == {"White": "human"} and name not in opponents.kinds()


def test_servers_do_not_load_the_code_for_outside_engines() -> None:
    program = ("import sys, zrf_py.serve.app, zrf_py.serve.worker, zrf_py.mcp.server, zrf_py.play.session; "
               "print([m for m in sys.modules if m.startswith('zrf_py.batch')])")
    pytest.importorskip("mcp")
    pytest.importorskip("starlette")
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True,
                          check=True).stdout == "[]\n"


# ---------------------------------------------------------------------------------------------------- texts of moves


def test_moves_are_written_like_python_chess_writes_them() -> None:
    chess = pytest.importorskip("chess")
    engine = engine_of("chess")
    names = Coordinates(engine.program)
    for seed in range(6):
        choice, board, position = random.Random(seed), chess.Board(), engine.start()
        for _ in range(120):
            ours = {names.texts(position, move)[0]: move for move in engine.moves(position)}
            assert sorted(ours) == sorted(move.uci() for move in board.legal_moves), board.fen()
            if not ours or board.is_game_over():
                break
            text = choice.choice(sorted(ours))
            assert names.read(engine, position, text) == ours[text]
            position = engine.after(position, ours[text])
            board.push_uci(text)


TOGETHER = ["chess", "xiangqi", "shogi", "minishogi", "makruk", "breakthrough"]


@pytest.mark.slow
@pytest.mark.parametrize("game", TOGETHER)
def test_moves_are_written_like_fairy_stockfish_writes_them(game: str) -> None:
    """The texts are compared with the engine's own list of legal moves (`go perft 1`) at every ply of random games."""
    command = shutil.which("fairy-stockfish", path=ENGINES)
    if not command:
        pytest.skip("fairy-stockfish isn't installed")
    engine = engine_of(game)
    names = Coordinates(engine.program)
    theirs = outside.start(f"uci:{command}?UCI_Variant={game}&time=1", None, None, None)
    compared = differing = 0
    try:
        for seed in range(3):
            choice, position, line = random.Random(seed), engine.start(), list[str]()
            for _ in counted(range(60)):
                ours = {names.texts(position, move)[0]: move for move in engine.moves(position)}
                known = legal_moves(theirs, line)
                compared += 1
                differing += set(ours) != known
                both = sorted(set(ours) & known)
                if not both:
                    break
                line.append(choice.choice(both))
                position = engine.after(position, ours[line[-1]])
                if position.result is not None:
                    break
    finally:
        theirs.close()
    assert compared > 50
    assert differing <= compared * 0.02, f"{differing} of {compared} lists differ"


def legal_moves(engine: outside.Process, line: list[str]) -> set[str]:
    engine.say(" ".join(["position startpos moves", *line]), "go perft 1")
    found = set()
    while True:
        text = engine.lines.get(timeout=HANG)
        assert text is not None
        if text.startswith("Nodes searched"):
            return found
        if ": 1" in text and not text.startswith("info"):
            found.add(text.partition(":")[0])


def test_xboard_counts_ten_ranks_from_zero() -> None:
    program: Program = load("xiangqi").program
    names = {place.name: i for i, place in enumerate(program.game.board.places)}
    assert Coordinates(program).squares[names["a1"]] == "a1"
    assert Coordinates(program, 10).squares[names["a1"]] == "a0"
    assert Coordinates(program, 10).squares[names["i10"]] == "i9"
    assert Coordinates(load("chess").program, 10).squares[0] == load("chess").program.game.board.places[0].name


def test_squares_have_files_and_ranks_whatever_their_names() -> None:
    program = load("shogi").program
    names = {place.name: i for i, place in enumerate(program.game.board.places)}
    squares = Coordinates(program).squares
    assert (squares[names["9a"]], squares[names["1i"]], squares[names["5e"]]) == ("a9", "i1", "e5")
    star = load("stern-3p").program
    assert set(Coordinates(star).squares.values()) == {place.name for place in star.game.board.places}


def test_ambiguous_move_texts_are_refused() -> None:
    """If two types share a letter, drops of both have the same text, so the text is refused."""
    rules = """(game (title "t") (players A B) (turn-order A B)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("2/1" (0 10)))))
      (piece (name Man) (notation "M") (drops ((verify empty?) add)))
      (piece (name Mole) (notation "m") (drops ((verify empty?) add)))
      (board-setup (A (Man off 2) (Mole off 2)) (B (Man off 2) (Mole off 2))))"""
    engine = loads(rules).engine
    names, start = Coordinates(engine.program), engine.start()
    texts = [names.texts(start, move)[0] for move in engine.moves(start)]
    assert len(texts) == 8 and len(set(texts)) == 4
    assert names.read(engine, start, texts[0]) is None
    assert names.read(engine, start, "a1a2") is None
