"""The visual editors: moves of a piece and boards, drawn by clicks; text and clicks in, edits of the text out."""
