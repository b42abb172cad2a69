"""One game in memory: its table, its clock, its events, and the users who own its seats.

Everything here follows from the row of the game, its events in order, and the rows of the owners of its
seats: a game that is loaded from the database equals the one that wrote the rows. It knows the whole state,
hidden information included, so nothing of the state is sent to a client from here: `render.py` makes what a
viewer may see.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from msgspec import structs

import tripot
from tripot import fairness
from tripot.game import CHANCE, AnyGame, AnyState, Chance, IllegalActionError, Seat, TripotError
from tripot.record import Record, check_version
from tripot.server.clock import Clock
from tripot.server.events import Change, Event, parse_player, player_text
from tripot.server.identity import request_key
from tripot.server.tables import EventRow, GameRow, SeatOwnerRow
from tripot.server.wire import GameStatus, PlayerChange, ScoreChange, SeatInfo
from tripot.table import Player, Table, existing_level

OPEN_SEAT: Final = Player("open")
EASIEST_LEVEL_INDEX: Final = 0  # of the levels of a game


class ScoreHistory(NamedTuple):
    """The changes of the scores by the actions of some events, and the view of a seat after them."""

    action_seqs: list[int]
    changes: list[ScoreChange]
    view: AnyState


class LiveGame:
    """A game in memory. Its changes are serialised by `lock`."""

    def __init__(
        self, row: GameRow, events: Sequence[EventRow] = (), owners: Sequence[SeatOwnerRow] = ()
    ) -> None:
        self.id: str = row["id"]
        self.is_in_memory = True  # until the server evicts this object and loads the game again
        self.game: AnyGame = tripot.get_game(row["game_key"])
        check_version(self.game, row["version"], row["options"])
        options = self.game.Options.parse(row["options"])
        self.table = Table(self.game, options, [OPEN_SEAT] * options.players, row["position"])
        self.seed: str = row["seed"]
        self.seed_commitment = fairness.commitment(self.seed) if self.seed else ""
        self.creator_id: str = row["creator_id"]
        self.public: bool = row["public"]
        self.created_at: float = row["created_at"]
        self.rematch_id: str = row["rematch_id"]
        self.clock = Clock.parse(row["clock"], options.players, shortest=0)  # checked when it was created
        self.seat_owners: dict[Seat, set[str]] = {seat: set() for seat in range(options.players)}
        self.events: list[Event] = []
        self.action_seqs: list[int] = []  # the event of each action of the table, undone ones left out
        self.seq_by_request_key: dict[str, int] = {}
        self.lock = asyncio.Lock()
        self.render_cache: dict[Any, Any] = {}  # of `render.py`; what it holds is valid until the next event
        self.score_histories: dict[Seat | None, ScoreHistory] = {}  # of `render.py`, by viewing seat
        for owner in owners:
            self.seat_owners[owner["seat"]].add(owner["user_id"])
        for event in events:
            if event["seq"] != self.seq + 1:
                raise TripotError(f"event {self.seq + 1} of this game is missing")
            text = self._with_existing_level(event["text"]) if event["type"] == "join" else event["text"]
            change = Change(event["type"], event["seat"], text)
            self.append_event(change, event["created_at"], event["request_id"], event["elapsed_seconds"])

    def _with_existing_level(self, text: str) -> str:
        """A stored player, at the top level if the game had more levels when the player was stored."""
        player = parse_player(text)
        if player.level is None or (level := existing_level(self.game, player.level)) == player.level:
            return text
        return player_text(structs.replace(player, level=level))

    # -- changes --

    @property
    def seq(self) -> int:
        """The number of the last event; 0 before the first."""
        return len(self.events)

    def append_event(
        self,
        change: Change,
        now: float,
        request_key: str | None = None,
        elapsed_seconds: float | None = None,
    ) -> Event:
        """Apply a change. If it is refused, nothing has changed.

        `elapsed_seconds` is what a stored event took on the clock; a new event is measured.
        """
        elapsed = self.clock.elapsed(now) if elapsed_seconds is None else elapsed_seconds
        event = Event(self.seq + 1, *change, now, request_key, elapsed)
        actor = self.to_act
        if event.type in ("action", "chance"):
            event.before = self.table.state
            event.action = self.game.parse_action(event.text)
        self._apply(event)
        if event.action is not None:
            event.text = str(event.action)
            self.action_seqs.append(event.seq)
        del self.action_seqs[self.table.action_count :]  # of an undo
        self.events.append(event)
        self.invalidate_cache()
        if request_key:
            self.seq_by_request_key[request_key] = event.seq
        is_action = event.type == "action"
        self.clock.update(actor, self._seat_on_clock(), now, elapsed, add_increment=is_action)
        return event

    def invalidate_cache(self) -> None:
        """Forget what was rendered before something changed."""
        self.render_cache.clear()

    def _apply(self, event: Event) -> None:
        table, seat = self.table, event.seat
        if event.type == "join":
            assert seat is not None
            table.set_player(seat, parse_player(event.text).player())
            return
        if not self.is_full:
            raise IllegalActionError("TABLE", "waiting")
        if event.type == "chance":
            assert event.action is not None
            table.apply_chance(event.action)
            return
        assert seat is not None
        match event.type:
            case "action":
                assert event.action is not None
                table.act(seat, event.action)
            case "resign":
                table.resign(seat)
            case "timeout":
                table.lose_on_time(seat)
            case "offer_draw":
                table.offer_draw(seat)
            case "undo":
                table.offer_undo(seat)
            case "accept" | "decline":
                table.answer_offer(seat, accept=event.type == "accept")

    def run_chance(self, now: float) -> list[Event]:
        """Append chance outcomes until a seat is to act; each is drawn from its own stream of the seed."""
        outcomes = []
        while self.to_act is CHANCE:
            action = self.table.state.sample_chance(fairness.chance_rng(self.seed, self.table.action_count))
            outcomes.append(self.append_event(Change("chance", None, str(action)), now))
        return outcomes

    # -- players --

    @property
    def open_seats(self) -> list[Seat]:
        """The seats that have no player yet."""
        return [seat for seat, player in enumerate(self.table.players) if player == OPEN_SEAT]

    @property
    def is_full(self) -> bool:
        """Whether every seat has a player, so that the game has begun."""
        return not self.open_seats

    @property
    def status(self) -> GameStatus:
        """Whether the game waits for players, is being played, or is over."""
        return "over" if self.table.outcome else "live" if self.is_full else "open"

    @property
    def to_act(self) -> Seat | Chance | None:
        """Who acts now; None before the beginning and after the end."""
        return self.table.to_act if self.is_full else None

    @property
    def bot_to_act(self) -> Seat | None:
        """The seat to act, if a bot plays it."""
        seat = self.to_act
        return seat if isinstance(seat, int) and self.table.players[seat].is_bot else None

    @property
    def bot_to_answer(self) -> Seat | None:
        """A bot that has not answered the offer yet."""
        pending = self.table.pending_answers
        return next((seat for seat in pending if self.table.players[seat].is_bot), None)

    @property
    def active_events(self) -> list[Event]:
        """The events of the actions that were not undone, in order."""
        return [self.events[seq - 1] for seq in self.action_seqs]

    @property
    def offer_seq(self) -> int | None:
        """The event of the offer that is not answered yet."""
        if not self.table.offer:
            return None
        return self._offer_before(self.seq + 1)

    def _offer_before(self, seq: int) -> int | None:
        earlier = reversed(self.events[: seq - 1])
        return next((event.seq for event in earlier if event.type in ("offer_draw", "undo")), None)

    def _seat_on_clock(self) -> Seat | None:
        """The seat to act, if a person plays it: bots have no clock."""
        seat = self.to_act
        return seat if isinstance(seat, int) and not self.table.players[seat].is_bot else None

    def seats_of(self, user_id: str | None) -> list[Seat]:
        """The seats that a user may play."""
        return [
            seat
            for seat, owners in self.seat_owners.items()
            if user_id in owners and not self.table.players[seat].is_bot
        ]

    def person_of(self, user_id: str) -> int:
        """The number of a user among the people of this game: that of their seats, or a new one."""
        own = [int(self.table.players[seat].person_id) for seat in self.seats_of(user_id)]
        known = [int(player.person_id) for player in self.table.players if player.person_id]
        return own[0] if own else max(known, default=0) + 1

    @property
    def seat_infos(self) -> list[SeatInfo]:
        """Who plays the seats."""
        return [seat_info(player) for player in self.table.players]

    @property
    def has_bots(self) -> bool:
        """Whether a bot plays."""
        return any(player.is_bot for player in self.table.players)

    @property
    def has_humans(self) -> bool:
        """Whether a person plays."""
        return not all(player.is_bot for player in self.table.players)

    # -- requests --

    def event_of_request(self, user_id: str, request_id: str) -> Event | None:
        """The event of a request that a user has sent before.

        Earlier versions stored the id without the user. Such an event counts for the owners of its seat.
        """
        if seq := self.seq_by_request_key.get(request_key(user_id, request_id)):
            return self.events[seq - 1]
        if seq := self.seq_by_request_key.get(request_id):
            event = self.events[seq - 1]
            if event.seat is not None and user_id in self.seat_owners[event.seat]:
                return event
        return None

    def is_event_of(
        self, event: Event, type_: PlayerChange, text: str, seat: Seat | None, offer_seq: int | None
    ) -> bool:
        """Whether an event may be that of a request. A bot may have joined for a player who resigned."""
        if event.type != type_ and (type_, event.type) != ("resign", "join"):
            return False
        if seat is not None and seat != event.seat:
            return False
        if type_ == "action":
            return text == event.text or self._parsed_text(text) == event.text
        is_answer = type_ in ("accept", "decline")
        return not is_answer or offer_seq is None or offer_seq == self._offer_before(event.seq)

    def _parsed_text(self, text: str) -> str | None:
        """An action as it is stored; None if it cannot be read."""
        try:
            return str(self.game.parse_action(text))
        except TripotError:
            return None

    # -- positions and records, with hidden information --

    def state_after(self, action_count: int | None) -> AnyState:
        """The full state after some actions; None means the current one."""
        if action_count is None:
            return self.table.state
        if not 0 <= action_count <= self.table.action_count:
            raise TripotError(f"there are positions 0 to {self.table.action_count}, not {action_count}")
        return self.table.state_after(action_count)

    def record(self, date: str) -> Record:
        """The whole game with its hidden information and its seed: only after the end."""
        if not self.table.outcome:
            raise IllegalActionError("TABLE", "not_over")
        record = replace(self.table.record(), date=date, seed=self.seed)
        try:
            fairness.verify_chance(record)
        except fairness.ChanceMismatchError:  # an unfinished record was imported and played on
            return replace(record, seed="")
        return record


def seat_info(player: Player) -> SeatInfo:
    """A player for clients."""
    if player == OPEN_SEAT:
        return SeatInfo("open", player.name)
    if player.is_bot:
        return SeatInfo("bot", player.name, player.level)
    return SeatInfo("human", player.name if player.is_named else "", person=int(player.person_id))
