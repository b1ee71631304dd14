"""Alpha-beta in machine code."""
