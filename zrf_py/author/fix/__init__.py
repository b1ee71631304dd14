"""Safe fixes: apply the edits that messages about a text suggest."""
