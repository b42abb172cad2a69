"""The protocol: all that anyone may know about a game.

A game is a pure, immutable state machine, and chance is one of its actors. A table, a server, a
terminal, a page, a record or an engine match knows games only through the classes below and never
names one. To learn the protocol, read `State` from top to bottom; to add a game, write one folder
under `tripot/games` that fills it in, and run the conformance suite of `tripot.testing` over it.

    game = tripot.get_game("...")                   one object per game
    state = game.initial_state(game.Options())      immutable
    while state.to_act is not None:
        if state.to_act is CHANCE:
            action = state.sample_chance(rng)       dice, draws and shuffles are actions too,
        else:
            action = state.legal_actions()[0]       so a list of actions is a whole game
        state = state.apply(action)
    print(state.outcome)

Two conventions hold everywhere. Seats are counted from 0 in code and from 1 in texts for people.
Prose lives in catalogues: the code speaks in `Fact`s, which `tripot.i18n` says in any language.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from random import Random
from threading import Lock
from types import UnionType
from typing import Any, ClassVar, Final, Generic, Self, TypeAlias, TypeVar

Seat: TypeAlias = int
"""A place at the table, counted from 0 in playing order."""

Rng: TypeAlias = Random
"""A random number generator. Only `sample_chance`, `determinize` and engines take one, as an argument."""

StyledRows: TypeAlias = tuple[tuple[tuple[str, str], ...], ...]
"""A picture for a terminal: rows of (text, style); styles are Rich's, and `str` leaves them out."""

HIDDEN: Final = "?"
"""What stands for a secret in texts and JSON."""


class Chance(Enum):
    """The type of CHANCE, the actor who throws dice, draws tiles and shuffles."""

    CHANCE = "chance"

    def __repr__(self) -> str:
        return "CHANCE"


CHANCE: Final = Chance.CHANCE


# --- What can be said --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fact:
    """Something true, to be said in the reader's language: a clause, a key in it, and values.

    `fact("TP-3", "occupied", square="d4")` finds its sentence in the catalogue of the game under
    that clause and key. The clause is the rule's number, so the rulebook can be opened there.
    """

    clause: str
    key: str
    values: tuple[tuple[str, str | int], ...] = ()


def fact(clause: str, key: str, /, **values: str | int) -> Fact:
    """A `Fact` with its values as keywords."""
    return Fact(clause, key, tuple(values.items()))


class TripotError(Exception):
    """What a person can have done wrong. Everything else that is raised is a bug."""


class IllegalActionError(TripotError):
    """A readable action that the rules forbid here; it changed nothing.

    Carries the clause and the facts, no prose: `IllegalActionError("TP-3", "occupied", square="d4")`.
    """

    def __init__(self, clause: str, key: str, /, **values: str | int) -> None:
        self.fact = fact(clause, key, **values)
        said = ", ".join(f"{name}={value}" for name, value in values.items())
        super().__init__(f"{clause} {key}" + (f" ({said})" if said else ""))


