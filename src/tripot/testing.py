"""The conformance suite: what every game must do, checked by playing random games.

    from random import Random
    import tripot, tripot.testing

    tripot.testing.check_game_package(game)             the files of its package and their imports
    tripot.testing.check_random_game(game, Random(1))   every step of a random game in a random variant

`tripot.testing_engine` checks its computer players, `tripot.testing_view` the JSON of its views. For tests of
single clauses there are `apply_texts`, `rejection_fact`, `rejection_key`, `option_error` and `effect_texts`.

The checks raise AssertionError with what went wrong. Call `check_random_game` with many seeds, or with the
`randoms()` of Hypothesis, which also shrinks a failing example.
"""

from __future__ import annotations

import ast
import dataclasses
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
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
    OptionError,
    Options,
    Outcome,
    Rng,
    Seat,
    State,
    View,
)
from tripot.record import Record
from tripot.table import reveals_information
from tripot.testing_view import check_view_json

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
    "entry_points.py",
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
COMPILED_FILES = {"engine.py", "entry_points.py"}
RENDERING_FILES = {"text.py", "draw.py", "view_json.py"}
MAX_SAMPLED_ACTIONS = 8  # legal actions that are tried at each step
FOREIGN_ACTION_INTERVAL = 20  # steps between two checks with objects that are not actions of the game
OUT_OF_RANGE = 70  # below minus this, no index finds anything on a board of 64 squares
ENGINE_ONLY_IMPORTS = {"numba", "numpy"}

S = TypeVar("S", bound=AnyState)


# --- Random games ------------------------------------------------------------------------------


def random_options(game: AnyGame, rng: Rng) -> Options:
    """A random valid combination of options, each at its default with probability one half or more."""
    while True:
        values = {
            entry["name"]: rng.choice(entry["choices"])
            for entry in game.Options.schema()
            if entry["choices"] and rng.random() < 0.5
        }
        try:
            return game.Options.parse(values)
        except OptionError:
            continue


def random_action(state: State[A], rng: Rng) -> A:
    """A random action of the actor: a legal action of a seat, or a chance outcome."""
    return state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(state.legal_actions())


def random_playthrough(start: S, rng: Rng, steps: int) -> Iterator[tuple[S, Action]]:
    """The states of a random game, each with the action played there; at most `steps` of them."""
    state = start
    for _ in range(steps):
        if state.to_act is None:
            return
        action = random_action(state, rng)
        yield state, action
        state = state.apply(action)


def viewers(state: AnyState) -> tuple[Seat | None, ...]:
    """All viewers: each seat, and None for a spectator."""
    return (*range(len(state.teams)), None)


# --- For tests of single clauses ---------------------------------------------------------------
# Public, for the authors of games: docs/adding-a-game.md shows a test that uses them.


def apply_texts(game: AnyGame, state: S, *texts: str) -> S:
    """The state after actions that are given by their texts."""
    for text in texts:
        state = state.apply(game.parse_action(text))
    return state


def rejection_fact(game: AnyGame, state: AnyState, text: str) -> Fact:
    """The fact of the error that an action raises. The state must not change (X-2)."""
    before, action = state.to_text(), game.parse_action(text)
    assert action not in state.legal_actions(), f"{text} is legal"
    error = rejection(state, action)
    assert error is not None, f"{text} was not refused"
    assert state.to_text() == before
    previewed = state.preview(action).error
    assert previewed is not None
    assert previewed.fact == error.fact
    for language in i18n.languages(game):
        assert i18n.render(game, error.fact, language)
    return error.fact


def rejection_key(game: AnyGame, state: AnyState, text: str) -> str:
    """The clause and key of that fact."""
    fact = rejection_fact(game, state, text)
    return f"{fact.clause} {fact.key}"


def option_error(options: type[Options], text: str) -> OptionError:
    """The error that the text of some options raises."""
    try:
        options.parse(text)
    except OptionError as error:
        return error
    raise AssertionError(f"{text} was not refused")


def effect_texts(game: AnyGame, state: AnyState, text: str) -> list[str]:
    """The sentences of the effects that an action would have."""
    return [i18n.render(game, fact) for fact in state.preview(game.parse_action(text)).effects]


