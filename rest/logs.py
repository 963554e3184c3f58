"""What every log line has, and what none may have."""

import logging
import re
from typing import Any

from rest.request_id import current_request_id

# In these addresses the part that follows is as good as a password.
SECRET = re.compile(r"(/(?:confirm|reset|change-address|invitations|unsubscribe)/)[^/\s?\"']+")


class RequestIdInLogs(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id()
        return True


class NoSecretsInLogs(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = _without_secrets(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(_without_secrets(argument) for argument in record.args)
        return True


def _without_secrets(part: Any) -> Any:
    return SECRET.sub(r"\1…", part) if isinstance(part, str) else part
