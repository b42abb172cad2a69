"""Two games that differ only in what a viewer may not see send that viewer the same bytes.

Every type of message of the wire is either built here for both worlds, or listed as independent of the state
of games. A type that is neither fails a test.
"""

from __future__ import annotations

import ast
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, TypeVar, get_args

import msgspec
import pytest
from fastapi.routing import APIRoute

import tripot
from tripot import fairness
from tripot.game import (
    CHANCE,
    Analysis,
    AnyGame,
    AnyState,
    Candidate,
    Engine,
    IllegalActionError,
    Limit,
    OptionError,
    Options,
    Rng,
    Seat,
    TripotError,
    fact,
)
from tripot.server import render, routes, wire
from tripot.server.analysis import AnalysisService
from tripot.server.connections import Connection, ConnectionRegistry
from tripot.server.errors import StaleSeqError, error_reply
from tripot.server.events import Change, human
from tripot.server.identity import User
from tripot.server.live_game import LiveGame
from tripot.server.lobby import LobbyService
from tripot.server.rate_limits import RateLimits
from tripot.server.render import Viewer
from tripot.server.settings import Settings
from tripot.server.tables import GameRow
from tripot.testing import random_options

Result = TypeVar("Result")

KEYS = [game.key for game in tripot.list_games()]
HIDING = {"triggery", "triolet", "trippples"}  # at least; the search must find them
SERVER = Path(render.__file__).parent
EARLY_ACTIONS: Final = 20  # compared from the beginning of a game
LATER_ACTIONS: Final = 5  # compared from a random position on
LAST_ACTIONS: Final = 8  # compared at the end of a game


def row(key: str, options: str, seed: str) -> GameRow:
    return {
        "id": "0123456789abcdef",
        "game_key": key,
        "version": tripot.get_game(key).version,
        "options": options,
        "position": "",
        "seed": seed,
        "clock": "",
        "public": False,
        "creator_id": "ann",
        "created_at": 0.0,
        "status": "open",
        "has_bots": False,
        "seats": "[]",
        "rematch_id": "",
    }


def new_live_game(key: str, options: str, is_hot_seat: bool = False) -> LiveGame:
    """A game of users "user 0" and so on; on a hot seat they are one person, who may ask for hints."""
    live = LiveGame(row(key, options, "00" * 32))
    for seat in range(live.table.options.players):
        live.append_event(human(1 if is_hot_seat else seat + 1, "Player").change(seat), 1.0)
        live.seat_owners[seat].add(f"user {seat}")
    return live


def state(live: LiveGame, seat: Seat | None) -> wire.GameState:
    return render.state(live, Viewer(seat, "en"))


# --- One builder per type of message: the ways out of the server ------------------------------------


class FirstActions(Engine):
    """Ranks the first legal actions, with what the view shows as an explanation."""

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        return Candidate(view.legal_actions()[0], 0.0)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        reason = fact("TABLE", "turn", seat=0, view=view.to_text())
        first = view.legal_actions()[:3]
        return Analysis(tuple(Candidate(action, 0.0, (action,), (reason,)) for action in first), (reason,))


