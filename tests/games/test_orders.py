"""Standing orders are played in the same transaction as the previous move, and nobody else notices them before that."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
import time_machine
from cryptography.fernet import Fernet
from django.core.management import call_command

from accounts import profile
from clock import proposals, resignations, stand_ins
from clock.sweep import sweep
from core.refusals import Conflict, Forbidden, Invalid, NotFound
from games.engine.proof import Proof, verify
from games.models import Move, Phase, Seat, Source
from games.selectors import proofs
from games.selectors.loading import load_match
from games.selectors.orders import new_notes, orders_of
from games.services import orders
from games.services.audit import first_difference
from tests.games.builders import awaited, play_some, player, running_match, say, sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(db):
    return running_match("coloretto", 3)


def order(table, seat, *lines):
    return orders.replace_orders(table.match.id, sitting(table.seats[seat]), lines)


def others(table):
    """Return the seats whose turn it isn't, in turn order."""
    first, count = awaited(table).drawn, len(table.seats)
    return [(first + step) % count for step in range(1, count)]


def lines_of(table, seat):
    return [line.text for line in orders_of(load_match(table.match.id).seats[seat]).lines]


def notes_of(table, seat):
    return new_notes(load_match(table.match.id).seats[seat])


def sources(table):
    return list(Move.objects.filter(match=table.match).order_by("number").values_list("seat", "source"))


def test_an_order_moves_in_the_same_transaction_as_the_previous_move(table):
    first, (second, third) = awaited(table).drawn, others(table)
    order(table, second, "draw", "place on 1")
    say(table, first, "draw")
    answer = say(table, first, "place 2")
    assert sources(table)[2:] == [(second, Source.STANDING_ORDER)] * 2
    assert [event["event"]["event"] for event in answer["events"]] == ["card_placed", "card_drawn", "card_placed"]
    assert answer["awaiting"] == [third]
    assert answer["turn"] == load_match(table.match.id).match.turn


def test_an_order_that_already_applies_is_played_immediately(table):
    first = awaited(table).drawn
    given = order(table, first, "draw")
    assert [event.event.seat for event in given.played] == [first]
    assert sources(table) == [(first, Source.STANDING_ORDER)]
    assert awaited(load_match(table.match.id)).drawn == first, "the player still has to place the card"


def test_the_orders_of_several_players_can_follow_one_another(table):
    first, (second, third) = awaited(table).drawn, others(table)
    for seat in (second, third):
        order(table, seat, "draw", "place on the emptiest")
    say(table, first, "draw")
    say(table, first, "place 1")
    moved = [seat for seat, source in sources(table) if source == Source.STANDING_ORDER]
    assert moved == [second, second, third, third]
    assert awaited(load_match(table.match.id)).drawn == first


def test_the_orders_of_all_players_together_never_make_more_than_a_hundred_moves_at_once():
    table = running_match("coloretto", 3, options={"edition": "classic"})
    first = awaited(table).drawn
    for seat in (*others(table), first):
        order(table, seat, "take any worth 3 for the match", "draw for the match", "take any for the match",
              "place on the emptiest for the match")  # fmt: skip
    made = Move.objects.filter(match=table.match, source=Source.STANDING_ORDER).count()
    assert made == orders.MOST_MOVES_AT_ONCE
    table = load_match(table.match.id)
    asked = awaited(table).drawn
    assert notes_of(table, asked) == ["Standing orders have made 100 moves in a row."]
    assert first_difference(table) is None
    say(table, asked, table.engine.notation(table.engine.on_timeout(table.state, asked)))
    assert Move.objects.filter(match=table.match).count() > made + 1, "the orders continue after a player's move"


def test_the_proof_says_which_moves_standing_orders_made(table):
    second = others(table)[0]
    order(table, second, "draw", "place on the emptiest")
    play_some(table)
    proof = msgspec.json.decode(proofs.proof(load_match(table.match.id)), type=Proof)
    by_orders = [move.seat for move in proof.moves if move.by == "standing_order"]
    assert set(by_orders) == {second}
    verify(proofs.proof(load_match(table.match.id)))


