"""One game as code of its own: its blocks are functions, its tables constants, its end conditions tests."""
