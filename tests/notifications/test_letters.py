"""Details of emails that the gallery test doesn't check."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.engine.base import Outcome
from games.engine.text import width
from games.models import Seat
from games.models.pace import PRESETS, Pace
from games.selectors.loading import load_match
from notifications import letters
from notifications.context import Context, load
from notifications.letters.as_html import as_html
from notifications.letters.as_text import as_text
from notifications.letters.blocks import Block, Letter, Offer, Offers, Scores, Words
from notifications.letters.result import how_it_ended
from notifications.models import Notification, NotificationKind
from tests.games.builders import NAMES, awaited, play_some, player, running_match, say, sitting

pytestmark = pytest.mark.django_db


def letter(table, seat, kind, **facts):
    return letters.write(context_of(table, seat, kind, **facts))


def context_of(table, seat, kind=NotificationKind.YOUR_TURN, **facts):
    now = timezone.now()
    about = {"match": table.match, "seat": seat.number, "turn": table.match.turn} | facts
    notification = Notification.objects.create(user=seat.user, kind=kind, created_at=now, due_at=now, number=9, **about)
    return load([notification.pk])[0]


def digest_for(user):
    now = timezone.now()
    return Notification.objects.create(user=user, kind=NotificationKind.DIGEST, created_at=now, due_at=now)


def test_the_html_board_is_a_colored_table_with_the_same_symbols_as_the_text():
    table = running_match("colorado-county")
    page = as_html(letter(table, awaited(table), NotificationKind.YOUR_TURN))
    assert "<pre class" not in page
    assert ">~8~</td>" in page
    assert 'title="' in page


def test_on_a_narrow_screen_long_words_break_and_wide_tables_scroll():
    wide: list[Block] = [
        Scores("The score", ["", "Ann"], [["Game 1", "27"]]),
        Offers("Your moves", [Offer("draw", "turnpost play")]),
    ]
    page = as_html(Letter("Played", "Hello Ann,", [Words(f"Its receipt is {'5ea1ed00' * 8}."), *wide]))
    assert "overflow-wrap:break-word" in page.partition("Its receipt is")[0].rpartition("<td")[2]
    for inside in (">Game 1<", ">draw<"):
        before = page.partition(inside)[0]
        assert before.rpartition("<table")[0].endswith('<div style="overflow-x:auto">')


def test_the_boards_of_all_games_are_rendered_as_tables(hush):
    table = running_match("hush")
    page = as_html(letter(table, awaited(table), NotificationKind.YOUR_TURN))
    _, _, board = page.partition("Hush, round 1")
    assert all(f">{name}</td>" in board for name in table.names)


def test_the_subject_of_a_news_email_says_what_happened(hush):
    table = running_match("hush", options={"rounds": 9})
    for seat in range(3):
        say(table, seat, "name 2")
    told = letter(load_match(table.match.id), table.seats[0], NotificationKind.NEWS)
    assert told.subject.startswith("The numbers were revealed: Hush with ")


def test_the_other_players_are_told_about_a_stand_in(hush):
    table = running_match("hush")
    Seat.objects.filter(pk=table.seats[0].pk).update(stand_in_since=timezone.now())
    facts = {"data": {"late": [0], "stand_ins": [0]}}
    text = " ".join(as_text(letter(table, table.seats[1], NotificationKind.DEADLINE_PASSED, **facts)).split())
    assert f"A stand-in will play for {table.names[0]} until they come back." in text


@pytest.mark.parametrize(("points", "told"), [(1, "won with 1 point."), (2, "won with 2 points.")])
@pytest.mark.parametrize("reader", [0, 1])
def test_the_winners_points_are_given(points, told, reader):
    table = running_match(seats=2)
    outcome = Outcome(points=(points, 0), places=(1, 2), lines=((), ()), reason="over")
    context = Context(Notification(user=table.seats[reader].user), timezone.now(), table)
    assert how_it_ended(context, outcome) == f"{'You' if reader == 0 else table.names[0]} {told}"


def test_a_digest_of_one_match_uses_the_singular():
    reader = awaited(running_match(seats=2))
    now = timezone.now()
    notification = Notification.objects.create(
        user=reader.user, kind=NotificationKind.DIGEST, created_at=now, due_at=now
    )
    text = " ".join(as_text(letters.write(load([notification.pk])[0])).split())
    assert "It's your turn in this match. Go to it: turnpost next" in text
    assert "These matches" not in text


def test_a_digest_does_not_list_its_reader_among_the_other_players():
    table = running_match(seats=2)
    reader = awaited(table)
    now = timezone.now()
    notification = Notification.objects.create(
        user=reader.user, kind=NotificationKind.DIGEST, created_at=now, due_at=now
    )
    text = as_text(letters.write(load([notification.pk])[0]))
    other = next(seat for seat in table.seats if seat != reader)
    assert f"Coloretto with {sitting(other).name}\n" in text


def test_the_start_email_says_how_much_time_players_have():
    table = running_match(pace=PRESETS["24h"])
    text = " ".join(as_text(letter(table, table.seats[0], NotificationKind.MATCH_STARTED)).split())
    assert "Each player has 1 day per move, plus a reserve of 3 days for the whole match." in text


def test_the_first_players_email_says_how_much_time_players_have():
    table = running_match(pace=PRESETS["72h"])
    text = " ".join(as_text(letter(table, awaited(table), NotificationKind.YOUR_TURN)).split())
    assert "You have 10 days left, until " in text
    assert "Each player has 3 days per move, plus a reserve of 7 days for the whole match." in text
    assert "Your deadline includes the reserve." in text
    assert "turnpost rules coloretto" in text


def test_without_a_reserve_the_deadline_needs_no_explanation():
    table = running_match(pace=Pace(timedelta(days=3)))
    assert "includes the reserve" not in as_text(letter(table, awaited(table), NotificationKind.YOUR_TURN))


def test_later_emails_do_not_repeat_how_much_time_players_have():
    table = running_match(seats=2)
    beginner = awaited(table)
    for move in ("draw", "place 1"):
        say(table, beginner.number, move)
    for seat in range(2):
        text = as_text(letter(load_match(table.match.id), table.seats[seat], NotificationKind.YOUR_TURN))
        assert "Each player has" not in text


def test_titles_and_names_are_escaped_in_every_email(hush):
    player("ann", display_name='<b onload="x">"A"')
    table = running_match("hush", title="<i>Friday</i>")
    for kind in (
        NotificationKind.YOUR_TURN,
        NotificationKind.NEWS,
        NotificationKind.REMINDER,
        NotificationKind.MATCH_STARTED,
    ):
        page = as_html(letter(table, table.seats[0], kind))
        assert "<i>" not in page
        assert "<b " not in page


def test_the_final_score_of_five_players_with_long_names_fits_in_eighty_columns():
    for name in NAMES:
        player(name, display_name=f"{name} 漢字 Featherstonehaugh-Cholmondeley")
    table = play_some(running_match("coloretto", 5))
    text = as_text(letter(table, table.seats[0], NotificationKind.MATCH_OVER, turn=None))
    score = text.partition("Final score")[2].partition("Since your")[0].splitlines()[2:]
    places = next(line for line in score if line.startswith("  Place"))
    assert width(places) == width(score[0]) <= 80
