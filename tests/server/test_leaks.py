"""Two worlds that differ only in what a viewer may not see send that viewer the same bytes, all of them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import tripot
from tripot import fairness
from tripot.game import CHANCE, AnyState, Seat
from tripot.server.live import Live
from tripot.server.telling import news, welcome
from tripot.server.watching import Watcher

HIDING = [
    ("triolet", "players=2"),
    ("triolet", "players=4"),
    ("trippples", "tiles=face-down"),
    ("trippples", "tiles=face-down zone=random"),
]


def row(key: str, options: str, seed: str) -> dict[str, Any]:
    return {
        "id": "0123456789abcdef",
        "game": key,
        "version": tripot.get_game(key).version,
        "options": options,
        "position": "",
        "seed": seed,
        "clock": "",
        "public": False,
        "creator": "ann",
        "created": 0.0,
        "rematch": "",
    }


def begun(key: str, options: str) -> Live:
    live = Live(row(key, options, "00" * 32))
    for seat in range(live.table.options.players):
        live.add("sit", seat, f"human {seat + 1} Player", 1.0)
        live.holders[seat].add(f"player {seat}")
    return live


def everything(live: Live, viewer: Seat | None, since: int) -> bytes:
    """All bytes that the server would send a viewer of this game from now on, whatever it is asked."""
    player = None if viewer is None else f"player {viewer}"
    parts: list[bytes] = []
    # A snapshot is what a watcher is welcomed with. Its log, which takes long, is the same in all languages.
    parts.append(welcome(live, Watcher(player, viewer, "en", 10), None))
    for language in ("en", "fr"):
        parts.append(welcome(live, Watcher(player, viewer, language, 10), max(0, live.seq - 3)))
        parts += news(live, live.events[since:], viewer, language)
    for at in range(max(0, live.table.action_count - 2), live.table.action_count + 1):
        view = live.position(at, viewer)
        parts += [view.to_text().encode(), json.dumps(view.to_json()).encode(), view._repr_svg_().encode()]
        parts += [str(each).encode() for each in view.legal_actions()[:20]]
        for action in view.legal_actions()[:20]:
            seen = view.preview(action)
            parts += [json.dumps(live.say(each, "en")).encode() for each in seen.effects]
    return b"\n".join(parts)


def other_world(live: Live, viewer: Seat | None, rng: Random) -> AnyState:
    return live.table.state.view(viewer).determinize(rng)


@pytest.mark.long
@pytest.mark.parametrize(("key", "options"), HIDING)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 9))])
def test_what_is_sent_tells_no_secret(key: str, options: str, seed: int) -> None:
    """Along a game: the last draw or move is played in both worlds, and every byte compared."""
    rng, live, compared = Random(f"{key} {options} {seed}"), begun(key, options), 0
    for _ in range(60):
        if live.table.outcome:
            break
        state = live.table.state
        worlds = {viewer: other_world(live, viewer, rng) for viewer in (None, *range(len(state.teams)))}
        action = state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(state.legal_actions())
        seat = None if state.to_act is CHANCE else state.to_act
        before = live.seq
        for viewer, other in worlds.items():
            if other == state or not _applies(other, action):
                continue
            twin = begun(key, str(live.table.options))
            _become(twin, live, other)
            if state.redact(action, viewer) != other.redact(action, viewer):
                continue  # it shows this viewer something: then the worlds part
            true = begun(key, str(live.table.options))
            _become(true, live, state)
            for each in (true, twin):
                each.add("deal" if seat is None else "act", seat, str(action), 2.0)
            if true.table.state.view(viewer) != twin.table.state.view(viewer):
                continue  # the action revealed it to everybody
            assert everything(true, viewer, before) == everything(twin, viewer, before)
            compared += 1
        live.add("deal" if seat is None else "act", seat, str(action), 2.0)
    assert compared > 10


def _applies(state: AnyState, action: Any) -> bool:
    try:
        state.apply(action)
    except tripot.game.TripotError:
        return False
    return True


def _become(live: Live, model: Live, state: AnyState) -> None:
    """The same game up to now, in the world of a state."""
    live.events = [*model.events]
    live.table._actions = [*model.table._actions]
    live.table._states = [*model.table._states[:-1], state]
    live.look_again()


def test_the_seed_stays_inside_until_the_end() -> None:
    live = begun("triolet", "")
    live.settle(1.0)
    seed = live.seed
    for viewer in (None, 0, 1):
        assert seed.encode() not in everything(live, viewer, 0)
        assert live.sight(viewer, "en")["promise"] == fairness.commitment(seed)
    live.add("resign", 0, "", 2.0)
    assert live.sight(None, "en")["seed"] == seed


@pytest.mark.parametrize("end", ["resign", "played"])
def test_the_course_of_the_points_is_what_everybody_saw_and_nothing_else(end: str) -> None:
    """An entry an action of a seat, the same for all; nothing of racks that come up later."""
    rng, live = Random(f"points {end}"), begun("triolet", "")
    while not live.table.outcome:
        state = live.table.state
        if state.to_act is CHANCE:
            live.add("deal", None, str(state.sample_chance(rng)), 2.0)
        elif end == "resign" and live.table.action_count > 20:
            live.add("resign", 0, "", 2.0)
        else:
            live.add(
                "act",
                state.to_act,
                str(max(state.legal_actions(), key=lambda each: str(each).count("="))),
                2.0,
            )
        seen = [live.sight(viewer, "en")["scores"] for viewer in (None, 0, 1)]
        assert seen[0] == seen[1] == seen[2]
        assert all({*entry} == {"at", "seat", "gained", "scores"} for entry in seen[0])
    entries = live.sight(None, "en")["scores"]
    acts = [event.seat for event in live.events if event.kind == "act"]
    assert [entry["seat"] for entry in entries if entry["seat"] is not None] == acts
    totals = [0, 0]
    for entry in entries:
        totals = [total + gained for total, gained in zip(totals, entry["gained"], strict=True)]
        assert totals == [*entry["scores"]]
        then = live.position(entry["at"], None)
        assert tuple(totals) == (then.outcome or then).scores
    assert totals == live.sight(None, "en")["view"]["scores"]
    again = Live(row("triolet", "", "00" * 32), [event.row("") for event in live.events])
    assert again.sight(0, "en")["scores"] == live.sight(0, "en")["scores"]


def test_a_game_that_counts_no_points_on_the_way_has_no_course_of_them() -> None:
    live = begun("trippples", "")
    live.settle(1.0)
    assert live.sight(0, "en")["scores"] == []


def test_points_taken_back_are_gone() -> None:
    live = begun("triolet", "")
    live.settle(1.0)
    mover = live.to_act
    live.add(
        "act", mover, str(max(live.table.state.legal_actions(), key=lambda each: str(each).count("="))), 2.0
    )
    assert len(live.sight(0, "en")["scores"]) == 1
    live.add("undo", mover, "", 3.0)
    live.add("yes", 1 - mover, "", 4.0)
    assert live.sight(0, "en")["scores"] == []


def test_draws_of_others_are_masked_in_the_log() -> None:
    live = begun("triolet", "")
    live.settle(1.0)
    for viewer in (None, 0, 1):
        draws = [event["text"].split() for event in live.told(viewer) if event["text"].startswith("draw")]
        assert [("?" in tokens) for _, _, tokens in draws] == [seat != viewer for seat in (0, 1)]
