"""`zrf why`: explain why a move is legal or not, and how close the game is to its end."""

import argparse

from zrf_py.cli.common import add_game, add_json, add_position, open_position, print_json
from zrf_py.text.diagnostics import ZrfError


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Trace every block that could generate the move: its path, the results of its tests, and where it stops; then "
        "the rules that remove generated moves: priorities, maximal captures, royal pieces in check, passing.")
    add_game(parser)
    question = parser.add_argument("question", metavar="MOVE|PIECE@SQUARE|SQUARE",
                                   help="a move (`e2 e5`), a piece type and a square (`Pawn@e4`), or a square")

    class End(argparse.Action):
        """Action of `--end`: makes the question optional. With `nargs="?"` a question could not follow options."""

        def __call__(self, parser: object, namespace: argparse.Namespace, *values: object) -> None:
            question.required = False
            namespace.end = True

    parser.add_argument("--end", action=End, nargs=0, default=False,
                        help="show which end conditions hold, and what the others still need")
    add_position(parser)
    parser.add_argument("--full", action="store_true", help="show every step of every block")
    add_json(parser, "print JSON, with every step")


def run(args: argparse.Namespace) -> int:
    """Return exit code 0 whatever the answer is."""
    from zrf_py.author.why.ends import why_end
    from zrf_py.author.why.explainer import why_move
    from zrf_py.author.why.objects import Objects
    from zrf_py.author.why.page import as_text
    from zrf_py.author.why.steps import Answer

    if bool(args.question) == args.end:
        raise ZrfError("ask exactly one question: a move, a piece, a square, or --end", "bad-question")
    position = open_position(args, "interpret")
    result = why_end(position) if args.end else why_move(position, args.question)
    if args.json:
        objects = Objects(position)
        print_json(objects.answer(result) if isinstance(result, Answer) else objects.ends(result))
    else:
        print(as_text(position, result, args.full))
    return 0
