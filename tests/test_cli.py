"""The command `zrf`: its output on each stream, and its exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.playing import HANG, counted, slow
from zrf_py.cli.main import COMMANDS, main, make_parser

ROOT = Path(__file__).parent.parent


@pytest.fixture
def zrf(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """A function that runs the command in this process, with `given` on its standard input, and returns exit code,
    standard output, standard error."""

    def run(*words: str, given: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8"))
        code = main(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def process(*words: str, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "zrf_py", *words], input=given, capture_output=True, text=True, cwd=ROOT, timeout=HANG,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.zrf"
    path.write_text('(game (title "Broken") (players White Black)\n  (turn-order White Blakc)\n  (no-such-thing))\n')
    return path


# ---------------------------------------------------------------------------------------------------- the command line


def test_help_names_common_commands(zrf):
    code, out, _ = zrf("--help")
    assert code == 0
    for word in ("play", "check", "moves", "perft", "replay", "show", "list", "explain"):
        assert word in out


BRIEF = {"solve", "moves", "perft", "show", "list", "explain", "agree", "cache"}
MEASURED = {"N", "S", "H", "SECONDS", "PIXELS", "DEPTH", "VALUE"}
"""Placeholders for arguments that are numbers; only the numbers of players in `list` may also be ranges."""


def test_every_command_and_argument_is_described():
    for name, command in counted(make_parser(COMMANDS)[1].items()):
        is_brief = command.description.lower().rstrip(".") == COMMANDS[name].lower().rstrip(".")
        assert is_brief == (name in BRIEF), "a description says more than the list of commands, save those of BRIEF"
        parsers = [command]
        while parsers:
            for argument in parsers.pop()._actions:
                assert argument.help, f"{name} {argument.dest}"
                assert argument.type or argument.metavar not in MEASURED or argument.dest == "players", name
                parsers += argument.choices.values() if isinstance(argument.choices, dict) else []


def test_the_version_is_printed(zrf):
    import zrf_py

    assert zrf("--version")[:2] == (0, f"zrf {zrf_py.__version__}\n")


@pytest.mark.parametrize("words", [("dance",), ("check",), ("perft", "chess", "many"), ("perft", "chess", "-3")])
def test_wrong_usage_exits_with_2(zrf, words):
    code, out, err = zrf(*words)
    assert (code, out) == (2, "")
    assert "usage:" in err


@pytest.mark.parametrize("words", [(), ("help",), ("-h",)])
def test_the_bare_command_prints_help(zrf, words):
    code, out, err = zrf(*words)
    assert (code, err) == (0, "")
    assert "solve a puzzle" in out


def test_help_prints_the_help_of_a_command(zrf):
    assert zrf("help", "perft")[1] == zrf("perft", "--help")[1] != ""


@pytest.mark.parametrize(("words", "guess"), [
    (("chek",), "check"), (("relpay", "x.zsg"), "replay"), (("analyse", "chess", "--tme", "4"), "--time"),
    (("perft", "chess", "2", "--divde"), "--divide")])
def test_misspelt_commands_get_suggestions(zrf, words, guess):
    code, out, err = zrf(*words)
    assert (code, out) == (2, "")
    assert f"did you mean `{guess}`?" in err


def test_completion_names_the_commands(zrf):
    pytest.importorskip("shtab")
    code, out, _ = zrf("completion", "bash")
    assert code == 0 and "replay" in out and "--divide" in out


def test_help_imports_no_parser_and_no_engine():
    code = "import sys; from zrf_py.cli.main import main; main(['--help']); print(sorted(sys.modules), file=sys.stderr)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=HANG)
    for heavy in ("'lark'", "'rich'", "'zrf_py.run.interpret'", "'zrf_py.front.parse'", "'llvmlite'"):
        assert heavy not in result.stderr


def test_unknown_game_gets_suggestions(zrf):
    code, out, err = zrf("perft", "tictactow", "1")
    assert (code, out) == (1, "")
    assert "did you mean `tictactoe`?" in err


def test_internal_errors_show_no_traceback(zrf, monkeypatch):
    monkeypatch.setattr("zrf_py.library.load_file", lambda name: 1 / 0)
    code, _, err = zrf("moves", "tictactoe")
    assert code == 1
    assert "zrf itself failed: ZeroDivisionError" in err
    assert "Traceback" not in err


def test_a_missing_package_is_not_a_fault_of_zrf(zrf, monkeypatch):
    def without(name):
        raise ModuleNotFoundError("No module named 'lark'", name="lark")

    monkeypatch.setattr("zrf_py.library.load_file", without)
    code, _, err = zrf("moves", "tictactoe")
    assert code == 1 and "has no package `lark`" in err and "pip install lark" in err and "bug" not in err


def test_internal_errors_show_a_traceback_on_request(zrf, monkeypatch):
    monkeypatch.setattr("zrf_py.library.load_file", lambda name: 1 / 0)
    monkeypatch.setenv("ZRF_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        zrf("moves", "tictactoe")


def test_closed_output_pipe_is_not_an_error():
    command = f"{sys.executable} -m zrf_py explain | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT, timeout=HANG)
    assert result.stdout == "Keywords\n"
    assert result.stderr == ""


def test_output_that_nobody_reads_is_a_success():
    nobody, out = os.pipe()
    os.close(nobody)
    result = subprocess.run([sys.executable, "-m", "zrf_py", "explain"], stdout=out, stderr=subprocess.PIPE, cwd=ROOT,
                            timeout=HANG)
    os.close(out)
    assert (result.returncode, result.stderr) == (0, b"")


# --------------------------------------------------------------------------------------------------------------- check


def test_check_reports_that_there_are_no_errors(zrf):
    assert zrf("check", "tictactoe") == (0, "tictactoe: no problems (1 game)\n", "")


def test_check_shows_all_problems_of_all_files(zrf, broken):
    code, out, err = zrf("check", str(broken), "tictactoe", "no-such-file.zrf")
    assert code == 1
    assert "`Blakc`" in out
    assert "`no-such-thing`" in out
    assert "tictactoe: no problems" in out
    assert "error[no-such-game]" in out
    assert err == ""


def test_short_format_of_check_has_one_line_per_problem(zrf, broken):
    _, out, _ = zrf("check", str(broken), "--format", "short")
    assert all(line.startswith(f"{broken}:") for line in out.splitlines())


def test_check_prints_json(zrf, broken):
    code, out, _ = zrf("check", str(broken), "tictactoe", "--format", "json")
    assert code == 1
    assert {"file", "line", "code", "message"} <= json.loads(out)[0].keys()


# ------------------------------------------------------------------------------------------------------- moves, perft


def test_moves_are_listed(zrf):
    code, out, _ = zrf("moves", "tictactoe", "--play", "b2; a1")
    assert (code, len(out.splitlines())) == (0, 7)
    assert "X Mark a3" in out.splitlines()


def test_moves_of_a_changed_position_are_listed(zrf):
    _, out, _ = zrf("moves", "tictactoe", "--position", "(X Mark a1) (O Mark b2)")
    assert len(out.splitlines()) == 7


def test_moves_prints_the_result_after_the_end(zrf):
    _, out, _ = zrf("moves", "tictactoe", "--play", "a1; b1; a2; b2; a3")
    assert out == "# no moves: X won (three in a row)\n"


def test_moves_are_printed_as_json(zrf):
    found = json.loads(zrf("moves", "tictactoe", "--json")[1])
    assert (found["game"], found["player"], len(found["moves"])) == ("Tic-Tac-Toe", "X", 9)


def test_turns_are_listed_as_sequences_of_legs(zrf):
    out = zrf("moves", "halma", "--position", "(White Man d5)", "--turns")[1]
    assert "partial 2 Man a5 - c5; partial 2 Man c5 - e5" in out.splitlines()


def test_impossible_move_is_reported(zrf):
    code, _, err = zrf("moves", "tictactoe", "--play", "a1; a1")
    assert code == 1
    assert "error[no-such-move]" in err


def test_perft_prints_the_number_of_leaves(zrf):
    code, out, _ = zrf("perft", "tictactoe", "3")
    assert code == 0
    assert out.startswith("perft 3 504 ")


def test_perft_is_divided_by_first_moves(zrf):
    out = zrf("perft", "tictactoe", "2", "--divide")[1].splitlines()
    assert out[0] == "X Mark a3: 8"
    assert len(out) == 10


def test_perft_of_depth_0_is_1(zrf):
    assert zrf("perft", "tictactoe", "0")[1].startswith("perft 0 1 ")


# ------------------------------------------------------------------------------------------------- list, show, explain


def test_list_names_the_shelf(zrf):
    lines = dict(line.split("\t", 1) for line in zrf("list")[1].splitlines())
    assert lines["halma"] == "Halma\t2\t16 x 16"


def test_list_prints_json(zrf):
    entries = {e["name"]: e for e in json.loads(zrf("list", "--json")[1])}
    assert entries["tictactoe"]["board"] == "3 x 3"


def test_show_prints_facts_about_a_variant(zrf):
    out = zrf("show", "halma", "--variant", "1", "--zones")[1]
    for words in ("Halma for Four", "White, Red, Black, Green", "pass partial", "Invented by George Howard Monks"):
        assert words in out


def test_show_prints_the_program_of_a_piece(zrf):
    out = zrf("show", "tictactoe", "--program", "--piece", "Mark")[1]
    assert out == "Program of Mark\n  drops 1\n      0  empty? else end\n      1  add\n      2  end\n"


def test_show_program_names_the_types_of_blocks(zrf):
    out = zrf("show", "checkers", "--program", "--piece", "Man")[1]
    types = [line.partition("type ")[2] for line in out.splitlines() if line.startswith("  moves ")]
    assert types.count("jumping") >= 2 and types.count("stepping") >= 2 and "" not in types


def test_explain_describes_keywords_and_codes(zrf):
    assert "add-partial — a keyword of" in zrf("explain", "add-partial")[1]
    assert "missing-include — the code of a message" in zrf("explain", "missing-include")[1]


def test_explain_takes_everyday_words_in_the_plural_and_by_their_path(zrf):
    assert zrf("explain", "hexagons")[1] == zrf("explain", "test/Hexagons")[1] == zrf("explain", "grid")[1]


def test_explain_suggests_similar_words(zrf):
    code, _, err = zrf("explain", "add-partail")
    assert code == 1
    assert "did you mean `add-partial`?" in err


# -------------------------------------------------------------------------------------------------------------- replay


def saved(path: Path, *moves: str, rules: str = "tictactoe.zrf") -> str:
    lines = ["Zillions Save Game File Version 0.02 HH", f"RulesFile={rules}", "VariantName=Tic-Tac-Toe", *moves]
    path.write_bytes("\r\n".join([*lines, ""]).encode())
    return str(path)


def test_replay_reports_legal_moves(zrf, tmp_path):
    path = saved(tmp_path / "game.zsg", "1. X Mark b2", "1. O Mark a1")
    assert zrf("replay", path) == (0, f"{path}: 2 moves, all legal (Tic-Tac-Toe)\n", "")


def test_replay_reports_where_it_stops(zrf, tmp_path):
    path = saved(tmp_path / "game.zsg", "1. X Mark b2", "1. O Mark b2")
    code, out, _ = zrf("replay", path)
    assert code == 1
    assert f"{path}:5: stopped after 1 of 2 moves" in out
    assert "recorded: 1. O Mark b2" in out
    assert "2  · [X] ·  2" in out
    assert "  O Mark b3\n" in out


def test_replay_goes_on_after_the_end(zrf, tmp_path):
    moves = ["1. X Mark a1", "1. O Mark b1", "2. X Mark a2", "2. O Mark b2", "3. X Mark a3", "3. O Mark b3"]
    assert zrf("replay", saved(tmp_path / "game.zsg", *moves))[0] == 0


def test_replay_reports_missing_rules(zrf, tmp_path):
    code, _, err = zrf("replay", saved(tmp_path / "game.zsg", rules="lost.zrf"))
    assert code == 1
    assert "`lost.zrf` of the saved game is missing" in err


def test_replay_refuses_other_files(zrf, tmp_path):
    (tmp_path / "note.zsg").write_text("hello")
    code, _, err = zrf("replay", str(tmp_path / "note.zsg"))
    assert code == 1
    assert "is not a saved game" in err


# ---------------------------------------------------------------------------------------------------------------- play


def test_play_reads_from_a_pipe():
    result = process("play", "tictactoe", given="a1\nb1\na2\nb2\na3\nundo\nquit\n")
    assert (result.returncode, result.stderr) == (0, "")
    assert "The game is over: X won (three in a row)." in result.stdout
    assert result.stdout.count("X> ") == 4


def test_play_ends_with_its_input(zrf):
    code, _, err = zrf("play", "tictactoe", given="a1\n")
    assert (code, err) == (0, "")


def test_computers_play_by_themselves(zrf):
    words = ("play", "tictactoe", "--players", "greedy,random", "--seed", "7")
    code, out, _ = zrf(*words)
    assert code == 0
    assert "The game is over" in out
    assert zrf(*words)[1] == out


def test_play_can_use_plain_letters(zrf):
    out = zrf("play", "nine-mens-morris", "--ascii", given="help\nquit\n")[1]
    assert out and out.isascii()


def test_play_saves_and_loads(zrf, tmp_path):
    path = tmp_path / "kept.zsg"
    zrf("play", "tictactoe", given=f"b2\na1\nsave {path}\nquit\n")
    assert "X to move: 7 moves" in zrf("play", "tictactoe", "--load", str(path), given="moves\nquit\n")[1]
    assert zrf("play", "--load", str(path), given="quit\n")[0] == 0


def test_a_saved_game_of_other_rules_is_refused_by_its_title_and_file(zrf, tmp_path):
    path = tmp_path / "a game.zsg"
    zrf("play", "tictactoe", given=f"b2\nsave {path}\nquit\n")
    for words in (("play", "chess", "--load", str(path)), ("replay", str(path), "--rules", "chess")):
        code, _, err = zrf(*words)
        assert code == 1 and "is a game of `Tic-Tac-Toe` (tictactoe.zrf), which is not a variant of chess" in err
        assert f"`zrf play --load '{path}'`" in err
    assert "`zrf show FILE` lists the variants" in zrf("play", "chess", "--variant", "Quoits")[2]


def test_a_number_beyond_the_variants_is_refused(zrf):
    assert "chess.zrf has no variant 5: its only game is number 0\n" in zrf("moves", "chess", "--variant", "5")[2]
    assert "halma.zrf has no variant 99: they go from 0 to " in zrf("moves", "halma", "--variant", "99")[2]


def test_play_needs_a_game(zrf):
    code, _, err = zrf("play")
    assert code == 1
    assert "give the name of a game" in err


def test_play_suggests_a_similar_player(zrf):
    code, _, err = zrf("play", "tictactoe", "--players", "gredy")
    assert code == 1
    assert "did you mean `greedy`?" in err


def test_agree_compares_the_engines(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("llvmlite")
    assert main(["agree", "tictactoe", "--plies", "30"]) == 0
    assert "1 of 1 games agree, plies compared: 30" in capsys.readouterr().out


def test_cache_prints_its_place_and_size(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    assert main(["check", "tictactoe"]) == 0
    assert main(["cache"]) == 0
    assert f"{tmp_path / 'zrf_py'}: " in capsys.readouterr().out
    assert main(["cache", "--clear"]) == 0
    assert main(["cache"]) == 0
    assert "0 files" in capsys.readouterr().out


# -------------------------------------------------------------------------------------------------------------- analyse


@pytest.mark.slow
def test_analyse_lists_the_outcomes_of_a_roll(zrf):
    """The lines are the outcomes of the roll, with their values for the next player."""
    code, out, _ = zrf("analyse", "rakado-star-3p", "--nodes", "3000")
    head, chance, columns, *lines = out.splitlines()
    assert code == 0 and head.startswith("# ?Dice to move;") and len(lines) == 3
    assert columns.split() == ["score", "chance", "turns", "line", "of", "play"]
    assert chance.startswith("# random turn, all outcomes equally likely; average for South: ")
    assert all(abs(float(line.split()[0])) < 10 and line.split()[3].isdigit() for line in lines)
    found = json.loads(zrf("analyse", "rakado-star-3p", "--nodes", "3000", "--json")[1])
    assert (found["player"], found["worth_to"]) == ("?Dice", "South")
    assert abs(found["expected"]) < 10


def test_a_review_is_readable_and_respects_its_limits(zrf, monkeypatch):
    """A king's first move has an `@` in saved games, but not in reviews; these name a better move for a `??`."""
    from zrf_py.play import advice

    asked, real = [], advice.analyse
    monkeypatch.setattr(advice, "analyse", lambda *here, **limits: asked.append(limits) or real(*here, **limits))
    code, out, _ = zrf("analyse", "chess", "--play", "e4;e5;Qh5;Ke7;Qxe5#", "--review", "--nodes", "2000")
    head, *lines = out.splitlines()
    assert head.split() == ["player", "chance", "to", "win", "move"]
    rows = [line.split(" %  ")[-1].split() for line in lines]
    assert not code and [row[0] for row in rows] == ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]
    assert rows[3][1:3] == ["??", "better:"] and len(rows[3]) == 4 and "@" not in out
    assert len(asked) == 5 and {(one["nodes"], one["time"]) for one in asked} == {(2000, None)}
    asked.clear()
    assert not zrf("analyse", "tictactoe", "--play", "b2", "--review", "--time", "0.01")[0]
    assert [one["time"] for one in asked] == [0.01, 0.01] and {one["nodes"] for one in asked} == {None}


