"""Triggery: the booklet as code. The clauses TG-1 to TG-13 stand in the rulebook beside this file.

Two sides, blue and yellow, play a board each and exchange them after the first round; a player alone
is blue. Seats alternate between the sides: blue has seats 0 and 2, yellow 1 and 3 (TG-10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from tripot import game
from tripot.game import CHANCE, Chance, Fact, Hidden, Illegal, Outcome, Preview, Rng, Rows, Seat, fact
from tripot.games.triggery.actions import (
    Action,
    Contest,
    Dice,
    Done,
    Fill,
    Malus,
    Options,
    Reject,
    Throw,
    Turn,
    budget,
    dice_name,
    is_throw,
)
from tripot.games.triggery.board import (
    ALL,
    CELLS,
    CROSSES,
    LINE_NAMES,
    LINES,
    NAMES,
    NOTHING,
    STAR,
    UNSEEN,
    cells,
    chain,
    cheapest_clear,
    costs,
    line_names,
    lines,
    numbers,
    seen,
    single,
    stars,
)

STAR_POINTS: Final = 25  # what an open star costs the loser (TG-8)
PIPS: Final = range(1, 7)

# --- The state ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position: two boards, or one, and where the game stands.

    tiles      the 36 tiles of each board (`board.py`)
    open       the mask of the tiles that lie face up on each board
    first      the side that throws first in round one, -1 before that is known (TG-2)
    side       the side that plays, or for whom the dice are thrown next
    rota       which of its members plays the next turn of each side (TG-10)
    throw      the dice of this turn, none before they are thrown
    left       what is left of the budget
    turned     the mask of the tiles turned in this turn
    forgotten  the mask of the lines that can be pointed at (TG-7)
    anew       whether the throw of this turn is, or will be, instead of a rejected one (TG-12)
    won, lost  the rounds won and the points lost by each side (TG-8)
    sheet      the throws of the turns before, for a player alone (TG-12)
    needed     the points that the last throw needed, once a player alone has finished, else -1
    """

    options: Options = field()  # said out loud, or the property of the protocol passes for a default
    tiles: tuple[bytes, ...]
    open: tuple[int, ...]
    first: int = -1
    side: int = 0
    rota: tuple[int, int] = (0, 0)
    throw: Dice = ()
    left: int = 0
    turned: int = 0
    forgotten: int = 0
    anew: bool = False
    won: tuple[int, int] = (0, 0)
    lost: tuple[int, int] = (0, 0)
    sheet: tuple[Dice, ...] = ()
    needed: int = -1

    # -- whose turn, and what is asked --

    @property
    def teams(self) -> tuple[int, ...]:
        return self.options.teams

    @property
    def round(self) -> int:
        """1, then 2."""
        return min(2, 1 + sum(self.won))

    @property
    def due(self) -> type[Action] | None:
        """What chance has to do now, if anything."""
        if any(NOTHING in tiles for tiles in self.tiles):
            return Fill
        if not self.options.solo and self.first < 0:
            return Contest
        if self.throw:
            return None
        return Malus if self.options.solo and self.forgotten else Throw

    @property
    def to_act(self) -> Seat | Chance | None:
        if self.outcome:
            return None
        return CHANCE if self.due else self._members(self.side)[self.rota[self.side]]

    def _members(self, side: int) -> list[Seat]:
        """TG-10: the seats of a side."""
        return [seat for seat, team in enumerate(self.teams) if team == side]

    @property
    def asks(self) -> Fact:
        if self.outcome:
            return self.outcome.why
        due = self.due
        if due is Fill:
            return fact("TG-1", "fill", seat=self._unfilled)
        if due is Contest:
            return fact("TG-2", "contest")
        if due is Malus:
            return fact("TG-7", "chance", lines=line_names(self.forgotten))
        if due is Throw:
            number, key = len(self.sheet) + 1, "known" if self.known else "throw"
            own = fact("TG-12", key, number=number)
            return own if self.options.solo else fact("TG-2", "throw", seat=1 - self.side)
        if self.turned:
            return fact("TG-3", "more", left=self.left)
        if self.options.by_hand and not self.options.solo:
            return fact("TG-7", "turn", left=self.left)
        return fact("TG-3", "turn" if self.costs() else "nothing", left=self.left)

    # -- the boards --

    def board_of(self, side: int) -> int:
        """TG-9: the board a side plays: its own in round one, the other one in the return round."""
        return 0 if self.options.solo else side ^ (self.round - 1)

    @property
    def mine(self) -> int:
        """The board of the side that plays."""
        return self.board_of(self.side)

    @property
    def pointed(self) -> int:
        """TG-7: the board on which something may have been forgotten: the opponent's, or one's own alone."""
        return 0 if self.options.solo else self.board_of(1 - self.side)

    def open_numbers(self, board: int) -> int:
        """The open number tiles of a board."""
        return self.open[board] & numbers(self.tiles[board])

    def open_stars(self, board: int) -> int:
        """The open stars of a board."""
        return self.open[board] & stars(self.tiles[board])

    def points(self, board: int) -> int:
        """TG-8: the numbers still open, and 25 for each open star."""
        tiles = (self.tiles[board][cell] for cell in cells(self.open[board]))
        return sum(STAR_POINTS if tile == STAR else tile for tile in tiles)

    # -- what a player may do --

    def costs(self) -> Mapping[int, int]:
        """Each tile that the player may turn now, with what it costs, in order."""
        return costs(self.tiles[self.mine], self.open[self.mine], self.left)

    def claims(self) -> list[Malus]:
        """TG-7: each line that may be pointed at, with each of its turned tiles."""
        down = ~self.open[self.pointed]
        return [Malus(line, cell) for line in lines(self.forgotten) for cell in cells(LINES[line] & down)]

    @property
    def known(self) -> Dice:
        """TG-12: the throw of this turn, if the row of known dice has one and it was not rejected."""
        row, at = self.options.row, len(self.sheet)
        return row[at] if at < len(row) and not self.anew else ()

    def legal(self) -> tuple[Action, ...]:
        """Claims by line and cell, then tiles from a1 to f6, then `done`, then `reject`."""
        if self.outcome or self.due:
            return ()
        turns = [Turn(cell) for cell in self.costs()]
        actions: list[Action] = [*self.claims(), *turns]
        if self.turned or not turns:
            actions.append(Done())
        if self.known and not self.turned:
            actions.append(Reject())
        return tuple(actions)

    # -- why not --

    def _check(self, action: Action) -> None:
        """Raise the refusal that an action meets, if any."""
        if self.outcome:
            raise Illegal("X-2", "over")
        match action:
            case Fill(side, tiles):
                self._check_due(Fill, "fill")
                if side != self._unfilled:
                    raise Illegal("TG-1", "order", seat=self._unfilled)
                if len(tiles) != CELLS or Counter(tiles) - Counter(self.options.bag_tiles):
                    raise Illegal("TG-1", "bag")
            case Contest(dice) | Throw(dice):
                self._check_due(type(action), str(action).split()[0])
                if not is_throw(dice):
                    raise Illegal("TG-2", "dice", dice=dice_name(dice))
                if isinstance(action, Throw) and self.known not in ((), dice):
                    raise Illegal("TG-12", "same", dice=dice_name(self.known))
            case Malus(line, cell):
                self._check_malus(line, cell)
            case Turn(cell):
                self._check_due(None, "turn")
                self._check_turn(cell)
            case Done():
                self._check_due(None, "done")
                if not self.turned and self.costs():
                    raise Illegal("TG-3", "must")
            case Reject():
                self._check_due(None, "reject")
                if not self.known:
                    raise Illegal("TG-12", "stands")
                if self.turned:
                    raise Illegal("TG-12", "late")

    def _check_due(self, wanted: type[Action] | None, name: str) -> None:
        if self.due is not wanted:
            raise Illegal("TG-2", "not_now", action=name)

    def _check_turn(self, cell: int) -> None:
        tile, name = self.tiles[self.mine][cell], NAMES[cell]
        if not self.open[self.mine] >> cell & 1:
            raise Illegal("TG-3", "closed", cell=name)
        if cell in self.costs():
            return
        if tile == STAR:
            raise Illegal("TG-4", "early", cell=name)
        raise Illegal("TG-3", "budget", cell=name, number=tile, left=self.left)

    def _check_malus(self, line: int, cell: int) -> None:
        if not self.options.by_hand:
            raise Illegal("TG-7", "automatic")
        self._check_due(Malus if self.options.solo else None, "malus")
        if self.turned:
            raise Illegal("TG-7", "late")
        if not self.forgotten >> line & 1:
            raise Illegal("TG-7", "not_forgotten", line=LINE_NAMES[line])
        if not LINES[line] >> cell & 1:
            raise Illegal("TG-7", "elsewhere", line=LINE_NAMES[line], cell=NAMES[cell])
        if self.open[self.pointed] >> cell & 1:
            raise Illegal("TG-7", "face_up", cell=NAMES[cell])

    # -- acting --

    def apply(self, action: Action) -> State:
        self._check(action)
        match action:
            case Fill(side, tiles):
                laid = tuple(tiles if board == side else each for board, each in enumerate(self.tiles))
                return replace(self, tiles=laid, open=self._opened(side, ALL))
            case Contest((blue, yellow)):
                return self._contest(blue, yellow)
            case Throw(dice):
                return replace(self, throw=dice, left=budget(dice)).settled()
            case Malus(line, cell):
                return self._malus(line, cell)
            case Turn(cell):
                return replace(self._paid(cell), forgotten=0).settled()
            case Done():
                return self._ended()
            case _:
                return replace(self, throw=(), left=0, anew=True)

    @property
    def _unfilled(self) -> int:
        """TG-1: the board to be filled next."""
        return next((board for board, tiles in enumerate(self.tiles) if NOTHING in tiles), -1)

    def _opened(self, board: int, mask: int) -> tuple[int, ...]:
        """The open tiles of all boards, with another mask for one of them."""
        return tuple(mask if each == board else before for each, before in enumerate(self.open))

    def _contest(self, blue: int, yellow: int) -> State:
        """TG-2: the lower die throws first, so the other side plays first; a tie is thrown again."""
        if blue == yellow:
            return self
        first = 0 if blue < yellow else 1
        return replace(self, first=first, side=1 - first)

    def _malus(self, line: int, cell: int) -> State:
        """TG-7: a turned tile of a forgotten line comes back face up."""
        board = self.pointed
        if self.tiles[board][cell] == UNSEEN:
            raise Hidden(f"the tile on {NAMES[cell]} lies face down")
        after = replace(self, open=self._opened(board, self.open[board] | 1 << cell))
        after = replace(after, forgotten=after._pointable(board, self.forgotten & ~(1 << line)))
        return after.settled() if self.throw else after

    def _pointable(self, board: int, forgotten: int) -> int:
        """Of some forgotten lines, those with a tile that could come back."""
        return sum(1 << line for line in lines(forgotten) if LINES[line] & ~self.open[board])

    def _paid(self, cell: int) -> State:
        """TG-3: a tile is turned, and paid for if it is not free."""
        return replace(self, left=self.left - self.costs()[cell])._turned(1 << cell)

    def _turned(self, mask: int) -> State:
        after = self._opened(self.mine, self.open[self.mine] & ~mask)
        return replace(self, open=after, turned=self.turned | mask)

    def sets_off(self, cell: int | None = None) -> tuple[int, ...]:
        """TG-6: what goes free at once, in order, if the player turns a tile, or as the board lies."""
        up = ~0 if cell is None else ~(1 << cell)
        return chain(self.open_numbers(self.mine) & up, self.open_stars(self.mine) & up)

    def settled(self) -> State:
        """The state once it is clear what happens next in a turn whose dice lie on the table.

        TG-11: the game takes every bonus and every free star at once, and ends the turn when nothing
        more can be turned; by hand the player says so. TG-3: who can do nothing at all passes.
        """
        after = self if self.options.by_hand else self._turned(sum(1 << cell for cell in self.sets_off()))
        if not after.open[after.mine]:
            return after._round_over()
        may_stop = self.options.by_hand and after.turned
        may_reject = after.known and not after.turned
        return after if may_stop or may_reject or after.costs() or after.claims() else after._ended()

    def _ended(self) -> State:
        """The turn is over, and the dice pass on. TG-7: bonuses not taken are forgotten ones."""
        forgotten = 0
        if self.options.by_hand:
            up = self.open_numbers(self.mine)
            left = sum(1 << line for line, mask in enumerate(LINES) if single(up & mask))
            forgotten = self._pointable(self.mine, left)
        after = replace(self, throw=(), left=0, turned=0, anew=False, forgotten=forgotten)
        if self.options.solo:
            return replace(after, sheet=(*self.sheet, self.throw))
        return replace(after, side=1 - self.side, rota=self._rotated())

    def _rotated(self) -> tuple[int, int]:
        """TG-10: the next turn of the side that played is another member's."""
        following = (self.rota[self.side] + 1) % len(self._members(self.side))
        return (following, self.rota[1]) if self.side == 0 else (self.rota[0], following)

    # -- the end --

    def _round_over(self) -> State:
        """TG-8, TG-9: the side that plays has turned everything."""
        if self.options.solo:
            return self._cleared()
        lost, won = [*self.lost], [*self.won]
        lost[1 - self.side] += self.points(self.pointed)
        won[self.side] += 1
        after = replace(
            self, lost=(lost[0], lost[1]), won=(won[0], won[1]), rota=self._rotated(),
            throw=(), left=0, turned=0, forgotten=0,
        )  # fmt: skip
        if sum(won) == 2:
            return after
        if any(UNSEEN in tiles for tiles in self.tiles):
            raise Hidden("the tiles come face up again for the return round")
        return replace(after, open=(ALL, ALL), side=self.first)  # and the other side throws first

    def _cleared(self) -> State:
        """TG-12: of the last throw only those points count that were needed."""
        if any(self.tiles[0][cell] == UNSEEN for cell in cells(self.turned)):
            raise Hidden("what was turned in this turn lies face down")
        needed = cheapest_clear(self.tiles[0], self.turned & numbers(self.tiles[0]))
        return replace(self, left=0, turned=0, needed=needed)

    @property
    def outcome(self) -> Outcome | None:
        if self.needed >= 0:
            throws, points = len(self.sheet) + 1, self.sum_of_throws
            return Outcome((-throws,), self.teams, fact("TG-12", "cleared", throws=throws, points=points))
        if sum(self.won) < 2:
            return None
        by_rounds = self.options.score == "rounds"
        totals = self.won if by_rounds else (-self.lost[0], -self.lost[1])
        how = "rounds" if by_rounds else "points"
        if totals[0] == totals[1]:
            why = fact("TG-9", f"equal_{how}", points=self.lost[0])
        else:
            winner = totals.index(max(totals))
            why = fact("TG-9", how, seat=winner, lost=self.lost[winner], other=self.lost[1 - winner])
        return Outcome(tuple(totals[team] for team in self.teams), self.teams, why, totals)

    @property
    def sum_of_throws(self) -> int:
        """TG-12: the budgets of all throws so far; at the end, of the last one only what was needed."""
        last = self.needed if self.needed >= 0 else budget(self.throw)
        return sum(budget(throw) for throw in self.sheet) + last

    # -- chance --

    def deal(self, rng: Rng) -> Action:
        if self.to_act is not CHANCE:
            raise ValueError("chance is not to act")
        if self.due is Fill:
            return Fill(self._unfilled, bytes(rng.sample(self.options.bag_tiles, CELLS)))
        if self.due is Malus:
            line = rng.choice(lines(self.forgotten))
            return rng.choice([claim for claim in self.claims() if claim.line == line])
        dice = rng.choice(PIPS), rng.choice(PIPS)
        return Contest(dice) if self.due is Contest else Throw(self.known or dice)

    def chances(self) -> tuple[tuple[Action, Fraction], ...]:
        """The dice, and the tiles that can come back; the fills are too many."""
        if self.to_act is not CHANCE or self.due is Fill:
            return ()
        if self.due is Malus:
            claims, forgotten = self.claims(), lines(self.forgotten)
            count = Counter(claim.line for claim in claims)
            return tuple((claim, Fraction(1, len(forgotten) * count[claim.line])) for claim in claims)
        if self.due is Throw and self.known:
            return ((Throw(self.known), Fraction(1)),)
        event = Contest if self.due is Contest else Throw
        return tuple((event((one, two)), Fraction(1, 36)) for one in PIPS for two in PIPS)

    # -- what can be seen --

    def view(self, seat: Seat | None) -> State:
        """X-3: nobody sees what lies under a turned tile, not even under one's own."""
        return replace(self, tiles=tuple(map(seen, self.tiles, self.open)))

    def hide(self, action: Action, seat: Seat | None) -> str:
        """Everything is done in the open: all saw the boards being filled."""
        return str(action)

    def guess(self, rng: Rng) -> State:
        """What is hidden is drawn from the rest of each bag; a given board is known to all."""
        if self.options.given:
            return replace(self, tiles=self.options.given)
        return replace(self, tiles=tuple(self._guessed(board, rng) for board in range(len(self.tiles))))

    def _guessed(self, board: int, rng: Rng) -> bytes:
        """A star is guessed only where it could have been turned (TG-4), if the rest of the bag lets us."""
        tiles, up = bytearray(self.tiles[board]), self.open_numbers(board)
        rest = [*(Counter(self.options.bag_tiles) - Counter(tiles)).elements()]
        rng.shuffle(rest)
        hidden = [cell for cell, tile in enumerate(tiles) if tile == UNSEEN]
        for cell in sorted(hidden, key=lambda cell: not up & CROSSES[cell]):
            fits = (tile for tile in rest if tile != STAR or not up & CROSSES[cell])
            tiles[cell] = next(fits, STAR)
            rest.remove(tiles[cell])
        return bytes(tiles)

    def preview(self, action: Action) -> Preview:
        """What a tile costs and sets off; by hand the player has to see it without help (TG-11)."""
        try:
            self._check(action)
        except Illegal as refusal:
            return Preview(refusal=refusal)
        match action:
            case Turn(cell):
                return Preview(() if self.options.by_hand else tuple(self._brings(cell)))
            case Malus(_, cell):
                return Preview((fact("TG-7", "back", cell=NAMES[cell]),))
            case Reject():
                return Preview((fact("TG-12", "anew"),))
        return Preview()

    def _brings(self, cell: int) -> Iterator[Fact]:
        after, order = self._paid(cell), self.sets_off(cell)
        yield fact("TG-3", "costs", cost=self.left - after.left, left=after.left)
        if order:
            yield fact("TG-6", "chain", cells=" ".join(NAMES[each] for each in order))
        after = after._turned(sum(1 << each for each in order))
        if not after.open[after.mine]:
            yield fact("TG-8", "clears")
        elif not after.costs():
            yield fact("TG-3", "ends")

    # -- texts and pictures --

    def json(self) -> dict[str, Any]:
        from tripot.games.triggery import text

        return text.page(self)

    def dump(self) -> str:
        from tripot.games.triggery import text

        return text.dump(self)

    def board(self) -> Rows:
        from tripot.games.triggery import text

        return text.board(self)

    def _repr_svg_(self) -> str:
        from tripot.games.triggery import text

        return text.svg(self)


def start(options: Options) -> State:
    """The state before anything has happened: empty boards, or the given ones."""
    tiles = options.given or (bytes(CELLS),) * options.boards
    return State(options, tiles, (ALL if options.given else 0,) * options.boards)
