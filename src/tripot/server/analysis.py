"""What users ask about a game without changing it: positions, previews, hints, analyses, records."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime

from tripot.game import AnyState, IllegalActionError, Seat
from tripot.server import render
from tripot.server.engine_queue import Priority
from tripot.server.errors import RequestError
from tripot.server.game_service import GameService
from tripot.server.game_types import language_for
from tripot.server.identity import User
from tripot.server.live_game import LiveGame
from tripot.server.rate_limits import RateLimits
from tripot.server.render import Viewer
from tripot.server.seats import viewing_seat
from tripot.server.wire import Analysis, Hint, Position, Preview, Snapshot

HINT_CANDIDATES = 5
ANALYSIS_CANDIDATES = 100


class AnalysisService:
    """Answers questions about games."""

    def __init__(self, games: GameService, rate_limits: RateLimits) -> None:
        self._games, self._rate_limits = games, rate_limits

    async def snapshot(self, game_id: str, user: User, seat: Seat | None, language: str) -> Snapshot:
        """A game as a user may see it, through one of the user's seats."""
        async with self._games.locked(game_id) as live:
            viewer = _viewer(live, user, seat, language)
            return await self._games.in_thread(render.snapshot, live, user.id, viewer)

    async def position(
        self,
        game_id: str,
        user: User,
        seat: Seat | None,
        language: str,
        action_index: int,
        variation: Sequence[str],
    ) -> Position:
        """A game after some actions, and after some more that are tried."""
        async with self._games.locked(game_id) as live:
            viewer = _viewer(live, user, seat, language)
            return await self._games.in_thread(render.position, live, viewer, action_index, variation)

    async def preview(
        self, game_id: str, user: User, seat: Seat | None, language: str, action: str
    ) -> Preview:
        """The effects of an action of the seat to act."""
        async with self._games.locked(game_id) as live:
            viewer = _viewer(live, user, seat, language)
            return await self._games.in_thread(render.preview, live, viewer, action)

    async def board_svg(self, game_id: str, user: User, seat: Seat | None, action_index: int | None) -> str:
        """The board as a user may see it."""
        async with self._games.locked(game_id) as live:
            return await self._games.in_thread(
                render.board_svg, live, viewing_seat(live, user.id, seat), action_index
            )

    async def record(self, game_id: str) -> tuple[str, str]:
        """The file name and the text of the record of a finished game."""
        async with self._games.locked(game_id) as live:
            date = datetime.fromtimestamp(live.created_at, UTC).date().isoformat()
            text = await self._games.in_thread(render.record, live, date)
        return f"{live.game.key}-{live.id}.txt", text

    async def hint(self, game_id: str, user: User, language: str, seconds: float) -> Hint:
        """The best moves for the seat to act."""
        ranking = await self.analyse(game_id, user, language, None, seconds, Priority.HINT)
        best, *_ = candidates = ranking.candidates[:HINT_CANDIDATES]
        return Hint(
            best.action,
            best.value,
            best.pv,
            best.facts,
            best.effects,
            best.expected,
            candidates,
            ranking.distance_maps,
        )

    async def analyse(
        self,
        game_id: str,
        user: User,
        language: str,
        action_index: int | None,
        seconds: float,
        priority: Priority = Priority.ANALYSIS,
    ) -> Analysis:
        """The moves of a position as the strongest level ranks them.

        The engine sees only the view of the seat to act. While the game goes on, only a user without human
        opponents may ask, and only for the user's own seat; what the seat has to notice itself is left out.
        The engine searches without the lock of the game, on what was read with it.
        """
        async with self._games.locked(game_id) as live:
            view = await self._games.in_thread(_analysable_view, live, user, action_index)
            is_over = live.table.outcome is not None
            rng = self._games.bots.rng(live)
        bots = self._games.bots
        bots.queue.check_room(user.address)  # before the seconds are counted, so that `busy` costs none
        self._rate_limits.check_engine_time(user, seconds)
        limit, known_language = bots.limit_of(seconds), language_for(live.game, language)

        def search() -> Analysis:
            with closing(live.game.engine(live.game.levels[-1])) as engine:
                ranking = engine.analyse(view, limit, rng)
            if not is_over:
                ranking = view.hint(ranking)
            if not ranking.candidates:
                raise IllegalActionError("TABLE", "notice")
            return render.analysis(live, view, ranking, known_language, ANALYSIS_CANDIDATES)

        return await bots.answer(search, priority, seconds, user.address)


def _analysable_view(live: LiveGame, user: User, action_index: int | None) -> AnyState:
    """The view of the seat to act after some actions, if the user may have it analysed."""
    state = live.state_after(action_index)
    seat = state.to_act
    if not isinstance(seat, int):
        raise RequestError(409, "no_seat_to_act", "No seat is to act in that position.")
    if not live.table.outcome:
        own = live.seats_of(user.id)
        if not own or not live.table.has_no_human_opponent(own[0]):
            raise IllegalActionError("TABLE", "others_play")
        if seat not in own:
            raise IllegalActionError("TABLE", "turn", seat=own[0])
    return state.view(seat)


def _viewer(live: LiveGame, user: User, seat: Seat | None, language: str) -> Viewer:
    return Viewer(viewing_seat(live, user.id, seat), language_for(live.game, language))