# --- One random game, checked at every step ----------------------------------------------------


def check_random_game(
    game: AnyGame, rng: Rng, steps: int = 100, options: Options | None = None, interval: int = 1
) -> AnyState:
    """Play one random game, in the given variant or a random one, and check every step of it.

    With an `interval` of n, only every n-th step and the last state are checked.
    """
    options = options or random_options(game, rng)
    out_of_place = _out_of_place_actions(game, options, rng)
    start = game.initial_state(options)
    assert start.options == options, "a state keeps its options"
    actions, last = check_steps(game, start, rng, steps, out_of_place, interval)
    _check_record(game, start, actions, last)
    return last


def check_steps(
    game: AnyGame,
    state: AnyState,
    rng: Rng,
    steps: int,
    out_of_place: Sequence[Action] = (),
    interval: int = 1,
) -> tuple[list[Action], AnyState]:
    """Play on at random from a state, check every step, and return the actions and the last state.

    `out_of_place` are actions to try in every state: where they are not legal, they must be refused.
    With an `interval` of n, only every n-th step and the last state are checked.
    """
    actions: list[Action] = []
    malformed: set[type[Action]] = set()
    now = _CachedState(state)
    while now.state.to_act is not None and len(actions) < steps:
        action = random_action(now.state, rng)
        copy = pickle.loads(pickle.dumps(now.state))
        after = _CachedState(now.state.apply(action))
        if len(actions) % interval == 0:
            _check_position(game, now)
            _check_actions(game, now, out_of_place, rng)
            _check_hidden_information(now, action, after, rng)
        if len(actions) % FOREIGN_ACTION_INTERVAL == 0:
            _check_foreign_actions(now.state)
        if type(action) not in malformed:
            malformed.add(type(action))
            _check_malformed_actions(game, now.state, action)
        assert copy == now.state, f"{action} changed the state it was applied to"
        assert hash(copy) == hash(now.state)
        actions.append(action)
        now = after
    assert hash(now.state) == hash(pickle.loads(pickle.dumps(now.state)))
    _check_foreign_actions(now.state)
    _check_position(game, now)
    _check_actions(game, now, out_of_place, rng)
    return actions, now.state


def _out_of_place_actions(game: AnyGame, options: Options, rng: Rng) -> list[Action]:
    """Actions from various states of another random game, most of them illegal in any other state."""
    actions: list[Action] = []
    for state, action in random_playthrough(game.initial_state(options), rng, steps=40):
        actions += {action, *state.legal_actions()[:8]}
    return rng.sample(actions, min(12, len(actions)))


class _CachedState:
    """A state with its views and their renderings, computed once because most of the checks need them.

    Renderings are cached per view object, not per equal view: two equal views must also look the same.
    """

    def __init__(self, state: AnyState) -> None:
        self.state = state
        self._views: dict[Seat | None, AnyState] = {}
        self._rendered: dict[int, tuple[View, str, str]] = {}

    @cached_property
    def legal_actions(self) -> tuple[Action, ...]:
        return tuple(self.state.legal_actions())

    def view(self, viewer: Seat | None) -> AnyState:
        if viewer not in self._views:
            self._views[viewer] = self.state.view(viewer)
        return self._views[viewer]

    def rendered(self, seen: AnyState) -> tuple[View, str, str]:
        """The JSON, terminal text and SVG of the state or of one of its views, which this object holds."""
        if id(seen) not in self._rendered:
            self._rendered[id(seen)] = seen.to_json(), str(seen), seen._repr_svg_()
        return self._rendered[id(seen)]


