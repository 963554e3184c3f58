import os

import pytest
import redis


@pytest.fixture
def redis_url():
    """A Redis server to test with, in a database of its own."""
    url = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")
    try:
        redis.Redis.from_url(url, socket_connect_timeout=3).ping()
    except redis.ConnectionError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"Redis cannot be reached: {error}")
    return url
