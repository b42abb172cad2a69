"""The conformance suite: what every game must do, checked on any game by playing it at random.

    from random import Random
    import tripot, tripot.testing

    tripot.testing.check_game_package(game)             its folder has the files, and imports one way
    tripot.testing.check_random_game(game, Random(1))   one random game in a random variant, every step
    tripot.testing.check_engine(game, Random(1))        its computer players, on a few positions

The checks raise AssertionError with what went wrong. Feed `check_random_game` many seeds, or Hypothesis's
`randoms()`, which also shrinks what it finds.
"""

from __future__ import annotations

import ast
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from random import Random
from typing import Any, TypeVar

from tripot import i18n
from tripot.game import (
    CHANCE,
    A,
    Action,
    AnyGame,
    AnyState,
    Fact,
    IllegalActionError,
    Limit,
    OptionError,
    Options,
    Outcome,
    Rng,
    Seat,
    State,
    reveals_information,
)
from tripot.record import Record

PACKAGE_FILES = {
    "__init__.py",
    "board.py",
    "options.py",
    "actions.py",
    "rules.py",
    "text.py",
    "draw.py",
    "view_json.py",
    "kernel",
    "engine.py",
    "rulebook",
}
# What a game may import from `tripot` apart from its own package.
GAME_IMPORTS = (
    "tripot.game",
    "tripot.game_package",
    "tripot.position_text",
    "tripot.drawing",
    "tripot.engine",
)
RENDERING_FILES = {"text.py", "draw.py", "view_json.py"}
MAX_SAMPLED_ACTIONS = 20  # how many of the legal actions are tried at each step
FOREIGN_ACTION_INTERVAL = 20  # steps between two tries of what is not an action of the game
ENGINE_ONLY_IMPORTS = {"numba", "numpy"}

S = TypeVar("S", bound=AnyState)


# --- Playing at random -------------------------------------------------------------------------


def random_options(game: AnyGame, rng: Rng) -> Options:
    """A random valid combination of options, each kept at its default half the time."""
    while True:
        chosen = {
            entry["name"]: rng.choice(entry["choices"])
            for entry in game.Options.schema()
            if entry["choices"] and rng.random() < 0.5
        }
        try:
            return game.Options.parse(chosen)
        except OptionError:
            continue


def random_action(state: State[A], rng: Rng) -> A:
    """What whoever is to act does, at random."""
    return state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(state.legal_actions())


def random_playthrough(start: S, rng: Rng, steps: int) -> Iterator[tuple[S, Action]]:
    """The states of a random game, each with the action played there; at most so many steps."""
    state = start
    for _ in range(steps):
        if state.to_act is None:
            return
        action = random_action(state, rng)
        yield state, action
        state = state.apply(action)


def viewers(state: AnyState) -> tuple[Seat | None, ...]:
    """Everyone who may look: each seat, and a spectator."""
    return (*range(len(state.teams)), None)


# --- For the tests of single clauses -----------------------------------------------------------


def apply_texts(game: AnyGame, state: S, *texts: str) -> S:
    """The state after some actions, given by their texts."""
    for text in texts:
        state = state.apply(game.parse_action(text))
    return state


def rejection_fact(game: AnyGame, state: AnyState, text: str) -> Fact:
    """What refuses an action, once it is sure that nothing changed (X-2) and that it can be said."""
    before, action = state.to_text(), game.parse_action(text)
    assert action not in state.legal_actions(), f"{text} is legal"
    refusal = _rejection(state, action)
    assert refusal is not None, f"{text} was not refused"
    assert state.to_text() == before
    previewed = state.preview(action).error
    assert previewed is not None
    assert previewed.fact == refusal.fact
    for language in i18n.languages(game):
        assert i18n.render(game, refusal.fact, language)
    return refusal.fact


def rejection_key(game: AnyGame, state: AnyState, text: str) -> str:
    """The clause and key of it."""
    fact = rejection_fact(game, state, text)
    return f"{fact.clause} {fact.key}"


def effect_texts(game: AnyGame, state: AnyState, text: str) -> list[str]:
    """What an action would bring, as people read it."""
    return [i18n.render(game, fact) for fact in state.preview(game.parse_action(text)).effects]


