"""The process behind a Proxy (see tests.acceptance.storm.proxy).

It reads one command per line and confirms each command once it has been carried out.
"""

import asyncio
import sys
from contextlib import suppress


class ProxyServer:
    def __init__(self, host: str, port: int, target: int) -> None:
        self.host, self.port, self.target = host, port, target
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._flow = asyncio.Event()
        self._flow.set()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._pass_on, self.host, self.port)

    async def shut(self) -> None:
        if self._server:
            self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def freeze(self) -> None:
        self._flow.clear()

    async def thaw(self) -> None:
        self._flow.set()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError):
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.target)
            self._writers.add(inner_writer)
            await asyncio.gather(self._pump(reader, inner_writer), self._pump(inner_reader, writer))
            self._writers.discard(inner_writer)
        writer.close()
        self._writers.discard(writer)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._flow.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


async def main(host: str, port: int, target: int) -> None:
    """Run until standard input is closed, for example because the parent process has died."""
    proxy, loop = ProxyServer(host, port, target), asyncio.get_running_loop()
    words = {"open": proxy.open, "shut": proxy.shut, "freeze": proxy.freeze, "thaw": proxy.thaw}
    while word := await loop.run_in_executor(None, sys.stdin.readline):
        await words[word.strip()]()
        sys.stdout.write("done\n")
        sys.stdout.flush()
    await proxy.shut()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
