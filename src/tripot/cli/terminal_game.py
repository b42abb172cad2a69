"""One game at the terminal, from the first prompt to the last board.

People and bots may sit on any seat; people share the screen. On a terminal the board is redrawn in
place and one line below it tells what just happened, so that a board of 25 lines and the prompt fit
into a window of 30. Where nobody watches, all is printed one after the other and the board only
when it is somebody's turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

from rich.text import Text

from tripot import i18n
from tripot.bot import Bot
from tripot.cli import console as console_module
from tripot.cli.compiling import compiling
from tripot.cli.console import QuitRequested, console
from tripot.cli.info import print_rules
from tripot.game import (
    CHANCE,
    Action,
    AnyGame,
    AnyState,
    Candidate,
    DistanceMap,
    IllegalActionError,
    Limit,
    ParseError,
    Seat,
    TripotError,
)
from tripot.table import Table

SHOWN_ACTIONS: Final = 6
"""So many of the last actions are shown under the board."""

LINES_BELOW_BOARD: Final = 5
"""So many lines are needed under the board; in a low window a note takes the place of the last actions."""

MAX_HINTS: Final = 3
"""So many moves are told in a hint at most."""

BOT_PAUSE: Final = 0.8
"""Seconds between two boards when only bots play and somebody watches."""

HELP: Final = """\
  a move       as it is written here, or its number from the list
  list [TEXT]  every legal action (that begins with TEXT) and what it brings
  hint [map]   what the strongest level would do; on a map of who can come where
  undo         take the last move back
  draw         offer a draw
  resign       give up
  rules [N]    the rules, or one clause of them
  save FILE    write the game so far to a file
  quit         leave; the game is kept and can be resumed
  Enter        show the board again"""


class TerminalGame:
    """People at a terminal around a table. `file` is where the game is kept after every action."""

    def __init__(
        self, table: Table, file: Path, limit: Limit, randoms: tuple[Random, Random], real_dice: bool = False
    ) -> None:
        self.table, self.file, self.limit, self.real_dice = table, file, limit, real_dice
        self.chance, self.engine_rng = randoms
        self.human_seats = [seat for seat, player in enumerate(table.players) if not player.is_bot]
        self.seat_at_screen: Seat | None = None  # the person who looks at the screen
        self.is_saving = True
        self.written_files = {file.resolve()}  # what this sitting wrote it may write again
        self.notices: list[str] = []  # what was brought since a person last looked
        self.replayed_chance: list[Action] = []  # what chance did in a game that is played again
        self.numbered = False  # whether the person to act has been shown the numbers of the actions
        self._bots: dict[tuple[Seat, int], Bot] = {}  # by seat and level; kept for the whole game

    @property
    def game(self) -> AnyGame:
        """The game on the table."""
        return self.table.game

    def run(self) -> bool:
        """Play until the game is over, or until somebody leaves: then it is False."""
        for seat, player in enumerate(self.table.players):
            if player.level is not None:
                self._bot_of(seat, player.level)
        try:
            while (actor := self.table.to_act) is not None:
                for bot in self._bots.values():
                    bot.observe(self.table.state)
                if actor is CHANCE:
                    self._chance()
                elif self.table.players[actor].is_bot:
                    self._bot_turn(actor)
                else:
                    self._human_turn(actor)
                self._autosave()
            self._show_result()
        except (QuitRequested, KeyboardInterrupt):
            self._show_resume_hint()
            return False
        finally:
            for bot in self._bots.values():
                bot.close()
        return True

    def _bot_of(self, seat: Seat, level: int) -> Bot:
        """The bot of a level that plays a seat, or gives hints to the person on it."""
        if (seat, level) not in self._bots:
            self._bots[seat, level] = Bot(self.game, level, seat)
            self._bots[seat, level].observe(self.table.state)
        return self._bots[seat, level]

    # -- who acts --

    def _chance(self) -> None:
        """Chance acts by itself or as it did before, or people type in what real dice gave (X-1)."""
        for action in self.replayed_chance:
            with suppress(IllegalActionError):
                self.table.apply_chance(action)
                self.replayed_chance.remove(action)
                return
        if not self.real_dice:
            self.table.sample_chance(self.chance)
            return
        example = console_module.short(str(self.table.state.sample_chance(Random(0))), 200)
        self._show_board(None, Text(f"Type in what came, for example: {example}", style="dim"))
        before = self.table.action_count
        while self.table.action_count == before:
            text = console_module.ask("Chance> ")
            word, _, rest = text.partition(" ")
            try:
                if word in ("quit", "q", "exit"):
                    raise QuitRequested
                if word == "rules":
                    print_rules(self.game, rest.strip())
                elif word in ("help", "?", ""):
                    console.print(f"Type in what came, for example: {example}", markup=False)
                    console.print("quit leaves, rules [N] shows the rules.", markup=False)
                else:
                    self.table.apply_chance(text)
            except TripotError as error:
                self._show_note(None, error_text(self.game, error))

    def _bot_turn(self, seat: Seat) -> None:
        watched, level = console.is_terminal, self.table.players[seat].level
        assert level is not None
        if watched:
            self._show_board(self._viewer())
        started = time.monotonic()
        choice = self._choose(seat, level)
        if watched and not self.human_seats:
            time.sleep(max(0.0, BOT_PAUSE - (time.monotonic() - started)))
        self._act(seat, choice.action)
        if not watched:
            _, text = self.table.view_for(self._viewer()).log[-1]
            console.print(f"{self._label(seat)}: {text}", markup=False)

    def _human_turn(self, seat: Seat) -> None:
        """A person is asked until something happened on the table."""
        self._hand_over(seat)
        self.numbered = len(self.table.state.legal_actions()) <= console_module.MAX_INLINE_ACTIONS
        self._show_board(seat, Text(" ".join(self.notices), style="green") if self.notices else None)
        self.notices = []
        before = self.table.action_count, self.table.termination
        while (self.table.action_count, self.table.termination) == before:
            text = console_module.ask(f"{i18n.seat_name(self.game, seat)}> ")
            try:
                self._handle_input(seat, text)
            except TripotError as error:
                self._show_note(seat, error_text(self.game, error))

    def _choose(self, seat: Seat, level: int) -> Candidate:
        bot = self._bot_of(seat, level)
        with console.status(f"{self._label(seat)} thinks") as status, compiling(self.game, status):
            return bot.choose(self.limit, self.engine_rng)

    # -- what a person types --

    def _handle_input(self, seat: Seat, text: str) -> None:
        """Do what was typed. What reads as a legal action is one, even if it is a word for more."""
        legal = self.table.state.legal_actions()
        by_text = {str(action): action for action in legal}
        by_number = {str(number): action for number, action in enumerate(legal, 1)} if self.numbered else {}
        word, _, rest = text.partition(" ")
        endings = [action for action in legal if str(action).endswith(f" {text}")]
        short = endings[0] if len(endings) == 1 else None  # `c4` for `lay c4`
        action = by_text.get(text) or by_number.get(text) or by_text.get(text.lower()) or short
        if action:
            self._act(seat, action)
        elif word.lower() in COMMANDS:
            COMMANDS[word.lower()](self, seat, rest.strip())
        else:
            self.table.act(seat, text)  # says why not

    def _act(self, seat: Seat, action: Action) -> None:
        """Act, and remember what that brought until a person looks at the board again."""
        brings = self.table.view_for(seat).view.preview(action).effects
        if brings:
            said = " ".join(i18n.render(self.game, each) for each in brings)
            self.notices.append(f"{i18n.seat_name(self.game, seat)} {action}: {said}")
        self.table.act(seat, action)

    def _redraw(self, seat: Seat, _rest: str) -> None:
        self._show_board(seat)

    def _help(self, _seat: Seat, _rest: str) -> None:
        console.print(HELP, markup=False)

    def _list(self, seat: Seat, rest: str) -> None:
        console_module.print_actions(self.game, self.table.view_for(seat).view, rest)
        self.numbered = True

    def _rules(self, _seat: Seat, rest: str) -> None:
        print_rules(self.game, rest)

    def _hint(self, seat: Seat, rest: str) -> None:
        """The best move with what is known of it and its line, then the next best ones."""
        if rest not in ("", "map"):
            raise ParseError(f"hint {rest}", "it is `hint` or `hint map`")
        view, bot = self.table.view_for(seat).view, self._bot_of(seat, self.game.levels[-1])
        with console.status("Thinking of a hint") as status, compiling(self.game, status):
            analysis = bot.analyse(self.limit, self.engine_rng)
        reach = analysis.distance_maps if rest else ()
        note = Text("There is no map of reach here.\n" if rest and not reach else "", style="green")
        note.append(hint_text(self.game, view, analysis.candidates[: self._hints(view, reach)]))
        if console.is_terminal:
            self._show_board(seat, note, reach)
            return
        if reach:
            console_module.print_board(view, reach)
        console.print(note)

    def _hints(self, view: AnyState, reach: Sequence[DistanceMap]) -> int:
        """How many moves of a hint fit under the board."""
        return (
            MAX_HINTS
            if not console.is_terminal
            or console.height > len(view.draw_terminal_map(reach)) + LINES_BELOW_BOARD
            else 1
        )

    def _save(self, seat: Seat, rest: str) -> None:
        if not rest:
            raise ParseError("save", "save needs the name of a file")
        path = Path(rest).expanduser()
        if path.exists() and path.resolve() not in self.written_files:
            raise SaveError(f"{rest} exists already; choose another name")
        save(self.table, path)
        self.written_files.add(path.resolve())
        self._show_note(seat, Text(f"Saved in {rest}.", style="green"))

    def _undo(self, seat: Seat, _rest: str) -> None:
        """Take the last action of a person back: on one screen nobody else has to agree."""
        acted = [each for each, _ in self.table.view_for(None).log if each in self.human_seats]
        last = acted[-1] if acted else seat
        assert last is not None
        self.table.offer_undo(last)
        self.notices = []
        for other in range(len(self.table.players)):
            if self.table.offer and other != last:
                self.table.answer_offer(other, accept=True)

    def _offer_draw(self, seat: Seat, _rest: str) -> None:
        self.table.offer_draw(seat)
        for other, player in enumerate(self.table.players):
            if not self.table.offer or other == seat:
                continue
            agrees = self._bot_agrees if player.is_bot else self._person_agrees
            self.table.answer_offer(other, accept=agrees(other, seat))
            if not self.table.offer and not self.table.outcome:
                self._show_note(seat, Text(f"{self._label(other)} plays on.", style="red"))

    def _person_agrees(self, seat: Seat, offerer: Seat) -> bool:
        asked = console_module.capitalised(self._label(seat))
        offered = f"{self._label(offerer)} offers a draw. {asked}, do you agree?"
        return console_module.confirm(offered)

    def _bot_agrees(self, seat: Seat, _offerer: Seat) -> bool:
        said = f"{self._label(seat)} considers the offer"
        with console.status(said) as status, compiling(self.game, status):
            return self.table.bot_accepts(seat, self.limit, self.engine_rng)

    def _resign(self, seat: Seat, _rest: str) -> None:
        if console_module.confirm(f"{self._label(seat)}, do you give up?"):
            self.table.resign(seat)
        else:
            self._show_board(seat)

    def _quit(self, _seat: Seat, _rest: str) -> None:
        raise QuitRequested

    # -- what is shown --

    def _label(self, seat: Seat) -> str:
        return f"{i18n.seat_name(self.game, seat)} ({self.table.players[seat].name})"

    def _viewer(self) -> Seat | None:
        """Whose sight is shown while no person is to act: that of the only one, or what all may see."""
        return self.human_seats[0] if len(self.human_seats) == 1 else None

    def _hand_over(self, seat: Seat) -> None:
        """Hand the screen over where people may not see each other's secrets."""
        views = [self.table.state.view(each) for each in self.human_seats]
        if seat != self.seat_at_screen and any(one != other for one, other in combinations(views, 2)):
            if console.is_terminal:
                console.clear()
            console_module.ask(f"Pass the screen to {self._label(seat)}, who presses Enter: ")
        self.seat_at_screen = seat

    def _show_board(
        self, seat: Seat | None, note: Text | None = None, reach: Sequence[DistanceMap] = ()
    ) -> None:
        """The board or its map as a seat sees it, the last actions, what is asked, and a note."""
        sight = self.table.view_for(seat)
        if console.is_terminal:
            console.clear()
        console_module.print_board(sight.view, reach)
        height = (
            len(sight.view.draw_terminal_map(reach))
            + LINES_BELOW_BOARD
            + (note.plain.count("\n") if note else 0)
        )
        if sight.log and not (note and console.height <= height):
            console.print(self._last_actions(sight.log), no_wrap=True, overflow="ellipsis")
        actor = sight.view.to_act
        if sight.outcome is None and (actor is CHANCE or actor in self.human_seats):
            console_module.print_prompt(
                self.game, sight.view, self._label(actor) if isinstance(actor, int) else ""
            )
        if note:
            console.print(note)

    def _show_note(self, seat: Seat | None, note: Text) -> None:
        """Something short, where the eye is: under the board, or as the next line of a print."""
        if console.is_terminal:
            self._show_board(seat, note)
        else:
            console.print(note)

    def _last_actions(self, log: tuple[tuple[Seat | None, str], ...]) -> Text:
        said = [
            f"{i18n.seat_name(self.game, seat)} {text}" if seat is not None else console_module.short(text)
            for seat, text in log[-SHOWN_ACTIONS:]
        ]
        earlier = ["…"] if len(log) > SHOWN_ACTIONS else []
        return Text.assemble((" · ".join([*earlier, *said[:-1], ""]), "dim"), (said[-1], "bold"))

    def _show_result(self) -> None:
        outcome = self.table.outcome
        assert outcome is not None
        self._show_board(self._viewer())
        console.print(Text(console_module.outcome_text(self.game, outcome), style="bold green"))
        if self.is_saving and self.file.exists():
            console.print(
                f"See it again: tripot replay {self.file}", style="dim", markup=False, soft_wrap=True
            )

    def _show_resume_hint(self) -> None:
        if self.is_saving and self.file.exists():
            again = f"tripot play {self.game.key} --resume {self.file}"
            console.print(f"Goodbye. The game is kept; go on with:\n  {again}", markup=False, soft_wrap=True)
        else:
            console.print("Goodbye.")

    def _autosave(self) -> None:
        """Save after every action once a seat has acted, so that nothing is lost."""
        acted = any(seat is not None for seat, _ in self.table.view_for(None).log)
        if self.is_saving and (acted or self.table.termination or self.file.exists()):
            try:
                save(self.table, self.file)
            except TripotError as error:
                self.is_saving = False
                console_module.errors.print(f"The game goes on but is not kept: {error}", markup=False)


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


