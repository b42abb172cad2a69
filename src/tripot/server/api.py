"""HTTP: everything that can be asked and done; /api/openapi.json describes it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import Field

import tripot
from tripot import i18n
from tripot.game import CHANCE, AnyGame, AnyState, Candidate, Fact, IllegalActionError, Seat, TripotError
from tripot.i18n import UnknownLanguageError
from tripot.server import models, storage
from tripot.server.errors import Refused, Stale
from tripot.server.house import House
from tripot.server.live import Live
from tripot.server.telling import encode, snapshot
from tripot.server.visitors import COOKIE, Visitor, Visitors

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Problem, "description": about}
    for status, about in {
        400: "It cannot be read.",
        403: "It is not for you.",
        404: "There is no such thing.",
        409: "The rules or the course of the game forbid it.",
        413: "It is too long.",
        422: "A field is missing or not as it should be.",
        429: "Too much at once.",
    }.items()
}

router = APIRouter(prefix="/api", responses=REFUSALS)

GuessedLanguage = Annotated[
    str, Query(max_length=8, description="en, fr ...; else what the browser prefers.")
]
Key = Annotated[str, Path(max_length=32, examples=[tripot.list_games()[0].key], description="A game's key.")]
GameId = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="The id of a game.")]
SeatQuery = Annotated[int | None, Query(ge=0, le=15, description="One of my seats, from 0.")]
WAITING = 20  # games of which it is looked up
FEW, MANY = 5, 100  # moves of a hint, and of an analysis
AHEAD = 40  # actions that may be tried after a position: with their length they fit into an address
Attempt = Annotated[str, Field(max_length=100)]
Tried = Annotated[Sequence[Attempt], Query(max_length=AHEAD, description="Actions to be tried after it.")]
Seconds = Annotated[float, Query(ge=0.05, le=10, description="How long the engine may think.")]


# --- Who asks, and in which language -----------------------------------------------------------


async def house(request: Request) -> House:
    """The house that this app serves."""
    found: House = request.app.state.house
    return found


async def visitor(request: Request) -> Visitor:
    """Who asks; a newcomer gets a cookie, and it is renewed from time to time."""
    visitors: Visitors = request.app.state.visitors
    who = visitors.know(request.cookies.get(COOKIE), request.client.host if request.client else "")
    visitors.may_ask(who)
    if who.is_due:
        request.state.cookie = visitors.cookie(who)
    return who


async def language(request: Request, lang: GuessedLanguage = "") -> str:
    """The language asked for, or the first that the browser prefers and every game has."""
    wanted = [lang] if lang else []
    header = request.headers.get("accept-language", "")[:200]
    wanted += [part.split(";")[0].strip().split("-")[0].lower() for part in header.split(",")]
    known = known_languages()
    return next((each for each in wanted if each in known), "en")


@cache
def known_languages() -> set[str]:
    """The languages in which every game can be explained."""
    return set.intersection(*({*i18n.languages(game)} for game in tripot.list_games()))


TheHouse = Annotated[House, Depends(house)]
Who = Annotated[Visitor, Depends(visitor)]
Language = Annotated[str, Depends(language)]


def answer(body: Any, status: int = 200) -> Response:
    """JSON, encoded once."""
    return Response(encode(body), status, media_type="application/json")


def seat_of(live: Live, player: str, seat: Seat | None) -> Seat | None:
    """Whose eyes somebody looks through: their seat to act, the one asked for, the first, or nobody's."""
    own = live.seats_of(player)
    if seat is not None and seat not in own:
        raise IllegalActionError("TABLE", "not_yours")
    return seat if seat is not None else live.to_act if live.to_act in own else own[0] if own else None


# --- Games there are ---------------------------------------------------------------------------


def kind(game: AnyGame, lang: str) -> dict[str, Any]:
    """A game for people who choose one."""
    form = [
        entry | {"about": i18n.option_description(game, entry["name"], lang)}
        for entry in game.Options.schema()
    ]
    seats = max(int(each) for each in next(entry["choices"] for entry in form if entry["name"] == "players"))
    return {
        "key": game.key,
        "title": game.title,
        "version": game.version,
        "levels": [*game.levels],
        "draws": game.draw_clause is not None,
        "seats": [i18n.seat_name(game, seat, lang) for seat in range(seats)],
        "options": form,
        "languages": i18n.languages(game),
    }


def known(game: str) -> AnyGame:
    """A game by its key."""
    try:
        return tripot.get_game(game)
    except TripotError as error:
        raise Refused(404, "no_such_kind", str(error)) from None


