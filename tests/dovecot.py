"""A real IMAP server for tests: Dovecot, with a folder, a port and a log of its own."""

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from imaplib import IMAP4
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from demo.ports import free_port
from tests.waiting import until

PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or ""
USER, PASSWORD = "turnpost", 'pa"ss wörd'
CONFIGURATION = """
protocols = imap
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
listen = 127.0.0.1
mail_location = maildir:{folder}/mail
first_valid_uid = 1
{users}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/passwords
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}
}}
"""


class Dovecot:
    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        owner = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        # Only root may let the parts of the server run as different users.
        alone = f"default_login_user = {owner.pw_name}\ndefault_internal_user = {owner.pw_name}"
        users = "" if os.getuid() == 0 else alone
        settings = {"port": self.port, "uid": owner.pw_uid, "gid": owner.pw_gid, "users": users}
        (folder / "passwords").write_text(f"{USER}:{PASSWORD}\n")
        (folder / "dovecot.conf").write_text(CONFIGURATION.format(folder=folder, **settings))
        (folder / "mail").mkdir(mode=0o700)
        if os.getuid() == 0:
            os.chown(folder / "mail", owner.pw_uid, owner.pw_gid)
            folder.chmod(0o755)

    def start(self) -> None:
        self._process = subprocess.Popen([PROGRAM, "-F", "-c", self.folder / "dovecot.conf"], stdin=subprocess.DEVNULL)
        assert until(self.answers), (self.folder / "log").read_text()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=3) as connection:
                return connection.recv(4) == b"* OK"
        except OSError:
            return False

    @property
    def place(self) -> dict[str, object]:
        here = {"host": "127.0.0.1", "port": self.port, "security": "none"}
        return here | {"user": USER, "password": PASSWORD, "folder": "INBOX"}

    @contextmanager
    def client(self) -> Iterator[IMAP4]:
        """The mailbox as its owner sees it."""
        with IMAP4("127.0.0.1", self.port, timeout=20) as client:
            client.authenticate("PLAIN", lambda _: f"\0{USER}\0{PASSWORD}".encode())
            client.select()
            yield client

    def deliver(self, *mails: bytes, folder: str = "INBOX") -> None:
        with self.client() as client:
            for raw in mails:
                status, answer = client.append(folder, "", "", raw)
                assert status == "OK", answer

    def unread(self) -> int:
        with self.client() as client:
            return len(client.search(None, "UNSEEN")[1][0].split())


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    """Where it is not installed the test is skipped; in CI it fails."""
    if not PROGRAM:
        stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        stop("dovecot is not installed (Debian: dovecot-imapd)")
    # Not pytest's own folder: other users may not enter that, and its name is too long for sockets.
    with TemporaryDirectory(prefix="dovecot-") as folder:
        server = Dovecot(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
