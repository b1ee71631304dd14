"""Direction of play of each player: up the board, or down."""

from zrf_py.front.model import Game


def goes_down(game: Game, player: int) -> bool:
    """Return True if a player sits at the upper side: the symmetry inverts a direction that leads up, or, without a
    symmetry, the player's pieces start above the middle on average."""
    board = game.board
    turned = board.symmetry[player]
    for direction, (_, dy) in enumerate(slopes := [_slope(game, d) for d in range(len(board.directions))]):
        if dy < 0 and turned[direction] != direction:
            return slopes[turned[direction]][1] > 0
    middles = [(p.rectangle[1] + p.rectangle[3]) / 2 for p in board.places]
    own = [middles[square] for p, _, square in game.setup if p == player]
    top, bottom = min(middles, default=0), max(middles, default=0)
    return bool(own) and sum(own) / len(own) < top + 0.4 * (bottom - top)


def _slope(game: Game, direction: int) -> tuple[float, float]:
    """Return the average offset (dx, dy) of a direction's links, in pixels."""
    places = game.board.places
    steps = [(places[b].rectangle[0] - places[a].rectangle[0], places[b].rectangle[1] - places[a].rectangle[1])
             for a, b in enumerate(game.board.links[direction]) if b >= 0]
    count = len(steps) or 1
    return sum(dx for dx, _ in steps) / count, sum(dy for _, dy in steps) / count
