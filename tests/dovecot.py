"""Dovecot as a real IMAP server for tests, with its own folder, port and log."""

import os
import pwd
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from imaplib import IMAP4
from pathlib import Path
from tempfile import TemporaryDirectory

from demo.ports import free_port
from tests.requirements import find_program, unavailable
from tests.waiting import until

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
    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder, self.port = program, folder, free_port()
        owner = pwd.getpwnam("nobody")
        settings = {"port": self.port, "uid": owner.pw_uid, "gid": owner.pw_gid}
        (folder / "passwords").write_text(f"{USER}:{PASSWORD}\n")
        (folder / "dovecot.conf").write_text(CONFIGURATION.format(folder=folder, **settings))
        (folder / "mail").mkdir(mode=0o700)
        os.chown(folder / "mail", owner.pw_uid, owner.pw_gid)
        folder.chmod(0o755)

    def start(self) -> None:
        command = [self.program, "-F", "-c", str(self.folder / "dovecot.conf")]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        if not until(self.answers):
            self.stop()
            raise RuntimeError(f"Dovecot did not start: {(self.folder / 'log').read_text()}")

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
        """Open the mailbox as its owner would."""
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
    program = find_program("dovecot")
    if program is None:
        unavailable("Dovecot is not installed (Debian: dovecot-imapd)")
    if os.geteuid() != 0:
        unavailable("only root can start Dovecot")
    # We can't use pytest's folder, because other users cannot enter it, and its path is too long for sockets.
    with TemporaryDirectory(prefix="dovecot-") as folder:
        server = Dovecot(program, Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
