"""Send one request over HTTP, and read its response.

This module is imported when the first request is sent. It uses urllib3, which imports faster than larger libraries.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError
from urllib3.exceptions import TimeoutError as HTTPTimeoutError

CHUNK = 65536
HEADERS = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate", "User-Agent": "turnpost"}
REDIRECTS = (301, 302, 303, 307, 308)
CERTIFICATE_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
FAILURES = (HTTPError, ValueError)
"""The errors of a request that got no complete response. An invalid address or header is a ValueError."""


class Response:
    def __init__(self, method: str, url: str, raw: urllib3.BaseHTTPResponse) -> None:
        self.method = method
        self.url = url
        self.raw = raw
        self.status = raw.status
        self.headers = raw.headers
        self.content = b""

    @property
    def is_redirect(self) -> bool:
        return self.status in REDIRECTS and "Location" in self.headers

    def read(self, most: int) -> bool:
        """Read the content, and return the connection to the pool. Return False if there are more bytes than `most`."""
        content = bytearray()
        for chunk in self.raw.stream(CHUNK):
            content += chunk
            if len(content) > most:
                self.close()
                return False
        self.content = bytes(content)
        self.raw.release_conn()
        return True

    def lines(self) -> Iterator[bytes]:
        """Yield each line as soon as it has arrived."""
        rest = b""
        for chunk in self.raw.stream(None):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines

    def json(self) -> Any:
        return json.loads(self.content)

    def close(self) -> None:
        self.raw.close()


class Connections:
    """Connections to one server, which are kept open between requests."""

    def __init__(self) -> None:
        self.pools: dict[str, urllib3.PoolManager] = {}

    def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        *,
        timeout: tuple[float, float],
        body: Any = None,
        params: Mapping[str, Any] | None = None,
    ) -> Response:
        """Send a request. `body` is sent as JSON, and parameters that are None are left out."""
        given = {name: value for name, value in (params or {}).items() if value is not None}
        if given:
            url = f"{url}{'&' if '?' in url else '?'}{urlencode(given)}"
        sent = {**HEADERS, **headers}
        content = None
        if body is not None:
            content, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        raw = self.pool(url).request(
            method,
            url,
            body=content,
            headers=sent,
            timeout=urllib3.Timeout(*timeout),
            retries=False,
            redirect=False,
            preload_content=False,
        )
        return Response(method, url, raw)

    def pool(self, url: str) -> urllib3.PoolManager:
        proxy = proxy_for(url)
        if proxy not in self.pools:
            self.pools[proxy] = new_pool(proxy, is_encrypted=url.startswith("https:"))
        return self.pools[proxy]


def proxy_for(url: str) -> str:
    """Return the proxy that the environment names for this address, or an empty string."""
    parts, proxies = urlsplit(url), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
    if not proxy or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"


def new_pool(proxy: str, *, is_encrypted: bool) -> urllib3.PoolManager:
    certificates = certificate_options() if is_encrypted or proxy.startswith("https:") else {}
    if not proxy:
        return urllib3.PoolManager(**certificates)
    login = unquote(urlsplit(proxy).netloc.rpartition("@")[0])
    headers = urllib3.make_headers(proxy_basic_auth=login) if login else None
    return urllib3.ProxyManager(proxy, proxy_headers=headers, **certificates)


def certificate_options() -> dict[str, Any]:
    import certifi

    given = next(filter(None, map(os.environ.get, CERTIFICATE_VARIABLES)), None) or certifi.where()
    return {"ca_cert_dir" if Path(given).is_dir() else "ca_certs": given}


def never_connected(error: Exception) -> bool:
    """Return whether the connection was never established, so that the server can't have seen the request."""
    return isinstance(error, ConnectTimeoutError)


def timed_out(error: Exception) -> bool:
    return isinstance(error, HTTPTimeoutError) and not isinstance(error, NewConnectionError)


def is_worth_repeating(error: Exception) -> bool:
    """An invalid address or header stays invalid."""
    return not isinstance(error, ValueError)
