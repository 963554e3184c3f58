"""Moves made here, mail sent by real workers."""

import pytest

from config.celery import app
from tests.games.builders import running_match
from tests.workers import worker_thread

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_in_the_same_process_hears_the_bell_in_memory(sink):
    with worker_thread(app):
        running_match()
        assert len(sink.wait_for(1)) == 1
