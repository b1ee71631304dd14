"""The command `zrf`: reads the command line, runs one command, and turns every failure into one clear message.

Each command is a module with two functions: `add` describes its arguments; `run` imports what it needs, so that
`--help` does not wait for slow imports. Only the module of the requested command is loaded.
"""

import argparse
import errno
import json
import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from zrf_py import __version__

COMMANDS: dict[str, str] = json.loads(Path(__file__).with_name("help.json").read_text("utf-8"))["commands"]
"""Command → help line. The module of a command has the name of the command, or the one in `MODULES`."""
MODULES = {"list": "listing", "cache": "cached", "site": "web_site"}
OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code: 0 success, 1 a problem was found, 2 wrong usage, 130 after Ctrl-C."""
    from zrf_py.cli.common import write_anywhere

    _reopen_closed_streams()
    write_anywhere((sys.stdout, sys.stderr))
    try:
        args = _parse(list(sys.argv[1:] if argv is None else argv))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE
    try:
        code = int(args.run(args))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        if making := sys.modules.get("zrf_py.native.making"):  # loaded only with the native engine
            making.leave(finish=False)
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return _silence()
    except Exception as error:
        if _was_interrupted(error):
            return INTERRUPTED
        if os.environ.get("ZRF_DEBUG"):
            raise
        return _report(error)


def _reopen_closed_streams() -> None:
    """Replace standard streams that are closed, as by `>&-` or in a service, with the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - open until the process ends


def _parse(words: list[str]) -> argparse.Namespace:
    """Parse the command line; print help for `help`, `help COMMAND` or no words. Errors suggest similar words."""
    names = words[1:2] if words[:1] == ["help"] else words[:1]
    parser, commands = make_parser(COMMANDS if names == ["completion"] else names)
    if any("\0" in word for word in words):
        parser.error("an argument contains a NUL character, which is never valid")
    if not words or words[0] == "help":
        words = [*words[1:2], "--help"]
    word = words[0]
    if not word.startswith("-") and word not in commands:
        parser.error(f"there is no command `{word}`{_guess(word, commands)}")
    words = [str(Path.cwd() / "-") if word != "-" and str(Path(word)) == "-" else word for word in words]
    args, unknown = parser.parse_known_args(words)  # `Path` turns ./- into -, so ./- was made absolute above
    if unknown:
        command = commands.get(word, parser)
        options = [name for name in command.format_help().replace(",", " ").split() if name.startswith("--")]
        command.error(f"unknown argument `{unknown[0]}`{_guess(unknown[0].partition('=')[0], options, word)}")
    return args


def _guess(word: str, names: Iterable[str], command: str = "") -> str:
    from zrf_py.text.suggest import suggest

    otherwise = f"; `zrf help {command}` lists the options" if command else "; `zrf help` lists the commands"
    guess = suggest(word, names)
    return f": did you mean `{guess}`?" if guess else otherwise


def make_parser(
    names: Collection[str] = COMMANDS,
) -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Return the parser of the command line and those of the commands; only commands in `names` get their arguments."""
    from zrf_py.cli.common import typed

    parser = argparse.ArgumentParser(
        prog="zrf", description="Play, check and examine board games written as rules files (.zrf).",
        epilog="A game is the name of a bundled game (`zrf list`) or the path of a rules file, which may be inside a "
        ".zip archive. The file name - stands for standard input or standard output; progress and notes then go to "
        "standard error. `zrf help COMMAND` shows the options of a command.",
    )
    parser.add_argument("--version", action="version", version=f"zrf {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, does in COMMANDS.items():
        command = commands.add_parser(name, help=does)
        if name in names:
            for kind, noun in ((int, "a whole number"), (float, "a number")):
                command.register("type", kind, typed(kind, noun))
            module = import_module(f"zrf_py.cli.{MODULES.get(name, name)}")
            module.add(command)
            command.description = command.description or f"{does[0].upper()}{does[1:]}."
            command.set_defaults(run=module.run, parser=parser)
    return parser, commands.choices


def _was_interrupted(error: BaseException | None) -> bool:
    """Return whether Ctrl-C caused an error: Python wraps a `KeyboardInterrupt` raised while a class is created."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None


def _silence() -> int:
    """Redirect standard output after a broken pipe, so that Python does not flush it at exit; return the exit code."""
    try:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - has to stay open until the process ends
    except OSError:
        return FAILED
    return OK


def _report(error: Exception) -> int:
    """Print an exception as a message, without a traceback; return the exit code."""
    from zrf_py.cli.common import print_problems
    from zrf_py.text.diagnostics import Diagnostic, ZrfError
    from zrf_py.text.extras import install_command

    if isinstance(error, ZrfError):
        diagnostics = error.diagnostics
    elif isinstance(error, OSError):
        # files are written under `writing`, which names them, so an error without a name is about standard output
        name = error.filename or ("standard output" if error.errno in (errno.ENOSPC, errno.EIO) else "")
        diagnostics = [Diagnostic("system", f"{name}: {error.strerror or error}" if name else str(error), None)]
    elif isinstance(error, ImportError) and (error.name or "").startswith("llvmlite"):
        diagnostics = [Diagnostic("no-native-engine", f"this command needs machine code: {error}", None,
                                  help="`pip install llvmlite`, or give the process more memory")]
    elif isinstance(error, ModuleNotFoundError) and not (error.name or "zrf_py").startswith("zrf_py"):
        diagnostics = [Diagnostic("missing-extra", f"{sys.executable} has no package `{error.name}`", None,
                                  help="start zrf in the environment where it is installed (`. .venv/bin/activate`), "
                                  f"or install the package: `{install_command([str(error.name)])}`")]
    else:
        text = f"{type(error).__name__}: {error}".rstrip(": ")
        diagnostics = [Diagnostic("internal", f"zrf itself failed: {text}", None,
                                  help="please report this bug; ZRF_DEBUG=1 prints a traceback")]
    print_problems(diagnostics, stream=sys.stderr)
    return FAILED
