"""Parts of an address that no database could take are no part of any address: 404 without asking it."""


class IdConverter:
    regex = r"[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)
