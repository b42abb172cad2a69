"""One game in memory: its table, its clock, and what each may see of it.

Everything here follows from the game's row and its actions, in order: `Live` made from the rows is
equal to the one that made them. An event is an action, or whatever else changes a game:

    sit      somebody takes a seat: `human 1 Ann`, the number tells persons apart, or `bot 3`
    act      a seat acts; deal: chance acts
    resign, draw, undo, yes, no      what the table knows; undo and draw are offers unless free
    time     a seat has used up its time

Nothing leaves but through `sight`, `told` and what they call: the only places that show a state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

import tripot
from tripot import fairness, i18n
from tripot.game import (
    CHANCE,
    Action,
    AnyGame,
    AnyState,
    Fact,
    IllegalActionError,
    Outcome,
    Seat,
    TripotError,
)
from tripot.record import Record
from tripot.server.clock import Clock
from tripot.table import Player, Table

Kind: TypeAlias = Literal["sit", "act", "deal", "resign", "draw", "undo", "yes", "no", "time"]
What: TypeAlias = tuple[Kind, Seat | None, str]
"""Something that is to happen: its kind, the seat, and the text."""
OPEN: Final = Player("open")
SIMPLEST: Final = 0  # of the levels of a game


class OtherRules(TripotError):
    """A game that was begun under another version of its rules."""


@dataclass(slots=True)
class Event:
    """Something that happened, and for an action, where: the state before it decides who may read it."""

    seq: int
    kind: Kind
    seat: Seat | None
    text: str
    time: float
    client: str | None = None
    before: AnyState | None = None
    action: Action | None = None

    def row(self, game: str) -> dict[str, Any]:
        """As the database keeps it."""
        return {
            "game": game,
            "seq": self.seq,
            "seat": self.seat,
            "kind": self.kind,
            "text": self.text,
            "client": self.client,
            "time": self.time,
        }

    def told(self, viewer: Seat | None) -> dict[str, Any]:
        """As a viewer may read it."""
        text = self.text
        if self.before is not None and self.action is not None:
            text = self.before.redact(self.action, viewer)
        return {
            "seq": self.seq,
            "kind": self.kind,
            "seat": self.seat,
            "text": text,
            "time": round(self.time, 3),
        }


class Live:
    """A game that somebody plays or watches."""

    def __init__(
        self,
        row: Mapping[str, Any],
        actions: Sequence[Mapping[str, Any]] = (),
        held: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.id: str = row["id"]
        self.is_in_memory = True  # until the server drops this object and reads the game again
        self.game: AnyGame = tripot.get_game(row["game"])
        if row["version"] != self.game.version:
            raise OtherRules(f"version {row['version']} of the rules; here they have {self.game.version}")
        options = self.game.Options.parse(row["options"])
        self.table = Table(self.game, options, [OPEN] * options.players, row["position"])
        self.seed: str = row["seed"]
        self.creator: str = row["creator"]
        self.public: bool = row["public"]
        self.created: float = row["created"]
        self.rematch: str = row["rematch"]
        self.clock = Clock.read(row["clock"], options.players, shortest=0)  # it was checked when it was new
        self.holders: dict[Seat, set[str]] = {seat: set() for seat in range(options.players)}
        self.events: list[Event] = []
        self.clients: dict[str, int] = {}
        self.lock = asyncio.Lock()
        self._rendered: dict[tuple[Seat | None, str], dict[str, Any]] = {}
        self._shown: dict[AnyState, dict[str, Any]] = {}
        for each in held:
            self.holders[each["seat"]].add(each["player"])
        for each in actions:
            self.add(each["kind"], each["seat"], each["text"], each["time"], each["client"])

    # -- what happens --

    @property
    def seq(self) -> int:
        """How many events there were."""
        return len(self.events)

    def add(self, kind: Kind, seat: Seat | None, text: str, now: float, client: str | None = None) -> Event:
        """Something happens; refused, nothing has changed."""
        event = Event(self.seq + 1, kind, seat, text, now, client)
        mover = self.to_act
        if kind in ("act", "deal"):
            event.before = self.table.state
            event.action = self.game.parse_action(text)
        self._apply(event)
        if event.action is not None:
            event.text = str(event.action)
        self.events.append(event)
        self.look_again()
        if client:
            self.clients[client] = event.seq
        self.clock.tick(mover, self._on_the_clock(), now, acted=kind == "act")
        return event

    def look_again(self) -> None:
        """Something changed: what was shown before no longer holds."""
        self._rendered.clear()
        self._shown.clear()

    def _apply(self, event: Event) -> None:
        table, seat = self.table, event.seat
        if event.kind == "sit":
            assert seat is not None
            self.table.set_player(seat, read_player(event.text))
            return
        if not self.is_begun:
            raise IllegalActionError("TABLE", "waiting")
        if event.kind == "deal":
            assert event.action is not None
            table.apply_chance(event.action)
            return
        assert seat is not None
        match event.kind:
            case "act":
                assert event.action is not None
                table.act(seat, event.action)
            case "resign":
                table.resign(seat)
            case "time":
                table.lose_on_time(seat)
            case "draw":
                table.offer_draw(seat)
            case "undo" if table.has_no_human_opponent(seat):
                table.undo(seat)
            case "undo":
                table.offer_undo(seat)
            case "yes" | "no":
                table.answer_offer(seat, accept=event.kind == "yes")

    def settle(self, now: float) -> list[Event]:
        """Chance acts until a seat is to act, each draw from its own stream of the seed."""
        dealt = []
        while self.to_act is CHANCE:
            action = self.table.state.sample_chance(fairness.chance_rng(self.seed, self.table.action_count))
            dealt.append(self.add("deal", None, str(action), now))
        return dealt

    # -- who is there --

    @property
    def open_seats(self) -> list[Seat]:
        """The seats that nobody has taken yet."""
        return [seat for seat, player in enumerate(self.table.players) if player == OPEN]

    @property
    def is_begun(self) -> bool:
        """Whether all seats are taken."""
        return not self.open_seats

    @property
    def to_act(self) -> Any:
        """Who acts now: a seat, CHANCE, or None while seats are open and when the game is over."""
        return self.table.to_act if self.is_begun else None

    @property
    def status(self) -> str:
        """`open` while seats are, `live`, then `over`."""
        return "over" if self.table.outcome else "live" if self.is_begun else "open"

    @property
    def bot_to_act(self) -> Seat | None:
        """The seat to act, if a bot has it."""
        seat = self.to_act
        return seat if isinstance(seat, int) and self.table.players[seat].is_bot else None

    @property
    def bot_to_answer(self) -> Seat | None:
        """A bot that has not answered an offer yet."""
        offer = self.table.offer
        if offer is None:
            return None
        silent = {*range(len(self.table.players))} - offer.accepted_by - {offer.seat}
        return next((seat for seat in sorted(silent) if self.table.players[seat].is_bot), None)

    def _on_the_clock(self) -> Seat | None:
        seat = self.to_act
        return seat if isinstance(seat, int) and not self.table.players[seat].is_bot else None

    def seats_of(self, player: str | None) -> list[Seat]:
        """The seats that somebody may play."""
        return [
            seat
            for seat, who in self.holders.items()
            if player in who and not self.table.players[seat].is_bot
        ]

    def person(self, player: str) -> int:
        """The number of a person in this game: that of their seats, or a new one."""
        numbers = [int(self.table.players[seat].person_id) for seat in self.seats_of(player)]
        known = [int(each.person_id) for each in self.table.players if each.person_id]
        return numbers[0] if numbers else max(known, default=0) + 1

    @property
    def chairs(self) -> list[dict[str, Any]]:
        """The seats for lists and pages; nothing in it is a secret."""
        return [
            {
                "kind": "open" if each == OPEN else "bot" if each.is_bot else "human",
                "name": each.name,
                "level": each.level,
            }
            for each in self.table.players
        ]

    # -- what leaves --

    def sight(self, viewer: Seat | None, language: str) -> dict[str, Any]:
        """The game as a viewer may see it (None: a spectator), in a language. The one way out."""
        key = (viewer, language)
        if key not in self._rendered:
            self._rendered[key] = self._render(viewer, language)
        return self._rendered[key]

    def _render(self, viewer: Seat | None, language: str) -> dict[str, Any]:
        view, outcome, offer, to_act = self._view(viewer), self.table.outcome, self.table.offer, self.to_act
        return {
            "id": self.id,
            "game": self.game.key,
            "options": str(self.table.options),
            "seq": self.seq,
            "status": self.status,
            "seats": [
                chair | {"title": i18n.seat_name(self.game, seat, language)}
                for seat, chair in enumerate(self.chairs)
            ],
            "viewer": viewer,
            "to_act": "chance" if to_act is CHANCE else to_act,
            "asks": self.say(view.prompt, language) if self.is_begun and not outcome else None,
            "actions": self.table.action_count,
            **self._shown[view],
            "scores": self._scores(viewer),
            "offer": asdict(offer) | {"agreed": sorted(offer.accepted_by)} if offer else None,
            "outcome": self._outcome(outcome, language) if outcome else None,
            "clock": self.clock.json(),
            "free": viewer is not None and self.table.has_no_human_opponent(viewer),
            "promise": fairness.commitment(self.seed),
            "seed": self.seed if outcome else None,
            "rematch": self.rematch or None,
        }

    def _view(self, viewer: Seat | None) -> AnyState:
        """The state as a viewer may see it; those who see the same share the work of showing it."""
        view = self.table.state.view(viewer)
        if view not in self._shown:
            self._shown[view] = {"position": view.to_text(), "view": view.to_json()}
        return view

    def _scores(self, viewer: Seat | None) -> list[dict[str, Any]]:
        """The course of the points as a viewer may see it: by each action of a seat, and by chance."""
        entries: list[dict[str, Any]] = []
        if not self.table.state.scores:
            return entries
        before = self.position(0, viewer)
        for at in range(1, self.table.action_count + 1):
            now = self.position(at, viewer)
            scores = now.outcome.scores if now.outcome else now.scores
            gained = [new - old for new, old in zip(scores, before.scores, strict=True)]
            seat = before.to_act if isinstance(before.to_act, int) else None
            if seat is not None or any(gained):
                entries.append({"at": at, "seat": seat, "gained": gained, "scores": scores})
            before = now
        return entries

    def _outcome(self, outcome: Outcome, language: str) -> dict[str, Any]:
        return {
            "scores": outcome.scores,
            "team_scores": outcome.team_scores,
            "winners": outcome.winners,
            "why": self.say(outcome.reason, language),
        }

    def say(self, fact: Fact, language: str) -> dict[str, Any]:
        """A fact for the page: the clause, its values, and the sentence."""
        return {
            "clause": fact.clause,
            "key": fact.key,
            "values": dict(fact.values),
            "text": i18n.render(self.game, fact, language),
        }

    def told(self, viewer: Seat | None, since: int = 0) -> list[dict[str, Any]]:
        """The events after a number, as a viewer may read them."""
        return [event.told(viewer) for event in self.events[since:]]

    def position(self, at: int, viewer: Seat | None) -> AnyState:
        """The state after some actions, as a viewer may see it."""
        if not 0 <= at <= self.table.action_count:
            raise TripotError(f"there are positions 0 to {self.table.action_count}, not {at}")
        return self.table.state_after(at).view(viewer)

    def record(self, date: str) -> Record:
        """The whole game, secrets and seed: only once it is over."""
        if not self.table.outcome:
            raise IllegalActionError("TABLE", "not_over")
        record = self.table.record()
        return Record(
            record.game,
            record.options,
            record.seats,
            date,
            record.actions,
            record.termination,
            record.position,
            self.seed,
        )


def read_player(text: str) -> Player:
    """Who sat down, from the text of a `sit`."""
    kind, number, *name = text.split(" ", 2)
    if kind == "bot":
        return Player(f"level {number}", level=int(number))
    return Player(name[0], person_id=number)
