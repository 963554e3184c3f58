"""Postfix as a real mail server for tests, configured like the recipe in docs/mail.md, with its own folder and port."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from demo.ports import free_port
from tests.requirements import find_program, unavailable
from tests.waiting import until

MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log/mail.log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.org
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
smtputf8_enable = no
virtual_mailbox_domains = {domain}
virtual_mailbox_maps = regexp:{folder}/turnpost
virtual_transport = lmtp:inet:127.0.0.1:{target}
"""
MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
"""
ADDRESSES = r"""
/^(reply|bounce)\+[a-z2-7]{{56}}@{domain}$/ turnpost
/^postmaster@{domain}$/ turnpost
/^turnpost@{domain}$/ turnpost
"""


@contextmanager
def postfix(domain: str, target: int) -> Iterator[int]:
    """Run Postfix, which delivers mail for this domain to a port by LMTP. Yields the port that it listens on."""
    program = find_program("postfix")
    if program is None:
        unavailable("Postfix is not installed (Debian: postfix)")
    if os.geteuid() != 0:
        unavailable("Postfix only starts as root.")
    with TemporaryDirectory(prefix="postfix-") as written:
        folder, port = Path(written), free_port()
        folder.chmod(0o755)
        for name in ("queue", "data", "log"):
            (folder / name).mkdir()
        shutil.chown(folder / "data", "postfix")
        (folder / "main.cf").write_text(MAIN.format(folder=folder, domain=domain, target=target))
        (folder / "master.cf").write_text(MASTER.format(port=port))
        (folder / "turnpost").write_text(ADDRESSES.format(domain=domain.replace(".", r"\.")) + "\n")
        started = subprocess.run([program, "-c", written, "start"], capture_output=True, text=True, check=False)
        try:
            if not until(lambda: answers(port), 30):
                unavailable(f"Postfix doesn't start: {started.stderr[-300:]}")
            yield port
        finally:
            subprocess.run([program, "-c", written, "stop"], capture_output=True, check=False)


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            return connection.recv(100).startswith(b"220")
    except OSError:
        return False