def test_a_review_without_moves_says_so(zrf):
    code, out, err = zrf("analyse", "tictactoe", "--review", "--nodes", "50")
    assert (code, out) == (1, "") and "there is no move to review" in err and "--play" in err
    assert zrf("analyse", "tictactoe", "--review", "--nodes", "50", "--json")[:2] == (0, "[]\n")


@pytest.mark.parametrize("words, message", [
    (("play", "chess", "--plies", "x"), "argument --plies: `x` is not a whole number\n"),
    (("analyse", "chess", "--time", "soon"), "argument --time: `soon` is not a number\n"),
    (("match", "chess", "random", "random", "--sprt", "0", "?"), "argument --sprt: `?` is not a number\n"),
    (("agree", "chess", "--plies", "1_000"), "`1_000` is not a whole number from 1 to 2,147,483,647\n"),
    (("agree", "chess", "--plies", "+5"), "`+5` is not a whole number from 1 to 2,147,483,647\n"),
])
def test_what_is_no_number_is_named(zrf, words, message):
    code, _, err = zrf(*words)
    assert code == 2 and err.endswith(message)


def test_a_new_game_needs_an_existing_folder(zrf, tmp_path):
    code, _, err = zrf("new", str(tmp_path / "sub" / "x.zrf"))
    assert code == 1 and "x.zrf can't be written: it is in a folder that doesn't exist" in err
    code, out, _ = zrf("new", str(tmp_path / "my game.zrf"))
    assert code == 0 and f"play: zrf play '{tmp_path / 'my game.zrf'}'\n" in out


