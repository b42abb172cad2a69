"""The WebSocket of a game. `wire.py` has its messages: `ClientMessage` and `ServerMessage`.

The client sends a hello with the last event it has received, and gets the events it has missed, or a
snapshot. From then on it gets every event in order. What it sends is acknowledged or refused; a request that
is sent again after a disconnect, with the same id, is applied once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tripot.game import TripotError
from tripot.server.connections import Connection
from tripot.server.errors import RequestError, StaleSeqError, error_reply
from tripot.server.game_service import GameService
from tripot.server.game_types import FALLBACK_LANGUAGE
from tripot.server.identity import COOKIE, User, UserCookies
from tripot.server.live_game import LiveGame
from tripot.server.rate_limits import MessageRateLimit, RateLimits
from tripot.server.render import Viewer
from tripot.server.routes import PREFIX, address_of
from tripot.server.wire import (
    AckMessage,
    ActionMessage,
    CommandMessage,
    ErrorMessage,
    HelloMessage,
    PingMessage,
    PlayerChange,
    PongMessage,
    RequestId,
    decode_client_message,
    encode,
)

router = APIRouter()


class _Request(msgspec.Struct):
    """The part of a message by which its answer is known."""

    request_id: RequestId | None = None


_decode_request = msgspec.json.Decoder(_Request).decode

SEND_SECONDS: Final = 10.0  # for one message; a client that takes longer is gone
MAX_MESSAGE_BYTES: Final = 8192
CLOSE_GAME_NOT_FOUND: Final = 4404  # WebSocket close codes
CLOSE_POLICY_VIOLATION: Final = 1008
CLOSE_TRY_AGAIN_LATER: Final = 1013


@router.websocket(PREFIX + "/games/{game_id}/ws")
async def game_socket(socket: WebSocket, game_id: str) -> None:
    """Watch a game and play it."""
    games: GameService = socket.app.state.games
    cookies: UserCookies = socket.app.state.cookies
    rate_limits: RateLimits = socket.app.state.rate_limits
    if not socket.app.state.is_allowed_origin(socket.headers):
        await socket.close(CLOSE_POLICY_VIOLATION)
        return
    user = cookies.identify(socket.cookies.get(COOKIE), address_of(socket))
    await socket.accept()
    try:
        rate_limits.check_address(user.address)
        with rate_limits.open_socket(user):
            await _serve(socket, games, await games.get(game_id), user, rate_limits)
    except TripotError as error:
        refusal = ErrorMessage(None, error_reply(error, FALLBACK_LANGUAGE)[1])
        await socket.send_text(encode(refusal).decode())
        is_gone = isinstance(error, RequestError) and error.status in (404, 409)  # not found, unreadable
        await socket.close(CLOSE_GAME_NOT_FOUND if is_gone else CLOSE_TRY_AGAIN_LATER)


async def _serve(
    socket: WebSocket, games: GameService, live: LiveGame, user: User, rate_limits: RateLimits
) -> None:
    """Send and receive until either ends."""
    user_id = None if user.is_new else user.id
    connection = Connection(user_id, Viewer(None, FALLBACK_LANGUAGE), games.settings.send_queue_size)
    sender = asyncio.create_task(_send_loop(socket, connection))
    connection_limit = MessageRateLimit(games.settings.messages_per_second)

    def count_message() -> None:
        connection_limit.check()
        rate_limits.check_address(user.address)

    hello_was_late = False
    try:
        hello_was_late = await _receive_loop(socket, games, live, connection, sender, count_message)
    except WebSocketDisconnect:
        pass  # the client is gone
    finally:
        games.unsubscribe(live, connection)
        sender.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await sender
    if hello_was_late:
        with suppress(WebSocketDisconnect):
            await socket.close(CLOSE_POLICY_VIOLATION, "The hello did not come in time.")


async def _send_loop(socket: WebSocket, connection: Connection) -> None:
    """Send queued messages, and close the socket at the end of the queue."""
    while (message := await connection.next_message()) is not None:
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(message.decode())
    await socket.close(connection.close_code)


async def _receive(
    socket: WebSocket, sender: asyncio.Task[None], deadline: float | None
) -> MutableMapping[str, Any] | None:
    """The next message; None if nothing can be sent any more, or at the deadline.

    Only the wait is cancelled, never a request: that would evict the game.
    """
    timeout = None if deadline is None else max(0.0, deadline - asyncio.get_running_loop().time())
    receiver = asyncio.create_task(socket.receive())
    try:
        await asyncio.wait((receiver, sender), timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        return receiver.result() if receiver.done() and not sender.done() else None
    finally:
        receiver.cancel()


async def _receive_loop(
    socket: WebSocket,
    games: GameService,
    live: LiveGame,
    connection: Connection,
    sender: asyncio.Task[None],
    count_message: Callable[[], None],
) -> bool:
    """Handle messages until the client or the sender has ended, or until the hello is late: then True."""
    has_said_hello = False
    hello_deadline = asyncio.get_running_loop().time() + games.settings.hello_seconds
    while True:
        received = await _receive(socket, sender, None if has_said_hello else hello_deadline)
        if received is None:
            return not sender.done()
        if received["type"] == "websocket.disconnect":
            return False
        raw = received.get("text") or (received.get("bytes") or b"").decode("utf-8", "replace")
        request_id: str | None = None
        try:
            count_message()
            if len(raw) > MAX_MESSAGE_BYTES:
                raise RequestError(
                    413, "payload_too_large", f"A message has at most {MAX_MESSAGE_BYTES} bytes."
                )
            match decode_client_message(raw):
                case HelloMessage() as hello:
                    live = await games.subscribe(live.id, connection, hello)
                    has_said_hello = True
                case PingMessage():
                    connection.send(PongMessage())
                case ActionMessage() | CommandMessage() as message:
                    request_id = message.request_id
                    if not has_said_hello:
                        raise RequestError(400, "hello_required", "The first message is a hello.")
                    live = await _handle_change(games, live, connection, message)
        except msgspec.DecodeError as error:
            refusal = RequestError(400, "parse_error", f"Invalid message: {error}")
            _send_error(live, connection, _parse_request_id(raw), refusal)
        except TripotError as error:
            _send_error(live, connection, request_id or _parse_request_id(raw), error)


async def _handle_change(
    games: GameService, live: LiveGame, connection: Connection, message: ActionMessage | CommandMessage
) -> LiveGame:
    """Apply an action or a command, and acknowledge it. Its events are broadcast to all connections."""
    type_: PlayerChange = "action"
    text, seat, offer_seq = "", None, None
    if isinstance(message, ActionMessage):
        text = message.action
    else:
        type_, seat, offer_seq = message.command, message.seat, message.offer_seq
    live, seq = await games.act(
        live.id, connection.user_id or "", type_, text, message.seq, message.request_id, seat, offer_seq
    )
    connection.send(AckMessage(message.request_id, seq))
    return live


def _parse_request_id(raw: str) -> str | None:
    """The id of a message that is refused before or while it is decoded; None without a valid one."""
    try:
        return _decode_request(raw).request_id
    except msgspec.DecodeError:
        return None


def _send_error(live: LiveGame, connection: Connection, request_id: str | None, error: TripotError) -> None:
    body = error_reply(error, connection.viewer.language, live.game)[1]
    connection.send(ErrorMessage(request_id, body, resync=isinstance(error, StaleSeqError)))
