"""`zrf moves`: list the legal moves of a position."""

import argparse

from zrf_py.cli.common import add_engine, add_game, add_json, add_position, open_position, print_json


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_position(parser)
    parser.add_argument("--turns", action="store_true", help="list complete turns instead of single legs")
    add_json(parser)
    add_engine(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.play.foreign import foreign_note, missing_rules

    position = open_position(args, args.engine)
    game = position.game
    listed = [[text] for text in map(str, position.moves())]
    if args.turns:
        from zrf_py.play.turns import turns

        listed = [[str(leg) for leg in position.named(turn.legs)] for turn in turns(game.engine, position.state)]
    if args.json:
        outcome = position.outcome()
        print_json({
            "game": game.title,
            "player": position.player if position.state.result is None else None,
            "in_turn": position.in_turn,
            "program": foreign_note(game.program) or None,
            "moves": [legs[0] if len(legs) == 1 else legs for legs in listed],
            "outcome": None if outcome is None else
            {"winners": outcome.winners, "losers": outcome.losers, "reason": outcome.reason},
        })
        return 0
    for legs in listed:
        print("; ".join(legs))
    if not listed:
        print(f"# no moves: {missing_rules(game.program) or position.outcome() or 'no player has a turn'}")
    return 0
