from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2 with the lowest memory setting that OWASP recommends.

    Django's default uses 100 MiB per login, so a few dozen simultaneous attempts would exhaust a small server.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
