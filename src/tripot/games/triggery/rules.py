"""The rules of Triggery. The clauses TG-1 to TG-13 are those of the rulebook beside this file.

Two sides, blue and yellow, play one board each and exchange them after the first round; a player alone
is blue. Seats alternate between the sides: blue has seats 0 and 2, yellow 1 and 3 (TG-10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from tripot import game
from tripot.game import CHANCE, Chance, Fact, HiddenInformationError, IllegalActionError, Seat, fact
from tripot.game_package import HINT_EXCEPTION, check_action, offered_part
from tripot.games.triggery import draw, text, view_json
from tripot.games.triggery.actions import (
    Action,
    Dice,
    Done,
    Fill,
    Flip,
    Malus,
    Reject,
    StartRoll,
    Throw,
    budget,
    dice_name,
    is_throw,
    is_well_formed,
)
from tripot.games.triggery.board import (
    ALL,
    CELL_INDEX,
    CELL_NAMES,
    CELLS,
    HIDDEN_TILE,
    LINE_NAMES,
    LINES,
    NO_TILE,
    STAR,
    bonus_lines,
    cells_of,
    chain,
    cheapest_clear,
    fill_hidden_tiles,
    flip_costs,
    line_names,
    lines_of,
    number_mask,
    open_points,
    star_mask,
    visible_tiles,
)
from tripot.games.triggery.options import Options

PIPS: Final = range(1, 7)
HINT_FACTS: Final = frozenset({"race", "throws_left"})
"""The facts of the engine that a hint may give by hand (TG-11): averages over simulated games.

