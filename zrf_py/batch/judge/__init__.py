"""The judge of games: self-play by the thousand → what designers look at, as text, data and a page with plots."""
