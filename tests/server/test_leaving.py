"""Players who leave a game with more than two teams: a bot takes their seat, whoever else plays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.in_process import ME, SETTINGS, FakeTime, bot, run_games, until

from tripot.server.errors import StaleSeqError
from tripot.server.game_service import GameService
from tripot.server.live_game import LiveGame


async def only_human(games: GameService, clock: str = "") -> LiveGame:
    """A game in which the only human is to act, against two bots."""
    live = await games.create("ann", "triolet", {"players": "3"}, [ME, bot(1), bot(1)], "Ann", clock=clock)
    await until(games, live, lambda live: live.to_act == 0)
    return live


def test_the_only_human_may_resign_and_the_bots_finish_the_game(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await only_human(games)
        await games.act(live.id, "ann", "resign", "", None, None)
        assert live.table.players[0].is_bot
        assert live.seats_of("ann") == []
        seq = live.seq
        await until(games, live, lambda live: live.seq > seq)

    run_games(work, replace(SETTINGS, database=sqlite_url))


@pytest.mark.parametrize("by", ["timer", "action"])
def test_the_time_of_the_only_human_runs_out(sqlite_url: str, by: str) -> None:
    """Nothing happened, and every action was refused as stale for ever."""
    time = FakeTime()

    async def work(games: GameService) -> None:
        live = await only_human(games, clock="60+0")
        if by == "timer":
            time.advance(61)
        else:
            live.clock.remaining_seconds[0] = 0.0
            with pytest.raises(StaleSeqError):
                await games.act(live.id, "ann", "action", "pass", live.seq, None)
        await until(games, live, lambda live: live.table.players[0].is_bot)

    run_games(work, replace(SETTINGS, database=sqlite_url), time)
