"""Visual editors for boards and for the moves of a piece: they turn drawings into edits of the text."""
