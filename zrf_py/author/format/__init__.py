"""Rules text -> the same rules in one style: `layout.formatted` for texts, `files.format_file` for files on disk."""
