"""Collect incoming messages in bounded memory, even if they are hostile."""

import re

END = b"\r\n.\r\n"
DOTTED_LINE = re.compile(rb"(\A|\r\n)\.")


class Content:
    """Collects one message in chunks. At most `limit` bytes are stored; the rest is only counted."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = bytearray()
        # The end marker of an empty message starts with the line break of the DATA command.
        self._recent = b"\r\n"
        self.size = 0
        self.is_complete = False
        self.is_dropped = False

    def __len__(self) -> int:
        return len(self._bytes)

    def feed(self, chunk: bytes) -> bytes:
        """Add a chunk, and return the part of it that follows the end of the message."""
        seen = self._recent + chunk
        end = seen.find(END)
        self.is_complete = end >= 0
        length = end + len(END) - len(self._recent) if self.is_complete else len(chunk)
        self.size += length
        if not self.is_dropped:
            self._bytes += chunk[: min(length, self._limit - len(self._bytes))]
        self._recent = seen[1 - len(END) :]
        return chunk[length:]

    def drop(self) -> None:
        self.is_dropped = True
        self._bytes = bytearray()

    @property
    def is_cut_off(self) -> bool:
        return self.size > self._limit

    def message(self, most: int | None = None) -> bytes:
        """The message, or its start, without its end marker and without the dots that SMTP adds."""
        return DOTTED_LINE.sub(rb"\1", bytes(self._bytes[:most]).removesuffix(END[2:]))


class Pool:
    """All messages that are being received.

    If they take up too much memory, the largest one is dropped. It is never a reply.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._contents: set[Content] = set()

    def add(self, content: Content) -> None:
        self._contents.add(content)

    def remove(self, content: Content) -> None:
        self._contents.discard(content)

    def trim(self) -> None:
        while sum(map(len, self._contents)) > self._limit:
            max(self._contents, key=len).drop()
