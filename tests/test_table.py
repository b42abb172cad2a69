"""The table, with the toy game, which needs all of it; `test_table_games.py` plays every game."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any, ClassVar

import pytest

from tripot import game as protocol
from tripot.game import CHANCE, AnyGame, AnyState, IllegalActionError, Outcome, ParseError, TripotError, fact
from tripot.table import Offer, Player, Table

# --- A toy: a heap to take from, a card to turn up, and chance at the start and in the middle ---


@dataclass(frozen=True)
class ToyOptions(protocol.Options):
    players: int = protocol.option(2, 1, 2, 3, 4, clause="X-4")


@dataclass(frozen=True, slots=True)
class Do(protocol.Action):
    word: str
    number: int

    def __str__(self) -> str:
        return f"{self.word} {self.number}"


@dataclass(frozen=True, slots=True)
class Heap(protocol.State[Do]):
    """Take 1 or 2, or turn up the card (`peek 0`); whoever takes the last wins.

    Chance puts a card face down before the first turn (`card 3`), and `top 3` on a heap of 5, once.
    """

    options: ToyOptions = field()
    left: int = 8
    card: int = 0  # -1: hidden
    up: bool = False
    topped: bool = False
    turns: int = 0

    @property
    def teams(self) -> tuple[int, ...]:
        return ((0,), (0, 1), (0, 1, 2), (0, 1, 0, 1))[self.options.players - 1]

    @property
    def to_act(self) -> int | protocol.Chance | None:
        if self.left and (not self.card or (self.left == 5 and not self.topped)):
            return CHANCE
        return self.turns % len(self.teams) if self.left else None

    @property
    def prompt(self) -> protocol.Fact:
        return fact("TOY-1", "take")

    def legal_actions(self) -> tuple[Do, ...]:
        if not isinstance(self.to_act, int):
            return ()
        return tuple(Do("take", n) for n in (1, 2) if n <= self.left) + (() if self.up else (Do("peek", 0),))

    def apply(self, action: Do) -> Heap:
        if self.to_act is CHANCE:
            if action.word != ("top" if self.card else "card") or action.number not in range(1, 7):
                raise IllegalActionError("TOY-2", "chance")
            if self.card:
                return replace(self, left=self.left + action.number, topped=True)
            return replace(self, card=action.number)
        if action not in self.legal_actions():
            raise IllegalActionError("TOY-3", "no")
        if action.word == "peek":
            if self.card < 0:
                raise protocol.HiddenInformationError
            return replace(self, up=True, turns=self.turns + 1)
        return replace(self, left=self.left - action.number, turns=self.turns + 1)

    def sample_chance(self, rng: protocol.Rng) -> Do:
        return Do("top" if self.card else "card", rng.randint(1, 6))

    @property
    def outcome(self) -> Outcome | None:
        if self.left:
            return None
        winner = self.teams[(self.turns - 1) % len(self.teams)]
        scores = tuple(1 if team == winner else -1 for team in self.teams)
        return Outcome(scores, self.teams, fact("TOY-1", "last"))

    def _view(self, seat: int | None) -> Heap:
        return replace(self, card=-1) if self.card and not self.up else self

    def redact(self, action: Do, seat: int | None) -> str:
        return "card ?" if action.word == "card" else str(action)

    def determinize(self, rng: protocol.Rng) -> Heap:
        return replace(self, card=rng.randint(1, 6)) if self.card < 0 else self

    def to_text(self) -> str:
        return " ".join(map(str, ("toy", self.options.players, self.left, self.card, int(self.up))))

    def chance_outcomes(self) -> Any: ...
    def preview(self, action: Do) -> Any: ...
    def to_json(self) -> Any: ...
    def draw_terminal(self) -> Any: ...
    def _repr_svg_(self) -> Any: ...


class Toy(protocol.Game[Do]):
    key, title, version, Options, levels = "toy", "Toy", 1, ToyOptions, range(1, 4)
    draw_clause: ClassVar[str | None] = "TOY-9"

    def initial_state(self, options: protocol.Options) -> Heap:
        assert isinstance(options, ToyOptions)
        return Heap(options)

    def parse_action(self, text: str) -> Do:
        if not re.fullmatch(r"(take|peek|card|top) [0-9]", text):
            raise ParseError(text, "no such thing")
        return Do(text[:-2], int(text[-1]))

    def parse_state(self, text: str) -> Heap:
        players, left, card, up = map(int, text.split()[1:])
        return Heap(ToyOptions(players), left, card, bool(up))

    def engine(self, level: int) -> Any: ...


class Strict(Toy):
    draw_clause = None


TOY = Toy()
ANN, BOB, CYD, BOT = Player("Ann"), Player("Bob"), Player("Cyd"), Player("level 3", level=3)
LEFT, RIGHT = Player("Ann", person_id="ann"), Player("Ann too", person_id="ann")


def toy_game(*players: Player, game: AnyGame = TOY, played: str = "") -> Table:
    """A table at the toy, its card dealt, and so many counters taken in turn: `1 2 1`."""
    table = Table(game, ToyOptions(len(players)), players)
    table.apply_chance("card 4")
    for number in played.split():
        take(table, int(number))
    return table


def take(table: Table, number: int) -> None:
    table.act(heap(table.state).turns % len(table.players), f"take {number}")


def heap(state: AnyState) -> Heap:
    assert isinstance(state, Heap)
    return state


def offer(table: Table) -> Offer | None:
    """What is offered now. A function, since mypy takes an attribute for what it was compared with before."""
    return table.offer


def all_views(table: Table) -> Any:
    """All that can be told of a table."""
    sights = [table.view_for(viewer) for viewer in (None, *range(len(table.players)))]
    return sights, table.record(), table.to_act, table.action_count, table.state, table.termination


def refused(table: Table, what: Callable[[], object], error: str) -> None:
    """It is refused so, and nothing has changed."""
    before = all_views(table)
    with pytest.raises(IllegalActionError) as raised:
        what()
    fact = raised.value.fact
    values = ", ".join(f"{name}={value}" for name, value in fact.values)
    assert f"{fact.clause} {fact.key}" + (f" ({values})" if values else "") == error
    assert all_views(table) == before


# --- Sitting down ------------------------------------------------------------------------------


def test_the_number_of_players_is_that_of_the_options() -> None:
    with pytest.raises(TripotError, match="2 players are needed, not 1"):
        Table(TOY, ToyOptions(), [ANN])
    with pytest.raises(TripotError, match="3 players are needed, not 2"):
        Table(TOY, ToyOptions(3), [ANN, BOB])


def test_a_bot_has_a_level_of_its_game() -> None:
    assert BOT.is_bot
    assert not ANN.is_bot
    with pytest.raises(TripotError, match="levels 1 to 3"):
        Table(TOY, ToyOptions(), [ANN, Player("too good", level=4)])


@pytest.mark.parametrize("name", ["", "Ann, Bob", "Ann\n", " "])
def test_a_name_must_fit_a_record(name: str) -> None:
    with pytest.raises(TripotError, match="is no name"):
        Player(name)


def test_a_date_must_fit_a_record() -> None:
    with pytest.raises(TripotError, match="no date"):
        Table(TOY, ToyOptions(), [ANN, BOB], date="today")


def test_a_table_begins_from_a_position_with_its_options() -> None:
    position = toy_game(ANN, BOB, CYD, played="1 1").state.to_text()
    table = Table(TOY, ToyOptions(), [ANN, BOB, CYD], position=f"  {position} ")
    assert (heap(table.state).left, table.options, table.position) == (6, ToyOptions(3), position)
    assert table.record().position == position
    assert table.record().initial_state() == table.state


def test_a_table_cannot_start_from_a_view() -> None:
    with pytest.raises(ParseError, match="hidden"):
        Table(TOY, ToyOptions(), [ANN, BOB], position=toy_game(ANN, BOB).state.view(0).to_text())


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_does_not_exist_is_a_bug(seat: int) -> None:
    table = toy_game(ANN, BOB)
    for call in (table.view_for, table.resign, table.offer_draw, table.offer_undo, table.undo_seat):
        with pytest.raises(ValueError, match="no seat"):
            call(seat)
    with pytest.raises(ValueError, match="no seat"):
        table.act(seat, "take 1")
    with pytest.raises(ValueError, match="no seat"):
        table.answer_offer(seat, accept=True)


# --- Turns and chance --------------------------------------------------------------------------


def test_only_the_seat_whose_turn_it_is_acts() -> None:
    table = toy_game(ANN, BOB)
    refused(table, lambda: table.act(1, "take 1"), "TABLE turn (seat=1)")
    table.act(0, "take 1")
    refused(table, lambda: table.act(0, "take 1"), "TABLE turn (seat=0)")
    refused(table, lambda: table.act(1, "take 3"), "TOY-3 no")


def test_seats_and_chance_cannot_act_for_each_other() -> None:
    table = Table(TOY, ToyOptions(), [ANN, BOB])
    refused(table, lambda: table.act(0, "card 4"), "TABLE chance")
    refused(table, lambda: table.apply_chance("top 4"), "TOY-2 chance")
    table.apply_chance("card 4")
    refused(table, lambda: table.sample_chance(Random(1)), "TABLE no_chance")
    refused(table, lambda: table.apply_chance("card 4"), "TABLE no_chance")
    refused(table, lambda: table.apply_chance("take 1"), "TABLE no_chance")


def test_run_chance_stops_when_a_seat_is_to_act() -> None:
    table = Table(TOY, ToyOptions(), [ANN, BOB])
    dealt = table.run_chance(Random(1))
    assert (table.actions, table.to_act) == (dealt, 0)
    assert table.run_chance(Random(1)) == ()
    take(table, 2)
    take(table, 1)
    assert table.to_act is CHANCE
    assert table.sample_chance(Random(1)) == table.actions[-1]


def test_no_call_is_accepted_after_the_end() -> None:
    by_rules = toy_game(ANN, BOB, played="2 2 2 2")
    resigned = toy_game(ANN, BOB)
    resigned.resign(0)
    at_chance = Table(TOY, ToyOptions(), [ANN, BOB])
    at_chance.resign(1)
    for table in (by_rules, resigned, at_chance):
        assert table.outcome is not None
        assert table.to_act is None
        calls: list[Callable[[], object]] = [
            partial(table.act, 0, "take 1"),
            partial(table.sample_chance, Random(1)),
            partial(table.apply_chance, "card 1"),
            partial(table.resign, 0),
            partial(table.offer_draw, 0),
            partial(table.offer_undo, 0),
            partial(table.answer_offer, 0, accept=True),
        ]
        for call in calls:
            refused(table, call, "TABLE over")
        assert table.run_chance(Random(1)) == ()
        assert all_views(Table.resume(table.record(), table.players)) == all_views(table)


# --- Resigning and agreeing --------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "scores"), [(2, (1, -1)), (4, (1, -1, 1, -1))])
def test_resigning_loses_for_the_team_even_out_of_turn(seats: int, scores: tuple[int, ...]) -> None:
    table = toy_game(*[ANN] * seats)
    table.resign(1)
    reason = fact("TABLE", "resign", seat=1)
    assert table.outcome == Outcome(scores, table.state.teams, reason, has_points=False)
    assert (table.termination, table.record().termination, table.record().outcome) == (
        "resign 2",
        "resign 2",
        table.outcome,
    )
    assert table.view_for(None).outcome == table.outcome


@pytest.mark.parametrize("seats", [1, 3])
def test_resignation_needs_exactly_two_teams(seats: int) -> None:
    table = toy_game(*[ANN] * seats)
    refused(table, lambda: table.resign(0), "TABLE too_many")


def test_a_draw_is_agreed_when_all_others_accept() -> None:
    table = toy_game(ANN, BOB, CYD, BOT)
    table.offer_draw(1)
    assert offer(table) == table.view_for(None).offer == Offer(1, "draw", frozenset())
    table.answer_offer(0, accept=True)
    table.answer_offer(3, accept=True)
    table.answer_offer(3, accept=True)
    assert (offer(table), table.outcome) == (Offer(1, "draw", frozenset({0, 3})), None)
    table.answer_offer(2, accept=True)
    assert table.outcome == Outcome((0, 0, 0, 0), (0, 1, 0, 1), fact("TOY-9", "agreed"), has_points=False)
    assert (table.offer, table.to_act, table.record().termination) == (None, None, "agree")


@pytest.mark.parametrize("late", [0, 2])
def test_one_refusal_clears_an_offer(late: int) -> None:
    table = toy_game(ANN, BOB, CYD)
    before = all_views(table)
    table.offer_draw(1)
    table.answer_offer(0, accept=True)
    table.answer_offer(late, accept=False)
    assert all_views(table) == before
    refused(table, lambda: table.answer_offer(0, accept=True), "TABLE no_offer")


def test_players_cannot_answer_their_own_offer() -> None:
    table = toy_game(LEFT, BOB, RIGHT, CYD)
    table.offer_draw(2)
    refused(table, lambda: table.answer_offer(2, accept=True), "TABLE own_offer (seat=2)")
    refused(table, lambda: table.answer_offer(0, accept=True), "TABLE own_offer (seat=2)")


def test_one_person_answers_once_for_all_their_seats() -> None:
    table = toy_game(LEFT, BOB, RIGHT, CYD)
    table.offer_draw(1)
    table.answer_offer(0, accept=True)
    assert table.offer == Offer(1, "draw", frozenset({0, 2}))
    table.answer_offer(3, accept=True)
    assert table.outcome is not None


def test_one_person_on_all_seats_agrees_at_once() -> None:
    table = toy_game(LEFT, RIGHT)
    table.offer_draw(0)
    assert (table.offer, table.termination) == (None, "agree")


def test_humans_without_a_person_id_are_different_people_and_bots_are_none() -> None:
    for other in (BOB, Player("bot", level=1, person_id="ann")):
        table = toy_game(LEFT, other)
        table.offer_draw(0)
        assert table.offer is not None
    table = toy_game(ANN, BOB)
    table.offer_draw(0)
    assert table.offer is not None


def test_there_is_one_offer_at_a_time() -> None:
    table = toy_game(ANN, BOB, played="1 1")
    table.offer_draw(0)
    refused(table, lambda: table.offer_draw(0), "TABLE offered")
    refused(table, lambda: table.offer_draw(1), "TABLE offered")
    refused(table, lambda: table.offer_undo(1), "TABLE offered")


def test_an_accepted_action_clears_an_offer_and_a_refused_one_does_not() -> None:
    table = toy_game(ANN, BOB)
    table.offer_draw(1)
    refused(table, lambda: table.act(0, "take 9"), "TOY-3 no")
    refused(table, lambda: table.act(1, "take 1"), "TABLE turn (seat=1)")
    assert offer(table) is not None
    table.act(0, "take 1")
    assert offer(table) is None
    table = toy_game(ANN, BOB, played="2 1")
    table.offer_draw(0)
    table.sample_chance(Random(1))
    assert table.offer is None


def test_resigning_clears_an_offer() -> None:
    table = toy_game(ANN, BOB)
    table.offer_draw(1)
    table.resign(0)
    assert table.view_for(0).offer is None


def test_a_game_without_draws_by_agreement_refuses_an_offer() -> None:
    table = toy_game(ANN, BOB, game=Strict())
    refused(table, lambda: table.offer_draw(0), "TABLE no_agreement")


# --- Taking back -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [(ANN, BOT), (LEFT, RIGHT), (LEFT, BOT, RIGHT, BOT)])
def test_an_undo_without_human_opponents_needs_no_consent(players: tuple[Player, ...]) -> None:
    table = toy_game(*players)
    before = all_views(table)
    take(table, 1)
    take(table, 1)
    table.offer_undo(0)
    assert all_views(table) == before
    assert table.to_act == 0


def test_an_undo_goes_back_to_the_last_act_of_that_seat_and_no_further() -> None:
    table = toy_game(LEFT, RIGHT, played="1")
    before_right = all_views(table)
    take(table, 1)
    table.offer_undo(1)
    assert all_views(table) == before_right
    table.offer_undo(0)
    assert (table.action_count, table.to_act) == (1, 0)
    refused(table, lambda: table.offer_undo(0), "TABLE nothing_to_undo (seat=0)")


def test_with_other_people_an_undo_needs_their_consent() -> None:
    for others in ([BOB], [BOB, BOT], [BOT, BOB, BOT]):
        table = toy_game(ANN, *others, played="1")
        table.offer_undo(0)
        assert (table.action_count, table.offer) == (2, Offer(0, "undo"))


def test_an_undo_offered_and_accepted_is_the_same_undo() -> None:
    table, free = toy_game(ANN, BOB, BOT, played="1 1"), toy_game(ANN, BOT, BOT, played="1 1")
    table.offer_undo(0)
    assert offer(table) == Offer(0, "undo")
    table.answer_offer(2, accept=True)
    assert table.action_count == 3
    table.answer_offer(1, accept=True)
    free.offer_undo(0)
    assert (table.state, table.actions, table.offer) == (free.state, free.actions, None)


def test_an_undo_declined_changes_nothing() -> None:
    table = toy_game(ANN, BOB, played="1 1")
    before = all_views(table)
    table.offer_undo(0)
    table.answer_offer(1, accept=False)
    assert all_views(table) == before


def test_an_undo_that_is_free_is_done_when_offered() -> None:
    table = toy_game(ANN, BOT, played="1 1")
    table.offer_undo(0)
    assert (table.action_count, table.offer) == (1, None)


def test_an_undo_clears_an_offer() -> None:
    table = toy_game(ANN, BOT, played="1 1")
    table.offer_draw(0)
    table.offer_undo(0)
    assert table.offer is None


def test_who_may_undo_follows_the_person_and_never_ends_in_a_refusal() -> None:
    table = toy_game(LEFT, RIGHT)
    assert not table.can_undo(0), "nothing was played"
    for number in (1, 1):
        take(table, number)
    for actions in (2, 1):
        assert table.can_undo(0)
        assert table.can_undo(1)
        actor = table.undo_seat(0)
        assert actor == table.undo_seat(1) == actions - 1
        table.offer_undo(actor)
    assert not table.can_undo(0)
    table = toy_game(ANN, BOB, BOT, played="1 1")
    assert [table.can_undo(seat) for seat in range(3)] == [True, True, False]
    table.offer_undo(0)
    assert not table.can_undo(1), "there is one offer at a time"
    table.answer_offer(1, accept=False)
    table.act(2, "peek 0")
    assert not table.can_undo(0), "the card was seen"


def test_who_may_offer_a_draw_and_who_has_to_answer() -> None:
    table = toy_game(LEFT, BOB, RIGHT, BOT, played="1")
    assert all(table.can_offer_draw(seat) for seat in range(4))
    assert table.pending_answers == []
    table.offer_draw(0)
    assert table.pending_answers == [1, 3], "the other seat of the same person has nothing to answer"
    assert not table.can_offer_draw(1)
    table.answer_offer(1, accept=True)
    assert table.pending_answers == [3]
    table.answer_offer(3, accept=True)
    assert (table.pending_answers, table.can_offer_draw(0), table.can_undo(0)) == ([], False, False)
    assert not toy_game(ANN, BOB, game=Strict()).can_offer_draw(0)


@pytest.mark.parametrize("other", [BOT, BOB])
def test_no_undo_goes_back_past_chance(other: Player) -> None:
    table = toy_game(ANN, other, played="1 2")
    table.apply_chance("top 2")
    refused(table, lambda: table.offer_undo(1), "TABLE seen")
    refused(table, lambda: table.offer_undo(0), "TABLE seen")


@pytest.mark.parametrize("other", [BOT, BOB])
def test_no_undo_goes_back_past_revealed_information(other: Player) -> None:
    table = toy_game(ANN, other, played="1")
    table.act(1, "peek 0")
    for seat in (0, 1):
        refused(table, partial(table.offer_undo, seat), "TABLE seen")
    table.act(0, "take 1")
    table.offer_undo(0)  # but what came after it can be
    if other is BOB:
        table.answer_offer(1, accept=True)
    assert (table.action_count, heap(table.state).up) == (3, True)


def test_undo_needs_an_action_of_the_seat() -> None:
    table = toy_game(ANN, BOT, played="1")
    refused(table, lambda: table.offer_undo(1), "TABLE nothing_to_undo (seat=1)")


def test_after_an_undo_another_action_is_played() -> None:
    table = toy_game(ANN, BOT, played="1 1")
    table.offer_undo(0)
    take(table, 2)
    assert [text for _, text in table.view_for(None).log] == ["card ?", "take 2"]
    assert table.record().final_state == table.state


# --- Seeing ------------------------------------------------------------------------------------


def test_the_log_names_the_actor_and_hides_what_was_hidden_then() -> None:
    table = toy_game(ANN, BOB, played="1")
    table.act(1, "peek 0")
    for viewer in (None, 0, 1):
        assert table.view_for(viewer).log == ((None, "card ?"), (0, "take 1"), (1, "peek 0"))
    assert heap(table.view_for(None).view).card == 4


def test_a_hidden_card_stays_hidden_when_the_players_end_the_game() -> None:
    table = toy_game(ANN, BOB)
    table.resign(0)
    assert [heap(table.view_for(viewer).view).card for viewer in (None, 0, 1)] == [-1, -1, -1]
