"""The table: who sits where, whose turn it is, offers, taking back, and what each may see.

A Table is the authority over one game and does no I/O: the server and the terminal both sit on it.
It changes only by the calls below, and all that it knows follows from the game, the options, the
players and those calls. There is no clock in it and no random generator: `sample_chance` is given one.

    table = Table(game, game.Options(), [Player("Ann"), Player("level 3", level=3)])
    table.deal_all(rng)
    table.act(0, "...")            an action or its text; a refusal changes nothing
    table.see(0)                   all that seat 0 may see

What the table refuses it refuses as `IllegalActionError("TABLE", ...)`; what the rules refuse, by their
clause. A seat that does not exist is a bug of the caller: ValueError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tripot.game import (
    CHANCE,
    Action,
    AnyGame,
    AnyState,
    Chance,
    HiddenInformationError,
    IllegalActionError,
    Limit,
    Options,
    Outcome,
    Rng,
    Seat,
    TripotError,
)
from tripot.record import Record, check_date, check_name, starting_state, termination_outcome


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
    """Who sits on a seat: a human, or a bot of a level.

    Humans with the same `person_id`, unless it is empty, are one: they share a screen and a will.
    """

    name: str
    level: int | None = None
    person_id: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)

    @property
    def is_bot(self) -> bool:
        """Whether an engine plays."""
        return self.level is not None

    def is_same_person(self, other: Player) -> bool:
        """Whether two seats are one person's; a bot is nobody."""
        return self.person_id == other.person_id != "" and not (self.is_bot or other.is_bot)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a seat has offered, and the seats that have said yes so far."""

    seat: Seat
    kind: Literal["draw", "undo"]
    accepted_by: frozenset[Seat] = frozenset()


ActionLog: TypeAlias = tuple[tuple[Seat | None, str], ...]
"""Every action so far: its seat, None for chance, and its text as the reader may see it."""


@dataclass(frozen=True, slots=True)
class TableView:
    """What one viewer may see: `action_count` actions were played and led to `view`."""

    action_count: int
    view: AnyState
    log: ActionLog
    offer: Offer | None
    outcome: Outcome | None


class Table:
    """One game being played. With a position, it begins there and is played with its options."""

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
        self.termination = ""  # as in a record: how the players ended it
        self._actions: list[Action] = []
        self._states = [start]  # one more than actions, so that taking back is cutting off
        if len(self.players) != self.options.players:
            raise TripotError(f"{self.options.players} players are needed, not {len(self.players)}")
        for player in self.players:
            if player.level is not None and player.level not in game.levels:
                raise TripotError(f"{game.title} has the levels {game.levels[0]} to {game.levels[-1]}")

    # -- where the game stands --

    @property
    def state(self) -> AnyState:
        """The whole truth, secrets included; `view_for` is what may leave the table."""
        return self._states[-1]

    def state_after(self, at: int) -> AnyState:
        """The whole truth after some actions."""
        return self._states[at]

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions so far, chance included."""
        return tuple(self._actions)

    @property
    def action_count(self) -> int:
        """How many actions there were; whoever acts on an older number has not seen the latest."""
        return len(self._actions)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or by the players; None while it goes on."""
        return (
            termination_outcome(self.game, self.state, self.termination)
            if self.termination
            else self.state.outcome
        )

    @property
    def to_act(self) -> Seat | Chance | None:
        """Who acts now: a seat, CHANCE, or None when the game is over."""
        return None if self.termination else self.state.to_act

    # -- playing --

    def act(self, seat: Seat, action: Action | str) -> None:
        """A seat acts. Whatever was offered falls: to play on is to say no."""
        self._check(seat)
        if self.to_act is CHANCE:
            raise IllegalActionError("TABLE", "chance")
        if self.to_act != seat:
            raise IllegalActionError("TABLE", "turn", seat=seat)
        self._add(self.game.parse_action(action) if isinstance(action, str) else action)

    def sample_chance(self, rng: Rng) -> Action:
        """Chance acts once."""
        return self.apply_chance(self._require_chance().sample_chance(rng))

    def run_chance(self, rng: Rng) -> tuple[Action, ...]:
        """Chance acts until a seat is to act or the game is over; perhaps not at all."""
        dealt = []
        while self.to_act is CHANCE:
            dealt.append(self.sample_chance(rng))
        return tuple(dealt)

    def apply_chance(self, action: Action | str) -> Action:
        """Chance acted elsewhere (X-1): real dice were thrown, real tiles drawn, and are typed in."""
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
        self._states.append(self.state.apply(action))  # refuses by raising, before anything changes
        self._actions.append(action)
        self.offer = None

    # -- ending and taking back --

    def set_player(self, seat: Seat, player: Player) -> None:
        """Somebody else takes a seat, from now on: a bot for a person, say."""
        self._check(seat)
        if player.level is not None and player.level not in self.game.levels:
            raise TripotError(
                f"{self.game.title} has the levels {self.game.levels[0]} to {self.game.levels[-1]}"
            )
        self.players = (*self.players[:seat], player, *self.players[seat + 1 :])

    def lose_on_time(self, seat: Seat) -> None:
        """A seat has used up its time, for its team; where two teams play. The clock is elsewhere."""
        self._check(seat)
        self._terminate(f"time {seat + 1}")

    def resign(self, seat: Seat) -> None:
        """A seat gives up, for its team; at any time, where two teams play."""
        self._check(seat)
        self._terminate(f"resign {seat + 1}")

    def offer_draw(self, seat: Seat) -> None:
        """A seat offers a draw, at any time, in a game that knows one by agreement."""
        self._check(seat)
        termination_outcome(self.game, self.state, "agree")  # refused now rather than when all have said yes
        self._make_offer(Offer(seat, "draw"))

    def offer_undo(self, seat: Seat) -> None:
        """A seat asks the others to let it take its last action back. Free undos need no yes."""
        self._undo_index(seat)
        self._make_offer(Offer(seat, "undo"))

    def answer_offer(self, seat: Seat, yes: bool) -> None:
        """A seat answers an offer, for its person. One no and it falls; the last yes and it is done.

        Every seat answers that is not the offerer's own person's; bots are asked too.
        """
        self._check(seat)
        if self.offer is None:
            raise IllegalActionError("TABLE", "no_offer")
        if seat in self._seats_of_person(self.offer.seat):
            raise IllegalActionError("TABLE", "own_offer", seat=self.offer.seat)
        agreed = self.offer.accepted_by | self._seats_of_person(seat)
        self.offer = replace(self.offer, accepted_by=agreed) if yes else None
        self._resolve_offer()

    def bot_accepts(self, seat: Seat, limit: Limit, rng: Rng) -> bool:
        """Whether a bot agrees to what is offered: to an undo, and to a draw unless it expects more.

        An engine judges for the seat to move only, so it is asked for that one's prospects, in a
        position that the bot could take for the true one: so it does not look at what it may not see.
        """
        mover, level = self.to_act, self.players[seat].level
        if self.offer is None or self.offer.kind == "undo" or not isinstance(mover, int):
            return self.offer is not None
        assert level is not None
        supposed = self.view_for(seat).view.determinize(rng).view(mover)
        best = self.game.engine(level).analyse(supposed, limit, rng).candidates[0].value
        return (best if supposed.teams[seat] == supposed.teams[mover] else -best) <= 0

    def undo(self, seat: Seat) -> None:
        """A seat takes back its last action and all after it.

        Free where it concerns nobody else: all other seats are bots, or the same person's. It is
        refused, even by consent, if chance or anything hidden came to light since (`reveals_information`).
        """
        at = self._undo_index(seat)
        if not self.has_no_human_opponent(seat):
            raise IllegalActionError("TABLE", "needs_consent")
        self._truncate(at)

    def _make_offer(self, offer: Offer) -> None:
        if self.offer:
            raise IllegalActionError("TABLE", "offered")
        self.offer = offer
        self._resolve_offer()

    def _resolve_offer(self) -> None:
        """Do what is offered once all who have a say agree. Until then the state cannot change."""
        if not self.offer:
            return
        seat, say = self.offer.seat, self.offer.accepted_by | self._seats_of_person(self.offer.seat)
        if self.offer.kind == "undo" and (self.has_no_human_opponent(seat) or len(say) == len(self.players)):
            self._truncate(self._undo_index(seat))
        elif self.offer.kind == "draw" and len(say) == len(self.players):
            self._terminate("agree")

    def _terminate(self, end: str) -> None:
        termination_outcome(self.game, self.state, end)
        self.termination = end
        self.offer = None

    def _truncate(self, at: int) -> None:
        del self._actions[at:], self._states[at + 1 :]
        self.offer = None

    def _undo_index(self, seat: Seat) -> int:
        """The number of actions before the last one of a seat, if it can still be taken back."""
        self._check(seat)
        at = next((at for at in reversed(range(self.action_count)) if self._states[at].to_act == seat), None)
        if at is None:
            raise IllegalActionError("TABLE", "nothing_to_undo", seat=seat)
        since = zip(self._states[at:], self._actions[at:], strict=False)
        if any(reveals_information(state, action) for state, action in since):
            raise IllegalActionError("TABLE", "seen")
        return at

    def _seats_of_person(self, seat: Seat) -> frozenset[Seat]:
        """The seats of the person, or the bot, on a seat."""
        me = self.players[seat]
        return frozenset(
            each for each, player in enumerate(self.players) if each == seat or me.is_same_person(player)
        )

    def has_no_human_opponent(self, seat: Seat) -> bool:
        """Whether a seat's undos and hints concern nobody else: all others are bots, or the same person's."""
        own = self._seats_of_person(seat)
        return all(each in own or player.is_bot for each, player in enumerate(self.players))

    def _check(self, seat: Seat) -> None:
        if seat not in range(len(self.players)):
            raise ValueError(f"there is no seat {seat}")
        self._check_open()

    def _check_open(self) -> None:
        if self.to_act is None:
            raise IllegalActionError("TABLE", "over")

    # -- what leaves the table --

    def view_for(self, seat: Seat | None) -> TableView:
        """All that a seat may see (None: a spectator). Nothing is shown but through this."""
        if seat is not None and seat not in range(len(self.players)):
            raise ValueError(f"there is no seat {seat}")
        played = zip(self._states, self._actions, strict=False)
        log = tuple((_actor(before), before.redact(action, seat)) for before, action in played)
        return TableView(self.action_count, self.state.view(seat), log, self.offer, self.outcome)

    def record(self) -> Record:
        """The game so far, to be kept. It tells every secret: show it only when the game is over."""
        seats = tuple(player.name for player in self.players)
        return Record(
            self.game, self.options, seats, self.date, self.actions, self.termination, self.position
        )

    @classmethod
    def resume(cls, record: Record, players: Sequence[Player]) -> Table:
        """A table where a record left off. What was on offer then is forgotten."""
        table = cls(record.game, record.options, players, record.position, record.date)
        for action in record.actions:
            table._add(action)
        if record.termination:
            table._terminate(record.termination)
        return table


def _actor(state: AnyState) -> Seat | None:
    return state.to_act if isinstance(state.to_act, int) else None
