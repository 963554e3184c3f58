"""Rounds of work: one at a time in a process, none too long, and nobody who asks is forgotten."""

import threading

import pytest
from core.jobs.single_flight import Rounds

from core.jobs import wakeup
from notifications import tasks
from notifications.mail import sender
from tests.games.racing import beside


def never():
    return False


def test_while_one_is_under_way_a_second_one_is_left_to_it():
    rounds, began, go_on, made = Rounds(longest=20), threading.Event(), threading.Event(), []

    def work(_):
        made.append(threading.current_thread())
        began.set()
        go_on.wait(20)

    first = beside(lambda: rounds.run(work, never))
    began.wait(20)
    assert rounds.run(work, never) is False
    assert len(made) == 1
    go_on.set()
    first.join()
    assert len(made) == 2, "Whoever was at it looked once more."
    assert len(set(made)) == 1


def test_when_its_time_is_up_a_round_ends_and_says_that_there_may_be_more():
    looked = []

    def work(is_over):
        while not is_over():
            looked.append(None)

    assert Rounds(longest=0.01).run(work, never) is True
    assert looked
    assert Rounds(longest=20).run(lambda _: None, never) is False


def test_a_process_that_is_to_end_asks_for_no_other_round():
    assert Rounds(longest=20).run(lambda _: None, lambda: True) is False


def test_a_round_that_fails_keeps_nobody_from_the_next():
    rounds = Rounds(longest=20)
    with pytest.raises(ZeroDivisionError):
        rounds.run(lambda _: 1 // 0, never)
    done = []
    rounds.run(lambda _: done.append(None), never)
    assert done


def test_mail_that_is_left_when_time_is_up_is_rung_for(monkeypatch):
    rung = []
    monkeypatch.setattr(tasks, "_outgoing", Rounds(longest=0))
    monkeypatch.setattr(tasks, "is_stopping", never)
    monkeypatch.setattr(sender, "deliver_due", lambda is_over: None)
    monkeypatch.setattr(wakeup, "ring", lambda: rung.append(None))
    tasks.deliver()
    assert rung
