"""Games as web pages that need no server: `page(game)` returns one page; `site(folder, output)` writes a whole site.

>>> from zrf_py.export import page
>>> text = page("tictactoe")
>>> text.startswith("<!doctype html>")
True
"""

from zrf_py.author.sharing import link_of
from zrf_py.export.page import page
from zrf_py.export.site import Site, site

__all__ = ["Site", "link_of", "page", "site"]
