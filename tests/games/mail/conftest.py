import pytest

from tests.sink import Sink


@pytest.fixture
def sink(settings):
    """A mail server that all mail of this test goes to."""
    with Sink() as sink:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", sink.port
        yield sink
