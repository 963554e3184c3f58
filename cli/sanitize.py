"""Make text safe to print."""

from turnpost.sanitize import one_line, printable, sanitized

__all__ = ["one_line", "printable", "sanitized"]
