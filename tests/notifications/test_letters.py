"""These tests check details of emails that the gallery test doesn't check."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.announcements import AccountChanged
from core.announcements import announce
from games.engine.base import Outcome
from games.engine.text import width
from games.models import Phase, Seat
from games.models.pace import PRESETS, Pace
from games.selectors.loading import load_match
from notifications import letters
from notifications.context import Context, load
from notifications.letters.account import CHANGES
from notifications.letters.as_html import as_html
from notifications.letters.as_text import as_text
from notifications.letters.blocks import Block, Letter, Offer, Offers, Scores, Words
from notifications.letters.result import how_it_ended
from notifications.mail import envelope
from notifications.models import Notification, NotificationKind
from tests.accounts.builders import applicant
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
    assert ">~8~<" in page
    assert 'title="' in page


def test_mail_programs_preview_the_main_point_instead_of_the_reply_instructions(settings):
    settings.REPLY_DOMAIN = "play.example.org"
    table = running_match("coloretto")
    context = context_of(table, awaited(table))
    page = str(envelope.seal(context, letters.write(context)).alternatives[0][0])
    shown = re.sub(r"<[^>]+>|\s+", " ", page[page.index("<body") :]).strip()
    main_point = next(block.text for block in letters.write(context).blocks if isinstance(block, Words))
    assert shown.startswith(main_point)
    assert "Write your reply above this line." in shown


MOST_BYTES = {"coloretto": 15_000, "colorado-county": 35_000}
"""Gmail hides everything after the first 102 KB, and large emails cost bandwidth on phones."""


def size_for(table, seat):
    context = context_of(table, seat, turn=None)
    return len(envelope.seal(context, letters.write(context)).message().as_bytes())


@pytest.mark.parametrize(("game", "moves"), [("coloretto", 12), ("colorado-county", 60)])
def test_an_email_with_a_full_board_is_small(game, moves):
    table = play_some(running_match(game), moves)
    assert size_for(table, awaited(table)) <= MOST_BYTES[game]


@pytest.mark.slow
@pytest.mark.parametrize("game", MOST_BYTES)
def test_every_email_of_a_match_is_small(game, settings):
    settings.REPLY_DOMAIN = "play.example.org"
    for number in range(2):
        table, sizes, moves = running_match(game), [], 0
        while table.match.phase == Phase.RUNNING:
            sizes += [size_for(table, seat) for seat in table.seats if seat.awaited_since]
            table, moves = play_some(table, 1, bytes([number, *moves.to_bytes(2)]).ljust(32)), moves + 1
        assert max(sizes) <= MOST_BYTES[game]
        assert len(sizes) > 30


def test_on_a_narrow_screen_long_words_break_and_wide_tables_scroll():
    wide: list[Block] = [
        Scores("The score", ["", "Ann"], [["Game 1", "27"]]),
        Offers("Your moves", [Offer("draw", "turnpost play")]),
    ]
    page = as_html(Letter("Played", "Hello Ann,", [Words(f"Its receipt is {'5ea1ed00' * 8}."), *wide]))
    assert "overflow-wrap:break-word" in page.rpartition("Its receipt is")[0].rpartition('class="paper"')[2]
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
    assert told.subject.endswith(": the numbers were revealed")


def test_the_other_players_are_told_about_a_stand_in(hush):
    table = running_match("hush")
    Seat.objects.filter(pk=table.seats[0].pk).update(stand_in_since=timezone.now())
    facts = {"data": {"late": [0], "stand_ins": [0]}}
    text = " ".join(as_text(letter(table, table.seats[1], NotificationKind.DEADLINE_PASSED, **facts)).split())
    assert f"A stand-in will play for {table.names[0]} until they come back." in text


@pytest.mark.parametrize(("points", "told"), [(1, "won with 1 point."), (2, "won with 2 points.")])
@pytest.mark.parametrize("reader", [0, 1])
def test_the_email_gives_the_winners_points(points, told, reader):
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
    assert "Each player has 1 day per move, plus a time bank of 3 days for the whole match." in text


def test_the_first_players_email_says_how_much_time_players_have():
    table = running_match(pace=PRESETS["72h"])
    text = " ".join(as_text(letter(table, awaited(table), NotificationKind.YOUR_TURN)).split())
    assert "You have 10 days left, until " in text
    assert "Each player has 3 days per move, plus a time bank of 7 days for the whole match." in text
    assert "Your deadline includes your time bank." in text
    assert "http://localhost:8000/rules/coloretto" in text


def test_without_a_time_bank_the_deadline_is_not_explained():
    table = running_match(pace=Pace(timedelta(days=3)))
    assert "time bank" not in as_text(letter(table, awaited(table), NotificationKind.YOUR_TURN))


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


@pytest.fixture(params=["registration", *sorted(CHANGES)])
def account_email(request, api):
    if request.param == "registration":
        api().post("/api/v1/registrations", applicant())
    else:
        announce(AccountChanged(player("ann"), request.param, where="laptop"))
    return Notification.objects.get()


def test_all_links_in_emails_about_an_account_lead_to_the_server_that_sends_them(account_email, settings):
    settings.PUBLIC_URL = "http://localhost:8121"
    text = as_text(letters.write(load([account_email.pk])[0]))
    links = re.findall(r"https?://[^\s)]+", text)
    assert links
    assert all(link.startswith("http://localhost:8121") for link in links)
