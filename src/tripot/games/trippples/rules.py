"""The rules of Trippples. The clauses TP-1 to TP-13 are those of the rulebook beside this file.

A game has two phases: first the tiles are laid (TP-1), then the pawns move (TP-2 to TP-9). The seats
are, in playing order, square and round, or square 1, round 1, square 2 and round 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from tripot import game
from tripot.game import CHANCE, HIDDEN, Chance, Fact, HiddenInformationError, IllegalActionError, Seat, fact
from tripot.game_package import HINT_EXCEPTION, check_action, offered_part
from tripot.games.trippples import draw, text, view_json
from tripot.games.trippples.actions import (
    Action,
    DrawTile,
    FillBoard,
    LayNeutralTile,
    LayNeutralTiles,
    LayTile,
    Move,
    is_well_formed,
)
from tripot.games.trippples.board import (
    ALL_DIRECTIONS,
    ARROW_TILES,
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
    tile_name,
)
from tripot.games.trippples.options import Options
from tripot.games.trippples.perfect_play import plies_of

FREEZE_FACTS: Final = frozenset({"win_by_freeze", "loss_by_freeze", "tp8_wins"})
"""The facts of the engine that tell a player of a freeze, which is to be noticed (TP-8)."""


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position in either phase.

    tiles          the tile on each of the 64 squares (`board.py`)
    pawns          the square of each seat's pawn
    turn           the seat to move, once all tiles are laid
    drawn_tile     the tile that is drawn and not yet laid, or 0
    revealed       the mask of the squares whose tile was turned face up; 0 without face-down tiles (TP-11)
    history        the earlier positions that can still recur: their repetition keys, concatenated (TP-7)
    freeze_caller  the seat that announced the freeze that ended the game, or -1 (TP-8)
    """

    options: Options = field()  # explicit: otherwise the inherited property would become the default
    tiles: bytes
    pawns: bytes
    turn: Seat = 0
    drawn_tile: int = 0
    revealed: int = 0
    history: bytes = b""
    freeze_caller: int = -1
    outcome: game.Outcome | None = None

    # -- whose turn --

    @property
    def teams(self) -> tuple[int, ...]:
        """TP-13: square's pawns are team 0, round's are team 1."""
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

    @property
    def has_begun(self) -> bool:
        """TP-1: pawns move once all tiles are laid."""
        return NO_TILE not in self.tiles

    def _seat_to_lay(self, laid_count: int) -> Seat:
        """TP-1: the players lay tiles in turn; square begins."""
        return laid_count % self.options.players

    @property
    def neutral_tiles_to_lay(self) -> int:
        """TP-1: the number of neutral tiles that must still be laid before the arrow tiles.

        If all tiles are laid at random, the neutral tiles are shuffled together with the others.
        """
        zone, layout = self.options.zone, self.options.layout
        are_laid_first = zone == "chosen" or (zone == "random" and layout == "drafted")
        return NEUTRAL_TILES - self.tiles.count(NEUTRAL) if are_laid_first and NO_TILE in self.tiles else 0

    @property
    def free_squares(self) -> list[int]:
        """The squares without a tile."""
        return [square for square, tile in enumerate(self.tiles) if tile == NO_TILE]

    @property
    def unlaid(self) -> list[int]:
        """The tiles that are not on the board, including the drawn one, in order."""
        neutral_count = NEUTRAL_TILES - self.tiles.count(NEUTRAL)
        return [NEUTRAL] * neutral_count + [tile for tile in ARROW_TILES if tile not in self.tiles]

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
        directions = self.allowed_directions(self.turn)
        if self.on_neutral(self.turn):
            return fact("TP-6", "free")
        if directions == ALL_DIRECTIONS:
            return fact("TP-2", "any")
        return fact("TP-2", "arrows", keys=tile_name(directions))

    # -- where a pawn may go --

    def allowed_directions(self, seat: Seat) -> int:
        """TP-2, TP-6, TP-13: the mask of the directions in which a seat may move its pawn."""
        opponents = self.pawns[1 - seat % 2 :: 2]
        return allowed_directions(self.tiles, self.pawns[seat], opponents)

    def binding_seats(self, seat: Seat) -> list[Seat]:
        """TP-2, TP-13: the opponents on arrow tiles, whose arrows a seat must follow.

        TP-6: there are none for a pawn on a neutral square, which may go in all directions.
        """
        if self.on_neutral(seat):
            return []
        opponents = range(1 - seat % 2, len(self.pawns), 2)
        return [opponent for opponent in opponents if is_arrow(self.tiles[self.pawns[opponent]])]

    def on_neutral(self, seat: Seat) -> bool:
        """Whether a pawn stands on a neutral square."""
        return self.tiles[self.pawns[seat]] == NEUTRAL

    def entry_error_key(self, seat: Seat, square: int) -> str | None:
        """TP-3: the key of the reason why a pawn may not enter a square, or None if it may."""
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
        """TP-2, TP-3: the squares that a pawn may move to, in ascending order."""
        enterable = enterable_squares(self.tiles, self.options.homes, self.options.wild, seat % 2)
        reached = squares_in_directions(self.pawns[seat], self.allowed_directions(seat), enterable)
        return sorted([square for square in reached if square not in self.pawns])

    def is_freezing(self, square: int) -> bool:
        """TP-8: whether a move to a legal square would leave no pawn a move.

        A move to a face-down tile cannot be announced as a freeze, because its effect is unknown.
        """
        if self.is_face_down(square) or square in self.options.homes[1]:
            return False
        after = self._with_pawn_on(square, self.history)
        return not any(after.target_squares(seat) for seat in range(self.options.players))

    def legal_actions(self) -> tuple[Action, ...]:
        """By square, from a1 to h8. A move that freezes all pawns is followed by the same move announced."""
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

    def offered_actions(self) -> tuple[Action, ...]:
        """TP-8: a player has to notice a freeze before announcing it, so announced moves are not offered."""
        return tuple(
            action for action in self.legal_actions() if not (isinstance(action, Move) and action.freeze)
        )

    @property
    def announcements(self) -> tuple[Fact, ...]:
        is_moving = isinstance(self.to_act, int) and NO_TILE not in self.tiles
        return (fact("TP-8", "announce"),) if self.options.freeze and is_moving else ()

    def hint(self, analysis: game.Analysis) -> game.Analysis:
        if not self.options.freeze:
            return analysis
        exception = fact("TP-8", HINT_EXCEPTION)
        return offered_part(self, analysis, lambda key: key not in FREEZE_FACTS, exception)

    # -- applying actions --

    def apply(self, action: Action) -> State:
        check_action(self, action, Action, is_well_formed)
        match action:
            case LayNeutralTiles(squares):
                return self._lay_neutral_tiles(squares)
            case LayNeutralTile(square):
                return self._lay_neutral_tile(square)
            case FillBoard(tiles):
                return self._fill_board(tiles)
            case DrawTile(tile):
                return self._draw_tile(tile)
            case LayTile(square):
                return self._lay_tile(square)
            case Move(square, freeze):
                return self._move(square, freeze)

    def _lay_neutral_tiles(self, squares: tuple[int, ...]) -> State:
        """TP-1: chance lays the neutral tiles."""
        if not self.neutral_tiles_to_lay or self.options.zone != "random":
            raise IllegalActionError("TP-1", "not_now", action="zone")
        if len(squares) != NEUTRAL_TILES or list(squares) != sorted({*squares} & {*self.free_squares}):
            raise IllegalActionError("TP-1", "bad_zone")
        return self._with_tiles(dict.fromkeys(squares, NEUTRAL))

    def _lay_neutral_tile(self, square: int) -> State:
        """TP-1: a player lays a neutral tile on a free square."""
        if not self.neutral_tiles_to_lay or self.options.zone != "chosen":
            raise IllegalActionError("TP-1", "not_now", action="neutral")
        if self.tiles[square] != NO_TILE:
            raise IllegalActionError("TP-1", "taken", square=SQUARE_NAMES[square])
        return self._with_tiles({square: NEUTRAL})

    def _fill_board(self, tiles: bytes) -> State:
        """TP-1: chance lays all remaining tiles."""
        if self.neutral_tiles_to_lay or NO_TILE not in self.tiles or self.options.layout != "random":
            raise IllegalActionError("TP-1", "not_now", action="fill")
        if sorted(tiles) != self.unlaid:
            raise IllegalActionError("TP-1", "bad_fill")
        return self._with_tiles(dict(zip(self.free_squares, tiles, strict=True)))

    def _draw_tile(self, tile: int) -> State:
        """TP-1: chance draws the tile that the next player has to lay."""
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

    def _lay_tile(self, square: int) -> State:
        """TP-1: a player lays the drawn tile on a free square."""
        if not self.drawn_tile:
            raise IllegalActionError("TP-1", "not_now", action="lay")
        if self.tiles[square] != NO_TILE:
            raise IllegalActionError("TP-1", "taken", square=SQUARE_NAMES[square])
        return self._with_tiles({square: self.drawn_tile})

    def _with_tiles(self, new_tiles: dict[int, int]) -> State:
        """The state with more tiles on the board, by square."""
        tiles = bytes(new_tiles.get(square, tile) for square, tile in enumerate(self.tiles))
        return replace(self, tiles=tiles, drawn_tile=0).resolved(first=0)

    def _move(self, square: int, freeze: bool) -> State:
        """TP-2 to TP-5, TP-8, TP-11: a player moves a pawn, perhaps announcing a freeze."""
        if NO_TILE in self.tiles:
            raise IllegalActionError("TP-1", "not_now", action="move")
        self._check_move(square)
        if freeze:
            self._check_freeze(square)
        if self.tiles[square] == HIDDEN_TILE:
            raise HiddenInformationError(f"the tile on {SQUARE_NAMES[square]} lies face down")
        # Leaving the start and turning up a tile are irreversible: no earlier position can recur.
        is_irreversible = self.tiles[self.pawns[self.turn]] == HOME_TILE or self.is_face_down(square)
        history = b"" if is_irreversible else self.history + self.repetition_key
        after = self._with_pawn_on(square, history, freeze_caller=self.turn if freeze else -1)
        return after.resolved(after._next_in_order())

    def _check_move(self, square: int) -> None:
        """TP-2, TP-3: one step, to a square that may be entered, in an allowed direction."""
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
        """TP-8: a freeze is announced only by a move that leaves no pawn a move."""
        if not self.options.freeze:
            raise IllegalActionError("TP-8", "off")
        if not self.is_freezing(square):
            raise IllegalActionError("TP-8", "false", square=SQUARE_NAMES[square])

    def is_face_down(self, square: int) -> bool:
        """TP-11: whether the tile of a square lies face down."""
        return (
            self.options.face_down
            and self.tiles[square] not in (HOME_TILE, NO_TILE)
            and not self.revealed >> square & 1
        )

    def _with_pawn_on(self, square: int, history: bytes, freeze_caller: int = -1) -> State:
        """The state with the pawn of the seat to move on another square; the turn is not passed on yet."""
        pawns = bytearray(self.pawns)
        pawns[self.turn] = square
        revealed = self.revealed | self.is_face_down(square) << square
        return replace(
            self, pawns=bytes(pawns), revealed=revealed, history=history, freeze_caller=freeze_caller
        )

    # -- the next turn, and the end --

    @property
    def repetition_key(self) -> bytes:
        """TP-7: two positions are the same if the pawns and the seat to move are."""
        return self.pawns + bytes([self.turn])

    def resolved(self, first: Seat) -> State:
        """The state with the seat to move next, or with the outcome if the game is over.

        TP-4: the next seat is the first one, from `first` on, that can move.
        """
        if NO_TILE in self.tiles:
            return self
        if outcome := self._finished():
            return replace(self, outcome=outcome)
        seats = self.options.players
        order = ((first + offset) % seats for offset in range(seats))
        turn = next((seat for seat in order if self.target_squares(seat)), None)
        if turn is None:
            return replace(self, outcome=self._freeze_outcome())
        after = replace(self, turn=turn)
        outcome = after._repetition_outcome()
        return replace(after, outcome=outcome) if outcome else after

    def _next_in_order(self) -> Seat:
        """The seat after the one that has moved; TP-6: on a neutral square it moves again."""
        return self.turn if self.on_neutral(self.turn) else self.turn + 1

    def _win(self, seat: Seat, reason: Fact) -> game.Outcome:
        """The team of a seat wins (TP-13)."""
        scores = tuple(1 if team == seat % 2 else -1 for team in self.teams)
        return game.Outcome(scores, self.teams, reason, has_points=False)

    def _draw_outcome(self, reason: Fact) -> game.Outcome:
        """The game is a draw."""
        return game.Outcome((0,) * self.options.players, self.teams, reason, has_points=False)

    def _finished(self) -> game.Outcome | None:
        """TP-5, TP-13: a pawn that reaches its finish wins for its team."""
        finishes = self.options.homes[1]
        for seat, pawn in enumerate(self.pawns):
            if pawn == finishes[seat % 2]:
                return self._win(seat, fact("TP-5", "finish", seat=seat))
        return None

    def _freeze_outcome(self) -> game.Outcome:
        """TP-8: no pawn can move. The seat that announced it wins; without an announcement it is a draw.

        The exception of the clause, for a player whose position was lost before, never applies: a
        freeze without an announcement is a draw, so a player who can freeze is not lost.
        """
        if self.freeze_caller >= 0:
            return self._win(self.freeze_caller, fact("TP-8", "called", seat=self.freeze_caller))
        return self._draw_outcome(fact("TP-8", "frozen"))

    def _repetition_outcome(self) -> game.Outcome | None:
        """TP-7: a position occurs for the third time. A player who was forced since the second time loses."""
        key = self.repetition_key
        if self.history.count(key) < 2:  # a quick test that may count too many, since keys are not aligned
            return None
        keys = [*self.past_keys(), key]
        occurrences = [index for index, past_key in enumerate(keys) if past_key == key]
        if len(occurrences) < 3:
            return None
        if not self.options.repetition_can_win:
            return self._draw_outcome(fact("TP-7", "draw"))
        cycle = keys[occurrences[-2] :]
        forced = [self._is_forced(seat, cycle) for seat in (0, 1)]
        if forced[0] == forced[1]:
            return self._draw_outcome(fact("TP-7", "both" if forced[0] else "neither"))
        winner = forced.index(False)
        return self._win(winner, fact("TP-7", "indirect", seat=winner))

    def past_keys(self) -> Iterator[bytes]:
        """The repetition keys of the earlier positions, in order."""
        width = self.options.players + 1
        return (self.history[start : start + width] for start in range(0, len(self.history), width))

    def _is_forced(self, seat: Seat, cycle: list[bytes]) -> bool:
        """TP-7: whether all other moves of a seat in a cycle would have lost, and there was at least one."""
        had_alternative = False
        for key, next_key in pairwise(cycle):
            if key[-1] != seat:
                continue
            state = replace(self, pawns=key[:-1], turn=seat)
            alternatives = [square for square in state.target_squares(seat) if square != next_key[seat]]
            had_alternative = had_alternative or bool(alternatives)
            if any(not state.is_losing_move(square) for square in alternatives):
                return False
        return had_alternative

    def is_losing_move(self, square: int) -> bool:
        """Whether a legal move loses under perfect play without TP-7 and TP-8."""
        after = self.after_move_without_history(square)
        if after.outcome:
            return after.outcome.scores[self.turn] < 0
        plies = plies_of(self.tiles, self.options, after.repetition_key)
        return plies < 0 if after.turn == self.turn else plies > 0

    def after_move_without_history(self, square: int) -> State:
        """The state after a legal move, without repetitions and announcements."""
        after = self._with_pawn_on(square, history=b"")
        return after.resolved(after._next_in_order())

    def skipped_by(self, action: Action) -> tuple[Seat, ...]:
        """TP-4: the seats between the one that should move next and the one that can."""
        after = self.apply(action)
        if not isinstance(action, Move) or after.outcome:
            return ()
        first = self.turn if after.on_neutral(self.turn) else self.turn + 1
        seats = self.options.players
        return tuple((first + offset) % seats for offset in range((after.turn - first) % seats))

    # -- chance --

    def sample_chance(self, rng: game.Rng) -> Action:
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
        """The draws of a tile; the possible shuffles are too many to list."""
        if self.to_act is not CHANCE or self.neutral_tiles_to_lay or self.options.layout != "drafted":
            return ()
        tiles = self.unlaid
        return tuple((DrawTile(tile), Fraction(1, len(tiles))) for tile in tiles)

    # -- hidden information --

    def _view(self, seat: Seat | None) -> State:
        """TP-11: face-down tiles are hidden from everybody; nothing else is hidden."""
        if not self.options.face_down or NO_TILE in self.tiles:  # before the shuffle nothing is hidden
            return self
        tiles = bytes(
            HIDDEN_TILE if self.is_face_down(square) else tile for square, tile in enumerate(self.tiles)
        )
        return replace(self, tiles=tiles)

    def redact(self, action: Action, seat: Seat | None) -> str:
        return f"fill {HIDDEN}" if isinstance(action, FillBoard) and self.options.face_down else str(action)

    def determinize(self, rng: game.Rng) -> State:
        hidden = [square for square, tile in enumerate(self.tiles) if tile == HIDDEN_TILE]
        start_tiles = self.options.start_tiles()
        new_tiles = {square: start_tiles[square] for square in hidden if square in start_tiles}
        tiles = bytes(new_tiles.get(square, tile) for square, tile in enumerate(self.tiles))
        pool = replace(self, tiles=tiles).unlaid
        rng.shuffle(pool)
        new_tiles |= zip((square for square in hidden if square not in new_tiles), pool, strict=False)
        tiles = bytes(new_tiles.get(square, tile) for square, tile in enumerate(self.tiles))
        return replace(self, tiles=tiles)

    def preview(self, action: Action) -> game.Preview:
        seat = self.to_act if isinstance(self.to_act, int) else None
        try:
            after = self.view(seat).apply(action)
        except IllegalActionError as error:
            return game.Preview(error=error)
        except HiddenInformationError:
            return game.Preview((fact("TP-11", "turns"),))
        if after.outcome:
            is_unnoticed = self.options.freeze and after.outcome.reason.key == "frozen"  # TP-8
            return game.Preview(() if is_unnoticed else (after.outcome.reason,))
        if not isinstance(action, Move):
            return game.Preview()
        effects = []
        if after.turn == self.turn:
            effects.append(fact("TP-6", "again") if after.on_neutral(self.turn) else fact("TP-4", "again"))
        if after.repetition_key in after.past_keys():
            effects.append(fact("TP-7", "second"))
        return game.Preview(tuple(effects))

    # -- text, JSON and drawings --

    to_text = text.state_text
    to_json = view_json.view_json
    draw_terminal = draw.draw_terminal
    draw_compact = draw.draw_compact
    _repr_svg_ = draw.draw_svg


def initial_state(options: Options) -> State:
    """TP-1, TP-13: the state before the first action; the pawns of a team are on its start."""
    if options.board:
        tiles = options.given_tiles()
    else:
        start_tiles = options.start_tiles()
        tiles = bytes(start_tiles.get(square, NO_TILE) for square in range(SQUARES))
    pawns = bytes(options.homes[0][seat % 2] for seat in range(options.players))
    return State(options, tiles, pawns).resolved(first=0)
