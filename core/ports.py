from argparse import ArgumentTypeError


def port(written: str) -> int:
    if not (written.isascii() and written.isdigit() and int(written) < 2**16):
        raise ArgumentTypeError(f"{written!r} is not a port; ports are numbers up to 65535.")
    return int(written)
