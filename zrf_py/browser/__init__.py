"""The host of the rules editor in a browser, for Pyodide: `host.py` answers the messages of the page."""
