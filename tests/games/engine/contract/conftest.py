import pytest
from _pytest.mark import ParameterSet

from tests.games.engine.setups import ALL, Setup

FAST_MATCHES = 20
MATCHES_IN_A_BATCH = 100


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run all tests of a setup together, so that its matches are played only once."""
    if "batch" in metafunc.fixturenames:
        metafunc.parametrize("setup, batch", [case for setup in ALL for case in batches(setup)], ids=str)
    elif "setup" in metafunc.fixturenames:
        metafunc.parametrize("setup", ALL, ids=str, scope="session")


def batches(setup: Setup) -> list[ParameterSet]:
    """Number the matches to play.

    The fast tests play a few of them, and the slow tests play the rest in batches across several processes.
    """
    rest = range(FAST_MATCHES, setup.matches)
    later = [rest[first : first + MATCHES_IN_A_BATCH] for first in range(0, len(rest), MATCHES_IN_A_BATCH)]
    slow = [pytest.param(setup, batch, marks=pytest.mark.slow) for batch in later]
    return [pytest.param(setup, range(FAST_MATCHES)), *slow]
