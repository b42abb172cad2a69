"""One game in the terminal: people and bots at a table, from the first prompt to the result.

`GameScreen` shows the game; this module decides who acts, reads what people type, and saves the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Final

from rich.text import Text

from tripot import i18n
from tripot.bot import Bot
from tripot.cli.compiling import compiling
from tripot.cli.console import (
    MAX_INLINE_ACTIONS,
    QuitError,
    ask,
    capitalised,
    confirm,
    console,
    errors,
    line_count,
    print_actions,
    print_announcements,
    print_drawings,
    print_pages,
    shortened,
)
from tripot.cli.game_screen import GameScreen, error_text
from tripot.cli.info import print_rules
from tripot.game import (
    CHANCE,
    Action,
    AnyGame,
    Candidate,
    IllegalActionError,
    Limit,
    ParseError,
    Seat,
    TripotError,
)
from tripot.table import ActionReport, Table

BOT_PAUSE: Final = 0.8
"""Minimum seconds between two boards in a terminal if only bots play."""

MAX_DRAWN_ACTIONS: Final = 24
"""The maximum number of drawings that are shown to choose from: they fit into 80 by 24."""

HELP: Final = """\
  a move       as it is written here, or its number in the list
  list [TEXT]  all legal actions (that begin with TEXT) and their effects
  hint [map]   the best moves by the strongest level; on a distance map
  undo         take the last move back
  draw         offer a draw
  resign       resign the game
  rules [N]    the rules, or one clause of them
  save FILE    write the game so far to a file
  quit         quit; the game is saved and can be resumed
  Enter        show the board again"""


HELP_FOR_PIECES: Final = """\
  list         the pieces that you can place
  PIECE CELL   the places of a piece that cover a cell; a piece or a cell alone will do"""


def print_pieces(drawings: Sequence[tuple[str, tuple[str, ...]]]) -> None:
    """Print the pieces that may be placed, and how to choose one."""
    print_drawings(drawings)
    console.print("Type a piece, or a piece and a cell that it covers.", markup=False)


class SaveError(TripotError):
    """A record cannot be written to a file."""


class TerminalGame:
    """A game that people at one terminal play, with or without bots.

    table      the table; it may have been resumed
    file       the record, which is written after every action
    limit      the limit of a bot or a hint per move
    rngs       the generator of chance and that of the engines
    real_dice  whether people type in the results of chance
    """

    def __init__(
        self, table: Table, file: Path, limit: Limit, rngs: tuple[Random, Random], real_dice: bool = False
    ) -> None:
        self.table, self.file, self.limit, self.real_dice = table, file, limit, real_dice
        self.chance, self.engine_rng = rngs
        self.screen = GameScreen(table)
        self.is_saving = True
        self.written_files = {file.resolve()}  # files that this game has written and may overwrite
        self.unseen_actions: list[int] = []  # indices of the actions since a person last saw the board
        self.seen_count = table.action_count  # how many actions' skipped turns the people have seen
        self.replayed_chance: list[Action] = []  # chance outcomes of another game that are used again
        self.choices: list[Action] = []  # what a short text may mean, in the order of its numbers
        self.numbered = False  # whether the person to act has seen the numbers of the actions
        self._bots: dict[tuple[Seat, int], Bot] = {}  # by seat and level; kept for the whole game

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.table.game

    def run(self) -> bool:
        """Play until the game is over, and return True; return False if somebody quits before that."""
        for seat, player in enumerate(self.table.players):
            if player.level is not None:
                self._bot_of(seat, player.level)
        try:
            while (actor := self.table.to_act) is not None:
                for bot in self._bots.values():
                    bot.observe(self.table.state)
                if actor is CHANCE:
                    self._chance_turn()
                elif self.table.players[actor].is_bot:
                    self._bot_turn(actor)
                else:
                    self._human_turn(actor)
                self._autosave()
            self._show_result()
        except (QuitError, KeyboardInterrupt):
            self._show_resume_hint()
            return False
        finally:
            for bot in self._bots.values():
                bot.close()
        return True

    def _bot_of(self, seat: Seat, level: int) -> Bot:
        """Return the bot of a level that plays a seat, or gives hints to the person on it."""
        if (seat, level) not in self._bots:
            self._bots[seat, level] = Bot(self.game, level, seat)
            self._bots[seat, level].observe(self.table.state)
        return self._bots[seat, level]

    # -- turns --

    def _chance_turn(self) -> None:
        """Let chance act: at random, as in the replayed game, or as people type it in (X-1)."""
        for action in self.replayed_chance:
            with suppress(IllegalActionError):
                self.table.apply_chance(action)
                self.replayed_chance.remove(action)
                return
        if self.real_dice:
            self._ask_chance()
        else:
            self.table.sample_chance(self.chance)

    def _ask_chance(self) -> None:
        """Ask for the result of real dice or draws until it is valid."""
        example = shortened(str(self.table.state.sample_chance(Random(0))), 200)
        instruction = f"Type in the result, for example: {example}"
        self.screen.show_board(None, Text(instruction, style="dim"))
        count = self.table.action_count
        while self.table.action_count == count:
            text = ask("Chance> ")
            word, _, rest = text.partition(" ")
            try:
                if word in ("quit", "q", "exit"):
                    raise QuitError
                if word == "rules":
                    print_rules(self.game, rest.strip())
                elif word in ("help", "?", ""):
                    console.print(instruction, markup=False)
                    console.print("quit ends the game, rules [N] shows the rules.", markup=False)
                else:
                    self.table.apply_chance(text)
            except TripotError as error:
                self.screen.show_note(None, error_text(self.game, error))

    def _bot_turn(self, seat: Seat) -> None:
        level = self.table.players[seat].level
        assert level is not None
        if console.is_terminal:
            skips = self._skips_text(self.screen.viewer())
            self.screen.show_board(self.screen.viewer(), Text(skips, style="green") if skips else None)
            if not self.screen.human_seats:
                self.seen_count = self.table.action_count
        started = time.monotonic()
        candidate = self._choose(seat, level)
        if console.is_terminal and not self.screen.human_seats:
            time.sleep(max(0.0, BOT_PAUSE - (time.monotonic() - started)))
        self._act(seat, candidate.action)
        if not console.is_terminal:
            _, text = self.table.view_for(self.screen.viewer()).log[-1]
            console.print(f"{self.screen.label(seat)}: {text}", markup=False)
            self._print_skips()

    def _print_skips(self) -> None:
        """Outside a terminal, say as the next line which turns were skipped."""
        if skips := self._skips_text(self.screen.viewer()):
            console.print(skips, style="green")
        self.seen_count = self.table.action_count

    def _choose(self, seat: Seat, level: int) -> Candidate:
        bot = self._bot_of(seat, level)
        with self._searching(f"{self.screen.label(seat)} is searching"):
            return bot.choose(self.limit, self.engine_rng)

    def _human_turn(self, seat: Seat) -> None:
        """Ask a person until something has changed on the table."""
        self.screen.hand_over(seat)
        self.choices = []
        self.numbered = len(self.table.state.offered_actions()) <= MAX_INLINE_ACTIONS
        self.screen.show_board(seat, self._effects_note(seat))
        self.unseen_actions = []
        before = self.table.action_count, self.table.termination
        while (self.table.action_count, self.table.termination) == before:
            text = ask(f"{i18n.seat_name(self.game, seat)}> ")
            try:
                self._handle_input(seat, text)
            except TripotError as error:
                self.screen.show_note(seat, error_text(self.game, error))

    @contextmanager
    def _searching(self, text: str) -> Iterator[None]:
        """Show that an engine is searching, or that it is being compiled."""
        with console.status(text) as status, compiling(self.game, status):
            yield

    # -- input of a person --

    def _handle_input(self, seat: Seat, text: str) -> None:
        """Carry out an input. The text of a legal action takes precedence over a command."""
        offered = self.table.state.offered_actions()
        by_text = {str(action): action for action in self.table.state.legal_actions()}
        by_number = {str(number): action for number, action in enumerate(offered, 1)} if self.numbered else {}
        if self.choices:
            by_number = {str(number): action for number, action in enumerate(self.choices, 1)}
        word, _, rest = text.partition(" ")
        action = by_text.get(text) or by_number.get(text) or by_text.get(text.lower())
        if action:
            self._act(seat, action)
        elif word.lower() in COMMANDS:
            COMMANDS[word.lower()](self, seat, rest.strip())
        elif not (matches := self.table.state.matching_actions(text)):
            if text.isdecimal():
                reason = (
                    f"the numbers end at {len(by_number)}" if by_number else "type list to see the numbers"
                )
                raise ParseError(text, reason)
            self.table.act(seat, text)  # raises an error with the reason
        elif len(matches) == 1:  # `c4` for `lay c4`
            self._act(seat, matches[0])
        else:
            self._show_choices(seat, text, matches)

    def _show_choices(self, seat: Seat, text: str, matches: Sequence[Action]) -> None:
        """Draw the actions that a short text may mean, with numbers to choose one."""
        state = self.table.state
        drawings = [state.draw_action(action, text) for action in matches]
        if not all(drawings):
            raise ParseError(text, f"it may mean {len(matches)} actions; type more of it")
        if len(matches) <= MAX_DRAWN_ACTIONS:
            self.choices = [*matches]
            named = [(str(number), drawing) for number, drawing in enumerate(drawings, 1)]
            cell = state.named_cell(text) or "named below it"
            instruction = f"Type the number of the one you mean; * is {cell}."
        else:
            shapes = [*dict.fromkeys(state.draw_action(action) for action in matches)][:MAX_DRAWN_ACTIONS]
            named = [("", shape) for shape in shapes]
            instruction = f"{len(matches)} places. Add a cell that it covers, such as {text} CELL."
            if state.named_cell(text):
                instruction = f"{len(matches)} places. Add a cell that it covers, or type a piece and a cell."

        def print_choices() -> None:
            print_drawings(named)
            console.print(instruction, markup=False)

        self._show_pages(seat, print_choices)

    def _act(self, seat: Seat, action: Action) -> None:
        """Act; a person who sees the board again is told the effects."""
        self.table.act(seat, action)
        self.unseen_actions.append(self.table.action_count - 1)

    def _effects_note(self, viewer: Seat) -> Text | None:
        """Return the effects of actions that have not been shown yet, as far as a viewer may know them.

        They are followed by the turns that were skipped after them.
        """
        sentences = []
        for index in range(min([self.seen_count, *self.unseen_actions]), self.table.action_count):
            report = self.table.report_action(index, viewer)
            if index in self.unseen_actions and report.effects and report.seat is not None:
                effects = " ".join(i18n.render(self.game, effect) for effect in report.effects)
                sentences.append(f"{i18n.seat_name(self.game, report.seat)} {report.text}: {effects}")
            if index >= self.seen_count:
                sentences += self._skip_sentences(report)
        self.seen_count = self.table.action_count
        room = self.screen.lines_for_note(viewer, with_prompt=True)
        text = " ".join(sentences)
        while len(sentences) > 1 and room is not None and line_count(Text(text)) > room:
            del sentences[0]  # the last ones are the most important
            text = " ".join(["…", *sentences])
        return Text(text, style="green") if text else None

    def _skip_sentences(self, report: ActionReport) -> list[str]:
        """Return a sentence for each turn that was skipped after an action."""
        return [f"{i18n.seat_name(self.game, seat)} cannot play and is skipped." for seat in report.skipped]

    def _skips_text(self, viewer: Seat | None) -> str:
        """Return which seats were skipped since the people at the screen have last seen it; each once."""
        reports = (
            self.table.report_action(index, viewer)
            for index in range(self.seen_count, self.table.action_count)
        )
        return " ".join(
            dict.fromkeys(sentence for report in reports for sentence in self._skip_sentences(report))
        )

    def _redraw(self, seat: Seat, _rest: str) -> None:
        self.screen.show_board(seat)

    def _show_pages(self, seat: Seat, print_content: Callable[[], None], *ending: str) -> None:
        """Show a long text; what is typed between two of its pages is carried out as usual."""
        if text := print_pages(print_content, *ending):
            self._handle_input(seat, text)

    def _help(self, seat: Seat, _rest: str) -> None:
        def print_help() -> None:
            console.print(HELP, markup=False)
            if self.table.state.draw_pieces():
                console.print(HELP_FOR_PIECES, markup=False)
            print_announcements(self.game, self.table.state)

        self._show_pages(seat, print_help, "")

    def _list(self, seat: Seat, rest: str) -> None:
        pieces = self.table.state.draw_pieces()
        if pieces and not rest:
            self._show_pages(seat, lambda: print_pieces(pieces))
            return
        self.choices = []
        self.numbered = True
        self._show_pages(seat, lambda: print_actions(self.game, self.table.view_for(seat).view, rest))

    def _rules(self, seat: Seat, rest: str) -> None:
        self._show_pages(seat, lambda: print_rules(self.game, rest))

    def _hint(self, seat: Seat, rest: str) -> None:
        if rest not in ("", "map"):
            raise ParseError(f"hint {rest}", "expected `hint` or `hint map`")
        bot = self._bot_of(seat, self.game.levels[-1])
        with self._searching("Searching for a hint"):
            analysis = bot.analyse(self.limit, self.engine_rng)
        view = self.table.view_for(seat).view
        hint = view.hint(analysis)
        if not hint.candidates:
            raise IllegalActionError("TABLE", "notice")
        self.screen.show_hint(seat, view, hint, show_map=bool(rest))

    def _save(self, seat: Seat, rest: str) -> None:
        if not rest:
            raise ParseError("save", "expected the name of a file after `save`")
        path = Path(rest).expanduser()
        if path.exists() and path.resolve() not in self.written_files:
            raise SaveError(f"{rest} exists already; choose another name")
        save(self.table, path)
        self.written_files.add(path.resolve())
        self.screen.show_note(seat, Text(f"Saved in {rest}.", style="green"))

    def _undo(self, seat: Seat, _rest: str) -> None:
        """Take the last action of a person back; at one screen no other player has to agree."""
        humans = self.screen.human_seats
        actors = [actor for actor, _ in self.table.view_for(None).log if actor in humans]
        last = actors[-1] if actors else seat
        assert last is not None
        self.table.offer_undo(last)
        for other in range(len(self.table.players)):
            if self.table.offer and other != last:
                self.table.answer_offer(other, accept=True)
        self.unseen_actions, self.seen_count = [], self.table.action_count

    def _offer_draw(self, seat: Seat, _rest: str) -> None:
        self.table.offer_draw(seat)
        for other, player in enumerate(self.table.players):
            if not self.table.offer or other == seat:
                continue
            accepts = self._bot_accepts(other) if player.is_bot else self._human_accepts(other, seat)
            self.table.answer_offer(other, accept=accepts)
            if not self.table.offer and not self.table.outcome:
                self.screen.show_note(seat, Text(f"{self.screen.label(other)} plays on.", style="red"))

    def _human_accepts(self, seat: Seat, offerer: Seat) -> bool:
        label = capitalised(self.screen.label(seat))
        return self._confirm(f"{self.screen.label(offerer)} offers a draw. {label}, do you agree?")

    def _confirm(self, question: str) -> bool:
        """Ask a question below the board, and return whether the answer is yes."""
        if not console.is_terminal:
            return confirm(f"{question} ")
        self.screen.show_note(self.screen.seat_at_screen, Text(question))
        return confirm("")

    def _bot_accepts(self, seat: Seat) -> bool:
        with self._searching(f"{self.screen.label(seat)} considers the offer"):
            return self.table.bot_accepts(seat, self.limit, self.engine_rng)

    def _resign(self, seat: Seat, _rest: str) -> None:
        if self._confirm(f"{self.screen.label(seat)}, do you resign?"):
            self.table.resign(seat)
        else:
            self.screen.show_board(seat)

    def _quit(self, _seat: Seat, _rest: str) -> None:
        raise QuitError

    # -- the end, and saving --

    def _show_result(self) -> None:
        is_saved = self.is_saving and self.file.exists()
        skips = self._skips_text(self.screen.viewer())
        self.screen.show_result(skips, f"tripot replay {self.file}" if is_saved else "")

    def _show_resume_hint(self) -> None:
        if self.is_saving and self.file.exists():
            command = f"tripot play --resume {self.file}"
            text = f"Goodbye. The game is saved; resume it with:\n  {command}"
            console.print(text, markup=False, soft_wrap=True)
        else:
            console.print("Goodbye.")

    def _autosave(self) -> None:
        """Save the game after every action, once a seat has acted."""
        has_acted = any(seat is not None for seat, _ in self.table.view_for(None).log)
        if self.is_saving and (has_acted or self.table.termination or self.file.exists()):
            try:
                save(self.table, self.file)
            except TripotError as error:
                self.is_saving = False
                errors.print(f"The game goes on but is not saved: {error}", markup=False)


COMMANDS: Final[dict[str, Callable[[TerminalGame, Seat, str], None]]] = {
    "": TerminalGame._redraw,
    "?": TerminalGame._help,
    "draw": TerminalGame._offer_draw,
    "exit": TerminalGame._quit,
    "help": TerminalGame._help,
    "hint": TerminalGame._hint,
    "list": TerminalGame._list,
    "q": TerminalGame._quit,
    "quit": TerminalGame._quit,
    "resign": TerminalGame._resign,
    "rules": TerminalGame._rules,
    "save": TerminalGame._save,
    "undo": TerminalGame._undo,
}


def save(table: Table, file: Path) -> None:
    """Write the game so far to a file."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        table.record().save(file)
    except OSError as error:
        raise SaveError(f"cannot write {file}: {error.strerror or error}") from None