# --- One random game, checked at every step ----------------------------------------------------


def check_random_game(game: AnyGame, rng: Rng, steps: int = 100, options: Options | None = None) -> AnyState:
    """Play one random game, in the given variant or a random one, and check every step of it."""
    options = options or random_options(game, rng)
    strangers = _out_of_place_actions(game, options, rng)
    start = game.initial_state(options)
    assert start.options == options, "a state keeps its options"
    played, last = check_steps(game, start, rng, steps, strangers)
    _check_record(game, start, played, last)
    return last


def check_steps(
    game: AnyGame, state: AnyState, rng: Rng, steps: int, strangers: Sequence[Action] = ()
) -> tuple[list[Action], AnyState]:
    """Play on at random from a state, check every step, and return what was played and the last state.

    `strangers` are actions to try everywhere, which must be refused where they are not listed.
    """
    played: list[Action] = []
    now = _Watched(state)
    while now.state.to_act is not None and len(played) < steps:
        action = random_action(now.state, rng)
        copy = pickle.loads(pickle.dumps(now.state))
        after = _Watched(now.state.apply(action))
        _check_position(game, now)
        _check_actions(game, now, strangers, rng)
        _check_hidden_information(now, action, after, rng)
        if len(played) % FOREIGN_ACTION_INTERVAL == 0:
            _check_foreign_actions(now.state)
        assert copy == now.state, f"{action} changed the state it was applied to"
        assert hash(copy) == hash(now.state)
        played.append(action)
        now = after
    assert hash(now.state) == hash(pickle.loads(pickle.dumps(now.state)))
    _check_foreign_actions(now.state)
    _check_position(game, now)
    _check_actions(game, now, strangers, rng)
    return played, now.state


def _out_of_place_actions(game: AnyGame, options: Options, rng: Rng) -> list[Action]:
    """Actions of other moments of the game, most of them out of place anywhere else."""
    found: list[Action] = []
    for state, action in random_playthrough(game.initial_state(options), rng, steps=40):
        found += {action, *state.legal_actions()[:8]}
    return rng.sample(found, min(12, len(found)))


class _Watched:
    """A state with what each viewer sees of it, computed once because most of the checks need it.

    Renderings are kept per view object, not per equal view: two equal views must also look the same.
    """

    def __init__(self, state: AnyState) -> None:
        self.state = state
        self._views: dict[Seat | None, AnyState] = {}
        self._rendered: dict[int, tuple[dict[str, Any], str, str]] = {}

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        return tuple(self.state.legal_actions())

    def view(self, viewer: Seat | None) -> AnyState:
        if viewer not in self._views:
            self._views[viewer] = self.state.view(viewer)
        return self._views[viewer]

    def rendered(self, seen: AnyState) -> tuple[dict[str, Any], str, str]:
        """The JSON, text and SVG of the state or of one of its views, which are held here, so ids differ."""
        if id(seen) not in self._rendered:
            self._rendered[id(seen)] = seen.to_json(), str(seen), seen._repr_svg_()
        return self._rendered[id(seen)]


def _check_position(game: AnyGame, now: _Watched) -> None:
    """Whose turn, the end, texts and pictures."""
    state = now.state
    seats = len(state.teams)
    assert seats == state.options.players
    assert state.to_act is None or state.to_act is CHANCE or 0 <= state.to_act < seats
    assert (state.outcome is None) == (state.to_act is not None), "over means nobody acts"
    assert bool(now.legal) == isinstance(state.to_act, int), "legal() is for the seat to act"
    if state.outcome:
        _check_outcome(state.outcome, seats)
    for language in i18n.languages(game):
        assert i18n.render(game, state.prompt, language)
    for seen in {state, *(now.view(viewer) for viewer in viewers(state))}:
        text = seen.to_text()
        assert game.parse_state(text) == seen, f"parse_state(to_text()) differs: {text}"
        assert text.split()[0] == game.key
        page, board, svg = now.rendered(seen)
        assert max(map(len, board.splitlines())) <= 80
        assert svg.startswith("<svg")
        assert json.loads(json.dumps(page))["legal"] == [str(action) for action in seen.legal_actions()]


