"""The example that learns connect four on a fleet."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
pytest.importorskip("llvmlite")


@pytest.mark.slow
def test_the_learned_policy_beats_random_moves() -> None:
    from tests import learning

    untrained, trained = learning.score(learning.np.zeros(learning.KINDS)), learning.score(learning.train())
    assert untrained < 0.9, "it is the learning that makes the difference"
    assert trained > 0.95
