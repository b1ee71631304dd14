"""Rules text -> the same rules in the standard style: `layout.formatted` for texts, `files.format_file` for files."""