All others count chains, or follow from what a chain makes free, so they would tell of a bonus.
"""


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position: two boards, or one, and the state of the game.

    tiles              the 36 tiles of each board (`board.py`)
    face_up            the mask of the tiles that lie face up on each board
    first              the side that throws first in round one, -1 before it is known (TG-2)
    side               the side that plays, or for which the dice are thrown next
    next_member        the member of each side who plays its next turn (TG-10)
    throw              the dice of this turn, empty before they are thrown
    budget_left        the remaining budget
    flipped            the mask of the tiles turned over in this turn
    missed_lines       the mask of the lines with a missed bonus that can be claimed (TG-7)
    is_reroll          whether the throw of this turn replaces, or will replace, a rejected one (TG-12)
    won, lost          the rounds won and the points lost by each side (TG-8)
    sheet              the throws of the earlier turns of a player alone (TG-12)
    last_throw_points  the points that the last throw needed, once a player alone has finished, else -1
    """

    options: Options = field()  # explicit: otherwise the inherited property would become the default
    tiles: tuple[bytes, ...]
    face_up: tuple[int, ...]
    first: int = -1
    side: int = 0
    next_member: tuple[int, int] = (0, 0)
    throw: Dice = ()
    budget_left: int = 0
    flipped: int = 0
    missed_lines: int = 0
    is_reroll: bool = False
    won: tuple[int, int] = (0, 0)
    lost: tuple[int, int] = (0, 0)
    sheet: tuple[Dice, ...] = ()
    last_throw_points: int = -1

    # -- whose turn --

    @property
    def teams(self) -> tuple[int, ...]:
        return self.options.teams

    @property
    def round(self) -> int:
        """The round, 1 or 2."""
        return min(2, 1 + sum(self.won))

    @property
    def pending_chance(self) -> type[Action] | None:
        """The type of the action that chance has to take now, or None."""
        if any(NO_TILE in tiles for tiles in self.tiles):
            return Fill
        if not self.options.solo and self.first < 0:
            return StartRoll
        if self.throw:
            return None
        return Malus if self.options.solo and self.missed_lines else Throw

    @property
    def to_act(self) -> Seat | Chance | None:
        if self.outcome:
            return None
        return CHANCE if self.pending_chance else self._members(self.side)[self.next_member[self.side]]

    def _members(self, side: int) -> list[Seat]:
        """TG-10: the seats of a side."""
        return [seat for seat, team in enumerate(self.teams) if team == side]

    @property
    def prompt(self) -> Fact:
        if self.outcome:
            return self.outcome.reason
        pending = self.pending_chance
        if pending is Fill:
            return fact("TG-1", "fill", seat=self._board_to_fill)
        if pending is StartRoll:
            return fact("TG-2", "contest")
        if pending is Malus:
            return fact("TG-7", "chance", lines=line_names(self.missed_lines))
        if pending is Throw:
            if not self.options.solo:
                return fact("TG-2", "throw", seat=1 - self.side)
            return fact("TG-12", "known" if self.known_throw else "throw", number=len(self.sheet) + 1)
        if self.flipped:
            return fact("TG-3", "more", left=self.budget_left)
        if self.options.by_hand and not self.options.solo:
            return fact("TG-7", "turn" if self._must_turn() else "look", left=self.budget_left)
        if self._must_turn():
            return fact("TG-3", "turn_known" if self.known_throw else "turn", left=self.budget_left)
        no_turn = "look" if self.options.by_hand else "nothing_known" if self.known_throw else "nothing"
        return fact("TG-3", no_turn, left=self.budget_left)

    # -- the boards --

    def board_of(self, side: int) -> int:
        """TG-9: the board that a side plays: its own in round one, the other one in round two."""
        return 0 if self.options.solo else side ^ (self.round - 1)

    @property
    def current_board(self) -> int:
        """The board that is played now."""
        return self.board_of(self.side)

    @property
    def claim_board(self) -> int:
        """TG-7: the board on which bonuses may have been missed: the opponent's, or the only one."""
        return 0 if self.options.solo else self.board_of(1 - self.side)

    def open_numbers(self, board: int) -> int:
        """The open number tiles of a board."""
        return self.face_up[board] & number_mask(self.tiles[board])

    def open_stars(self, board: int) -> int:
        """The open stars of a board."""
        return self.face_up[board] & star_mask(self.tiles[board])

    def points(self, board: int) -> int:
        """TG-8: the sum of the open numbers, plus 25 for each open star."""
        return open_points(self.tiles[board], self.face_up[board])

    # -- legal actions --

    def costs(self) -> Mapping[int, int]:
        """TG-3: each tile that the player may turn over now, with its cost, by cell."""
        return flip_costs(self.tiles[self.current_board], self.face_up[self.current_board], self.budget_left)

    def _must_turn(self) -> bool:
        """TG-3: whether the player must turn a tile, if none was turned yet: passing is for those who cannot.

        By hand only a number within the budget counts. Otherwise a turn that must not end would tell of a
        bonus, which the player has to notice (TG-7, TG-11).
        """
        if not self.options.by_hand:
            return bool(self.costs())
        tiles = self.tiles[self.current_board]
        return any(
            tiles[cell] <= self.budget_left for cell in cells_of(self.open_numbers(self.current_board))
        )

    def claims(self) -> list[Malus]:
        """TG-7: each line with a missed bonus, with each of its tiles that is turned over."""
        face_down = ~self.face_up[self.claim_board]
        return [
            Malus(line, cell)
            for line in lines_of(self.missed_lines)
            for cell in cells_of(LINES[line] & face_down)
        ]

    @property
    def known_throw(self) -> Dice:
        """TG-12: the throw of this turn, if it is known and was not rejected."""
        known_dice, turn = self.options.known_dice, len(self.sheet)
        return known_dice[turn] if turn < len(known_dice) and not self.is_reroll else ()

    def legal_actions(self) -> tuple[Action, ...]:
        """Claims by line and cell, then tiles from a1 to f6, then `done`, then `reject`."""
        if self.outcome or self.pending_chance:
            return ()
        flips = [Flip(cell) for cell in self.costs()]
        actions: list[Action] = [*self.claims(), *flips]
        if self.flipped or not self._must_turn():
            actions.append(Done())
        if self.known_throw and not self.flipped:
            actions.append(Reject())
        return tuple(actions)

    def offered_actions(self) -> tuple[Action, ...]:
        """TG-7, TG-11: by hand a player has to notice bonuses, free stars and missed lines.

        So only tiles within the budget are offered, whether or not they are free.
        """
        if not self.options.by_hand:
            return self.legal_actions()
        tiles, left = self.tiles[self.current_board], self.budget_left
        return tuple(
            action
            for action in self.legal_actions()
            if isinstance(action, Done | Reject) or (isinstance(action, Flip) and tiles[action.cell] <= left)
        )

    def matching_actions(self, text: str) -> tuple[Action, ...]:
        """TG-11: a cell means to turn its tile over, whether or not that is possible; `apply` answers."""
        cell = CELL_INDEX.get(text.lower())
        return () if cell is None else (Flip(cell),)

    @property
    def announcements(self) -> tuple[Fact, ...]:
        if not self.options.by_hand or not isinstance(self.to_act, int):
            return ()
        may_claim = not self.options.solo and not self.flipped
        return (fact("TG-6", "announce"), *((fact("TG-7", "announce"),) if may_claim else ()))

    def hint(self, analysis: game.Analysis) -> game.Analysis:
        """TG-11: by hand neither facts nor what follows a move tell of a bonus, not even by where it ends."""
        if not self.options.by_hand:
            return analysis
        exception = fact("TG-6", HINT_EXCEPTION)
        shown = offered_part(self, analysis, HINT_FACTS.__contains__, exception)
        candidates = (replace(candidate, pv=(candidate.action,)) for candidate in shown.candidates)
        return replace(shown, candidates=tuple(candidates))

    # -- illegal actions --

    def _check(self, action: Action) -> None:
        """Raise `IllegalActionError` if the rules forbid an action."""
        check_action(self, action, Action, is_well_formed)
        match action:
            case Fill(side, tiles):
                self._check_pending(Fill, "fill")
                if side != self._board_to_fill:
                    raise IllegalActionError("TG-1", "order", seat=self._board_to_fill)
                if len(tiles) != CELLS or Counter(tiles) - Counter(self.options.bag_tiles):
                    raise IllegalActionError("TG-1", "bag")
            case StartRoll(dice) | Throw(dice):
                self._check_pending(type(action), str(action).split()[0])
                if not is_throw(dice):
                    raise IllegalActionError("TG-2", "dice", dice=dice_name(dice))
                if isinstance(action, Throw) and self.known_throw not in ((), dice):
                    raise IllegalActionError("TG-12", "same", dice=dice_name(self.known_throw))
            case Malus(line, cell):
                self._check_malus(line, cell)
            case Flip(cell):
                self._check_pending(None, "turn")
                self._check_flip(cell)
            case Done():
                self._check_pending(None, "done")
                if not self.flipped and self._must_turn():
                    raise IllegalActionError("TG-3", "must")
            case Reject():
                self._check_pending(None, "reject")
                if not self.known_throw:
                    raise IllegalActionError("TG-12", "stands")
                if self.flipped:
                    raise IllegalActionError("TG-12", "late")

    def _check_pending(self, expected: type[Action] | None, name: str) -> None:
        """TG-2: chance acts when it has to, and the player after the throw."""
        if self.pending_chance is not expected:
            raise IllegalActionError("TG-2", "not_now", action=name)

    def _check_flip(self, cell: int) -> None:
        """TG-3, TG-4: a tile is turned over if it lies face up, and is free or within the budget."""
        tile, name = self.tiles[self.current_board][cell], CELL_NAMES[cell]
        if not self.face_up[self.current_board] >> cell & 1:
            raise IllegalActionError("TG-3", "closed", cell=name)
        if cell in self.costs():
            return
        if tile == STAR:
            raise IllegalActionError("TG-4", "early", cell=name)
        raise IllegalActionError("TG-3", "budget", cell=name, number=tile, left=self.budget_left)

    def _check_malus(self, line: int, cell: int) -> None:
        """TG-7: a missed bonus is claimed before the first tile of a turn, with a tile of its line."""
        if not self.options.by_hand:
            raise IllegalActionError("TG-7", "automatic")
        self._check_pending(Malus if self.options.solo else None, "malus")
        if self.flipped:
            raise IllegalActionError("TG-7", "late")
        if not self.missed_lines >> line & 1:
            raise IllegalActionError("TG-7", "not_forgotten", line=LINE_NAMES[line])
        if not LINES[line] >> cell & 1:
            raise IllegalActionError("TG-7", "elsewhere", line=LINE_NAMES[line], cell=CELL_NAMES[cell])
        if self.face_up[self.claim_board] >> cell & 1:
            raise IllegalActionError("TG-7", "face_up", cell=CELL_NAMES[cell])

    # -- applying actions --

    def apply(self, action: Action) -> State:
        self._check(action)
        match action:
            case Fill(side, tiles):
                boards = tuple(tiles if board == side else old for board, old in enumerate(self.tiles))
                return replace(self, tiles=boards, face_up=self._with_face_up(side, ALL))
            case StartRoll((blue, yellow)):
                return self._after_start_roll(blue, yellow)
            case Throw(dice):
                return replace(self, throw=dice, budget_left=budget(dice)).resolved()
            case Malus(line, cell):
                return self._after_malus(line, cell)
            case Flip(cell):
                return replace(self._after_flip(cell), missed_lines=0).resolved()
            case Done():
                return self._after_turn()
            case _:
                return replace(self, throw=(), budget_left=0, is_reroll=True)

    @property
    def _board_to_fill(self) -> int:
        """TG-1: the board that is filled next, or -1."""
        return next((board for board, tiles in enumerate(self.tiles) if NO_TILE in tiles), -1)

    def _with_face_up(self, board: int, mask: int) -> tuple[int, ...]:
        """The masks of all boards, with another one for one of them."""
        return (*self.face_up[:board], mask, *self.face_up[board + 1 :])

    def _after_start_roll(self, blue: int, yellow: int) -> State:
        """TG-2: the side with the lower die throws first, for the other side; a tie is thrown again."""
        if blue == yellow:
            return self
        first = 0 if blue < yellow else 1
        return replace(self, first=first, side=1 - first)

    def _after_malus(self, line: int, cell: int) -> State:
        """TG-7: a tile of a line with a missed bonus is turned face up again."""
        board = self.claim_board
        if self.tiles[board][cell] == HIDDEN_TILE:
            raise HiddenInformationError(f"the tile on {CELL_NAMES[cell]} lies face down")
        after = replace(self, face_up=self._with_face_up(board, self.face_up[board] | 1 << cell))
        after = replace(after, missed_lines=after._claimable_lines(board, self.missed_lines & ~(1 << line)))
        return after.resolved() if self.throw else after

    def _claimable_lines(self, board: int, lines: int) -> int:
        """TG-7: those lines of a mask that have a tile to turn face up."""
        return sum(1 << line for line in lines_of(lines) if LINES[line] & ~self.face_up[board])

    def _after_flip(self, cell: int) -> State:
        """TG-3: a tile is turned over, and paid for if it is not free."""
        return replace(self, budget_left=self.budget_left - self.costs()[cell])._with_flipped(1 << cell)

    def _with_flipped(self, mask: int) -> State:
        face_up = self._with_face_up(self.current_board, self.face_up[self.current_board] & ~mask)
        return replace(self, face_up=face_up, flipped=self.flipped | mask)

    def chain_after(self, cell: int | None = None) -> tuple[int, ...]:
        """TG-6: the tiles that are free, in order, on the board now or after a tile is turned over."""
        rest = ~0 if cell is None else ~(1 << cell)
        return chain(self.open_numbers(self.current_board) & rest, self.open_stars(self.current_board) & rest)

    def resolved(self) -> State:
        """The state after everything that happens by itself in a turn, once the dice are thrown.

        TG-11: unless bonuses are taken by hand, every bonus and every free star is turned over, and the
        turn ends when no tile can be turned over. By hand only its player ends a turn: one that ended by
        itself would tell that there is neither a bonus nor a missed line (TG-7).
        """
        after = self
        if not self.options.by_hand:
            after = self._with_flipped(sum(1 << cell for cell in self.chain_after()))
        if not after.face_up[after.current_board]:
            return after._round_over()
        can_reject = after.known_throw and not after.flipped
        goes_on = self.options.by_hand or can_reject or after.costs()
        return after if goes_on else after._after_turn()

    def _after_turn(self) -> State:
        """The state after the end of a turn. TG-7: bonuses that were not taken are missed."""
        missed = 0
        if self.options.by_hand:
            bonuses = bonus_lines(self.open_numbers(self.current_board))
            missed = self._claimable_lines(self.current_board, bonuses)
        after = replace(self, throw=(), budget_left=0, flipped=0, is_reroll=False, missed_lines=missed)
        if self.options.solo:
            return replace(after, sheet=(*self.sheet, self.throw))
        return replace(after, side=1 - self.side, next_member=self._next_members())

    def _next_members(self) -> tuple[int, int]:
        """TG-10: the members of a side play in turn."""
        following = (self.next_member[self.side] + 1) % len(self._members(self.side))
        return (following, self.next_member[1]) if self.side == 0 else (self.next_member[0], following)

    # -- the end --

    def _round_over(self) -> State:
        """TG-8, TG-9: the side that plays has turned over all its tiles."""
        if self.options.solo:
            return self._cleared()
        lost, won = [*self.lost], [*self.won]
        lost[1 - self.side] += self.points(self.claim_board)
        won[self.side] += 1
        after = replace(
            self, lost=(lost[0], lost[1]), won=(won[0], won[1]), next_member=self._next_members(),
            throw=(), budget_left=0, flipped=0, missed_lines=0,
        )  # fmt: skip
        if sum(won) == 2:
            return after
        if any(HIDDEN_TILE in tiles for tiles in self.tiles):
            raise HiddenInformationError("the tiles come face up again for the return round")
        return replace(after, face_up=(ALL, ALL), side=self.first)  # TG-9: the other side throws first

    def _cleared(self) -> State:
        """TG-12: of the last throw only the points that were needed count."""
        if any(self.tiles[0][cell] == HIDDEN_TILE for cell in cells_of(self.flipped)):
            raise HiddenInformationError("what was turned in this turn lies face down")
        needed = cheapest_clear(self.tiles[0], self.flipped & number_mask(self.tiles[0]))
        return replace(self, budget_left=0, flipped=0, last_throw_points=needed)

    @property
    def outcome(self) -> game.Outcome | None:
        if self.last_throw_points >= 0:
            throws, points = len(self.sheet) + 1, self.throw_sum
            return game.Outcome(
                (-throws,), self.teams, fact("TG-12", "cleared", throws=throws, points=points)
            )
        if sum(self.won) < 2:
            return None
        by_rounds = self.options.score == "rounds"
        totals = self.won if by_rounds else (-self.lost[0], -self.lost[1])
        how = "rounds" if by_rounds else "points"
        if totals[0] == totals[1]:
            reason = fact("TG-9", f"equal_{how}", points=self.lost[0])
        else:
            winner = totals.index(max(totals))
            reason = fact("TG-9", how, seat=winner, lost=self.lost[winner], other=self.lost[1 - winner])
        return game.Outcome(tuple(totals[team] for team in self.teams), self.teams, reason, totals)

    @property
    def throw_sum(self) -> int:
        """TG-12: the sum of the budgets of all throws; at the end, of the last one only what was needed."""
        return sum(budget(throw) for throw in self.sheet) + self.counted_points

    @property
    def counted_points(self) -> int:
        """TG-12: the points of this throw that count: its budget, or at the end only what was needed."""
        return self.last_throw_points if self.last_throw_points >= 0 else budget(self.throw)

    def skipped_by(self, action: Action) -> tuple[Seat, ...]:
        """TG-3: a player who can turn no tile with a throw passes; by hand they say so themselves."""
        if not isinstance(action, Throw):
            return ()
        after = self.apply(action)
        is_skipped = not after.throw and after.face_up == self.face_up and not after.outcome
        return (self._members(self.side)[self.next_member[self.side]],) if is_skipped else ()

    # -- chance --

    def sample_chance(self, rng: game.Rng) -> Action:
        if self.to_act is not CHANCE:
            raise ValueError("chance is not to act")
        if self.pending_chance is Fill:
            return Fill(self._board_to_fill, bytes(rng.sample(self.options.bag_tiles, CELLS)))
        if self.pending_chance is Malus:
            line = rng.choice(lines_of(self.missed_lines))
            return rng.choice([claim for claim in self.claims() if claim.line == line])
        dice = rng.choice(PIPS), rng.choice(PIPS)
        return StartRoll(dice) if self.pending_chance is StartRoll else Throw(self.known_throw or dice)

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        """The throws, and the claims of chance; the possible fills are too many to list."""
        if self.to_act is not CHANCE or self.pending_chance is Fill:
            return ()
        if self.pending_chance is Malus:
            claims, lines = self.claims(), lines_of(self.missed_lines)
            count = Counter(claim.line for claim in claims)
            return tuple((claim, Fraction(1, len(lines) * count[claim.line])) for claim in claims)
        if self.pending_chance is Throw and self.known_throw:
            return ((Throw(self.known_throw), Fraction(1)),)
        action = StartRoll if self.pending_chance is StartRoll else Throw
        return tuple((action((one, two)), Fraction(1, 36)) for one in PIPS for two in PIPS)

    # -- hidden information --

    def _view(self, seat: Seat | None) -> State:
        """X-3: a tile that is turned over is hidden from everybody, its own side included."""
        return replace(self, tiles=tuple(map(visible_tiles, self.tiles, self.face_up)))

    def redact(self, action: Action, seat: Seat | None) -> str:
        """No action is hidden: everybody saw the boards being filled."""
        return str(action)

    def determinize(self, rng: game.Rng) -> State:
        """Hidden tiles are drawn from the rest of each bag; a given board is known."""
        if self.options.given_boards:
            return replace(self, tiles=self.options.given_boards)
        boards = range(len(self.tiles))
        return replace(self, tiles=tuple(self._determinized_board(board, rng) for board in boards))

    def _determinized_board(self, board: int, rng: game.Rng) -> bytes:
        """A random board that agrees with what is visible of one."""
        pool = [*(Counter(self.options.bag_tiles) - Counter(self.tiles[board])).elements()]
        rng.shuffle(pool)
        return fill_hidden_tiles(self.tiles[board], self.open_numbers(board), pool)

    def preview(self, action: Action) -> game.Preview:
        """The cost of a tile and its chain; nothing if bonuses are taken by hand, without help (TG-11)."""
        try:
            self._check(action)
        except IllegalActionError as error:
            return game.Preview(error=error)
        match action:
            case Flip(cell):
                return game.Preview(() if self.options.by_hand else tuple(self._flip_effects(cell)))
            case Malus(_, cell):
                return game.Preview((fact("TG-7", "back", cell=CELL_NAMES[cell]),))
            case Reject():
                return game.Preview((fact("TG-12", "anew"),))
        return game.Preview()

    def _flip_effects(self, cell: int) -> Iterator[Fact]:
        after, order = self._after_flip(cell), self.chain_after(cell)
        yield fact("TG-3", "costs", cost=self.budget_left - after.budget_left, left=after.budget_left)
        if order:
            yield fact("TG-6", "chain", cells=" ".join(CELL_NAMES[freed] for freed in order))
        after = after._with_flipped(sum(1 << freed for freed in order))
        if not after.face_up[after.current_board]:
            yield fact("TG-8", "clears")
        elif not after.costs():
            yield fact("TG-3", "ends")

    # -- text, JSON and drawings --

    to_text = text.state_text
    to_json = view_json.view_json
    draw_terminal = draw.draw_terminal
    draw_compact = draw.draw_compact
    _repr_svg_ = draw.draw_svg


def initial_state(options: Options) -> State:
    """The state before the first action: empty boards, or the given ones."""
    tiles = options.given_boards or (bytes(CELLS),) * options.boards
    return State(options, tiles, (ALL if options.given_boards else 0,) * options.boards)
