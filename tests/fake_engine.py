"""A scripted engine for Breakthrough that behaves well, or badly in the way that its first argument names.

It speaks UCI and the XBoard protocol. It moves the first pawn that can step straight ahead; if none can, the first that
can move diagonally.
"""

from __future__ import annotations

import sys
import time

START = {f"{file}{rank}": side for side, ranks in (("w", "12"), ("b", "78")) for rank in ranks for file in "abcdefgh"}


def pushed(moves: list[str]) -> str:
    """Return a step of the first pawn that can go ahead, else of the first that can go diagonally, else `0000`."""
    board = dict(START)
    for move in moves:
        board[move[2:]] = board.pop(move[:2])
    side, step = ("w", 1) if len(moves) % 2 == 0 else ("b", -1)
    for aside in (0, -1, 1):
        for square in sorted(board):
            ahead = f"{chr(ord(square[0]) + aside)}{int(square[1]) + step}"
            blocked = board.get(ahead) == side or (ahead in board and not aside)
            if board[square] == side and not blocked and ahead[0] in "abcdefgh" and ahead[1] in "12345678":
                return square + ahead
    return "0000"


def say(line: str) -> None:
    print(line, flush=True)


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def answer(way: str, moves: list[str], word: str) -> None:
    """Answer a request to move, well or badly as `way` says."""
    late = len(moves) > 6
    if way == "dies" and late:
        sys.exit(3)
    if way == "silent" and late:
        return
    if way == "chatty":
        for number in range(30_000):
            print("info string", number)
    if way == "illegal" and late:
        say(f"{word} a1a8")
    elif way == "lies" and late:  # a move of the other side, as if asked about another position
        say(f"{word} {pushed([*moves, 'x' * 4][: len(moves) - 1])}")
    elif way == "babble" and late:
        say(f"{word} ){{;%\x00 é")
    elif way == "none" and late:
        say("resign" if word == "move" else "bestmove (none)")
    elif way == "claims" and late:
        say("1-0 {White mates}" if word == "move" else "bestmove")
    else:
        say(f"{word} {pushed(moves)}")


def main() -> None:
    way = sys.argv[1] if len(sys.argv) > 1 else "well"
    moves: list[str] = []
    clock = 0.0
    if way == "stillborn":
        sys.exit(1)
    if way == "mute":
        time.sleep(1000)
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "uci":
            say("id name fake")
            say("option name Odd Name type spin default 1 min 0 max 9")
            say("uciok")
        elif word == "isready":
            if way == "early":
                say("bestmove h8h1")
            say("readyok")
        elif word == "position":
            moves = rest[2:]
        elif word == "protover":
            say('feature myname="fake" usermove=1 ping=0 variants="normal,other" done=1')
        elif word == "usermove":
            moves.append(rest[0])
        elif word == "time":
            clock = int(rest[0]) / 100
        elif word == "go" and not rest:
            if way == "hasty":  # a third of its share: the clock's time, divided by the moves to the next 40th
                burn(clock / (40 - len(moves) // 2 % 40) / 3)
            answer(way, moves, "move")
            moves.append(pushed(moves))
        elif word == "go":
            if way == "busy":  # uses processor time until it is stopped
                import select

                while not select.select([sys.stdin], [], [], 0)[0]:
                    burn(0.001)
                sys.stdin.readline()
            answer(way, moves, "bestmove")
        elif word == "quit" and way != "stubborn":
            return
    if way == "stubborn":
        time.sleep(1000)


if __name__ == "__main__":
    main()
