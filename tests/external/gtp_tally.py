"""A GTP program for the toy game, which tests run as a process; its argument selects a fault."""

from __future__ import annotations

import sys

COMMANDS = (
    "known_command",
    "set_game",
    "name",
    "version",
    "clear_board",
    "play",
    "genmove",
    "all_legal",
    "quit",
)


def main(fault: str) -> None:
    heap, size = 0, 5
    for line in sys.stdin:
        command, *words = line.split()
        answer = ""
        match command:
            case "known_command":
                answer = str(words[0] in COMMANDS and fault != f"no {words[0]}").lower()
            case "set_game":
                size = int(words[-1])
            case "name":
                answer = "Heaper"
            case "version":
                answer = "1,5"
            case "clear_board":
                heap = size
            case "play":
                heap -= int(words[1])
            case "genmove" if fault in ("pass", "resign", "4", "x"):
                answer = fault
            case "genmove" if fault == "end":
                sys.exit("no more of this")
            case "genmove":
                heap -= 1
                answer = "1"
            case "all_legal":
                maximum = min(3, heap) - (fault == "blind")
                answer = "\n".join(map(str, range(1, maximum + 1)))
            case "quit":
                print("= \n", flush=True)
                return
            case _:
                print(f"? unknown command ({command})\n", flush=True)
                continue
        print(f"= {answer}\n", flush=True)


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
