"""Judge of games: statistics of thousands of self-play games for designers, as text, data and a page with plots."""
