"""Players can make proposals by mail."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clock.models import Proposal, ProposalKind
from games.models import Phase, Seat
from games.selectors.loading import load_match
from inbound.reading import reply as replies
from inbound.reading.commands import Propose, Unreadable
from tests.games.builders import awaited, player, running_match, sitting
from tests.inbound.letters import exchange, reply
from tests.inbound.positions import POSITIONS
from tests.inbound.results import answers, said

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("propose time 2d", Propose("extension", "2d")),
        ("I propose an extension of 36 hours for Ben.", Propose("extension", "36h", "Ben")),
        ("Propose 3 days more for ben", Propose("extension", "3d", "ben")),
        ("propose pause 7d", Propose("pause", "7d")),
        ("I'd like to propose a pause of 2 days", Propose("pause", "2d")),
        ("propose resume", Propose("resume")),
        ("propose to end the pause", Propose("resume")),
        ("propose replacement ben emma", Propose("replacement", "", "ben", "emma")),
        ("Propose to replace Ben with Emma!", Propose("replacement", "", "Ben", "Emma")),
        ("propose end", Propose("end")),
        ("propose to end the match", Propose("end")),
    ],
)
def test_a_proposal_in_an_email_is_understood(line, meant):
    assert replies.read([line], POSITIONS["rows"]) == (meant,)


@pytest.mark.parametrize("line", ["propose", "propose a toast", "propose pause", "propose pause 7d?", "I propose draw"])
def test_an_unclear_proposal_is_not_made(line):
    (found,) = replies.read([line], POSITIONS["rows"])
    assert isinstance(found, Unreadable)
    assert "propose pause 7d" in found.hint


class TestByMail:
    @pytest.fixture
    def table(self):
        return running_match(seats=3)

    @pytest.fixture
    def answer_to(self, turn_mail, mailbox):
        def answer(line):
            exchange(reply(turn_mail, line))
            return said(answers(mailbox)[0])

        return answer

    def test_a_player_can_propose_an_extension(self, table, answer_to):
        other = next(seat for seat in table.seats if seat.awaited_since is None)
        assert "You proposed extending" in answer_to("propose time 2d")
        made = Proposal.objects.get()
        assert (made.kind, made.seat, made.time) == (ProposalKind.EXTENSION, awaited(table).number, timedelta(days=2))
        assert "no running clock" in answer_to(f"propose time 2d for {sitting(other).username}")

    def test_a_player_can_propose_a_pause_and_its_end(self, answer_to):
        assert "You proposed pausing the match for 7 days." in answer_to("propose pause 7d")
        assert "The match isn't paused." in answer_to("propose resume")
        assert "up to 60 days" in answer_to("propose pause 61d")

    def test_a_player_can_propose_a_replacement_for_a_stand_in(self, table, answer_to):
        newcomer, absent = player("emma"), next(seat for seat in table.seats if seat.awaited_since is None)
        name = sitting(absent).username
        assert "You can replace only a stand-in." in answer_to(f"propose replacement {name} {newcomer.username}")
        Seat.objects.filter(pk=absent.pk).update(stand_in_since=timezone.now())
        assert "You proposed giving" in answer_to(f"propose replacement {name} {newcomer.username}")
        assert Proposal.objects.get().newcomer == newcomer
        assert "There is no such player in this match." in answer_to("propose replacement nobody ann")

    def test_a_player_can_propose_to_end_the_match(self, table, answer_to):
        assert "You proposed ending the match without a result." in answer_to("propose end")
        now = load_match(table.match.id)
        assert now.match.phase == Phase.RUNNING
        assert [seat.wants_to_abandon for seat in now.seats].count(True) == 1
