"""The game interface: everything that the rest of the project knows about a game.

A game is an immutable state machine, and chance is one of its actors. Tables, servers, terminals, records and
engine matches use games only through the classes below and never name a particular game. To learn the
interface, read `State` from top to bottom. Options, facts and errors can be imported from here too; they are
defined in `tripot.options` and `tripot.facts`. To add a game, write one package in `tripot/games` that
implements the interface, and run the conformance suite of `tripot.testing`.

    game = tripot.get_game("...")                   one object per game
    state = game.initial_state(players=2)           immutable
    while state.to_act is not None:
        if state.to_act is CHANCE:
            action = state.sample_chance(rng)       dice, draws and shuffles are actions too,
        else:
            action = state.legal_actions()[0]       so a list of actions is a whole game
        state = state.apply(action)
    print(state.outcome)

Two conventions hold everywhere. Seats are counted from 0 in code and from 1 in texts for people. Code has no
sentences for players: it uses `Fact`s, which `tripot.i18n` renders in any language.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from numbers import Integral, Real
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self, TypeAlias, TypedDict, TypeVar

from tripot.facts import (
    EngineBusyError,
    Fact,
    HiddenInformationError,
    IllegalActionError,
    NoDecisionError,
    ParseError,
    TripotError,
    fact,
)
from tripot.options import OptionError, Options, option

__all__ = [
    "CHANCE",
    "HIDDEN",
    "A",
    "Action",
    "Analysis",
    "AnyGame",
    "AnyState",
    "Candidate",
    "Chance",
    "DistanceMap",
    "Engine",
    "EngineBusyError",
    "ExpectedOutcome",
    "Fact",
    "Game",
    "GtpDialect",
    "HiddenInformationError",
    "IllegalActionError",
    "Limit",
    "NoDecisionError",
    "OptionError",
    "Options",
    "Outcome",
    "ParseError",
    "Preview",
    "Rng",
    "Seat",
    "State",
    "StyledRows",
    "TripotError",
    "View",
    "fact",
    "option",
]

Seat: TypeAlias = int
"""The index of a participant, from 0 in playing order."""

Rng: TypeAlias = Random
"""A random number generator. Only `sample_chance`, `determinize` and engines use one, as an argument."""

StyledRows: TypeAlias = tuple[tuple[tuple[str, str], ...], ...]
"""A terminal drawing: rows of (text, style), with the styles of Rich."""

HIDDEN: Final = "?"
"""The text that stands for hidden information."""


class Chance(Enum):
    """The type of CHANCE, the actor that rolls dice, draws tiles and shuffles."""

    CHANCE = "chance"

    def __repr__(self) -> str:
        return "CHANCE"


CHANCE: Final = Chance.CHANCE


# --- Outcomes, actions and states --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game: the score and the team of each seat, and the reason for the end.

    `team_totals` are the scores of the teams if they are not sums over seats. `has_points` is False if the
    scores say only who won, as 1, 0 (draw) and -1: in a game that is only won or lost, and in every game that
    the players ended.
    """

    scores: tuple[int, ...]
    teams: tuple[int, ...]
    reason: Fact
    team_totals: tuple[int, ...] = ()
    has_points: bool = True

    @property
    def team_scores(self) -> tuple[int, ...]:
        """The score of each team, in the order of the teams."""
        return self.team_totals or _sums_by_team(self.scores, self.teams)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of the best team or teams; empty if all teams are equal (a draw)."""
        totals = self.team_scores
        if len(totals) > 1 and len(set(totals)) == 1:
            return ()
        return tuple(seat for seat, team in enumerate(self.teams) if totals[team] == max(totals))

    def __str__(self) -> str:
        """The form in records: `1 -1 TP-5 finish`."""
        return " ".join([*map(str, self.scores), self.reason.clause, self.reason.key])


def _sums_by_team(scores: Sequence[int], teams: Sequence[int]) -> tuple[int, ...]:
    return tuple(
        sum(score for score, seat_team in zip(scores, teams, strict=True) if seat_team == team)
        for team in range(max(teams) + 1)
    )


@dataclass(frozen=True, slots=True)
class Preview:
    """The visible effects of an action, or the error that it would raise (then `effects` is empty)."""

    effects: tuple[Fact, ...] = ()
    error: IllegalActionError | None = None


class Action(ABC):
    """What an actor does: a small frozen dataclass, one closed union per game, with one text form.

    `str` is that text, which records, messages, the terminal and tests use. `Game.parse_action` reads it:
    `game.parse_action(str(action)) == action`. `repr` is that of the dataclass and can be pasted into code.
    """

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str: ...


if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault  # that of Python 3.13

    A = TypeVarWithDefault("A", bound=Action, default=Any)
else:
    A = TypeVar("A", bound=Action)


class View(TypedDict):
    """The JSON of a view. Each game adds its own fields in `view_json.py`."""

    legal: list[str]
    """The texts of the actions that `State.offered_actions` returns."""


class State(ABC, Generic[A]):
    """A position of a game, with everything that its future depends on. Immutable, hashable, comparable.

    Subclasses are frozen dataclasses with slots. A *view* is a State of the same class in which the
    information that its viewer may not have is marked as hidden. Every member works on a view; only `apply`
    of an action whose effect is hidden raises `HiddenInformationError`.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def options(self) -> Options:
        """The options of the game."""

    @property
    @abstractmethod
    def teams(self) -> tuple[int, ...]:
        """The team of each seat, from 0. A seat that plays alone is a team of its own."""

    @property
    @abstractmethod
    def to_act(self) -> Seat | Chance | None:
        """Who acts now: a seat that can act (`apply` includes forced passes), CHANCE, or None at the end."""

    @property
    def has_begun(self) -> bool:
        """Whether the moves have begun; False while players or chance still lay out what they are made on.

        Before that, nobody stands better or worse. By default True.
        """
        return True

    @property
    @abstractmethod
    def prompt(self) -> Fact:
        """What the seat to act, or chance, has to do now; at the end, `outcome.reason`."""

    @abstractmethod
    def legal_actions(self) -> tuple[A, ...]:
        """All actions of the seat to act, in one documented order, without repetition.

        Never empty for a seat, except on the view of another one; empty at CHANCE and at the end. On the view
        of the seat to act it is the same as on the full state, so that it reveals nothing.
        """

    def offered_actions(self) -> tuple[A, ...]:
        """The legal actions that are shown to the seat to act: all except what it has to notice by itself.

        Choices, lists, hints and pages contain no others; those can be typed or announced (`announcements`).
        """
        return self.legal_actions()

    @property
    def announcements(self) -> tuple[Fact, ...]:
        """How to play what `offered_actions` leaves out, the same whether or not it is possible now."""
        return ()

    def hint(self, analysis: Analysis) -> Analysis:
        """The part of an analysis of this view that may be shown as a hint: nothing that is to be noticed.

        It may have no candidates. By default it is everything.
        """
        return analysis

    def matching_actions(self, text: str) -> tuple[A, ...]:
        """The actions that a player may mean by a short text, such as a piece and a cell.

        By default, the offered ones whose last word it is: `c4` for `lay c4`. Where other actions than those
        may be meant, it must not tell which of them are legal. A text that is understood and fits no action
        may raise `IllegalActionError` or `ParseError` with the reason.
        """
        return tuple(action for action in self.offered_actions() if str(action).endswith(f" {text}"))

    def draw_action(self, action: A, text: str = "") -> tuple[str, ...]:
        """Draw what an action places, in a few short lines; or nothing.

        A cell that the text names is marked. If it names none, another is, and the last line is its name;
        without a text nothing is marked.
        """
        return ()

    def named_cell(self, text: str) -> str:
        """The cell that a short text names, which `draw_action` marks; empty if it names none."""
        return ""

    def draw_pieces(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The pieces that the seat to act may place now: the name and a drawing of each; empty by default."""
        return ()

    @abstractmethod
    def apply(self, action: A) -> Self:
        """Return the state after an action of the actor. Always checks it; never changes `self`.

        Accepts exactly `legal_actions()` for a seat, and exactly the possible outcomes at CHANCE. Any other
        action raises `IllegalActionError`; an object that is not an action of this game, TypeError.
        """

    def skipped_by(self, action: A) -> tuple[Seat, ...]:
        """The seats that an action on a full state skips because they cannot act; by default none."""
        return ()

    @abstractmethod
    def sample_chance(self, rng: Rng) -> A:
        """At CHANCE: sample one event of the rules (a throw, a draw, a shuffle). Elsewhere: ValueError."""

    @abstractmethod
    def chance_outcomes(self) -> tuple[tuple[A, Fraction], ...]:
        """At CHANCE: every outcome with its probability; the probabilities sum to 1.

        Empty if there are too many (a shuffle), on views that do not determine them, and elsewhere.
        """

    @abstractmethod
    def preview(self, action: A) -> Preview:
        """What an action of the seat to act would do, or why it is illegal; TypeError as in `apply`."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat so far, never hidden; empty if they are counted at the end only."""
        return ()

    @property
    def team_scores(self) -> tuple[int, ...]:
        """The points of each team so far, in the order of the teams; empty if `scores` is."""
        return _sums_by_team(self.scores, self.teams) if self.scores else ()

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the game goes on."""

    def view(self, seat: Seat | None) -> Self:
        """The state as a seat may see it (None: a spectator). The view of a view hides at least as much.

        A seat that the game does not have raises ValueError. Games define `_view`.
        """
        if seat is not None and seat not in range(count := len(self.teams)):
            raise ValueError(f"there is no seat {seat!r}: the seats of this game are 0 to {count - 1}")
        return self._view(seat)

    @abstractmethod
    def _view(self, seat: Seat | None) -> Self:
        """The same for a seat that exists, or None."""

    @abstractmethod
    def redact(self, action: A, seat: Seat | None) -> str:
        """The text of an action, about to be applied here, for one viewer: hidden parts are `HIDDEN`."""

    @abstractmethod
    def determinize(self, rng: Rng) -> Self:
        """On a view: sample a full state that is consistent with it, for engines. A full state is itself."""

    @abstractmethod
    def to_json(self) -> View:
        """What a page needs to show this state, as plain JSON of the game's own `View`."""

    @abstractmethod
    def to_text(self) -> str:
        """The state or view as a line of text that starts with the game's key: see `Game.parse_state`."""

    @abstractmethod
    def draw_terminal(self) -> StyledRows:
        """Draw the position for a terminal, at most 80 columns wide."""

    def draw_compact(self, columns: int, lines: int | None) -> StyledRows:
        """Draw the position for a small window, or one without colours: everything is readable as plain text.

        What is less important is left out if there are not that many lines (None: any number). The drawing
        is wider than `columns` if the board does not fit. By default, like `draw_terminal`.
        """
        return self.draw_terminal()

    def draw_terminal_map(self, distance_maps: Sequence[DistanceMap]) -> StyledRows:
        """Draw the position with a map of distances; without a map, like `draw_terminal`."""
        return self.draw_terminal()

    @abstractmethod
    def _repr_svg_(self) -> str:
        """Draw the position as SVG, for pages and notebooks."""

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in row).rstrip() for row in self.draw_compact(80, None))


