"""Triolet: the booklet as code. The clauses TO-1 to TO-12 stand in the rulebook beside this file.

The bag is nowhere in the State: a bag would give the racks away. What is on no rack and not on the
board is in the bag or among the three tokens set aside, and as nobody ever learns which three those
are, they are simply the three that are never drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

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
    StyledRows,
    check_action_type,
    fact,
)
from tripot.games.triolet.actions import (
    TRIOLET_BONUS,
    Action,
    DrawFirstSeat,
    DrawTokens,
    Exchange,
    Options,
    Place,
    PlacedToken,
    PlacementResult,
    scored_sets,
    square_names,
    tokens_text,
)
from tripot.games.triolet.board import (
    BIS,
    CENTRE,
    FREE,
    HIDDEN_TOKEN,
    IS_JOKER,
    JOKER,
    MAX_LINE,
    MIN_BAG_TO_EXCHANGE,
    NEIGHBOUR_MASKS,
    RACK_SIZE,
    SET_ASIDE,
    SIZE,
    SQUARE_NAMES,
    SQUARES,
    TOKEN_COUNTS,
    TOKENS,
    TRIO_SUM,
    forbidden_block,
    generate_placements,
    lines,
    occupied_mask,
    placeable_values,
    token_name,
    token_of,
    value_of,
)

# --- Where tokens may lie: TO-2, TO-3 and TO-9 -------------------------------------------------


def check_shape(cells: bytes, tokens: tuple[PlacedToken, ...]) -> None:
    """TO-2: one to three free squares in one line, without a gap, next to what lies there."""
    if not 1 <= len(tokens) <= RACK_SIZE:
        raise IllegalActionError("TO-2", "count", count=len(tokens))
    for each in tokens:
        if not (0 <= each.row < SIZE and 0 <= each.column < SIZE):
            raise IllegalActionError("TO-2", "off", square=each.name)
        if cells[each.square]:
            raise IllegalActionError("TO-2", "taken", square=each.name)
    squares = tuple(each.square for each in tokens)
    if len({*squares}) < len(squares):
        raise IllegalActionError("TO-2", "twice", squares=square_names(squares))
    if len({each.row for each in tokens}) > 1 and len({each.column for each in tokens}) > 1:
        raise IllegalActionError("TO-2", "line", squares=square_names(squares))
    step = SIZE if tokens[0].row < tokens[-1].row else 1
    steps = [(there - here) // step for here, there in pairwise(squares)]
    around = steps == [2] and cells[squares[0] + step]
    if any(each > 1 for each in steps) and not around:
        raise IllegalActionError("TO-2", "gap", squares=square_names(squares))
    taken = occupied_mask(cells)
    if not taken and CENTRE not in squares:
        raise IllegalActionError("TO-2", "centre", square=SQUARE_NAMES[CENTRE])
    if taken and not any(NEIGHBOUR_MASKS[square] & taken for square in squares):
        raise IllegalActionError("TO-2", "apart", squares=square_names(squares))


def check_lines(cells: bytes, squares: tuple[int, ...]) -> None:
    """TO-3: every line through some squares, once the tokens lie there."""
    for each in lines(cells, squares):
        total = sum(value_of(cells[square]) for square in each)
        if len(each) > MAX_LINE:
            raise IllegalActionError("TO-3", "long", squares=square_names(each))
        if len(each) == MAX_LINE and total != TRIO_SUM:
            raise IllegalActionError("TO-3", "trio", squares=square_names(each), total=total)
        if total > TRIO_SUM:
            raise IllegalActionError("TO-3", "pair", squares=square_names(each), total=total)


def check_blocks(cells: bytes, squares: tuple[int, ...]) -> None:
    """TO-9: neither a square of the first four tokens nor a full 3×3 one."""
    if block := forbidden_block(occupied_mask(cells), squares):
        corners = f"{SQUARE_NAMES[(block & -block).bit_length() - 1]}–{SQUARE_NAMES[block.bit_length() - 1]}"
        raise IllegalActionError("TO-9", "four" if block.bit_count() == 4 else "nine", squares=corners)


# --- What a move is worth: TO-4 to TO-6 --------------------------------------------------------


@lru_cache(maxsize=512)
def placements(cells: bytes, rack: bytes) -> tuple[Place, ...]:
    """Every legal placement with the tokens of a rack, in the order of `generate_placements`."""
    return tuple(
        Place(
            tuple(
                PlacedToken(*divmod(each, SIZE), *token) for each, token in zip(squares, tokens, strict=True)
            )
        )
        for squares, tokens in generate_placements(cells, rack)
    )


@lru_cache(maxsize=8192)
def score_placement(cells: bytes, tokens: tuple[PlacedToken, ...]) -> PlacementResult:
    """A placement, checked against the board (TO-2, TO-3, TO-8, TO-9) and scored (TO-4 to TO-6)."""
    check_shape(cells, tokens)
    check_values(tokens)
    after = bytearray(cells)
    for each in tokens:
        after[each.square] = each.value + 1 + IS_JOKER * each.joker
    laid, squares = bytes(after), tuple(each.square for each in tokens)
    check_lines(laid, squares)
    check_blocks(laid, squares)
    triolet = len(tokens) == MAX_LINE and not any(each.joker for each in tokens)
    return PlacementResult(laid, tuple(scored_sets(laid, squares)), TRIOLET_BONUS if triolet else 0)


def check_values(tokens: tuple[PlacedToken, ...]) -> None:
    """TO-8: at most one joker in a move, with a value from 0 to 15."""
    jokers = [each for each in tokens if each.joker]
    if len(jokers) > 1:
        raise IllegalActionError("TO-8", "two")
    for each in tokens:
        if not 0 <= each.value <= TRIO_SUM:
            clause, key = ("TO-8", "value") if each.joker else ("TO-2", "no_token")
            raise IllegalActionError(clause, key, square=each.name)


# --- The state ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position.

    cells   what lies on each of the 225 squares (`board.py`)
    racks   the tokens of each seat, in order
    scores  the points of each seat, before anything is added or subtracted at the end
    turn    the seat to play, or the one that is next once the tokens due are drawn; -1 before lots
    exchanged  in an exchange: the tokens that go back into the bag once the new ones are drawn
    """

    options: Options = field()  # said out loud, or the property of the protocol passes for a default
    cells: bytes
    racks: tuple[bytes, ...]
    scores: tuple[int, ...] = field()
    turn: Seat = -1
    exchanged: bytes = b""
    outcome: Outcome | None = None

    # -- whose turn, and what is asked --

    @property
    def teams(self) -> tuple[int, ...]:
        """Everyone plays alone."""
        return tuple(range(self.options.players))

    @property
    def to_act(self) -> Seat | Chance | None:
        if self.outcome:
            return None
        return CHANCE if self.turn < 0 or self.seat_to_draw is not None else self.turn

    @property
    def bag(self) -> int:
        """How many tokens are in the bag; everybody can count that."""
        laid = SQUARES - self.cells.count(FREE)
        return TOKENS - SET_ASIDE - laid - sum(map(len, self.racks)) - len(self.exchanged)

    @property
    def seat_to_draw(self) -> Seat | None:
        """TO-1, TO-10, TO-11: the seat whose rack is to be filled, while the bag lasts."""
        short = next((seat for seat, rack in enumerate(self.racks) if len(rack) < RACK_SIZE), None)
        return None if self.outcome or self.turn < 0 or short is None or not self.bag else short

    @property
    def draw_count(self) -> int:
        """How many tokens are to be drawn."""
        return (
            0 if self.seat_to_draw is None else min(RACK_SIZE - len(self.racks[self.seat_to_draw]), self.bag)
        )

    @property
    def unseen_tokens(self) -> Counter[int]:
        """The tokens that nobody sees here: the bag, the three set aside, and all hidden racks."""
        left = [*TOKEN_COUNTS, 0]
        for cell in self.cells.replace(bytes([FREE]), b""):
            left[token_of(cell)] -= 1
        for token in b"".join((*self.racks, self.exchanged)):
            left[token] -= 1
        return Counter(dict(enumerate(left[:HIDDEN_TOKEN])))

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

    # -- what may be done --

    @property
    def can_exchange(self) -> bool:
        """TO-11: only with at least 5 tokens in the bag."""
        return self.bag >= MIN_BAG_TO_EXCHANGE

    def can_place(self, seat: Seat) -> bool:
        """Whether a seat has a token that could be placed somewhere; raises Hidden if it may have."""
        values, rack = placeable_values(self.cells), self.racks[seat]
        if any(_fits(token, values) for token in rack):
            return True
        if HIDDEN_TOKEN in rack:
            raise HiddenInformationError(f"the rack of seat {seat + 1} is hidden")
        return False

    def legal_actions(self) -> tuple[Action, ...]:
        """Placements of one token, two, three, each by squares and then by values; then exchanges.

        On a view whose reader cannot see the rack to play from: what can be done with what is seen.
        """
        if not isinstance(self.to_act, int):
            return ()
        rack = self.racks[self.turn]
        seen = rack.replace(bytes([HIDDEN_TOKEN]), b"")
        if not self.can_exchange:
            return placements(self.cells, seen)
        given = {tokens for size in range(1, RACK_SIZE + 1) for tokens in combinations(seen, size)}
        exchanges = (Exchange(bytes(tokens)) for tokens in sorted(given, key=lambda each: (len(each), each)))
        return (*placements(self.cells, seen), *exchanges)

    # -- acting --

    def apply(self, action: Action) -> State:
        check_action_type(action, Action)
        if self.outcome:
            raise IllegalActionError("X-2", "over")
        match action:
            case DrawFirstSeat(seat):
                return self._lots(seat)
            case DrawTokens(seat, tokens):
                return self._draw(seat, tokens)
            case Place(tokens):
                return self._place(tokens)
            case Exchange(tokens):
                return self._exchange(tokens)

    def _lots(self, seat: Seat) -> State:
        """TO-1: who begins."""
        if self.turn >= 0:
            raise IllegalActionError("TO-1", "begun")
        if not 0 <= seat < self.options.players:
            raise IllegalActionError("TO-1", "no_seat", count=self.options.players)
        return replace(self, turn=seat)

    def _draw(self, seat: Seat, tokens: bytes) -> State:
        """TO-1, TO-10: from the bag to a rack; TO-11: only then do the tokens given up go back."""
        if self.turn < 0:
            raise IllegalActionError("TO-1", "lots_first")
        if self.seat_to_draw is None:
            raise IllegalActionError("TO-10", "none_due")
        if seat != self.seat_to_draw or len(tokens) != self.draw_count:
            raise IllegalActionError("TO-10", "draw", seat=self.seat_to_draw, count=self.draw_count)
        pool = self.unseen_tokens
        for token, count in Counter(tokens).items():
            if count > pool[token]:
                raise IllegalActionError("TO-10", "not_there", token=token_name(token))
        racks = self._racks(seat, bytes(sorted(self.racks[seat] + tokens)))
        return replace(self, racks=racks, exchanged=b"").resolved()

    def _place(self, tokens: tuple[PlacedToken, ...]) -> State:
        """TO-2 to TO-9: place and score; TO-7: after a bis square the same seat goes on."""
        move, rack = self.check_place(tokens)
        seat, again = self.turn, any(each.square in BIS for each in tokens)
        scores = tuple(points + move.points * (each == seat) for each, points in enumerate(self.scores))
        after = replace(
            self,
            cells=move.cells,
            racks=self._racks(seat, rack),
            scores=scores,
            turn=seat if again else self._next(seat),
        )
        return after.resolved()

    def check_place(self, tokens: tuple[PlacedToken, ...]) -> tuple[PlacementResult, bytes]:
        """What a placement brings and what it leaves on the rack; raises Illegal."""
        self._check_turn()
        move = score_placement(self.cells, tokens)
        return move, self._rack_without(bytes(JOKER if each.joker else each.value for each in tokens), "TO-2")

    def _exchange(self, tokens: bytes) -> State:
        """TO-11: give up tokens, which costs the turn."""
        rack = self.check_exchange(tokens)
        racks, after = self._racks(self.turn, rack), self._next(self.turn)
        return replace(self, racks=racks, exchanged=tokens, turn=after)

    def check_exchange(self, tokens: bytes) -> bytes:
        """What an exchange leaves on the rack at first; raises Illegal."""
        self._check_turn()
        if not self.can_exchange:
            raise IllegalActionError("TO-11", "bag", count=self.bag)
        if not 1 <= len(tokens) <= RACK_SIZE:
            raise IllegalActionError("TO-11", "count", count=len(tokens))
        return self._rack_without(tokens, "TO-11")

    def _check_turn(self) -> None:
        if self.turn < 0:
            raise IllegalActionError("TO-1", "lots_first")
        if self.seat_to_draw is not None:
            raise IllegalActionError("TO-10", "draw", seat=self.seat_to_draw, count=self.draw_count)

    def _rack_without(self, tokens: bytes, clause: str) -> bytes:
        """The rack of the seat to play without some of its tokens. On a view any may be hidden there."""
        left = bytearray(self.racks[self.turn])
        for token in tokens:
            hidden = token != HIDDEN_TOKEN and HIDDEN_TOKEN in left and self.unseen_tokens[token]
            if token not in left and not hidden:
                raise IllegalActionError(clause, "not_held", token=token_name(token))
            left.remove(token if token in left else HIDDEN_TOKEN)
        return bytes(left)

    def _racks(self, seat: Seat, rack: bytes) -> tuple[bytes, ...]:
        """The racks with another one for a seat."""
        return (*self.racks[:seat], rack, *self.racks[seat + 1 :])

    def _next(self, seat: Seat) -> Seat:
        return (seat + 1) % self.options.players

    # -- who is next, and the end --

    def resolved(self) -> State:
        """The state once it is clear who plays next, or that the game is over.

        TO-11: the next is the first, from `turn` on, who can place or exchange. TO-12: both ends.
        """
        if self.turn < 0 or self.seat_to_draw is not None:
            return self
        if out := [seat for seat, rack in enumerate(self.racks) if not rack]:
            return replace(self, outcome=self._outcome_out(out[0]))
        if self.can_exchange and not self.is_dead:
            return self
        order = [(self.turn + later) % self.options.players for later in range(self.options.players)]
        for seat in order:
            if self.can_place(seat):
                return replace(self, turn=seat)
        return replace(self, outcome=self._outcome_blocked())

    @property
    def is_dead(self) -> bool:
        """Whether no token that is not on the board could be placed, whoever has it.

        Everybody can see that. Exchanges would never end then, so TO-12 ends the game at once.
        """
        values, pool = placeable_values(self.cells), self.unseen_tokens
        pool.update(
            token for rack in (*self.racks, self.exchanged) for token in rack if token != HIDDEN_TOKEN
        )
        return not any(_fits(token, values) for token in pool.elements())

    def rack_value(self, seat: Seat) -> int:
        """TO-8, TO-12: the values left on a rack, a joker for nothing."""
        return sum(token for token in self.racks[seat] if token != JOKER)

    def _outcome_out(self, out: Seat) -> Outcome:
        """TO-12: whoever places the last token adds what the others still hold."""
        if any(HIDDEN_TOKEN in rack for rack in self.racks):
            raise HiddenInformationError("the racks are turned up at the end")
        added = sum(self.rack_value(seat) for seat in self.teams)
        scores = tuple(points + added * (seat == out) for seat, points in enumerate(self.scores))
        return Outcome(scores, self.teams, fact("TO-12", "out", seat=out, points=added))

    def _outcome_blocked(self) -> Outcome:
        """TO-12: nobody can place any more, and everyone subtracts what they hold."""
        scores = tuple(points - self.rack_value(seat) for seat, points in enumerate(self.scores))
        return Outcome(scores, self.teams, fact("TO-12", "stuck"))

    # -- chance --

    def sample_chance(self, rng: Rng) -> Action:
        if self.to_act is not CHANCE:
            raise ValueError("chance is not to act")
        if self.seat_to_draw is None:
            return DrawFirstSeat(rng.randrange(self.options.players))
        return DrawTokens(
            self.seat_to_draw, bytes(rng.sample(sorted(self.unseen_tokens.elements()), self.draw_count))
        )

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        """Lots, and draws of one token; more at once are too many, and a view may not know the odds."""
        if self.to_act is not CHANCE:
            return ()
        if self.seat_to_draw is None:
            return tuple((DrawFirstSeat(seat), Fraction(1, len(self.teams))) for seat in self.teams)
        if self.draw_count > 1 or any(HIDDEN_TOKEN in rack for rack in self.racks):
            return ()
        pool = self.unseen_tokens
        odds = ((token, Fraction(count, pool.total())) for token, count in sorted(pool.items()) if count)
        return tuple((DrawTokens(self.seat_to_draw, bytes([token])), each) for token, each in odds)

    # -- what can be seen --

    def view(self, seat: Seat | None) -> State:
        """X-3: a seat sees its own rack; at the end all racks are turned up."""
        if self.outcome:
            return self
        unseen = bytes([HIDDEN_TOKEN])
        racks = tuple(rack if s == seat else unseen * len(rack) for s, rack in enumerate(self.racks))
        given = self.exchanged if self.seat_to_draw == seat else unseen * len(self.exchanged)
        return replace(self, racks=racks, exchanged=given)

    def redact(self, action: Action, seat: Seat | None) -> str:
        """Of another's draw or exchange, only how many.

        But what comes of a draw is for all to see: that the game is over, and then all racks, or
        that somebody has to pass.
        """
        if isinstance(action, Exchange):
            return (
                str(action) if seat == self.turn else f"exchange {tokens_text(_hidden_tokens(action.tokens))}"
            )
        if not isinstance(action, DrawTokens) or seat == action.seat:
            return str(action)
        masked = f"draw {action.seat + 1} {tokens_text(_hidden_tokens(action.tokens))}"
        try:
            after = self.apply(action)
        except HiddenInformationError:
            return masked
        if after.outcome:
            return str(action)
        return masked if after.turn == self.turn else f"{masked} next {after.turn + 1}"

    def determinize(self, rng: Rng) -> State:
        """TO-11: whoever is to play has something to play."""
        hidden = sum(tokens.count(HIDDEN_TOKEN) for tokens in (*self.racks, self.exchanged))
        if not hidden:
            return self
        pool = sorted(self.unseen_tokens.elements())
        bound = isinstance(self.to_act, int) and not self.can_exchange
        while True:
            dealt = iter(rng.sample(pool, hidden))
            racks = tuple(_fill_hidden(rack, dealt) for rack in self.racks)
            world = replace(self, racks=racks, exchanged=_fill_hidden(self.exchanged, dealt))
            if not bound or world.can_place(self.turn):
                return world

    def preview(self, action: Action) -> Preview:
        try:
            if isinstance(self.to_act, int) and isinstance(action, Place):
                move, rack = self.check_place(action.tokens)
                return Preview((*move.facts(), *self._later_effects(action, rack)))
            if isinstance(self.to_act, int) and isinstance(action, Exchange):
                self.check_exchange(action.tokens)
                return Preview((fact("TO-11", "costs", count=len(action.tokens)),))
            self.apply(action)
        except IllegalActionError as refusal:
            return Preview(error=refusal)
        except HiddenInformationError:
            pass
        return Preview()

    def _later_effects(self, action: Place, rack: bytes) -> Iterator[Fact]:
        """What a placement leads to, as far as everybody can see."""
        if not rack and not self.bag:
            yield fact("TO-12", "last")
        elif any(each.square in BIS for each in action.tokens):
            yield fact("TO-7", "again")

    def to_json(self) -> dict[str, Any]:
        from tripot.games.triolet import text

        return text.view_json(self)

    # -- texts and pictures --

    def to_text(self) -> str:
        from tripot.games.triolet import text

        return text.state_text(self)

    def draw_terminal(self) -> StyledRows:
        from tripot.games.triolet import text

        return text.draw_terminal(self)

    def _repr_svg_(self) -> str:
        from tripot.games.triolet import text

        return text.draw_svg(self)


def _fits(token: int, values: int) -> bool:
    """Whether a token may be one of some values; a joker may be any."""
    return bool(values) if token == JOKER else bool(values >> token & 1)


def _hidden_tokens(tokens: bytes) -> bytes:
    return bytes([HIDDEN_TOKEN]) * len(tokens)


def _fill_hidden(tokens: bytes, dealt: Iterator[int]) -> bytes:
    """Tokens with every unseen one replaced by the next one dealt, in order."""
    return bytes(sorted(next(dealt) if token == HIDDEN_TOKEN else token for token in tokens))


def initial_state(options: Options) -> State:
    """The state before anything has happened (TO-1)."""
    return State(options, bytes(SQUARES), (b"",) * options.players, (0,) * options.players)
