"""Safe fixes: applies the edits that the messages about a text ask for."""
