"""The actions and positions of Triggery as text.

A position is one line: the key of the game, the board or boards, then `name=value` words in any order.

    triggery 20,?,?,16,?,?/1,?,2,?,?,24/... players=1 budget=3

board      six rows from the top, separated by `/`, of six cells, separated by commas: `20` an open number,
           `*` an open star, `-20` and `-*` the same turned over, `?` one whose number is unknown,
           `_` no tile yet. One board is that of a player alone; two are blue's and yellow's
throw      the dice of this turn, `5-6`; or `budget`, any number instead of dice (TG-13)
left       the remaining budget; if missing, all of it
turned     the cells turned over in this turn
side       the side that plays, or for which the dice are thrown next; if missing, blue
first      the side that threw first in round one; if missing, and without dice, one die each decides
rota       the member of each side who plays its next turn, from 1
won, lost  the rounds won and the points lost by blue and yellow
forgotten  the lines that can be claimed (TG-7)
anew       `yes` if the throw of this turn replaces a rejected one
sheet      the throws of the earlier turns of a player alone
needed     the points that the last throw needed, once a player alone has finished
and every option of the game that is not its default.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Final

from tripot.game import CHANCE, HIDDEN, HiddenInformationError, ParseError
from tripot.games.triggery import actions
from tripot.games.triggery.actions import Dice, budget, dice_name
from tripot.games.triggery.board import (
    CELL_INDEX,
    CELL_NAMES,
    CELLS,
    HIDDEN_TILE,
    LINE_NAMES,
    LINE_NUMBERS,
    LINES,
    NO_TILE,
    SIDES,
    TILES_BY_NAME,
    cells_of,
    line_names,
    lines_of,
    tile_name,
)
from tripot.games.triggery.options import Options
from tripot.position_text import PositionWords, parse_grid, parse_name, parse_number, parse_words

if TYPE_CHECKING:
    from tripot.games.triggery.rules import State

MAX_BUDGET: Final = 999
MAX_POINTS: Final = 99_999
POSITION_NAMES: Final = (
    *("side", "first", "rota", "throw", "budget", "left", "turned", "forgotten", "anew", "won", "lost"),
    *("sheet", "needed"),
)

# --- Actions -----------------------------------------------------------------------------------


def parse_action(text: str) -> actions.Action:
    """An action from its text."""
    match text.split():
        case ["fill", side, names]:
            return actions.Fill(
                _parse_side(side, text), bytes(_parse_tile(name, text) for name in names.split(","))
            )
        case ["contest", dice]:
            return actions.StartRoll(_parse_dice(dice, text))
        case ["throw", dice]:
            return actions.Throw(_parse_dice(dice, text))
        case ["turn", cell]:
            return actions.Flip(_parse_cell(cell, text))
        case ["malus", line, cell]:
            return actions.Malus(_parse_line(line, text), _parse_cell(cell, text))
        case ["done"]:
            return actions.Done()
        case ["reject"]:
            return actions.Reject()
    raise ParseError(text, "an action is such as `turn c4`, `done`, `malus 4 c4` or `reject`")


def _parse_cell(name: str, text: str) -> int:
    return parse_name(name, CELL_INDEX, text, "a cell; cells are a1 to f6, a1 at the top left")


def _parse_line(name: str, text: str) -> int:
    return parse_name(name, LINE_NUMBERS, text, f"a line; lines are {', '.join(LINE_NAMES)}")


def _parse_tile(name: str, text: str) -> int:
    return parse_name(name, TILES_BY_NAME, text, "a tile; a tile is a number from 1 to 99, or * for a star")


def _parse_side(name: str, text: str) -> int:
    indices = {side: index for index, side in enumerate(SIDES)}
    return parse_name(name, indices, text, f"a side; the sides are {' and '.join(SIDES)}")


def _parse_dice(name: str, text: str) -> Dice:
    if not re.fullmatch("[1-6]-[1-6]", name):
        raise ParseError(text, f"{name!r} is not a throw; two dice are written 5-6")
    return int(name[0]), int(name[2])


def _parse_throw(name: str, text: str) -> Dice:
    """Two dice, or a budget that was set up without dice."""
    return _parse_dice(name, text) if "-" in name else (parse_number(name, MAX_BUDGET, text),)


# --- Positions as text -------------------------------------------------------------------------


def state_text(state: State) -> str:
    """The text of a position, which `parse_state` reads back."""
    boards = [_board_text(*board) for board in zip(state.tiles, state.face_up, strict=True)]
    is_partly_spent = state.budget_left != budget(state.throw) and state.last_throw_points < 0
    named = {
        "side": SIDES[state.side] if state.first >= 0 else "",
        "first": SIDES[state.first] if state.first >= 0 else "",
        "rota": _pair_text(state.next_member, 1) if any(state.next_member) else "",
        "throw": dice_name(state.throw) if len(state.throw) == 2 else "",
        "budget": str(state.throw[0]) if len(state.throw) == 1 else "",
        "left": str(state.budget_left) if is_partly_spent else "",
        "turned": ",".join(CELL_NAMES[cell] for cell in cells_of(state.flipped)),
        "forgotten": line_names(state.missed_lines),
        "anew": "yes" if state.is_reroll else "",
        "won": _pair_text(state.won) if any(state.won) else "",
        "lost": _pair_text(state.lost) if any(state.lost) else "",
        "sheet": ",".join(map(dice_name, state.sheet)),
        "needed": str(state.last_throw_points) if state.last_throw_points >= 0 else "",
    }
    words = [f"{name}={value}" for name, value in named.items() if value]
    return " ".join(["triggery", *boards, *words, *str(state.options).split()])


def _pair_text(pair: tuple[int, int], offset: int = 0) -> str:
    return f"{pair[0] + offset},{pair[1] + offset}"


def _board_text(tiles: bytes, face_up: int) -> str:
    names = [_cell_text(tile, bool(face_up >> cell & 1)) for cell, tile in enumerate(tiles)]
    return "/".join(",".join(names[start : start + 6]) for start in range(0, CELLS, 6))


def _cell_text(tile: int, is_face_up: bool) -> str:
    if tile in (NO_TILE, HIDDEN_TILE):
        return "_" if tile == NO_TILE else HIDDEN
    return ("" if is_face_up else "-") + tile_name(tile)


# --- Positions from text -----------------------------------------------------------------------


def parse_state(text: str, state_class: type[State]) -> State:
    """A position from its text. Raises ParseError if it contradicts itself."""
    words = parse_words(text, "triggery", min_boards=1, max_boards=2)
    if len(words.boards) == 1:
        words = PositionWords(text, words.boards, {"players": "1"} | dict(words.named))
    options = words.options(Options, POSITION_NAMES)
    if len(words.boards) != options.boards:
        raise words.error(f"boards: {options.boards} with players={options.players}, not {len(words.boards)}")
    tiles, face_up = zip(*(_parse_board(board, text) for board in words.boards), strict=True)
    state = _parse_named_words(state_class(options, tiles, face_up), words)
    for check in CHECKS:
        if reason := check(state):
            raise words.error(reason)
    if not state.throw or state.last_throw_points >= 0:
        return state
    is_problem = len(state.throw) == 1
    try:
        resolved = state.resolved()
    except HiddenInformationError as error:
        if is_problem:
            return state
        raise words.error(f"the round would be over, but {error}") from None
    # TG-13: a problem is to be solved also where nothing can be paid for, so its turn does not end by itself.
    return state if is_problem and resolved.to_act is CHANCE else resolved


def _parse_board(board: str, text: str) -> tuple[bytes, int]:
    """The tiles of a board, and the mask of those that lie face up."""
    names = [*chain.from_iterable(parse_grid(board, 6, text))]
    special = {"_": NO_TILE, HIDDEN: HIDDEN_TILE}
    tiles = bytes(
        special[name] if name in special else _parse_tile(name.removeprefix("-"), text) for name in names
    )
    if NO_TILE in tiles and any(tiles):
        raise ParseError(text, "a board must be full or empty")
    return tiles, sum(1 << cell for cell, name in enumerate(names) if name in TILES_BY_NAME)


def _parse_named_words(state: State, words: PositionWords) -> State:
    """A state that has only boards, with everything that the other words give."""
    text = words.text
    throw = _parse_throw_or_budget(words)
    side = _parse_side(words["side"], text) if words["side"] else 0
    first = _parse_side(words["first"], text) if words["first"] else -1
    if first < 0 and (throw or words["side"]) and not state.options.solo:
        first = 1 - side
    needed = parse_number(words["needed"], 9999, text) if words["needed"] else -1
    budget_left = parse_number(words["left"], MAX_BUDGET, text) if words["left"] else budget(throw)
    if words["anew"] not in ("", "yes"):
        raise words.error("anew must be yes, or be left out")
    return type(state)(
        state.options, state.tiles, state.face_up, first, side,
        next_member=_parse_members(words),
        throw=throw,
        budget_left=0 if needed >= 0 else budget_left,
        flipped=sum({1 << _parse_cell(name, text) for name in words["turned"].split(",") if name}),
        missed_lines=sum({1 << _parse_line(name, text) for name in words["forgotten"].split(",") if name}),
        is_reroll=words["anew"] == "yes",
        won=_parse_pair(words, "won", 2),
        lost=_parse_pair(words, "lost", MAX_POINTS),
        sheet=tuple(_parse_throw(name, text) for name in words["sheet"].split(",") if name),
        last_throw_points=needed,
    )  # fmt: skip


def _parse_throw_or_budget(words: PositionWords) -> Dice:
    throw: Dice = _parse_dice(words["throw"], words.text) if words["throw"] else ()
    if not words["budget"]:
        return throw
    if throw:
        raise words.error("give either throw or budget, not both")
    return (parse_number(words["budget"], MAX_BUDGET, words.text),)


def _parse_pair(words: PositionWords, name: str, maximum: int) -> tuple[int, int]:
    """A number for blue and one for yellow; 0 and 0 if they are not given."""
    numbers = [parse_number(digits, maximum, words.text) for digits in (words[name] or "0,0").split(",")]
    if len(numbers) != 2:
        raise words.error(f"{name} needs one number for blue and one for yellow")
    return numbers[0], numbers[1]


def _parse_members(words: PositionWords) -> tuple[int, int]:
    """The members of both sides who play next, counted from 1 in texts."""
    if not words["rota"]:
        return 0, 0
    blue, yellow = _parse_pair(words, "rota", 2)
    if min(blue, yellow) < 1:
        raise words.error("rota needs one number for blue and one for yellow, from 1")
    return blue - 1, yellow - 1


# --- Contradictions in a position --------------------------------------------------------------
# Each check returns the reason why a position contradicts itself, or None.


def _check_given_boards(state: State) -> str | None:
    """TG-13: tiles that can be seen are those of a given board."""
    given = state.options.given_boards or state.tiles
    for tiles, given_tiles in zip(state.tiles, given, strict=True):
        if any(tile not in (HIDDEN_TILE, known) for tile, known in zip(tiles, given_tiles, strict=True)):
            return "a given board has other tiles"
    return None


def _check_hidden_tiles(state: State) -> str | None:
    """TG-1: the tiles that lie face up beside hidden ones come from the bag, as the hidden ones do."""
    if state.options.given_boards:
        return None
    bag = Counter(state.options.bag_tiles)
    for tiles in state.tiles:
        foreign = Counter(tile for tile in tiles if tile != HIDDEN_TILE) - bag
        if HIDDEN_TILE in tiles and foreign:
            return f"the bag does not have so many tiles {tile_name(min(foreign))}"
    return None


def _check_start(state: State) -> str | None:
    """TG-1, TG-2: nothing happens before the boards are filled and the first side is known."""
    is_starting = state.pending_chance in (actions.Fill, actions.StartRoll)
    if is_starting and state != type(state)(state.options, state.tiles, state.face_up):
        return (
            "before the boards are filled and a die is thrown for each side, nothing else can have happened"
        )
    return None


def _check_solo(state: State) -> str | None:
    """TG-12: a player alone has no opponent, and only a player alone has a sheet."""
    two_sides = (state.first, state.side, state.next_member, state.won, state.lost)
    if state.options.solo:
        return "a player alone has no other side" if two_sides != (-1, 0, (0, 0), (0, 0), (0, 0)) else None
    if state.is_reroll or state.sheet or state.last_throw_points >= 0:
        return "only a player alone has a sheet"
    return None


def _is_over(state: State) -> bool:
    return state.last_throw_points >= 0 or sum(state.won) == 2


def _check_rounds(state: State) -> str | None:
    """TG-8, TG-9: a cleared board ends a round, and the second round ends the game."""
    if sum(state.won) > 2:
        return "a game has two rounds"
    is_over = _is_over(state)
    for board, (tiles, face_up) in enumerate(zip(state.tiles, state.face_up, strict=True)):
        is_clear = NO_TILE not in tiles and not face_up
        if is_clear != (is_over and board == state.current_board):
            return "a board must be clear exactly if its side has won the last round"
    if is_over and (state.flipped or state.missed_lines):
        return "a game that is over has no turn"
    if is_over and bool(state.throw) != state.options.solo:
        return "a player alone keeps the last throw, and other players do not"
    return None


def _check_members(state: State) -> str | None:
    """TG-10: the next member of a side is one of its seats."""
    for side, member in enumerate(state.next_member):
        if member >= max(1, state.options.teams.count(side)):
            return f"the side {SIDES[side]} does not have that many members"
    return None


def _check_turn(state: State) -> str | None:
    """TG-3: the budget, and the tiles that were turned over with it."""
    full_budget = budget(state.throw)
    if state.budget_left > full_budget:
        return "more is left than the budget"
    if not state.flipped and not _is_over(state) and state.budget_left != full_budget:
        return "part of the budget was spent, but no tile was turned over"
    if state.flipped & state.face_up[state.current_board]:
        return "a tile turned over in this turn lies face up"
    if state.flipped and not state.throw:
        return "tiles are turned over only after a throw"
    return None


def _check_known_dice(state: State) -> str | None:
    """TG-12: the throws are those of the known dice, unless one was rejected."""
    if state.throw and state.known_throw and state.throw != state.known_throw:
        return "the known dice have another throw"
    if state.is_reroll and len(state.sheet) >= len(state.options.known_dice):
        return "no known throw was rejected"
    return None


def _check_missed_lines(state: State) -> str | None:
    """TG-7: bonuses are missed by hand only, claimed before the next tile, and cost a tile of their line."""
    if not state.missed_lines:
        return None
    options = state.options
    if not options.by_hand or state.flipped or (options.solo and state.throw):
        return "no bonus can have been missed"
    if any(not LINES[line] & ~state.face_up[state.claim_board] for line in lines_of(state.missed_lines)):
        return "a line with a missed bonus has no tile that is turned over"
    return None


CHECKS: Final[tuple[Callable[[State], str | None], ...]] = (
    _check_given_boards,
    _check_hidden_tiles,
    _check_start,
    _check_solo,
    _check_rounds,
    _check_members,
    _check_turn,
    _check_known_dice,
    _check_missed_lines,
)
