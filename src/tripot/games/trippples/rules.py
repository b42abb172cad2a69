"""Trippples: the booklet as code. The clauses TP-1 to TP-13 stand in the rulebook beside this file.

Two phases share one State. First the tiles are laid (TP-1), then the pawns move (TP-2 to TP-9).
The seats are, in playing order, square and round, or square 1, round 1, square 2 and round 2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from tripot import game
from tripot.game import (
    CHANCE,
    HIDDEN,
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
from tripot.games.trippples.actions import (
    Action,
    DrawTile,
    FillBoard,
    LayNeutralTile,
    LayNeutralTiles,
    LayTile,
    Move,
    Options,
    tile_name,
)
from tripot.games.trippples.board import (
    ALL_DIRECTIONS,
    AROUND_CENTRE,
    ARROW_TILES,
    CENTRE,
    HIDDEN_TILE,
    HOME_TILE,
    KEYPAD_KEYS,
    NEIGHBOURS,
    NEUTRAL,
    NEUTRAL_TILES,
    NO_TILE,
    SQUARE_NAMES,
    SQUARES,
    allowed_directions,
    enterable_squares,
    is_arrow,
    squares_in_directions,
)

# --- The state ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position in either phase.

    tiles   what lies on each of the 64 squares (`board.py`)
    pawns   the square of each seat's pawn
    turn    the seat to move, once all tiles lie
    drawn_tile  the tile drawn and not yet laid, or 0
    revealed  a bit for each square whose tile has been turned up; counts only with face-down tiles
    history  the earlier positions that could still recur, as keys one after another (TP-7)
    freeze_caller  the seat that announced the freeze that ended the game, or -1 (TP-8)
    """

    options: Options = field()  # said out loud, or the property of the protocol passes for a default
    tiles: bytes
    pawns: bytes
    turn: Seat = 0
    drawn_tile: int = 0
    revealed: int = 0
    history: bytes = b""
    freeze_caller: int = -1
    outcome: Outcome | None = None

    # -- whose turn, and what is asked --

    @property
    def teams(self) -> tuple[int, ...]:
        """Square's pawns are team 0, round's team 1 (TP-13)."""
        return tuple(seat % 2 for seat in range(self.options.players))

    @property
    def to_act(self) -> Seat | Chance | None:
        if self.outcome:
            return None
        if self.neutral_tiles_to_lay:
            return (
                self._seat_to_lay(NEUTRAL_TILES - self.neutral_tiles_to_lay)
                if self.options.zone == "chosen"
                else CHANCE
            )
        if NO_TILE in self.tiles:
            return self._seat_to_lay(len(ARROW_TILES) - len(self.free_squares)) if self.drawn_tile else CHANCE
        return self.turn

    def _seat_to_lay(self, laid: int) -> Seat:
        """TP-1: square first, each player in turn."""
        return laid % self.options.players

    @property
    def neutral_tiles_to_lay(self) -> int:
        """How many neutral tiles have to be laid before the arrow tiles.

        When all tiles are laid at random the neutral ones are shuffled in with the rest.
        """
        apart = self.options.zone == "chosen" or (self.options.zone, self.options.layout) == (
            "random",
            "drafted",
        )
        return NEUTRAL_TILES - self.tiles.count(NEUTRAL) if apart and NO_TILE in self.tiles else 0

    @property
    def free_squares(self) -> list[int]:
        """The squares without a tile."""
        return [square for square, tile in enumerate(self.tiles) if tile == NO_TILE]

    @property
    def unlaid(self) -> list[int]:
        """The tiles that lie nowhere yet, the one in hand included, in order."""
        neutral = NEUTRAL_TILES - self.tiles.count(NEUTRAL)
        return [NEUTRAL] * neutral + [tile for tile in ARROW_TILES if tile not in self.tiles]

    @property
    def prompt(self) -> Fact:
        if self.outcome:
            return self.outcome.reason
        if self.neutral_tiles_to_lay:
            return fact("TP-1", "zone", left=self.neutral_tiles_to_lay)
        if NO_TILE in self.tiles:
            return (
                fact("TP-1", "lay", tile=tile_name(self.drawn_tile))
                if self.drawn_tile
                else fact("TP-1", "draw")
            )
        arrows = self.allowed_directions(self.turn)
        if self.on_neutral(self.turn):
            return fact("TP-6", "free")
        if arrows == ALL_DIRECTIONS:
            return fact("TP-2", "any")
        return fact("TP-2", "arrows", keys=tile_name(arrows))

    # -- where a pawn may go --

    def allowed_directions(self, seat: Seat) -> int:
        """TP-2: the directions shown under the opponents' pawns, any while none shows one.

        TP-13: either opposing pawn's. TP-6: from a neutral square any direction.
        """
        opponents = range(1 - seat % 2, len(self.pawns), 2)
        return allowed_directions(self.tiles, self.pawns[seat], [self.pawns[each] for each in opponents])

    def on_neutral(self, seat: Seat) -> bool:
        """Whether a pawn stands on a neutral square."""
        return self.tiles[self.pawns[seat]] == NEUTRAL

    def entry_error_key(self, seat: Seat, square: int) -> str | None:
        """TP-3: why a pawn may not enter a square, or None if it may."""
        starts, finishes = self.options.homes
        if square in self.pawns:
            return "occupied"
        if square == finishes[seat % 2]:
            return None
        if square in starts:
            return "start"
        if square in finishes:
            return "finish"
        if self.tiles[square] == NEUTRAL and not self.options.wild:
            return "neutral"
        return None

    def target_squares(self, seat: Seat) -> list[int]:
        """TP-2, TP-3: the squares a pawn may move to, in order."""
        enterable = enterable_squares(self.tiles, self.options.homes, self.options.wild, seat % 2)
        reached = squares_in_directions(self.pawns[seat], self.allowed_directions(seat), enterable)
        return sorted(square for square in reached if square not in self.pawns)

    def is_freezing(self, square: int) -> bool:
        """TP-8: whether a move to an open square would leave no pawn a move, as far as can be seen.

        Nobody can announce what a face-down tile will do.
        """
        if self.is_face_down(square) or square in self.options.homes[1]:
            return False
        after = self._with_pawn_on(square)
        return not any(after.target_squares(seat) for seat in range(self.options.players))

    def legal_actions(self) -> tuple[Action, ...]:
        """By square from a1 to h8; a move that can be announced as a freeze is followed by that."""
        if not isinstance(self.to_act, int):
            return ()
        if self.neutral_tiles_to_lay:
            return tuple(LayNeutralTile(square) for square in self.free_squares)
        if self.drawn_tile:
            return tuple(LayTile(square) for square in self.free_squares)
        moves: list[Action] = []
        for square in self.target_squares(self.turn):
            moves.append(Move(square))
            if self.options.freeze and self.is_freezing(square):
                moves.append(Move(square, freeze=True))
        return tuple(moves)

    # -- acting --

    def apply(self, action: Action) -> State:
        check_action_type(action, Action)
        if self.outcome:
            raise IllegalActionError("X-2", "over")
        match action:
            case LayNeutralTiles(squares):
                return self._zone(squares)
            case LayNeutralTile(square):
                return self._neutral(square)
            case FillBoard(tiles):
                return self._fill(tiles)
            case DrawTile(tile):
                return self._draw(tile)
            case LayTile(square):
                return self._lay(square)
            case Move(square, freeze):
                return self._move(square, freeze)

    def _zone(self, squares: tuple[int, ...]) -> State:
        """TP-1: the neutral tiles at random."""
        if not self.neutral_tiles_to_lay or self.options.zone != "random":
            raise IllegalActionError("TP-1", "not_now", action="zone")
        if len(squares) != NEUTRAL_TILES or list(squares) != sorted({*squares} & {*self.free_squares}):
            raise IllegalActionError("TP-1", "bad_zone")
        return self._laid(dict.fromkeys(squares, NEUTRAL))

    def _neutral(self, square: int) -> State:
        """TP-1: the neutral tiles where the players choose."""
        if not self.neutral_tiles_to_lay or self.options.zone != "chosen":
            raise IllegalActionError("TP-1", "not_now", action="neutral")
        if self.tiles[square] != NO_TILE:
            raise IllegalActionError("TP-1", "taken", square=SQUARE_NAMES[square])
        return self._laid({square: NEUTRAL})

    def _fill(self, tiles: bytes) -> State:
        """TP-1: all arrow tiles at random."""
        if self.neutral_tiles_to_lay or NO_TILE not in self.tiles or self.options.layout != "random":
            raise IllegalActionError("TP-1", "not_now", action="fill")
        if sorted(tiles) != self.unlaid:
            raise IllegalActionError("TP-1", "bad_fill")
        return self._laid(dict(zip(self.free_squares, tiles, strict=True)))

    def _draw(self, tile: int) -> State:
        """TP-1: a face-down tile is taken."""
        if (
            self.neutral_tiles_to_lay
            or NO_TILE not in self.tiles
            or self.drawn_tile
            or self.options.layout != "drafted"
        ):
            raise IllegalActionError("TP-1", "not_now", action="draw")
        if tile not in self.unlaid:
            raise IllegalActionError("TP-1", "bad_draw", tile=tile_name(tile))
        return replace(self, drawn_tile=tile)

    def _lay(self, square: int) -> State:
        """TP-1: and laid on any free square."""
        if not self.drawn_tile:
            raise IllegalActionError("TP-1", "not_now", action="lay")
        if self.tiles[square] != NO_TILE:
            raise IllegalActionError("TP-1", "taken", square=SQUARE_NAMES[square])
        return self._laid({square: self.drawn_tile})

    def _laid(self, laid: dict[int, int]) -> State:
        tiles = bytes(laid.get(square, tile) for square, tile in enumerate(self.tiles))
        return replace(self, tiles=tiles, drawn_tile=0).resolved(first=0)

    def _move(self, square: int, freeze: bool) -> State:
        """TP-2 to TP-5, TP-8 and TP-11."""
        if NO_TILE in self.tiles:
            raise IllegalActionError("TP-1", "not_now", action="move")
        self._check_move(square)
        if freeze:
            self._check_freeze(square)
        if self.tiles[square] == HIDDEN_TILE:
            raise HiddenInformationError(f"the tile on {SQUARE_NAMES[square]} lies face down")
        after = self._with_pawn_on(square)
        # Leaving the start and turning a tile cannot be undone: no earlier position can recur.
        lasting = self.tiles[self.pawns[self.turn]] == HOME_TILE or self.is_face_down(square)
        past = b"" if lasting else self.history + self.repetition_key
        after = replace(after, history=past, freeze_caller=self.turn if freeze else -1)
        return after.resolved(after._next_in_order())

    def _check_move(self, square: int) -> None:
        seat, here = self.turn, self.pawns[self.turn]
        if square not in NEIGHBOURS[here]:
            raise IllegalActionError("TP-2", "far", square=SQUARE_NAMES[square], pawn=SQUARE_NAMES[here])
        if reason := self.entry_error_key(seat, square):
            raise IllegalActionError("TP-3", reason, square=SQUARE_NAMES[square])
        bit = NEIGHBOURS[here].index(square)
        if not self.allowed_directions(seat) >> bit & 1:
            raise IllegalActionError(
                "TP-2", "direction", keys=tile_name(self.allowed_directions(seat)), key=KEYPAD_KEYS[bit]
            )

    def _check_freeze(self, square: int) -> None:
        if not self.options.freeze:
            raise IllegalActionError("TP-8", "off")
        if not self.is_freezing(square):
            raise IllegalActionError("TP-8", "false", square=SQUARE_NAMES[square])

    def is_face_down(self, square: int) -> bool:
        """TP-11: whether the tile of a square has still to be turned up."""
        return (
            self.options.face_down
            and self.tiles[square] not in (HOME_TILE, NO_TILE)
            and not self.revealed >> square & 1
        )

    def _with_pawn_on(self, square: int) -> State:
        """The pawn of the seat to move stands on another square; nobody has looked further yet."""
        pawns = bytes(square if seat == self.turn else each for seat, each in enumerate(self.pawns))
        return replace(self, pawns=pawns, revealed=self.revealed | self.is_face_down(square) << square)

    # -- who is next, and the end --

    @property
    def repetition_key(self) -> bytes:
        """What makes two positions the same to TP-7: the pawns and the seat to move."""
        return self.pawns + bytes([self.turn])

    def resolved(self, first: Seat) -> State:
        """The state once it is clear who moves next, or that the game is over.

        TP-4: the next to move is the first, from `first` on, who can.
        """
        if NO_TILE in self.tiles:
            return self
        if outcome := self._finished():
            return replace(self, outcome=outcome)
        seats = self.options.players
        order = ((first + later) % seats for later in range(seats))
        turn = next((seat for seat in order if self.target_squares(seat)), None)
        if turn is None:
            return replace(self, outcome=self._freeze_outcome())
        after = replace(self, turn=turn)
        outcome = after._repetition_outcome()
        return replace(after, outcome=outcome) if outcome else after

    def _next_in_order(self) -> Seat:
        """Who is first in line after the seat to move has stepped; TP-6: on a neutral square, itself."""
        return self.turn if self.on_neutral(self.turn) else self.turn + 1

    def _win(self, seat: Seat, why: Fact) -> Outcome:
        scores = tuple(1 if team == seat % 2 else -1 for team in self.teams)
        return Outcome(scores, self.teams, why)

    def _draw_outcome(self, why: Fact) -> Outcome:
        return Outcome((0,) * self.options.players, self.teams, why)

    def _finished(self) -> Outcome | None:
        """TP-5: the first pawn on its finish wins, for its team (TP-13)."""
        finishes = self.options.homes[1]
        for seat, pawn in enumerate(self.pawns):
            if pawn == finishes[seat % 2]:
                return self._win(seat, fact("TP-5", "finish", seat=seat))
        return None

    def _freeze_outcome(self) -> Outcome:
        """TP-8: nobody can move. Whoever announced it wins; unannounced it is a draw.

        The clause's "unless their position before it was lost" never applies: without the
        announcement the freeze is a draw, so a player who can freeze is not lost.
        """
        if self.freeze_caller >= 0:
            return self._win(self.freeze_caller, fact("TP-8", "called", seat=self.freeze_caller))
        return self._draw_outcome(fact("TP-8", "frozen"))

    def _repetition_outcome(self) -> Outcome | None:
        """TP-7: the third time. Who is forced all along the cycle since the second time loses."""
        key = self.repetition_key
        if self.history.count(key) < 2:  # never too few: a quick look before the careful one
            return None
        keys = [*self.past_keys(), key]
        times = [index for index, each in enumerate(keys) if each == key]
        if len(times) < 3:
            return None
        if not self.options.repetition_can_win:
            return self._draw_outcome(fact("TP-7", "draw"))
        cycle = keys[times[-2] :]
        forced = [self._is_forced(seat, cycle) for seat in (0, 1)]
        if forced[0] == forced[1]:
            return self._draw_outcome(fact("TP-7", "both" if forced[0] else "neither"))
        winner = forced.index(False)
        return self._win(winner, fact("TP-7", "indirect", seat=winner))

    def past_keys(self) -> Iterator[bytes]:
        """The keys of the earlier positions, in order."""
        width = self.options.players + 1
        return (self.history[at : at + width] for at in range(0, len(self.history), width))

    def _is_forced(self, seat: Seat, cycle: list[bytes]) -> bool:
        """TP-7: at each of his positions all other moves lose or there are none, and one has another."""
        had_another = False
        for key, after in pairwise(cycle):
            if key[-1] != seat:
                continue
            there = replace(self, pawns=key[:-1], turn=seat)
            others = [square for square in there.target_squares(seat) if square != after[seat]]
            had_another = had_another or bool(others)
            if any(not there.is_losing_move(square) for square in others):
                return False
        return had_another

    def is_losing_move(self, square: int) -> bool:
        """Whether a legal move loses under perfect play without TP-7 and TP-8."""
        after = self.after_move_without_history(square)
        if after.outcome:
            return after.outcome.scores[self.turn] < 0
        plies = solve(self.tiles, self.options)[after.repetition_key]
        return plies < 0 if after.turn == self.turn else plies > 0

    def after_move_without_history(self, square: int) -> State:
        """The state after a legal move, with nothing before it: no repetition, no announcement."""
        after = replace(self._with_pawn_on(square), history=b"")
        return after.resolved(after._next_in_order())

    # -- chance --

    def sample_chance(self, rng: Rng) -> Action:
        if self.to_act is not CHANCE:
            raise ValueError("chance is not to act")
        if self.neutral_tiles_to_lay:
            return LayNeutralTiles(tuple(sorted(rng.sample(self.free_squares, NEUTRAL_TILES))))
        tiles = self.unlaid
        if self.options.layout == "drafted":
            return DrawTile(rng.choice(tiles))
        rng.shuffle(tiles)
        return FillBoard(bytes(tiles))

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        """The draws; the shuffles are too many."""
        if self.to_act is not CHANCE or self.neutral_tiles_to_lay or self.options.layout != "drafted":
            return ()
        tiles = self.unlaid
        return tuple((DrawTile(tile), Fraction(1, len(tiles))) for tile in tiles)

    # -- what can be seen --

    def view(self, seat: Seat | None) -> State:
        """TP-11: nobody sees a face-down tile; all else is open to all."""
        if not self.options.face_down or NO_TILE in self.tiles:  # before the shuffle nothing is hidden yet
            return self
        tiles = bytes(
            HIDDEN_TILE if self.is_face_down(square) else tile for square, tile in enumerate(self.tiles)
        )
        return replace(self, tiles=tiles)

    def redact(self, action: Action, seat: Seat | None) -> str:
        return f"fill {HIDDEN}" if isinstance(action, FillBoard) and self.options.face_down else str(action)

    def determinize(self, rng: Rng) -> State:
        unseen = [square for square, tile in enumerate(self.tiles) if tile == HIDDEN_TILE]
        known = {square: NEUTRAL for square in unseen if square in start_tiles(self.options)}
        tiles = bytes(known.get(square, tile) for square, tile in enumerate(self.tiles))
        pool = replace(self, tiles=tiles).unlaid
        rng.shuffle(pool)
        known |= zip((square for square in unseen if square not in known), pool, strict=False)
        return replace(self, tiles=bytes(known.get(square, tile) for square, tile in enumerate(self.tiles)))

    def preview(self, action: Action) -> Preview:
        seat = self.to_act if isinstance(self.to_act, int) else None
        try:
            after = self.view(seat).apply(action)
        except IllegalActionError as refusal:
            return Preview(error=refusal)
        except HiddenInformationError:
            return Preview((fact("TP-11", "turns"),))
        if after.outcome:
            return Preview((after.outcome.reason,))
        if not isinstance(action, Move):
            return Preview()
        brings = []
        if after.turn == self.turn:
            brings.append(fact("TP-6", "again") if after.on_neutral(self.turn) else fact("TP-4", "again"))
        if after.repetition_key in after.past_keys():
            brings.append(fact("TP-7", "second"))
        return Preview(tuple(brings))

    def to_json(self) -> dict[str, Any]:
        from tripot.games.trippples import text

        return text.view_json(self)

    # -- texts and pictures --

    def to_text(self) -> str:
        from tripot.games.trippples import text

        return text.state_text(self)

    def draw_terminal(self) -> StyledRows:
        from tripot.games.trippples import text

        return text.draw_terminal(self)

    def _repr_svg_(self) -> str:
        from tripot.games.trippples import text

        return text.draw_svg(self)


