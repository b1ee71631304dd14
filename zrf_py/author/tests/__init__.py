"""Pages with positions and expected moves -> tests that are run."""
