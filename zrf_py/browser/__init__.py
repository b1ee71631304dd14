"""The rules editor's Python in a browser, run by Pyodide: `host.py` answers the messages of the page."""