def start_tiles(options: Options) -> dict[int, int]:
    """TP-1, TP-10, TP-12: what lies on the board before anybody draws or lays a tile."""
    starts, finishes = options.homes
    tiles = dict.fromkeys((*starts, *finishes), HOME_TILE)
    if options.zone == "centre":
        tiles |= dict.fromkeys(AROUND_CENTRE if options.finish == "centre" else CENTRE, NEUTRAL)
    return tiles


def initial_state(options: Options) -> State:
    """The state before anything has happened: pawns on their starts (TP-13: two on each)."""
    if options.board:
        from tripot.games.trippples import text

        tiles = text.parse_board(options.board, options)
    else:
        begun = start_tiles(options)
        tiles = bytes(begun.get(square, NO_TILE) for square in range(SQUARES))
    pawns = bytes(options.homes[0][seat % 2] for seat in range(options.players))
    return State(options, tiles, pawns).resolved(first=0)


# --- What is true of a layout ------------------------------------------------------------------


Key: TypeAlias = tuple[int, int, int]
"""Where square's pawn stands, where round's, and whose turn it is."""


@lru_cache(maxsize=16)
def solve(tiles: bytes, options: Options, called: bool = False) -> dict[bytes, int]:
    """Every two-player position of a layout under perfect play without TP-7 and TP-8.

    By `State.repetition_key`: plies to the win (above 0) or to the loss (below 0) of the seat to move, or 0
    for a draw. A ply is one step of a pawn; a skipped turn is none. With `called` a freeze wins for
    the one who makes it, as TP-8 lets him announce it. It defines what "losing" means in TP-7, and is
    the oracle of the fast solver.
    """
    moves = _all_moves(tiles, options)
    plies = dict.fromkeys(moves, 0)
    open_moves = {key: len(targets) for key, targets in moves.items()}  # those not yet known to lose
    before: dict[Key, list[Key]] = {}  # of each position: those from which a move leads to it
    known: deque[Key] = deque()
    for key, targets in moves.items():
        for square in targets:
            after = _successor(moves, tiles, key, square)
            if after:
                before.setdefault(after, []).append(key)
            elif not plies[key] and (called or square == options.homes[1][key[2]]):
                plies[key] = 1
                known.append(key)
    while known:  # nearest first, so the first win found is the quickest and the last loss the slowest
        after = known.popleft()
        for key in before.get(after, ()):
            if plies[key]:
                continue
            wins = (plies[after] > 0) == (after[2] == key[2])
            open_moves[key] -= not wins
            if wins or not open_moves[key]:
                plies[key] = (1 if wins else -1) * (abs(plies[after]) + 1)
                known.append(key)
    return {bytes(key): value for key, value in plies.items()}