AnyState: TypeAlias = State[Any]


def check_text(text: object, what: str) -> None:
    """Raise TypeError for an argument that is not the text of what is to be parsed."""
    if not isinstance(text, str):
        raise TypeError(f"the text of {what} is needed, not {text!r}")


def state_type_error(value: object) -> TypeError:
    """The error for an argument that is not a state of the game, to be raised."""
    name = repr(value.to_text() if isinstance(value, State) else value)
    return TypeError(f"{name} is not a state of this game; Game.parse_state reads one from text")


_Options: TypeAlias = Options  # in the body of Game, `Options` is the class of the game's options


# --- Engines -----------------------------------------------------------------------------------


def _ignore(_report: object) -> None:
    pass


def _is_number(value: object, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Limit:
    """How long an engine may search: seconds, or simulations (then the result is the same on every machine).

    With `average`, the seconds are the average per move of a game: more where it helps most, less elsewhere.
    `on_progress` is called with the share done, 0.0 to 1.0, by searches that take long; `on_best` with the
    best candidate so far. Once `should_stop` returns True, the search returns what it has.
    """

    seconds: float = 1.0
    simulations: int | None = None
    average: bool = False
    on_progress: Callable[[float], None] = _ignore
    on_best: Callable[[Candidate], None] = _ignore
    should_stop: Callable[[], bool] = _never

    def __post_init__(self) -> None:
        if not _is_number(self.seconds, Real):
            raise TypeError(f"the seconds of a limit are a number such as 0.5, not {self.seconds!r}")
        # A number of another type would compile kernels again.
        if self.simulations is not None and not _is_number(self.simulations, Integral):
            raise TypeError(f"the simulations of a limit are a whole number, not {self.simulations!r}")
        if not self.seconds >= 0:  # also refuses NaN
            raise ValueError(f"invalid limit of {self.seconds} seconds: expected 0 or more")
        if self.simulations is not None and self.simulations < 1:
            raise ValueError(f"invalid limit of {self.simulations} simulations: expected 1 or more")


@dataclass(frozen=True, slots=True)
class ExpectedOutcome:
    """How a game is expected to end.

    `win_rate` is the expected share of wins of the team of the seat to act, 0 to 1; teams that tie share a
    win. `scores` and `team_totals` are expected values of the fields of `Outcome`; a game that is only won or
    lost leaves them empty.
    """

    win_rate: float
    scores: tuple[float, ...]
    team_totals: tuple[float, ...] = ()

    def score_lead(self, seat: Seat, teams: tuple[int, ...]) -> float | None:
        """The points by which the team of a seat is expected to be ahead of the best other team.

        None without another team, and in a game that is only won or lost.

        >>> ExpectedOutcome(0.6, (-5.0, -9.0, -3.0, -8.0)).score_lead(1, (0, 1, 0, 1))
        -9.0
        """
        if not self.scores:
            return None
        totals = dict.fromkeys(teams, 0.0)
        for score, team in zip(self.scores, teams, strict=True):
            totals[team] += score
        totals |= enumerate(self.team_totals)
        own_total = totals.pop(teams[seat])
        return own_total - max(totals.values()) if totals else None


@dataclass(frozen=True, slots=True)
class Candidate(Generic[A]):
    """An action with the evaluation of an engine.

    `value` is the expected result of the seat to act, from -1 (loss) to 1 (win). `pv` is the principal
    variation, starting with the action. `facts` are certain. `expected` is None without an estimate.
    """

    action: A
    value: float
    pv: tuple[A, ...] = ()
    facts: tuple[Fact, ...] = ()
    expected: ExpectedOutcome | None = None


@dataclass(frozen=True, slots=True)
class DistanceMap:
    """The steps, from 1, to each free cell that the owner (a colour or pawn) can reach, by cell name."""

    owner: str
    distances: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Analysis(Generic[A]):
    """All legal actions, best first, and what else is known: facts, and maps in playing order, if any."""

    candidates: tuple[Candidate[A], ...]
    facts: tuple[Fact, ...] = ()
    distance_maps: tuple[DistanceMap, ...] = ()


class Engine(ABC, Generic[A]):
    """A computer player of one game at one level. It searches the view of the seat to act, and nothing else.

    `choose` and `analyse` take that view, or a state of which they make it. Anything else than a state of the
    game raises TypeError, and one in which no seat can act `NoDecisionError`.

    An engine may keep what it has computed; `tripot.bot.Bot` keeps one for a whole game. A call while another
    thread searches raises `EngineBusyError`.
    """

    state_type: ClassVar[type[AnyState]] = State  # type: ignore[type-abstract]  # any class of states
    """The class of the game's states."""

    threads: int | None = None
    """The number of search threads; callers may set it (`ValueError`: too many). None if it is always one."""

    def __init__(self) -> None:
        self._in_use = Lock()

    def choose(self, state: AnyState, limit: Limit, rng: Rng) -> Candidate[A]:
        """Return the action that this level plays; weak levels make mistakes."""
        with self._exclusive_use(state) as view:
            return self._choose(view, limit, rng)

    def analyse(self, state: AnyState, limit: Limit, rng: Rng) -> Analysis[A]:
        """Return all legal actions, ranked as well as this level can."""
        with self._exclusive_use(state) as view:
            return self._analyse(view, limit, rng)

    def close(self) -> None:
        """Free what the engine holds. It is not used afterwards."""

    @abstractmethod
    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate[A]: ...

    @abstractmethod
    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis[A]: ...

    @contextmanager
    def _exclusive_use(self, state: AnyState) -> Iterator[AnyState]:
        """Provide the view to search, and keep other threads out meanwhile."""
        if not isinstance(state, self.state_type):
            raise state_type_error(state)
        if not isinstance(state.to_act, Seat):
            raise NoDecisionError("the game is over" if state.to_act is None else "chance is to act")
        view = state.view(state.to_act)  # a full state would tell the search what its seat cannot know
        if not self._in_use.acquire(blocking=False):
            raise EngineBusyError("this engine is searching in another thread; use one engine per thread")
        try:
            yield view
        finally:
            self._in_use.release()


@dataclass(frozen=True, slots=True)
class GtpDialect:
    """How to describe one variant of a game to programs that use GTP, the Go Text Protocol.

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
    """A kind of game: one object, exported as `GAME` by its package, without state of its own.

    key          its name in records, addresses and commands: lower-case letters
    title        its name for people
    version      of its behaviour: within a version, the same actions lead to the same states. Records of
                 older versions are read if `changes_since` allows it
    Options      the class of its options; `players` is always one of them
    levels       the levels of its engine, from 1, weakest first
    draw_clause  the clause that allows a draw by agreement, or None
    """

    key: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    Options: ClassVar[type[_Options]]
    levels: ClassVar[range]
    draw_clause: ClassVar[str | None]

    @abstractmethod
    def initial_state(self, *args: Any, **kwargs: Any) -> State[A]:
        """The state before the first action, with an `Options` object or with options by name (`players=2`).

        Games set it to a `tripot.game_package.InitialState`, so that type checkers know their options.
        """

    @abstractmethod
    def parse_action(self, text: str) -> A:
        """Parse the text of an action, whether or not it is legal anywhere. Raises `ParseError`."""

    @abstractmethod
    def parse_state(self, text: str) -> State[A]:
        """Parse `State.to_text`. Raises `ParseError`, or `OptionError` for the options in it."""

    @abstractmethod
    def engine(self, level: int) -> Engine[A]:
        """Create a computer player; errors as in `check_level`. Only this and `preload` import Numba."""

    def check_level(self, level: int) -> None:
        """Raise ValueError unless the engine has this level, and TypeError for what is no whole number."""
        if not isinstance(level, int) or isinstance(level, bool):
            raise TypeError(f"a level is a whole number such as {self.levels[-1]}, not {level!r}")
        if level not in self.levels:
            raise ValueError(
                f"{self.title} has the levels {self.levels[0]} to {self.levels[-1]}, not {level}"
            )

    def changes_since(self, version: int, options: _Options) -> str:
        """What an older version of the rules does differently in games with these options, in English.

        Empty if such games lead to the same states in this version: then their records are still read. By
        default any older version may differ.
        """
        return "the same actions may lead to another position"

    def repeat_chance(self, start: Any, outcomes: list[A]) -> tuple[Any, list[A]]:
        """The first state of a game that repeats recorded chance outcomes, and those that it does not imply.

        By default, both are those of the record.
        """
        return start, outcomes

    def preload(self) -> None:
        """Make the rules faster at the price of some seconds and of importing Numba; results stay the same.

        A server calls it once, in a thread. By default, do nothing.
        """

    def gtp_dialect(self, options: _Options) -> GtpDialect | None:
        """How to describe this variant to GTP programs; None if there are none for this game.

        Raises `OptionError` for an option that leads to a rule that they do not know.
        """
        return None

    def __repr__(self) -> str:
        return f"tripot.get_game({self.key!r})"


AnyGame: TypeAlias = Game[Any]
