"""Run the service that is being tested, with its processes on their hosts and the servers they share."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from bench.scratch import SERVER, database, set_up
from demo.ports import free_port
from tests.acceptance.storm.hosts import Host, can_be_separate, hosts, this_host
from tests.acceptance.storm.mail_counter import MailCounter
from tests.acceptance.storm.parts import Part, all_in_one, beat, web, worker
from tests.acceptance.storm.proxy import Proxy
from tests.brokers import broker as queue_of
from tests.requirements import BROKERS

WEBS, WORKERS = 2, 3
SCOPES = ("user", "address", "new_match", "message", "invitation", "invited")


@dataclass
class Deployment:
    webs: list[Part]
    workers: list[Part]
    others: list[Part]
    mail_server: MailCounter
    separate: bool
    proxies: dict[str, Proxy] = field(default_factory=dict)
    """The proxies through which the processes reach the database, the broker and the mail server."""

    @property
    def parts(self) -> list[Part]:
        return [*self.webs, *self.workers, *self.others]


@contextmanager
def distributed(broker: str, *, webs: int = WEBS, workers: int = WORKERS, server: str = SERVER) -> Iterator[Deployment]:
    """Run web processes, workers and a beat on separate hosts, with a shared PostgreSQL server and broker."""
    names = [*(f"web{n}" for n in range(webs)), *(f"worker{n}" for n in range(workers)), "beat"]
    separate = can_be_separate()
    with ExitStack() as stack:
        stack.enter_context(database(server=server))
        folder = Path(os.environ["TURNPOST_DATA"])
        mail_server = stack.enter_context(MailCounter())
        machines = stack.enter_context(hosts(names, separate=separate))
        queue = stack.enter_context(queue_of(broker)).conf.task_default_queue
        proxies = {
            name: stack.enter_context(proxy) for name, proxy in proxies_to(machines[0], broker, mail_server).items()
        }
        environment = shared(machines[0], broker, proxies) | {"TURNPOST_QUEUE": queue}
        logs = [folder / f"{name}.log" for name in names]
        yield Deployment(
            [web(host, free_port(), environment, log) for host, log in zip(machines[:webs], logs, strict=False)],
            [
                worker(host, free_port(), environment, log)
                for host, log in zip(machines[webs:-1], logs[webs:-1], strict=True)
            ],
            [beat(machines[-1], environment, logs[-1])],
            mail_server,
            separate,
            proxies,
        )


def proxies_to(host: Host, broker: str, mail_server: MailCounter) -> dict[str, Proxy]:
    """Start proxies to the services on this machine, which listen only on localhost."""
    return {
        "database": Proxy(host.gateway, urlsplit(os.environ["DATABASE_URL"]).port or 5432),
        "broker": Proxy(host.gateway, urlsplit(BROKERS[broker]).port or 0),
        "mail": Proxy(host.gateway, mail_server.port),
    }


def shared(host: Host, broker: str, proxies: Mapping[str, Proxy]) -> dict[str, str]:
    """Return the environment that all processes share."""
    return common(f"smtp://{host.gateway}:{proxies['mail'].port}") | {
        "DATABASE_URL": through(os.environ["DATABASE_URL"], host, proxies["database"].port),
        "BROKER_URL": through(BROKERS[broker], host, proxies["broker"].port),
    }


def through(url: str, host: Host, port: int) -> str:
    parts = urlsplit(url)
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return parts._replace(netloc=f"{user}{host.gateway}:{port}").geturl()


def common(mail: str) -> dict[str, str]:
    from django.conf import settings

    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "EMAIL_URL": mail,
        "TURNPOST_DATA": os.environ["TURNPOST_DATA"],
        "TURNPOST_SECRET_KEY": settings.SECRET_KEY,
        "TURNPOST_VAULT_KEYS": ",".join(settings.VAULT_KEYS),
        "TURNPOST_SIGNING_KEYS": ",".join(settings.SIGNING_KEYS),
        "TURNPOST_RATES": ", ".join(f"{scope}=1000000/minute" for scope in SCOPES),
    }


@contextmanager
def single_process() -> Iterator[Deployment]:
    """Run everything in one process, with SQLite and an in-memory broker."""
    with tempfile.TemporaryDirectory() as folder, MailCounter() as mail_server:
        url = f"sqlite:///{folder}/turnpost.sqlite3"
        set_up(url, folder)
        environment = common(f"smtp://127.0.0.1:{mail_server.port}") | {"DATABASE_URL": url}
        part = all_in_one(this_host("serve"), free_port(), environment, Path(folder) / "serve.log")
        yield Deployment([part], [], [], mail_server, separate=False)
