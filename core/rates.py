"""Parse rates like 600/minute or 5/hour."""

import re
from dataclasses import dataclass

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
WRITTEN = re.compile(r"([1-9]\d{0,8})/(second|minute|hour|day)")


@dataclass(frozen=True)
class Rate:
    count: int
    seconds: int

    @classmethod
    def read(cls, written: str) -> "Rate":
        match = WRITTEN.fullmatch(written.strip())
        if not match:
            raise ValueError(f"{written!r} is not a rate; use a form like 600/minute or 5/hour")
        return cls(int(match[1]), SECONDS[match[2]])