def test_a_sealed_move_made_by_an_order_has_a_receipt_and_can_be_replaced_by_its_player():
    table = running_match("colorado-county", 3)
    order(table, 0, "bid none")
    (move,) = Move.objects.filter(match=table.match)
    assert (move.source, move.is_sealed, bool(move.receipt)) == (Source.STANDING_ORDER, True, True)
    say(table, 0, "bid " + str(table.engine.view(table.state, 0).cowboys[0]))
    say(table, 1, "bid none")
    say(table, 2, "bid none")
    assert load_match(table.match.id).match.turn > table.match.turn
    assert first_difference(load_match(table.match.id)) is None


def test_an_order_does_not_repeat_a_sealed_move_that_its_player_has_withdrawn():
    table = running_match("colorado-county", 3)
    order(table, 0, "bid none")
    say(table, 0, "withdraw")
    say(table, 1, "bid none")
    assert load_match(table.match.id).seats[0].awaited_since, "the player wanted to decide again"
    say(table, 0, "bid none")
    say(table, 2, "bid none")
    assert Move.objects.filter(match=table.match).latest("number").source == Source.STANDING_ORDER


def test_a_bid_is_made_again_if_a_sale_returns_it():
    table = running_match("colorado-county", 3)
    say(table, 0, "bid none")
    say(table, 2, "bid none")
    say(table, 1, f"bid {table.engine.view(table.state, 1).cowboys[0]}")
    table = load_match(table.match.id)
    pick = next(pick for pick in table.engine.choices(table.state, 1).moves if len(pick.squares) == 1)
    say(table, 1, table.engine.notation(pick))
    cowboy = table.engine.view(table.state, 0).cowboys[-1]
    order(table, 0, f"bid {cowboy}", "never interested")
    say(table, 1, f"sell {pick.squares[0]}")
    say(table, 2, "not interested")
    table = load_match(table.match.id)
    assert table.engine.view(table.state, 0).sealed == table.engine.parse(f"bid {cowboy}")
    assert [seat for seat, source in sources(table) if source == Source.STANDING_ORDER] == [0, 0, 0]


def test_an_order_expires_with_its_auction_and_the_player_is_asked_again():
    table = running_match("colorado-county", 3)
    order(table, 0, "bid none for 2 auctions")
    for auction in range(2):
        assert not load_match(table.match.id).seats[0].awaited_since, f"auction {auction}"
        say(table, 1, "bid none")
        say(table, 2, "bid none")
    assert load_match(table.match.id).seats[0].awaited_since
    assert lines_of(table, 0) == []
    assert notes_of(table, 0) == ["A standing order has expired."]


def test_an_order_makes_only_as_many_moves_as_it_says():
    table = running_match("colorado-county", 3)
    order(table, 0, "bid none once")
    say(table, 1, "bid none")
    say(table, 2, "bid none")
    assert load_match(table.match.id).seats[0].awaited_since


def test_an_order_expires_on_the_day_that_it_names(table):
    second = others(table)[0]
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False):
        order(table, second, "draw until 2026-11-21")
    with time_machine.travel(datetime(2026, 11, 22, 0, 1, tzinfo=UTC), tick=False):
        say(table, awaited(table).drawn, "draw")
        say(table, awaited(table).drawn, "place 1")
    assert awaited(load_match(table.match.id)).drawn == second
    assert notes_of(table, second) == ["A standing order has expired."]


def test_an_unforeseen_situation_stops_the_orders_until_the_player_resumes_them():
    table = running_match("colorado-county", 3)
    count = len(table.engine.view(table.state, 0).cowboys)
    order(table, 0, f"bid my lowest {count}", "pick where it is worth most to me")
    say(table, 1, "bid none")
    say(table, 2, "bid none")
    stopped = orders_of(load_match(table.match.id).seats[0]).stopped
    assert stopped.startswith(f"Your standing order needs {count} cowboys, but you have only ")
    assert notes_of(table, 0) == [stopped]
    resumed = orders.resume_orders(table.match.id, sitting(table.seats[0]))
    assert resumed.stopped == stopped, "the order still can't be followed"


