"""What is told to whoever watches: the messages of a live connection, each for one seat and language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from tripot.game import Seat
from tripot.server.live import Event, Live
from tripot.server.watching import Watcher

encode = msgspec.json.encode
MISSED: Final = 50  # events; whoever missed more gets a snapshot


def snapshot(live: Live, player: str | None, seat: Seat | None, language: str) -> dict[str, Any]:
    """Everything that one viewer may know, log included."""
    return {"state": live.sight(seat, language), "log": live.told(seat), "mine": live.seats_of(player)}


def welcome(live: Live, watcher: Watcher, since: int | None) -> bytes:
    """The first message to a watcher who has seen events up to a number."""
    if since is not None and live.seq - MISSED <= since <= live.seq:
        missed = live.told(watcher.seat, since)
        state = live.sight(watcher.seat, watcher.language)
        return encode(
            {"type": "missed", "events": missed, "state": state, "mine": live.seats_of(watcher.player)}
        )
    return encode({"type": "snapshot"} | snapshot(live, watcher.player, watcher.seat, watcher.language))


def news(live: Live, events: Sequence[Event], seat: Seat | None, language: str) -> list[bytes]:
    """What a viewer is told of some events: one message each, the state with the last."""
    messages = [{"type": "event", "event": event.told(seat)} for event in events]
    messages[-1]["state"] = live.sight(seat, language)
    return [encode(each) for each in messages]
