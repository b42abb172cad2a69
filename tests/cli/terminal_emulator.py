"""The screen of a terminal, as far as the tests need it: what is on it, and how many lines that takes."""

from __future__ import annotations

import re
from io import TextIOBase

CONTROL = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b[=>]|\x1b\][^\x07]*\x07")


class TerminalEmulator(TextIOBase):
    """A terminal with any number of lines, which counts those that are used since it was last cleared."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.lines: list[list[str]] = [[]]
        self.row = self.column = 0

    def write(self, text: str) -> int:
        """Show a text, and carry out the control sequences in it."""
        position = 0
        for match in CONTROL.finditer(text):
            self._show(text[position : match.start()])
            self._control(match[1] or "", match[2] or "")
            position = match.end()
        self._show(text[position:])
        return len(text)

    def _show(self, text: str) -> None:
        for character in text:
            if character == "\n":
                self._move_to(self.row + 1, 0)
            elif character == "\r":
                self.column = 0
            elif character == "\b":
                self.column = max(0, self.column - 1)
            elif character >= " ":
                if self.column == self.columns:
                    self._move_to(self.row + 1, 0)
                line = self.lines[self.row]
                line.extend(" " * (self.column + 1 - len(line)))
                line[self.column] = character
                self.column += 1

    def _control(self, numbers: str, letter: str) -> None:
        count = int(numbers) if numbers.isdecimal() else 0
        if letter == "A":
            self._move_to(max(0, self.row - max(1, count)), self.column)
        elif letter == "C":
            self.column += max(1, count)
        elif letter == "H":
            self._move_to(0, 0)
        elif letter == "J":
            del self.lines[0 if count == 2 else self.row + 1 :]
            self._move_to(self.row, self.column)
        elif letter == "K":
            del self.lines[self.row][0 if count == 2 else self.column :]

    def _move_to(self, row: int, column: int) -> None:
        self.lines.extend([] for _ in range(row + 1 - len(self.lines)))
        self.row, self.column = row, column

    @property
    def text(self) -> str:
        """What is shown now, the line of the cursor included, without spaces at the ends of lines."""
        used = max([self.row, *(row for row, line in enumerate(self.lines) if "".join(line).strip())])
        return "\n".join("".join(line).rstrip() for line in self.lines[: used + 1])