def finished(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that waits for nothing. Event loops would take a third of the time."""
    with pytest.raises(StopIteration) as end:
        work.send(None)
    result: Result = end.value.value
    return result


class World:
    """A game, and who looks at it. `since` is the event before the last change."""

    def __init__(self, live: LiveGame, seat: Seat | None, since: int, language: str) -> None:
        self.live, self.seat, self.since = live, seat, since
        self.viewer = Viewer(seat, language)
        self.user = User("eve" if seat is None else f"user {seat}", "")

    def first_message(self, since: int | None) -> list[Any]:
        return [render.first_message(self.live, self.user.id, self.viewer, since, "1")]

    def snapshot(self) -> wire.Snapshot:
        return render.snapshot(self.live, self.user.id, self.viewer)

    def events(self) -> list[Any]:
        new = self.live.events[self.since :]
        return [
            msgspec.json.decode(message, type=wire.ServerMessage)
            for message in render.event_messages(self.live, new, self.viewer)
        ]

    def positions(self) -> list[Any]:
        count = self.live.table.action_count
        values: list[Any] = [
            render.position(self.live, self.viewer, at) for at in range(max(0, count - 2), count + 1)
        ]
        for action in self.legal[:5]:
            try:
                values.append(render.position(self.live, self.viewer, count, [action]))
            except TripotError as error:
                values.append(error_reply(error, "en", self.live.game)[1])
        return values

    @property
    def legal(self) -> list[str]:
        return [str(action) for action in self.live.table.state.view(self.seat).legal_actions()[:20]]

    def previews(self) -> list[Any]:
        """Those of legal actions, and of an earlier one that is illegal now."""
        earlier = [event.text for event in self.live.events if event.type == "action"][-1:]
        return [render.preview(self.live, self.viewer, action) for action in (*self.legal, *earlier)]

    def analyses(self) -> list[Any]:
        """The analysis of the position. Only the seat to act may ask."""
        return self._asked(lambda service: service.analyse("", self.user, self.viewer.language, None, 1.0))

    def hints(self) -> list[Any]:
        return self._asked(lambda service: service.hint("", self.user, self.viewer.language, 1.0))

    def _asked(self, ask: Callable[[AnalysisService], Coroutine[Any, Any, Any]]) -> list[Any]:
        """The answer of the service to a question about the current position, by an engine of the tests."""
        if self.live.to_act != self.seat:
            return []

        async def answer(search: Callable[[], Any], *_: Any) -> Any:
            return search()

        queue = SimpleNamespace(check_room=lambda _: None)
        limit = lambda _: Limit(simulations=1)  # noqa: E731 - as short as the others
        bots = SimpleNamespace(queue=queue, limit_of=limit, rng=lambda _: Random(1), answer=answer)
        service = AnalysisService(self._games(bots=bots), RateLimits(Settings()))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(self.live.game), "engine", lambda *_: FirstActions())
            try:
                return [finished(ask(service))]
            except TripotError as error:
                return [error_reply(error, "en", self.live.game)[1]]

    def errors(self) -> list[Any]:
        """Refusals of earlier actions that are illegal now, and of a request for an earlier event."""
        texts = {event.text for event in self.live.events[-10:] if event.type == "action"}
        current = self.snapshot() if self.viewer.language == "en" else None
        stale = StaleSeqError(self.live.seq, current)
        errors: list[TripotError] = [stale]
        legal = {str(action) for action in self.live.table.state.view(self.seat).legal_actions()}
        for text in sorted(texts - legal) if self.seat is not None else ():
            try:
                self.live.append_event(Change("action", self.seat, text), 2.0)
            except TripotError as error:
                errors.append(error)
            else:
                pytest.fail(f"{text} is legal, and not among the legal actions of the view")
        return [error_reply(error, self.viewer.language, self.live.game)[1] for error in errors]

    def boards(self) -> list[str]:
        return [
            render.board_svg(self.live, self.seat, at)
            for at in {
                None,
                *range(max(0, self.live.table.action_count - 2), self.live.table.action_count + 1),
            }
        ]

    def records(self) -> list[str]:
        """The record of a game that is over, when nothing is hidden any more; before that a refusal."""
        if self.live.table.outcome:
            return []
        with pytest.raises(IllegalActionError) as refused:
            render.record(self.live, "2026-01-31")
        return [str(refused.value)]

    def _games(self, **more: Any) -> Any:
        """A game service that has this game only, and no threads."""

        @asynccontextmanager
        async def locked(_: str) -> AsyncIterator[LiveGame]:
            yield self.live

        async def in_thread(work: Callable[..., Any], *args: Any) -> Any:
            return work(*args)

        async def user_name(_: str) -> str:
            return "Ann"

        storage = SimpleNamespace(games_of_user=self._rows, public_games=self._rows, user_name=user_name)
        return SimpleNamespace(
            locked=locked, in_thread=in_thread, storage=storage, connections=self.connections(), **more
        )

    async def _rows(self, _: str) -> list[GameRow]:
        """The stored columns of the game, as lists of games read them."""
        columns = self.live.status, self.live.has_bots, wire.encode(self.live.seat_infos).decode()
        changed: Any = dict(zip(("status", "has_bots", "seats"), columns, strict=True))
        return [row(self.live.game.key, str(self.live.table.options), "") | changed]

    def profile(self) -> wire.Profile:
        return finished(LobbyService(self._games(), RateLimits(Settings())).profile(self.user.id))

    def lobby(self) -> wire.Lobby:
        return finished(LobbyService(self._games(), RateLimits(Settings())).public_games())

    def connections(self) -> ConnectionRegistry:
        registry = ConnectionRegistry(presence_seconds=0.0)
        registry.add(self.live.id, Connection(self.user.id, self.viewer, 10))
        return registry


BUILDERS: Final[dict[Any, Callable[[World], list[Any]]]] = {
    wire.Snapshot: lambda world: [world.snapshot()],
    wire.SnapshotMessage: lambda world: world.first_message(None),
    wire.CatchUpMessage: lambda world: world.first_message(max(0, world.live.seq - 3)),
    wire.EventMessage: World.events,
    wire.ActionAccepted: lambda world: [
        wire.ActionAccepted(world.live.seq, render.state(world.live, world.viewer))
    ],
    wire.Position: World.positions,
    wire.Preview: World.previews,
    wire.Analysis: World.analyses,
    wire.Hint: World.hints,
    wire.ErrorBody: World.errors,
    wire.ErrorMessage: lambda world: [wire.ErrorMessage(None, error) for error in world.errors()[1:]],
    wire.Profile: lambda world: [world.profile()],
    wire.Lobby: lambda world: [world.lobby()],
    wire.AckMessage: lambda world: [wire.AckMessage("request-1", world.live.seq)],
    wire.PresenceMessage: lambda world: [world.connections().presence(world.live.id)],
}

WITHOUT_STRUCT: Final[dict[str, Callable[[World], list[str]]]] = {
    "/games/{game_id}/board.svg": World.boards,
    "/games/{game_id}/record.txt": World.records,
}
"""The texts of the routes that answer with a text and no struct of the wire."""

WITH_LOG: Final = {wire.Snapshot, wire.SnapshotMessage}
"""Built in one language only: a log takes long, and is the same in all languages."""

INDEPENDENT_OF_GAMES: Final[dict[Any, str]] = {
    wire.GameType: "the options of a game type",
    wire.Rulebook: "the rules of a game type",
    wire.ProfileName: "what the user has sent",
    wire.SeatLink: "a random token",
    wire.Rematch: "the random id of another game",
    wire.RematchMessage: "the same",
    wire.Health: "the version of the server",
    wire.PongMessage: "empty",
    wire.ClosingMessage: "empty",
}


def test_every_type_of_message_is_compared_or_independent_of_games() -> None:
    sent = {*wire.ANSWERS, *get_args(wire.ServerMessage)}
    assert {*BUILDERS} | {*INDEPENDENT_OF_GAMES} == sent
    assert not {*BUILDERS} & {*INDEPENDENT_OF_GAMES}


NEVER_FILLED: Final[dict[str, str]] = {
    "Analysis.distance_maps": "what an engine found in a view; the engine of the tests makes none",
    "Candidate.expected": "the same",
    "Hint.distance_maps": "the same",
    "Hint.expected": "the same",
    "ErrorBody.errors": "of a request that cannot be decoded",
    "ErrorBody.option": "of options for a new game",
    "ErrorBody.retry_after": "of a limit",
    "ErrorMessage.request_id": "what the client has sent",
    "ErrorMessage.resync": "whether the number of an event was outdated",
    "GameEvent.reason": "why a bot has joined",
    "GameState.clock": "the times of events",
    "GameState.must_answer": "of an offer",
    "GameState.offer": "who has offered what",
    "GameState.outcome": "after the end, when nothing is compared",
    "GameState.rematch_id": "the same",
    "GameState.seed": "the same",
    "GameSummary.clock": "what the creator of the game has chosen",
    "GameSummary.public": "the same",
    "GameSummary.options": "the same",
    "GameSummary.result": "after the end, when nothing is compared",
    "GameState.options": "what the creator of the game has chosen",
    "SeatInfo.level": "what a player has chosen",
    "TitledSeat.level": "the same",
}
"""Fields of compared types that the games of these tests leave empty, and what they depend on instead of the
state."""


def test_every_field_that_depends_on_the_state_is_filled_where_it_is_compared() -> None:
    """`Profile` was compared without the turn of its user, in which a secret would have passed.

    A builder that returned nothing for a new type would have passed too.
    """
    is_filled: dict[str, bool] = {}

    def walk(value: Any) -> None:
        if isinstance(value, msgspec.Struct):
            for field in msgspec.structs.fields(value):
                name, part = f"{type(value).__name__}.{field.name}", getattr(value, field.name)
                is_empty = part is None or part is False or part in ("", [], {})
                is_filled[name] = is_filled.get(name, False) or not is_empty
                walk(part)
        elif isinstance(value, list):
            for part in value:
                walk(part)

    is_built: dict[tuple[str, Any], bool] = {}
    for key in sorted(HIDING):
        rng, live = Random(f"fields {key}"), new_live_game(key, "", is_hot_seat=True)
        while live.table.action_count < 10 or not isinstance(live.to_act, int):
            state = live.table.state
            if state.to_act is CHANCE:
                live.append_event(Change("chance", None, str(state.sample_chance(rng))), 2.0)
            else:
                live.append_event(Change("action", state.to_act, str(rng.choice(state.legal_actions()))), 2.0)
        for seat in (None, live.to_act):
            world = World(live, seat, live.seq - 2, "en")
            for type_, build in BUILDERS.items():
                messages = build(world)
                walk(messages)
                is_built[key, type_] = is_built.get((key, type_), False) or any(
                    isinstance(each, type_) for each in messages
                )
    assert [key for key, built in is_built.items() if not built] == [], "nothing is compared"
    assert {name for name, filled in is_filled.items() if not filled} == {*NEVER_FILLED}


def test_every_route_that_answers_without_a_struct_is_compared() -> None:
    untyped = {
        route.path.removeprefix(routes.PREFIX)
        for route in routes.router.routes
        if isinstance(route, APIRoute)
        and not any("content" in answer for status, answer in route.responses.items() if int(status) < 300)
    }
    assert untyped == {*WITHOUT_STRUCT}


def test_every_struct_that_leaves_the_server_is_part_of_a_listed_answer_or_message() -> None:
    """So no route can send a type that the test above does not know."""
    _, known = msgspec.json.schema_components([*wire.ANSWERS, wire.ServerMessage], ref_template="{name}")
    defined = {
        name
        for name, value in vars(wire).items()
        if isinstance(value, type) and issubclass(value, wire.Body) and value is not wire.Body
    }
    assert defined == {*known}


def test_only_one_module_turns_states_and_events_into_text() -> None:
    """What others do with such texts stays in the server.

    `new_game.py` writes a position: the start of a repeated game, for the database. `events.py` and
    `live_game.py` store and read the texts of events. `LiveGame.record`, for `render.py`, is refused before
    the end.
    """
    outlets = {"to_json", "to_text", "redact", "report", "_repr_svg_", "view_for", "report_action"}
    outlets |= {"text", "live.record", "self.table.record", "live.table.record"}
    uses = {
        (file.name, name)
        for file in SERVER.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        for name in (node.attr, ast.unparse(node))
        if name in outlets
    }
    assert {(file, name) for file, name in uses if file != "render.py"} == {
        ("new_game.py", "to_text"),
        ("events.py", "text"),
        ("live_game.py", "text"),
        ("live_game.py", "self.table.record"),
    }
    used_by_render = {"to_json", "to_text", "report", "_repr_svg_", "text", "live.record"}
    assert {name for file, name in uses if file == "render.py"} == used_by_render


def test_the_seed_is_read_for_chance_for_engines_and_after_the_end_only() -> None:
    readers = {
        file.name
        for file in SERVER.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "live.seed"
    }
    assert readers == {"bots.py", "new_game.py", "render.py"}


def all_views(live: LiveGame, seat: Seat | None, since: int) -> bytes:
    """All bytes that the server may send a viewer of this game now, whatever it is asked."""
    parts: list[bytes] = []
    for language in ("en", "fr"):
        world = World(live, seat, since, language)
        for type_, build in BUILDERS.items():
            if language == "fr" and type_ in WITH_LOG:
                continue
            messages = build(world)
            assert all(isinstance(each, (type_, wire.ErrorBody)) for each in messages)
            parts += [wire.encode(each) for each in messages]
    parts += [
        text.encode() for build in WITHOUT_STRUCT.values() for text in build(World(live, seat, since, "en"))
    ]
    return b"\n".join(parts)


def other_world(live: LiveGame, viewer: Seat | None, rng: Random) -> AnyState:
    return live.table.state.view(viewer).determinize(rng)


def hides_something(game: AnyGame, options: Options, rng: Rng) -> bool:
    """Whether a spectator does not see everything in a random game."""
    state = game.initial_state(options)
    for _ in range(30):
        if state.view(None) != state:
            return True
        if state.outcome:
            return False
        action = state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(state.legal_actions())
        state = state.apply(action)
    return False


def hiding_options(game: AnyGame, rng: Rng) -> list[Options]:
    """Options with which a game hides something: each number of players, each option that makes it hide
    something, and random ones.
    """
    single = [{entry["name"]: choice} for entry in game.Options.schema() for choice in entry["choices"]]
    drawn = [random_options(game, rng) for _ in range(4)]
    always_hides = hides_something(game, game.Options(), rng)
    for option in single:
        if "players" in option or not always_hides:
            with suppress(OptionError):
                drawn.append(game.Options.parse(option))
    return [options for options in dict.fromkeys(drawn) if hides_something(game, options, rng)]


def test_the_games_that_hide_something_are_found() -> None:
    """Triggery hides its turned tiles, and was missing from a list."""
    hiding = {game.key for game in tripot.list_games() if hiding_options(game, Random(game.key))}
    assert hiding >= HIDING


@pytest.mark.long
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 9))])
def test_what_is_sent_tells_no_secret(key: str, seed: int) -> None:
    """Along games: the last draw or move is played in both worlds, and every byte compared."""
    rng = Random(f"{key} {seed}")
    for options in hiding_options(tripot.get_game(key), rng):
        compared = compare_worlds(key, str(options), rng)
        assert compared > 5, f"{options}: {compared} positions"


def compare_worlds(key: str, options: str, rng: Rng) -> int:
    """Play a random game, and return how many times two worlds were compared.

    They are compared along the first actions, along some later ones, and along the last ones: with an empty
    bag, or with turns that are skipped.
    """
    live, compared = new_live_game(key, options), 0
    game = random_game(live.table.state, rng)
    later = rng.randrange(len(game))
    indices = {
        *range(EARLY_ACTIONS),
        *range(later, later + LATER_ACTIONS),
        *range(len(game) - LAST_ACTIONS, len(game)),
    }
    for index, change in enumerate(game):
        if index in indices:
            compared += count_equal_views(live, change, rng)
        live.append_event(change, 2.0)
    return compared


def random_game(state: AnyState, rng: Rng) -> list[Change]:
    """The chance outcomes and actions of a random game from a state to its end."""
    changes = []
    while not state.outcome:
        if state.to_act is CHANCE:
            action = state.sample_chance(rng)
            changes.append(Change("chance", None, str(action)))
        else:
            action = rng.choice(state.legal_actions())
            changes.append(Change("action", state.to_act, str(action)))
        state = state.apply(action)
    return changes


def count_equal_views(live: LiveGame, change: Change, rng: Rng) -> int:
    """The number of viewers for whom a change was compared with the same one in another world."""
    state, before, compared = live.table.state, live.seq, 0
    worlds = {viewer: other_world(live, viewer, rng) for viewer in (None, *range(len(state.teams)))}
    action = live.game.parse_action(change.text)
    for viewer, other in worlds.items():
        if other == state or not _applies(other, action):
            continue
        twin = new_live_game(live.game.key, str(live.table.options), is_hot_seat=True)
        _become(twin, live, other)
        if state.redact(action, viewer) != other.redact(action, viewer):
            continue  # it shows this viewer something: then the worlds part
        true = new_live_game(live.game.key, str(live.table.options), is_hot_seat=True)
        _become(true, live, state)
        for each in (true, twin):
            each.append_event(change, 2.0)
        if true.table.state.view(viewer) != twin.table.state.view(viewer):
            continue  # the action revealed it to everybody
        assert all_views(true, viewer, before) == all_views(twin, viewer, before)
        compared += 1
    return compared


def _applies(state: AnyState, action: Any) -> bool:
    try:
        state.apply(action)
    except tripot.game.TripotError:
        return False
    return True


def _become(live: LiveGame, model: LiveGame, state: AnyState) -> None:
    """The same game up to now, in the world of a state."""
    live.events = [*model.events]
    live.action_seqs = [*model.action_seqs]
    live.table._actions = [*model.table._actions]
    live.table._states = [*model.table._states[:-1], state]
    live.invalidate_cache()


def test_the_seed_is_not_sent_before_the_end() -> None:
    live = new_live_game("triolet", "", is_hot_seat=True)
    live.run_chance(1.0)
    seed = live.seed
    for viewer in (None, 0, 1):
        assert seed.encode() not in all_views(live, viewer, 0)
        assert state(live, viewer).seed_commitment == fairness.commitment(seed)
    live.append_event(Change("resign", 0), 2.0)
    assert state(live, None).seed == seed


@pytest.mark.parametrize("end", ["resign", "played"])
def test_the_score_history_contains_visible_points_only(end: str) -> None:
    """An entry an action of a seat, the same for all; nothing of racks that come up later."""
    rng, live = Random(f"points {end}"), new_live_game("triolet", "")
    while not live.table.outcome:
        now = live.table.state
        if now.to_act is CHANCE:
            live.append_event(Change("chance", None, str(now.sample_chance(rng))), 2.0)
        elif end == "resign" and live.table.action_count > 20:
            live.append_event(Change("resign", 0), 2.0)
        else:
            best = max(now.legal_actions(), key=lambda each: str(each).count("="))
            live.append_event(Change("action", now.to_act, str(best)), 2.0)
        seen = [state(live, viewer).score_history for viewer in (None, 0, 1)]
        assert seen[0] == seen[1] == seen[2]
    outcome = state(live, None).outcome
    assert outcome
    assert outcome.has_points == (end == "played"), "a resignation leaves -1 and 1, which are no points"
    entries = state(live, None).score_history
    acts = [event.seat for event in live.events if event.type == "action"]
    assert [entry.seat for entry in entries if entry.seat is not None] == acts
    totals = [0, 0]
    for entry in entries:
        totals = [total + gained for total, gained in zip(totals, entry.gains, strict=True)]
        assert totals == entry.scores
        then = live.state_after(entry.action_index).view(None)
        assert tuple(totals) == (then.outcome or then).scores
        assert tuple(entry.team_scores) == (then.outcome or then).team_scores
    assert totals == state(live, None).view["scores"]
    again = LiveGame(row("triolet", "", "00" * 32), [event.row("") for event in live.events])
    assert state(again, 0).score_history == state(live, 0).score_history


def test_a_game_without_points_has_no_score_history() -> None:
    live = new_live_game("trippples", "")
    live.run_chance(1.0)
    assert state(live, 0).score_history == []


def test_undone_points_leave_the_score_history() -> None:
    live = new_live_game("triolet", "")
    live.run_chance(1.0)
    mover = live.to_act
    best = max(live.table.state.legal_actions(), key=lambda each: str(each).count("="))
    assert isinstance(mover, int)
    live.append_event(Change("action", mover, str(best)), 2.0)
    assert len(state(live, 0).score_history) == 1
    live.append_event(Change("undo", mover), 3.0)
    live.append_event(Change("accept", 1 - mover), 4.0)
    assert state(live, 0).score_history == []


def test_draws_of_others_are_masked_in_the_log() -> None:
    live = new_live_game("triolet", "")
    live.run_chance(1.0)
    for viewer in (None, 0, 1):
        draws = [
            event.text.split()
            for event in render.events(live, render.Viewer(viewer, "en"))
            if event.text.startswith("draw")
        ]
        assert [("?" in tokens) for _, _, tokens in draws] == [seat != viewer for seat in (0, 1)]
