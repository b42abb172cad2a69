"""Users without accounts: seats, seat links, spectators, offers, rematches, hints and names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.server.databases import BOTH_DATABASES

Visit = Callable[[Any], Any]


def test_a_cookie_is_long_lived_and_out_of_reach_of_scripts(shared_server: Any) -> None:
    cookie = httpx.get(f"{shared_server.url}/api/v1/me").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert int(cookie.split("Max-Age=")[1].split(";")[0]) > 365 * 24 * 3600


def test_a_forged_cookie_identifies_no_user(shared_server: Any, new_client: Visit) -> None:
    ann, eve = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("triolet", "me", "bot1")
    eve.http.cookies.set("tripot", ann.http.cookies["tripot"].split(".")[0] + ".x.y")
    assert eve.get(f"/games/{game}")["my_seats"] == []


@BOTH_DATABASES
def test_a_seat_goes_to_another_device_by_its_link_and_stays_on_the_first(
    shared_server: Any, new_client: Visit
) -> None:
    ann, phone = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("triolet", "me", "bot1")
    token = ann.post(f"/games/{game}/seats/0/link")["token"]
    assert phone.get(f"/games/{game}")["my_seats"] == []
    assert phone.post(f"/games/{game}/claim", token=token)["my_seats"] == [0]
    assert ann.get(f"/games/{game}")["my_seats"] == [0]


@BOTH_DATABASES
def test_a_new_seat_link_ends_the_old_one_and_only_holders_get_one(
    shared_server: Any, new_client: Visit
) -> None:
    ann, eve = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("triolet", "me", "open")
    old = ann.post(f"/games/{game}/seats/0/link")["token"]
    ann.post(f"/games/{game}/seats/0/link")
    assert eve.expect_error(f"/games/{game}/claim", token=old)["code"] == "invalid_seat_link"
    assert eve.expect_error(f"/games/{game}/seats/0/link")["key"] == "not_yours"
    assert eve.expect_error(f"/games/{game}/seats/1/link")["key"] == "not_yours", "a secret only once taken"


@BOTH_DATABASES
def test_open_public_games_are_listed_until_they_are_full(shared_server: Any, new_client: Visit) -> None:
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "open", public=True)
    hidden = ann.create_game("trippples", "me", "open")
    listed = [each["game_id"] for each in bob.get("/games")["open"]]
    assert game in listed
    assert hidden not in listed
    bob.post(f"/games/{game}/join")
    lobby = bob.get("/games")
    assert game not in [each["game_id"] for each in lobby["open"]]
    assert game in [each["game_id"] for each in lobby["live"]]
    mine = {each["game_id"]: each for each in bob.get("/me")["games"]}
    assert mine[game]["my_turn"] == (bob.get(f"/games/{game}")["state"]["to_act"] == 1)
    assert mine[game]["my_seats"] == [1]
    assert all(each["my_seats"] is None for each in lobby["live"])


def test_a_taken_seat_cannot_be_taken_and_nothing_begins_before_all_are(
    shared_server: Any, new_client: Visit
) -> None:
    ann, bob, eve = new_client(shared_server), new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "open")
    assert ann.expect_error(f"/games/{game}/actions", action="g1")["key"] == "waiting"
    bob.post(f"/games/{game}/join", seat=1)
    assert eve.expect_error(f"/games/{game}/join")["key"] == "taken"
    assert eve.expect_error(f"/games/{game}/actions", action="g1")["key"] == "not_seated"


def test_a_bot_may_take_an_empty_seat_at_any_time(shared_server: Any, new_client: Visit) -> None:
    ann, eve = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("triggery", "me", "open")
    assert eve.expect_error(f"/games/{game}/bots", level=1)["key"] == "not_seated"
    assert ann.expect_error(f"/games/{game}/bots", level=99)["code"] == "bad_request"
    assert ann.post(f"/games/{game}/bots", level=2)["state"]["seats"][1]["level"] == 2


def test_several_on_one_screen_see_the_seat_to_act(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("triolet", "me", "me")
    state = ann.get(f"/games/{game}")["state"]
    assert state["viewer"] == state["to_act"]
    other = ann.get(f"/games/{game}", seat=1 - state["to_act"])["state"]
    assert "?" in other["view"]["racks"][state["to_act"]]


def test_undo_is_free_against_bots_and_never_past_a_draw(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    live = ann.live(game)
    before = live.state["position"]
    live.act(live.state["view"]["legal"][0])
    live.send(type="command", request_id="take-it-back", command="undo")
    assert live.wait("ack", "error")["type"] == "ack"
    assert ann.get(f"/games/{game}")["state"]["position"] == before
    drawn = ann.create_game("triolet", "me", "me")
    live = ann.live(drawn)
    live.act(live.state["view"]["legal"][0])
    live.send(type="command", request_id="take-it-back", command="undo")
    assert live.wait("ack", "error")["error"]["key"] == "seen"


def test_between_people_an_undo_needs_consent(shared_server: Any, new_client: Visit) -> None:
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "open")
    bob.post(f"/games/{game}/join")
    seats = {client.get(f"/games/{game}")["my_seats"][0]: client for client in (ann, bob)}
    state = ann.get(f"/games/{game}")["state"]
    mover, other = seats[state["to_act"]], seats[1 - state["to_act"]]
    legal = mover.get(f"/games/{game}")["state"]["view"]["legal"]
    mover.post(f"/games/{game}/actions", action=legal[0])
    mover.post(f"/games/{game}/actions", type="undo")
    offer = mover.get(f"/games/{game}")["state"]["offer"]
    assert offer["kind"] == "undo"
    other.post(f"/games/{game}/actions", type="accept", offer_seq=offer["seq"])
    assert mover.get(f"/games/{game}")["state"]["position"] == state["position"]


def test_a_draw_is_offered_and_answered(shared_server: Any, new_client: Visit) -> None:
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "open")
    bob.post(f"/games/{game}/join")
    seq = ann.post(f"/games/{game}/actions", type="offer_draw")["seq"]
    own = ann.expect_error(f"/games/{game}/actions", type="accept", offer_seq=seq)
    assert own["key"] == "own_offer"
    bob.post(f"/games/{game}/actions", type="decline", offer_seq=seq)
    assert ann.get(f"/games/{game}")["state"]["offer"] is None
    seq = bob.post(f"/games/{game}/actions", type="offer_draw")["seq"]
    outcome = ann.post(f"/games/{game}/actions", type="accept", offer_seq=seq)["state"]["outcome"]
    assert outcome["scores"] == [0, 0]


def test_a_late_answer_accepts_no_other_offer(shared_server: Any, new_client: Visit) -> None:
    """Bob said yes to a draw that Ann had withdrawn by a move; it took back that move instead."""
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "open")
    bob.post(f"/games/{game}/join")
    actions = f"/games/{game}/actions"
    seen = ann.post(actions, type="offer_draw")["state"]["offer"]
    bob.post(actions, type="decline", offer_seq=seen["seq"])
    ann.post(actions, type="offer_draw")
    assert bob.expect_error(actions, type="accept", offer_seq=seen["seq"])["code"] == "stale"
    assert bob.expect_error(actions, type="accept")["code"] == "stale"
    live = bob.live(game)
    live.send(type="command", request_id="late-yes", command="accept", offer_seq=seen["seq"])
    assert live.wait("ack", "error")["error"]["code"] == "stale"
    assert live.state["status"] == "live"
    live.send(type="command", request_id="right-yes", command="accept", offer_seq=live.state["offer"]["seq"])
    assert live.wait("ack", "error")["type"] == "ack"


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800\u2800", "\u115f \u1160", "\uffa0", "\u0301", "\ufffc", "\U0001d159"]
)
def test_names_that_cannot_be_seen_are_refused(shared_server: Any, new_client: Visit, name: str) -> None:
    ann = new_client(shared_server)
    refused = ann.http.put("/api/v1/me", json={"name": name})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_request")
    seats = [{"kind": "me", "name": name}, {"kind": "me"}]
    assert ann.expect_error("/games", game_key="trippples", seats=seats)["status"] == 400
    assert ann.http.put("/api/v1/me", json={"name": "안녕"}).status_code == 200


def test_a_game_needs_a_seat_for_a_person(shared_server: Any, new_client: Visit) -> None:
    """Bots alone played on without a pause, and such a game never left the memory."""
    ann = new_client(shared_server)
    seats = [{"kind": "bot", "level": 1}] * 2
    assert ann.expect_error("/games", game_key="trippples", seats=seats)["message"].endswith("for a person.")


@BOTH_DATABASES
def test_a_rematch_exchanges_seats_and_is_the_same_game_for_both(
    shared_server: Any, new_client: Visit
) -> None:
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "open", name="Ann")
    bob.post(f"/games/{game}/join", name="Bob")
    assert ann.expect_error(f"/games/{game}/rematch")["code"] == "game_not_over"
    live = bob.live(game)
    ann.post(f"/games/{game}/actions", type="resign")
    assert ann.get(f"/games/{game}")["state"]["rematch_id"] is None
    again = ann.post(f"/games/{game}/rematch")["game_id"]
    assert ann.get(f"/games/{game}")["state"]["rematch_id"] == again, "a later request finds it too"
    assert live.wait("rematch")["game_id"] == again
    assert bob.post(f"/games/{game}/rematch")["game_id"] == again
    assert [seat["name"] for seat in bob.get(f"/games/{again}")["state"]["seats"]] == ["Bob", "Ann"]
    assert bob.get(f"/games/{again}")["my_seats"] == [0]


def test_a_player_alone_repeats_a_board_with_the_same_dice(shared_server: Any, new_client: Visit) -> None:
    """TG-12: the board is filled alike, and the throws are known."""
    ann, bob = new_client(shared_server), new_client(shared_server)
    made = ann.post("/games", game_key="triggery", options={"players": "1"}, seats=[{"kind": "me"}])
    game = made["state"]["game_id"]
    start = made["state"]["view"]["boards"]
    assert ann.expect_error(f"/games/{game}/repeat")["code"] == "game_not_over"
    for _ in range(1000):
        snapshot = ann.get(f"/games/{game}")
        if snapshot["state"]["status"] == "over":
            break
        ann.post(f"/games/{game}/actions", action=snapshot["state"]["view"]["legal"][0])
    assert bob.expect_error(f"/games/{game}/repeat")["key"] == "not_seated"
    again = ann.get(f"/games/{ann.post(f'/games/{game}/repeat')['game_id']}")
    assert again["state"]["view"]["boards"] == start
    throws = [event["text"].split()[1] for event in snapshot["log"] if event["text"].startswith("throw")]
    assert again["state"]["options"]["dice"].split(",") == throws
    assert again["log"][-1]["text"] == f"throw {throws[0]}"
    assert again["my_seats"] == [0]


def test_events_say_what_an_action_did(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("triolet", "me", "me")
    snapshot = ann.get(f"/games/{game}")
    placement = max(snapshot["state"]["view"]["legal"], key=lambda text: text.count("="))
    expected = ann.post(f"/games/{game}/preview", action=placement)["effects"]
    ann.post(f"/games/{game}/actions", action=placement)
    event = next(event for event in ann.get(f"/games/{game}")["log"] if event["type"] == "action")
    assert event["effects"] == expected
    assert any(effect["key"] == "total" for effect in expected)
    french = next(e for e in ann.get(f"/games/{game}?lang=fr")["log"] if e["type"] == "action")
    assert [effect["key"] for effect in french["effects"]] == [effect["key"] for effect in expected]


@BOTH_DATABASES
def test_with_more_than_two_teams_a_bot_replaces_a_player_who_resigns(
    shared_server: Any, new_client: Visit
) -> None:
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("triolet", "me", "open", "bot1")
    bob.post(f"/games/{game}/join")
    state = bob.post(f"/games/{game}/actions", type="resign", seat=1)["state"]
    assert state["seats"][1]["kind"] == "bot"
    assert state["status"] == "live"
    assert bob.get(f"/games/{game}")["my_seats"] == []


def test_refusals_name_the_clause_in_the_readers_language(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    english = ann.expect_error(f"/games/{game}/actions", action="d5")
    assert english["clause"].startswith("TP-")
    french = ann.http.post(
        f"/api/v1/games/{game}/actions", json={"action": "d5"}, headers={"accept-language": "fr"}
    )
    assert french.json()["clause"] == english["clause"]
    assert french.json()["message"] != english["message"]
    assert ann.expect_error(f"/games/{game}/actions", action="zz99")["code"] == "parse_error"


def test_a_preview_changes_nothing(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("triolet", "me", "me")
    before = ann.get(f"/games/{game}")
    legal = before["state"]["view"]["legal"]
    assert ann.post(f"/games/{game}/preview", action=legal[0])["effects"]
    assert ann.post(f"/games/{game}/preview", action="A1=0")["error"]["clause"] == "TO-2"
    assert ann.get(f"/games/{game}") == before


def test_hints_are_refused_against_human_opponents(shared_server: Any, new_client: Visit) -> None:
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    legal = ann.get(f"/games/{game}")["state"]["view"]["legal"]
    assert ann.get(f"/games/{game}/hint", seconds=0.1)["action"] in legal
    ranked = ann.get(f"/games/{game}/analysis", seconds=0.1)["candidates"]
    assert sorted(each["action"] for each in ranked) == sorted(legal)
    online = ann.create_game("trippples", "me", "open")
    bob.post(f"/games/{online}/join")
    for client in (ann, bob):
        assert client.http.get(f"/api/v1/games/{online}/hint").json()["key"] == "others_play"
    ann.post(f"/games/{online}/actions", type="resign")
    at = next(at for at in range(3) if ann.get(f"/games/{online}/positions/{at}")["to_act"] == 0)
    assert bob.get(f"/games/{online}/analysis", action_index=at, seconds=0.1)["candidates"]


def test_a_hint_has_the_best_moves_with_expected_outcomes_and_distance_maps(
    shared_server: Any, new_client: Visit
) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("trigon", "me", "me")
    legal = ann.get(f"/games/{game}")["state"]["view"]["legal"]
    hint = ann.get(f"/games/{game}/hint", seconds=0.3)
    assert hint["action"] == hint["candidates"][0]["action"] == hint["pv"][0]
    assert len(hint["candidates"]) == 5
    assert {each["action"] for each in hint["candidates"]} <= {*legal}
    expected = hint["expected"]
    assert 0 <= expected["win_rate"] <= 1
    assert expected["score_lead"] == pytest.approx(expected["scores"][0] - expected["scores"][1], abs=0.11)
    assert [*hint["distance_maps"]] == ["blue", "yellow", "red", "green"]
    assert hint["distance_maps"]["blue"]["r15"] == 1
    other = ann.create_game("trippples", "me", "me")
    assert ann.get(f"/games/{other}/hint", seconds=0.1)["expected"] is None
    assert ann.get(f"/games/{other}/analysis", seconds=0.1)["distance_maps"] == {}


def test_a_variation_is_tried_and_changes_nothing(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("trigon", "me", "me")
    before = ann.get(f"/games/{game}")
    first = before["state"]["view"]["legal"][-1]
    after = ann.get(f"/games/{game}/positions/0", variation=[first])
    assert after["variation"] == [{"seat": 0, "text": first}]
    assert (after["action_index"], after["to_act"]) == (0, 1)
    second = after["view"]["legal"][-1]
    further = ann.get(f"/games/{game}/positions/0", variation=[first, second])
    assert len(further["view"]["pieces"]) == 2
    assert [each["seat"] for each in further["variation"]] == [0, 1]
    refused = ann.http.get(f"/api/v1/games/{game}/positions/0", params={"variation": [first, first]})
    assert (refused.status_code, refused.json()["clause"]) == (409, "TR-5")
    many = ann.http.get(f"/api/v1/games/{game}/positions/0", params={"variation": [first] * 41})
    assert many.status_code == 422
    assert ann.get(f"/games/{game}") == before


def test_a_variation_is_tried_on_the_view_of_the_user(shared_server: Any, new_client: Visit) -> None:
    """What the other holds makes no difference to what may be tried, and nothing is drawn in a trial."""
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("triolet", "me", "open")
    bob.post(f"/games/{game}/join")
    at = len([each for each in ann.get(f"/games/{game}")["log"] if each["type"] in ("action", "chance")])
    seat = ann.get(f"/games/{game}")["state"]["to_act"]
    mover, other = (bob, ann) if seat else (ann, bob)
    unseen = other.get(f"/games/{game}")["state"]["view"]["unseen"]
    for token in range(16):
        if unseen.get(str(token)):
            after = other.get(f"/games/{game}/positions/{at}", variation=[f"H8={token}"])
            assert after["view"]["racks"][seat] == ["?", "?"]
    own = mover.get(f"/games/{game}")["state"]["view"]["legal"][0]
    refused = mover.http.get(f"/api/v1/games/{game}/positions/{at}", params={"variation": [own, own]})
    assert (refused.status_code, refused.json()["key"]) == (409, "chance")


def test_the_record_is_available_after_the_end(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("triolet", "me", "me")
    assert ann.http.get(f"/api/v1/games/{game}/record.txt").json()["key"] == "not_over"
    assert ann.http.get(f"/api/v1/games/{game}/board.svg").text.startswith("<svg")
    assert ann.get(f"/games/{game}/positions/0")["action_index"] == 0
    assert ann.http.get(f"/api/v1/games/{game}/positions/999").status_code == 400


@pytest.mark.parametrize("options", [{"players": "9"}, {"nonsense": "1"}, {"players": "two"}])
def test_options_are_checked_by_the_game(
    shared_server: Any, new_client: Visit, options: dict[str, str]
) -> None:
    refused = new_client(shared_server).expect_error(
        "/games", game_key="triolet", options=options, seats=[{"kind": "me"}] * 2
    )
    assert refused["code"] == "invalid_option"
    assert refused["option"] in options


def test_refused_options_are_explained_in_the_language_of_the_page(
    shared_server: Any, new_client: Visit
) -> None:
    """A French page said "option start=free: only two players or two teams ...".

    The language chosen on the page goes before the one that the browser prefers.
    """
    ann = new_client(shared_server)
    wanted = {"game_key": "trigon", "options": {"start": "free"}, "seats": [{"kind": "me"}] * 4}
    refusals = {lang: ann.expect_error(f"/games?lang={lang}", **wanted) for lang in ("en", "fr")}
    assert refusals["en"]["message"].startswith("Two players or teams: only two players or two teams have")
    assert refusals["fr"]["message"].startswith("À deux joueurs ou deux équipes : seuls deux joueurs")
    assert {(each["option"], each["clause"]) for each in refusals.values()} == {("start", "TR-11")}


@BOTH_DATABASES
def test_nicknames(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    assert ann.http.put("/api/v1/me", json={"name": "  Ann   Lee "}).json() == {"name": "Ann Lee"}
    ann.http.put("/api/v1/me", json={"name": "Ann"})
    game = ann.create_game("triolet", "me", "bot1")
    assert ann.get(f"/games/{game}")["state"]["seats"][0]["name"] == "Ann"
    for bad in ("", "a,b", "x" * 25, "\x07"):
        assert ann.http.put("/api/v1/me", json={"name": bad}).status_code in (400, 422)


def test_a_finished_game_of_mine_is_listed_with_its_result(shared_server: Any, new_client: Visit) -> None:
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "open")
    bob.post(f"/games/{game}/join", seat=1)
    listed = {each["game_id"]: each for each in ann.get("/me")["games"]}
    assert listed[game]["result"] is None
    ann.post(f"/games/{game}/actions", type="resign", seat=0)
    for user, seats in ((ann, [0]), (bob, [1])):
        listed = {each["game_id"]: each for each in user.get("/me")["games"]}
        assert listed[game]["result"] == {
            "my_seats": seats,
            "winners": [1],
            "scores": [-1, 1],
            "has_points": False,
            "reason": "resign",
            "moves": 0,
        }


def test_only_a_user_without_a_name_has_none(shared_server: Any, new_client: Visit) -> None:
    """The page shows its own word for one. In the record he is a guest."""
    ann, bob = new_client(shared_server), new_client(shared_server)
    assert ann.get("/me")["name"] == ""
    game = ann.create_game("trippples", "me", "open")
    bob.post(f"/games/{game}/join", seat=1, name="Guest")
    assert [seat["name"] for seat in ann.get(f"/games/{game}")["state"]["seats"]] == ["", "Guest"]
    ann.post(f"/games/{game}/actions", type="resign", seat=0)
    again = ann.post(f"/games/{game}/rematch")["game_id"]
    assert [seat["name"] for seat in ann.get(f"/games/{again}")["state"]["seats"]] == ["Guest", ""]
    assert "Guest, Guest" in ann.http.get(f"/api/v1/games/{game}/record.txt").text