def _check_position(game: AnyGame, now: _CachedState) -> None:
    """Check the actor, the outcome, texts and drawings of a state."""
    state = now.state
    seats = len(state.teams)
    assert seats == state.options.players
    assert state.to_act is None or state.to_act is CHANCE or 0 <= state.to_act < seats
    assert (state.outcome is None) == (state.to_act is not None), "to_act is None exactly at the end"
    assert bool(now.legal_actions) == isinstance(state.to_act, int), "legal_actions() is for the seat to act"
    if state.outcome:
        _check_outcome(state.outcome, seats)
    for language in i18n.languages(game):
        assert i18n.render(game, state.prompt, language)
    for seen in {state, *(now.view(viewer) for viewer in viewers(state))}:
        text = seen.to_text()
        assert game.parse_state(text) == seen, f"parse_state(to_text()) differs: {text}"
        assert text.split()[0] == game.key
        view_json, drawing, svg = now.rendered(seen)
        assert max(map(len, drawing.splitlines())) <= 80
        assert svg.startswith("<svg")
        assert view_json["legal"] == [str(action) for action in seen.offered_actions()]
        check_view_json(game, view_json)


def _check_outcome(outcome: Outcome, seats: int) -> None:
    assert len(outcome.scores) == len(outcome.teams) == seats
    best = max(outcome.team_scores)
    assert all(outcome.team_scores[outcome.teams[seat]] == best for seat in outcome.winners)


def _check_actions(game: AnyGame, now: _CachedState, out_of_place: Sequence[Action], rng: Rng) -> None:
    """Every legal action applies, and every other one is refused with a fact that has sentences.

    Of a long list of actions, a sample is tried.
    """
    state, legal = now.state, now.legal_actions
    legal_set = set(legal)
    assert len(legal_set) == len(legal), "legal_actions() has repetitions"
    assert legal_set.issuperset(state.offered_actions()), "an illegal action is offered"
    for action in rng.sample(legal, min(len(legal), MAX_SAMPLED_ACTIONS)):
        assert game.parse_action(str(action)) == action, f"{action} does not read back"
        assert state.preview(action).error is None
        assert state.apply(action) != state
    outcomes = state.chance_outcomes()
    assert not outcomes or sum((probability for _, probability in outcomes), Fraction(0)) == 1
    for action, _ in rng.sample(outcomes, min(len(outcomes), MAX_SAMPLED_ACTIONS)):
        state.apply(action)
    for action in out_of_place:
        if action in legal_set:
            continue
        error = rejection(state, action)
        if error is None and state.to_act is CHANCE:
            continue  # the outcomes of chance are not always listed
        assert error is not None, f"{action} is not legal and yet applies"
        previewed = state.preview(action).error
        assert previewed is not None
        assert previewed.fact == error.fact
        for language in i18n.languages(game):
            assert i18n.render(game, error.fact, language)


@dataclass(frozen=True)
class _ForeignAction(Action):
    """An action of another game."""

    def __str__(self) -> str:
        return "foreign"


def _check_foreign_actions(state: AnyState) -> None:
    """`apply` and `preview` refuse anything that is not an action of the game, and name it."""
    for wrong in (None, "text", 7, _ForeignAction()):
        for method in (state.apply, state.preview):
            error = _type_error(method, wrong)
            assert error is not None, f"{method.__name__}({wrong!r}) is not refused"
            assert repr(wrong) in error, f"the error does not name {wrong!r}: {error}"


def _check_malformed_actions(game: AnyGame, state: AnyState, action: Action) -> None:
    """`apply` and `preview` refuse an action with a field out of range, as they do any other illegal action.

    Negative numbers of every size are tried, since an index from the end of a list would find something.
    """
    for malformed in _malformed_copies(action):
        error, previewed = rejection(state, malformed), state.preview(malformed).error
        assert error is not None, f"{malformed!r} applies"
        assert previewed is not None
        assert previewed.fact == error.fact
        for language in i18n.languages(game):
            assert i18n.render(game, error.fact, language)


def _malformed_copies(action: Any) -> Iterator[Action]:
    """Copies of an action with one field out of range, as far as its class lets them be made."""
    for field in dataclasses.fields(action):
        value = getattr(action, field.name)
        wrong: list[Any] = ["text", None]
        if isinstance(value, int) and not isinstance(value, bool):
            wrong += [*range(-OUT_OF_RANGE, 0), 10**4, value + 0.5, float(value)]
        elif isinstance(value, tuple):
            wrong += [(), (-1,), (-OUT_OF_RANGE,), (10**4,), ("text",), (None,) * len(value)]
        for replacement in wrong:
            with suppress(TypeError, ValueError):
                yield dataclasses.replace(action, **{field.name: replacement})


