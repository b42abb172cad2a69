"""The HTTP interface: translates requests into calls of the services, and their results into answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, TypeVar

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from msgspec import Struct
from pydantic import Field
from starlette.requests import ClientDisconnect, HTTPConnection

import tripot
from tripot.server import game_types, wire
from tripot.server.addresses import client_key
from tripot.server.analysis import AnalysisService
from tripot.server.errors import InvalidRequestError, RequestError
from tripot.server.game_service import GameService
from tripot.server.game_types import require_game
from tripot.server.identity import COOKIE, User, UserCookies
from tripot.server.lobby import LobbyService
from tripot.server.openapi import ERROR_RESPONSES, answers, takes
from tripot.server.rate_limits import RateLimits
from tripot.server.wire import FieldError, Snapshot

PREFIX = "/api/v1"
MAX_VARIATION_LENGTH = 40  # actions; with their length they fit into a URL
SOME_GAME = tripot.list_games()[0].key  # for the examples of the description


async def count_request(request: Request) -> None:
    """Count a request of an address."""
    limits: RateLimits = request.app.state.rate_limits
    limits.check_address(address_of(request))


def address_of(connection: HTTPConnection) -> str:
    """By what the address of a client is counted, or the one that a trusted proxy has forwarded."""
    return client_key(connection.client.host) if connection.client else ""


router = APIRouter(prefix=PREFIX, responses=ERROR_RESPONSES, dependencies=[Depends(count_request)])
BodyT = TypeVar("BodyT", bound=Struct)

LanguageQuery = Annotated[
    str, Query(max_length=8, description="en, fr, ...; by default the language that the browser prefers.")
]
GameKey = Annotated[str, Path(max_length=32, examples=[SOME_GAME])]
GameId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
SeatQuery = Annotated[int | None, Query(ge=0, lt=wire.MAX_SEATS, description="One of the user's seats.")]
SeatPath = Annotated[int, Path(ge=0, lt=wire.MAX_SEATS)]
VariationAction = Annotated[str, Field(max_length=100)]
Variation = Annotated[
    Sequence[VariationAction], Query(max_length=MAX_VARIATION_LENGTH, description="Actions to be tried.")
]
Seconds = Annotated[float, Query(ge=0.05, le=10, description="The time limit of the engine.")]
ActionIndex = Annotated[int | None, Query(ge=0, description="After so many actions; by default now.")]


# --- Dependencies ------------------------------------------------------------------------------


async def game_service(request: Request) -> GameService:
    """The games of this app."""
    games: GameService = request.app.state.games
    return games


async def lobby_service(request: Request) -> LobbyService:
    """The users and lists of this app."""
    lobby: LobbyService = request.app.state.lobby
    return lobby


async def analysis_service(request: Request) -> AnalysisService:
    """The questions about games of this app."""
    analysis: AnalysisService = request.app.state.analysis
    return analysis


async def current_user(request: Request) -> User:
    """The user of a request. A new one gets a cookie, which is renewed from time to time."""
    cookies: UserCookies = request.app.state.cookies
    limits: RateLimits = request.app.state.rate_limits
    user = cookies.identify(request.cookies.get(COOKIE), address_of(request))
    limits.check_request(user)
    if user.needs_cookie:
        request.state.cookie = cookies.sign(user)
    return user


async def user_language(request: Request, lang: LanguageQuery = "") -> str:
    """The language asked for, or the first known one that the browser prefers."""
    header = request.headers.get("accept-language", "")[:200]
    accepted = [part.split(";")[0].strip().split("-")[0].lower() for part in header.split(",")]
    return game_types.preferred_language([lang, *accepted])


def body_of(type_: type[BodyT]) -> Callable[[Request], Awaitable[BodyT]]:
    """A dependency that decodes the body of a request."""
    decode = msgspec.json.Decoder(type_).decode

    async def read(request: Request) -> BodyT:
        content_type = request.headers.get("content-type", "application/json").partition(";")[0].strip()
        if content_type != "application/json":
            raise InvalidRequestError([FieldError(["body"], "Expected the content type application/json")])
        try:
            return decode(await request.body())
        except ClientDisconnect:
            raise RequestError(408, "timeout", "The request was not complete in time.") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            message, _, path = str(error).partition(" - at `$")
            raise InvalidRequestError([FieldError(["body", *_loc(path)], message)]) from None

    return read


def _loc(path: str) -> list[str]:
    """The parts of a path of msgspec, such as `.seats[0].kind` followed by a backtick."""
    return [part for part in path.rstrip("`").replace("[", ".").replace("]", "").split(".") if part]


GameServiceDep = Annotated[GameService, Depends(game_service)]
LobbyServiceDep = Annotated[LobbyService, Depends(lobby_service)]
AnalysisServiceDep = Annotated[AnalysisService, Depends(analysis_service)]
CurrentUser = Annotated[User, Depends(current_user)]
Language = Annotated[str, Depends(user_language)]


def json_response(body: wire.Body | Sequence[wire.Body], status: int = 200) -> Response:
    """An answer of structs."""
    return Response(wire.encode(body), status, media_type="application/json")


# --- Games that can be played ------------------------------------------------------------------


@router.get("/game-types", tags=["games"], responses=answers(wire.GameType, is_list=True))
def list_game_types(lang: Language) -> Response:
    """All games with their options."""
    return json_response([game_types.game_type(game, lang) for game in tripot.list_games()])


@router.get("/game-types/{game_key}", tags=["games"], responses=answers(wire.GameType))
def get_game_type(game_key: GameKey, lang: Language) -> Response:
    """One game with its options."""
    return json_response(game_types.game_type(require_game(game_key), lang))


@router.get("/game-types/{game_key}/rulebook", tags=["games"], responses=answers(wire.Rulebook))
def get_rulebook(game_key: GameKey, lang: Language) -> Response:
    """The rules of a game."""
    return json_response(game_types.rulebook(require_game(game_key), lang))


# --- The user ----------------------------------------------------------------------------------


@router.get("/me", tags=["users"], responses=answers(wire.Profile))
async def get_profile(lobby: LobbyServiceDep, user: CurrentUser) -> Response:
    """My name and my games, newest first."""
    return json_response(await lobby.profile(user.id))


@router.put(
    "/me",
    tags=["users"],
    responses=answers(wire.ProfileName),
    openapi_extra=takes(wire.ProfileRequest, {"name": "Ann"}),
)
async def rename(
    lobby: LobbyServiceDep,
    user: CurrentUser,
    body: Annotated[wire.ProfileRequest, Depends(body_of(wire.ProfileRequest))],
) -> Response:
    """Choose a name."""
    return json_response(wire.ProfileName(await lobby.rename(user.id, body.name)))


# --- Games being played ------------------------------------------------------------------------


@router.get("/games", tags=["play"], responses=answers(wire.Lobby))
async def list_public_games(lobby: LobbyServiceDep) -> Response:
    """Public games with an open seat, and public games to watch."""
    return json_response(await lobby.public_games())


@router.post(
    "/games",
    status_code=201,
    tags=["play"],
    responses=answers(Snapshot, 201),
    openapi_extra=takes(
        wire.NewGameRequest,
        {"game_key": SOME_GAME, "seats": [{"kind": "me"}, {"kind": "bot", "level": 2}]},
        {"game_key": SOME_GAME, "options": {"players": "2"}, "seats": [{"kind": "me"}, {"kind": "open"}]},
    ),
)
async def create_game(
    lobby: LobbyServiceDep,
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    lang: Language,
    body: Annotated[wire.NewGameRequest, Depends(body_of(wire.NewGameRequest))],
) -> Response:
    """Create a game."""
    live = await lobby.create_game(user, body)
    return json_response(await analysis.snapshot(live.id, user, None, lang), 201)


@router.post(
    "/records",
    status_code=201,
    tags=["analysis"],
    responses=answers(Snapshot, 201),
    openapi_extra=takes(wire.ImportRequest, {"record": "tripot record 1\ngame: ..."}),
)
async def import_record(
    lobby: LobbyServiceDep,
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    lang: Language,
    body: Annotated[wire.ImportRequest, Depends(body_of(wire.ImportRequest))],
) -> Response:
    """Open a record as a game: to replay and analyse it, and to play on if it is unfinished."""
    live = await lobby.import_record(user, body.record)
    return json_response(await analysis.snapshot(live.id, user, None, lang), 201)


@router.get("/games/{game_id}", tags=["play"], responses=answers(Snapshot))
async def get_game(
    analysis: AnalysisServiceDep, user: CurrentUser, lang: Language, game_id: GameId, seat: SeatQuery = None
) -> Response:
    """A game as I may see it."""
    return json_response(await analysis.snapshot(game_id, user, seat, lang))


@router.post(
    "/games/{game_id}/join",
    tags=["play"],
    responses=answers(Snapshot),
    openapi_extra=takes(wire.JoinRequest, {"seat": 1, "name": "Bob"}),
)
async def join(
    lobby: LobbyServiceDep,
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    lang: Language,
    game_id: GameId,
    body: Annotated[wire.JoinRequest, Depends(body_of(wire.JoinRequest))],
) -> Response:
    """Take an open seat, or keep my own: the request may be sent again."""
    seat = await lobby.join(game_id, user, body)
    return json_response(await analysis.snapshot(game_id, user, seat, lang))


@router.post(
    "/games/{game_id}/bots",
    tags=["play"],
    responses=answers(Snapshot),
    openapi_extra=takes(wire.AddBotRequest, {"level": 2}),
)
async def add_bot(
    games: GameServiceDep,
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    lang: Language,
    game_id: GameId,
    body: Annotated[wire.AddBotRequest, Depends(body_of(wire.AddBotRequest))],
) -> Response:
    """Let a bot take an open seat."""
    await games.add_bot(game_id, user.id, body.seat, body.level)
    return json_response(await analysis.snapshot(game_id, user, None, lang))


@router.post(
    "/games/{game_id}/actions",
    tags=["play"],
    responses=answers(wire.ActionAccepted),
    openapi_extra=takes(
        wire.ActionRequest,
        {"action": "g2", "seq": 12, "request_id": "0f8fad5b-d9cb"},
        {"type": "undo"},
    ),
)
async def act(
    games: GameServiceDep,
    user: CurrentUser,
    lang: Language,
    game_id: GameId,
    body: Annotated[wire.ActionRequest, Depends(body_of(wire.ActionRequest))],
) -> Response:
    """Act, resign, offer a draw or an undo, or answer an offer."""
    return json_response(await games.act_and_answer(game_id, user.id, body, lang))


@router.post(
    "/games/{game_id}/preview",
    tags=["play"],
    responses=answers(wire.Preview),
    openapi_extra=takes(wire.PreviewRequest, {"action": "g2"}),
)
async def preview(
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    lang: Language,
    game_id: GameId,
    body: Annotated[wire.PreviewRequest, Depends(body_of(wire.PreviewRequest))],
) -> Response:
    """The effects of an action of the seat to act, or why it is illegal. Nothing is played."""
    return json_response(await analysis.preview(game_id, user, body.seat, lang, body.action))


@router.post("/games/{game_id}/seats/{seat}/link", tags=["play"], responses=answers(wire.SeatLink))
async def create_seat_link(
    games: GameServiceDep, user: CurrentUser, game_id: GameId, seat: SeatPath
) -> Response:
    """A secret that shares my seat with another device; the last one is no longer valid."""
    return json_response(wire.SeatLink(await games.create_seat_link(game_id, user.id, seat)))


@router.post(
    "/games/{game_id}/claim",
    tags=["play"],
    responses=answers(Snapshot),
    openapi_extra=takes(wire.ClaimRequest, {"token": "q2wZ0eXampleToken_1"}),
)
async def claim_seat(
    lobby: LobbyServiceDep,
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    lang: Language,
    game_id: GameId,
    body: Annotated[wire.ClaimRequest, Depends(body_of(wire.ClaimRequest))],
) -> Response:
    """Take the seat of a link."""
    seat = await lobby.claim_seat(game_id, user, body.token)
    return json_response(await analysis.snapshot(game_id, user, seat, lang))


@router.post("/games/{game_id}/rematch", tags=["play"], responses=answers(wire.Rematch))
async def rematch(lobby: LobbyServiceDep, user: CurrentUser, game_id: GameId) -> Response:
    """Another game with the seats exchanged; the same one for everybody who asks. It counts as a new game."""
    return json_response(wire.Rematch(await lobby.rematch(game_id, user)))


@router.post("/games/{game_id}/repeat", tags=["play"], responses=answers(wire.Rematch))
async def repeat(lobby: LobbyServiceDep, user: CurrentUser, game_id: GameId) -> Response:
    """A game with the same start, chance and seats as a finished one, for a user without human opponents."""
    return json_response(wire.Rematch(await lobby.repeat(game_id, user)))


# --- Questions about games ---------------------------------------------------------------------


@router.get("/games/{game_id}/positions/{action_index}", tags=["analysis"], responses=answers(wire.Position))
async def get_position(
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    lang: Language,
    game_id: GameId,
    action_index: Annotated[int, Path(ge=0)],
    seat: SeatQuery = None,
    variation: Variation = (),
) -> Response:
    """The game after some actions, as I could see it then, and after some more that are tried on it.

    The variation is tried on what I see, so it reveals nothing; where it depends on something hidden, it is
    refused.
    """
    return json_response(await analysis.position(game_id, user, seat, lang, action_index, variation))


@router.get("/games/{game_id}/hint", tags=["analysis"], responses=answers(wire.Hint))
async def get_hint(
    analysis: AnalysisServiceDep, user: CurrentUser, lang: Language, game_id: GameId, seconds: Seconds = 1.0
) -> Response:
    """The best moves for my seat to act, if I have no human opponents."""
    return json_response(await analysis.hint(game_id, user, lang, seconds))


@router.get("/games/{game_id}/analysis", tags=["analysis"], responses=answers(wire.Analysis))
async def get_analysis(
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    lang: Language,
    game_id: GameId,
    action_index: ActionIndex = None,
    seconds: Seconds = 1.0,
) -> Response:
    """The moves of a position, best first, as the strongest level ranks them."""
    return json_response(await analysis.analyse(game_id, user, lang, action_index, seconds))


@router.get("/games/{game_id}/record.txt", tags=["analysis"], response_class=Response)
async def get_record(analysis: AnalysisServiceDep, game_id: GameId) -> Response:
    """The record of a finished game with its seed: `tripot verify` repeats its chance outcomes."""
    name, text = await analysis.record(game_id)
    disposition = f'attachment; filename="{name}"'
    return Response(
        text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": disposition}
    )


@router.get("/games/{game_id}/board.svg", tags=["analysis"], response_class=Response)
async def board_svg(
    analysis: AnalysisServiceDep,
    user: CurrentUser,
    game_id: GameId,
    action_index: ActionIndex = None,
    seat: SeatQuery = None,
) -> Response:
    """The board as I may see it, now or after some actions."""
    drawing = await analysis.board_svg(game_id, user, seat, action_index)
    return Response(drawing, media_type="image/svg+xml")
