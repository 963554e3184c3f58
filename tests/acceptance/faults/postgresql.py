"""A separate PostgreSQL server that tests can stop and restart."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo.ports import free_port
from tests.requirements import find_program

OWNER = "postgres"
SETTINGS = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "shared_buffers": "32MB"}


class NoServer(Exception):
    """Raised if PostgreSQL's programs or its system user are missing on this machine."""


class Server:
    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.data, self.log, self.port = programs, folder / "data", folder / "log", free_port()

    @property
    def url(self) -> str:
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/postgres"

    def initialise(self) -> None:
        self.run("initdb", "--username", OWNER, "--auth", "trust", "--no-sync", "--encoding", "UTF8")
        lines = [f"{name} = '{value}'\n" for name, value in {**SETTINGS, "port": str(self.port)}.items()]
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.writelines(lines)

    def start(self) -> None:
        self.run("pg_ctl", "--wait", "--log", str(self.log), "start")

    def stop(self) -> None:
        """Stop the server immediately, as in a power failure."""
        self.run("pg_ctl", "--wait", "--mode", "immediate", "stop")

    def run(self, program: str, *words: str) -> None:
        command = [*as_owner(), str(self.programs / program), "--pgdata", str(self.data), *words]
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.data.parent
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.strip()}")


def as_owner() -> list[str]:
    """Return a command prefix that switches to PostgreSQL's user, because PostgreSQL refuses to run as root."""
    return [find_program("runuser") or "runuser", "-u", OWNER, "--"] if os.geteuid() == 0 else []


def programs() -> Path:
    """Return the folder with the programs of the newest version."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    named = shutil.which("initdb")
    if not (found or named):
        raise NoServer("PostgreSQL's own programs (initdb, pg_ctl) are not on this machine.")
    return found[-1].parent if found else Path(str(named)).parent


@contextmanager
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="turnpost-postgresql-") as folder:
        if os.geteuid() == 0:
            try:
                owner = pwd.getpwnam(OWNER)
            except KeyError:
                raise NoServer(f"There is no user {OWNER} to run PostgreSQL as.") from None
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        made = Server(programs(), Path(folder))
        made.initialise()
        made.start()
        try:
            yield made
        finally:
            made.stop()
