"""What holds for all tests."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs so; tests of Ctrl-C would wait for ever, and programs started here inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