def test_the_player_is_told_why_no_order_applied(table):
    second = others(table)[0]
    order(table, second, "take 3 if it is full")
    say(table, awaited(table).drawn, "draw")
    say(table, awaited(table).drawn, "place 1")
    assert notes_of(table, second) == ["None of your standing orders applied."]


def test_the_player_is_told_why_orders_left_the_second_step_of_a_turn_to_them(table):
    first = awaited(table).drawn
    order(table, first, "place on 1 if it has 1 green card and 1 red card")
    say(table, first, "draw")
    assert notes_of(table, first) == ["None of your standing orders applied."]
    say(table, first, "place 1")
    assert notes_of(table, first) == []


def test_a_sealed_move_shows_that_the_player_has_seen_the_note():
    table = running_match("colorado-county", 3)
    order(table, 0, "offer my lowest 2")
    assert notes_of(table, 0) == ["None of your standing orders applied."]
    say(table, 0, "bid none")
    assert notes_of(table, 0) == []


def test_an_order_that_cannot_be_followed_now_is_refused():
    table = running_match("colorado-county", 3)
    say(table, 0, "bid none")
    say(table, 2, "bid none")
    say(table, 1, f"bid {table.engine.view(table.state, 1).cowboys[0]}")
    table = load_match(table.match.id)
    pick = next(pick for pick in table.engine.choices(table.state, 1).moves if len(pick.squares) == 1)
    say(table, 1, table.engine.notation(pick))
    say(table, 1, f"sell {pick.squares[0]}")
    say(table, 0, "interested")
    say(table, 2, "interested")
    with pytest.raises(Invalid, match="Your standing order needs 30 cowboys, but you have only"):
        order(table, 0, "offer my lowest 30")
    assert lines_of(table, 0) == []


def test_orders_are_encrypted_and_padded_in_the_database(table):
    second, third = others(table)
    order(table, second, "draw")
    order(table, third, "take any with green or yellow and no red", "take any worth 5", "draw")
    one, other = (Seat.objects.get(match=table.match, number=seat).encrypted_orders for seat in (second, third))
    assert "draw" not in one
    assert len(one) == len(other)


def test_orders_survive_a_change_of_the_encryption_key(table, settings):
    second = others(table)[0]
    order(table, second, "draw")
    newest = Fernet.generate_key().decode()
    settings.VAULT_KEYS = [newest, *settings.VAULT_KEYS]
    call_command("reencrypt")
    settings.VAULT_KEYS = [newest]
    assert lines_of(table, second) == ["draw"]


def test_orders_can_be_added_and_replaced_and_withdrawn(table):
    second, user = others(table)[0], sitting(table.seats[others(table)[0]])
    order(table, second, "draw", "place on 1")
    orders.add_orders(table.match.id, user, ["take any"])
    assert lines_of(table, second) == ["draw", "place on 1", "take any"]
    orders.withdraw_order(table.match.id, user, 2)
    assert lines_of(table, second) == ["draw", "take any"]
    order(table, second)
    assert lines_of(table, second) == []
    assert Seat.objects.get(match=table.match, number=second).encrypted_orders == ""


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        (["draw", "dance"], "unknown_order", 2),
        (["take 9"], "no_such_row", 1),
        (["draw until 2020-01-01"], "in_the_past", None),
        (["draw until 2099-01-01"], "too_far_ahead", None),
        (["draw until 2026-02-31"], "bad_day", None),
        (["draw"] * 21, "too_many_orders", None),
    ],
)
def test_an_invalid_order_changes_nothing(table, lines, code, line):
    second = others(table)[0]
    order(table, second, "take any worth 5")
    with pytest.raises(Invalid) as refused:
        order(table, second, *lines)
    assert refused.value.code == code
    assert refused.value.data.get("line") == line
    assert lines_of(table, second) == ["take any worth 5"]