def test_compare_shows_an_empty_board_as_text_that_can_be_read(zrf, tmp_path):
    names = [str(tmp_path / f"{kind}.zrf") for kind in ("drops", "men")]
    for name, kind in zip(names, ("drops", "men"), strict=True):
        zrf("new", name, "--kind", kind)
    code, out, _ = zrf("compare", *names)
    assert code == 1 and "\n  empty | turn White 0\n" in out


def test_a_saved_game_is_analysed_by_its_name(zrf, tmp_path):
    """Its end is analysed, or each move with `--review`; a game that is over can only be reviewed."""
    path = tmp_path / "mate.pgn"
    path.write_text("1. f3 e5 2. g4 *")
    assert "Qh4#" in zrf("analyse", str(path), "--depth", "1")[1]
    path.write_text("1. f3 e5 2. g4 Qh4#")
    code, _, err = zrf("analyse", str(path), "--depth", "1")
    assert code == 1 and "--review" in err
    assert len(zrf("analyse", str(path), "--review", "--nodes", "50")[1].splitlines()) == 5


def test_an_unknown_option_leads_to_the_help_of_its_command(zrf):
    """`--load` is an option of `play` only; other commands take a saved game as a `--position`."""
    for option, help in (("--load", ": did you mean `--position`?"),
                         ("--xyzzy", "; `zrf help analyse` lists the options")):
        code, _, error = zrf("analyse", "chess", option, "my.zsg")
        assert code == 2 and f"unknown argument `{option}`{help}" in error


