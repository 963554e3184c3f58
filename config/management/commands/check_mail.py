import time
from typing import Any

import dns.exception
import dns.resolver
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from inbound.models import InboundMail
from notifications.models import Delivery, Notification, NotificationKind
from notifications.reply_addresses import bounce_address

LOOK_EVERY = 0.2
LOOKUP_SECONDS = 5


class Command(BaseCommand):
    help = "Send an email to this service and wait until it comes back, then check the DNS records for mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seconds", type=float, default=60, help="how long to wait for the email (default: 60)")
        parser.add_argument(
            "--dkim-selector", default="", help="the selector of your DKIM key, which is then looked up in the DNS"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        problems = [*self.check_round_trip(options["seconds"]), *self.check_records(options["dkim_selector"])]
        if problems:
            raise CommandError("\n".join(problems))
        self.stdout.write("Mail works in both directions.")

    def check_round_trip(self, seconds: float) -> list[str]:
        """Send an email to one of our own signed addresses, and look for it among the received emails."""
        if not settings.REPLY_DOMAIN:
            return ["TURNPOST_REPLY_DOMAIN is not set, so replies aren't received."]
        now = timezone.now()
        notification = Notification.objects.create(
            kind=NotificationKind.TEST_MAIL,
            email=f"postmaster@{settings.REPLY_DOMAIN}",
            delivery=Delivery.SUPPRESSED,
            why="A check of mail in both directions.",
            created_at=now,
            due_at=now,
        )
        address = bounce_address(notification.pk, notification.address, now)
        try:
            return self.send_and_wait(address, notification, seconds)
        finally:
            notification.delete()

    def send_and_wait(self, address: str, notification: Notification, seconds: float) -> list[str]:
        message = EmailMessage("Mail check", "This email checks that mail arrives.", to=[address])
        message.extra_headers["Auto-Submitted"] = "auto-generated"
        try:
            message.send()
        except OSError as error:
            return [f"Sending failed: {error}. Check EMAIL_URL."]
        self.stdout.write(f"Sent an email to {address}.")
        start = time.monotonic()
        while time.monotonic() < start + seconds:
            if InboundMail.objects.filter(notification=notification).exists():
                self.stdout.write(f"It came back after {time.monotonic() - start:.1f} seconds.")
                return []
            time.sleep(LOOK_EVERY)
        return [
            f"The email was sent, but it didn't come back within {seconds:g} seconds. Check that mail to "
            f"{settings.REPLY_DOMAIN} reaches 'receive_mail', 'serve --mail-port', the IMAP mailbox or the provider."
        ]

    def check_records(self, selector: str) -> list[str]:
        """Check the domain of the envelope sender, which is bounce+… at the reply domain, and that of the From address.
        A subdomain needs no DMARC record of its own."""
        sender = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip("> ")
        wanted = [
            ("TXT", domain, "v=spf1", "Without SPF, emails may count as spam.")
            for domain in dict.fromkeys([settings.REPLY_DOMAIN or sender, sender])
        ]
        own, parent = f"_dmarc.{sender}", f"_dmarc.{sender.partition('.')[2]}"
        is_inherited = not self.has_record("TXT", own, "v=DMARC1") and self.has_record("TXT", parent, "v=DMARC1")
        why = "Without DMARC, anyone can forge your sender address."
        wanted.append(("TXT", parent if is_inherited else own, "v=DMARC1", why))
        if settings.REPLY_DOMAIN:
            wanted.append(("MX", settings.REPLY_DOMAIN, "", "Other mail servers can't deliver replies."))
        if selector:
            dkim = f"{selector}._domainkey.{sender}"
            wanted.append(("TXT", dkim, "p=", "Without its key, other servers can't check your DKIM signatures."))
        else:
            self.stdout.write("DKIM wasn't checked. Give the selector of your key: --dkim-selector NAME")
        return [problem for asked in wanted for problem in self.check_record(*asked)]

    def has_record(self, kind: str, name: str, start: str) -> bool:
        try:
            return any(start in str(record) for record in dns.resolver.resolve(name, kind, lifetime=LOOKUP_SECONDS))
        except (dns.exception.DNSException, OSError):
            return False

    def check_record(self, kind: str, name: str, start: str, why: str) -> list[str]:
        """Look up a record. A name server that doesn't respond is not a problem with the mail setup."""
        try:
            found = [str(record) for record in dns.resolver.resolve(name, kind, lifetime=LOOKUP_SECONDS)]
        except (dns.resolver.NoAnswer, dns.resolver.NXDOMAIN):
            found = []
        except (dns.exception.DNSException, OSError) as error:
            self.stdout.write(f"The {kind} record of {name} wasn't checked: {error}")
            return []
        if any(start in record for record in found):
            self.stdout.write(f"{name} has a {start if start.startswith('v=') else kind} record.")
            return []
        return [f"{name} has no {start if start.startswith('v=') else kind} record. {why}"]
