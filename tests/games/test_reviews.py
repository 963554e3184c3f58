from contextlib import suppress

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
    """Return a finished match for two players whose reviews take little time."""
    monkeypatch.setattr(reviews, "MOST_SECONDS", 1.0)
    return play_some(running_match(seats=2))


def review_of(table, seat=0):
    return presenters.review(
        one := reviews.review(table.match.id, sitting(table.seats[seat])), reviews.decisions_in(one)
    )


def test_a_job_compares_each_of_the_players_decisions_with_what_a_search_finds(finished):
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


def test_reviewing_a_whole_match_takes_at_most_a_minute(finished, monkeypatch):
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


def review_until_done(table):
    for _ in range(reviews.QUEUE.most_tries):
        Review.objects.update(due_at=timezone.now())
        reviews.review_due()
    return review_of(table)


def failing(monkeypatch, times, decision=2):
    """Let the review of one decision fail this many times."""
    honest, states = thinking.compare, []

    def compare(engine, state, *rest):
        if state not in states:
            states.append(state)
        if states.index(state) == decision and len(failures) < times:
            failures.append(state)
            raise ThinkingFailed("out of ideas")
        return honest(engine, state, *rest)

    failures: list[object] = []
    monkeypatch.setattr(thinking, "compare", compare)
    return failures


def test_a_decision_whose_review_fails_is_reviewed_later(finished, monkeypatch):
    failures = failing(monkeypatch, times=2)
    review_of(finished)
    reviews.review_due()
    interrupted = Review.objects.get()
    assert (interrupted.state, interrupted.done) == ("queued", 2)
    assert interrupted.due_at > timezone.now()
    done = review_until_done(finished)
    assert (done.state, done.done, done.missing, len(failures)) == ("done", done.total, 0, 2)


def test_a_decision_whose_review_keeps_failing_counts_as_missing(finished, monkeypatch, caplog):
    failures = failing(monkeypatch, times=99)
    review_of(finished)
    done = review_until_done(finished)
    assert (done.state, done.done, done.missing) == ("done", done.total, 1)
    assert done.decisions
    assert len(failures) == reviews.QUEUE.most_tries
    assert "out of ideas" in caplog.text


def test_all_remaining_decisions_of_a_review_that_keeps_crashing_count_as_missing(finished):
    review_of(finished)
    crashed = {"state": "thinking", "claim": "x", "done": 3, "tries": reviews.QUEUE.most_tries}
    Review.objects.update(due_at=timezone.now(), **crashed)
    reviews.review_due()
    done = review_of(finished)
    assert (done.state, done.done, done.missing) == ("done", done.total, done.total - 3)


def test_a_review_that_makes_progress_is_not_given_up(finished, monkeypatch):
    """A worker that is killed again and again still finishes the review, if it finishes a decision each time."""
    review_of(finished)
    honest = reviews.judged
    fresh: list[int] = []

    def judged(*arguments):
        if fresh:
            fresh.clear()
            raise KeyboardInterrupt
        fresh.append(1)
        return honest(*arguments)

    monkeypatch.setattr(reviews, "judged", judged)
    while Review.objects.get().state != "done":
        Review.objects.update(due_at=timezone.now())
        with suppress(KeyboardInterrupt):
            reviews.review_due()
    assert review_of(finished).missing == 0


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
