"""The rules of Tally."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from tripot import game
from tripot.game import (
    CHANCE,
    Chance,
    Fact,
    HiddenInformationError,
    IllegalActionError,
    Outcome,
    Preview,
    Rng,
    Seat,
    fact,
)
from tripot.game_package import check_action
from tripot.games.tally import draw, text, view_json
from tripot.games.tally.actions import Action, Deal, Take, is_well_formed
from tripot.games.tally.board import CARDS, UNSEEN
from tripot.games.tally.options import Options


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    options: Options = field()
    heap: int = 0
    cards: tuple[int, ...] = ()
    taken: tuple[int, int] = (0, 0)
    turn: Seat = 0

    @property
    def teams(self) -> tuple[int, ...]:
        return (0, 1)

    @property
    def to_act(self) -> Seat | Chance | None:
        if not self.cards:
            return CHANCE
        return self.turn if self.heap else None

    @property
    def prompt(self) -> Fact:
        return fact("TY-2", "take", heap=self.heap) if self.heap else fact("TY-3", "over")

    @property
    def outcome(self) -> Outcome | None:
        if self.to_act is not None:
            return None
        scores = tuple(taken + card for taken, card in zip(self.taken, self.cards, strict=True))
        return Outcome(scores, self.teams, fact("TY-3", "over"))

    def legal_actions(self) -> tuple[Action, ...]:
        counts = range(1, min(3, self.heap) + 1)
        return tuple(Take(count) for count in counts) if isinstance(self.to_act, int) else ()

    def apply(self, action: Action) -> State:
        check_action(self, action, Action, is_well_formed)
        if isinstance(action, Deal):
            if self.cards or not {*action.cards} <= {*CARDS}:
                raise IllegalActionError("TY-1", "dealt")
            return replace(self, cards=action.cards)
        if not self.cards:
            raise IllegalActionError("TY-1", "not_dealt")
        if not 1 <= action.count <= min(3, self.heap):
            raise IllegalActionError("TY-2", "count", heap=self.heap)
        if UNSEEN in self.cards and action.count == self.heap:
            raise HiddenInformationError("the cards are turned up at the end")
        taken = [*self.taken]
        taken[self.turn] += action.count
        return replace(self, heap=self.heap - action.count, taken=(taken[0], taken[1]), turn=1 - self.turn)

    def sample_chance(self, rng: Rng) -> Action:
        return Deal((rng.choice(CARDS), rng.choice(CARDS)))

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        pairs = [(one, two) for one in CARDS for two in CARDS]
        return tuple((Deal(pair), Fraction(1, 9)) for pair in pairs) if self.to_act is CHANCE else ()

    def preview(self, action: Action) -> Preview:
        try:
            self.apply(action)
        except IllegalActionError as error:
            return Preview(error=error)
        except HiddenInformationError:
            pass
        return Preview()

    def _view(self, seat: Seat | None) -> State:
        if self.to_act is None:
            return self
        return replace(self, cards=tuple(c if s == seat else UNSEEN for s, c in enumerate(self.cards)))

    def redact(self, action: Action, seat: Seat | None) -> str:
        if isinstance(action, Take):
            return str(action)
        return "deal " + ",".join(
            str(card) if seat == owner else "?" for owner, card in enumerate(action.cards)
        )

    def determinize(self, rng: Rng) -> State:
        return replace(self, cards=tuple(card or rng.choice(CARDS) for card in self.cards))

    to_text = text.state_text
    to_json = view_json.view_json
    draw_terminal = draw.draw_terminal
    _repr_svg_ = draw.draw_svg


def initial_state(options: Options) -> State:
    return State(options, heap=options.heap)
