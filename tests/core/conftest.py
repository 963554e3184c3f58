import pytest

from tests.requirements import BROKERS, require


@pytest.fixture
def redis_url():
    require("redis")
    return BROKERS["redis"]