def test_too_many_players_are_refused(zrf):
    """If fewer players are given, the last one stands for the rest; more are an error."""
    code, _, error = zrf("play", "chess", "--players", "human,ai:3,ai:3")
    assert code == 1 and "3 players are given for 2 seats: White, Black" in error
    code, _, error = zrf("play", "stern-3p", "--players", "human,ai:1", "--plies", "0")
    assert code == 0 and not error


def test_a_loaded_game_keeps_its_players(zrf, tmp_path):
    """The headers give their names and say which of them are computer players; `--players` overrides them."""
    path = tmp_path / "game.zsg"
    path.write_text('Zillions Save Game File Version 0.02 HC\nRulesFile=chess.zrf\n; [White "Ada"]\n')
    assert "White: Ada (human) · Black: ai:5" in zrf("play", "--load", str(path), given="quit\n")[1]
    assert "White: Ada (human) · Black: human" in zrf("play", "--load", str(path), "--players", "human",
                                                        given="quit\n")[1]


@pytest.mark.parametrize(("name", "players", "seats"), [
    ("chess", "human,ai:3", "White: human · Black: ai:3"), ("chess", "greedy,human", "White: greedy · Black: human"),
    ("chess", "human,ai:5", "White: human · Black: ai:5"),
    ("dice", "human,ai:3", "White: human · Black: ai:3")])