@router.get("/kinds", tags=["games"])
def list_kinds(lang: Language) -> Response:
    """All games, with their options as a form."""
    return answer([kind(game, lang) for game in tripot.list_games()])


@router.get("/kinds/{key}", tags=["games"])
def one_kind(key: Key, lang: Language) -> Response:
    """One game, with its options as a form."""
    return answer(kind(known(key), lang))


@router.get("/kinds/{key}/rulebook", tags=["games"])
def rulebook(key: Key, lang: Language) -> Response:
    """The rules as Markdown, and each clause by its number."""
    found = known(key)
    try:
        text = {"language": lang, "text": i18n.rulebook(found, lang), "clauses": i18n.clauses(found, lang)}
    except UnknownLanguageError as error:
        raise Refused(404, "no_such_language", str(error)) from None
    return answer(text)


# --- Me ----------------------------------------------------------------------------------------


async def nickname(house: House, player: str) -> str:
    """How somebody wants to be called."""
    row = await house.storage.row(sa.select(storage.players).where(storage.players.c.id == player))
    return row["name"] if row else "Guest"


@router.get("/me", tags=["players"])
async def me(house: TheHouse, who: Who) -> Response:
    """My nickname, and my games, the newest first; of the newest ones, whether they wait for me."""
    games = storage.games
    mine = sa.select(storage.holders.c.game).where(storage.holders.c.player == who.player)
    rows = await house.storage.rows(
        sa.select(games).where(games.c.id.in_(mine)).order_by(games.c.created.desc()).limit(100)
    )
    found = [listed(house, row) for row in rows]
    for each in [each for each in found if each["status"] == "live"][:WAITING]:
        live = await house.get(each["id"])
        each["my_turn"] = live.to_act in live.seats_of(who.player)
    return answer({"name": await nickname(house, who.player), "games": found})


@router.put("/me", tags=["players"])
async def rename(house: TheHouse, who: Who, body: models.Me) -> Response:
    """Choose a nickname."""
    name = checked_name(body.name)
    row = {"id": who.player, "name": name, "created": time.time()}
    try:
        await house.storage.write((storage.ADD_PLAYER, row))
    except storage.IntegrityError:
        await house.storage.write((storage.NAME_PLAYER, {"of": who.player, "name": name}))
    return answer({"name": name})


def checked_name(name: str) -> str:
    """A name that can stand in a record."""
    name = " ".join(name.split())
    tripot.record.check_name(name)
    return name


def listed(house: House, row: dict[str, Any]) -> dict[str, Any]:
    """A game in a list: nothing that depends on its course."""
    shown = ("id", "game", "options", "clock", "status", "created", "public")
    there, watching = house.watchers.presence(row["id"])
    return {name: row[name] for name in shown} | {
        "seats": json.loads(row["seats"]),
        "present": there,
        "watching": watching,
    }


# --- Games being played ------------------------------------------------------------------------


@router.get("/games", tags=["play"])
async def lobby(house: TheHouse) -> Response:
    """Public games with an open seat, and public games to watch; the newest first."""
    games, day = storage.games, time.time() - 24 * 3600
    found = {}
    for status in ("open", "live"):
        query = sa.select(games).where(games.c.status == status, games.c.public, games.c.created > day)
        rows = await house.storage.rows(query.order_by(games.c.created.desc()).limit(50))
        found[status] = [listed(house, row) for row in rows]
    return answer(found)


@router.post("/games", status_code=201, tags=["play"], responses={201: {"model": models.Snapshot}})
async def create(
    request: Request, house: TheHouse, who: Who, lang: Language, body: models.NewGame
) -> Response:
    """Open a game."""
    request.app.state.visitors.may_open(who)
    known(body.game)
    name = checked_name(body.name) if body.name else await nickname(house, who.player)
    seats = [each.model_dump() for each in body.seats]
    for each in seats:
        each["name"] = checked_name(each["name"]) if each["name"] else None
    live = await house.create(
        who.player, body.game, body.options, seats, name, body.public, body.clock, body.position
    )
    async with live.lock:
        shown = await house.in_thread(snapshot, live, who.player, seat_of(live, who.player, None), lang)
    return answer(shown, 201)


@router.get("/games/{game}", tags=["play"], responses={200: {"model": models.Snapshot}})
async def look(house: TheHouse, who: Who, lang: Language, game: GameId, seat: SeatQuery = None) -> Response:
    """A game as I may see it."""
    live = await house.get(game)
    async with live.lock:
        viewer = seat_of(live, who.player, seat)
        return answer(await house.in_thread(snapshot, live, who.player, viewer, lang))


