"""A list of every command, including subcommands."""

from functools import cache
from typing import Any

from cli.command_list import COMMANDS
from cli.main import load_command


@cache
def all_commands() -> dict[str, Any]:
    found = {name: load_command(name) for name in COMMANDS}
    for name, group in list(found.items()):
        inner = getattr(group, "commands", {})
        found |= {f"{name} {word}": command for word, command in inner.items()}
        if inner:
            del found[name]
    return found