def _all_moves(tiles: bytes, options: Options) -> dict[Key, list[int]]:
    """The targets of the seat to move in every two-player position of a layout where it has any."""
    starts, enterable = (
        options.homes[0],
        [enterable_squares(tiles, options.homes, options.wild, side) for side in (0, 1)],
    )
    squares = [
        square for square, tile in enumerate(tiles) if is_arrow(tile) or (options.wild and tile == NEUTRAL)
    ]
    moves: dict[Key, list[int]] = {}
    for here in (*squares, starts[0]):
        for there in (*squares, starts[1]):
            for turn, own, other in ((0, here, there), (1, there, here)):
                reached = squares_in_directions(
                    own, allowed_directions(tiles, own, (other,)), enterable[turn]
                )
                if here != there and (targets := [square for square in reached if square != other]):
                    moves[here, there, turn] = targets
    return moves


def _successor(moves: dict[Key, list[int]], tiles: bytes, key: Key, square: int) -> Key | None:
    """TP-4, TP-6: the position after a move, with the seat that moves next; None if the game is over."""
    here, there, turn = key
    here, there = (here, square) if turn else (square, there)
    first = turn if tiles[square] == NEUTRAL else 1 - turn
    return next((after for seat in (first, 1 - first) if (after := (here, there, seat)) in moves), None)