class ParseError(TripotError):
    """A text that is no action, position or record at all; `reason` says in English what is off."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        shown = text if len(text) <= 60 else text[:57] + "..."
        super().__init__(f"cannot read {shown!r}: {reason}")


class OptionError(TripotError):
    """An option that does not exist, has no such value, or does not go with another one.

    Carries whose option it is, its name and value, and why as a fact, no prose:
    `OptionError(Options, "teams", True, "AB-9", "four")`. `str` says it in English.
    """

    def __init__(
        self,
        options: type[Options],
        name: str,
        value: object,
        clause: str,
        key: str,
        /,
        **values: str | int,
    ) -> None:
        self.options, self.name, self.value = options, name, value
        self.fact = fact(clause, key, **values)
        super().__init__(options, name, value, clause, key)

    @property
    def clause(self) -> str:
        """The clause of the rulebook that is at odds with it, or none."""
        return "" if self.fact.clause.startswith("X-") else self.fact.clause

    @property
    def reason(self) -> str:
        """Why it is refused, in English."""
        from tripot import i18n  # not above: i18n imports this module

        return i18n.option_error_reason(self)

    def __str__(self) -> str:
        said = f"option {self.name}={_choice_text(self.value)}: {self.reason}"
        return f"{said} ({self.clause})" if self.clause else said


class HiddenInformationError(TripotError):
    """On a view: the effect of this action depends on a fact that the view does not show."""


class NoDecisionError(TripotError):
    """An engine or a bot has nothing to decide: chance or another seat is to act, the game is over, or it is
    closed."""


class EngineBusyError(TripotError):
    """An engine was called while it was searching in another thread."""


# --- Options -----------------------------------------------------------------------------------


def option(
    default: Any,
    *choices: Any,
    clause: str,
    unusual: bool = False,
    where: Sequence[Mapping[str, Sequence[Any]]] = (),
) -> Any:
    """Declare a field of an `Options` class: its default, all its choices, and its clause.

    No choices means any text. `unusual` lets a form fold it away. `where` lists the cases in which it
    matters, by the values of other options, and a form offers it only there; without cases it always
    does. `where=[{"players": (2,)}, {"players": (4,), "teams": (True,)}]`: for two, or four in teams.
    """
    about = {"choices": choices, "clause": clause, "unusual": unusual, "where": where}
    return dataclasses.field(default=default, metadata=about)


def _choice_text(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Options:
    """How a game is to be played. Each game subclasses it as a frozen dataclass of `option` fields.

    An instance is valid or does not exist: `__post_init__` checks each value against its choices
    and calls `check_combinations` for the combinations. `str` gives the ones that differ from their defaults
    (`neutral=wild players=4`), which `parse` takes back. `schema` describes all of them.
    """

    players: int = option(2, 2, clause="X-4")

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, choices = getattr(self, field.name), field.metadata["choices"]
            known = any(type(value) is type(choice) and value == choice for choice in choices)
            if choices and not known:
                allowed = ", ".join(_choice_text(choice) for choice in choices)
                raise OptionError(type(self), field.name, value, "X-4", "choice", choices=allowed)
            if not choices and (not isinstance(value, str) or "".join(value.split()) != value):
                raise OptionError(type(self), field.name, value, "X-4", "spaces")
        self.check_combinations()

    def check_combinations(self) -> None:
        """Raise `OptionError` for a combination that makes no sense. By default all do."""

    @classmethod
    def parse(cls, text: str | Mapping[str, str]) -> Self:
        """Options from `"name=value name=value"` or from a mapping of such texts.

        >>> Options.parse("players=2")
        Options(players=2)
        """
        if isinstance(text, str):
            i18n = [word.partition("=") for word in text.split()]
            text = {name: value for name, _, value in i18n}
            if len(text) < len(i18n):
                twice = next(n for n, _, _ in i18n if sum(n == m for m, _, _ in i18n) > 1)
                raise OptionError(cls, twice, text[twice], "X-4", "twice")
        fields = {field.name: field for field in dataclasses.fields(cls)}
        chosen: dict[str, Any] = {}
        for name, value in text.items():
            if name not in fields:
                raise OptionError(cls, name, value, "X-4", "unknown", names=", ".join(fields))
            choices = fields[name].metadata["choices"]
            by_text = {_choice_text(choice): choice for choice in choices}
            chosen[name] = by_text.get(value, value)
        return cls(**chosen)

    def __str__(self) -> str:
        return " ".join(
            f"{field.name}={_choice_text(value)}"
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default
        )

    @classmethod
    def schema(cls) -> tuple[dict[str, Any], ...]:
        """One entry an option, in order, for forms and help: name, choices, default and what else is said."""
        return tuple(
            {
                "name": field.name,
                "choices": [_choice_text(choice) for choice in field.metadata["choices"]],
                "default": _choice_text(field.default),
                "clause": field.metadata["clause"],
                "unusual": field.metadata["unusual"],
                "where": [
                    {name: [_choice_text(value) for value in values] for name, values in case.items()}
                    for case in field.metadata["where"]
                ],
            }
            for field in dataclasses.fields(cls)
        )


# --- Endings and previews ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the score of each seat, the team of each seat, and why.

    In a game that is only won or lost the scores are 1, 0 (draw) and -1. `team_totals` are the scores of
    the teams where they are not the sums of their seats' scores.
    """

    scores: tuple[int, ...]
    teams: tuple[int, ...]
    reason: Fact
    team_totals: tuple[int, ...] = ()

    @property
    def team_scores(self) -> tuple[int, ...]:
        """The score of each team, by team number."""
        return self.team_totals or tuple(
            sum(score for score, team in zip(self.scores, self.teams, strict=True) if team == each)
            for each in range(max(self.teams) + 1)
        )

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of the best team or teams; nobody when all teams are equal (a draw)."""
        totals = self.team_scores
        if len(totals) > 1 and len(set(totals)) == 1:
            return ()
        return tuple(seat for seat, team in enumerate(self.teams) if totals[team] == max(totals))

    def __str__(self) -> str:
        """As records write it: `1 -1 TP-5 finish`."""
        return " ".join([*map(str, self.scores), self.reason.clause, self.reason.key])


@dataclass(frozen=True, slots=True)
class Preview:
    """What an action would bring, or the refusal that it would meet (then `effects` is empty)."""

    effects: tuple[Fact, ...] = ()
    error: IllegalActionError | None = None


# --- Actions and states ------------------------------------------------------------------------


class Action(ABC):
    """What an actor does: a small frozen dataclass, one closed union a game, with ONE text form.

    `str` is that text. Records, the wire, the terminal and tests all use it, and `Game.parse_action`
    reads it: `game.parse_action(str(action)) == action`. `repr` is the dataclass's own and can be pasted.
    """

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str: ...


def check_action_type(action: object, actions: UnionType) -> None:
    """Raise TypeError for an object that is not an action of the game, such as a string."""
    if not isinstance(action, actions):
        raise TypeError(f"{action!r} is not an action of this game; Game.parse_action reads one from text")


A = TypeVar("A", bound=Action)


class State(ABC, Generic[A]):
    """A position of a game, with all that its future depends on. Frozen, hashable, comparable.

    Subclasses are frozen dataclasses with slots. A *view* is a State too, of the same class, in
    which what its reader cannot know is marked hidden; everything that a reader of a view may ask
    works on it, and only `apply` of an action with a hidden effect raises `HiddenInformationError`.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def options(self) -> Options:
        """The options the game is played with."""

    @property
    @abstractmethod
    def teams(self) -> tuple[int, ...]:
        """The team of each seat, from 0; seats that play alone are each a team of their own."""

    @property
    @abstractmethod
    def to_act(self) -> Seat | Chance | None:
        """Who acts now: a seat, CHANCE, or None when the game is over.

        A seat that cannot act is never to act: `apply` takes forced passes by itself.
        """

    @property
    @abstractmethod
    def prompt(self) -> Fact:
        """What is asked of the one to act, to be said in a sentence; at the end, `outcome.reason`."""

    @abstractmethod
    def legal_actions(self) -> tuple[A, ...]:
        """Every action of the seat to act, in one documented order, without repeats.

        Never empty for a seat; empty for CHANCE and at the end. On the view of the seat to act it
        is the same as on the full state: what is legal never tells a secret.
        """

    @abstractmethod
    def apply(self, action: A) -> Self:
        """The state after an action of whoever is to act. Always checks; never changes `self`.

        Raises `IllegalActionError` with the clause that forbids it. Accepts exactly the actions of
        `legal_actions()` for a seat, and exactly those that could have been dealt for CHANCE. An object that
        is not an action of this game is a TypeError.
        """

    @abstractmethod
    def sample_chance(self, rng: Rng) -> A:
        """At CHANCE: draw one event of the booklet (a throw, a draw, a shuffle), to be applied.

        Anywhere else it is a bug to call it: ValueError.
        """

    @abstractmethod
    def chance_outcomes(self) -> tuple[tuple[A, Fraction], ...]:
        """At CHANCE: every event with its odds (they sum to 1) where they are few enough to list.

        Empty where they are too many (a shuffle), for a seat, at the end, and on views that do
        not know the odds.
        """

    @abstractmethod
    def preview(self, action: A) -> Preview:
        """What an action of the seat to act would bring, or why it is refused.

        On a view it tells no secret. Only an object that is not an action of this game raises: TypeError.
        """

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat so far; empty in a game that counts none on the way. Never a secret."""
        return ()

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """None while somebody is to act, then the ending."""

    @abstractmethod
    def view(self, seat: Seat | None) -> Self:
        """The state as a seat knows it (None: a spectator). A view of a view hides no less."""

    @abstractmethod
    def redact(self, action: A, seat: Seat | None) -> str:
        """The text of an action, about to be applied here, as that seat may read it in the log.

        Secrets are `HIDDEN`; an action without secrets is its plain text.
        """

    @abstractmethod
    def determinize(self, rng: Rng) -> Self:
        """On a view: a full state that it could be, drawn at random. A full state is itself.

        Engines search over guesses: they are given views only, so none can cheat.
        """

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """What a page needs to show this state and to offer its legal actions, as plain JSON.

        Taken from a view it holds no secret. Always has `legal`: the texts of the legal actions.
        """

    @abstractmethod
    def to_text(self) -> str:
        """The position as one line of text that starts with the game's key; `Game.parse_state` reads it.

        `game.parse_state(state.to_text()) == state` for every state and every view.
        """

    @abstractmethod
    def draw_terminal(self) -> StyledRows:
        """A picture for a terminal, in colour; at most 80 columns wide."""

    def draw_terminal_map(self, reach: Sequence[DistanceMap]) -> StyledRows:
        """The same picture as a map of who can come where; without such a map it is the picture."""
        return self.draw_terminal()

    @abstractmethod
    def _repr_svg_(self) -> str:
        """A picture for a page or a notebook."""

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in row).rstrip() for row in self.draw_terminal())


AnyState: TypeAlias = State[Any]
_Options: TypeAlias = Options  # inside Game the name means the game's own


def reveals_information(state: AnyState, action: Action) -> bool:
    """Whether an action shows its actor something not known before: a draw, or a hidden fact.

    Such an action cannot be taken back: what was seen stays seen.
    """
    seat = state.to_act
    if seat is CHANCE:
        return True
    try:
        state.view(seat).apply(action)
    except HiddenInformationError:
        return True
    return False


# --- Engines -----------------------------------------------------------------------------------


def _ignore(_news: object) -> None:
    """Nobody watches."""


def _never() -> bool:
    """Nobody says stop."""
    return False


@dataclass(frozen=True, slots=True)
class Limit:
    """How long an engine may think: seconds, or simulations (then it plays the same everywhere).

    With `average`, the seconds are those of an average move of a game: an engine that knows where they do
    most good may take more of them here and fewer there.

    `on_progress` is called now and then with the part done, 0.0 to 1.0, by tasks that take long; `on_best`
    with the best choice so far, by engines that have one before they are done. An engine that looks at the
    clock asks `should_stop` as well: once it is true, it returns what it has.
    """

    seconds: float = 1.0
    simulations: int | None = None
    average: bool = False
    on_progress: Callable[[float], None] = _ignore
    on_best: Callable[[Candidate], None] = _ignore
    should_stop: Callable[[], bool] = _never


@dataclass(frozen=True, slots=True)
class ExpectedOutcome:
    """How a game may end, from what an engine has seen of it.

    `win_rate` is how often the team of the seat to act wins, 0 to 1; sides that are equally good share a
    win. `scores` are the final scores that the seats may expect, in points, one a seat.
    """

    win_rate: float
    scores: tuple[float, ...]

    def score_lead(self, seat: Seat, teams: tuple[int, ...]) -> float:
        """How many points the team of a seat may expect to be ahead of the best other one.

        >>> ExpectedOutcome(0.6, (-5.0, -9.0, -3.0, -8.0)).score_lead(1, (0, 1, 0, 1))
        -9.0
        """
        totals = dict.fromkeys(teams, 0.0)
        for score, team in zip(self.scores, teams, strict=True):
            totals[team] += score
        own = totals.pop(teams[seat])
        return own - max(totals.values(), default=0.0)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action with what an engine thinks of it.

    `value` is what the seat to act may expect from it, as a score between -1 (lost) and 1 (won);
    `pv` is a likely continuation, starting with the action; `facts` say what is known for sure;
    `expected` is None where the engine does not know.
    """

    action: Any
    value: float
    pv: tuple[Any, ...] = ()
    facts: tuple[Fact, ...] = ()
    expected: ExpectedOutcome | None = None


