"""The boards with which the first steps begin: the computer cannot get ahead of them."""

from __future__ import annotations

from tests.e2e.triggery.game_helpers import QUIET_POSITION

import tripot


def test_the_first_turn_has_two_actions_at_most() -> None:
    """First steps are shown until four actions were played. With luck the computer turned as many tiles in
    its first turn, before the page had opened: then there was nothing to be clicked through.
    """
    reached = {tripot.get_game("triggery").parse_state(QUIET_POSITION)}
    for _ in range(2):
        assert {each.to_act for each in reached} == {0}
        after = {each.apply(action) for each in reached for action in each.legal_actions()}
        reached = {each for each in after if each.to_act == 0}
    assert reached == set()
