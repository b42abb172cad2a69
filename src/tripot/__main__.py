"""The entry point of the `tripot` command, also as `python -m tripot`."""

from __future__ import annotations

import sys

INTERRUPTED = 130  # exit code of a program that Ctrl-C ended: 128 and the number of the signal


def main() -> None:
    """Run the command. Ctrl-C ends it with one line, also while its modules are being imported."""
    try:
        from tripot.cli import main as run

        run()
    except KeyboardInterrupt:
        print("tripot: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
