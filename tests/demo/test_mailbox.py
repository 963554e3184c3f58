"""The player who plays by mail replies to the email about the current turn."""

from email.message import EmailMessage

from demo.mailbox import Mailbox
from demo.service import Service

MATCH = "47j2xr89p"


def put(folder, name, turn):
    mail = EmailMessage()
    mail["To"], mail["Subject"], mail["Message-ID"] = "cleo@example.org", f"Turn {turn}", f"<{name}@example.org>"
    mail.set_content(f'Your moves:\n\n  turnpost play {MATCH} "draw" --turn {turn}\n')
    (folder / f"{name}.eml").write_bytes(bytes(mail))


def test_a_late_email_about_an_earlier_turn_is_ignored(tmp_path):
    service = Service(tmp_path, 0, 0)
    service.mail.mkdir()
    put(service.mail, "1", turn=12)
    put(service.mail, "2", turn=11)
    assert Mailbox(service, "cleo@example.org").asking(MATCH, 12)["Subject"] == "Turn 12"