def hint_text(game: AnyGame, view: AnyState, choices: Sequence[Candidate]) -> str:
    """The best move: how often it wins and by how much, what is known of it, its line; and the next best."""
    best, *others = choices
    outlook = " ".join(console_module.expected_text(best, view).split())
    if outlook:
        outlook = f"{outlook} ({console_module.scores_text(game, best)})."
    known = " ".join(i18n.render(game, each) for each in best.facts)
    said = [" ".join(filter(None, (f"Hint: {best.action}.", outlook, known)))]
    if len(best.pv) > 1:
        said.append(f"Line: {console_module.pv_text(best)}")
    if others:
        texts = (
            " ".join(f"{each.action} {console_module.expected_text(each, view)}".split()) for each in others
        )
        said.append(f"Next best: {', '.join(texts)}")
    return "\n".join(console_module.short(each, console.width) for each in said)


def error_text(game: AnyGame, error: TripotError) -> Text:
    """Why something was not done, and where to read on."""
    if isinstance(error, IllegalActionError):
        said, clause = i18n.render(game, error.fact), error.fact.clause
        tip = f" ({clause}: type rules {clause})" if clause in i18n.clauses(game) else ""
        return Text.assemble((said, "red"), (tip, "dim"))
    return Text.assemble((console_module.capitalised(str(error)), "red"), (" (type help)", "dim"))


class SaveError(TripotError):
    """A file that cannot be written."""


def save(table: Table, file: Path) -> None:
    """Write the game so far to a file."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        table.record().save(file)
    except OSError as error:
        raise SaveError(f"cannot write {file}: {error.strerror or error}") from None
