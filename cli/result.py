"""What a command found out, apart from how it is shown: `data` is what --json prints."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cli.render.style import Style


@dataclass(frozen=True)
class Result:
    data: Any
    show: Callable[[Style], str]
