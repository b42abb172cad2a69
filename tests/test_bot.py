"""Bots: engines that are kept for a seat of a game. `tripot.testing_engine` checks the bots of every game."""

from __future__ import annotations

import threading
from random import Random

import pytest

from tripot import game
from tripot.bot import Bot
from tripot.game import Analysis, AnyGame, AnyState, Candidate, Engine, Limit, Rng, Seat
from tripot.testing import random_action, random_playthrough

LIMIT = Limit(simulations=1)


class Recorder(Engine):
    """An engine that plays the first legal action and records what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[AnyState] = []
        self.closed = 0

    def close(self) -> None:
        self.closed += 1

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        self.asked.append(view)
        return Candidate(view.legal_actions()[0], 0.0)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        return Analysis(tuple(Candidate(action, 0.0) for action in view.legal_actions()))


class Searcher(Recorder):
    """An engine that searches until it is stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.searching = threading.Event()

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        self.searching.set()
        while not limit.should_stop():
            pass
        return super()._choose(view, limit, rng)


@pytest.fixture
def recorders(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> list[Recorder]:
    """The engines that the toy game has created so far."""
    created: list[Recorder] = []

    def engine(_game: AnyGame, _level: int) -> Engine:
        created.append(Recorder())
        return created[-1]

    monkeypatch.setattr(type(toy_game), "engine", engine)
    return created


def positions(game: AnyGame, seed: int = 1) -> list[AnyState]:
    """All positions of a random game."""
    played = [*random_playthrough(game.initial_state(game.Options()), Random(seed), steps=10_000)]
    last, action = played[-1]
    return [*(state for state, _ in played), last.apply(action)]


def to_seat(game: AnyGame) -> tuple[AnyState, Seat]:
    """A position in which a seat is to act, and that seat."""
    return next((state, state.to_act) for state in positions(game) if isinstance(state.to_act, int))


def test_one_engine_plays_the_whole_game(toy_game: AnyGame, recorders: list[Recorder]) -> None:
    rng, state = Random(5), toy_game.initial_state(toy_game.Options())
    decisions = []
    with Bot(toy_game, 1, seat=0) as bot:
        while state.to_act is not None:
            bot.observe(state)
            if state.to_act == 0:
                decisions.append(state.view(0))
                state = state.apply(bot.choose(LIMIT, rng).action)
            else:
                state = state.apply(random_action(state, rng))
    (engine,) = recorders
    assert len(engine.asked) > 1
    assert engine.asked == decisions
    assert engine.closed == 1


def test_an_engine_never_sees_more_than_its_seat(toy_game: AnyGame, recorders: list[Recorder]) -> None:
    state, seat = to_seat(toy_game)
    assert state.view(0) != state, "the toy has hidden cards"
    bot = Bot(toy_game, 1, seat)
    bot.observe(state)
    bot.choose(LIMIT, Random(1))
    assert recorders[0].asked == [state.view(seat)]


def test_after_an_undo_the_bot_goes_on_from_the_earlier_position(
    toy_game: AnyGame, recorders: list[Recorder]
) -> None:
    before, seat = to_seat(toy_game)
    bot = Bot(toy_game, 1, seat)
    bot.observe(before)
    bot.observe(before.apply(before.legal_actions()[0]))
    bot.observe(before)
    assert bot.choose(LIMIT, Random(1)).action == before.legal_actions()[0]
    assert recorders[0].asked == [before.view(seat)]


def test_a_position_observed_during_a_decision_is_for_the_next_one(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server observes in another thread; here the game moves on while the engine is created."""
    state, seat = to_seat(toy_game)
    bot, engine = Bot(toy_game, 1, seat), Recorder()

    def create(_game: AnyGame, _level: int) -> Engine:
        bot.observe(state.apply(state.legal_actions()[0]))
        return engine

    monkeypatch.setattr(type(toy_game), "engine", create)
    bot.observe(state)
    bot.choose(LIMIT, Random(1))
    assert engine.asked == [state.view(seat)]


def test_no_engine_is_created_before_the_first_decision(toy_game: AnyGame, recorders: list[Recorder]) -> None:
    bot = Bot(toy_game, 1, 0)
    bot.observe(to_seat(toy_game)[0])
    bot.close()
    assert recorders == []


def test_threads_are_set_only_where_the_engine_has_a_choice(
    toy_game: AnyGame, recorders: list[Recorder]
) -> None:
    state, seat = to_seat(toy_game)
    bot = Bot(toy_game, 1, seat, threads=2)
    bot.observe(state)
    with pytest.raises(ValueError, match="one thread"):
        bot.choose(LIMIT, Random(1))


def test_a_bot_has_a_level_and_a_seat_of_its_game(toy_game: AnyGame) -> None:
    with pytest.raises(ValueError, match="levels 1 to 2, not 7"):
        Bot(toy_game, 7, 0)
    with pytest.raises(TypeError, match="a level is a whole number such as 2, not '1'"):
        Bot(toy_game, "1", 0)  # type: ignore[arg-type]  # that is the point
    for seat in (7, -1, "0"):
        with pytest.raises(ValueError, match=f"no seat {seat!r}: the seats of Tally are 0 to 1"):
            Bot(toy_game, 1, seat)  # type: ignore[arg-type]  # that is the point


# --- Threads -----------------------------------------------------------------------------------


def test_closing_a_bot_stops_its_search_in_another_thread(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state, seat), searcher, chosen = to_seat(toy_game), Searcher(), list[Candidate]()
    monkeypatch.setattr(type(toy_game), "engine", lambda *_: searcher)
    bot = Bot(toy_game, 2, seat)
    bot.observe(state)
    thread = threading.Thread(target=lambda: chosen.append(bot.choose(LIMIT, Random(1))))
    thread.start()
    searcher.searching.wait()
    with pytest.raises(game.EngineBusyError):
        bot.choose(LIMIT, Random(1))
    bot.close()
    thread.join()
    assert len(chosen) == 1, "the search returns what it has"
    assert searcher.closed == 1, "the engine is freed when its search has ended"
    with pytest.raises(game.NoDecisionError, match="closed"):
        bot.choose(LIMIT, Random(1))
