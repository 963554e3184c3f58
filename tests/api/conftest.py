import pytest

from tests.toy_games.hush import registered


@pytest.fixture
def hush():
    """The tiny game with sealed rounds, registered for one test."""
    with registered() as engine:
        yield engine