def _check_outcome(outcome: Outcome, seats: int) -> None:
    assert len(outcome.scores) == len(outcome.teams) == seats
    best = max(outcome.team_scores)
    assert all(outcome.team_scores[outcome.teams[seat]] == best for seat in outcome.winners)


def _check_actions(game: AnyGame, now: _Watched, strangers: Sequence[Action], rng: Rng) -> None:
    """Every listed action applies; every unlisted one is refused with a clause that can be said.

    Of very long lists a sample is tried.
    """
    state, legal = now.state, now.legal
    listed = set(legal)
    assert len(listed) == len(legal), "legal() repeats itself"
    for action in rng.sample(legal, min(len(legal), MAX_SAMPLED_ACTIONS)):
        assert game.parse_action(str(action)) == action, f"{action} does not read back"
        assert state.preview(action).error is None
        assert state.apply(action) != state
    odds = state.chance_outcomes()
    assert not odds or sum((each for _, each in odds), Fraction(0)) == 1
    for action, _ in rng.sample(odds, min(len(odds), MAX_SAMPLED_ACTIONS)):
        state.apply(action)
    for action in strangers:
        if action in listed:
            continue
        refusal = _rejection(state, action)
        if refusal is None and state.to_act is CHANCE:
            continue  # chance does not list what it may do
        assert refusal is not None, f"{action} is not listed and yet applies"
        previewed = state.preview(action).error
        assert previewed is not None
        assert previewed.fact == refusal.fact
        for language in i18n.languages(game):
            assert i18n.render(game, refusal.fact, language)


@dataclass(frozen=True)
class _ForeignAction(Action):
    """An action of another game."""

    def __str__(self) -> str:
        return "foreign"


def _check_foreign_actions(state: AnyState) -> None:
    """`apply` and `preview` refuse anything that is not an action of the game, and name it."""
    for given in (None, "text", 7, _ForeignAction()):
        for method in (state.apply, state.preview):
            error = _type_error(method, given)
            assert error is not None, f"{method.__name__}({given!r}) is not refused"
            assert repr(given) in error, f"the error does not name {given!r}: {error}"


def _type_error(method: Callable[[Any], object], given: object) -> str | None:
    """The text of the TypeError that a call raises, if any."""
    try:
        method(given)
    except TypeError as error:
        return str(error)
    return None


def _rejection(state: AnyState, action: Action) -> IllegalActionError | None:
    try:
        state.apply(action)
    except IllegalActionError as refusal:
        return refusal
    return None


def _applied(state: AnyState, action: Action) -> AnyState | None:
    """The state after an action, or None if it is refused."""
    try:
        after: AnyState = state.apply(action)
    except IllegalActionError:
        return None
    return after


def _check_hidden_information(now: _Watched, action: Action, after: _Watched, rng: Rng) -> None:
    """Two worlds that differ only in what a viewer cannot see look the same to that viewer."""
    state = now.state
    if state.to_act is CHANCE:
        _check_same_chance(state, action, after, rng)
    for viewer in viewers(state):
        view = now.view(viewer)
        other = _Watched(view.determinize(rng))
        assert view.view(viewer) == view, "a view of a view is the view"
        assert view.scores == state.scores
        assert len(view.scores) in (0, len(state.teams))
        assert viewer != state.to_act or view.legal_actions() == now.legal, "what is legal tells a secret"
        if other.state == state:
            continue  # nothing is hidden
        _check_same_view(now, other, viewer)
        if viewer == state.to_act:
            legal, seen = view.legal_actions(), other.view(viewer)
            assert legal == other.legal, "what is legal tells a secret"
            for each in legal[:MAX_SAMPLED_ACTIONS]:
                assert view.preview(each).effects == seen.preview(each).effects
        other_after = _applied(other.state, action)
        if other_after is None or reveals_information(state, action):
            continue
        assert state.redact(action, viewer) == other.state.redact(action, viewer), "the log tells a secret"
        _check_same_view(after, _Watched(other_after), viewer)


