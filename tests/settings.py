"""The service's settings, independent of the developer's environment. They use no real database, broker or mail server.

The database is SQLite, or a temporary database on the server at TEST_DATABASE_URL.
"""

import os
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEST_DATABASE_URL = os.environ.get("TEST_DATABASE_URL", "")

for name in list(os.environ):
    if name.startswith(("TURNPOST_", "INBOUND_")) or name in ("BROKER_URL", "EMAIL_URL"):
        del os.environ[name]
os.environ["DATABASE_URL"] = TEST_DATABASE_URL
os.environ["TURNPOST_DATA"] = str(ROOT / "var" / "tests")
os.environ["TURNPOST_SECRET_KEY"] = "only for tests, so nobody has to keep it to themselves"

from config.databases import POSTGRESQL_OPTIONS  # noqa: E402
from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, RATES  # noqa: E402
from core.rates import Rate  # noqa: E402

# Each checkout has its own database name, so that you can test two checkouts at the same time.
DATABASES["default"]["TEST"] = {"NAME": f"test_turnpost_{zlib.crc32(bytes(ROOT)):08x}"}
# No machine loses power during a test, so nothing has to wait for the disk.
IMPATIENT = {
    "core.sqlite3": {"init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"},
    "core.postgresql": {"options": f"{POSTGRESQL_OPTIONS['options']} -c synchronous_commit=off"},
}
DATABASES["default"]["OPTIONS"] = DATABASES["default"]["OPTIONS"] | IMPATIENT[DATABASES["default"]["ENGINE"]]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Tests send more requests than people do. Tests of the limits set their own limits.
RATES = dict.fromkeys(RATES, Rate(1_000_000, 60))
# Bots think in the test's own process, because only that process knows the games that exist in tests.
BOT_PROCESSES = 0
# Otherwise the middleware of every test client would scan all static files.
WHITENOISE_AUTOREFRESH = True
