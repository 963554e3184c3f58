"""The disk with the mail folder is full. No incomplete file is left, and notifications are sent once there is space."""

import resource
import subprocess
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import pytest
import time_machine

from notifications.mail import folder
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from notifications.outbox import QUEUE
from tests.games.builders import running_match
from tests.requirements import unavailable

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


@contextmanager
def mounted(place):
    """Mount a separate file system that is too small for an email."""
    command = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", place]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        unavailable(f"needs a small disk: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


@pytest.fixture
def small_disk(tmp_path, settings):
    with mounted(tmp_path) as place:
        settings.EMAIL_BACKEND, settings.MAIL_FOLDER = "notifications.mail.folder.EmailBackend", place
        yield place


def make_room(disk):
    subprocess.run(["mount", "-o", "remount,size=4m", disk], check=True)


@pytest.mark.django_db
def test_notifications_wait_for_disk_space_and_are_then_sent(small_disk, api):
    with time_machine.travel(NOON, tick=False) as clock:
        table = running_match()
        (small_disk / "filler").write_bytes(bytes(12 * 1024))
        deliver_due()
        waiting = Notification.objects.filter(delivery=Delivery.QUEUED)
        assert waiting.exclude(kind=NotificationKind.INVITATION).count() == len(table.seats)
        assert [file.name for file in small_disk.iterdir()] == ["filler"], "No incomplete email is left."
        (asked,) = Notification.objects.filter(kind=NotificationKind.YOUR_TURN)
        assert asked.why == "Can't write to the mail folder: No space left on device."
        (told,) = [
            notification
            for notification in api(asked.user).get("/api/v1/me/notifications").json()["results"]
            if notification["kind"] == NotificationKind.YOUR_TURN
        ]
        assert (told["state"], told["why"]) == ("queued", asked.why)
        make_room(small_disk)
        clock.shift(QUEUE.backoff.first)
        deliver_due()
    sent = Notification.objects.filter(delivery=Delivery.SENT)
    assert sent.count() == len(table.seats) == len(list(small_disk.glob("*.eml")))
    assert not waiting.exists()


@contextmanager
def files_of_at_most(size):
    """Limit the size of files, so that a write stops in the middle. This needs neither a real disk nor root."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_an_email_that_is_cut_off_leaves_no_file(tmp_path):
    with files_of_at_most(1024), suppress(folder.FolderError):
        folder.put(tmp_path, bytes(4096))
    assert list(tmp_path.iterdir()) == []
    folder.put(tmp_path, bytes(4096))
    assert [file.suffix for file in tmp_path.iterdir()] == [".eml"]


def test_a_folder_that_cannot_be_created_causes_a_clear_error(tmp_path, settings):
    (tmp_path / "file").touch()
    settings.MAIL_FOLDER = tmp_path / "file" / "mail"
    with pytest.raises(folder.FolderError, match=r"^Can't write to the mail folder: Not a directory\.$"):
        folder.EmailBackend().send_messages([])