def test_an_illegal_bid_is_refused_when_it_is_given():
    table = running_match("colorado-county", 3)
    cowboy = table.engine.view(table.state, 0).cowboys[0]
    with pytest.raises(Invalid):
        order(table, 0, f"bid {cowboy} plan 1 A1 O10")
    assert lines_of(table, 0) == []


def test_withdrawing_an_order_that_does_not_exist_is_refused(table):
    with pytest.raises(NotFound, match="You have no standing order 1 in this match"):
        orders.withdraw_order(table.match.id, sitting(table.seats[0]), 1)


def test_only_players_in_a_running_match_can_have_orders(table):
    with pytest.raises(Forbidden):
        orders.replace_orders(table.match.id, player("zoe"), ["draw"])
    play_some(table)
    with pytest.raises(Conflict, match="The match is over"):
        order(table, 0, "draw")


def test_a_game_without_an_order_language_refuses_orders(hush):
    table = running_match("hush", 3)
    with pytest.raises(Conflict, match="Hush doesn't support standing orders"):
        order(table, 0, "name 2")


def test_orders_end_with_the_match(table):
    for seat in others(table):
        order(table, seat, "take 3 if it is full and worth 99 for the match")
    play_some(table)
    assert load_match(table.match.id).match.phase == Phase.FINISHED
    assert not Seat.objects.exclude(encrypted_orders="").exists()


def test_orders_end_when_the_players_agree_to_end_the_match(table):
    order(table, others(table)[0], "take 3 if it is full")
    for seat in table.seats:
        proposals.abandon(table.match.id, sitting(seat), agreed=True)
    assert not Seat.objects.exclude(encrypted_orders="").exists()


def test_orders_are_not_played_for_a_stand_in_and_wait_for_their_player(table):
    second = others(table)[0]
    order(table, second, "draw", "place on 1")
    Seat.objects.filter(match=table.match, number=second).update(stand_in_since=datetime.now(UTC))
    say(table, awaited(table).drawn, "draw")
    say(table, awaited(table).drawn, "place 1")
    assert (second, Source.STANDING_ORDER) not in sources(table)
    stand_ins.come_back(table.match.id, sitting(table.seats[second]))
    assert lines_of(table, second) == ["draw", "place on 1"]


def test_orders_are_forgotten_when_their_player_resigns_or_leaves(table):
    second, third = others(table)
    for seat in (second, third):
        order(table, seat, "take 3 if it is full")
    resignations.resign(table.match.id, sitting(table.seats[second]))
    assert lines_of(table, second) == []
    profile.delete(sitting(table.seats[third]), "correct horse")
    assert Seat.objects.get(match=table.match, number=third).encrypted_orders == ""


def test_orders_are_not_passed_on_to_a_new_player_in_the_seat(table):
    second = others(table)[0]
    order(table, second, "draw")
    seat = load_match(table.match.id).seats[second]
    seat.user = player("zoe")
    assert orders_of(seat).lines == ()


def test_a_move_made_by_an_order_does_not_count_as_a_visit(table):
    second = others(table)[0]
    order(table, second, "draw", "place on 1")
    before = load_match(table.match.id).seats[second]
    say(table, awaited(table).drawn, "draw")
    say(table, awaited(table).drawn, "place 2")
    after = load_match(table.match.id).seats[second]
    assert (after.acted_through, after.visited_at) == (before.acted_through, before.visited_at)


def test_a_time_out_is_followed_by_the_next_players_orders(table):
    second = others(table)[0]
    order(table, second, "draw", "place on 1")
    late = datetime.now(UTC) - timedelta(minutes=1)
    Seat.objects.filter(match=table.match, awaited_since__isnull=False).update(deadline=late, wake_at=late)
    Seat.objects.filter(match=table.match, awaited_since__isnull=False).update(
        counted_from=late - timedelta(days=4), time_left=timedelta(days=3)
    )
    sweep()
    assert (second, Source.STANDING_ORDER) in sources(table)
