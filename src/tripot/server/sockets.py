"""The live connection of a game.

up    {"type": "hello", "seq": 12, "seat": 0, "lang": "fr"}    first; seq is the last event seen
      {"type": "act", "id": "...", "seq": 12, "action": "..."}
      {"type": "do", "id": "...", "what": "undo"}              resign, draw, undo, yes, no
      {"type": "ping"}
down  snapshot, or missed with the events since; event, one each, the state with the last of a batch
      ok or refused, with the id of what was sent; a stale act is refused with what is current
      presence, rematch, pong, closing
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from msgspec import Meta, Struct

from tripot.game import TripotError
from tripot.server.api import known_languages, seat_of
from tripot.server.errors import Refused, Stale, too_many
from tripot.server.house import House
from tripot.server.live import Kind, Live
from tripot.server.problems import problem
from tripot.server.telling import encode
from tripot.server.visitors import COOKIE, Visitors
from tripot.server.watching import Watcher

router = APIRouter()

SEND_SECONDS: Final = 10.0  # for one message; then the connection is dead
HELLO_SECONDS: Final = 20.0
LARGEST: Final = 8192  # bytes of a message up
GONE, POLICY = 4404, 1008

Id: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[\w-]+$")]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**31)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=15)]


class Hello(Struct, tag="hello", forbid_unknown_fields=True):
    """Begin, or begin again."""

    seq: Count | None = None
    seat: SeatNumber | None = None
    lang: Annotated[str, Meta(max_length=8)] = "en"


class ActUp(Struct, tag="act", forbid_unknown_fields=True):
    """An action of the seat to act."""

    id: Id
    action: Annotated[str, Meta(max_length=4000)]
    seq: Count


class Do(Struct, tag="do", forbid_unknown_fields=True):
    """Anything else that a player does."""

    id: Id
    what: Literal["resign", "draw", "undo", "yes", "no"]
    seq: Count | None = None
    seat: SeatNumber | None = None


class Ping(Struct, tag="ping", forbid_unknown_fields=True):
    """Are you there?"""


Up: TypeAlias = Hello | ActUp | Do | Ping
decode = msgspec.json.Decoder(Up).decode


class Pace:
    """How many messages a connection may send: so many a second, some more at once."""

    def __init__(self, a_second: float) -> None:
        self.a_second, self.left, self.at = a_second, a_second * 10, time.monotonic()

    def check(self) -> None:
        """One message more?"""
        now = time.monotonic()
        self.left = min(self.a_second * 10, self.left + (now - self.at) * self.a_second)
        self.at = now
        if self.left < 1:
            raise too_many("messages")
        self.left -= 1


@router.websocket("/api/games/{game}/live")
async def live_game(socket: WebSocket, game: str) -> None:
    """Watch a game, and play it."""
    house: House = socket.app.state.house
    visitors: Visitors = socket.app.state.visitors
    if not socket.app.state.is_ours(socket.headers):
        await socket.close(POLICY)
        return
    cookie = socket.cookies.get(COOKIE)
    address = socket.client.host if socket.client else ""
    who = visitors.know(cookie, address)
    await socket.accept()
    try:
        live = await house.get(game)
    except TripotError as error:
        await socket.send_text(encode({"type": "refused", "error": problem(error, "en")[1]}).decode())
        await socket.close(GONE)
        return
    watcher = Watcher(None if who.is_new else who.player, None, "en", house.settings.queue)
    sender = asyncio.create_task(_send(socket, watcher))
    try:
        await _listen(socket, house, live, watcher)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        pass  # gone, one way or another
    finally:
        house.goodbye(live, watcher)
        sender.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await sender


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    """Send what waits, as text; end the connection when it is too slow or the server goes."""
    while (message := await watcher.waiting.get()) is not None:
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(message.decode())
    await socket.close(watcher.code)


async def _listen(socket: WebSocket, house: House, live: Live, watcher: Watcher) -> None:
    pace, begun = Pace(house.settings.messages_a_second), False
    while True:
        received = await (socket.receive() if begun else asyncio.wait_for(socket.receive(), HELLO_SECONDS))
        if received["type"] == "websocket.disconnect":
            return
        raw = received.get("text") or (received.get("bytes") or b"").decode("utf-8", "replace")
        message: Any = None
        try:
            pace.check()
            if len(raw) > LARGEST:
                raise Refused(413, "too_long", f"A message has at most {LARGEST} bytes.")
            message = decode(raw)
            if isinstance(message, Hello):
                live = await _hello(house, live, watcher, message)
                begun = True
            elif isinstance(message, Ping):
                watcher.send(encode({"type": "pong"}))
            elif not begun:
                raise Refused(400, "hello_first", "The first message is a hello.")
            else:
                live = await _do(house, live, watcher, message)
        except msgspec.DecodeError as error:
            _refuse(live, watcher, None, Refused(400, "unreadable", f"That is no message: {error}"))
        except TripotError as error:
            _refuse(live, watcher, message, error)


async def _hello(house: House, live: Live, watcher: Watcher, message: Hello) -> Live:
    live = await house.get(live.id)
    house.watchers.remove(live.id, watcher)
    watcher.seat = seat_of(live, watcher.player or "", message.seat)
    watcher.language = message.lang if message.lang in known_languages() else "en"
    await house.hello(live, watcher, message.seq)
    return live


async def _do(house: House, live: Live, watcher: Watcher, message: ActUp | Do) -> Live:
    """Play it, and say so; what it led to is told to all as events."""
    kind: Kind = "act" if isinstance(message, ActUp) else message.what
    text = message.action if isinstance(message, ActUp) else ""
    seat = None if isinstance(message, ActUp) else message.seat
    live, number = await house.act(live.id, watcher.player or "", kind, text, message.seq, message.id, seat)
    watcher.send(encode({"type": "ok", "id": message.id, "seq": number}))
    return live


def _refuse(live: Live, watcher: Watcher, message: Any, error: TripotError) -> None:
    body = problem(error, watcher.language, live.game)[1]
    refusal = {"type": "refused", "id": getattr(message, "id", None), "error": body}
    watcher.send(encode(refusal | ({"resync": True} if isinstance(error, Stale) else {})))