@router.post("/games/{game}/join", tags=["play"], responses={200: {"model": models.Snapshot}})
async def join(house: TheHouse, who: Who, lang: Language, game: GameId, body: models.Join) -> Response:
    """Take an open seat."""
    name = checked_name(body.name) if body.name else await nickname(house, who.player)
    seat = await house.join(game, who.player, name, body.seat)
    return await look(house, who, lang, game, seat)


@router.post("/games/{game}/bots", tags=["play"], responses={200: {"model": models.Snapshot}})
async def add_bot(house: TheHouse, who: Who, lang: Language, game: GameId, body: models.AddBot) -> Response:
    """Let a bot take an open seat."""
    await house.add_bot(game, who.player, body.seat, body.level)
    return await look(house, who, lang, game)


@router.post("/games/{game}/actions", tags=["play"], responses={200: {"model": models.Acted}})
async def act(house: TheHouse, who: Who, lang: Language, game: GameId, body: models.Act) -> Response:
    """Act, resign, offer a draw or an undo, answer one."""
    try:
        live, number = await house.act(
            game, who.player, body.kind, body.action, body.seq, body.client, body.seat
        )
    except Stale as stale:
        live = await house.get(game)
        async with live.lock:
            viewer = seat_of(live, who.player, body.seat)
            stale.more["current"] = await house.in_thread(snapshot, live, who.player, viewer, lang)
        raise
    async with live.lock:
        viewer = seat_of(live, who.player, body.seat)
        return answer({"event": number, "state": await house.in_thread(live.sight, viewer, lang)})


@router.post("/games/{game}/preview", tags=["play"], responses={200: {"model": models.Previewed}})
async def preview(house: TheHouse, who: Who, lang: Language, game: GameId, body: models.Ask) -> Response:
    """What an action of the seat to act would bring, or why it is refused. Nothing is played."""
    live = await house.get(game)

    def look_ahead() -> dict[str, Any]:
        seat = seat_of(live, who.player, body.seat)
        seen = live.table.view_for(seat).view.preview(live.game.parse_action(body.action))
        refusal = live.say(seen.error.fact, lang) if seen.error else None
        return {"brings": [live.say(each, lang) for each in seen.effects], "refusal": refusal}

    async with live.lock:
        return answer(await house.in_thread(look_ahead))


@router.post("/games/{game}/seats/{seat}/link", tags=["play"])
async def link(house: TheHouse, who: Who, game: GameId, seat: Annotated[int, Path(ge=0, le=15)]) -> Response:
    """A secret that brings my seat to another device; the last one no longer works."""
    return answer({"token": await house.link(game, who.player, seat)})


@router.post("/games/{game}/claim", tags=["play"], responses={200: {"model": models.Snapshot}})
async def claim(house: TheHouse, who: Who, lang: Language, game: GameId, body: models.Claim) -> Response:
    """Take a seat by its link."""
    seat = await house.claim(game, who.player, body.token)
    return await look(house, who, lang, game, seat)


@router.post("/games/{game}/rematch", tags=["play"])
async def rematch(house: TheHouse, who: Who, game: GameId) -> Response:
    """The same again with the seats exchanged; for everybody the same new game."""
    return answer({"id": await house.rematch(game, who.player)})


# --- Studying ----------------------------------------------------------------------------------


@router.get("/games/{game}/positions/{at}", tags=["study"])
async def position(
    house: TheHouse,
    who: Who,
    lang: Language,
    game: GameId,
    at: Annotated[int, Path(ge=0)],
    seat: SeatQuery = None,
    tried: Tried = (),
) -> Response:
    """The game after some actions, as I could see it then; and what would be if some more were played.

    What is tried is tried on what I see, so it tells no secret; where it depends on one, it is refused.
    """
    live = await house.get(game)

    def then() -> dict[str, Any]:
        view = live.position(at, seat_of(live, who.player, seat))
        movers = []
        for text in tried:
            if view.to_act is CHANCE:
                raise IllegalActionError("TABLE", "chance")
            movers.append(view.to_act)
            view = view.apply(live.game.parse_action(text))
        to_act = "chance" if view.to_act is CHANCE else view.to_act
        return {
            "at": at,
            "tried": [{"seat": mover, "text": text} for mover, text in zip(movers, tried, strict=True)],
            "to_act": to_act,
            "position": view.to_text(),
            "view": view.to_json(),
            "asks": live.say(view.prompt, lang),
        }

    async with live.lock:
        return answer(await house.in_thread(then))


