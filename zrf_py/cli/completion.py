"""`zrf completion`: print shell completion code."""

import argparse

SHELLS = {
    "bash": "zrf completion bash > ~/.local/share/bash-completion/completions/zrf",
    "zsh": "zrf completion zsh > ~/.zfunc/_zrf   (a folder in your fpath)",
    "tcsh": "zrf completion tcsh > ~/.zrf.tcsh   (and source it in ~/.tcshrc)",
}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print a completion script. To install it: " + "; ".join(SHELLS.values())
    parser.add_argument("shell", choices=tuple(SHELLS), help="shell for which to print the script")


def run(args: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(args.parser, args.shell))
    return 0
