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
    Hidden,
    Illegal,
    Outcome,
    Preview,
    Rng,
    Rows,
    Seat,
    fact,
)
from tripot.games.trippples.actions import (
    Action,
    Draw,
    Fill,
    Lay,
    Move,
    Neutral,
    Options,
    Zone,
    tile_name,
)
from tripot.games.trippples.board import (
    ANY,
    AROUND_CENTRE,
    ARROW_TILES,
    CENTRE,
    FREE,
    HOME,
    KEYS,
    NAMES,
    NEIGHBOURS,
    NEUTRAL,
    NEUTRAL_TILES,
    SQUARES,
    UNSEEN,
    binding,
    is_arrow,
    open_squares,
    steps,
)

# --- The state ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position in either phase.

    tiles   what lies on each of the 64 squares (`board.py`)
    pawns   the square of each seat's pawn
    turn    the seat to move, once all tiles lie
    hand    the tile drawn and not yet laid, or 0
    up      a bit for each square whose tile has been turned up; counts only with face-down tiles
    past    the earlier positions that could still recur, as keys one after another (TP-7)
    caller  the seat that announced the freeze that ended the game, or -1 (TP-8)
    """

    options: Options = field()  # said out loud, or the property of the protocol passes for a default
    tiles: bytes
    pawns: bytes
    turn: Seat = 0
    hand: int = 0
    up: int = 0
    past: bytes = b""
    caller: int = -1
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
        if self.zone_left:
            return self._layer(NEUTRAL_TILES - self.zone_left) if self.options.zone == "chosen" else CHANCE
        if FREE in self.tiles:
            return self._layer(len(ARROW_TILES) - len(self.free_squares)) if self.hand else CHANCE
        return self.turn

    def _layer(self, laid: int) -> Seat:
        """TP-1: square first, each player in turn."""
        return laid % self.options.players

    @property
    def zone_left(self) -> int:
        """How many neutral tiles have to be laid before the arrow tiles.

        When all tiles are laid at random the neutral ones are shuffled in with the rest.
        """
        apart = self.options.zone == "chosen" or (self.options.zone, self.options.layout) == (
            "random",
            "drafted",
        )
        return NEUTRAL_TILES - self.tiles.count(NEUTRAL) if apart and FREE in self.tiles else 0

    @property
    def free_squares(self) -> list[int]:
        """The squares without a tile."""
        return [square for square, tile in enumerate(self.tiles) if tile == FREE]

    @property
    def unlaid(self) -> list[int]:
        """The tiles that lie nowhere yet, the one in hand included, in order."""
        neutral = NEUTRAL_TILES - self.tiles.count(NEUTRAL)
        return [NEUTRAL] * neutral + [tile for tile in ARROW_TILES if tile not in self.tiles]

    @property
    def asks(self) -> Fact:
        if self.outcome:
            return self.outcome.why
        if self.zone_left:
            return fact("TP-1", "zone", left=self.zone_left)
        if FREE in self.tiles:
            return fact("TP-1", "lay", tile=tile_name(self.hand)) if self.hand else fact("TP-1", "draw")
        arrows = self.arrows(self.turn)
        if self.on_neutral(self.turn):
            return fact("TP-6", "free")
        if arrows == ANY:
            return fact("TP-2", "any")
        return fact("TP-2", "arrows", keys=tile_name(arrows))

    # -- where a pawn may go --

    def arrows(self, seat: Seat) -> int:
        """TP-2: the directions shown under the opponents' pawns, any while none shows one.

        TP-13: either opposing pawn's. TP-6: from a neutral square any direction.
        """
        opponents = range(1 - seat % 2, len(self.pawns), 2)
        return binding(self.tiles, self.pawns[seat], [self.pawns[each] for each in opponents])

    def on_neutral(self, seat: Seat) -> bool:
        """Whether a pawn stands on a neutral square."""
        return self.tiles[self.pawns[seat]] == NEUTRAL

    def closed(self, seat: Seat, square: int) -> str | None:
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

    def targets(self, seat: Seat) -> list[int]:
        """TP-2, TP-3: the squares a pawn may move to, in order."""
        enterable = open_squares(self.tiles, self.options.homes, self.options.wild, seat % 2)
        reached = steps(self.pawns[seat], self.arrows(seat), enterable)
        return sorted(square for square in reached if square not in self.pawns)

    def freezes(self, square: int) -> bool:
        """TP-8: whether a move to an open square would leave no pawn a move, as far as can be seen.

        Nobody can announce what a face-down tile will do.
        """
        if self.lies_down(square) or square in self.options.homes[1]:
            return False
        after = self._stepped(square)
        return not any(after.targets(seat) for seat in range(self.options.players))

    def legal(self) -> tuple[Action, ...]:
        """By square from a1 to h8; a move that can be announced as a freeze is followed by that."""
        if not isinstance(self.to_act, int):
            return ()
        if self.zone_left:
            return tuple(Neutral(square) for square in self.free_squares)
        if self.hand:
            return tuple(Lay(square) for square in self.free_squares)
        moves: list[Action] = []
        for square in self.targets(self.turn):
            moves.append(Move(square))
            if self.options.freeze and self.freezes(square):
                moves.append(Move(square, freeze=True))
        return tuple(moves)

    # -- acting --

    def apply(self, action: Action) -> State:
        if self.outcome:
            raise Illegal("X-2", "over")
        match action:
            case Zone(squares):
                return self._zone(squares)
            case Neutral(square):
                return self._neutral(square)
            case Fill(tiles):
                return self._fill(tiles)
            case Draw(tile):
                return self._draw(tile)
            case Lay(square):
                return self._lay(square)
            case Move(square, freeze):
                return self._move(square, freeze)

    def _zone(self, squares: tuple[int, ...]) -> State:
        """TP-1: the neutral tiles at random."""
        if not self.zone_left or self.options.zone != "random":
            raise Illegal("TP-1", "not_now", action="zone")
        if len(squares) != NEUTRAL_TILES or list(squares) != sorted({*squares} & {*self.free_squares}):
            raise Illegal("TP-1", "bad_zone")
        return self._laid(dict.fromkeys(squares, NEUTRAL))

    def _neutral(self, square: int) -> State:
        """TP-1: the neutral tiles where the players choose."""
        if not self.zone_left or self.options.zone != "chosen":
            raise Illegal("TP-1", "not_now", action="neutral")
        if self.tiles[square] != FREE:
            raise Illegal("TP-1", "taken", square=NAMES[square])
        return self._laid({square: NEUTRAL})

    def _fill(self, tiles: bytes) -> State:
        """TP-1: all arrow tiles at random."""
        if self.zone_left or FREE not in self.tiles or self.options.layout != "random":
            raise Illegal("TP-1", "not_now", action="fill")
        if sorted(tiles) != self.unlaid:
            raise Illegal("TP-1", "bad_fill")
        return self._laid(dict(zip(self.free_squares, tiles, strict=True)))

    def _draw(self, tile: int) -> State:
        """TP-1: a face-down tile is taken."""
        if self.zone_left or FREE not in self.tiles or self.hand or self.options.layout != "drafted":
            raise Illegal("TP-1", "not_now", action="draw")
        if tile not in self.unlaid:
            raise Illegal("TP-1", "bad_draw", tile=tile_name(tile))
        return replace(self, hand=tile)

    def _lay(self, square: int) -> State:
        """TP-1: and laid on any free square."""
        if not self.hand:
            raise Illegal("TP-1", "not_now", action="lay")
        if self.tiles[square] != FREE:
            raise Illegal("TP-1", "taken", square=NAMES[square])
        return self._laid({square: self.hand})

    def _laid(self, laid: dict[int, int]) -> State:
        tiles = bytes(laid.get(square, tile) for square, tile in enumerate(self.tiles))
        return replace(self, tiles=tiles, hand=0).settled(first=0)

    def _move(self, square: int, freeze: bool) -> State:
        """TP-2 to TP-5, TP-8 and TP-11."""
        if FREE in self.tiles:
            raise Illegal("TP-1", "not_now", action="move")
        self._check_move(square)
        if freeze:
            self._check_freeze(square)
        if self.tiles[square] == UNSEEN:
            raise Hidden(f"the tile on {NAMES[square]} lies face down")
        after = self._stepped(square)
        # Leaving the start and turning a tile cannot be undone: no earlier position can recur.
        lasting = self.tiles[self.pawns[self.turn]] == HOME or self.lies_down(square)
        past = b"" if lasting else self.past + self.key
        after = replace(after, past=past, caller=self.turn if freeze else -1)
        return after.settled(after._follower())

    def _check_move(self, square: int) -> None:
        seat, here = self.turn, self.pawns[self.turn]
        if square not in NEIGHBOURS[here]:
            raise Illegal("TP-2", "far", square=NAMES[square], pawn=NAMES[here])
        if reason := self.closed(seat, square):
            raise Illegal("TP-3", reason, square=NAMES[square])
        bit = NEIGHBOURS[here].index(square)
        if not self.arrows(seat) >> bit & 1:
            raise Illegal("TP-2", "direction", keys=tile_name(self.arrows(seat)), key=KEYS[bit])

    def _check_freeze(self, square: int) -> None:
        if not self.options.freeze:
            raise Illegal("TP-8", "off")
        if not self.freezes(square):
            raise Illegal("TP-8", "false", square=NAMES[square])

    def lies_down(self, square: int) -> bool:
        """TP-11: whether the tile of a square has still to be turned up."""
        return self.options.face_down and self.tiles[square] not in (HOME, FREE) and not self.up >> square & 1

    def _stepped(self, square: int) -> State:
        """The pawn of the seat to move stands on another square; nobody has looked further yet."""
        pawns = bytes(square if seat == self.turn else each for seat, each in enumerate(self.pawns))
        return replace(self, pawns=pawns, up=self.up | self.lies_down(square) << square)

    # -- who is next, and the end --

    @property
    def key(self) -> bytes:
        """What makes two positions the same to TP-7: the pawns and the seat to move."""
        return self.pawns + bytes([self.turn])

    def settled(self, first: Seat) -> State:
        """The state once it is clear who moves next, or that the game is over.

        TP-4: the next to move is the first, from `first` on, who can.
        """
        if FREE in self.tiles:
            return self
        if outcome := self._finished():
            return replace(self, outcome=outcome)
        seats = self.options.players
        order = ((first + later) % seats for later in range(seats))
        turn = next((seat for seat in order if self.targets(seat)), None)
        if turn is None:
            return replace(self, outcome=self._frozen())
        after = replace(self, turn=turn)
        outcome = after._repeated()
        return replace(after, outcome=outcome) if outcome else after

    def _follower(self) -> Seat:
        """Who is first in line after the seat to move has stepped; TP-6: on a neutral square, itself."""
        return self.turn if self.on_neutral(self.turn) else self.turn + 1

    def _won(self, seat: Seat, why: Fact) -> Outcome:
        scores = tuple(1 if team == seat % 2 else -1 for team in self.teams)
        return Outcome(scores, self.teams, why)

    def _drawn(self, why: Fact) -> Outcome:
        return Outcome((0,) * self.options.players, self.teams, why)

    def _finished(self) -> Outcome | None:
        """TP-5: the first pawn on its finish wins, for its team (TP-13)."""
        finishes = self.options.homes[1]
        for seat, pawn in enumerate(self.pawns):
            if pawn == finishes[seat % 2]:
                return self._won(seat, fact("TP-5", "finish", seat=seat))
        return None

    def _frozen(self) -> Outcome:
        """TP-8: nobody can move. Whoever announced it wins; unannounced it is a draw.

        The clause's "unless their position before it was lost" never applies: without the
        announcement the freeze is a draw, so a player who can freeze is not lost.
        """
        if self.caller >= 0:
            return self._won(self.caller, fact("TP-8", "called", seat=self.caller))
        return self._drawn(fact("TP-8", "frozen"))

    def _repeated(self) -> Outcome | None:
        """TP-7: the third time. Who is forced all along the cycle since the second time loses."""
        key = self.key
        if self.past.count(key) < 2:  # never too few: a quick look before the careful one
            return None
        keys = [*self.past_keys(), key]
        times = [index for index, each in enumerate(keys) if each == key]
        if len(times) < 3:
            return None
        if not self.options.judged:
            return self._drawn(fact("TP-7", "draw"))
        cycle = keys[times[-2] :]
        forced = [self._forced(seat, cycle) for seat in (0, 1)]
        if forced[0] == forced[1]:
            return self._drawn(fact("TP-7", "both" if forced[0] else "neither"))
        winner = forced.index(False)
        return self._won(winner, fact("TP-7", "indirect", seat=winner))

    def past_keys(self) -> Iterator[bytes]:
        """The keys of the earlier positions, in order."""
        width = self.options.players + 1
        return (self.past[at : at + width] for at in range(0, len(self.past), width))

    def _forced(self, seat: Seat, cycle: list[bytes]) -> bool:
        """TP-7: at each of his positions all other moves lose or there are none, and one has another."""
        had_another = False
        for key, after in pairwise(cycle):
            if key[-1] != seat:
                continue
            there = replace(self, pawns=key[:-1], turn=seat)
            others = [square for square in there.targets(seat) if square != after[seat]]
            had_another = had_another or bool(others)
            if any(not there.loses(square) for square in others):
                return False
        return had_another

    def loses(self, square: int) -> bool:
        """Whether a legal move loses under perfect play without TP-7 and TP-8."""
        after = self.alone(square)
        if after.outcome:
            return after.outcome.scores[self.turn] < 0
        plies = solve(self.tiles, self.options)[after.key]
        return plies < 0 if after.turn == self.turn else plies > 0

    def alone(self, square: int) -> State:
        """The state after a legal move, with nothing before it: no repetition, no announcement."""
        after = replace(self._stepped(square), past=b"")
        return after.settled(after._follower())

    # -- chance --

    def deal(self, rng: Rng) -> Action:
        if self.to_act is not CHANCE:
            raise ValueError("chance is not to act")
        if self.zone_left:
            return Zone(tuple(sorted(rng.sample(self.free_squares, NEUTRAL_TILES))))
        tiles = self.unlaid
        if self.options.layout == "drafted":
            return Draw(rng.choice(tiles))
        rng.shuffle(tiles)
        return Fill(bytes(tiles))

    def chances(self) -> tuple[tuple[Action, Fraction], ...]:
        """The draws; the shuffles are too many."""
        if self.to_act is not CHANCE or self.zone_left or self.options.layout != "drafted":
            return ()
        tiles = self.unlaid
        return tuple((Draw(tile), Fraction(1, len(tiles))) for tile in tiles)

    # -- what can be seen --

    def view(self, seat: Seat | None) -> State:
        """TP-11: nobody sees a face-down tile; all else is open to all."""
        if not self.options.face_down or FREE in self.tiles:  # before the shuffle nothing is hidden yet
            return self
        tiles = bytes(UNSEEN if self.lies_down(square) else tile for square, tile in enumerate(self.tiles))
        return replace(self, tiles=tiles)

    def hide(self, action: Action, seat: Seat | None) -> str:
        return f"fill {HIDDEN}" if isinstance(action, Fill) and self.options.face_down else str(action)

    def guess(self, rng: Rng) -> State:
        unseen = [square for square, tile in enumerate(self.tiles) if tile == UNSEEN]
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
        except Illegal as refusal:
            return Preview(refusal=refusal)
        except Hidden:
            return Preview((fact("TP-11", "turns"),))
        if after.outcome:
            return Preview((after.outcome.why,))
        if not isinstance(action, Move):
            return Preview()
        brings = []
        if after.turn == self.turn:
            brings.append(fact("TP-6", "again") if after.on_neutral(self.turn) else fact("TP-4", "again"))
        if after.key in after.past_keys():
            brings.append(fact("TP-7", "second"))
        return Preview(tuple(brings))

    def json(self) -> dict[str, Any]:
        from tripot.games.trippples import text

        return text.page(self)

    # -- texts and pictures --

    def dump(self) -> str:
        from tripot.games.trippples import text

        return text.dump(self)

    def board(self) -> Rows:
        from tripot.games.trippples import text

        return text.board(self)

    def _repr_svg_(self) -> str:
        from tripot.games.trippples import text

        return text.svg(self)


def start_tiles(options: Options) -> dict[int, int]:
    """TP-1, TP-10, TP-12: what lies on the board before anybody draws or lays a tile."""
    starts, finishes = options.homes
    tiles = dict.fromkeys((*starts, *finishes), HOME)
    if options.zone == "centre":
        tiles |= dict.fromkeys(AROUND_CENTRE if options.finish == "centre" else CENTRE, NEUTRAL)
    return tiles


def start(options: Options) -> State:
    """The state before anything has happened: pawns on their starts (TP-13: two on each)."""
    if options.board:
        from tripot.games.trippples import text

        tiles = text.read_board(options.board, options)
    else:
        begun = start_tiles(options)
        tiles = bytes(begun.get(square, FREE) for square in range(SQUARES))
    pawns = bytes(options.homes[0][seat % 2] for seat in range(options.players))
    return State(options, tiles, pawns).settled(first=0)


# --- What is true of a layout ------------------------------------------------------------------


Key: TypeAlias = tuple[int, int, int]
"""Where square's pawn stands, where round's, and whose turn it is."""


@lru_cache(maxsize=16)
def solve(tiles: bytes, options: Options, called: bool = False) -> dict[bytes, int]:
    """Every two-player position of a layout under perfect play without TP-7 and TP-8.

    By `State.key`: plies to the win (above 0) or to the loss (below 0) of the seat to move, or 0
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
            after = _stand(moves, tiles, key, square)
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
        [open_squares(tiles, options.homes, options.wild, side) for side in (0, 1)],
    )
    squares = [
        square for square, tile in enumerate(tiles) if is_arrow(tile) or (options.wild and tile == NEUTRAL)
    ]
    moves: dict[Key, list[int]] = {}
    for here in (*squares, starts[0]):
        for there in (*squares, starts[1]):
            for turn, own, other in ((0, here, there), (1, there, here)):
                reached = steps(own, binding(tiles, own, (other,)), enterable[turn])
                if here != there and (targets := [square for square in reached if square != other]):
                    moves[here, there, turn] = targets
    return moves


def _stand(moves: dict[Key, list[int]], tiles: bytes, key: Key, square: int) -> Key | None:
    """TP-4, TP-6: the position after a move, with the seat that moves next; None if the game is over."""
    here, there, turn = key
    here, there = (here, square) if turn else (square, there)
    first = turn if tiles[square] == NEUTRAL else 1 - turn
    return next((after for seat in (first, 1 - first) if (after := (here, there, seat)) in moves), None)