@router.get("/games/{game}/hint", tags=["study"], responses={200: {"model": models.Hint}})
async def hint(
    request: Request, house: TheHouse, who: Who, lang: Language, game: GameId, seconds: Seconds = 1.0
) -> Response:
    """What the strongest level would play for me now, and what next best; where it concerns nobody else."""
    found = await analysed(request, house, who, lang, game, None, seconds)
    few = found["choices"][:FEW]
    return answer(few[0] | {"choices": few, "reach": found["reach"]})


@router.get("/games/{game}/analysis", tags=["study"], responses={200: {"model": models.Analysed}})
async def analysis(
    request: Request,
    house: TheHouse,
    who: Who,
    lang: Language,
    game: GameId,
    at: Annotated[int | None, Query(ge=0, description="After so many actions; now if left out.")] = None,
    seconds: Seconds = 1.0,
) -> Response:
    """The moves of a position, best first, as the strongest level ranks them."""
    return answer(await analysed(request, house, who, lang, game, at, seconds))


async def analysed(
    request: Request, house: House, who: Visitor, lang: str, game: str, at: int | None, seconds: float
) -> dict[str, Any]:
    """Only what the seat to move sees is studied; while the game goes on, only where nobody is wronged."""
    live = await house.get(game)

    def study() -> AnyState:
        state = live.position(live.table.action_count if at is None else at, None)
        mover = state.to_act
        if not isinstance(mover, int):
            raise Refused(409, "nobody_to_move", "Nobody is to move in that position.")
        if not live.table.outcome and (
            mover not in live.seats_of(who.player) or not live.table.has_no_human_opponent(mover)
        ):
            raise IllegalActionError("TABLE", "others_play")
        return live.position(live.table.action_count if at is None else at, mover)

    async with live.lock:
        view = await house.in_thread(study)
    request.app.state.visitors.may_think(who, seconds)
    engine_level, limit, rng = live.game.levels[-1], house.bots.limit_of(seconds), house.bots.rng(live)

    def think() -> dict[str, Any]:
        found = live.game.engine(engine_level).analyse(view, limit, rng)
        return {
            "facts": said(live, found.facts, lang),
            "choices": [chosen(live, view, each, lang) for each in found.candidates[:MANY]],
            "reach": {each.owner: dict(each.distances) for each in found.distance_maps},
        }

    return await house.bots.run(think)


def chosen(live: Live, view: AnyState, choice: Candidate, lang: str) -> dict[str, Any]:
    """A choice of an engine, for the seat to act."""
    outlook, seat = choice.expected, view.to_act
    assert isinstance(seat, int)
    lead = outlook.score_lead(seat, view.teams) if outlook else None
    return {
        "action": str(choice.action),
        "value": round(choice.value, 4),
        "line": [str(action) for action in choice.pv],
        "facts": said(live, choice.facts, lang),
        "outlook": {
            "wins": round(outlook.win_rate, 3),
            "lead": round(lead, 1),
            "scores": [round(score, 1) for score in outlook.scores],
        }
        if outlook and lead is not None
        else None,
    }


def said(live: Live, facts: Sequence[Fact], lang: str) -> list[dict[str, Any]]:
    """Facts with their sentences."""
    return [live.say(each, lang) for each in facts]


# --- Taking along ------------------------------------------------------------------------------


@router.get("/games/{game}/record.txt", tags=["study"], response_class=Response)
async def record(house: TheHouse, game: GameId) -> Response:
    """The record of a game that is over, with the seed of its chance: `tripot verify` draws it again."""
    live = await house.get(game)
    date = datetime.fromtimestamp(live.created, UTC).date().isoformat()
    async with live.lock:
        text = await house.in_thread(lambda: live.record(date).to_text())
    name = f'attachment; filename="{live.game.key}-{live.id}.txt"'
    return Response(text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name})


@router.get("/games/{game}/export.json", tags=["study"], responses={200: {"model": models.Snapshot}})
async def export(house: TheHouse, who: Who, lang: Language, game: GameId) -> Response:
    """All that I may see of a game, to be kept."""
    return await look(house, who, lang, game)


@router.get("/games/{game}/board.svg", tags=["study"], response_class=Response)
async def picture(
    house: TheHouse,
    who: Who,
    game: GameId,
    at: Annotated[int | None, Query(ge=0)] = None,
    seat: SeatQuery = None,
) -> Response:
    """The board as I may see it, now or after some actions."""
    live = await house.get(game)

    def draw() -> str:
        view = live.position(live.table.action_count if at is None else at, seat_of(live, who.player, seat))
        return view._repr_svg_()

    async with live.lock:
        return Response(await house.in_thread(draw), media_type="image/svg+xml")
