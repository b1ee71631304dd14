"""Text being written -> what an editor shows of it: problems, names, meanings, completions. Knows no protocol."""
