"""One game being played: players, turns, offers, undo, and the view of each seat.

A Table is the authority over one game, for the server and the terminal. It does no I/O and has neither a
clock nor a random number generator. It changes only by the calls below.

    table = Table(game, game.Options(), [Player("Ann"), Player("level 3", level=3)])
    table.run_chance(rng)
    table.act(0, "...")            an action or its text; an error changes nothing
    table.view_for(0)              everything that seat 0 may see

What the table refuses raises `IllegalActionError("TABLE", ...)`; what the rules refuse, the same error with
their clause. A seat that does not exist is a bug of the caller: ValueError.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from tripot.game import (
    CHANCE,
    Action,
    AnyGame,
    AnyState,
    Chance,
    Fact,
    HiddenInformationError,
    IllegalActionError,
    Limit,
    Options,
    Outcome,
    Rng,
    Seat,
    TripotError,
)
from tripot.record import Record, check_date, check_name, outcome_of, starting_state, termination_outcome

EQUAL_DRAW_ACTIONS: Final = 20
"""Moves per player before a bot accepts a draw in an equal position."""

CLEARLY_WORSE: Final = -0.5
"""The value, from -1 to 1, at which a bot accepts a draw at any time.

Exact values are -1, 0 and 1. An estimate is the largest of several inexact ones of the seat to act, so the
other side looks worse than it is.
"""


def existing_level(game: AnyGame, level: int) -> int:
    """The level that plays for a stored one: the top level if the game had more levels at that time."""
    return min(level, game.levels[-1])


def reveals_information(state: AnyState, action: Action) -> bool:
    """Whether an action shows its actor something new: a chance outcome, or hidden information.

    Such an action cannot be undone.
    """
    seat = state.to_act
    if seat is CHANCE:
        return True
    try:
        state.view(seat).apply(action)
    except HiddenInformationError:
        return True
    return False


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays a seat: a human, or a bot of a level.

    Seats with the same `person_id`, unless it is empty, are played by one person. `is_named` is False if the
    name only stands in records for that of a person who gave none.
    """

    name: str
    level: int | None = None
    person_id: str = ""
    is_named: bool = True

    def __post_init__(self) -> None:
        check_name(self.name)

    @property
    def is_bot(self) -> bool:
        """Whether an engine plays the seat."""
        return self.level is not None

    def is_same_person(self, other: Player) -> bool:
        """Whether two seats are played by one person; a bot is not a person."""
        return self.person_id == other.person_id != "" and not (self.is_bot or other.is_bot)


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer of a seat, and the seats that have accepted it so far."""

    seat: Seat
    kind: Literal["draw", "undo"]
    accepted_by: frozenset[Seat] = frozenset()


ActionLog: TypeAlias = tuple[tuple[Seat | None, str], ...]
"""Every action so far: its seat (None for chance) and its text, as one viewer may read it."""


@dataclass(frozen=True, slots=True)
class ActionReport:
    """What one viewer may know of an action: its seat (None for chance), its text and its effects, and the
    seats whose turn was skipped after it.

    The effects are empty if a part of the action is hidden from the viewer.
    """

    seat: Seat | None
    text: str
    effects: tuple[Fact, ...]
    skipped: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that one viewer may see. `view` is the position after `action_count` actions."""

    action_count: int
    view: AnyState
    log: ActionLog
    offer: Offer | None
    outcome: Outcome | None


