"""`python -m zrf_py`: the same as the command `zrf`."""

import sys

from zrf_py.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
