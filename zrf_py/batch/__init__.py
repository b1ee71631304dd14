"""Games by the thousand: jobs, where they run and where their results are kept; matches; the judge of games."""
