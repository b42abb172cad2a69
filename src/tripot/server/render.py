"""What a viewer may see of a game. This is the only module that sends what may contain hidden facts.

There is one exception. The sentence of a refusal is written by `errors.py` from what the rules raised: they
refuse actions in the full state. The tests compare these sentences too.

A viewer is a seat, or None for a spectator, with a language. Every function here takes the viewer,
gets the view of that seat from the rules (`State.view`, `State.redact`) and builds structs of `wire.py` from
it.
The tests compare the bytes of two games that differ only in what the viewer may not know.

These functions call the rules, which may take long. They run in a thread with the lock of the game held. Only
`analysis` runs without the lock, after the search of an engine: it reads a view, which never changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tripot import game, i18n
from tripot.game import CHANCE, AnyState, IllegalActionError, Seat
from tripot.server import wire
from tripot.server.events import Event, parse_player
from tripot.server.live_game import LiveGame, ScoreHistory, seat_info

MAX_CATCH_UP_EVENTS: Final = 50  # a client that missed more gets a snapshot
EXPLAINED_CANDIDATES: Final = 5  # the best of an analysis, as many as a hint has: each costs a preview


class Viewer(NamedTuple):
    """Who looks: a seat (None: a spectator), and the language of the sentences."""

    seat: Seat | None
    language: str


def is_turn_of(live: LiveGame, user_id: str) -> bool:
    """Whether a seat of a user is to act."""
    return live.to_act in live.seats_of(user_id)


def summary_result(live: LiveGame, user_id: str) -> wire.SummaryResult | None:
    """How a finished game of a user ended; None until its outcome is known."""
    outcome = live.table.outcome  # None if an event that could not be written is repeated later
    if outcome is None:
        return None
    moves = sum(live.events[seq - 1].type == "action" for seq in live.action_seqs)
    return wire.SummaryResult(
        my_seats=live.seats_of(user_id),
        winners=[*outcome.winners],
        scores=[*outcome.scores],
        has_points=outcome.has_points,
        reason=outcome.reason.key,
        moves=moves,
    )


def record(live: LiveGame, date: str) -> str:
    """The text of the record of a finished game, with its seed; refused before the end."""
    return live.record(date).to_text()


# --- States and events -------------------------------------------------------------------------


def state(live: LiveGame, viewer: Viewer) -> wire.GameState:
    """The game as a viewer may see it."""
    cached = live.render_cache.get(viewer)
    if cached is None:
        cached = live.render_cache[viewer] = _state(live, viewer)
    rendered: wire.GameState = cached
    return rendered


def _state(live: LiveGame, viewer: Viewer) -> wire.GameState:
    seat, language = viewer
    table, view = live.table, _view(live, seat)
    outcome = table.outcome
    position, view_json = _position_and_json(live, view)
    return wire.GameState(
        game_id=live.id,
        game_key=live.game.key,
        options=table.options.non_defaults(),
        seq=live.seq,
        status=live.status,
        seats=[
            wire.TitledSeat(
                kind=info.kind,
                name=info.name,
                level=info.level,
                person=info.person,
                title=i18n.seat_name(live.game, index, language),
            )
            for index, info in enumerate(live.seat_infos)
        ],
        teams=[*table.state.teams],
        viewer=seat,
        to_act=_actor(live.to_act),
        prompt=fact(live, view.prompt, language) if live.is_full and not outcome else None,
        action_seqs=[*live.action_seqs],
        position=position,
        view=view_json,
        same_view_seats=[other for other in range(len(table.players)) if _view(live, other) == view],
        score_history=_score_history(live, seat),
        offer=_offer(live),
        outcome=_outcome(live, outcome, language) if outcome else None,
        clock=live.clock.state(),
        has_no_human_opponent=seat is not None and table.has_no_human_opponent(seat),
        can_undo=seat is not None and live.is_full and table.can_undo(seat),
        can_offer_draw=seat is not None and live.is_full and table.can_offer_draw(seat),
        must_answer=seat in table.pending_answers,
        seed_commitment=live.seed_commitment,
        seed=(live.seed or None) if outcome else None,
        rematch_id=live.rematch_id or None,
    )


def _view(live: LiveGame, seat: Seat | None) -> AnyState:
    key = ("view", seat)
    if key not in live.render_cache:
        live.render_cache[key] = live.table.state.view(seat)
    view: AnyState = live.render_cache[key]
    return view


def _position_and_json(live: LiveGame, view: AnyState) -> tuple[str, wire.View]:
    """The text and the JSON of a view; viewers who see the same share the work."""
    key = ("json", view)
    if key not in live.render_cache:
        live.render_cache[key] = view.to_text(), view.to_json()
    texts: tuple[str, wire.View] = live.render_cache[key]
    return texts


def _actor(actor: object) -> wire.Actor:
    return "chance" if actor is CHANCE else actor if isinstance(actor, int) else None


def _score_history(live: LiveGame, seat: Seat | None) -> list[wire.ScoreChange]:
    """The points by each action of a seat, and by each chance outcome that changed them.

    The history is kept, because a game has many actions: only those since the last call are looked at.
    """
    if not live.table.state.scores:
        return []
    known = live.score_histories.get(seat)
    if known is None or live.action_seqs[: len(known.action_seqs)] != known.action_seqs:  # after an undo
        known = ScoreHistory([], [], live.state_after(0).view(seat))
    changes, before = [*known.changes], known.view
    for index in range(len(known.action_seqs) + 1, live.table.action_count + 1):
        now = live.state_after(index).view(seat)
        counted = now.outcome or now
        scores = counted.scores
        gains = [new - old for new, old in zip(scores, before.scores, strict=True)]
        actor = before.to_act if isinstance(before.to_act, int) else None
        if actor is not None or any(gains):
            changes.append(wire.ScoreChange(index, actor, gains, [*scores], [*counted.team_scores]))
        before = now
    live.score_histories[seat] = ScoreHistory([*live.action_seqs], changes, before)
    return changes


def _offer(live: LiveGame) -> wire.Offer | None:
    offer, seq = live.table.offer, live.offer_seq
    return wire.Offer(seq, offer.seat, offer.kind, sorted(offer.accepted_by)) if offer and seq else None


def _outcome(live: LiveGame, outcome: game.Outcome, language: str) -> wire.Outcome:
    return wire.Outcome(
        [*outcome.scores],
        [*outcome.team_scores],
        [*outcome.winners],
        outcome.has_points,
        fact(live, outcome.reason, language),
    )


def fact(live: LiveGame, statement: game.Fact, language: str) -> wire.Fact:
    """A fact with its sentence."""
    sentence = i18n.render(live.game, statement, language)
    return wire.Fact(statement.clause, statement.key, dict(statement.values), sentence)


def event(live: LiveGame, happened: Event, viewer: Viewer) -> wire.GameEvent:
    """An event as a viewer may read it."""
    number, kind, actor, time = happened.seq, happened.type, happened.seat, round(happened.created_at, 3)
    if happened.before is not None and happened.action is not None:
        report = happened.report(viewer.seat)
        effects = facts(live, report.effects, viewer.language)
        return wire.GameEvent(
            number, kind, actor, report.text, time, effects=effects, skipped=[*report.skipped]
        )
    if kind == "join":
        player = parse_player(happened.text)
        return wire.GameEvent(number, kind, actor, "", time, seat_info(player.player()), player.reason)
    return wire.GameEvent(number, kind, actor, "", time)


def events(live: LiveGame, viewer: Viewer, since: int = 0) -> list[wire.GameEvent]:
    """The events after a number, as a viewer may read them."""
    return [event(live, happened, viewer) for happened in live.events[since:]]


# --- Messages ----------------------------------------------------------------------------------


def snapshot(live: LiveGame, user_id: str | None, viewer: Viewer) -> wire.Snapshot:
    """Everything that a user may know of a game."""
    return wire.Snapshot(state(live, viewer), events(live, viewer), live.seats_of(user_id))


def first_message(
    live: LiveGame, user_id: str | None, viewer: Viewer, since: int | None, server_version: str
) -> wire.SnapshotMessage | wire.CatchUpMessage:
    """The answer to a client that has received the events up to `since`: those missed, or a snapshot."""
    rendered, seats = state(live, viewer), live.seats_of(user_id)
    if since is not None and live.seq - MAX_CATCH_UP_EVENTS <= since <= live.seq:
        return wire.CatchUpMessage(events(live, viewer, since), rendered, seats, server_version)
    return wire.SnapshotMessage(rendered, events(live, viewer), seats, server_version)


def event_messages(live: LiveGame, new: Sequence[Event], viewer: Viewer) -> list[bytes]:
    """The encoded messages about the events of one change; the last one has the state."""
    messages = [wire.EventMessage(event(live, happened, viewer)) for happened in new[:-1]]
    messages.append(wire.EventMessage(event(live, new[-1], viewer), state(live, viewer)))
    return [wire.encode(message) for message in messages]


# --- Positions, previews and analyses ----------------------------------------------------------


def position(
    live: LiveGame, viewer: Viewer, action_index: int, variation: Sequence[str] = ()
) -> wire.Position:
    """The game after some actions, as a viewer could see it then, and after some more that are tried on it.

    The variation is tried on the view, so it reveals nothing; where it depends on something hidden or on
    chance, it is refused.
    """
    view = live.state_after(action_index).view(viewer.seat)
    moves = []
    for text in variation:
        if not isinstance(view.to_act, int):
            raise IllegalActionError("TABLE", "chance" if view.to_act is CHANCE else "over")
        moves.append(wire.VariationMove(view.to_act, text))
        view = view.apply(live.game.parse_action(text))
    return wire.Position(
        action_index,
        moves,
        _actor(view.to_act),
        view.to_text(),
        view.to_json(),
        fact(live, view.prompt, viewer.language),
    )


def preview(live: LiveGame, viewer: Viewer, action: str) -> wire.Preview:
    """The effects of an action of the seat to act, or the reason why it is illegal."""
    result = live.table.state.view(viewer.seat).preview(live.game.parse_action(action))
    error = fact(live, result.error.fact, viewer.language) if result.error else None
    return wire.Preview(facts(live, result.effects, viewer.language), error)


def analysis(
    live: LiveGame, view: AnyState, ranking: game.Analysis, language: str, max_candidates: int
) -> wire.Analysis:
    """What an engine found in a view."""
    return wire.Analysis(
        facts(live, ranking.facts, language),
        [
            candidate(live, view, choice, language, with_effects=rank < EXPLAINED_CANDIDATES)
            for rank, choice in enumerate(ranking.candidates[:max_candidates])
        ],
        {distance_map.owner: dict(distance_map.distances) for distance_map in ranking.distance_maps},
    )


def candidate(
    live: LiveGame, view: AnyState, choice: game.Candidate, language: str, *, with_effects: bool
) -> wire.Candidate:
    """A candidate of an engine, for the seat to act."""
    seat, expected = view.to_act, choice.expected
    assert isinstance(seat, int)
    lead = expected.score_lead(seat, view.teams) if expected else None
    return wire.Candidate(
        str(choice.action),
        round(choice.value, 4),
        [str(action) for action in choice.pv],
        facts(live, choice.facts, language),
        facts(live, view.preview(choice.action).effects, language) if with_effects else [],
        wire.ExpectedOutcome(
            round(expected.win_rate, 3),
            None if lead is None else round(lead, 1),
            [round(score, 1) for score in expected.scores],
        )
        if expected and expected.scores
        else None,
    )


def facts(live: LiveGame, statements: Sequence[game.Fact], language: str) -> list[wire.Fact]:
    """Facts with their sentences."""
    return [fact(live, statement, language) for statement in statements]


def board_svg(live: LiveGame, seat: Seat | None, action_index: int | None) -> str:
    """The board after some actions, as a seat could see it then; None means now."""
    drawing: Any = live.state_after(action_index).view(seat)._repr_svg_()
    return str(drawing)