def _type_error(method: Callable[[Any], object], wrong: object) -> str | None:
    """The text of the TypeError that a call raises, if any."""
    try:
        method(wrong)
    except TypeError as error:
        return str(error)
    return None


def rejection(state: AnyState, action: Action) -> IllegalActionError | None:
    """The error that an action raises, or None if it is legal."""
    try:
        state.apply(action)
    except IllegalActionError as error:
        return error
    return None


def _applied(state: AnyState, action: Action) -> AnyState | None:
    """The state after an action, or None if it is refused."""
    try:
        after: AnyState = state.apply(action)
    except IllegalActionError:
        return None
    return after


def _check_hidden_information(now: _CachedState, action: Action, after: _CachedState, rng: Rng) -> None:
    """Two states that differ only in what a viewer may not see look the same to that viewer."""
    state = now.state
    if state.to_act is CHANCE:
        _check_same_chance(state, action, after, rng)
    for viewer in viewers(state):
        view = now.view(viewer)
        other = _CachedState(view.determinize(rng))
        assert view.view(viewer) == view, "a view of a view is the view"
        assert view.scores == state.scores
        assert len(view.scores) in (0, len(state.teams))
        assert view.team_scores == state.team_scores
        assert len(view.team_scores) == (max(state.teams) + 1 if view.scores else 0)
        assert viewer != state.to_act or view.legal_actions() == now.legal_actions, (
            "what is legal reveals hidden information"
        )
        if other.state == state:
            continue  # nothing is hidden
        _check_same_view(now, other, viewer)
        if viewer == state.to_act:
            legal, seen = view.legal_actions(), other.view(viewer)
            assert legal == other.legal_actions, "what is legal reveals hidden information"
            for legal_action in legal[:MAX_SAMPLED_ACTIONS]:
                assert view.preview(legal_action).effects == seen.preview(legal_action).effects
        other_after = _applied(other.state, action)
        if other_after is None or reveals_information(state, action):
            continue
        assert state.redact(action, viewer) == other.state.redact(action, viewer), (
            "the log reveals hidden information"
        )
        _check_same_view(after, _CachedState(other_after), viewer)


def _check_same_chance(state: AnyState, one: Action, after_one: _CachedState, rng: Rng) -> None:
    """View and log hide the same: two outcomes have equal views exactly if they have equal texts."""
    two = state.sample_chance(rng)
    after_two = _CachedState(state.apply(two))
    for viewer in viewers(state):
        if state.redact(one, viewer) == state.redact(two, viewer):
            _check_same_view(after_one, after_two, viewer)
        elif after_one.state != after_two.state:
            assert after_one.view(viewer) != after_two.view(viewer), "the log reveals hidden information"


def _check_same_view(one: _CachedState, two: _CachedState, viewer: Seat | None) -> None:
    assert one.view(viewer) == two.view(viewer), f"the view of {viewer} reveals hidden information"
    assert one.rendered(one.view(viewer)) == two.rendered(two.view(viewer))


def _check_record(game: AnyGame, start: AnyState, played: list[Action], last: AnyState) -> None:
    """The record of the game can be parsed, and replays to an equal state without random numbers."""
    seats = tuple(f"seat {seat + 1}" for seat in range(len(start.teams)))
    record = Record(game, start.options, seats, date="2026-01-31", actions=tuple(played))
    again = Record.parse(record.to_text())
    assert again == record
    assert again.final_state == last
    assert again.outcome == last.outcome


# --- The package of a game ---------------------------------------------------------------------


def check_game_package(game: AnyGame) -> None:
    """The same files in every game, imports in one direction, and a sentence for every fact.

    A game may have further modules of its own, and any modules in `kernel/`.
    """
    sources = [ast.parse((files("tripot") / "options.py").read_text("utf-8")), *_check_files(game)]
    for language in i18n.languages(game):
        _check_catalogue(game, language)
        for source in sources:
            _check_refused_options(game, source, language)
    assert game.draw_clause is None or game.draw_clause in i18n.clauses(game, "en")