class Table:
    """One game being played. With a position, the game starts there, with the options of the position."""

    def __init__(
        self, game: AnyGame, options: Options, players: Sequence[Player], position: str = "", date: str = ""
    ) -> None:
        start = starting_state(game, options, position)
        check_date(date)
        self.game = game
        self.options = start.options
        self.players = tuple(players)
        self.position = start.to_text() if position else ""
        self.date = date
        self.offer: Offer | None = None
        self.termination = ""  # how the players ended the game, as in a record
        self._actions: list[Action] = []
        self._revealed: dict[int, bool] = {}  # by index, of the actions that were checked
        self._states = [start]  # the state before each action, and the current one; undo truncates both lists
        if len(self.players) != self.options.players:
            raise TripotError(f"{self.options.players} players are needed, not {len(self.players)}")
        for player in self.players:
            self._check_level(player)

    def _check_level(self, player: Player) -> None:
        if player.level is not None:
            try:
                self.game.check_level(player.level)
            except (TypeError, ValueError) as error:
                raise TripotError(str(error)) from None

    # -- the state of the game --

    @property
    def state(self) -> AnyState:
        """The full state, with hidden information; `view_for` returns what a viewer may see."""
        return self._states[-1]

    def state_after(self, action_count: int) -> AnyState:
        """The full state after the first actions."""
        return self._states[action_count]

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions so far, including those of chance."""
        return tuple(self._actions)

    @property
    def action_count(self) -> int:
        """The number of actions so far."""
        return len(self._actions)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, by the rules or by the players; None while the game goes on."""
        return outcome_of(self.game, self.state, self.termination)

    @property
    def to_act(self) -> Seat | Chance | None:
        """Who acts now: a seat, CHANCE, or None when the game is over."""
        return None if self.termination else self.state.to_act

    # -- actions --

    def act(self, seat: Seat, action: Action | str) -> None:
        """Apply an action of a seat. It declines an offer, if there is one."""
        self._check(seat)
        if self.to_act is CHANCE:
            raise IllegalActionError("TABLE", "chance")
        if self.to_act != seat:
            raise IllegalActionError("TABLE", "turn", seat=seat)
        self._add(self.game.parse_action(action) if isinstance(action, str) else action)

    def sample_chance(self, rng: Rng) -> Action:
        """Sample and apply one chance outcome."""
        return self.apply_chance(self._require_chance().sample_chance(rng))

    def run_chance(self, rng: Rng) -> tuple[Action, ...]:
        """Sample and apply chance outcomes until a seat is to act or the game is over."""
        outcomes = []
        while self.to_act is CHANCE:
            outcomes.append(self.sample_chance(rng))
        return tuple(outcomes)

    def apply_chance(self, action: Action | str) -> Action:
        """Apply a given chance outcome (X-1), such as a throw of real dice."""
        self._require_chance()
        action = self.game.parse_action(action) if isinstance(action, str) else action
        self._add(action)
        return action

    def _require_chance(self) -> AnyState:
        self._check_open()
        if self.to_act is not CHANCE:
            raise IllegalActionError("TABLE", "no_chance")
        return self.state

    def _add(self, action: Action) -> None:
        self._states.append(self.state.apply(action))  # raises before anything has changed
        self._actions.append(action)
        self.offer = None

    # -- players, offers and undo --

    def set_player(self, seat: Seat, player: Player) -> None:
        """Replace the player of a seat, for example a person by a bot."""
        self._check(seat)
        self._check_level(player)
        self.players = (*self.players[:seat], player, *self.players[seat + 1 :])

    def lose_on_time(self, seat: Seat) -> None:
        """End the game because a seat has used up its time: its team loses. Only with two teams."""
        self._check(seat)
        self._terminate(f"time {seat + 1}")

    def resign(self, seat: Seat) -> None:
        """End the game because a seat resigns: its team loses. At any time, only with two teams."""
        self._check(seat)
        self._terminate(f"resign {seat + 1}")

    def offer_draw(self, seat: Seat) -> None:
        """Offer a draw, at any time, in a game that has draws by agreement."""
        self._check(seat)
        termination_outcome(self.game, self.state, "agree")  # raises now, not when all have accepted
        self._make_offer(Offer(seat, "draw"))

    def offer_undo(self, seat: Seat) -> None:
        """Ask the others to let a seat undo its last action, and all actions after it.

        Without human opponents it is done at once. It is refused if one of these actions has revealed
        information (`reveals_information`).
        """
        index = self._undo_index(seat)
        if self.has_no_human_opponent(seat):
            self._truncate(index)
        else:
            self._make_offer(Offer(seat, "undo"))

    def answer_offer(self, seat: Seat, accept: bool) -> None:
        """Accept or decline an offer, for all seats of the person on a seat.

        All seats must accept, bots too, except those of the person who made the offer. One that declines
        ends the offer.
        """
        self._check(seat)
        if self.offer is None:
            raise IllegalActionError("TABLE", "no_offer")
        if seat in self._seats_of_person(self.offer.seat):
            raise IllegalActionError("TABLE", "own_offer", seat=self.offer.seat)
        accepted_by = self.offer.accepted_by | self._seats_of_person(seat)
        self.offer = replace(self.offer, accepted_by=accepted_by) if accept else None
        self._resolve_offer()

    def bot_accepts(self, seat: Seat, limit: Limit, rng: Rng) -> bool:
        """Whether a bot accepts the offer: always an undo, and a draw if it has nothing better to expect.

        That is the case if it stands clearly worse, or not better when each player has made
        `EQUAL_DRAW_ACTIONS` moves: before that, the others may still go wrong. Before the first move, and
        while chance is to act, nothing can be said, so the bot declines.

        An engine evaluates for the seat to act only. So the position is evaluated for that seat, in a
        determinization of the bot's own view: the bot does not use what it may not see.
        """
        actor, level = self.to_act, self.players[seat].level
        if self.offer is None or self.offer.kind == "undo":
            return self.offer is not None
        if not isinstance(actor, Seat) or not self.state.has_begun:
            return False
        assert level is not None
        sampled = self.state.view(seat).determinize(rng).view(actor)
        with closing(self.game.engine(level)) as engine:
            value = engine.analyse(sampled, limit, rng).candidates[0].value
        if sampled.teams[seat] != sampled.teams[actor]:
            value = -value
        moves = sum(state.has_begun and isinstance(state.to_act, int) for state in self._states[:-1])
        return value <= CLEARLY_WORSE or (value <= 0 and moves >= EQUAL_DRAW_ACTIONS * len(self.players))

    @property
    def pending_answers(self) -> list[Seat]:
        """The seats that have not answered the offer yet, bots too."""
        if self.offer is None:
            return []
        answered = self.offer.accepted_by | self._seats_of_person(self.offer.seat)
        return [seat for seat in range(len(self.players)) if seat not in answered]

    def can_offer_draw(self, seat: Seat) -> bool:
        """Whether a seat may offer a draw now."""
        self._check_seat(seat)
        return self.to_act is not None and self.offer is None and self.game.draw_clause is not None

    def can_undo(self, seat: Seat) -> bool:
        """Whether the person on a seat may undo an action now, at once or with the consent of others."""
        actor = self.undo_seat(seat)
        has_to_ask = not self.has_no_human_opponent(seat)
        if actor is None or (self.offer is not None and has_to_ask):
            return False
        try:
            self._undo_index(actor)
        except IllegalActionError:
            return False
        return True

    def undo_seat(self, seat: Seat) -> Seat | None:
        """The seat whose action an undo of the person on a seat takes back: the one that acted last.

        None if no seat of the person has acted; undone actions do not count.
        """
        self._check_seat(seat)
        own_seats = self._seats_of_person(seat)
        actors = (_actor(state) for state in reversed(self._states[:-1]))
        return next((actor for actor in actors if actor in own_seats), None)

    def _make_offer(self, offer: Offer) -> None:
        if self.offer:
            raise IllegalActionError("TABLE", "offered")
        self.offer = offer
        self._resolve_offer()

    def _resolve_offer(self) -> None:
        """Do what is offered if all seats agree. The state cannot change before."""
        if not self.offer:
            return
        seat = self.offer.seat
        is_agreed = len(self.offer.accepted_by | self._seats_of_person(seat)) == len(self.players)
        if self.offer.kind == "undo" and (is_agreed or self.has_no_human_opponent(seat)):
            self._truncate(self._undo_index(seat))
        elif self.offer.kind == "draw" and is_agreed:
            self._terminate("agree")

    def _terminate(self, termination: str) -> None:
        termination_outcome(self.game, self.state, termination)  # raises if it is not possible
        self.termination = termination
        self.offer = None

    def _truncate(self, action_count: int) -> None:
        for index in range(action_count, len(self._actions)):
            self._revealed.pop(index, None)
        del self._actions[action_count:], self._states[action_count + 1 :]
        self.offer = None

    def _undo_index(self, seat: Seat) -> int:
        """The index of the last action of a seat, if it can be undone."""
        self._check(seat)
        indices = reversed(range(len(self._actions)))
        index = next((index for index in indices if self._states[index].to_act == seat), None)
        if index is None:
            raise IllegalActionError("TABLE", "nothing_to_undo", seat=seat)
        if any(self._has_revealed(undone) for undone in reversed(range(index, len(self._actions)))):
            raise IllegalActionError("TABLE", "seen")
        return index

    def _has_revealed(self, index: int) -> bool:
        """Whether an action has revealed information; cached, because it is needed after every action."""
        if index not in self._revealed:
            self._revealed[index] = reveals_information(self._states[index], self._actions[index])
        return self._revealed[index]

    def _seats_of_person(self, seat: Seat) -> frozenset[Seat]:
        """All seats of the person, or the one seat of the bot, on a seat."""
        person = self.players[seat]
        return frozenset(
            other
            for other, player in enumerate(self.players)
            if other == seat or person.is_same_person(player)
        )

    def has_no_human_opponent(self, seat: Seat) -> bool:
        """Whether all other seats are bots or the same person's; then undo and hints need no consent."""
        own_seats = self._seats_of_person(seat)
        return all(other in own_seats or player.is_bot for other, player in enumerate(self.players))

    def _check(self, seat: Seat) -> None:
        self._check_seat(seat)
        self._check_open()

    def _check_seat(self, seat: Seat) -> None:
        if seat not in range(len(self.players)):
            raise ValueError(
                f"there is no seat {seat!r}: the seats of this game are 0 to {len(self.players) - 1}"
            )

    def _check_open(self) -> None:
        if self.to_act is None:
            raise IllegalActionError("TABLE", "over")

    # -- views and records --

    def view_for(self, seat: Seat | None) -> TableView:
        """Everything that a seat may see (None: a spectator), and nothing else."""
        if seat is not None:
            self._check_seat(seat)
        played = zip(self._states, self._actions, strict=False)
        log = tuple((_actor(before), before.redact(action, seat)) for before, action in played)
        return TableView(self.action_count, self.state.view(seat), log, self.offer, self.outcome)

    def report_action(self, index: int, viewer: Seat | None) -> ActionReport:
        """What a viewer may know of an action, by its index."""
        return report_action(self._states[index], self._actions[index], viewer)

    def record(self) -> Record:
        """The record of the game so far, with all hidden information: not for players before the end."""
        seats = tuple(player.name for player in self.players)
        return Record(
            self.game, self.options, seats, self.date, self.actions, self.termination, self.position
        )

    @classmethod
    def resume(cls, record: Record, players: Sequence[Player]) -> Table:
        """Continue a recorded game. An offer is not recorded, so there is none."""
        table = cls(record.game, record.options, players, record.position, record.date)
        for action in record.actions:
            table._add(action)
        if record.termination:
            table._terminate(record.termination)
        return table


def report_action(before: AnyState, action: Action, viewer: Seat | None) -> ActionReport:
    """What a viewer may know of an action that is applied to a state."""
    text = before.redact(action, viewer)
    is_hidden = text != str(action)
    effects = () if is_hidden or before.to_act is CHANCE else before.view(viewer).preview(action).effects
    return ActionReport(_actor(before), text, effects, before.skipped_by(action))


def _actor(state: AnyState) -> Seat | None:
    return state.to_act if isinstance(state.to_act, int) else None
