"""Which of its choices a bench player takes: a number that hops about, at next to no cost."""


def next_will(will: int) -> int:
    return (will * 75 + 74) % 65537