@dataclass(frozen=True, slots=True)
class DistanceMap:
    """Which free places of the board one of those on it can still come to, and how near they are.

    `owner` is its name in the game's JSON, a colour or a pawn; `distances` has a number from 1 on for each
    place, by its name in actions. A place is the ground of whoever is nearest to it.
    """

    owner: str
    distances: Mapping[str, int]


def territory(reach: Sequence[DistanceMap]) -> dict[str, tuple[str, ...]]:
    """Whose ground each place is: those that are nearest to it, several where they are equally near.

    >>> white, black = DistanceMap("white", {"a1": 1, "a2": 2}), DistanceMap("black", {"a2": 2, "a3": 1})
    >>> territory([white, black])
    {'a1': ('white',), 'a2': ('white', 'black'), 'a3': ('black',)}
    """
    nearest: dict[str, int] = {}
    for each in reach:
        for place, steps in each.distances.items():
            nearest[place] = min(steps, nearest.get(place, steps))
    return {
        place: tuple(each.owner for each in reach if each.distances.get(place) == steps)
        for place, steps in nearest.items()
    }


@dataclass(frozen=True, slots=True)
class Analysis:
    """All legal actions, best first, and what is known of the position as a whole.

    `distance_maps` is a map of who can come where, in playing order; empty in a game that has no such thing.
    """

    candidates: tuple[Candidate, ...]
    facts: tuple[Fact, ...] = ()
    distance_maps: tuple[DistanceMap, ...] = ()


