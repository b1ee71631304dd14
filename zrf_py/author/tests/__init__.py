"""Pages with positions and expected moves -> tests that can be run."""
