"""Safe fixes: rules with problems -> the edits that their messages ask for, applied."""