def _check_files(game: AnyGame) -> list[ast.Module]:
    """The package has its files, whose imports go in one direction. Returns the parsed modules."""
    home = files(type(game).__module__)
    names = {path.name for path in home.iterdir()} - {"__pycache__"}
    assert names >= PACKAGE_FILES, f"{game.key} lacks {PACKAGE_FILES - names}"
    further = {name for name in names - PACKAGE_FILES if not name.endswith(".py")}
    assert not further, f"{game.key} has {further}, which are not modules"
    kernel = {f"kernel/{path.name}" for path in (home / "kernel").iterdir()}
    sources = []
    for name in sorted(name for name in names | kernel if name.endswith(".py")):
        sources.append(ast.parse((home / name).read_text("utf-8")))
        _check_imports(type(game).__module__, name, sources[-1])
    return sources


def _check_catalogue(game: AnyGame, language: str) -> None:
    """A language has the same clauses and sentences as English, and texts for options, levels and seats."""
    clauses, english = i18n.clauses(game, language), i18n.catalogue(game, "en")
    assert clauses.keys() == i18n.clauses(game, "en").keys()
    assert _keys(i18n.catalogue(game, language)) == _keys(english), f"{language} lacks or adds sentences"
    for entry in game.Options.schema():
        assert i18n.option_description(game, entry["name"], language)
        assert entry["clause"] in clauses or entry["clause"].startswith("X-")
        for case in entry["relevant_if"]:
            assert all({*values} <= {*_choices(game, name)} for name, values in case.items())
    for seat in range(max(int(players) for players in _choices(game, "players"))):
        assert i18n.seat_name(game, seat, language)
    assert [*map(str, game.levels)] == [*i18n.catalogue(game, language)["levels"]]
    for level in game.levels:
        assert i18n.level_description(game, level, language)
    names = {i18n.level_name(game, level, language) for level in game.levels}
    assert len(names) == len(game.levels), f"two levels have the same name in {language}"


def _check_refused_options(game: AnyGame, source: ast.Module, language: str) -> None:
    """Every `OptionError` in a source has a sentence, and its clause and key are literals there.

    The errors are found in the source because no random game raises all of them.
    """
    catalogue = i18n.catalogue(game, language)
    for node in ast.walk(source):
        if not (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "OptionError"
        ):
            continue
        clauses, keys = (_literal_texts(argument) for argument in node.args[3:])
        assert clauses, f"line {node.lineno}: the clause of an OptionError is not a literal"
        assert keys, f"line {node.lineno}: the key of an OptionError is not a literal"
        for clause in clauses:
            missing = [key for key in keys if key not in catalogue.get(clause, {})]
            assert not missing, f"{language} has no words for {clause} {missing}"


def _literal_texts(node: ast.expr) -> list[str]:
    """The string literals that an expression may evaluate to; empty if it is not made of literals."""
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
    is_compiled = name in COMPILED_FILES or name.startswith("kernel/")
    at_run_time = {*_run_time_imports(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for module in _imported_modules(node):
            where = f"{package}/{name} imports {module}"
            assert _may_import(package, name, module, is_compiled), where
            if name in RENDERING_FILES and module.startswith(f"{package}.rules"):
                assert node not in at_run_time, where
            if not is_compiled and _is_part_of(module, package):
                assert node in at_run_time or _is_for_types(tree, node), f"{where} inside a function"


def _may_import(package: str, name: str, module: str, is_compiled: bool) -> bool:
    top = module.split(".")[0]
    if top == "tripot" and not _is_part_of(module, package) and not _is_shared(module):
        return False
    if name == "rules.py" and top in ("random", "numba"):
        return False
    return is_compiled or (top not in ENGINE_ONLY_IMPORTS and not _is_part_of(module, f"{package}.kernel"))


def _is_part_of(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _is_shared(module: str) -> bool:
    return any(_is_part_of(module, shared) for shared in GAME_IMPORTS)


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
