import pytest

from tests.games.engine.setups import ALL, Setup

MATCHES_IN_A_BATCH = 100


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """All tests of a setup follow one another, so that its matches are played once for all of them."""
    if "batch" in metafunc.fixturenames:
        metafunc.parametrize("setup, batch", [(setup, batch) for setup in ALL for batch in batches(setup)], ids=str)
    elif "setup" in metafunc.fixturenames:
        metafunc.parametrize("setup", ALL, ids=str, scope="session")


def batches(setup: Setup) -> list[range]:
    """The numbers of the matches to play, in parts that can go to several processes."""
    firsts = range(0, setup.matches, MATCHES_IN_A_BATCH)
    return [range(first, min(first + MATCHES_IN_A_BATCH, setup.matches)) for first in firsts]