def test_a_saved_game_keeps_the_levels_of_its_computers(zrf, tmp_path, name, players, seats):
    """A random player has a seat in the file, but none in `--players` and in the line that names the players."""
    if name == "dice":
        name = str(tmp_path / "dice.zrf")
        Path(name).write_text("""
            (game (title "Dice") (players White ?Dice Black) (turn-order White ?Dice Black)
              (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1/2/3" (0 9))) (directions (n 0 1))))
              (piece (name Man) (moves (n add))) (board-setup (White (Man a3)) (?Dice (Man b3)) (Black (Man c3))))""")
    path = tmp_path / "game.zsg"
    zrf("play", name, "--players", players, "--plies", "1", "--seed", "1", given=f"save {path}\nquit\n")
    assert seats in zrf("play", "--load", str(path), "--plies", "0", given="quit\n")[1]
    people = zrf("play", "--load", str(path), "--players", "human", "--plies", "0", given="quit\n")[1]
    assert ": ai:3" not in people and ": human" not in people and "random" not in people


def test_an_unknown_level_is_reported(zrf):
    code, _, err = zrf("play", "chess", "--players", "ai:11")
    assert code == 1 and "ai:1 to ai:10; ai:10 is the strongest" in err


def test_a_question_mark_explains_the_questions_of_new(capsys, tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    answers = Terminal("?\nrow\n\n\n4\n")
    monkeypatch.setattr("sys.stdin", answers)
    assert main(["new", str(tmp_path / "a.zrf")]) == 0
    out = capsys.readouterr().out
    assert "three in a row" in out and "hexagons" in out and not answers.read()


def test_check_reports_a_dll_that_has_all_the_moves(zrf, tmp_path):
    path = tmp_path / "dll.zrf"
    text = """(game (title "D") (players A B) (turn-order A B) (engine "d.dll")
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1))))
      (piece (name Man){moves}) (board-setup (A (Man a1)) (B (Man b2))))"""
    path.write_text(text.format(moves=""))
    assert "The board can be viewed but not played." in " ".join(zrf("check", str(path))[1].split())
    path.write_text(text.format(moves=" (moves (n add))"))
    assert "viewed but not played." not in " ".join(zrf("check", str(path))[1].split())


def test_a_note_says_that_a_dll_has_the_rules(zrf, tmp_path):
    path = tmp_path / "far.zrf"
    path.write_text("""(game (title "Far") (engine "far.dll") (players White Black) (turn-order White Black)
      (option "pass turn" true)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1" (0 9))) (directions (e 1 0))))
      (piece (name Man)) (board-setup (White (Man a1))))""")
    for words in (("moves",), ("perft", "2"), ("export", "-o", str(tmp_path / "far.html"))):
        code, _, err = zrf(words[0], str(path), *words[1:])
        assert code == 0 and "its rules are in the engine DLL far.dll" in err, words
    assert not zrf("moves", "chess")[2]


def test_a_folder_of_saved_games_without_rules_leads_to_the_option(zrf, tmp_path):
    path = tmp_path / "a.zsg"
    path.write_text("Zillions Save Game File Version 0.02 HC\nRulesFile=Nix.zrf\n1. Man a1 - a2\n")
    assert "with `--rules`" in zrf("replay", str(tmp_path))[2]
    assert not zrf("replay", str(tmp_path), "--rules", "chess")[2]


def test_the_summary_of_a_folder_has_single_blanks(zrf, tmp_path):
    for name, text in (("a", "(game"), ("b", "(game (title 3))")):
        (tmp_path / f"{name}.zrf").write_text(text)
    lines = zrf("check", str(tmp_path))[1].splitlines()
    assert lines[0].startswith(f"{tmp_path}/a.zrf:1: ") and not lines[0].startswith(f"{tmp_path}/a.zrf:1:  ")


def test_train_refuses_a_missing_folder_before_it_begins(zrf, tmp_path, monkeypatch):
    monkeypatch.setattr("zrf_py.train.rounds.train", lambda *_: pytest.fail("began to train"))
    for output in (tmp_path / "none" / "a.weights", tmp_path):
        code, _, err = zrf("train", "tictactoe", "-o", str(output))
        assert code == 1 and "can't be written" in err and "existing folder" in err


@pytest.mark.slow
def test_analyse_a_position_with_a_player_to_move(zrf):
    code, out, _ = zrf("analyse", "tictactoe", "--depth", "2", "--lines", "1")
    assert code == 0 and len(out.splitlines()) == 3
    found = json.loads(zrf("analyse", "tictactoe", "--depth", "2", "--json")[1])
    assert (found["player"], found["worth_to"], found["expected"]) == ("X", "X", None)


# ------------------------------------------------------------------------------------------------- nobody has a turn


def test_a_game_without_turns_is_reported(zrf, tmp_path, monkeypatch):
    path = tmp_path / "still.zrf"
    path.write_text('(game (title "Still") (players ?Dice) (board (positions (a 0 0 9 9))) (piece (name Man))'
                    '(board-setup (?Dice (Man a))))')
    monkeypatch.setattr("sys.stdin", io.StringIO())
    code, out, _ = zrf("play", str(path))
    assert code == 0 and "no player has a turn" in out
    code, _, err = zrf("judge", str(path), "--results", str(tmp_path / "results"))
    assert code == 1 and "no player has a turn" in err


# ----------------------------------------------------------------------------------------- other systems, other habits


@pytest.mark.parametrize("encoding", ["ascii", *slow(["cp1252", "cp437", "utf-16"])])
def test_output_works_on_every_console(tmp_path, encoding):
    """Characters that a console can't encode do not make a command fail."""
    path = tmp_path / "cyrillic.zrf"
    rules = (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8")
    path.write_text(rules.replace("Tic-Tac-Toe", "Крестики −∞"), "utf-8")
    every = [["show", path], ["moves", path], ["check", path], ["help"],
             ["match", "random", "random", "--game", path, "--games", "2", "--workers", "1",
              "--results", tmp_path / "r"],
             ["play", path, "--players", "random", "--plies", "2"], ["show", path, "--json"]]
    code = f"""
from zrf_py.cli.main import main
for words in {[[str(word) for word in words] for words in every]!r}:
    print(flush=True)
    if main(words):
        raise SystemExit(f"{{words}} failed")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=HANG,
                          env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode(encoding)
    assert "Traceback" not in text and "internal" not in text
    assert json.loads(text[text.index("{"):])["title"] == "Крестики −∞"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("line_end", ["\r", "\r\n", "\n"])
def test_files_of_any_editor_are_read(zrf, tmp_path, encoding, line_end):
    text = "; a comment\n" + (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8").replace("Tic-Tac-Toe", "Café")
    path = tmp_path / "GAME.ZRF"
    path.write_bytes(text.encode("cp1252", "replace").decode("cp1252").replace("\n", line_end).encode(encoding))
    assert zrf("check", str(path))[0] == 0
    assert json.loads(zrf("show", str(path), "--json")[1])["title"] == "Café"


@pytest.mark.parametrize("data", [b"\0" * 2000, b"\xff\xfe\0", b"PK\x03\x04\0\0", bytes(range(256)) * 4])
def test_binary_input_sends_no_control_characters(zrf, tmp_path, data):
    path = tmp_path / "binary.zrf"
    path.write_bytes(data)
    code, out, err = zrf("check", str(path))
    assert code == 1 and "error[" in out
    assert all(c.isprintable() or c == "\n" for c in out + err)


def test_rules_come_from_the_standard_input(zrf):
    rules = (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8")
    for words in (("check", "-"), ("moves", "-"), ("perft", "-", "1"), ("show", "-"),
                  ("analyse", "-", "--nodes", "50")):
        code, out, err = zrf(*words, given=rules)
        assert code == 0 and out, err


@pytest.mark.parametrize("words", [
    ("show", "tictactoe"), ("perft", "tictactoe", "2", "--divide"), ("explain", "verify"), ("explain",), ("cache",),
    ("agree", "tictactoe", "--plies", "3"), ("moves", "tictactoe"), ("list",), ("check", "tictactoe"),
    ("solve", "monks-solitaire-1", "--time", "0.1"), ("analyse", "tictactoe", "--nodes", "50")])
def test_commands_print_json_on_request(zrf, words):
    json.loads(zrf(*words, "--json")[1])


def test_a_folder_named_like_a_game_does_not_hide_it(zrf, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chess").mkdir()
    (tmp_path / "halma-2p").mkdir()
    assert len(zrf("moves", "chess")[1].splitlines()) == 20
    assert zrf("moves", "halma-2p")[0] == 0
    for name in ("a.zrf", "b.zrf"):
        (tmp_path / "chess" / name).write_text("(game)", "utf-8")
    assert zrf("check", "chess")[1].startswith("chess: no problems")


def test_check_of_a_folder_ends_with_a_summary(zrf, broken):
    good = broken.parent / "deep" / "GOOD.ZRF"
    good.parent.mkdir()
    good.write_bytes((ROOT / "rules" / "tictactoe.zrf").read_bytes())
    code, out, _ = zrf("check", str(broken.parent))
    lines = out.splitlines()
    assert code == 1
    assert lines[0].startswith(f"{broken.parent}/broken.zrf:") and "(and " in lines[0]
    assert "2 rules files" in lines[-1] and "1 without errors, 1 with errors" in lines[-1]
    assert len(lines) < 10 < len(zrf("check", str(broken.parent), "--full")[1].splitlines())
    assert json.loads(zrf("check", str(broken.parent), "--json")[1])[0]["file"].endswith("broken.zrf")


@pytest.mark.parametrize(("words", "some", "none"), [
    (("sternhalma",), "stern-2p", "chess"), (("--players", "4"), "halma-4p", "halma-2p"),
    (("--source", "1889"), "monks", "chess"),
    (("--names", "che"), "chess", "Chess")])
def test_list_filters_games(zrf, words, some, none):
    code, out, _ = zrf("list", *words)
    assert code == 0
    names = [line.split("\t")[0] for line in out.splitlines()]
    assert any(some in name for name in names)
    assert none not in names


def test_an_empty_list_is_reported(zrf):
    assert zrf("list", "no-such-words")[0] == 1


def test_results_are_stored_outside_the_current_folder(zrf, tmp_path, monkeypatch):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("ZRF_STATE", str(tmp_path / "state"))
    assert zrf("match", "random", "random", "--game", "tictactoe", "--games", "2", "--workers", "1")[0] == 0
    assert not list(here.iterdir())
    assert (tmp_path / "state" / "results.sqlite").exists()
    assert "results.sqlite" in zrf("cache")[1]


POOR = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (150_000 << 10,) * 2)
from zrf_py.__main__ import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited in this way only on Linux")
def test_the_interpreter_counts_if_llvm_cannot_be_loaded(tmp_path: Path) -> None:
    def poor(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", POOR, *words], cwd=ROOT, capture_output=True, text=True,
                              timeout=HANG)

    counted = poor("perft", "tictactoe", "3")
    assert (counted.returncode, counted.stdout.split()[:3]) == (0, ["perft", "3", "504"])
    assert counted.stderr.count("the slower interpreter is used") == 1
    exported = poor("export", "tictactoe", "-o", str(tmp_path / "page.html"))
    assert exported.returncode == 1
    assert "error[no-native-engine]: this command needs machine code" in exported.stderr


UNKNOWN = """
import pwd, sys
def nobody(uid): raise KeyError(uid)
pwd.getpwuid = nobody
from zrf_py.__main__ import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no user database like that of POSIX")
@pytest.mark.parametrize("words", [("list",), ("check", "tictactoe"), ("perft", "tictactoe", "2"), ("cache",),
                                   ("play", "tictactoe", "--players", "random", "--plies", "2")])
def test_commands_need_no_home(words: tuple[str, ...]) -> None:
    """They work for a user without HOME and without an entry in the user database, as in containers."""
    hidden = ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "ZRF_CACHE", "ZRF_STATE")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run([sys.executable, "-c", UNKNOWN, *words], cwd=ROOT, env=env, capture_output=True, text=True,
                          timeout=HANG, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_standard_output_is_named() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "zrf_py", "list"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1 and "standard output: No space left" in result.stderr
