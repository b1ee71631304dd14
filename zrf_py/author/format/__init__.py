"""Formatter of rules files: `layout.formatted` for texts, `files.format_file` for files."""
