"""Reviews of finished matches."""

import pytest
from django.utils import timezone

from core.refusals import Conflict, Forbidden
from games.models import Phase, Review
from games.selectors import presenters
from games.selectors.loading import load_match
from games.services import reviews, thinking
from games.services.thinking import ThinkingFailed
from tests.games.builders import play_some, player, running_match, sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(monkeypatch):
    """Return a finished match for two whose reviews take little time."""
    monkeypatch.setattr(reviews, "MOST_SECONDS", 1.0)
    return play_some(running_match(seats=2))


def review_of(table, seat=0):
    return presenters.review(
        one := reviews.review(table.match.id, sitting(table.seats[seat])), reviews.decisions_in(one)
    )


def test_a_job_compares_each_of_my_decisions_with_what_a_search_finds(finished):
    assert review_of(finished).state == "queued"
    reviews.review_due()
    done = review_of(finished)
    assert (done.state, done.done) == ("done", done.total)
    assert done.decisions
    for decision in done.decisions:
        assert 0 <= decision.chance <= decision.best_chance <= 1
        assert decision.cost == pytest.approx(decision.best_chance - decision.chance, abs=0.002)
    costs = [decision.cost for decision in done.decisions]
    assert costs[:3] == sorted(costs, reverse=True)[:3]
    turns = [decision.turn for decision in done.decisions[3:]]
    assert turns == sorted(turns)


def test_sealed_decisions_are_reviewed_in_the_position_in_which_they_were_made(monkeypatch):
    monkeypatch.setattr(reviews, "MOST_SECONDS", 0.5)
    finished = play_some(running_match("colorado-county", 2))
    assert finished.match.phase == Phase.FINISHED
    review_of(finished)
    reviews.review_due()
    assert any(decision.move.startswith("bid") for decision in review_of(finished).decisions)


def test_all_reviews_of_a_match_share_a_minute(finished, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_SECONDS", 60.0)
    moves = finished.match.moves.count()
    assert reviews.seconds_per_decision(finished) == pytest.approx(min(1.0, 60 / moves))
    assert reviews.seconds_per_decision(finished) * moves <= 60


def test_a_killed_worker_continues_where_it_stopped(finished, monkeypatch):
    review_of(finished)
    asked: list[int] = []
    honest = reviews.judged

    def judged(*arguments):
        asked.append(1)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return honest(*arguments)

    monkeypatch.setattr(reviews, "judged", judged)
    with pytest.raises(KeyboardInterrupt):
        reviews.review_due()
    assert Review.objects.get().done == 3
    Review.objects.update(due_at=timezone.now())
    reviews.review_due()
    assert len(asked) == Review.objects.get().total + 1


def test_a_decision_that_cannot_be_reviewed_is_left_out(finished, monkeypatch, caplog):
    def crash(*_):
        raise ThinkingFailed("out of ideas")

    monkeypatch.setattr(thinking, "compare", crash)
    review_of(finished)
    reviews.review_due()
    assert review_of(finished).state == "done"
    assert "out of ideas" in caplog.text


def test_a_review_is_made_only_once(finished):
    review_of(finished)
    reviews.review_due()
    first = review_of(finished)
    reviews.review_due()
    assert review_of(finished) == first


def test_players_can_review_only_their_own_decisions(finished):
    with pytest.raises(Forbidden):
        reviews.review(finished.match.id, player("zoe"))
    for seat in (0, 1):
        own = finished.match.moves.filter(seat=seat).count()
        assert review_of(finished, seat).total == own


def test_running_matches_cannot_be_reviewed():
    table = play_some(running_match(), 5)
    with pytest.raises(Conflict, match="Only finished matches"):
        reviews.review(table.match.id, sitting(table.seats[0]))
    assert not Review.objects.exists()
    assert load_match(table.match.id).match.phase == Phase.RUNNING
