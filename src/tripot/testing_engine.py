"""The conformance suite for engines: what every computer player must do, on positions of random games.

    tripot.testing_engine.check_engine(game, Random(1))          legal, repeatable and complete results
    tripot.testing_engine.check_engine_guards(game, Random(1))   the documented errors

The checks raise AssertionError with what went wrong, like those of `tripot.testing`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from random import Random
from typing import Any, Final, ParamSpec

import tripot
from tripot import i18n
from tripot.bot import Bot
from tripot.game import (
    CHANCE,
    Analysis,
    AnyGame,
    AnyState,
    Candidate,
    Engine,
    EngineBusyError,
    Limit,
    NoDecisionError,
    Options,
    Rng,
    Seat,
)
from tripot.testing import random_options, random_playthrough

P = ParamSpec("P")

LIMIT: Final = Limit(simulations=20)  # not seconds: on a busy machine the same seed would play differently
HANG_SECONDS: Final = 300.0  # after which a thread counts as broken
MAX_STEPS: Final = 10_000  # random games end long before


# --- Results -----------------------------------------------------------------------------------


def check_engine(
    game: AnyGame,
    rng: Rng,
    options: Options | None = None,
    moments: int = 3,
) -> None:
    """Every level chooses legal actions from the view of its seat, and the same ones for the same seed.

    Given a full state it searches that view too: what the other seats hide changes nothing.

    Choices have a principal variation and, where there is an opponent, an expected outcome.
    """
    options = options or random_options(game, rng)
    played = random_playthrough(game.initial_state(options), rng, steps=80)
    decisions = [state for state, _ in played if isinstance(state.to_act, Seat)]
    for state in rng.sample(decisions, min(moments, len(decisions))):
        view, seed = state.view(_seat_to_act(state)), rng.getrandbits(32)
        other = view.determinize(rng)  # a full state with the same view
        for level in game.levels:
            candidate = game.engine(level).choose(view, LIMIT, Random(seed))
            assert candidate.action in state.legal_actions()
            again = game.engine(level).choose(other, LIMIT, Random(seed))
            assert again == candidate, (
                f"level {level} chooses otherwise from another full state with the same view, so it is not "
                f"repeatable or uses what is hidden: {other.to_text()}"
            )
            _check_candidate(view, candidate, True, f"choose at level {level}")
        _check_analysis(game, view, game.engine(game.levels[-1]).analyse(view, LIMIT, Random(seed)))


def _check_analysis(game: AnyGame, view: AnyState, analysis: Analysis) -> None:
    actions = [str(candidate.action) for candidate in analysis.candidates]
    assert sorted(actions) == sorted(map(str, view.legal_actions())), (
        "an analysis has all legal actions, once"
    )
    values = [candidate.value for candidate in analysis.candidates]
    assert values == sorted(values, reverse=True), "the best action comes first"
    for rank, candidate in enumerate(analysis.candidates):
        _check_candidate(view, candidate, rank == 0, f"candidate {rank + 1} of an analysis")
    assert all(
        steps > 0 for distance_map in analysis.distance_maps for steps in distance_map.distances.values()
    )
    rows = ["".join(text for text, _ in row) for row in view.draw_terminal_map(analysis.distance_maps)]
    assert max(len(row.rstrip()) for row in rows) <= 80
    facts = [*analysis.facts, *(fact for candidate in analysis.candidates for fact in candidate.facts)]
    for language in i18n.languages(game):
        assert all(i18n.render(game, fact, language) for fact in facts)


def _check_candidate(view: AnyState, candidate: Candidate, complete: bool, where: str) -> None:
    assert -1 <= candidate.value <= 1, f"{where}: value {candidate.value}"
    assert not candidate.pv or candidate.pv[0] == candidate.action, f"{where}: the pv starts elsewhere"
    if (expected := candidate.expected) is not None:
        assert 0 <= expected.win_rate <= 1, f"{where}: win rate {expected.win_rate}"
        assert len(expected.scores) in (0, len(view.teams)), f"{where}: one expected score per seat, or none"
    if complete:
        assert candidate.pv, f"{where}: no principal variation"
        has_opponent = len({*view.teams}) > 1
        assert candidate.expected is not None or not has_opponent, f"{where}: no expected outcome"


# --- Guards ------------------------------------------------------------------------------------


def check_engine_guards(game: AnyGame, rng: Rng) -> None:
    """Engines and bots refuse decisions that they cannot make, and calls from two threads at once."""
    start = game.initial_state(players=2)
    states = [start, *(state.apply(action) for state, action in random_playthrough(start, rng, MAX_STEPS))]
    assert states[-1].to_act is None, f"no end after {MAX_STEPS} random actions"
    decisions = [state for state in states if isinstance(state.to_act, Seat)]
    refused = [(states[-1], "the game is over")]
    _check_type_errors(game)
    refused += [(state, "chance is to act") for state in states if state.to_act is CHANCE][:1]
    for level in (game.levels[0], game.levels[-1]):
        engine = game.engine(level)
        for state, reason in refused:
            _check_no_decision(reason, engine.choose, state.view(0), LIMIT, Random(1))
            _check_no_decision(reason, engine.analyse, state.view(0), LIMIT, Random(1))
        for view in _views_without_actions(decisions)[:1]:
            _check_no_decision("not the view", engine.choose, view, LIMIT, Random(1))
            _check_no_decision("not the view", engine.analyse, view, LIMIT, Random(1))
        _check_no_time_limit(engine, decisions[0])
        _check_threads(engine, decisions[0])
        _check_bot(Bot(game, level, _seat_to_act(decisions[0])), decisions, refused)


def _check_type_errors(game: AnyGame) -> None:
    """Engines and bots refuse what is not a state of their game."""
    others = [other.initial_state() for other in tripot.list_games() if other.key != game.key][:1]
    engine, bot = game.engine(game.levels[0]), Bot(game, game.levels[0], 0)
    calls: tuple[Callable[[Any], object], ...] = (
        lambda value: engine.choose(value, LIMIT, Random(1)),
        lambda value: engine.analyse(value, LIMIT, Random(1)),
        bot.observe,
    )
    for value in (game.initial_state().to_text(), None, *others):
        for call in calls:
            message = ""
            try:
                call(value)
            except TypeError as error:
                message = str(error)
            assert "is not a state of this game" in message, f"{value!r} was taken for a state: {message}"


def _views_without_actions(decisions: list[AnyState]) -> list[AnyState]:
    """The views of other seats than the one to act that hide all its actions."""
    views = [state.view(seat) for state in decisions for seat in range(len(state.teams))]
    return [view for view in views if not view.legal_actions()]


def _check_bot(bot: Bot, decisions: list[AnyState], refused: list[tuple[AnyState, str]]) -> None:
    """A bot decides for its seat alone, before it is closed, and goes on after an undo."""
    _check_no_decision("not observed", bot.choose, LIMIT, Random(1))
    others = [state for state in decisions if state.to_act != bot.seat]
    for state, reason in [*refused, *((other, "is to act, not seat") for other in others[:1])]:
        bot.observe(state)
        _check_no_decision(reason, bot.choose, LIMIT, Random(1))
        _check_no_decision(reason, bot.analyse, LIMIT, Random(1))
    own_decisions = [state for state in decisions if state.to_act == bot.seat]
    middle, first = own_decisions[len(own_decisions) // 2], own_decisions[0]
    for state in (middle, first):  # the second time after an undo of many actions
        bot.observe(state)
        assert bot.choose(LIMIT, Random(1)).action in state.legal_actions()
    bot.close()
    _check_no_decision("closed", bot.choose, LIMIT, Random(1))


def _check_no_decision(reason: str, decide: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """A call raises `NoDecisionError`, and its text has the reason."""
    raised: NoDecisionError | None = None
    try:
        decide(*args, **kwargs)
    except NoDecisionError as error:
        raised = error
    assert raised is not None, f"a decision was made although {reason}"
    assert reason in str(raised), f"{raised!r} does not say {reason!r}"


def _check_no_time_limit(engine: Engine, state: AnyState) -> None:
    """A search without a time limit ends when it is told to stop."""
    limit, view = Limit(seconds=math.inf, should_stop=lambda: True), state.view(_seat_to_act(state))
    assert engine.choose(view, limit, Random(1)).action in state.legal_actions()
    assert engine.analyse(view, limit, Random(1)).candidates


def _check_threads(engine: Engine, state: AnyState) -> None:
    """While one thread is in an engine, two others get `EngineBusyError`, and the process survives."""
    view = state.view(_seat_to_act(state))
    is_searching, may_finish = threading.Event(), threading.Event()
    search: Callable[..., Candidate] = engine._choose

    def held(*args: Any) -> Candidate:
        is_searching.set()
        may_finish.wait()
        return search(*args)

    vars(engine)["_choose"] = held  # holds the search until the others have called
    results: list[object] = []
    first = threading.Thread(target=_call, args=(engine.choose, view, results))
    others = [
        threading.Thread(target=_call, args=(call, view, results)) for call in (engine.choose, engine.analyse)
    ]
    first.start()
    assert is_searching.wait(HANG_SECONDS), "the search did not start"
    try:
        for thread in others:
            thread.start()
            thread.join()
    finally:
        may_finish.set()
        first.join()
    assert [type(result) for result in results] == [EngineBusyError, EngineBusyError, Candidate], results
    del vars(engine)["_choose"]  # the method of the class again
    assert engine.choose(view, LIMIT, Random(1)).action in state.legal_actions(), "it can be used afterwards"


def _call(decide: Callable[[AnyState, Limit, Rng], object], view: AnyState, results: list[object]) -> None:
    try:
        results.append(decide(view, LIMIT, Random(1)))
    except Exception as error:
        results.append(error)


def _seat_to_act(state: AnyState) -> Seat:
    assert isinstance(state.to_act, Seat)
    return state.to_act
