"""Formatter of rules files: `layout.formatted` and `files.format_text` for texts, `files.rewrite_file` for files."""