class Engine(ABC):
    """A computer player of one game at one level. It is given views of the seat to act, and nothing else.

    An engine may keep what it has computed from one move to the next; `tripot.bot.Bot` keeps an engine for a
    whole game. It is used by one thread at a time: a second call meanwhile raises `EngineBusyError`. If no
    seat is to act, a call raises `NoDecisionError`.
    """

    threads: int | None = None
    """The number of threads that it searches with, which callers may set; None if it always uses one."""

    def __init__(self) -> None:
        self._in_use = Lock()

    def choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        """Return the action that this level plays; weak levels make mistakes."""
        with self._exclusive_use(view):
            return self._choose(view, limit, rng)

    def analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        """Return every legal action, ranked as well as this level can."""
        with self._exclusive_use(view):
            return self._analyse(view, limit, rng)

    def observe(self, view: AnyState) -> None:  # noqa: B027 - most engines have no use for it
        """Take note of a position of the game, as the engine's seat sees it, whoever is to act there.

        A bot calls it for every position in order. After an undo, the next position does not follow from the
        last one: then the engine drops what no longer applies. It does nothing by default.
        """

    def close(self) -> None:  # noqa: B027 - most engines have nothing to free
        """Free what the engine holds. It is not used afterwards."""

    @abstractmethod
    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate: ...

    @abstractmethod
    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis: ...

    @contextmanager
    def _exclusive_use(self, view: AnyState) -> Iterator[None]:
        if not isinstance(view.to_act, Seat):
            raise NoDecisionError(
                "the game is over" if view.to_act is None else "chance is to act, not a seat"
            )
        if not self._in_use.acquire(blocking=False):
            raise EngineBusyError("this engine is searching in another thread; use one engine per thread")
        try:
            yield
        finally:
            self._in_use.release()


