"""Positions whose hidden tokens cannot exist."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from tests.test_crafted_positions import CountingRandom

import tripot
from tripot.game import HiddenInformationError, ParseError

CLOSED_BOARD = (
    "A1=9,A2=6,A4=0,A5=4,A6=11,A8=4,A9=J9,A12=0,A13=2,B2=2,B3=1,B4=J12,B6=4,B8=5,B9=4,B13=5,B14=9,C3=13,"
    "C7=5,C8=6,C12=0,C13=8,D2=7,D3=1,D4=7,D6=8,D7=6,D11=4,D12=1,E1=0,E2=7,E4=7,E5=3,E6=5,E10=0,E11=0,"
    "F1=8,F2=1,F3=6,F5=11,F6=2,F7=2,F9=6,F10=3,G4=2,G5=1,G7=4,G8=3,G9=8,H2=3,H3=10,H4=2,H8=2,H9=1,I2=10,"
    "I3=3,I5=9,I7=0,I8=10,J1=7,J2=2,J5=1,J6=9,J7=5,K1=1,K4=6,K5=5,L3=1,L4=7,M2=3,M3=4,N1=12,N2=0,O1=0,"
    "O2=12,O3=3"
)
"""No hidden token fits anywhere on it, but a token on the visible rack of the other seat does."""


def test_triolet_hidden_tokens_that_fit_nowhere_are_refused() -> None:
    """Determinizing such a position drew for ever, so each request occupied a thread of the server."""
    game = tripot.get_game("triolet")
    with pytest.raises(ParseError, match="seat 1 can neither place nor exchange"):
        game.parse_state(f"triolet {CLOSED_BOARD} racks=?,?/11,13 turn=1")
    visible = game.parse_state(f"triolet {CLOSED_BOARD} racks=?,?/11,13 turn=2")
    hidden = replace(cast(Any, visible), turn=0)
    with pytest.raises(HiddenInformationError, match="no hidden tokens"):
        hidden.determinize(CountingRandom(1))


def test_triolet_an_empty_rack_ends_the_game_so_no_rack_is_hidden() -> None:
    with pytest.raises(ParseError, match="a rack is empty"):
        tripot.parse_state(f"triolet {CLOSED_BOARD} racks=?,?/?,?/- players=3")