def _check_same_chance(state: AnyState, one: Action, after_one: _Watched, rng: Rng) -> None:
    """View and log agree on what is secret: of two deals neither tells what the other hides."""
    two = state.sample_chance(rng)
    after_two = _Watched(state.apply(two))
    for viewer in viewers(state):
        if state.redact(one, viewer) == state.redact(two, viewer):
            _check_same_view(after_one, after_two, viewer)
        elif after_one.state != after_two.state:
            assert after_one.view(viewer) != after_two.view(viewer), "the log tells a secret"


def _check_same_view(one: _Watched, two: _Watched, viewer: Seat | None) -> None:
    assert one.view(viewer) == two.view(viewer), f"the view of {viewer} tells a secret"
    assert one.rendered(one.view(viewer)) == two.rendered(two.view(viewer))


def _check_record(game: AnyGame, start: AnyState, played: list[Action], last: AnyState) -> None:
    """A record of the game reads back, and replays to an equal state with no random numbers."""
    seats = tuple(f"seat {seat + 1}" for seat in range(len(start.teams)))
    record = Record(game, start.options, seats, date="2026-01-31", actions=tuple(played))
    again = Record.parse(record.to_text())
    assert again == record
    assert again.final_state == last
    assert again.outcome == last.outcome


# --- Engines -----------------------------------------------------------------------------------


def check_engine(game: AnyGame, rng: Rng, options: Options | None = None, moments: int = 3) -> None:
    """Every level plays legal actions from its seat's view, and the same ones for the same seed."""
    options = options or random_options(game, rng)
    limit = Limit(simulations=20)  # not seconds: on a busy machine the same seed would play differently
    states = [state for state, _ in random_playthrough(game.initial_state(options), rng, steps=80)]
    asked = [state for state in states if isinstance(state.to_act, int)]
    for state in rng.sample(asked, min(moments, len(asked))):
        view, seed = state.view(_seat(state)), rng.getrandbits(32)
        for level in game.levels:
            engine = game.engine(level)
            choice = engine.choose(view, limit, Random(seed))
            assert choice.action in state.legal_actions()
            assert choice.action == game.engine(level).choose(view, limit, Random(seed)).action
        analysis = game.engine(game.levels[-1]).analyse(view, limit, Random(seed))
        assert sorted(str(choice.action) for choice in analysis.candidates) == sorted(
            map(str, state.legal_actions())
        )
        values = [choice.value for choice in analysis.candidates]
        assert values == sorted(values, reverse=True)
        for choice in analysis.candidates:
            assert choice.expected is None or 0 <= choice.expected.win_rate <= 1
            assert choice.expected is None or len(choice.expected.scores) == len(state.teams)
        assert all(steps > 0 for each in analysis.distance_maps for steps in each.distances.values())
        chart = ["".join(text for text, _ in row) for row in view.draw_terminal_map(analysis.distance_maps)]
        assert max(len(row.rstrip()) for row in chart) <= 80
        for said in (*analysis.facts, *(each for choice in analysis.candidates for each in choice.facts)):
            for language in i18n.languages(game):
                assert i18n.render(game, said, language)


def _seat(state: AnyState) -> Seat:
    assert isinstance(state.to_act, int)
    return state.to_act


# --- The folder of a game ----------------------------------------------------------------------


def check_game_package(game: AnyGame) -> None:
    """The same files in every game, imports in one direction, and a sentence for every fact.

    A game may have further modules of its own, and any modules in `kernel/`.
    """
    home = files(type(game).__module__)
    sources = [ast.parse((files("tripot") / "game.py").read_text("utf-8"))]
    names = {path.name for path in home.iterdir()} - {"__pycache__"}
    assert names >= PACKAGE_FILES, f"{game.key} lacks {PACKAGE_FILES - names}"
    further = {name for name in names - PACKAGE_FILES if not name.endswith(".py")}
    assert not further, f"{game.key} has {further}, which are not modules"
    kernel = {f"kernel/{path.name}" for path in (home / "kernel").iterdir()}
    for name in sorted(name for name in names | kernel if name.endswith(".py")):
        sources.append(ast.parse((home / name).read_text("utf-8")))
        _check_imports(type(game).__module__, name, sources[-1])
    english = i18n.catalogue(game, "en")
    for language in i18n.languages(game):
        assert i18n.clauses(game, language).keys() == i18n.clauses(game, "en").keys()
        assert _keys(i18n.catalogue(game, language)) == _keys(english), f"{language} lacks or adds sentences"
        for entry in game.Options.schema():
            assert i18n.option_description(game, entry["name"], language)
            assert entry["clause"] in i18n.clauses(game, language) or entry["clause"].startswith("X-")
            for case in entry["where"]:
                assert all({*values} <= {*_choices(game, name)} for name, values in case.items())
        for source in sources:
            _check_refused_options(game, source, language)
        for seat in range(max(int(players) for players in _choices(game, "players"))):
            assert i18n.seat_name(game, seat, language)
    assert game.draw_clause is None or game.draw_clause in i18n.clauses(game, "en")