@dataclass(frozen=True, slots=True)
class GtpDialect:
    """How programs that speak GTP, the Go Text Protocol, are told of one variant of a game.

    game_name     their name of the variant
    colour_of     their name of the seat to act in a state
    vertex_text   their text of an action of a seat; actions of chance are not sent
    parse_vertex  the action that such a text means; raises `ParseError`
    """

    game_name: str
    colour_of: Callable[[Any], str]
    vertex_text: Callable[[Any], str]
    parse_vertex: Callable[[str], Any]


# --- Games -------------------------------------------------------------------------------------


class Game(ABC, Generic[A]):
    """One object a game, exported as `GAME` by its package. It has no state of its own."""

    key: ClassVar[str]
    """Its name in records, addresses and commands: lower-case letters."""

    title: ClassVar[str]
    """Its name for people."""

    version: ClassVar[int]
    """Goes up only when behaviour does: the same actions must lead to the same states within one."""

    Options: ClassVar[type[_Options]]
    """The class of its options; `players` is always one of them."""

    levels: ClassVar[range]
    """The levels of its engine, weakest first, from 1."""

    draw_clause: ClassVar[str | None]
    """The clause by which players may agree on a draw, or None where the booklet knows no such thing."""

    @abstractmethod
    def initial_state(self, options: _Options) -> State[A]:
        """The state before anything has happened."""

    @abstractmethod
    def parse_action(self, text: str) -> A:
        """An action from its text, whether or not it is legal anywhere; raises `ParseError`."""

    @abstractmethod
    def parse_state(self, text: str) -> State[A]:
        """A position from its text; raises `ParseError`, or `OptionError` for its options."""

    @abstractmethod
    def engine(self, level: int) -> Engine:
        """The computer player of a level. Numba is imported here and not before."""

    def gtp_dialect(self, options: _Options) -> GtpDialect | None:
        """How GTP programs are told of this variant; None if there are none for this game.

        Raises `OptionError` for an option that makes a rule which they do not know.
        """
        return None

    def __repr__(self) -> str:
        return f"tripot.get_game({self.key!r})"


AnyGame: TypeAlias = Game[Any]
