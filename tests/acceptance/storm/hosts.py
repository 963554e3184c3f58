"""Hosts for the parts of a service.

They are separate network namespaces if this machine allows that, otherwise this machine itself.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from tests.requirements import find_program

BRIDGE = f"tp{os.getpid() % 100_000}"
NETWORK = f"10.{200 + os.getpid() % 50}.{os.getpid() // 50 % 250}"


@dataclass(frozen=True)
class Host:
    name: str
    address: str
    """The address at which other hosts reach this host."""
    gateway: str
    """The address at which this host reaches the machine."""
    prefix: tuple[str, ...] = ()

    def command(self, *words: str) -> list[str]:
        return [*self.prefix, *words]


def this_host(name: str) -> Host:
    return Host(name, "127.0.0.1", "127.0.0.1")


def can_be_separate() -> bool:
    """Return whether this machine allows namespaces.

    They need root and iproute2, and some containers forbid them anyway.
    """
    if os.name != "posix" or os.geteuid() != 0 or not find_program("ip"):
        return False
    made = run("netns", "add", BRIDGE, check=False)
    if made:
        run("netns", "del", BRIDGE)
    return made


def run(*words: str, check: bool = True) -> bool:
    done = subprocess.run([find_program("ip") or "ip", *words], capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.returncode == 0


@contextmanager
def separate_hosts(names: list[str]) -> Iterator[list[Host]]:
    """Create a namespace for each name, connect it to this machine with a bridge, and remove it afterwards."""
    with ExitStack() as made:
        run("link", "add", BRIDGE, "type", "bridge")
        made.callback(run, "link", "del", BRIDGE)
        run("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        run("link", "set", BRIDGE, "up")
        yield [plugged_in(made, name, number) for number, name in enumerate(names, start=2)]


def plugged_in(made: ExitStack, name: str, number: int) -> Host:
    space, cable, address = f"{BRIDGE}-{number}", f"{BRIDGE}v{number}", f"{NETWORK}.{number}"
    run("netns", "add", space)
    made.callback(run, "netns", "del", space)
    run("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
    run("link", "set", cable, "master", BRIDGE, "up")
    for words in (
        ("addr", "add", f"{address}/24", "dev", "eth0"),
        ("link", "set", "eth0", "up"),
        ("link", "set", "lo", "up"),
    ):
        run("-n", space, *words)
    return Host(name, address, f"{NETWORK}.1", (find_program("ip") or "ip", "netns", "exec", space))


@contextmanager
def hosts(names: list[str], *, separate: bool) -> Iterator[list[Host]]:
    if not separate:
        yield [this_host(name) for name in names]
        return
    with separate_hosts(names) as made:
        yield made
