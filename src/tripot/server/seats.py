"""Which seat a request is for, and what it changes. Consent is decided by `Table`."""

from __future__ import annotations

from tripot.game import IllegalActionError, Seat
from tripot.server.events import Change, bot
from tripot.server.live_game import EASIEST_LEVEL_INDEX, LiveGame
from tripot.server.wire import EventType, PlayerChange


def viewing_seat(live: LiveGame, user_id: str | None, seat: Seat | None) -> Seat | None:
    """The seat through which a user looks: the one asked for, the one to act, the first, or none."""
    own = live.seats_of(user_id)
    if seat is not None and seat not in own:
        raise IllegalActionError("TABLE", "not_yours")
    if seat is not None:
        return seat
    return live.to_act if isinstance(live.to_act, int) and live.to_act in own else own[0] if own else None


def acting_seat(live: LiveGame, user_id: str, type_: PlayerChange, seat: Seat | None) -> Seat:
    """The seat of a user that a request is for.

    Without `seat`, an answer is for the first seat that has not answered, an undo for the seat that acted
    last, and everything else for the seat to act. An undo is one of a person, as `Table.can_undo` says it:
    after a seat link the user may own only some seats of that person.
    """
    own = live.seats_of(user_id)
    if not own:
        raise IllegalActionError("TABLE", "not_seated")
    if seat is not None and seat not in own:
        raise IllegalActionError("TABLE", "not_yours")
    if seat is not None:
        return seat
    meant: object = live.to_act
    if type_ in ("accept", "decline"):
        meant = next((pending for pending in live.table.pending_answers if pending in own), None)
    elif type_ == "undo":
        first = next((each for each in own if live.table.can_undo(each)), own[0])
        return own[0] if (actor := live.table.undo_seat(first)) is None else actor
    return meant if isinstance(meant, int) and meant in own else own[0]


def open_seat(live: LiveGame, seat: Seat | None) -> Seat:
    """The open seat that was asked for, or the first one."""
    free = live.open_seats
    if not free or (seat is not None and seat not in free):
        raise IllegalActionError("TABLE", "taken")
    return free[0] if seat is None else seat


def changes_for(live: LiveGame, type_: EventType, seat: Seat, text: str) -> list[Change]:
    """The changes that a request causes.

    Unless there are two teams, a bot replaces a player who resigns or runs out of time, the last human too:
    then the bots finish the game.
    """
    has_two_teams = len({*live.table.state.teams}) == 2
    if type_ in ("resign", "timeout") and not has_two_teams and live.is_full and not live.table.outcome:
        return [bot(live.game.levels[EASIEST_LEVEL_INDEX], "left").change(seat)]
    return [Change(type_, seat, text)]