def _check_refused_options(game: AnyGame, source: ast.Module, language: str) -> None:
    """Whatever refuses an option has words, by a clause and a key that the source spells out.

    Nobody plays through all of these refusals, so they are read in the source.
    """
    known = i18n.catalogue(game, language)
    for node in ast.walk(source):
        if not (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "OptionError"
        ):
            continue
        clause, key = (_literal_texts(each) for each in node.args[3:])
        assert clause, f"line {node.lineno}: the clause of a refused option is not spelt out"
        assert key, f"line {node.lineno}: the key of a refused option is not spelt out"
        for one in clause:
            unsaid = [each for each in key if each not in known.get(one, {})]
            assert not unsaid, f"{language} has no words for {one} {unsaid}"


def _literal_texts(node: ast.expr) -> list[str]:
    """The texts that an expression may be; none if the source does not tell."""
    if isinstance(node, ast.IfExp):
        return [*_literal_texts(node.body), *_literal_texts(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _choices(game: AnyGame, name: str) -> list[str]:
    return next(list(entry["choices"]) for entry in game.Options.schema() if entry["name"] == name)


def _keys(catalogue: dict[str, Any]) -> set[tuple[str, str]]:
    tables = {name: table for name, table in catalogue.items() if isinstance(table, dict)}
    return {(name, key) for name, table in tables.items() for key in table}


def _check_imports(package: str, name: str, tree: ast.Module) -> None:
    """A game imports the interface, the modules that all games share, and itself.

    The rules use neither Numba nor random numbers. The modules that render a state import `rules.py`
    for its types only, because `rules.py` imports them. No module of a game except compiled ones
    imports its package lazily.
    """
    at_run_time = {*_run_time_imports(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for module in _imported_modules(node):
            where = f"{package}/{name} imports {module}"
            top = module.split(".")[0]
            is_own = module == package or module.startswith(f"{package}.")
            if top == "tripot":
                assert is_own or _is_shared(module), where
            is_compiled = name == "engine.py" or name.startswith("kernel/")
            if top in ENGINE_ONLY_IMPORTS or module.startswith(f"{package}.kernel"):
                assert is_compiled, where
            if name == "rules.py":
                assert top not in ("random", "numba"), where
            if name in RENDERING_FILES and module.startswith(f"{package}.rules"):
                assert node not in at_run_time, where
            if not is_compiled and is_own:
                assert node in at_run_time or _is_for_types(tree, node), f"{where} inside a function"


def _is_shared(module: str) -> bool:
    return any(module == shared or module.startswith(f"{shared}.") for shared in GAME_IMPORTS)


def _imported_modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The full names of what a statement imports: `tripot.game.Fact`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    assert node.level == 0, f"line {node.lineno} imports relatively"
    return [f"{node.module}.{alias.name}" for alias in node.names]


def _run_time_imports(tree: ast.Module) -> Iterator[ast.stmt]:
    """The imports that are executed when a module is imported."""
    return (node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))


def _is_for_types(tree: ast.Module, node: ast.stmt) -> bool:
    """Whether an import is in a block `if TYPE_CHECKING`."""
    blocks = [block for block in tree.body if isinstance(block, ast.If) and node in block.body]
    return any(isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING" for block in blocks)
