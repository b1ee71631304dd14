"""One game compiled to code of its own: functions for blocks, constants for tables, tests for end conditions."""
