import pytest


@pytest.fixture
def ann(db):
    from tests.games.builders import player

    return player("ann")


@pytest.fixture
def ben(db):
    from tests.games.builders import player

    return player("ben")
