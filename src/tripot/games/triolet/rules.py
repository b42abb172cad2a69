"""The rules of Triolet. The clauses TO-1 to TO-12 are those of the rulebook beside this file.

The State has no bag, which would reveal the racks. Tokens that are on no rack and not on the board are
in the bag or among the three that are set aside. These three are never revealed, so they are
the three that are never drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations

from tripot import game
from tripot.game import CHANCE, Chance, Fact, HiddenInformationError, IllegalActionError, Seat, fact
from tripot.game_package import check_action
from tripot.games.triolet import draw, text, view_json
from tripot.games.triolet.actions import (
    Action,
    DrawFirstSeat,
    DrawTokens,
    Exchange,
    Place,
    PlacedToken,
    is_well_formed,
    tokens_text,
)
from tripot.games.triolet.board import (
    BIS,
    CENTRE,
    FREE,
    HIDDEN_TOKEN,
    JOKER,
    MIN_BAG_TO_EXCHANGE,
    RACK_SIZE,
    SET_ASIDE,
    SQUARE_NAMES,
    SQUARES,
    TOKEN_COUNTS,
    TOKENS,
    placeable_values,
    token_name,
    token_of,
)
from tripot.games.triolet.options import Options
from tripot.games.triolet.placement import placements
from tripot.games.triolet.scoring import PlacementResult, score_placement


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position.

    cells      the tokens on the 225 squares (`board.py`)
    racks      the tokens of each seat, sorted
    scores     the score of each seat, before the additions and subtractions at the end
    turn       the seat to play, or to play next once tokens are drawn; -1 before the first seat is drawn
    exchanged  during an exchange: the tokens that go back into the bag once the new ones are drawn
    """

    options: Options = field()  # explicit: otherwise the inherited property would become the default
    cells: bytes
    racks: tuple[bytes, ...]
    scores: tuple[int, ...] = field()
    turn: Seat = -1
    exchanged: bytes = b""
    outcome: game.Outcome | None = None

    # -- whose turn --

    @property
    def teams(self) -> tuple[int, ...]:
        """Every seat plays for itself."""
        return tuple(range(self.options.players))

    @property
    def to_act(self) -> Seat | Chance | None:
        if self.outcome:
            return None
        return CHANCE if self.turn < 0 or self.seat_to_draw is not None else self.turn

    @property
    def bag(self) -> int:
        """The number of tokens in the bag, which is not hidden."""
        on_board = SQUARES - self.cells.count(FREE)
        return TOKENS - SET_ASIDE - on_board - sum(map(len, self.racks)) - len(self.exchanged)

    @property
    def seat_to_draw(self) -> Seat | None:
        """TO-1, TO-10, TO-11: the seat whose rack must be filled, while the bag lasts."""
        short = next((seat for seat, rack in enumerate(self.racks) if len(rack) < RACK_SIZE), None)
        return None if self.outcome or self.turn < 0 or short is None or not self.bag else short

    @property
    def draw_count(self) -> int:
        """The number of tokens to be drawn."""
        if self.seat_to_draw is None:
            return 0
        return min(RACK_SIZE - len(self.racks[self.seat_to_draw]), self.bag)

    @property
    def unseen_tokens(self) -> Counter[int]:
        """The number of unseen tokens by token: the bag, the three set aside, and the hidden racks."""
        counts = [*TOKEN_COUNTS, 0]
        for cell in self.cells.replace(bytes([FREE]), b""):
            counts[token_of(cell)] -= 1
        for token in b"".join((*self.racks, self.exchanged)):
            counts[token] -= 1
        return Counter(dict(enumerate(counts[:HIDDEN_TOKEN])))

    @property
    def prompt(self) -> Fact:
        if self.outcome:
            return self.outcome.reason
        if self.turn < 0:
            return fact("TO-1", "lots")
        if self.seat_to_draw is not None:
            clause = "TO-11" if self.exchanged else "TO-10" if any(self.cells) else "TO-1"
            return fact(clause, "draw", seat=self.seat_to_draw, count=self.draw_count)
        if not any(self.cells):
            return fact("TO-2", "first", square=SQUARE_NAMES[CENTRE])
        return fact("TO-11", "or_exchange") if self.can_exchange else fact("TO-2", "place")

    # -- legal actions --

    @property
    def can_exchange(self) -> bool:
        """TO-11: tokens may be exchanged while at least 5 are in the bag."""
        return self.bag >= MIN_BAG_TO_EXCHANGE

    def can_place(self, seat: Seat) -> bool:
        """TO-11: whether a seat has a token that it can place. HiddenInformationError if that is unknown."""
        values, rack = placeable_values(self.cells), self.racks[seat]
        if any(_is_placeable(token, values) for token in rack):
            return True
        if HIDDEN_TOKEN in rack:
            raise HiddenInformationError(f"the rack of seat {seat + 1} is hidden")
        return False

    def legal_actions(self) -> tuple[Action, ...]:
        """Placements by number of tokens, squares and values; then exchanges by number and values.

        On a view of another seat: the actions with the tokens that are visible.
        """
        if not isinstance(self.to_act, int):
            return ()
        visible = self.racks[self.turn].replace(bytes([HIDDEN_TOKEN]), b"")
        if not self.can_exchange:
            return placements(self.cells, visible)
        selections = {tokens for size in range(1, RACK_SIZE + 1) for tokens in combinations(visible, size)}
        ordered = sorted(selections, key=lambda tokens: (len(tokens), tokens))
        return (*placements(self.cells, visible), *(Exchange(bytes(tokens)) for tokens in ordered))

    # -- applying actions --

    def apply(self, action: Action) -> State:
        check_action(self, action, Action, is_well_formed)
        match action:
            case DrawFirstSeat(seat):
                return self._draw_first_seat(seat)
            case DrawTokens(seat, tokens):
                return self._draw_tokens(seat, tokens)
            case Place(tokens):
                return self._place(tokens)
            case Exchange(tokens):
                return self._exchange(tokens)

    def _draw_first_seat(self, seat: Seat) -> State:
        """TO-1: chance draws the seat that begins."""
        if self.turn >= 0:
            raise IllegalActionError("TO-1", "begun")
        if not 0 <= seat < self.options.players:
            raise IllegalActionError("TO-1", "no_seat", count=self.options.players)
        return replace(self, turn=seat)

    def _draw_tokens(self, seat: Seat, tokens: bytes) -> State:
        """TO-1, TO-10: tokens go from the bag to a rack; TO-11: exchanged tokens go back after that."""
        if self.turn < 0:
            raise IllegalActionError("TO-1", "lots_first")
        if self.seat_to_draw is None:
            raise IllegalActionError("TO-10", "none_due")
        if seat != self.seat_to_draw or len(tokens) != self.draw_count:
            raise IllegalActionError("TO-10", "draw", seat=self.seat_to_draw, count=self.draw_count)
        unseen = self.unseen_tokens
        for token, count in Counter(tokens).items():
            if count > unseen[token]:
                raise IllegalActionError("TO-10", "not_there", token=token_name(token))
        racks = self._with_rack(seat, bytes(sorted(self.racks[seat] + tokens)))
        return replace(self, racks=racks, exchanged=b"").resolved()

    def _place(self, tokens: tuple[PlacedToken, ...]) -> State:
        """TO-2 to TO-9: tokens are placed and scored; TO-7: on a bis square the same seat plays again."""
        result, rack = self.check_place(tokens)
        seat, plays_again = self.turn, any(token.square in BIS for token in tokens)
        scores = [*self.scores]
        scores[seat] += result.points
        after = replace(
            self,
            cells=result.cells,
            racks=self._with_rack(seat, rack),
            scores=tuple(scores),
            turn=seat if plays_again else self._seat_after(seat),
        )
        return after.resolved()

    def check_place(self, tokens: tuple[PlacedToken, ...]) -> tuple[PlacementResult, bytes]:
        """The result of a placement, and the rest of the rack. Raises IllegalActionError."""
        self._check_turn()
        result = score_placement(self.cells, tokens)
        used = bytes(JOKER if token.joker else token.value for token in tokens)
        return result, self._rack_without(used, "TO-2")

    def _exchange(self, tokens: bytes) -> State:
        """TO-11: a player gives up tokens instead of placing some."""
        racks = self._with_rack(self.turn, self.check_exchange(tokens))
        return replace(self, racks=racks, exchanged=tokens, turn=self._seat_after(self.turn))

    def check_exchange(self, tokens: bytes) -> bytes:
        """The rest of the rack in an exchange, before tokens are drawn. Raises IllegalActionError."""
        self._check_turn()
        if not self.can_exchange:
            raise IllegalActionError("TO-11", "bag", count=self.bag)
        if not 1 <= len(tokens) <= RACK_SIZE:
            raise IllegalActionError("TO-11", "count", count=len(tokens))
        return self._rack_without(tokens, "TO-11")

    def _check_turn(self) -> None:
        """TO-1, TO-10: a seat plays once the first seat and all tokens are drawn."""
        if self.turn < 0:
            raise IllegalActionError("TO-1", "lots_first")
        if self.seat_to_draw is not None:
            raise IllegalActionError("TO-10", "draw", seat=self.seat_to_draw, count=self.draw_count)

    def _rack_without(self, tokens: bytes, clause: str) -> bytes:
        """The rack of the seat to play without some tokens; hidden ones may be any unseen tokens."""
        rack = bytearray(self.racks[self.turn])
        for token in tokens:
            can_be_hidden = token != HIDDEN_TOKEN and HIDDEN_TOKEN in rack and self.unseen_tokens[token]
            if token not in rack and not can_be_hidden:
                raise IllegalActionError(clause, "not_held", token=token_name(token))
            rack.remove(token if token in rack else HIDDEN_TOKEN)
        return bytes(rack)

    def _with_rack(self, seat: Seat, rack: bytes) -> tuple[bytes, ...]:
        """All racks, with another one for one seat."""
        return (*self.racks[:seat], rack, *self.racks[seat + 1 :])

    def _seat_after(self, seat: Seat) -> Seat:
        return (seat + 1) % self.options.players

    # -- the next turn, and the end --

    def resolved(self) -> State:
        """The state with the seat that plays next, or with the outcome if the game is over.

        TO-11: the next seat is the first one, from `turn` on, that can place or exchange. TO-12: the
        game ends when a rack is empty, or when no seat can place a token.
        """
        if self.turn < 0 or self.seat_to_draw is not None:
            return self
        empty = next((seat for seat, rack in enumerate(self.racks) if not rack), None)
        if empty is not None:
            return replace(self, outcome=self._outcome_out(empty))
        if self.can_exchange and not self.is_dead:
            return self
        seats = self.options.players
        for seat in ((self.turn + offset) % seats for offset in range(seats)):
            if self.can_place(seat):
                return replace(self, turn=seat)
        return replace(self, outcome=self._outcome_blocked())

    @property
    def is_dead(self) -> bool:
        """TO-12: whether no token that is not on the board can be placed, wherever it is.

        Everybody can see this. Exchanges would go on forever, so the game ends at once.
        """
        values, tokens = placeable_values(self.cells), self.unseen_tokens
        tokens.update(
            token for rack in (*self.racks, self.exchanged) for token in rack if token != HIDDEN_TOKEN
        )
        return not any(_is_placeable(token, values) for token in tokens.elements())

    def rack_value(self, seat: Seat) -> int:
        """TO-8, TO-12: the sum of the values on a rack; a joker counts nothing."""
        return sum(token for token in self.racks[seat] if token != JOKER)

    def _outcome_out(self, last_seat: Seat) -> game.Outcome:
        """TO-12: the seat that placed its last token adds the values on the other racks."""
        if any(HIDDEN_TOKEN in rack for rack in self.racks):
            raise HiddenInformationError("the racks are turned up at the end")
        added = sum(self.rack_value(seat) for seat in self.teams)
        scores = tuple(score + added * (seat == last_seat) for seat, score in enumerate(self.scores))
        return game.Outcome(scores, self.teams, fact("TO-12", "out", seat=last_seat, points=added))

    def _outcome_blocked(self) -> game.Outcome:
        """TO-12: no seat can place a token, and every seat subtracts the values on its rack."""
        scores = tuple(score - self.rack_value(seat) for seat, score in enumerate(self.scores))
        return game.Outcome(scores, self.teams, fact("TO-12", "stuck"))

    # -- chance --

    def sample_chance(self, rng: game.Rng) -> Action:
        if self.to_act is not CHANCE:
            raise ValueError("chance is not to act")
        if self.seat_to_draw is None:
            return DrawFirstSeat(rng.randrange(self.options.players))
        tokens = rng.sample(sorted(self.unseen_tokens.elements()), self.draw_count)
        return DrawTokens(self.seat_to_draw, bytes(tokens))

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        """Draws of the first seat and of one token, unless racks are hidden; more are too many to list."""
        if self.to_act is not CHANCE:
            return ()
        if self.seat_to_draw is None:
            return tuple((DrawFirstSeat(seat), Fraction(1, len(self.teams))) for seat in self.teams)
        if self.draw_count > 1 or any(HIDDEN_TOKEN in rack for rack in self.racks):
            return ()
        unseen = self.unseen_tokens
        return tuple(
            (DrawTokens(self.seat_to_draw, bytes([token])), Fraction(count, unseen.total()))
            for token, count in sorted(unseen.items())
            if count
        )

    def skipped_by(self, action: Action) -> tuple[Seat, ...]:
        """TO-11: the seats between the one whose turn it would be and the one that can place or exchange."""
        after = self.apply(action)
        if self.turn < 0 or after.outcome or after.seat_to_draw is not None:
            return ()
        plays_again = isinstance(action, Place) and any(token.square in BIS for token in action.tokens)
        first = self.turn if plays_again or isinstance(action, DrawTokens) else self.turn + 1
        seats = len(self.racks)
        return tuple((first + offset) % seats for offset in range((after.turn - first) % seats))

    # -- hidden information --

    def _view(self, seat: Seat | None) -> State:
        """X-3: a seat sees its own rack; at the end all racks are revealed."""
        if self.outcome:
            return self
        racks = tuple(
            rack if owner == seat else _hidden_tokens(rack) for owner, rack in enumerate(self.racks)
        )
        exchanged = self.exchanged if self.seat_to_draw == seat else _hidden_tokens(self.exchanged)
        return replace(self, racks=racks, exchanged=exchanged)

    def redact(self, action: Action, seat: Seat | None) -> str:
        """Of a draw or an exchange of another seat only the number of tokens is visible.

        The consequences of a draw are visible to all: that the game is over, which reveals the racks,
        or that a seat must pass.
        """
        if isinstance(action, Exchange):
            hidden = f"exchange {tokens_text(_hidden_tokens(action.tokens))}"
            return str(action) if seat == self.turn else hidden
        if not isinstance(action, DrawTokens) or seat == action.seat:
            return str(action)
        hidden = f"draw {action.seat + 1} {tokens_text(_hidden_tokens(action.tokens))}"
        try:
            after = self.apply(action)
        except HiddenInformationError:
            return hidden
        if after.outcome:
            return str(action)
        return hidden if after.turn == self.turn else f"{hidden} next {after.turn + 1}"

    @property
    def must_place(self) -> bool:
        """TO-11: whether the seat to play must place a token, because it may not exchange any."""
        return isinstance(self.to_act, int) and not self.can_exchange

    @property
    def has_completion(self) -> bool:
        """Whether the hidden tokens can be such that this position occurs in a game.

        TO-11: a seat that must place has a token that it can place, visible or hidden. The game is not over,
        so no rack is empty once the bag is (TO-12).
        """
        if not self.must_place:
            return True
        values, rack = placeable_values(self.cells), self.racks[self.turn]
        candidates = [*rack.replace(bytes([HIDDEN_TOKEN]), b"")]
        if HIDDEN_TOKEN in rack:
            candidates += self.unseen_tokens.elements()
        return all(self.racks) and any(_is_placeable(token, values) for token in candidates)

    def determinize(self, rng: game.Rng) -> State:
        """Hidden tokens are drawn from the unseen ones; TO-11: so that the seat to play can play.

        Raises HiddenInformationError if no hidden tokens are consistent with the position.
        """
        hidden_count = sum(tokens.count(HIDDEN_TOKEN) for tokens in (*self.racks, self.exchanged))
        if not hidden_count:
            return self
        if not self.has_completion:
            raise HiddenInformationError("no hidden tokens are consistent with this position")
        unseen = sorted(self.unseen_tokens.elements())
        while True:  # at most 19 tokens are unseen if a seat must place, so one draw in 19 or more succeeds
            drawn = iter(rng.sample(unseen, hidden_count))
            racks = tuple(_fill_hidden(rack, drawn) for rack in self.racks)
            full = replace(self, racks=racks, exchanged=_fill_hidden(self.exchanged, drawn))
            if not self.must_place or full.can_place(self.turn):
                return full

    def preview(self, action: Action) -> game.Preview:
        try:
            check_action(self, action, Action, is_well_formed)
            if isinstance(self.to_act, int) and isinstance(action, Place):
                result, rack = self.check_place(action.tokens)
                return game.Preview((*result.facts(), *self._later_effects(action, rack)))
            if isinstance(self.to_act, int) and isinstance(action, Exchange):
                self.check_exchange(action.tokens)
                return game.Preview((fact("TO-11", "costs", count=len(action.tokens)),))
            self.apply(action)
        except IllegalActionError as error:
            return game.Preview(error=error)
        except HiddenInformationError:
            pass
        return game.Preview()

    def _later_effects(self, action: Place, rack: bytes) -> Iterator[Fact]:
        """The consequences of a placement that everybody can see."""
        if not rack and not self.bag:
            yield fact("TO-12", "last")
        elif any(token.square in BIS for token in action.tokens):
            yield fact("TO-7", "again")

    # -- text, JSON and drawings --

    to_text = text.state_text
    to_json = view_json.view_json
    draw_terminal = draw.draw_terminal
    draw_compact = draw.draw_compact
    _repr_svg_ = draw.draw_svg


def _is_placeable(token: int, values: int) -> bool:
    """Whether the value of a token is in a mask of values; a joker may have any value."""
    return bool(values) if token == JOKER else bool(values >> token & 1)


def _hidden_tokens(tokens: bytes) -> bytes:
    return bytes([HIDDEN_TOKEN]) * len(tokens)


def _fill_hidden(tokens: bytes, drawn: Iterator[int]) -> bytes:
    """Tokens with the hidden ones replaced by drawn ones, sorted."""
    return bytes(sorted(next(drawn) if token == HIDDEN_TOKEN else token for token in tokens))


def initial_state(options: Options) -> State:
    """TO-1: the state before the first action."""
    return State(options, bytes(SQUARES), (b"",) * options.players, (0,) * options.players)
