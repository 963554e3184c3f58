from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """The smallest of the settings that OWASP recommends: Django's own take 100 MiB for each log-in, and with a few
    dozen wrong ones at once a small server would have nothing left for its players."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
